"""Trip counts get the names that readers see: after the line of their loop, everywhere at once."""

from __future__ import annotations

from analysis_core.bounds.bounds_walk import expressions
from analysis_core.expressions.bounds import BoundCase, KernelBounds, LineCost, MetricBound, Reason, SumBound, WarpBound
from analysis_core.expressions.expression import add, integer, scale, symbol, to_text
from analysis_core.report.trip_names import named_by_line
from analysis_core.requests.facts import CostCase, SymbolInfo
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
    assert to_text(named.accesses[0].fact.times or integer(0)) == "8 + 65*T17"
    assert named.accesses[0].fact.cases[0].when == "T17 % 8 == 0"
    assert named.branches[0].fact.times == symbol("T17b")
    assert [info.name for info in named.facts.symbols] == ["T17b", "T17", "T3b", "T3"]


def test_facts_without_trips_are_left_alone() -> None:
    known = facts(access(), symbols=())
    assert named_by_line(known, lambda place: 1) is known


def test_bounds_are_renamed_too() -> None:
    times = add(integer(8), scale(65, symbol("T@170")))
    case = BoundCase("T_170 >= 2 and MAT_170 >= 1", times, times, True)
    because = Reason("T@170 is not bounded", None)
    bound = WarpBound(times, times, times, True, (case,), because)
    sums = SumBound(times, times, True, (case,))
    place = LineCost(span(1), "p[T]", times)
    bounds = KernelBounds({"sectors": MetricBound("sectors", bound, sums, sums, (place,), times)})
    named = named_by_line(facts(symbols=(trip(170),), bounds=bounds), lambda place: place.start // 10).facts.bounds
    assert named is not None
    assert {to_text(expression) for expression in expressions(named)} == {"8 + 65*T17"}
    found = named.metrics["sectors"].per_warp
    assert found.cases[0].when == "T17 >= 2 and MAT_170 >= 1"
    assert found.because == Reason("T17 is not bounded", None)
