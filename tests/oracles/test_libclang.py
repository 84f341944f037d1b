"""Clang as a third reader: what lowering decides about random programs is what C++ says.

A failure names the program; `python -m tests.oracles.show NUMBER` prints it with all differences.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.oracles import libclang
from tests.oracles.agreement import Outcome, examine
from tests.oracles.excused import EXCUSES
from tests.oracles.programs import TOPICS, program

needs_libclang = pytest.mark.skipif(not libclang.AVAILABLE, reason=libclang.MISSING)

_BATCH = 20
_EVERY_TIME = 120
_AT_NIGHT = range(10_000, 15_000, 100)


def _examine(first: int, count: int) -> Outcome:
    outcome = Outcome()
    for seed in range(first, first + count):
        outcome += examine(program(seed))
    excused = {excuse.feature for excuse in EXCUSES}
    differences = [str(d) for d in outcome.differences if d.feature not in excused]
    assert not differences, "\n".join(differences)
    return outcome


@needs_libclang
@pytest.mark.parametrize("first", range(0, _EVERY_TIME, _BATCH))
def test_lowering_decides_as_clang_does(first: int) -> None:
    counts = _examine(first, _BATCH).counts
    assert counts["program", "rejected by clang"] <= _BATCH // 4, "the generator writes what is not C++"
    assert counts["call", "equal"] > 100
    assert counts["value", "equal"] > 2 * counts["value", "unknown to us"]


@needs_libclang
@pytest.mark.nightly
@pytest.mark.parametrize("first", _AT_NIGHT)
def test_lowering_decides_as_clang_does_at_night(first: int) -> None:
    _examine(first, 100)


@needs_libclang
def test_no_excuse_is_stale() -> None:
    for excuse in EXCUSES:
        differing = {d.feature for d in examine(program(excuse.witness)).differences}
        assert excuse.feature in differing, f"{excuse.reason}: program {excuse.witness} shows it no longer"


@needs_libclang
def test_a_wrong_answer_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison itself: with sizes that are one too large, programs about records differ."""
    from analysis_core.lower.objects import record_layout

    lay_out = record_layout.lay_out

    def wrong(*args: object, **kwargs: object) -> record_layout.Layout:
        laid = lay_out(*args, **kwargs)  # type: ignore[arg-type]
        return replace(laid, type=replace(laid.type, size=laid.size + laid.align))

    monkeypatch.setattr(record_layout, "lay_out", wrong)
    found = examine(program(list(TOPICS).index("records") + 10)).differences
    assert {"size", "value"} <= {d.kind for d in found}


def test_programs_are_the_same_for_the_same_number() -> None:
    assert program(17).text() == program(17).text() != program(22).text()
