"""Binary searches: loops that halve what is left between two ends.

    while (lo < hi) { mid = (lo + hi) / 2; if (key[mid] < x) lo = mid + 1; else hi = mid; }

Whatever memory holds, n elements take floor(log2 n) + 1 rounds or one fewer: lanes that search equal ranges leave within a round of each
other, and those of ranges of which one is twice as long within two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from analysis_core.ir.effects import assigned_by, assigned_once, variables_in
from analysis_core.ir.nodes import (
    Assign,
    Binary,
    Block,
    Break,
    Const,
    Expr,
    If,
    Kernel,
    Loop,
    Return,
    Stmt,
    VarId,
)
from analysis_core.ir.shared_values import is_shared, last_assigned
from analysis_core.ir.walk import blocks_of, statements, statements_of, subexpressions, uncast
from analysis_core.text.span import Span

_ORDERS = ("<", ">", "<=", ">=", "!=")


def searches(kernel: Kernel) -> frozenset[Span]:
    """The conditions of loops that end when their two ends have met, of which one is set to the middle, or next to it, in each round."""
    return frozenset(s.span for s in statements_of(kernel) if isinstance(s, Loop) and _is_search(s))


def begun_alike(kernel: Kernel) -> frozenset[Span]:
    """The conditions of `if`s in searches whose two ends begin as the same numbers in all threads of a block: their lanes look at one place
    first, at two then, and part as they go on, if what they look for is not near."""
    known: Mapping[VarId, Expr] | None = None
    found: set[Span] = set()
    pending: list[Block] = [kernel.body]
    while pending:
        block = pending.pop()
        for number, stmt in enumerate(block):
            if isinstance(stmt, Loop) and _is_search(stmt):
                known = assigned_once(kernel) if known is None else known
                before = [last_assigned(block[:number], end) for end in ends_of(stmt)]
                if all(value is not None and is_shared(value, known, kernel) for value in before):
                    found.update(s.span for s in statements((stmt,)) if isinstance(s, If))
            pending.extend(blocks_of(stmt))
    return frozenset(found)


def _is_search(loop: Loop) -> bool:
    inside = statements((*loop.test, *loop.body, *loop.step))
    return bool(ends_of(loop)) and not any(isinstance(s, (Break, Return)) for s in inside)


def ends_of(loop: Loop) -> tuple[VarId, ...]:
    """The two ends between which a loop looks, if one of them is set to the middle, or next to it, in each round; none of other loops.
    The loop asks for them, or for how far they are apart."""
    order = None if loop.condition is None else uncast(loop.condition)
    if not isinstance(order, Binary) or order.op not in _ORDERS:
        return ()
    inside = list(statements((*loop.test, *loop.body, *loop.step)))
    ends, length = variables_in(order), frozenset[VarId]()
    if len(ends) == 1:
        ends, length = _apart(ends, inside), ends
    moved = {var for s in inside for var in assigned_by(s)} & ends
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
