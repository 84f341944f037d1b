"""Tests that set a flag of one byte in order to a constant: `if (kind[cell] < WALL)`, `if (mask[i] != OUTSIDE)`.

Flags of places make regions: neighbours hold the same but at the borders, so that warps whose lanes ask for neighbouring elements split at
these alone.  What asks for one value of a flag (`if (letter[i] == 'A')`), or whether it is set, may as well ask for what is scattered.
"""

from __future__ import annotations

from collections.abc import Iterable

from analysis_core.ir.effects import assigned_by, variables_in
from analysis_core.ir.nodes import Assign, Binary, Const, Expr, If, Kernel, Load, Local, Stmt, VarId
from analysis_core.ir.walk import statements_of, uncast
from analysis_core.text.span import Span

_ORDERS = ("<", ">", "<=", ">=", "!=")

_LEAST = 2
"""The least number that a kind has besides set and not set."""


def flag_orders(kernel: Kernel) -> frozenset[Span]:
    """The conditions that do so with what is loaded from places that no memory decides."""
    branches = ((s.span, _flag(s.condition)) for s in statements_of(kernel) if isinstance(s, If))
    asked = [(span, flag) for span, flag in branches if flag is not None]
    if not asked:
        return frozenset()
    every = statements_of(kernel)
    loaded = _from_memory(every)
    flags = {
        var
        for s in every
        if isinstance(s, Load) and s.access.width == 1 and not variables_in(s.address) & loaded
        for var in s.vars
    }
    return frozenset(span for span, flag in asked if flag in flags)


def _flag(condition: Expr) -> VarId | None:
    """The variable that is set in order to a constant."""
    order = uncast(condition)
    if not isinstance(order, Binary) or order.op not in _ORDERS:
        return None
    sides = uncast(order.left), uncast(order.right)
    flag = next((side.var for side in sides if isinstance(side, Local)), None)
    return flag if any(isinstance(side, Const) and side.value >= _LEAST for side in sides) else None


def _from_memory(every: Iterable[Stmt]) -> frozenset[VarId]:
    """The variables in which memory, other lanes, or what is not understood have a part."""
    found: set[VarId] = set()
    assigned: list[tuple[VarId, frozenset[VarId]]] = []
    for stmt in every:
        if isinstance(stmt, Assign):
            assigned.append((stmt.var, variables_in(stmt.value)))
        else:
            found.update(assigned_by(stmt))
    while more := {var for var, read in assigned if var not in found and read & found}:
        found |= more
    return frozenset(found)
