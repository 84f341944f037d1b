"""Rows of arrays that an access stays inside of: `hist[warp][bin]` lies in one row, whatever the bin is.

An index is assumed to stay inside of the array that it is an index into (a listed assumption), and a row is such an array.  Where
a warp agrees on the row, its lanes are no further apart than the row is long.  So of arrays that are members: `p->table[a[i]][b[i]]` lies in
the table.  Two ways to go past the end of a row are left
alone, since programs do so: a pointer to an element (`&tile[i][0]`), and the row at a constant index (`tile[0][i]`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from analysis_core.ir.effects import assigned_once
from analysis_core.ir.layout import size_of
from analysis_core.ir.nodes import Cast, Const, Expr, Kernel, Local, PtrAdd, VarId
from analysis_core.ir.types import ArrayType, PointerType, StructType, Type

Row = tuple[Expr, int]
"""The address of a row, and its bytes."""


def rows_of(address: Expr, assigned: Mapping[VarId, Expr]) -> Iterator[Row]:
    """The rows of arrays that the address stays inside of, the innermost first. `assigned`: the values of pointers
    that are assigned once."""
    if not isinstance(address, PtrAdd):
        return
    step: Expr = address.scale
    at: Expr = address.pointer
    while isinstance(at, PtrAdd | Cast):
        table = _table(at)
        if table is not None and _is_of(table.element, step):
            yield at, size_of(table) or 0
            return
        row = None if isinstance(at, Cast) else _row(at)
        if row is None or isinstance(at, Cast) or not _is_of(row.element, step):
            return
        size = size_of(row)
        if size is not None and not isinstance(at.index, Const):
            yield at, size
        step, at = at.scale, at.pointer
    if isinstance(at, Local):
        named = assigned.get(at.var)
        row = _row(named) if isinstance(named, PtrAdd) and not isinstance(named.index, Const) else None
        size = None if row is None else size_of(row)
        if row is not None and size is not None and _is_of(row.element, step):
            yield at, size


def _table(at: PtrAdd | Cast) -> ArrayType | None:
    """The member of a record that this is the address of, if it is an array of so many elements: not the last one of a record that is
    allocated longer, which is declared with one element or none."""
    inside = at.pointer if isinstance(at, PtrAdd) else at.operand
    if not isinstance(at.type, PointerType) or not isinstance(inside.type, PointerType):
        return None
    whole = at.type.target
    if not isinstance(inside.type.target, StructType) or not isinstance(whole, ArrayType):
        return None
    return whole if isinstance(whole.extent, Const) and int(whole.extent.value) > 1 and size_of(whole) else None


def _row(at: PtrAdd) -> ArrayType | None:
    """The row that this is the address of, if it is one."""
    whole = at.pointer.type.target if isinstance(at.pointer.type, PointerType) else None
    if at.offset or not isinstance(whole, ArrayType):
        return None
    kinds = (whole.element, whole)  # of an array of rows, or behind a pointer to rows
    return next((kind for kind in kinds if isinstance(kind, ArrayType) and _is_of(kind, at.scale)), None)


def _is_of(element: Type, step: Expr) -> bool:
    """Whether an index that counts in these steps counts such elements."""
    return isinstance(step, Const) and size_of(element) == step.value


def pointers_assigned_once(kernel: Kernel) -> Mapping[VarId, Expr]:
    """The values of a kernel's pointers that exactly one statement assigns."""
    return {var: value for var, value in assigned_once(kernel).items() if isinstance(value.type, PointerType)}
