"""Running extrema: `if (x < best) { best = x; .. }` in a loop.

Of n values in no particular order the k-th is the least so far once in k, so that a lane gets there H(n) = 1 + 1/2 + .. + 1/n times: four
times of 32, eight times of 1,024 (Knuth, The Art of Computer Programming, volume 1, section 1.2.10).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from analysis_core.ir.effects import assigned_by
from analysis_core.ir.loop_info import ORDERS, LoopInfo, loops_of
from analysis_core.ir.nodes import (
    Assign,
    Binary,
    Block,
    Const,
    Expr,
    If,
    IfKind,
    Kernel,
    Load,
    Local,
    Store,
    VarId,
)
from analysis_core.ir.walk import statements_of, uncast
from analysis_core.support.derived import derived
from analysis_core.text.span import Span

_Loads = dict[VarId, Expr]
"""The addresses of what variables hold that one load sets, and nothing else."""


@derived
def running_extrema(kernel: Kernel) -> frozenset[Span]:
    """The conditions of `if`s in loops that keep the best value so far: the value that is kept is the one that the
    next round compares with."""
    times = Counter(var for statement in statements_of(kernel) for var in assigned_by(statement))
    loads = {
        statement.vars[0]: statement.address
        for statement in statements_of(kernel)
        if isinstance(statement, Load) and len(statement.vars) == 1 and times[statement.vars[0]] == 1
    }
    found: set[Span] = set()
    for info in loops_of(kernel):
        for test, block in info.tests:
            sides = (test, *_flagged(test, block)) if test.kind is IfKind.IF else ()
            for kept, new in _compared(test.condition):
                keeping = [side.span for side in sides if _keeps(side, info, kept, new, loads)]
                found.update((test.span, *keeping) if keeping else ())
    return frozenset(found)


def _flagged(branch: If, block: Block) -> Iterator[If]:
    """The `if`s of the same block that ask for a flag which the side of this one sets: `if (x < best) found = true; if (found) ..`."""
    flags = {s.var for s in branch.then if isinstance(s, Assign) and isinstance(s.value, Const) and s.value.value}
    for other in block if flags else ():
        asked = uncast(other.condition) if isinstance(other, If) and other is not branch else None
        if isinstance(other, If) and isinstance(asked, Local) and asked.var in flags:
            yield other


def _compared(condition: Expr) -> Iterator[tuple[Expr, Expr]]:
    """The sides of an order, either way round, that has to hold."""
    order = uncast(condition)
    if isinstance(order, Binary) and order.op in ORDERS:
        left, right = uncast(order.left), uncast(order.right)
        yield left, right
        yield right, left


def _keeps(branch: If, info: LoopInfo, kept: Expr, new: Expr, loads: _Loads) -> bool:
    """Whether the side puts the new value in the place of the kept one, and nothing else in the loop sets that."""
    if not isinstance(kept, Local):
        return False
    place = loads.get(kept.var)
    if place is not None:
        return any(
            isinstance(s, Store) and s.address == place and _is_same(s.values[0], new, loads) for s in branch.then
        )
    if len(info.changes.get(kept.var, ())) != 1:
        return False
    return any(isinstance(s, Assign) and s.var == kept.var and _is_same(s.value, new, loads) for s in branch.then)


def _is_same(a: Expr, b: Expr, loads: _Loads) -> bool:
    """Whether both are the same expression, or loaded from the same place."""
    a, b = uncast(a), uncast(b)
    if a == b:
        return True
    places = [loads.get(e.var) for e in (a, b) if isinstance(e, Local)]
    return len(places) == 2 and places[0] is not None and places[0] == places[1]
