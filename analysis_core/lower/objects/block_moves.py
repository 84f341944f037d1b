"""`memcpy` of a constant, small number of bytes in device code.

Two uses are common.  Reinterpreting a value (`memcpy(&bits, &x, sizeof bits)`) moves one object onto another of the
same size: every scalar of the target is then a pure function ("bits") of the scalars of the source.  Copying a few
elements between arrays is that many loads and stores.  Everything else is left to the caller.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis_core.ir.layout import size_of
from analysis_core.ir.nodes import Const, Expr, Intrinsic
from analysis_core.ir.types import INT, ArrayType, OpaqueType, PointerType, StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.library import library
from analysis_core.lower.names import resolve
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

_ELEMENTS = 16
_COPIES = frozenset({"memcpy", "memmove", "__builtin_memcpy"})


def small_copy(ctx: Lowering, name: str, arguments: Sequence[Argument], node: syn.Call) -> Operand | None:
    """The copy as loads and stores; None if it is none of the two uses."""
    if name not in _COPIES or len(arguments) != 3:
        return None
    count = lower_expressions.constant(ctx, arguments[2].node)
    if count is None or not isinstance(count.value, int) or count.value <= 0:
        return None
    target, source = (_pointed(ctx, a) for a in arguments[:2])
    if target is None or source is None:
        return None
    to_size, from_size = size_of(type_of(target)), size_of(type_of(source))
    if to_size == from_size == count.value:
        return _reinterpret(ctx, target, source, arguments, node)
    if to_size and to_size == from_size and count.value % to_size == 0 and count.value // to_size <= _ELEMENTS:
        return _elements(ctx, arguments, count.value // to_size, node)
    return None


def _pointed(ctx: Lowering, argument: Argument) -> Operand | None:
    """The object that a pointer argument leads to, its type known; `&array` is the whole array."""
    operand = argument.operand
    if isinstance(operand, RegisterPointer):
        return operand.place
    if not isinstance(operand, Value) or not isinstance(operand.type, PointerType):
        return None
    type = resolve.complete(ctx, operand.type.target)
    if isinstance(type, OpaqueType) or size_of(type) in (None, 0):
        return None
    return Memory(type, operand.expr, operand.type.volatile)


def _reinterpret(
    ctx: Lowering, target: Operand, source: Operand, arguments: Sequence[Argument], node: syn.Call
) -> Operand | None:
    value = lower_lvalues.load(ctx, source, arguments[1].node)
    if isinstance(type_of(source), ArrayType):
        element = type_of(source)
        assert isinstance(element, ArrayType)
        length = element.extent
        if not isinstance(length, Const) or int(length.value) > _ELEMENTS or not isinstance(source, Memory):
            return None
        places = (lower_lvalues.element_at(ctx, source, element, i) for i in range(int(length.value)))
        value = ArrayValue(element, tuple(lower_lvalues.load(ctx, p, arguments[1].node) for p in places))
    parts = tuple(library.scalars(value))
    made = _bits(parts, type_of(target))
    if made is None or not parts:
        return None
    if isinstance(made, ArrayValue) and isinstance(target, Memory) and isinstance(target.type, ArrayType):
        for i, element_value in enumerate(made.elements):
            place = lower_lvalues.element_at(ctx, target, target.type, i)
            lower_lvalues.store(ctx, place, element_value, arguments[0].node)
    else:
        lower_lvalues.store(ctx, target, made, arguments[0].node)
    return VOID_VALUE


def _bits(parts: tuple[Expr, ...], type: Type) -> Operand | None:
    """A value of `type` made from the bits of `parts`: scalar by scalar where they correspond, else every scalar is a
    function of its own of all parts."""
    leaves = list(_leaves(type))
    if not leaves or len(leaves) > 4 * _ELEMENTS:
        return None
    sizes = [size_of(leaf) for leaf in leaves]
    if sizes == [size_of(part.type) for part in parts]:
        made: list[Expr] = [
            part if part.type == leaf else Intrinsic("bits", (part,), leaf) for part, leaf in zip(parts, leaves)
        ]
    else:
        made = [Intrinsic(f"bits.{i}", parts, leaf) for i, leaf in enumerate(leaves)]
    return _assembled(type, iter(made))


def _leaves(type: Type) -> Iterator[Type]:
    """The scalars of a type in order; nothing for what has none that are known."""
    match type:
        case StructType(fields=fields):
            for one in fields:
                yield from _leaves(one.type)
        case ArrayType(element=element, extent=Const(value=count)) if int(count) <= _ELEMENTS:
            for _ in range(int(count)):
                yield from _leaves(element)
        case ArrayType() | OpaqueType():
            pass
        case _:
            yield type


def _assembled(type: Type, parts: Iterator[Expr]) -> Operand:
    match type:
        case StructType(fields=fields):
            return StructValue(type, tuple(_assembled(f.type, parts) for f in fields))
        case ArrayType(element=element, extent=Const(value=count)):
            return ArrayValue(type, tuple(_assembled(element, parts) for _ in range(int(count))))
        case _:
            return Value(next(parts), type)


def _elements(ctx: Lowering, arguments: Sequence[Argument], count: int, node: syn.Call) -> Operand | None:
    """Element by element, all loads first as the compiler may do."""
    pointers = [inline.pointer_value(ctx, a) for a in arguments[:2]]
    if any(p is None for p in pointers):
        return None
    nodes = [
        syn.Subscript(
            span=a.node.span, base=a.node, index=syn.Literal(span=a.node.span, kind=syn.LiteralKind.INT, text="i")
        )
        for a in arguments[:2]
    ]
    target, source = (p for p in pointers if p is not None)
    for i in range(count):
        index = Value(Const(i, INT), INT)
        loaded = lower_lvalues.load(ctx, lower_lvalues.subscript(ctx, source, index, nodes[1]), nodes[1])
        lower_lvalues.store(ctx, lower_lvalues.subscript(ctx, target, index, nodes[0]), loaded, nodes[0])
    return VOID_VALUE
