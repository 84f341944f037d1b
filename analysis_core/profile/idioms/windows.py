"""Loops over a window: one counter goes through it, as far for each thread, while an index stays inside of what it reads.

    while (w < at && p < size) { p = a[p] == a[w] ? p + 1 : at; w++; }         w from at - 32

Data decides how far the index has come, but its end is the end of all data: threads that are not near it leave by the counter, together.
An index that nothing is read at may count what was found, and its end be the usual way out (`k < n && found < most`).
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from analysis_core.ir.effects import assigned_once, variables_in
from analysis_core.ir.loop_info import ORDERS, LoopInfo, loops_of, step_of
from analysis_core.ir.nodes import (
    Assign,
    Binary,
    Const,
    Continue,
    Expr,
    Kernel,
    Load,
    Local,
    Select,
    VarId,
)
from analysis_core.ir.shared_values import is_shared
from analysis_core.ir.walk import uncast
from analysis_core.text.span import Span

_Order = tuple[VarId, Expr]
"""What a loop changes, and the end that it is compared with."""

_LONGEST_CHAIN = 4


def windows(kernel: Kernel) -> frozenset[Span]:
    """The conditions of loops that go through a window: a counter goes equally far for each thread, beside an index
    that stays inside of what it reads."""
    found: set[Span] = set()
    for info in loops_of(kernel):
        orders = _orders(info)
        start = info.before(orders[0][0]) if orders else None
        if start is not None:
            known = assigned_once(kernel)
            first, *others = (is_shared(end, known, kernel) for _, end in orders)
            if all(others) and ((first and is_shared(start, known, kernel)) or _is_behind(start, orders[0][1], known)):
                found.add(info.loop.span)
    return frozenset(found)


def _orders(info: LoopInfo) -> list[_Order]:
    """The counter of a loop, and the indexes whose ends are its other ends; nothing where it has other ends than these."""
    asked = [] if info.loop.condition is None else _conjuncts(info.loop.condition)
    if len(asked) < 2 or not info.ends_by_test or any(isinstance(s, Continue) for s in info.inside):
        return []
    orders = [order for one in asked if (order := _order(one, info.changes.keys())) is not None]
    if len(orders) < len(asked):
        return []
    counters = [order for order in orders if order[0] in info.steps and info.steps[order[0]].number is not None]
    indexes = [order for order in orders if order not in counters]
    return [*counters, *indexes] if len(counters) == 1 and all(_is_index(var, info) for var, _ in indexes) else []


def _conjuncts(condition: Expr) -> list[Expr]:
    pending, found = [condition], list[Expr]()
    while pending:
        asked = uncast(pending.pop())
        if isinstance(asked, Binary) and asked.op == "&&":
            pending.extend((asked.right, asked.left))
        else:
            found.append(asked)
    return found


def _order(asked: Expr, changed: Set[VarId]) -> _Order | None:
    if not isinstance(asked, Binary) or asked.op not in (*ORDERS, "!="):
        return None
    for side, end in ((uncast(asked.left), asked.right), (uncast(asked.right), asked.left)):
        if isinstance(side, Local) and side.var in changed and not variables_in(end) & changed:
            return side.var, end
    return None


def _is_index(var: VarId, info: LoopInfo) -> bool:
    """Whether something is read at it, and it goes on by steps or back to where it was."""
    if not any(isinstance(s, Load) and var in variables_in(s.address) for s in info.inside):
        return False
    return all(isinstance(s, Assign) and (_is_step(s) or _is_kept(s, info)) for s in info.changes[var])


def _is_step(stmt: Assign) -> bool:
    step = step_of(stmt)
    return step is not None and step.number is not None


def _is_kept(stmt: Assign, info: LoopInfo) -> bool:
    return not variables_in(stmt.value) & info.changes.keys()


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
