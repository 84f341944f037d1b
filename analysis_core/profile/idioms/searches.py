"""Binary searches: loops that halve what is left between two ends.

    while (lo < hi) { mid = (lo + hi) / 2; if (key[mid] < x) lo = mid + 1; else hi = mid; }

Whatever memory holds, n elements take floor(log2 n) + 1 rounds or one fewer: lanes that search equal ranges leave within a round of each
other, and those of ranges of which one is twice as long within two.
"""

from __future__ import annotations

from collections.abc import Iterable

from analysis_core.ir.effects import assigned_once, variables_in
from analysis_core.ir.loop_info import ORDERS, LoopInfo, loops_of
from analysis_core.ir.nodes import (
    Assign,
    Binary,
    Const,
    Expr,
    If,
    Kernel,
    Stmt,
    VarId,
)
from analysis_core.ir.shared_values import is_shared
from analysis_core.ir.walk import subexpressions, uncast
from analysis_core.text.span import Span


def searches(kernel: Kernel) -> frozenset[Span]:
    """The conditions of loops that end when their two ends have met, of which one is set to the middle, or next to it, in each round."""
    return frozenset(info.loop.span for info in loops_of(kernel) if _is_search(info))


def begun_alike(kernel: Kernel) -> frozenset[Span]:
    """The conditions of `if`s in searches whose two ends begin as the same numbers in all threads of a block: their lanes look at one place
    first, at two then, and part as they go on, if what they look for is not near."""
    found: set[Span] = set()
    for info in loops_of(kernel):
        before = [info.before(end) for end in ends_of(info)] if _is_search(info) else [None]
        if all(value is not None and is_shared(value, assigned_once(kernel), kernel) for value in before):
            found.update(s.span for s in info.inside if isinstance(s, If))
    return frozenset(found)


def _is_search(info: LoopInfo) -> bool:
    return bool(ends_of(info)) and info.ends_by_test


def ends_of(info: LoopInfo) -> tuple[VarId, ...]:
    """The two ends between which a loop looks, if one of them is set to the middle, or next to it, in each round; none of other loops.
    The loop asks for them, or for how far they are apart."""
    loop, inside = info.loop, info.inside
    order = None if loop.condition is None else uncast(loop.condition)
    if not isinstance(order, Binary) or order.op not in (*ORDERS, "!="):
        return ()
    ends, length = variables_in(order), frozenset[VarId]()
    if len(ends) == 1:
        ends, length = _apart(ends, inside), ends
    moved = info.changes.keys() & ends
    made = {s.var: variables_in(s.value) for s in inside if isinstance(s, Assign) and halves(s.value)}
    middles = {var for var, of in made.items() if ends <= (of | ends if of & length else of)}
    is_search = len(ends) == 2 and moved == ends and bool(middles) and all(_is_set_to(middles, v, inside) for v in ends)
    return tuple(sorted(ends)) if is_search else ()


def _apart(length: frozenset[VarId], inside: Iterable[Stmt]) -> frozenset[VarId]:
    """The variables whose difference a variable is set to, and to nothing else."""
    values = [uncast(s.value) for s in inside if isinstance(s, Assign) and s.var in length]
    known = len(values) == 1 and isinstance(values[0], Binary) and values[0].op == "-"
    return variables_in(values[0]) if known else frozenset()


def _is_set_to(middles: set[VarId], end: VarId, inside: Iterable[Stmt]) -> bool:
    """Whether the end is never moved but to the middle, or next to it."""
    values = [s.value for s in inside if isinstance(s, Assign) and s.var == end]
    return bool(values) and all(variables_in(value) <= middles and variables_in(value) for value in values)


def halves(value: Expr) -> bool:
    """Whether something is divided by two."""
    return any(
        isinstance(e, Binary)
        and isinstance(by := uncast(e.right), Const)
        and ((e.op == "/" and by.value == 2) or (e.op == ">>" and by.value == 1))
        for e in subexpressions(value)
    )
