"""Generated kernels compiled by g++: every access of every thread and the final memory are the simulator's.

Some kernels every time, many at night; `generated_host` says which launches can be compared.  A disagreement is a wrong
lowering or a wrong simulation, and gets a small kernel of its own in test_counts, test_results or tests/ir.
"""

from __future__ import annotations

import pytest

from tests.simulate.generated_host import Tally, compared


def _examine(first: int, count: int, spelled: bool = False) -> Tally:
    tally = Tally()
    wrong = compared(first, count, tally, spelled)
    assert not wrong, "\n".join(f"{name}: {'; '.join(texts[:3])}" for name, texts in wrong.items())
    return tally


def test_compiled_kernels_do_the_same() -> None:
    tally = _examine(500_000, 20)
    assert tally.compared > 20
    assert tally.accesses > 500


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(510_000, 512_000, 50))
def test_compiled_kernels_do_the_same_at_night(first: int) -> None:
    assert _examine(first, 50).compared


def test_kernels_in_other_words_do_the_same() -> None:
    tally = _examine(600_000, 8, spelled=True)
    assert tally.compared > 8
    assert tally.accesses > 250


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(610_000, 611_000, 50))
def test_kernels_in_other_words_do_the_same_at_night(first: int) -> None:
    assert _examine(first, 50, spelled=True).compared
