"""Work that is remembered counts as if it were done: results and refusals are those from scratch, whatever was asked before."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from analysis_core.bounds.program import Assign, CostProgram, Parameter, Tick, While
from analysis_core.expressions.expression import symbol
from analysis_core.lp.counted import Counted
from analysis_core.lp.shapes import SHAPES
from analysis_core.lp.study import Study
from analysis_core.support.fuel import Fuel, OutOfFuel
from analysis_core.support.store import Store
from tests.lp.cost_programs import a


def spending(units: int, fuel: Fuel, calls: list[int]) -> int:
    """Spends them one by one, as cases and steps do; the result is their number."""
    calls.append(units)
    for _ in range(units):
        fuel.spend(1, f"work of {units}")
    return units


def outcome(units: int, left: int, known: Counted[int, int], calls: list[int]) -> tuple[int | str, int]:
    """What comes of some work within a fuel, and what is left of it (nothing of less than nothing)."""
    fuel = Fuel.of(left)
    try:
        return known.get(units, lambda: spending(units, fuel, calls), fuel), fuel.left
    except OutOfFuel as error:
        return str(error), min(fuel.left, -1)


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 8)), max_size=12))
def test_remembered_work_is_that_from_scratch(asked: list[tuple[int, int]]) -> None:
    known: Counted[int, int] = Counted()
    for units, left in asked:
        assert outcome(units, left, known, []) == outcome(units, left, Counted(), [])


def test_neither_results_nor_refusals_are_found_twice() -> None:
    known: Counted[int, int] = Counted()
    calls: list[int] = []
    for left in (3, 2, 9, 9, 5, 4):
        outcome(5, left, known, calls)
    assert calls == [5, 5, 5]  # refused with 3, found with 9, and 4 are more than what was refused: tried


def _rounds(cost: int, label: str) -> CostProgram:
    """for (k = 0; k < n; k++) pay"""
    body = (Tick((("c", cost, cost),), None, label), Assign("k", a(1, k=1)))
    loop = While((a(-1, n=1, k=-1),), body, None)
    return CostProgram((Parameter("n", 0, None, symbol("n")),), (Assign("k", a()), loop))


def test_programs_that_pay_other_costs_share_their_linear_programs() -> None:
    store = Store()
    first, second = (Study(_rounds(cost, "x"), 4, False, None, store) for cost in (2, 7))
    levels = [study.level(1, Fuel.of(10_000)) for study in (first, second)]
    assert levels[0] is levels[1]
    found = [study.answer("c", True, Fuel.of(10_000)) for study in (first, second)]
    assert [answer.method for answer in found] == ["lp", "lp"] and found[0].claim != found[1].claim


def test_programs_that_pay_other_costs_share_the_cases_of_closed_forms() -> None:
    store = Store()
    alone = [Study(_rounds(cost, "x"), 4, True).answer("c", True, Fuel.of(10_000)) for cost in (2, 7)]
    first, second = (Study(_rounds(cost, "x"), 4, True, None, store) for cost in (2, 7))
    size = first.shape.size
    assert [study.answer("c", True, Fuel.of(10_000)) for study in (first, second)] == alone
    assert [answer.method for answer in alone] == ["closed form"] * 2 and alone[0].claim != alone[1].claim
    assert second.shape is first.shape and len(first.shape._frames) == 1 and first.shape.size > size


def test_only_so_much_is_kept() -> None:
    store = Store(1 / SHAPES.room)
    first = Study(_rounds(2, "x"), 4, False, None, store)
    longer = CostProgram(first.program.parameters, (*_rounds(2, "x").body, *_rounds(3, "y").body))
    second = Study(longer, 4, False, None, store)
    assert store.get(SHAPES, first.key) is None and store.get(SHAPES, second.key) is second.shape
