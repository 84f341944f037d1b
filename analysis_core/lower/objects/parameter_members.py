"""Members of a kernel's parameter whose class is known in part: the type of one member is not visible, the others are what they are."""

from __future__ import annotations

from analysis_core.ir.types import OpaqueType, PointerType, ScalarType
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import resolve
from analysis_core.lower.objects import bind_parameters, methods
from analysis_core.lower.values import Operand, Register, with_const
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside


def is_only_read(ctx: Lowering, declaration: syn.FunctionDecl, parameter: syn.Parameter, type: OpaqueType) -> bool:
    """Whether the class is visible and nothing can change the object: it is const, or only `parameter.member` stands in the body and is
    not assigned to."""
    if methods.instance_of(ctx, type) is None:
        return False
    if "const" in parameter.type.qualifiers:
        return True
    body, name = declaration.body, parameter.name
    if body is None or name in bind_parameters.measured(ctx, body).assigned:
        return False
    nodes = list(inside(body))
    if any(isinstance(node, syn.OpaqueStmt | syn.OpaqueExpr | syn.OpaqueDecl) for node in nodes):
        return False  # what is not read may change it
    called = {id(node.callee) for node in nodes if isinstance(node, syn.Call)}
    read = {
        id(node.base) for node in nodes if isinstance(node, syn.Member) and not node.arrow and id(node) not in called
    }
    return all(id(node) in read for node in nodes if isinstance(node, syn.Name) and node.name == name)


def member_of(ctx: Lowering, whole: Register, type: OpaqueType, name: str) -> Operand | None:
    """A number or pointer that such a parameter holds, the same for all threads: one variable per parameter and name; None where
    that is not known."""
    variable = ctx.variables[whole.var]
    if whole.var not in ctx.read_only or variable.span in ctx.escaped:
        return None
    instance = methods.instance_of(ctx, type)
    fields = () if instance is None or instance.definition.keyword == "union" else instance.definition.fields
    field = next(
        (f for f in fields if f.name == name and not f.storage & {"static", "constexpr"} and f.bits is None), None
    )
    if instance is None or field is None:
        return None
    with ctx.in_scope(instance.scope):
        found = resolve.qualified(ctx, field.type)
    held = resolve.complete(ctx, found.plain)
    if found.reference or not isinstance(held, ScalarType | PointerType):
        return None
    key = f"{variable.name}.{name}"
    if key not in ctx.opaque:
        ctx.opaque[key] = Register(ctx.variable(key, held, variable.span, parameter=True), held)
    return with_const(ctx.opaque[key], True)
