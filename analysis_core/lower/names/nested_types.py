"""Types that classes declare, and that are named through them, or from inside of them and of classes that are derived from them.

Traits<float>::type    typename M::Params    Params, in a member of Gemm<M>: that of this Gemm
"""

from __future__ import annotations

from analysis_core.ir.types import OpaqueType, PointerType, Qualified, StructType
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import enumerations, member_lookup, records, resolve, type_traits
from analysis_core.lower.names.scope import RecordInstance, Scope, join
from analysis_core.lower.values import type_of
from analysis_core.syntax.read import tree as syn

_BASES = 16
"""Levels of base classes that are searched for a member type."""


def member_type(
    ctx: Lowering, head: str, last: str, args: tuple[syn.TemplateArg, ...] | None, parts: syn.Parts
) -> tuple[Qualified | None, bool]:
    """`T::value_type`, `Traits<T>::type`: members of a template argument, an alias or a class template instance.

    Members are sought in the definition that the arguments select: specialisations declare the same names.  The flag says that
    the name is sought nowhere else."""
    if head in ctx.unit.namespaces and not ctx.unit.find_records(head, ctx.scope.root().namespace):
        return None, False
    if parts:
        outer, args = resolve.find_qualified(ctx, head, parts[-2], parts[:-1]), parts[-1]
    else:
        outer = resolve.find_qualified(ctx, head, args)
    if outer is None:
        outer = type_traits.named_type(ctx, head, parts[-2] if parts else args)
    type = None if outer is None else outer.type
    instance = ctx.instances.get(type.name) if isinstance(type, StructType | OpaqueType) else None
    if instance is None:
        return None, False
    definition = instance.definition
    settled = isinstance(type, StructType) and (
        definition.template is not None or definition.specialisation is not None
    )
    return nested_type(ctx, instance, last, args, _BASES), settled


def nested_type(
    ctx: Lowering, instance: RecordInstance, name: str, args: tuple[syn.TemplateArg, ...] | None, bases: int | None
) -> Qualified | None:
    """The type that a class declares under `name`, or one of its bases, so many levels up.

    `bases` None: the names of bases themselves are being read, which are not members."""
    bound = instance.scope.bindings.get(name)
    if isinstance(bound, Qualified):
        return bound
    templates = [
        m for m in instance.definition.nested if isinstance(m, syn.RecordDef) and m.name == name and m.template
    ]
    if templates:
        key, inside = f"{instance.key}::{name}", join(instance.scope.namespace, name)
        found = records.instantiate(ctx, inside, templates, args or (), instance.scope, key)
        return None if found is None else Qualified(found)
    for member in instance.definition.nested:
        match member:
            case syn.TypeAlias(name=found_name) if found_name == name:
                key = f"{instance.key}::{name}"
                return (
                    None if f"alias {key}" in ctx.resolving else resolve.aliased(ctx, key, member, args, instance.scope)
                )
            case syn.RecordDef(name=found_name, template=None) if found_name == name:
                inside = join(instance.scope.namespace, name)
                key = f"{instance.key}::{name}"
                return Qualified(records.record_type(ctx, member, key, inside, instance.scope.bindings))
            case syn.EnumDef(name=found_name) if found_name == name:
                with ctx.in_scope(instance.scope):
                    return Qualified(enumerations.enum_type(ctx, member))
            case _:
                pass
    for base in instance.definition.bases if bases else ():
        with ctx.in_scope(instance.scope):
            type = resolve.resolve_type(ctx, base)
        parent = ctx.instances.get(type.name) if isinstance(type, StructType) else None
        if parent is not None and parent.definition.name == name:
            return Qualified(type)
        found_there = None if parent is None else nested_type(ctx, parent, name, args, (bases or 1) - 1)
        if found_there is not None:
            return found_there
    return None


def inherited(ctx: Lowering, name: str, args: tuple[syn.TemplateArg, ...] | None) -> Qualified | None:
    """The type that a base of the present class declares, if the class declares none of that name itself."""
    root = ctx.scope.root()
    type = ctx.types.get(root.namespace)
    if not isinstance(type, StructType) or member_lookup.declares(ctx, type, name):
        return None
    pending = [base.type for base in type.bases]
    while pending:
        parent = pending.pop(0)
        instance = ctx.instances.get(parent.name)
        if instance is not None and instance.definition.name == name:
            return Qualified(parent)
        found = None if instance is None else nested_type(ctx, instance, name, args, None)
        if found is not None:
            return found
        pending += [base.type for base in parent.bases]
    return None


def around(ctx: Lowering, name: str, args: tuple[syn.TemplateArg, ...] | None) -> Qualified | None:
    """The type that an instance around the present scope declares itself, the innermost first: each instance has its own."""
    root = ctx.scope.root()
    around = root.namespace
    while around in ctx.unit.records:
        definitions = ctx.unit.records[around]
        if len(definitions) > 1 or any(each.nested for each in definitions):
            here = _instance_in(ctx, around, root)
            nested = None if here is None else nested_type(ctx, here, name, args, None)
            if nested is not None:
                return nested
        around = around.rpartition("::")[0]
    return None


def template_around(ctx: Lowering, namespace: str, name: str) -> str | None:
    """The qualified name of the class template that a class around a scope declares under that name."""
    while namespace in ctx.unit.records:
        nested = (member for each in ctx.unit.records[namespace] for member in each.nested)
        if any(isinstance(m, syn.RecordDef) and m.name == name and m.template is not None for m in nested):
            return join(namespace, name)
        namespace = namespace.rpartition("::")[0]
    return None


def enclosing_instance(ctx: Lowering) -> RecordInstance | None:
    """The class in whose scope names are being read, where several specialisations declare the same names."""
    root = ctx.scope.root()
    return None if len(ctx.unit.records.get(root.namespace, ())) < 2 else _instance_in(ctx, root.namespace, root)


def _instance_in(ctx: Lowering, name: str, root: Scope) -> RecordInstance | None:
    """The instance of the class of that name under the template arguments that hold in a scope: the one that is being read, or that of the
    present object, if it is one, since several specialisations may have the same arguments."""
    own = [i for i in ctx.instances.values() if i.scope is root and root.namespace == name]
    pointer = None if ctx.frame.this is None else type_of(ctx.frame.this)
    target = pointer.target if isinstance(pointer, PointerType) else None
    here = ctx.instances.get(target.name) if isinstance(target, StructType) else None
    if here is not None and here.scope.namespace == name:
        own.append(here)
    for instance in (*own, *ctx.instances.values()):
        scope = instance.scope
        if scope is root or (scope.namespace == name and scope.bindings.items() <= root.bindings.items()):
            return instance
    return None
