"""What a loop does once in so many rounds, as a counter of its own says: `if (at == 4) { at = 0; row = next[row]; } .. at++;`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from analysis_core.ir.effects import assigned_by
from analysis_core.ir.nodes import Assign, Binary, Block, Const, Expr, If, IfKind, Kernel, Local, Loop, VarId
from analysis_core.ir.walk import blocks_of, statements, uncast
from analysis_core.text.span import Span


def turns(kernel: Kernel) -> Mapping[Span, int]:
    """The conditions of `if`s in loops whose side is come to in one round of so many: it sets a counter back that is raised by one in a
    round, and nothing else in the loop changes that."""
    found: dict[Span, int] = {}
    pending: list[tuple[Block, Loop | None]] = [(kernel.body, None)]
    while pending:
        block, loop = pending.pop()
        for statement in block:
            around = statement if isinstance(statement, Loop) else loop
            pending.extend((inner, around) for inner in blocks_of(statement))
            if isinstance(statement, If) and statement.kind is IfKind.IF and loop is not None:
                found.update((statement.span, rounds) for rounds in _rounds(statement, loop))
    return found


def _rounds(branch: If, loop: Loop) -> Iterator[int]:
    """In how many rounds once, where that is known."""
    asked = _asked(branch.condition)
    if asked is None:
        return
    counter, end = asked
    changes = [s for s in statements((loop,)) if counter in assigned_by(s)]
    backs = [s for s in branch.then if s in changes]
    if len(changes) == 2 and len(backs) == 1:
        (raising,) = (s for s in changes if s is not backs[0])
        start = uncast(backs[0].value) if isinstance(backs[0], Assign) else None
        inner = (other for other in statements((*loop.body, *loop.step)) if isinstance(other, Loop))
        once = not any(raising in statements((other,)) for other in inner)
        if isinstance(start, Const) and isinstance(start.value, int) and once and _is_raised(raising, counter):
            if end - start.value > 1:
                yield end - start.value


def _asked(condition: Expr) -> tuple[VarId, int] | None:
    """A counter, and the number that it is asked to have come to."""
    order = uncast(condition)
    if not isinstance(order, Binary) or order.op not in ("==", ">=", ">"):
        return None
    left, right = uncast(order.left), uncast(order.right)
    if isinstance(left, Local) and isinstance(right, Const) and isinstance(right.value, int):
        return left.var, right.value + (order.op == ">")
    return None


def _is_raised(statement: object, counter: VarId) -> bool:
    """Whether it adds one to the counter."""
    if not isinstance(statement, Assign) or statement.var != counter:
        return False
    value = uncast(statement.value)
    if not isinstance(value, Binary) or value.op != "+":
        return False
    left, right = uncast(value.left), uncast(value.right)
    return isinstance(left, Local) and left.var == counter and isinstance(right, Const) and right.value == 1
