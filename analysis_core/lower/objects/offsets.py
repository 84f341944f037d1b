"""`offsetof(T, member)`, and its builtin."""

from __future__ import annotations

from analysis_core.ir import layout
from analysis_core.ir.nodes import Const
from analysis_core.ir.scalars import SIZE_T
from analysis_core.ir.types import ArrayType, StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import member_lookup, resolve
from analysis_core.lower.statements import lower_expressions
from analysis_core.lower.values import Value
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn


def offset_of(ctx: Lowering, expr: syn.OffsetOf) -> Value:
    """The value of `offsetof(T, a.b[2].c)`, in bytes."""
    inside = _place(ctx, resolve.complete(ctx, resolve.resolve_type(ctx, expr.type)), expr.place)
    if inside is None:
        return ctx.unknown(CauseKind.UNSUPPORTED, "the offset of what is not known to be a member", expr.span, SIZE_T)
    return Value(Const(inside[0], SIZE_T), SIZE_T)


def _place(ctx: Lowering, type: Type, node: syn.Expr) -> tuple[int, Type] | None:
    """The bytes before a member of an object of the type, and the member's type."""
    match node:
        case syn.Name(name=name):
            return _field(ctx, 0, type, name)
        case syn.Member(base=base, name=name, arrow=False):
            outer = _place(ctx, type, base)
            return None if outer is None else _field(ctx, outer[0], resolve.complete(ctx, outer[1]), name)
        case syn.Subscript(base=base, index=index):
            outer, position = _place(ctx, type, base), lower_expressions.constant(ctx, index)
            if outer is None or position is None or not isinstance(outer[1], ArrayType) or layout.is_guessed(outer[1]):
                return None
            size = layout.size_of(outer[1].element)
            return None if size is None else (outer[0] + int(position.value) * size, outer[1].element)
        case _:
            return None


def _field(ctx: Lowering, start: int, type: Type, name: str) -> tuple[int, Type] | None:
    position = member_lookup.field_position(ctx, type, name) if isinstance(type, StructType) else None
    if position is None or not isinstance(type, StructType) or type.guessed:
        return None
    field = type.fields[position]
    return None if field.bits is not None else (start + field.offset, field.type)
