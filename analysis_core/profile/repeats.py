"""Loops whose rounds all do the same: somebody measures how long one of them takes.

    for (int i = 0; i < repeat; i++) result[t] = __any_sync(~0u, input[t]);

Only the test asks the counter, nothing that one round assigns is read in another, and what is loaded is not what is stored.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.interp.core.liveness import EVERY, Liveness, is_live
from analysis_core.interp.core.roots import LOADED, find_roots, roots_of
from analysis_core.ir.effects import assigned_in, variables_in
from analysis_core.ir.nodes import Atomic, Break, Kernel, Load, Loop, Return, Stmt, Store, UnknownStmt
from analysis_core.ir.once import once
from analysis_core.ir.walk import expressions_of, statements, statements_of
from analysis_core.text.span import Span


@once
def repeating_loops(kernel: Kernel) -> frozenset[Span]:
    """The conditions of such loops."""
    loops = [stmt for stmt in statements_of(kernel) if isinstance(stmt, Loop)]
    return frozenset(loop.span for loop in loops if _is_repeated(kernel, loop))


def _is_repeated(kernel: Kernel, loop: Loop) -> bool:
    counters = assigned_in(loop.step)
    inside = tuple(statements((*loop.test, *loop.body)))
    if loop.condition is None or len(counters) != 1 or not counters <= variables_in(loop.condition):
        return False
    if any(isinstance(stmt, (Atomic, Break, Return, UnknownStmt)) or _is_volatile(stmt) for stmt in inside):
        return False
    changed = assigned_in((*loop.test, *loop.body))
    if changed & counters or any(variables_in(e) & counters for stmt in inside for e in expressions_of(stmt)):
        return False
    carried = Liveness.of(kernel).head.get(id(loop), EVERY)
    if any(is_live(carried, var) for var in changed):
        return False
    return not _may_load_what_it_stores(kernel, inside)


def _may_load_what_it_stores(kernel: Kernel, inside: Sequence[Stmt]) -> bool:
    """Whether some array that these statements store to may be one that they load from.  (Parameters of two names lead to two; a
    pointer that is loaded may lead anywhere.)"""
    pointers = find_roots(kernel).pointers
    stored = [roots_of(stmt.address, pointers) for stmt in inside if isinstance(stmt, Store)]
    loaded = [roots_of(stmt.address, pointers) for stmt in inside if isinstance(stmt, Load)]
    return any(not one or not other or one & other or LOADED in one | other for one in stored for other in loaded)


def _is_volatile(stmt: Stmt) -> bool:
    return isinstance(stmt, (Load, Store)) and stmt.access.volatile
