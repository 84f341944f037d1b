"""Accesses beside a call of the device's runtime: its heap (`malloc`, `free`, `new`), or a kernel that is launched.

Such a call costs each lane hundreds of sectors and thousands of cycles, one lane after the other where the heap's lists are
locked.  What its block does once beside it is a small part of that, however its addresses lie; a loop in the block, or the
lanes that go past it, are another matter.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.ir.intrinsics import HEAP
from analysis_core.ir.nodes import (
    HEAP_EXPRESSIONS,
    LAUNCHED,
    AccessId,
    Atomic,
    Block,
    If,
    Inlined,
    Kernel,
    Load,
    Loop,
    Stmt,
    Store,
    Switch,
    UnknownStmt,
)
from analysis_core.ir.walk import blocks_of

_CALLS = HEAP_EXPRESSIONS | {LAUNCHED}


def beside_runtime_calls(kernel: Kernel) -> frozenset[AccessId]:
    """The accesses that no lane executes more often than it calls the runtime."""
    found: set[AccessId] = set()
    pending: list[Block] = [kernel.body]
    while pending:
        block = pending.pop()
        level = list(_same_lanes(block))
        if any(_calls(stmt) for stmt in level):
            once = list(_once(block))
            found.update(stmt.access.id for stmt in once if isinstance(stmt, (Load, Store, Atomic)))
            pending += [inner for stmt in once if isinstance(stmt, Loop) for inner in blocks_of(stmt)]
        else:
            pending += [inner for stmt in level if isinstance(stmt, (If, Switch, Loop)) for inner in blocks_of(stmt)]
    return frozenset(found)


def _calls(stmt: Stmt) -> bool:
    if isinstance(stmt, Inlined):
        return not stmt.body and stmt.function in HEAP
    return isinstance(stmt, UnknownStmt) and stmt.cause.reason in _CALLS


def _same_lanes(block: Block) -> Iterator[Stmt]:
    """The statements that all lanes of the block execute, each time that it is entered."""
    pending = list(block)
    while pending:
        stmt = pending.pop()
        yield stmt
        if isinstance(stmt, Inlined):
            pending.extend(stmt.body)


def _once(block: Block) -> Iterator[Stmt]:
    """Those that a lane executes once at most each time: not what is in loops, but these."""
    pending = list(block)
    while pending:
        stmt = pending.pop()
        yield stmt
        if not isinstance(stmt, Loop):
            pending.extend(inner for part in blocks_of(stmt) for inner in part)
