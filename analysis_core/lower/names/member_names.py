"""Names of members: through `this`, behind a class and `::`, and those that bases of the present class declare."""

from __future__ import annotations

from analysis_core.ir.constants import fold
from analysis_core.ir.nodes import Const
from analysis_core.ir.types import OpaqueType, PointerType, ScalarType, StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import (
    enumerations,
    member_lookup,
    names,
    resolve,
    type_traits,
    variable_templates,
)
from analysis_core.lower.names.scope import RecordInstance
from analysis_core.lower.objects import base_parts, references
from analysis_core.lower.statements import lower_lvalues
from analysis_core.lower.values import Operand, Value, type_of
from analysis_core.syntax.read import tree as syn
from analysis_core.text.span import FileId, Span

_NOWHERE = Span(FileId(""), 0, 0)


def through_this(ctx: Lowering, node: syn.Name) -> Operand | None:
    """A field of the class whose method is being lowered."""
    this = ctx.frame.this
    if this is None:
        return None
    type = type_of(this)
    target = resolve.complete(ctx, type.target) if isinstance(type, PointerType) else type
    if not isinstance(target, StructType) or member_lookup.field_position(ctx, target, node.name) is None:
        return None
    place = lower_lvalues.dereference(ctx, this, node)
    return references.member(ctx, place, node.name, node)


def qualified_member(ctx: Lowering, this: Operand, node: syn.Name) -> Operand | None:
    """`Base::x` in a member function: the data member of that base."""
    head, _, last = node.name.rpartition("::")
    part = member_lookup.qualified_part(ctx, this, head) if head else None
    type = None if part is None else base_parts.class_of(ctx, part)
    if part is None or not isinstance(type, StructType) or member_lookup.field_position(ctx, type, last) is None:
        return None
    return references.member(ctx, lower_lvalues.dereference(ctx, part, node), last, node)


def of_base(ctx: Lowering, node: syn.Name) -> Operand | None:
    """A static member or an enumerator that a base of the present class declares."""
    this, root = ctx.frame.this, ctx.scope.root()
    type = ctx.types.get(root.namespace) if this is None else base_parts.class_of(ctx, this)
    return _inherited(ctx, type, node)


def _inherited(ctx: Lowering, type: Type | None, node: syn.Name) -> Operand | None:
    """The static member or enumerator that the name means in a class, if one of its bases declares it."""
    if not isinstance(type, StructType) or not type.bases:
        return None
    found = member_lookup.declaring(ctx, type, node.name)
    owner = found[0][-1].type if len(found) == 1 and found[0] else None
    instance = None if owner is None else ctx.instances.get(owner.name)
    if instance is None or member_lookup.is_method(instance.definition, node.name):
        return None
    return own_member(ctx, instance, node.name, node)


def of_class(ctx: Lowering, type: Type, node: syn.Name) -> Operand | None:
    """The static member or enumerator that a name means in a class, behind an object."""
    declaring = member_lookup.declaring(ctx, type, node.name) if isinstance(type, StructType) else []
    if len(declaring) != 1 or not isinstance(type, StructType):
        return None
    owner = declaring[0][-1].type if declaring[0] else type
    instance = ctx.instances.get(owner.name)
    return None if instance is None else member_of(ctx, instance, node)


def member_of(ctx: Lowering, instance: RecordInstance, node: syn.Name) -> Operand | None:
    """A member that the class itself declares and that no object is needed for: static, an enumerator, a function."""
    found = own_member(ctx, instance, node.name, node)
    if found is not None:
        return found
    with ctx.in_scope(instance.scope):
        return names.lookup(ctx, node)


def static_member(ctx: Lowering, head: str, last: str, node: syn.Name) -> Operand | None:
    """`Tile<16>::width`, `T::width`: looked up inside of the instance that the qualifier names."""
    args, before = (node.parts[-2], node.parts[:-1]) if node.parts else (node.template_args, ())
    outer = resolve.find_qualified(ctx, head, args, before) or type_traits.named_type(ctx, head, args)
    type = None if outer is None else outer.type
    instance = ctx.instances.get(type.name) if isinstance(type, StructType | OpaqueType) else None
    if instance is None:
        enumerator = ctx.unit.enumerators.get(f"{type.name}::{last}") if isinstance(type, ScalarType) else None
        if enumerator is not None:
            return enumerations.enumerator_operand(ctx, enumerator, last, node)
        if outer is not None:
            ctx.refuse(certain=isinstance(type, ScalarType | PointerType))
        return None
    found = own_member(ctx, instance, last, node)
    if found is None:
        found = _inherited(ctx, type, syn.Name(span=node.span, name=last))
    if found is not None:
        return found
    with ctx.in_scope(instance.scope):
        found = names.declared(ctx, syn.Name(span=node.span, name=last))
    if found is None and isinstance(type, StructType):
        ctx.refuse(certain=True)
    return found


def constant(ctx: Lowering, type: StructType, name: str) -> Const | None:
    """The value of a static member or an enumerator of a class or one of its bases, if it is a constant."""
    found = of_class(ctx, type, syn.Name(span=_NOWHERE, name=name))
    return fold(found.expr) if isinstance(found, Value) else None


def own_member(ctx: Lowering, instance: RecordInstance, name: str, node: syn.Name) -> Operand | None:
    """A static member or enumerator that this very definition declares (specialisations declare the same names)."""
    definition = instance.definition
    templates = [
        n for n in definition.nested if isinstance(n, syn.VarDecl) and n.name == name and n.template is not None
    ]
    if templates:
        args = node.parts[-1] if node.parts else node.template_args
        key = f"{instance.key}::{name}"
        return variable_templates.instantiate(ctx, key, templates, args or (), node, instance.scope)
    with ctx.in_scope(instance.scope):
        for nested in definition.nested:
            if isinstance(nested, syn.VarDecl) and nested.name == name:
                return names.file_variable(ctx, f"{instance.key}::{name}", nested, node, instance.scope)
            if isinstance(nested, syn.EnumDef):
                for position, (enumerator_name, _) in enumerate(nested.enumerators):
                    if enumerator_name == name:
                        return enumerations.enumerator_operand(ctx, (nested, position), name, node)
    return None
