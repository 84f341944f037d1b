"""What a loop does once in so many rounds, as a counter of its own says: `if (at == 4) { at = 0; row = next[row]; } .. at++;`."""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.ir.loop_info import LoopInfo, loops_of, step_of
from analysis_core.ir.nodes import Assign, Binary, Const, Expr, If, IfKind, Kernel, Local, VarId
from analysis_core.ir.walk import uncast
from analysis_core.text.span import Span


def turns(kernel: Kernel) -> Mapping[Span, int]:
    """The conditions of `if`s in loops that set a counter back: each round raises the counter by one, and nothing else
    in the loop changes it, so that the side is taken once in so many rounds."""
    found: dict[Span, int] = {}
    for info in loops_of(kernel):
        for test, _ in info.tests:
            rounds = _rounds(test, info) if test.kind is IfKind.IF else 0
            if rounds > 1:
                found[test.span] = rounds
    return found


def _rounds(branch: If, info: LoopInfo) -> int:
    """In how many rounds once; 0 where that is not known."""
    counter, end = _asked(branch.condition) or (None, 0)
    changes = () if counter is None else info.changes.get(counter, ())
    backs = [s for s in branch.then if isinstance(s, Assign) and s in changes]
    if len(changes) != 2 or len(backs) != 1:
        return 0
    (raising,) = (s for s in changes if s is not backs[0])
    step, start = step_of(raising), uncast(backs[0].value)
    in_each_round = any(stmt is raising for stmt, _ in info.placed)
    if not in_each_round or step is None or step.number != 1:
        return 0
    return end - start.value if isinstance(start, Const) and isinstance(start.value, int) else 0


def _asked(condition: Expr) -> tuple[VarId, int] | None:
    """A counter, and the number that it is asked to have come to."""
    order = uncast(condition)
    if not isinstance(order, Binary) or order.op not in ("==", ">=", ">"):
        return None
    left, right = uncast(order.left), uncast(order.right)
    if isinstance(left, Local) and isinstance(right, Const) and isinstance(right.value, int):
        return left.var, right.value + (order.op == ">")
    return None
