"""Records and enums: which definition a name with template arguments means, and its layout.

A record is laid out once per kernel and set of template arguments; its key ("ns::Tile<float, 16>") is its
`StructType.name`, under which `ctx.instances` has its definition.  Inside of itself a record is an `OpaqueType` with
`why` INCOMPLETE, which `resolve.complete` replaces when a pointer to it is followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

from analysis_core.ir import layout
from analysis_core.ir.types import (
    ArrayType,
    OpaqueType,
    Qualified,
    StructType,
    Type,
)
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import enumerations, packs, resolve, specialisations, template_arguments
from analysis_core.lower.names.identity import binding_key, is_open
from analysis_core.lower.names.scope import Binding, PackBinding, RecordInstance, Scope, join
from analysis_core.lower.objects import layout_pod, record_layout
from analysis_core.lower.statements import lower_expressions
from analysis_core.lower.values import Register
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside

_NESTED = 40
"""Records inside of records (template recursion): deeper ones stay incomplete."""


_LONGEST = 2000
_SHOWN = 80
"""Characters of an instance's name that is told as a whole, and of a longer one: a list of pairs of pairs doubles with each level."""


def define(ctx: Lowering, definition: syn.RecordDef | syn.EnumDef, alias: str = "") -> Type:
    """The type of a record or enum defined where a type is written, or inside of a function.

    `alias`: the typedef that names it, if that is all the name it has."""
    if isinstance(definition, syn.EnumDef):
        return enumerations.enum_type(ctx, definition)
    name = join(definition.scope, definition.name)
    if definition.name and definition in ctx.unit.records.get(name, ()):
        return record_type(ctx, definition, name, name, {})
    if not definition.name and alias:
        root = ctx.scope.root()
        # What a class around it declares is visible.
        inside = root.namespace if root.namespace in ctx.unit.records else alias
        return record_type(ctx, definition, alias, inside, root.bindings)
    around, words = ctx.scope.root().bindings, _words_of(definition)
    seen = {**around, **_meanings_around(ctx, definition)}
    if not seen.keys() >= {*words}:  # Members of the class around may rest on any of its arguments.
        words = tuple(dict.fromkeys((*around, *words)))
    given = [f"{word} = {binding_key(seen[word])}" for word in words if word in seen]
    key = f"{name}@{definition.span.start}" + (f"<{', '.join(given)}>" if given else "")
    return record_type(ctx, definition, key, name, seen)


def _meanings_around(ctx: Lowering, definition: syn.RecordDef) -> dict[str, Binding]:
    """The types and constants that the blocks around a local class declare and that it names."""
    found: dict[str, Binding] = {}
    for word in _words_of(definition):
        scope: Scope | None = ctx.scope
        while scope is not None and word not in scope.bindings:
            scope = scope.parent
        if scope is not None and scope.parent is not None:
            found |= Scope(None, "", {word: scope.bindings[word]}).template_arguments()
    return found


def _words_of(definition: syn.RecordDef) -> tuple[str, ...]:
    """The first parts of the names in a definition."""
    named = (node.name for node in inside(definition) if isinstance(node, syn.Name | syn.NamedType))
    return tuple(dict.fromkeys(name.removeprefix("typename ").partition("::")[0] for name in named))


def instantiate(
    ctx: Lowering,
    name: str,
    records: Sequence[syn.RecordDef],
    args: tuple[syn.TemplateArg | Binding, ...],
    inside: Scope | None = None,
    shown: str = "",
) -> Type | None:
    """The record `name<args>`: the primary definition, or the specialisation that the arguments select.

    `inside`: the scope of the class that declares a member template; `shown` its name there."""
    primary = next((r for r in records if r.specialisation is None), records[0])
    if primary.template is None:
        # Inside of a class its own name means the present instance.
        root = ctx.scope.root()
        return record_type(ctx, records[-1], name, name, root.bindings if root.namespace == name else {})
    root = ctx.scope.root()
    home = {} if inside is None else inside.bindings
    if primary.specialisation is not None and args:
        return _without_primary(ctx, name, records, args, Scope(None, name, dict(home)))
    if not args and (root.namespace == name or root.namespace.startswith(name + "::")):
        present = _present(ctx, name, root.bindings)
        if present is not None:
            return present
        bindings: Mapping[str, Binding] = root.bindings
    elif not args and any(p.default is None and not p.pack for p in primary.template):
        ctx.refuse(certain=False)
        return OpaqueType(name, "its template arguments are to be deduced, which is not done", unsized=True)
    else:
        bindings = template_arguments.bind_template(ctx, primary.template, args, primary.scope)
    given = flattened(bindings.get(p.name or f"(parameter {i})") for i, p in enumerate(primary.template))
    key = _instance(ctx, shown or name, given)
    known = ctx.types.get(key)
    if known is not None:
        return known
    only = _only_definition(primary, records, given)
    found = only or specialisations.select(ctx, records, given, Scope(None, name, dict(home)))
    if found is None:
        return OpaqueType(key, f"which specialisation of `{name}` is meant is not decided")
    definition, special = found
    if definition.declared:
        return None
    return record_type(ctx, definition, key, name, {**home, **(bindings if special is None else special)}, tuple(given))


