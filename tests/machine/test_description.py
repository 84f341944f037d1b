"""Machine descriptions: known capabilities have one, others a reason."""

from __future__ import annotations

import pytest

from analysis_core.machine.description import Machine, UnknownMachine, describe
from analysis_core.machine.global_memory import LINE_BYTES, SECTOR_BYTES
from analysis_core.machine.shared_memory import BANKS, LANES, WORD_BYTES


@pytest.mark.parametrize("text", ["9.0", "90", "sm_90", "sm_90a", "SM_90", "compute_90"])
def test_spellings_of_one_capability(text: str) -> None:
    machine = describe(text)
    assert isinstance(machine, Machine)
    assert machine.version == (9, 0)
    assert machine.shared_bytes_per_block == 227 * 1024


def test_two_digit_generations() -> None:
    machine = describe("sm_120")
    assert isinstance(machine, Machine) and machine.version == (12, 0)


@pytest.mark.parametrize(
    ("text", "part"),
    [("5.2", "older than 6.0"), ("9.9", "no description"), ("fast", "not a compute capability"), ("", "not a compute")],
)
def test_unknown_capabilities_say_why(text: str, part: str) -> None:
    machine = describe(text)
    assert isinstance(machine, UnknownMachine)
    assert part in machine.reason


def test_the_rules_use_the_described_sizes() -> None:
    machine = describe("6.0")
    assert isinstance(machine, Machine)
    assert (machine.sector_bytes, machine.line_bytes) == (SECTOR_BYTES, LINE_BYTES)
    assert (machine.banks, machine.bank_bytes, machine.warp_size) == (BANKS, WORD_BYTES, LANES)
    assert [(g.width, g.groups, g.merged) for g in machine.shared_groups] == [(4, 1, 1), (8, 2, 1), (16, 4, 2)]
