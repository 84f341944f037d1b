"""Pointers to members: `&C::x` has a type that says of which class; which member it is, is not followed."""

from __future__ import annotations

from analysis_core.ir import layout
from analysis_core.ir.types import FunctionType, MemberPointerType, OpaqueType, Qualified, StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import identity, member_lookup, resolve
from analysis_core.lower.objects import methods
from analysis_core.lower.values import Value
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn

_REASON = "a pointer to a member"


def member_pointer(owner: Type, member: Qualified) -> MemberPointerType:
    """The type of a pointer to a member: 8 bytes for a data member, 16 for a member function (Itanium C++ ABI, 2.3)."""
    size = 2 * layout.POINTER_BYTES if isinstance(member.type, FunctionType) else layout.POINTER_BYTES
    name = f"{identity.qualified_key(member)} {identity.type_key(owner)}::*"
    return MemberPointerType(name, _REASON, size, layout.POINTER_BYTES, owner=owner, member=member)


def address_of_member(ctx: Lowering, expr: syn.Unary) -> Value | None:
    """The value of `&C::x` where x is a member that belongs to objects; None for anything else."""
    node = expr.operand
    if expr.op != "&" or not isinstance(node, syn.Name) or "::" not in node.name:
        return None
    head, _, last = node.name.rpartition("::")
    if head in ctx.unit.namespaces:
        return None
    args, before = (node.parts[-2], node.parts[:-1]) if node.parts else (node.template_args, ())
    found = resolve.find_qualified(ctx, head, args, before)
    owner = None if found is None else resolve.complete(ctx, found.type)
    if not isinstance(owner, StructType):
        return None
    position = member_lookup.field_position(ctx, owner, last)
    if position is not None:
        field = owner.fields[position]
        return ctx.unknown(
            CauseKind.UNSUPPORTED, _REASON, expr.span, member_pointer(owner, Qualified(field.type, field.const))
        )
    instance = methods.instance_of(ctx, owner)
    named = [] if instance is None else methods.methods_named(ctx, instance, last)
    if not named or any("static" in m.declaration.qualifiers for m in named):
        return None
    return ctx.unknown(CauseKind.UNSUPPORTED, _REASON, expr.span, OpaqueType(_REASON, _REASON, unsized=True))
