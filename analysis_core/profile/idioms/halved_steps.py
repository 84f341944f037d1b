"""Searches by a step that shrinks: each round moves a place by the step, and makes a half of the step.

    while (true) { step = (step + 1) / 2; if (found) break; if (key[at] < x) at += step; else at -= step; }

Whatever memory holds, the place is found by the time that the step has come to rest, but for a round.
"""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.ir.effects import variables_in
from analysis_core.ir.loop_info import LoopInfo, loops_of, step_of
from analysis_core.ir.nodes import Assign, Binary, Const, Expr, Kernel, Local, VarId
from analysis_core.ir.walk import uncast
from analysis_core.text.span import Span

_MOST_HALVINGS = 64


def step_searches(kernel: Kernel) -> frozenset[Span]:
    """The loops that are such searches."""
    return frozenset(info.loop.span for info in loops_of(kernel) if halved_steps(info))


def halved_steps(info: LoopInfo) -> Mapping[VarId, tuple[int, int]]:
    """The variables s of which each round makes (s + a) / d, and by which it moves others up and down: a and d of each."""
    own = [s for s in (*info.loop.body, *info.loop.step) if isinstance(s, Assign) and len(info.changes[s.var]) == 1]
    parts = ((stmt.var, _part(stmt)) for stmt in own)
    return {var: part for var, part in parts if part is not None and _moves(var, info)}


def rounds_to_rest(start: int, part: tuple[int, int]) -> int:
    """How often a step has to be replaced until it does not change any more."""
    added, divisor = part
    for made in range(_MOST_HALVINGS):
        after = (start + added) // divisor
        if after == start:
            return made
        start = after
    return _MOST_HALVINGS


def _part(stmt: Assign) -> tuple[int, int] | None:
    """(a, d) of `s = (s + a) / d`."""
    value = uncast(stmt.value)
    by = uncast(value.right) if isinstance(value, Binary) else None
    if not isinstance(value, Binary) or not isinstance(by, Const) or not isinstance(by.value, int):
        return None
    divisor = by.value if value.op == "/" else 1 << by.value if value.op == ">>" and 0 < by.value < 32 else 0
    added = _added(uncast(value.left), stmt.var)
    return None if added is None or divisor < 2 or not 0 <= added < divisor else (added, divisor)


def _added(value: Expr, var: VarId) -> int | None:
    """a of `s + a`."""
    if isinstance(value, Local):
        return 0 if value.var == var else None
    if not isinstance(value, Binary) or value.op != "+":
        return None
    left, right = uncast(value.left), uncast(value.right)
    alone = isinstance(left, Local) and left.var == var and isinstance(right, Const) and isinstance(right.value, int)
    return int(right.value) if alone and isinstance(right, Const) else None


def _moves(step: VarId, info: LoopInfo) -> bool:
    """Whether some variable goes by the step in both directions."""
    for changes in info.changes.values():
        steps = [made for stmt in changes if (made := step_of(stmt)) is not None]
        if {made.op for made in steps if variables_in(made.by) == {step}} == {"+", "-"}:
            return True
    return False
