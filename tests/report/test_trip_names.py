"""Trip counts get the names that readers see: after the line of their loop, everywhere at once."""

from __future__ import annotations

from analysis_core.cost.expression import add, integer, scale, symbol, to_text
from analysis_core.cost.facts import CostCase, SymbolInfo
from analysis_core.report.trip_names import named_by_line
from tests.report.samples import access, branch, facts, span


def trip(start: int) -> SymbolInfo:
    return SymbolInfo(f"T@{start}", f"T@{start}", "trip", span(start))


def test_trips_are_named_after_lines() -> None:
    times = add(integer(8), scale(65, symbol("T@170")))
    known = facts(
        access(times=times, cases=(CostCase("T@170 % 8 == 0", 4),)),
        branch(times=symbol("T@175")),
        symbols=(trip(175), trip(170), trip(30), SymbolInfo("T3", "T3", "parameter", None)),
    )
    named = named_by_line(known, lambda place: place.start // 10)
    assert to_text(named.accesses[0].times or integer(0)) == "8 + 65*T17"
    assert named.accesses[0].cases[0].when == "T17 % 8 == 0"
    assert named.branches[0].times == symbol("T17b")
    assert [info.name for info in named.symbols] == ["T17b", "T17", "T3b", "T3"]


def test_facts_without_trips_are_left_alone() -> None:
    known = facts(access(), symbols=())
    assert named_by_line(known, lambda place: 1) is known
