"""Which class declares the member that a name means: [class.member.lookup].

The search ends at the first class that declares the name, as whatever: a member function, a static member or a type hides a
base's data member as well.  Bases are searched side by side; where two of them declare the name, it is ambiguous.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.ir.types import Base, StructType
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import resolve
from analysis_core.lower.names.scope import RecordInstance
from analysis_core.lower.objects import base_parts
from analysis_core.lower.values import Operand
from analysis_core.syntax.read import tree as syn

_DEPTH = 16


def declared_names(definition: syn.RecordDef) -> Iterator[str]:
    """The names of a class's own members but for its non-static data members."""
    for field in definition.fields:
        yield field.name
    for method in definition.methods:
        yield method.name
    for nested in definition.nested:
        match nested:
            case (
                syn.VarDecl(name=name)
                | syn.RecordDef(name=name)
                | syn.TypeAlias(name=name)
                | syn.FunctionDecl(name=name)
            ):
                yield name
            case syn.EnumDef(name=name, enumerators=enumerators, scoped=scoped):
                yield name
                if not scoped:
                    yield from (enumerator for enumerator, _ in enumerators)
            case syn.UsingDecl(target=target, namespace=False):
                yield target.rpartition("::")[2]
            case _:
                pass


def is_method(definition: syn.RecordDef, name: str) -> bool:
    return any(method.name == name for method in definition.methods)


def declares(ctx: Lowering, type: StructType, name: str) -> bool:
    """Whether the class itself declares a member of that name."""
    if any(field.name == name for field in type.own_fields):
        return True
    instance = ctx.instances.get(type.name)
    return instance is not None and name in set(declared_names(instance.definition))


def declaring(ctx: Lowering, type: StructType, name: str, depth: int = 0) -> list[tuple[Base, ...]]:
    """The ways through the bases to each class that declares the name and is not hidden by a nearer one."""
    if declares(ctx, type, name):
        return [()]
    if depth > _DEPTH:
        return []
    return [(base, *path) for base in type.bases for path in declaring(ctx, base.type, name, depth + 1)]


def field_position(ctx: Lowering, type: StructType, name: str) -> int | None:
    """The position in `StructType.fields` of the data member that the name means in the class; None: it means none."""
    found = declaring(ctx, type, name)
    if len(found) != 1:
        return None
    first, at = 0, type
    for base in found[0]:
        first, at = first + base.first, base.type
    inherited = sum(len(base.type.fields) for base in at.bases)
    used = _used(ctx, at, name)
    if used is not None:
        return None if (inner := field_position(ctx, used[1], name)) is None else first + used[0] + inner
    own = next((i for i, field in enumerate(at.own_fields) if field.name == name), None)
    return None if own is None else first + inherited + own


def _used(ctx: Lowering, type: StructType, name: str) -> tuple[int, StructType] | None:
    """The base whose data member `using Base::name;` names, and the position of its first member."""
    instance = ctx.instances.get(type.name)
    for nested in instance.definition.nested if instance is not None else ():
        if isinstance(nested, syn.UsingDecl) and not nested.namespace and nested.target.rpartition("::")[2] == name:
            head = nested.target.rpartition("::")[0]
            for base in type.bases:
                if is_called(ctx, base.type, head):
                    return base.first, base.type
    return None


def is_called(ctx: Lowering, type: StructType, name: str) -> bool:
    """Whether a class may be meant by a name in front of `::`."""
    instance = ctx.instances.get(type.name)
    known = type.name if instance is None else instance.definition.name
    return known == name.rpartition("::")[2]


def qualified_part(ctx: Lowering, operand: Operand, head: str) -> Operand | None:
    """The object as the class that `head::` names: itself or one of its bases."""
    type = base_parts.class_of(ctx, operand)
    if not isinstance(type, StructType):
        return None
    named = resolve.find_type(ctx, head, None)
    if isinstance(named, StructType) and base_parts.only_path(type, named.name) is not None:
        return base_parts.to_base(ctx, operand, named)
    found = {t.name: t for t in all_classes(type) if is_called(ctx, t, head)}
    return base_parts.to_base(ctx, operand, next(iter(found.values()))) if len(found) == 1 else None


def all_classes(type: StructType, depth: int = 0) -> Iterator[StructType]:
    """The class and all its bases, nearer ones first of each branch."""
    yield type
    for base in type.bases if depth < _DEPTH else ():
        yield from all_classes(base.type, depth + 1)


def type_of_instance(ctx: Lowering, instance: RecordInstance) -> StructType | None:
    """The type that an instance lays out."""
    found = ctx.types.get(instance.key)
    return found if isinstance(found, StructType) else None
