"""Which claims rest on what memory holds: those whose condition, or whether a thread comes to them, is made of what is loaded.

Followed by the text alone, without regard to values: of values that cancel out nothing is left to be seen.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.interp.core.roots import LOADED, Root, find_roots, roots_of
from analysis_core.ir.effects import assigned_by, variables_in
from analysis_core.ir.nodes import (
    Assign,
    Atomic,
    Block,
    Break,
    Claim,
    Continue,
    If,
    Kernel,
    Load,
    Loop,
    Return,
    Shuffle,
    Stmt,
    Switch,
    UnknownStmt,
    VarId,
    Vote,
)
from analysis_core.ir.walk import blocks_of, expressions_of, statements_of
from analysis_core.text.span import Span

_Placed = tuple[Stmt, frozenset[VarId]]


def resting_on_memory(kernel: Kernel) -> frozenset[Span]:
    """The claims of a kernel that do."""
    placed = list(_placed(kernel.body, frozenset()))
    tainted = frozenset(
        var
        for stmt, _ in placed
        if isinstance(stmt, Load | Atomic | Shuffle | Vote | UnknownStmt)
        for var in assigned_by(stmt)
    )
    while True:
        more = {
            stmt.var
            for stmt, around in placed
            if isinstance(stmt, Assign) and (variables_in(stmt.value) | around) & tainted and stmt.var not in tainted
        }
        if not more:
            break
        tainted |= more
    leaving = any(
        isinstance(stmt, Return | Break | Continue | UnknownStmt) and around & tainted for stmt, around in placed
    )
    return frozenset(
        stmt.span
        for stmt, around in placed
        if isinstance(stmt, Claim) and (leaving or (_read(stmt) | around) & tainted)
    )


def _placed(block: Block, around: frozenset[VarId]) -> Iterator[_Placed]:
    """Statements with the variables that decide whether threads come to them."""
    for stmt in block:
        yield stmt, around
        inner = around | _read(stmt) if isinstance(stmt, If | Loop | Switch) else around
        for nested in blocks_of(stmt):
            yield from _placed(nested, inner)


def _read(stmt: Stmt) -> frozenset[VarId]:
    return frozenset(var for expr in expressions_of(stmt) for var in variables_in(expr))


def arrays_loaded(kernel: Kernel) -> frozenset[str]:
    """The names of the arrays that it may load from; "?" for those that are not known."""
    pointers = find_roots(kernel).pointers
    found: set[str] = set()
    for stmt in statements_of(kernel):
        if isinstance(stmt, Load | Atomic):
            roots = roots_of(stmt.address, pointers)
            found.update([_name(kernel, root) for root in roots] or ["?"])
    return frozenset(found)


def _name(kernel: Kernel, root: Root) -> str:
    if isinstance(root, tuple):
        return kernel.objects[root[1]].name
    return "?" if root == LOADED or isinstance(root, str) else kernel.variables[root].name
