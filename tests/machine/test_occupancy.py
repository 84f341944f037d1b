"""Occupancy by hand, and its laws.  The toolkit's own formula is asked in `tests/oracles/test_occupancy.py`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis_core.machine.description import MULTIPROCESSORS
from analysis_core.machine.occupancy import occupancy


@pytest.mark.parametrize(
    ("capability", "threads", "registers", "shared", "blocks", "share", "limits"),
    [
        ("8.0", 256, 32, 0, 8, 1.0, ("warps", "registers")),
        ("8.0", 256, 33, 0, 6, 0.75, ("registers",)),  # 33 * 32 is 1056, given out as 1280: 12 warps a quarter
        ("8.0", 32, 16, 0, 32, 0.5, ("blocks",)),
        ("8.6", 256, 16, 20 * 1024, 4, 32 / 48, ("shared memory",)),  # 100 KiB; each block has 21 KiB with the driver's
        ("7.5", 1024, 0, 0, 1, 1.0, ("warps",)),
        ("9.0", 160, 255, 0, 1, 5 / 64, ("registers",)),
        ("9.0", 288, 255, 0, 0, 0.0, ("registers",)),  # 9 warps are checked as 12
        ("8.0", 128, 32, 164 * 1024, 0, 0.0, ("shared memory",)),  # one KiB of it is the driver's
    ],
)
def test_by_hand(
    capability: str, threads: int, registers: int, shared: int, blocks: int, share: float, limits: tuple[str, ...]
) -> None:
    found = occupancy(MULTIPROCESSORS[capability], threads, registers, shared)
    assert (found.blocks, found.share, found.limits) == (blocks, share, limits)


@given(st.sampled_from(sorted(MULTIPROCESSORS)), st.integers(1, 1024), st.integers(1, 255), st.integers(0, 1 << 18))
def test_more_of_anything_never_makes_room(capability: str, threads: int, registers: int, shared: int) -> None:
    machine = MULTIPROCESSORS[capability]
    found = occupancy(machine, threads, registers, shared)
    assert 0 <= found.share <= 1
    assert found.limits
    for more in ((threads, registers + 1, shared), (threads, registers, shared + 1)):
        assert occupancy(machine, *more).blocks <= found.blocks
