"""Accesses beside a call of the device's runtime: its heap (`malloc`, `free`, `new`), or a kernel that is launched; or beside the
seeding of a random number generator.

Such a call costs each lane hundreds of sectors and thousands of cycles, one lane after the other where the heap's lists are
locked.  What its block does once beside it is a small part of that, however its addresses lie; a loop in the block, or the
lanes that go past it, are another matter.  A loop over the grid's threads (`i += gridDim.x * blockDim.x`) is no such loop: launches are
made for a round or a few.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from analysis_core.ir.effects import assigned_once
from analysis_core.ir.nodes import (
    HEAP_EXPRESSIONS,
    LAUNCHED,
    AccessId,
    Assign,
    Atomic,
    Block,
    Builtin,
    BuiltinKind,
    Expr,
    If,
    Inlined,
    Kernel,
    Load,
    Local,
    Loop,
    Stmt,
    Store,
    Switch,
    UnknownStmt,
    VarId,
)
from analysis_core.ir.walk import blocks_of, statements_of, subexpressions
from analysis_core.lower.library.intrinsics import HEAP, SEEDING
from analysis_core.text.span import Span

_CALLS = HEAP_EXPRESSIONS | {LAUNCHED}


def beside_runtime_calls(kernel: Kernel) -> frozenset[AccessId]:
    """The accesses that no lane makes more often than it calls the device's runtime beside them."""
    found: set[AccessId] = set()
    pending: list[Block] = [kernel.body]
    known: Mapping[VarId, Expr] | None = None
    while pending:
        block = pending.pop()
        level = list(_same_lanes(block))
        if any(_calls(stmt) for stmt in level):
            known = assigned_once(kernel) if known is None else known
            once = list(_once(block, known))
            found.update(stmt.access.id for stmt in once if isinstance(stmt, (Load, Store, Atomic)))
            pending += [inner for stmt in once if isinstance(stmt, Loop) for inner in blocks_of(stmt)]
        else:
            pending += [inner for stmt in level if isinstance(stmt, (If, Switch, Loop)) for inner in blocks_of(stmt)]
    return frozenset(found)


def asserted(kernel: Kernel) -> frozenset[AccessId]:
    """The accesses that only an assertion needs: a release does not make them."""
    if not kernel.asserted:
        return frozenset()
    made = (stmt for stmt in statements_of(kernel) if isinstance(stmt, (Load, Store, Atomic)))
    return frozenset(stmt.access.id for stmt in made if _is_within(stmt.access.span, kernel.asserted))


def _is_within(span: Span, others: Iterable[Span]) -> bool:
    return any(one.file == span.file and one.start <= span.start and span.end <= one.end for one in others)


def _calls(stmt: Stmt) -> bool:
    if isinstance(stmt, Inlined):
        return not stmt.body and (stmt.function in HEAP or stmt.function == SEEDING)
    return isinstance(stmt, UnknownStmt) and stmt.cause.reason in _CALLS


def _same_lanes(block: Block) -> Iterator[Stmt]:
    """The statements that all lanes of the block execute, each time that it is entered."""
    pending = list(block)
    while pending:
        stmt = pending.pop()
        yield stmt
        if isinstance(stmt, Inlined):
            pending.extend(stmt.body)


def _once(block: Block, known: Mapping[VarId, Expr]) -> Iterator[Stmt]:
    """Those that a lane executes once at most each time: not what is in loops, but these.  `known`: what variables are."""
    pending = list(block)
    while pending:
        stmt = pending.pop()
        yield stmt
        if not isinstance(stmt, Loop) or _is_over_grid(stmt, known):
            pending.extend(inner for part in blocks_of(stmt) for inner in part)


def _is_over_grid(loop: Loop, known: Mapping[VarId, Expr]) -> bool:
    """Whether its counter goes on by as many as the grid has threads."""
    return any(
        isinstance(stmt, Assign) and any(_reads_grid(e, known) for e in subexpressions(stmt.value))
        for stmt in loop.step
    )


def _reads_grid(expr: Expr, known: Mapping[VarId, Expr]) -> bool:
    """`gridDim`, or a variable that is made of it."""
    value = known.get(expr.var) if isinstance(expr, Local) else expr
    parts = () if value is None else subexpressions(value)
    return any(isinstance(e, Builtin) and e.kind is BuiltinKind.GRID_DIM for e in parts)
