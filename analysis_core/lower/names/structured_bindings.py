"""What the names of a structured binding denote ([dcl.struct.bind]): elements of an array, or data members of a class.

auto [q, r] = divide(a, b);      auto [q, r](object) = divide(a, b); auto &&q = object.quotient; auto &&r = object.rest;
"""

from __future__ import annotations

from analysis_core.ir.nodes import Const
from analysis_core.ir.scalars import SIZE_T
from analysis_core.ir.types import ArrayType, OpaqueType, StructType
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import resolve
from analysis_core.lower.objects import references
from analysis_core.lower.statements import lower_expressions, lower_lvalues
from analysis_core.lower.values import Operand, RegisterPointer, Value, type_of
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn

_TUPLE = ("std::tuple_size", "tuple_size")


def part(ctx: Lowering, expr: syn.Part) -> Operand:
    """One of the parts of the object; an unknown where the names are those of a tuple, or nobody knows what it is made of."""
    whole = syn.Name(span=expr.span, name=expr.whole)
    operand = lower_expressions.operand(ctx, whole)
    if isinstance(operand, RegisterPointer):
        return _unknown(ctx, expr)
    type = resolve.complete(ctx, type_of(operand))
    if isinstance(type, ArrayType) and isinstance(type.extent, Const) and type.extent.value == expr.count:
        return lower_lvalues.subscript(ctx, operand, Value(Const(expr.position, SIZE_T), SIZE_T), whole)
    if isinstance(type, StructType) and not any(name in ctx.unit.records for name in _TUPLE):
        holder = type
        while not holder.own_fields and len(holder.bases) == 1:
            holder = holder.bases[0].type
        fields = [f for f in holder.own_fields if f.name]
        inherited = sum(len(base.type.fields) for base in holder.bases)
        if len(fields) == expr.count and len(fields) == len(holder.own_fields) and not inherited:
            # The parts of the model's tuples are named by their numbers, and may lie in another order.
            of_tuple = type.name.startswith("std::tuple<")
            name = f"m{expr.position}" if of_tuple else fields[expr.position].name
            return references.member(ctx, operand, name, whole)
    return _unknown(ctx, expr)


def _unknown(ctx: Lowering, expr: syn.Part) -> Operand:
    reason = "a structured binding of what is not known to be an array or a class of public members"
    return ctx.unknown(CauseKind.UNSUPPORTED, reason, expr.span, OpaqueType("auto", reason))
