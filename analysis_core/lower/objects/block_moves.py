"""`memcpy` and `memset` in device code.

A value that is reinterpreted (`memcpy(&bits, &x, sizeof bits)`) moves between registers: every scalar of the target is a pure function
("bits") of the scalars of the source.  Of what a pointer leads to the compiler knows no alignment, whatever its type: nvcc 13 moves such
memory byte by byte (`models/block_moves.cuh`).  Of an array that is declared here it knows one: its elements move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from analysis_core.ir.layout import size_of
from analysis_core.ir.nodes import AddressOf, Cast, Const, Expr, Intrinsic, PtrAdd
from analysis_core.ir.scalars import UCHAR
from analysis_core.ir.types import INT, ArrayType, OpaqueType, PointerType, StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.library import library
from analysis_core.lower.names import resolve
from analysis_core.lower.objects import conversions
from analysis_core.lower.statements import inline, lower_expressions, lower_lvalues
from analysis_core.lower.statements.arguments import Argument
from analysis_core.lower.values import (
    VOID_VALUE,
    ArrayValue,
    Memory,
    Operand,
    RegisterPointer,
    StructValue,
    Value,
    type_of,
)
from analysis_core.syntax.read import tree as syn

_PIECES = 64
"""Elements or bytes that a copy is taken apart into, at most."""

_ELEMENTS = 16
_BYTEWISE: Mapping[str, str] = MappingProxyType(
    dict.fromkeys(("memcpy", "memmove", "__builtin_memcpy"), "__move_bytes")
    | dict.fromkeys(("memset", "__builtin_memset"), "__set_bytes")
)
"""The functions of the model that move or set one byte after the other."""


def moved(ctx: Lowering, name: str, arguments: Sequence[Argument], node: syn.Call) -> Operand | None:
    """The bytes that are moved or set as loads and stores; None where it is not understood."""
    if name not in _BYTEWISE or len(arguments) != 3:
        return None
    count = lower_expressions.constant(ctx, arguments[2].node)
    if count is not None and isinstance(count.value, int) and count.value > 0:
        small = (_small_set if "memset" in name else _small_copy)(ctx, arguments, count.value)
        if small is not None:
            return small
    model = next(iter(ctx.unit.functions.get(_BYTEWISE[name], ())), None)
    return None if model is None else inline.inline(ctx, model, arguments, {}, node)


def _small_copy(ctx: Lowering, arguments: Sequence[Argument], count: int) -> Operand | None:
    """All loads first, as the compiler may do."""
    targets, sources = (_places(ctx, argument, count) for argument in arguments[:2])
    if targets is None or sources is None:
        return None
    loaded = [lower_lvalues.load(ctx, place, arguments[1].node) for place in sources]
    parts = tuple(scalar for value in loaded for scalar in library.scalars(value))
    made = _bits(parts, [type_of(place) for place in targets])
    if made is None or not parts:
        return None
    for place, value in zip(targets, made):
        lower_lvalues.store(ctx, place, value, arguments[0].node)
    return VOID_VALUE


def _small_set(ctx: Lowering, arguments: Sequence[Argument], count: int) -> Operand | None:
    """Each scalar is a function of the byte that it is made of; of zeros it is zero."""
    targets = _places(ctx, arguments[0], count)
    value = lower_expressions.constant(ctx, arguments[1].node)
    if targets is None or value is None:
        return None
    for place in targets:
        scalars = list(leaves(type_of(place)))
        if not scalars:
            return None
        zeros = (
            conversions.cast(Const(0, INT), leaf) if value.value == 0 else Intrinsic("bits.set", (value,), leaf)
            for leaf in scalars
        )
        lower_lvalues.store(ctx, place, assembled(type_of(place), zeros), arguments[0].node)
    return VOID_VALUE


def _places(ctx: Lowering, argument: Argument, count: int) -> list[Operand] | None:
    """The objects of `count` bytes that a pointer leads to, one behind the other."""
    operand = argument.operand
    if isinstance(operand, RegisterPointer):
        return [operand.place] if size_of(type_of(operand.place)) == count else None
    if not isinstance(operand, Value) or not isinstance(operand.type, PointerType):
        return None
    type, address, volatile = resolve.complete(ctx, operand.type.target), operand.expr, operand.type.volatile
    if not _is_declared(address):
        type, address = UCHAR, conversions.cast(address, PointerType(UCHAR, volatile=volatile))
    while isinstance(type, ArrayType):
        type = resolve.complete(ctx, type.element)
    size = size_of(type)
    if isinstance(type, OpaqueType) or not size or count % size or count // size > _PIECES:
        return None
    pieces = ArrayType(type, Const(count // size, INT))
    return [lower_lvalues.element_at(ctx, Memory(pieces, address, volatile), pieces, i) for i in range(count // size)]


def _is_declared(address: Expr) -> bool:
    """Whether an address is one of an object that is declared here."""
    while isinstance(address, PtrAdd | Cast):
        address = address.pointer if isinstance(address, PtrAdd) else address.operand
    return isinstance(address, AddressOf)


def _bits(parts: tuple[Expr, ...], types: Sequence[Type]) -> list[Operand] | None:
    """Values of `types` made from the bits of `parts`: scalar by scalar where they correspond, else every scalar is a
    function of its own of all parts."""
    scalars = [leaf for type in types for leaf in leaves(type)]
    if not scalars or len(scalars) > _PIECES or len(parts) > _PIECES:
        return None
    if [size_of(leaf) for leaf in scalars] == [size_of(part.type) for part in parts]:
        made: list[Expr] = [
            part if part.type == leaf else Intrinsic("bits", (part,), leaf) for part, leaf in zip(parts, scalars)
        ]
    else:
        made = [Intrinsic(f"bits.{i}", parts, leaf) for i, leaf in enumerate(scalars)]
    rest = iter(made)
    return [assembled(type, rest) for type in types]


def leaves(type: Type) -> Iterator[Type]:
    """The scalars of a type in order; nothing for what has none that are known."""
    match type:
        case StructType(fields=fields):
            for one in fields:
                yield from leaves(one.type)
        case ArrayType(element=element, extent=Const(value=count)) if int(count) <= _ELEMENTS:
            for _ in range(int(count)):
                yield from leaves(element)
        case ArrayType() | OpaqueType():
            pass
        case _:
            yield type


def assembled(type: Type, parts: Iterator[Expr]) -> Operand:
    match type:
        case StructType(fields=fields):
            return StructValue(type, tuple(assembled(f.type, parts) for f in fields))
        case ArrayType(element=element, extent=Const(value=count)):
            return ArrayValue(type, tuple(assembled(element, parts) for _ in range(int(count))))
        case _:
            return Value(next(parts), type)