def _only_definition(
    primary: syn.RecordDef, records: Sequence[syn.RecordDef], given: Sequence[Binding]
) -> tuple[syn.RecordDef, Mapping[str, Binding] | None] | None:
    """The one definition that a template has, for one list of arguments: a type that is not known is none but what it is for."""
    others = [r for r in records if r is not primary]
    if not primary.declared or len(others) != 1 or others[0].template != ():
        return None
    is_unknown = any(isinstance(b, Qualified) and is_open(b.type) for b in given)
    return (others[0], {}) if is_unknown else None


def _without_primary(
    ctx: Lowering, name: str, records: Sequence[syn.RecordDef], args: Sequence[syn.TemplateArg | Binding], home: Scope
) -> Type | None:
    """The specialisation that the arguments select of a template whose own declaration is not seen; None if none does."""
    written = packs.expanded_arguments(ctx, args)
    given = flattened(template_arguments.meaning(ctx, a) if isinstance(a, syn.Node) else a for a in written)
    key = _instance(ctx, name, given)
    known = ctx.types.get(key)
    if known is not None:
        return known
    found = specialisations.select(ctx, records, given, home)
    if found is None or found[1] is None:
        return None
    return record_type(ctx, found[0], key, name, {**home.bindings, **found[1]}, tuple(given))


def _present(ctx: Lowering, name: str, bindings: Mapping[str, Binding]) -> Type | None:
    """The instance of a specialisation that is being read: its own name means itself, whatever its parameters are called."""
    for key, instance in ctx.instances.items():
        if instance.scope.namespace == name and instance.scope.bindings == bindings:
            if instance.definition.specialisation is not None:
                return ctx.types.get(key) or OpaqueType(key, resolve.INCOMPLETE)
    return None


def flattened(bindings: Iterable[Binding | None]) -> list[Binding]:
    """Template arguments one by one, packs taken apart."""
    found: list[Binding] = []
    for binding in bindings:
        if isinstance(binding, PackBinding):
            found.extend(binding.elements)
        elif binding is not None:
            found.append(binding)
    return found


def _instance(ctx: Lowering, name: str, given: Iterable[Binding]) -> str:
    """The key of an instance: its name as it is written, but for one that nobody could read."""
    key = f"{name}<{', '.join(_key(ctx, b) for b in given)}>"
    if len(key) <= _LONGEST:
        return key
    return f"{key[:_SHOWN]}..#{sha256(key.encode()).hexdigest()[:16]}>"


def _key(ctx: Lowering, binding: Binding) -> str:
    """A template argument as part of a key: equal for equal arguments."""
    return ctx.variables[binding.var].name if isinstance(binding, Register) else binding_key(binding)


def record_type(
    ctx: Lowering,
    definition: syn.RecordDef,
    key: str,
    name: str,
    bindings: Mapping[str, Binding],
    arguments: tuple[Binding, ...] = (),
) -> Type:
    """The class as a type with its layout, under template arguments. `name` is its qualified name, `key` that of the
    instance."""
    known = ctx.types.get(key)
    if known is not None:
        return known
    if key in ctx.resolving or len(ctx.resolving) > _NESTED:
        return OpaqueType(key, resolve.INCOMPLETE)
    ctx.resolving.add(key)
    scope = Scope(None, name, dict(bindings))
    ctx.instances[key] = RecordInstance(key, definition, scope, arguments)
    try:
        with ctx.in_scope(scope):
            result = _lay_out(ctx, definition, key)
    finally:
        ctx.resolving.discard(key)
    if not ctx.scratch_depth or isinstance(result, StructType):
        ctx.types[key] = result
    return result


