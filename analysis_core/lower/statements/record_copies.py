"""Copies of records to and from memory: one `Load` or `Store` per piece (`ir/pieces`)."""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.ir.layout import size_of
from analysis_core.ir.nodes import Access, AddressOf, Cast, Expr, Load, Local, PtrAdd, Store
from analysis_core.ir.pieces import Piece, pieces_of
from analysis_core.ir.spelling import spelling
from analysis_core.ir.types import ArrayType, Space, StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.objects import conversions
from analysis_core.lower.values import ArrayValue, Memory, Operand, StructValue, Value
from analysis_core.syntax.read import tree as syn


def load(ctx: Lowering, place: Memory, type: StructType, node: syn.Node, suffix: str) -> Operand | None:
    """The record's value, by one request per piece; None where it is moved member by member."""
    pieces = _pieces(ctx, place, type)
    if not pieces:
        return None
    read: dict[int, Operand] = {}
    text = spelling(node) + suffix
    for piece in pieces:
        variables = tuple(ctx.temporary(text + leaf.path, leaf.type, node.span) for leaf in piece)
        address, access = _piece(ctx, place, type, piece, text, node)
        ctx.emit(Load(variables, address, access))
        read |= {leaf.offset: Value(Local(v, leaf.type), leaf.type) for v, leaf in zip(variables, piece, strict=True)}
    return _put_together(type, 0, read, place.const)


def store(ctx: Lowering, place: Memory, value: StructValue, node: syn.Node, suffix: str) -> bool:
    """Writes the record by one request per piece; False where it is moved member by member."""
    scalars, pieces = _scalars(value), _pieces(ctx, place, value.type)
    if not pieces or len(scalars) != sum(map(len, pieces)):
        return False
    for piece in pieces:
        address, access = _piece(ctx, place, value.type, piece, spelling(node) + suffix, node)
        ctx.emit(Store(address, tuple(scalars[: len(piece)]), access))
        del scalars[: len(piece)]
    return True


def _pieces(ctx: Lowering, place: Memory, type: StructType) -> tuple[Piece, ...]:
    """The requests that a copy of the record takes, where one moves several of its scalars.  In memory of the thread's own each scalar is
    followed by itself, and nothing is counted."""
    if not type.vector and (place.volatile or _is_own(ctx, place.address)):
        return ()
    pieces = pieces_of(type)
    return pieces if type.vector or any(len(piece) > 1 for piece in pieces) else ()


def _is_own(ctx: Lowering, address: Expr) -> bool:
    """Whether the address is in an object of the thread's own."""
    while isinstance(address, PtrAdd | Cast):
        address = address.pointer if isinstance(address, PtrAdd) else address.operand
    return isinstance(address, AddressOf) and ctx.objects[address.object].space is Space.LOCAL


def _piece(
    ctx: Lowering, place: Memory, type: StructType, piece: Piece, text: str, node: syn.Node
) -> tuple[Expr, Access]:
    """The address of a piece of a record, and the access of its bytes."""
    width = sum(leaf.size for leaf in piece)
    whole = width == type.size
    names = "".join(leaf.path[1:] for leaf in piece[1:] if len(leaf.path) == 2)
    shown = text if whole else text + piece[0].path + names
    kind = type if whole else piece[0].type
    access = ctx.access(node.span, shown, width, kind, volatile=place.volatile)
    return conversions.moved(place.address, piece[0].offset, kind), access


def _put_together(type: Type, offset: int, read: Mapping[int, Operand], const: bool) -> Operand:
    """The value at an offset of a record whose scalars are read."""
    match type:
        case StructType(fields=fields):
            parts = (_put_together(f.type, offset + f.offset, read, f.is_const(const)) for f in fields)
            return StructValue(type, tuple(parts), const)
        case ArrayType(element=element):
            step, count = size_of(element) or 0, (size_of(type) or 0) // (size_of(element) or 1)
            return ArrayValue(type, tuple(_put_together(element, offset + i * step, read, const) for i in range(count)))
        case _:
            return read[offset]


def _scalars(value: Operand) -> list[Expr]:
    """The scalars of a record's value in order; parts that are no values are left out."""
    match value:
        case StructValue(fields=parts) | ArrayValue(elements=parts):
            return [scalar for part in parts for scalar in _scalars(part)]
        case Value(expr=expr):
            return [expr]
        case _:
            return []
