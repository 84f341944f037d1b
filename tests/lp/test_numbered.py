"""Warps whose loops run different numbers of rounds share one study."""

from __future__ import annotations

from analysis_core.bounds.program import Affine, Assign, CostProgram, Parameter, numbered
from analysis_core.expressions.expression import symbol, to_text
from analysis_core.lp.infer import Memo, infer
from tests.lp.cost_programs import a, either, less, loop, step, tick, v, when


def rounds(name: str, stands_for: str) -> CostProgram:
    """Rounds of a loop up to a parameter, cheap and dear ones."""
    arms = either(when(a(i=1), tick(3)), when(a(-1, i=-1), tick(1)))
    body = (Assign("i", Affine(0)), loop(less(v("i"), v(name)), arms, step("i")))
    return CostProgram((Parameter(name, 0, None, symbol(stands_for)),), body, (a(**{name: 1}),))


def test_parameters_are_named_by_place() -> None:
    assert numbered(rounds("p7", "n")) == rounds("p0", "n")


def test_what_parameters_stand_for_is_put_in_afterwards() -> None:
    memo = Memo()
    found = [infer(numbered(rounds(name, size)), "c", memo=memo) for name, size in (("p3", "n"), ("p4", "m"))]
    assert [to_text(f.upper.expression) for f in found if f.upper is not None] == ["3*n", "3*m"]
    assert len(memo.studies) == 1