def _lay_out(ctx: Lowering, definition: syn.RecordDef, key: str) -> Type:
    members: list[record_layout.Member] = []
    for base in definition.bases:
        member = _base(ctx, base)
        if isinstance(member, str):
            return OpaqueType(key, member, unsized=True)
        members.append(member)
    for declared in definition.fields:
        if declared.storage & {"static", "constexpr"}:
            continue
        member = _member(ctx, declared)
        if isinstance(member, str):
            return OpaqueType(key, member, unsized=True)
        members.append(member)
    shape = _shape(ctx, definition)
    if isinstance(shape, str):
        return OpaqueType(key, shape, unsized=True)
    reason = record_layout.disputed(members, shape)
    if reason is not None:
        return OpaqueType(key, f"compilers do not agree {reason}", unsized=True)
    layout = record_layout.lay_out(key, members, shape)
    if layout.doubt is not None:
        return OpaqueType(key, f"compilers do not agree {layout.doubt}", unsized=True)
    ctx.layouts[key] = layout
    return layout.type


def _base(ctx: Lowering, base: syn.NamedType) -> record_layout.Member | str:
    """A base class as a member, or why its layout is not known."""
    type = resolve.resolve_type(ctx, base)
    layout = layout_of(ctx, type)
    if layout is None:
        return f"its base `{base.name}` is not declared here"
    virtual = "virtual" in base.qualifiers
    return record_layout.Member("", type, inherited=True, virtual=virtual, layout=layout)


def layout_of(ctx: Lowering, type: Type) -> record_layout.Layout | None:
    """The layout of a class, also of one that was resolved for another kernel."""
    if not isinstance(type, StructType | OpaqueType) or (isinstance(type, OpaqueType) and type.size is None):
        return None
    instance = ctx.instances.get(type.name)
    if type.name not in ctx.layouts and instance is not None:
        with ctx.in_scope(instance.scope):
            _lay_out(ctx, instance.definition, type.name)
    known = ctx.layouts.get(type.name)
    return known if known is not None else record_layout.plain(type) if isinstance(type, StructType) else None


def _member(ctx: Lowering, declared: syn.VarDecl) -> record_layout.Member | str:
    """A member before layout, or why it has none."""
    whole = resolve.qualified(ctx, declared.type)
    type = _by_value(whole.plain)
    if layout.size_of(type) is None and not (isinstance(type, ArrayType) and type.extent is None):
        return f"the size of its member `{declared.name}` is not constant"
    resolve.assume_size(ctx, type)
    align, said = alignment(ctx, declared.alignments), whole.align
    bits = None if declared.bits is None else _int_constant(ctx, declared.bits)
    if declared.bits is not None:
        type = enumerations.as_bits(ctx, declared.type, type)
    if align is None or said < 0 or (bits is None and declared.bits is not None):
        return f"what is said of the layout of its member `{declared.name}` is not constant"
    element = type
    while isinstance(element, ArrayType):
        element = element.element
    return record_layout.Member(
        declared.name,
        type,
        bits,
        align or None,
        overlaps=declared.overlaps,
        packed=declared.packed,
        reference=bool(whole.reference),
        const=whole.const,
        mutable="mutable" in declared.storage,
        natural=said or None,
        layout=layout_of(ctx, element),
    )


def _shape(ctx: Lowering, definition: syn.RecordDef) -> record_layout.Shape | str:
    """What the definition says beside its members, or why it is not known."""
    align = alignment(ctx, definition.alignments)
    if align is None:
        return "its alignment is not constant"
    if definition.pack < 0:
        return "the number of bytes in a `#pragma pack` is not understood"
    return record_layout.Shape(
        union=definition.keyword == "union",
        packed=definition.packed,
        pack=definition.pack,
        align=align or None,
        table=any("virtual" in method.qualifiers for method in definition.methods),
        pod=layout_pod.own_pod(definition),
    )


def alignment(ctx: Lowering, nodes: Sequence[syn.Expr]) -> int | None:
    """The strictest of the alignments that are asked for, 0 if there are none; None if one is no constant."""
    found = [_int_constant(ctx, node) for node in nodes]
    return None if None in found else max((value for value in found if value is not None), default=0)


def _by_value(type: Type) -> Type:
    """The type of a member; a record that contains itself (half-typed text) must not be completed later."""
    if isinstance(type, ArrayType):
        return ArrayType(_by_value(type.element), type.extent)
    if isinstance(type, OpaqueType) and type.why == resolve.INCOMPLETE:
        return OpaqueType(type.name, "it contains itself")
    return type


def _int_constant(ctx: Lowering, node: syn.Expr) -> int | None:
    value = lower_expressions.constant(ctx, node)
    if value is None or not isinstance(value.value, int) or not 0 <= value.value <= 1 << 16:
        return None
    return value.value
