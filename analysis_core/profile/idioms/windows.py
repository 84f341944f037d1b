"""Loops over a window: one counter goes through it, as far for each thread, while an index stays inside of what it reads.

    while (w < at && p < size) { p = a[p] == a[w] ? p + 1 : at; w++; }         w from at - 32

Data decides how far the index has come, but its end is the end of all data: threads that are not near it leave by the counter, together.
An index that nothing is read at may count what was found, and its end be the usual way out (`k < n && found < most`).
"""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.ir.effects import assigned_by, assigned_in, assigned_once, variables_in
from analysis_core.ir.nodes import (
    Assign,
    Binary,
    Block,
    Break,
    Const,
    Continue,
    Expr,
    Kernel,
    Load,
    Local,
    Loop,
    Return,
    Select,
    Stmt,
    VarId,
)
from analysis_core.ir.shared_values import is_shared, last_assigned
from analysis_core.ir.walk import blocks_of, statements, uncast
from analysis_core.text.span import Span

_ORDERS = ("<", ">", "<=", ">=", "!=")

_Order = tuple[VarId, Expr]
"""What a loop changes, and the end that it is compared with."""

_LONGEST_CHAIN = 4


def windows(kernel: Kernel) -> frozenset[Span]:
    """The conditions of such loops."""
    known: Mapping[VarId, Expr] | None = None
    found: set[Span] = set()
    pending: list[Block] = [kernel.body]
    while pending:
        block = pending.pop()
        for number, stmt in enumerate(block):
            pending.extend(blocks_of(stmt))
            orders = _orders(stmt) if isinstance(stmt, Loop) else []
            start = last_assigned(block[:number], orders[0][0]) if orders else None
            if isinstance(stmt, Loop) and start is not None:
                known = assigned_once(kernel) if known is None else known
                first, *others = (is_shared(end, known, kernel) for _, end in orders)
                if all(others) and (
                    (first and is_shared(start, known, kernel)) or _is_behind(start, orders[0][1], known)
                ):
                    found.add(stmt.span)
    return frozenset(found)


def _orders(loop: Loop) -> list[_Order]:
    """The counter of a loop, and the indexes whose ends are its other ends; nothing where it has other ends than these."""
    asked = [] if loop.condition is None else _conjuncts(loop.condition)
    if len(asked) < 2:
        return []
    inside = list(statements((*loop.test, *loop.body, *loop.step)))
    changed = assigned_in(inside)
    orders = [order for one in asked if (order := _order(one, changed)) is not None]
    if len(orders) < len(asked) or any(isinstance(s, (Break, Continue, Return)) for s in inside):
        return []
    counters = [order for order in orders if _is_counted(order[0], loop, inside)]
    indexes = [order for order in orders if order not in counters]
    alone = len(counters) == 1 and all(_is_index(var, inside, changed) for var, _ in indexes)
    return [*counters, *indexes] if alone else []


def _conjuncts(condition: Expr) -> list[Expr]:
    pending, found = [condition], list[Expr]()
    while pending:
        asked = uncast(pending.pop())
        if isinstance(asked, Binary) and asked.op == "&&":
            pending.extend((asked.right, asked.left))
        else:
            found.append(asked)
    return found


def _order(asked: Expr, changed: frozenset[VarId]) -> _Order | None:
    if not isinstance(asked, Binary) or asked.op not in _ORDERS:
        return None
    for side, end in ((uncast(asked.left), asked.right), (uncast(asked.right), asked.left)):
        if isinstance(side, Local) and side.var in changed and not variables_in(end) & changed:
            return side.var, end
    return None


def _is_counted(var: VarId, loop: Loop, inside: list[Stmt]) -> bool:
    """Whether each round makes one step of it, and nothing else is done to it."""
    steps = [s for s in (*loop.body, *loop.step) if isinstance(s, Assign) and s.var == var and _is_step(s)]
    return len(steps) == 1 == sum(var in assigned_by(s) for s in inside)


def _is_step(stmt: Assign) -> bool:
    value = uncast(stmt.value)
    if not isinstance(value, Binary) or value.op not in ("+", "-"):
        return False
    return variables_in(value) == {stmt.var} and isinstance(uncast(value.right), Const)


def _is_index(var: VarId, inside: list[Stmt], changed: frozenset[VarId]) -> bool:
    """Whether something is read at it, and it goes on by steps or back to where it was."""
    if not any(isinstance(s, Load) and var in variables_in(s.address) for s in inside):
        return False
    moves = [s for s in inside if var in assigned_by(s)]
    return all(isinstance(s, Assign) and (_is_step(s) or not variables_in(s.value) & changed) for s in moves)


def _is_behind(start: Expr, end: Expr, known: Mapping[VarId, Expr]) -> bool:
    """Whether the counter begins at a constant distance from its end, or at the first of all places where there are fewer."""
    value, last = uncast(start), uncast(end)
    for _ in range(_LONGEST_CHAIN):
        if isinstance(value, Local) and value.var in known:
            value = uncast(known[value.var])
    arms = (value.then, value.otherwise) if isinstance(value, Select) else (value,)
    parts = [uncast(arm) for arm in arms if not isinstance(uncast(arm), Const)]
    return len(parts) == 1 and isinstance(parts[0], Binary) and _is_distant(parts[0], last)


def _is_distant(value: Binary, end: Expr) -> bool:
    return value.op == "-" and uncast(value.left) == end and isinstance(uncast(value.right), Const)
