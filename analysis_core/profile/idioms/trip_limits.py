"""How many rounds a loop has at most because its counter is an index into an array: `for (j = 0; j < n; j++) .. near[i][j] ..` with
`int near[64][8]` has 8.

Indexes are taken to stay inside of arrays of declared extent (a listed assumption), wherever the bound of the loop comes from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from analysis_core.ir.layout import size_of
from analysis_core.ir.nodes import Assign, Atomic, Binary, Const, Expr, Kernel, Load, Local, Loop, PtrAdd, Store, VarId
from analysis_core.ir.types import ArrayType, PointerType
from analysis_core.ir.walk import statements, statements_of, uncast
from analysis_core.text.span import Span


def trip_limits(kernel: Kernel) -> Mapping[Span, int]:
    """By the whole statement, the least extent that the counter of a loop is an index into."""
    found: dict[Span, int] = {}
    for loop in statements_of(kernel):
        if isinstance(loop, Loop):
            counters = frozenset(var for stmt in loop.step if (var := _counted(stmt)) is not None)
            extents = list(_extents(loop, counters)) if counters else []
            if extents:
                found[loop.whole] = min(extents)
    return found


def _counted(stmt: object) -> VarId | None:
    """The variable of `j++`."""
    value = uncast(stmt.value) if isinstance(stmt, Assign) else None
    if isinstance(stmt, Assign) and isinstance(value, Binary) and value.op == "+" and isinstance(value.right, Const):
        left = uncast(value.left)
        return stmt.var if isinstance(left, Local) and left.var == stmt.var and value.right.value == 1 else None
    return None


def _extents(loop: Loop, counters: frozenset[VarId]) -> Iterator[int]:
    for stmt in statements(loop.body):
        address: Expr | None = stmt.address if isinstance(stmt, (Load, Store, Atomic)) else None
        while isinstance(address, PtrAdd):
            index = uncast(address.index)
            if isinstance(index, Local) and index.var in counters:
                array = address.pointer.type.target if isinstance(address.pointer.type, PointerType) else None
                if isinstance(array, ArrayType) and isinstance(array.extent, Const) and not address.offset:
                    if isinstance(address.scale, Const) and size_of(array.element) == address.scale.value:
                        yield int(array.extent.value)
            address = address.pointer
