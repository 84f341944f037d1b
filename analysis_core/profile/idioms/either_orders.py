"""Comparisons of two elements of one array: for each lane either may be the greater one.

    if ((key[a] > key[b]) == ascending) { .. exchange them .. }

Of two elements in no particular order each is the lesser one for half of the lanes, and which half differs from warp to warp: of the 32 lanes
of a warp some take the side nearly always.  So what stands there is executed by nearly every warp, with half of its lanes, unlike what a
flag or a threshold lets through, on which neighbours agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from analysis_core.ir.effects import sources_of
from analysis_core.ir.nodes import (
    AddressOf,
    Assign,
    Binary,
    Cast,
    Expr,
    If,
    IfKind,
    Kernel,
    Load,
    Local,
    ObjectId,
    PtrAdd,
    Stmt,
    Unary,
    VarId,
)
from analysis_core.ir.once import once
from analysis_core.ir.walk import statements_of, uncast
from analysis_core.text.span import Span

_ORDERS = ("<", ">", "<=", ">=")
_MOST_PARTS = 16
"""Parts of a condition that are looked at, and variables that are looked through."""

_Sources = Mapping[VarId, Sequence[Stmt]]


@once
def either_orders(kernel: Kernel) -> frozenset[Span]:
    """The conditions of `if`s that ask, beside other things, which of two elements of one array is the greater one."""
    sources = sources_of(kernel)
    return frozenset(
        stmt.span
        for stmt in statements_of(kernel)
        if isinstance(stmt, If)
        and stmt.kind in (IfKind.IF, IfKind.SELECT)
        and any(_is_of_two_elements(order, sources) for order in _orders(stmt.condition, sources))
    )


def _orders(condition: Expr, sources: _Sources) -> Iterator[Binary]:
    """The comparisons by order that a condition is made of, through what `&&` was put into."""
    pending = [condition]
    for _ in range(_MOST_PARTS):
        if not pending:
            return
        part = uncast(pending.pop())
        match part:
            case Binary(op=op) if op in _ORDERS:
                yield part
            case Binary(op="==" | "!=" | "^" | "&&" | "||" | "&" | "|", left=left, right=right):
                pending += [left, right]
            case Unary(op="!", operand=operand):
                pending.append(operand)
            case Local(var=var):
                pending += [stmt.value for stmt in sources.get(var, ()) if isinstance(stmt, Assign)]
            case _:
                pass


def _is_of_two_elements(order: Binary, sources: _Sources) -> bool:
    one, other = (_array_of(side, sources) for side in (order.left, order.right))
    return one is not None and one == other


def _array_of(value: Expr, sources: _Sources) -> VarId | ObjectId | None:
    """The pointer or the object by which a value is loaded; None where it is something else."""
    loaded = False
    for _ in range(_MOST_PARTS):
        match value:
            case Cast(operand=operand):
                value = operand
            case PtrAdd(pointer=pointer) if loaded:
                value = pointer
            case AddressOf(object=found) if loaded:
                return found
            case Local(var=var):
                made = sources.get(var, ())
                source = made[0] if len(made) == 1 else None
                if isinstance(source, Assign):
                    value = source.value
                elif isinstance(source, Load) and not loaded:
                    value, loaded = source.address, True
                else:
                    return var if loaded else None
            case _:
                return None
    return None
