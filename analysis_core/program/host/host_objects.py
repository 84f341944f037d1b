"""Records of the host that constructors, lists and functions make, as far as constants say what their members are.

    struct Shape { dim3 blocks, threads; Shape(dim3 b, dim3 t) : blocks(b), threads(t) {} };
    Shape shape(n / 256, 256);                                            `shape.threads` is 256

What makes a record is lowered as device code is, and its assignments are followed as long as nothing decides between them.
"""

from __future__ import annotations

from dataclasses import replace

from analysis_core.ir.scalars import DIM3
from analysis_core.ir.types import StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.statements import lower_declarations, lower_expressions, lower_lvalues
from analysis_core.lower.values import Operand, StructValue, Value
from analysis_core.program.host import host_records, host_unknowns
from analysis_core.program.host.host_constants import Left, follow, value_of
from analysis_core.syntax.read import tree as syn


def handed(ctx: Lowering, type: Type, arg: syn.Expr) -> StructValue | None:
    """The record that an argument is, if it is one."""
    named = host_records.record_named(ctx, arg)
    return named if named is not None and named.type == type else made(ctx, type, arg, arg)


def made(ctx: Lowering, type: Type | None, init: syn.Expr | None, node: syn.Node) -> StructValue | None:
    """The record that something begins with at `node`; None where it is none, or nobody knows."""
    if type is None and isinstance(init, syn.Construct | syn.Call):
        type = lower_expressions.type_of_expression(ctx, init)
    if not isinstance(type, StructType) or type == DIM3:
        return None
    with ctx.scratch() as block:
        place = lower_declarations.declare_place(ctx, "(record)", type, node.span)
        if init is None:
            lower_declarations.default_initialise(ctx, place, node)
        else:
            lower_declarations.initialise(ctx, place, init, init)
        value = lower_lvalues.load(ctx, place, node)
        known: Left = {}
        whole = follow(block, known)
    return _settled(value, known) if whole and isinstance(value, StructValue) else None


def _settled(record: StructValue, known: Left) -> StructValue:
    """The record with its members as they were left."""
    return replace(record, fields=tuple(_member(part, known) for part in record.fields))


def _member(part: Operand, known: Left) -> Operand:
    if isinstance(part, StructValue):
        return _settled(part, known)
    value = value_of(part.expr, known) if isinstance(part, Value) else None
    if isinstance(part, Value) and value is not None:
        return Value(value, part.type)
    return host_unknowns.unknown_of(part.type if isinstance(part, Value) else None)
