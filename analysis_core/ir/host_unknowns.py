"""What is not known of the host's variables, and which of them a statement makes so."""

from __future__ import annotations

from analysis_core.ir import deduction, host_flow, lower_expressions, lower_lvalues
from analysis_core.ir.context import Lowering
from analysis_core.ir.host_cases import rebind
from analysis_core.ir.nodes import Const, UnknownExpr
from analysis_core.ir.scalars import DIM3
from analysis_core.ir.types import UINT, ArrayType, OpaqueType, ScalarType, StructType, Type
from analysis_core.ir.values import ArrayValue, Operand, StructValue, Value
from analysis_core.ir.walk_syntax import inside
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.syntax import tree as syn

_HOST = Cause(CauseKind.DATA, "a value of the host", None)


def unknown_of(type: Type | None) -> Operand:
    """A host value of which the type is known."""
    if type == DIM3:
        return StructValue(DIM3, tuple(known_number(None) for _ in range(3)))
    type = type if type is not None else OpaqueType("auto", "a value of the host")
    if isinstance(type, ArrayType):
        type = deduction.decayed(type)
    if isinstance(type, StructType):
        return lower_lvalues.unknown_operand(_HOST, type)
    return Value(UnknownExpr(_HOST, type), type)


def known_number(value: int | None) -> Value:
    """An extent, or an unknown one."""
    return Value(UnknownExpr(_HOST, UINT) if value is None else Const(value, UINT), UINT)


def unknown_array(type: ArrayType, extent: int) -> ArrayValue:
    """An array of so many elements of which nothing is known."""
    return ArrayValue(type, tuple(unknown_of(type.element) for _ in range(extent)))


def assigned_names(ctx: Lowering, root: syn.Node) -> set[str]:
    """The local names that anything below assigns, or hands out for change."""
    found: set[str] = set()
    for node in inside(root):
        found.update(host_flow.assigned_by(ctx.unit, ctx.scope.root().namespace, node))
        if isinstance(node, syn.Binary) and node.op == ">>" and not _is_number(ctx, node.left):
            found.update(host_flow.assigned_base(node.right))
    return {name for name in found if ctx.scope.find(name) is not None}


def _is_number(ctx: Lowering, expr: syn.Expr) -> bool:
    """Whether `>>` shifts it, and reads nothing from it."""
    return isinstance(lower_expressions.type_of_expression(ctx, expr), ScalarType)


def forget(ctx: Lowering, name: str) -> None:
    """Makes a variable unknown."""
    known = ctx.scope.find(name)
    if isinstance(known, StructValue) and known.type == DIM3:
        rebind(ctx, name, unknown_of(DIM3))
    elif isinstance(known, ArrayValue):
        rebind(ctx, name, unknown_array(known.type, len(known.elements)))
    elif isinstance(known, Value):
        rebind(ctx, name, unknown_of(known.type))
