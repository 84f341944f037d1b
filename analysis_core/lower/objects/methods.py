"""Member functions, constructors and operators of the user's classes.

A class is found through the name of its `StructType` (`ctx.instances`), with the bindings of its template.  `this` is
a `RegisterPointer` where the object is held in registers, so that calling a method does not move it to memory, and
an ordinary pointer otherwise.  Members of base classes are members of the derived layout;
`this` of a base's method is the base's part of the object (base_parts.py); what a virtual call comes to says `virtual_calls`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from analysis_core.ir.types import OpaqueType, PointerType, Qualified, StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import (
    expression_types,
    member_lookup,
    overloads,
    records,
    resolve,
    template_arguments,
)
from analysis_core.lower.names.identity import same_binding
from analysis_core.lower.names.scope import Binding, RecordInstance, Scope, join
from analysis_core.lower.objects import base_parts, bind_parameters, conversions, virtual_calls
from analysis_core.lower.statements import inline, lower_declarations, lower_lvalues
from analysis_core.lower.statements.arguments import Argument
from analysis_core.lower.values import (
    Category,
    Memory,
    Operand,
    Register,
    RegisterPointer,
    StructPlace,
    StructValue,
    Value,
    type_of,
)
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass

BASE_DEPTH = 16


@dataclass(frozen=True, slots=True)
class Method:
    """A member function with the bindings of the class that declares it.

    `owner`: that class; `declared_qualifiers`: those of the declaration inside of it, where `virtual` stands."""

    declaration: syn.FunctionDecl
    bindings: Mapping[str, Binding]
    owner: StructType | None = None
    declared_qualifiers: frozenset[str] = frozenset()


def instance_of(ctx: Lowering, type: Type) -> RecordInstance | None:
    """The definition behind a struct type (also one that is not complete yet), if it is the user's."""
    if not isinstance(type, StructType | OpaqueType):
        return None
    known = ctx.instances.get(type.name)
    if known is None and type.name in ctx.unit.records:
        # A type that was resolved for another kernel of the unit.
        record = ctx.unit.records[type.name][-1]
        if record.template is None:
            records.record_type(ctx, record, type.name, type.name, {})
            known = ctx.instances.get(type.name)
    return known


def methods_named(ctx: Lowering, instance: RecordInstance, name: str, depth: int = 0) -> list[Method]:
    """The member functions that the name means: those of the first class, from this one on to its bases, that declares the name."""
    found = own_methods(ctx, instance, name)
    if depth > BASE_DEPTH or name == "operator=":  # the one of a derived class hides those of its bases
        return found
    used = _used_classes(instance, name)
    if used is None and (found or name in set(member_lookup.declared_names(instance.definition))):
        return found
    known = [shape_of_parameters(m.declaration) for m in found]
    for base in bases(ctx, instance):
        if used is None or base.definition.name in used:
            inherited = methods_named(ctx, base, name, depth + 1)
            found.extend(m for m in inherited if shape_of_parameters(m.declaration) not in known)
    return found


def _used_classes(instance: RecordInstance, name: str) -> set[str] | None:
    """The bases whose members of that name `using Base::name;` brings in; None: there is no such declaration."""
    targets = [n.target for n in instance.definition.nested if isinstance(n, syn.UsingDecl) and not n.namespace]
    heads = {t.rpartition("::")[0].rpartition("::")[2] for t in targets if t.rpartition("::")[2] == name}
    return heads or None


def shape_of_parameters(declaration: syn.FunctionDecl) -> tuple[object, ...]:
    """The parameter types of a member function, by which one of a derived class hides one that a using-declaration
    brings in."""
    return ("const" in declaration.qualifiers, *(shape(p.type) for p in declaration.parameters))


def own_methods(ctx: Lowering, instance: RecordInstance, name: str, owner: StructType | None = None) -> list[Method]:
    """The member functions of that name which the class itself declares and somebody wrote."""
    declared = [m for m in instance.definition.methods if m.name == name and "default" not in m.qualifiers]
    if not declared:
        return []
    owner = owner or member_lookup.type_of_instance(ctx, instance)
    return [replace(defined(ctx, instance, m), owner=owner, declared_qualifiers=m.qualifiers) for m in declared]


def bases(ctx: Lowering, instance: RecordInstance) -> Iterator[RecordInstance]:
    for node in instance.definition.bases:
        with ctx.in_scope(instance.scope):
            type = resolve.resolve_type(ctx, node)
        base = instance_of(ctx, type)
        if base is not None:
            yield base


def defined(ctx: Lowering, instance: RecordInstance, declaration: syn.FunctionDecl) -> Method:
    """The declaration in the class, or its definition outside of it.

    Outside, the parameters of the class template may have other names: they are bound by position."""
    bindings = dict(instance.scope.bindings)
    key = join(instance.scope.namespace, declaration.name)
    outside = ctx.unit.functions.get(key, ())
    for other in outside if instance.definition.template else ():
        if other.body is not None and _is_specialised_for(ctx, instance, other):
            if len(other.parameters) == len(declaration.parameters) and (
                other.template or _same_parameters(other, declaration)
            ):
                return Method(other if declaration.template else replace(other, template=None), bindings)
    if declaration.body is not None or declaration.qualifiers & {"default", "delete"}:
        return Method(declaration, bindings)
    for other in outside:
        if other.body is None or _is_specialisation(other) or len(other.parameters) != len(declaration.parameters):
            continue
        if instance.definition.span.encloses(other.span):
            continue  # another overload, not the definition of this one
        if not _same_parameters(other, declaration) and not other.template:
            continue
        for mine, theirs in zip(instance.definition.template or (), other.template or ()):
            if mine.name in bindings and theirs.name is not None:
                bindings[theirs.name] = bindings[mine.name]
        if instance.definition.template and declaration.template is None:
            other = replace(other, template=None)  # Its parameters are those of the class, which are bound.
        return Method(other, bindings)
    return Method(declaration, bindings)


def _is_specialisation(declaration: syn.FunctionDecl) -> bool:
    """Whether it defines a member for certain arguments of its class: `template <> void A<0>::f() {..}`."""
    if declaration.owner_arguments is None:
        return False
    names = {parameter.name for parameter in declaration.template or ()}
    return not any(
        isinstance(node, syn.Name | syn.NamedType) and node.name in names
        for argument in declaration.owner_arguments
        for node in inside(argument)
    )


def _is_specialised_for(ctx: Lowering, instance: RecordInstance, declaration: syn.FunctionDecl) -> bool:
    """Whether it defines a member for the very arguments of this instance."""
    template = instance.definition.template or ()
    written = declaration.owner_arguments or ()
    if not _is_specialisation(declaration) or not len(written) == len(template) == len(instance.arguments):
        return False
    home = Scope(None, declaration.scope, {})
    meant = [template_arguments.argument(ctx, p, arg, home) for p, arg in zip(template, written)]
    return all(map(same_binding, meant, instance.arguments))


def _same_parameters(left: syn.FunctionDecl, right: syn.FunctionDecl) -> bool:
    return all(shape(a.type) == shape(b.type) for a, b in zip(left.parameters, right.parameters))


def shape(node: syn.TypeNode) -> tuple[str, ...]:
    """A type as written without places and qualifiers, for telling overloads apart."""
    parts: list[str] = []
    while True:
        match node:
            case syn.PointerTo(target=target):
                parts.append("*")
                node = target
            case syn.ReferenceTo(target=target):
                parts.append("&")
                node = target
            case syn.NamedType(name=name):
                return (*parts, name.rpartition("::")[2])
            case _:
                return (*parts, type(node).__name__)


def find_method(
    ctx: Lowering,
    instance: RecordInstance,
    name: str,
    template_args: Sequence[syn.TemplateArg] | None,
    operands: Sequence[Operand | None],
    this: Qualified | None = None,
    nodes: Sequence[syn.Node] | None = None,
) -> tuple[Method | None, bool]:
    """The method that a call means, with its bindings; the flag says that there are several.  `this`: the type of the object."""
    methods = methods_named(ctx, instance, name)
    if not methods:
        return None, False
    declarations = [m.declaration for m in methods]
    choice = overloads.choose(ctx, declarations, template_args, operands, methods[0].bindings, nodes, this)
    if choice.best is None:
        return None, choice.ambiguous
    return chosen_of(methods, choice.best), False


def chosen_of(candidates: Sequence[Method], best: overloads.Candidate) -> Method:
    """The method that overload resolution has chosen, with what it has bound."""
    span = best.declaration.name_span
    origin = next((m for m in candidates if m.declaration.name_span == span), candidates[0])
    return replace(origin, declaration=best.declaration, bindings=best.bindings)


# --- calls ------------------------------------------------------------------------------------------------------


def this_of(ctx: Lowering, operand: Operand, node: syn.Node) -> Operand | None:
    """What `this` is for an object (or for what `->` was applied to)."""
    match operand:
        case StructPlace(type=type):
            return RegisterPointer(replace(operand, category=Category.LVALUE), PointerType(type))
        case Memory(type=StructType() | OpaqueType() as type):
            frozen = ctx.freeze(operand, node.span)
            whole = base_parts.whole_of(ctx, operand)
            return Value(frozen.address, PointerType(type), whole=whole) if isinstance(frozen, Memory) else None
        case StructValue(type=type):
            place = lower_declarations.declare_place(ctx, "(object)", type, node.span)
            lower_lvalues.store(ctx, place, operand, node)
            return this_of(ctx, place, node)
        case RegisterPointer():
            return operand
        case Value(type=PointerType()):
            whole = base_parts.whole_of(ctx, operand)
            return replace(operand, expr=ctx.save(operand.expr, node.span, "this"), whole=whole)
        case Memory(type=PointerType()) | Register(type=PointerType()):
            return this_of(ctx, lower_lvalues.load(ctx, operand, node), node)
        case _:
            return None


def class_name(operand: Operand) -> str:
    type = class_of(operand)
    return type.name if isinstance(type, StructType | OpaqueType) else "?"


def _qualified_this(this: Operand, const: bool) -> Operand:
    """The pointer to the object as the member function has it: to a const one in a const function."""
    match this:
        case RegisterPointer(type=type) | Value(type=PointerType() as type) if type.const is not const:
            return replace(this, type=replace(type, const=const))
        case _:
            return this


def object_type(ctx: Lowering, operand: Operand | None, node: syn.Node | None = None) -> Qualified | None:
    """The type and category of the object that a member function is called on (or that a pointer leads to)."""
    if operand is None:
        return None
    given = expression_types.given_type(ctx, operand, node)
    if isinstance(given.type, PointerType):
        return Qualified(given.type.target, given.type.const, given.type.volatile, "&")
    return given


def class_of(operand: Operand) -> Type:
    """The class type of an object, or of what a pointer points to."""
    type = type_of(operand)
    return type.target if isinstance(type, PointerType) else type


def call_method(
    ctx: Lowering,
    operand: Operand,
    name: str,
    template_args: Sequence[syn.TemplateArg] | None,
    arguments: Sequence[Argument],
    node: syn.Node,
    object_node: syn.Node | None = None,
) -> Operand | None:
    """`object.name(arguments)` or `pointer->name(arguments)`; None if the class has no such method."""
    type = resolve.complete(ctx, class_of(operand))
    instance = instance_of(ctx, type)
    if instance is None:
        return None
    operands = [a.operand for a in arguments]
    nodes = [a.node for a in arguments]
    this = object_type(ctx, operand, object_node)
    method, ambiguous = find_method(ctx, instance, name, template_args, operands, this, nodes)
    if method is None:
        if not ambiguous and not methods_named(ctx, instance, name):
            return None
        owner = instance.definition.name
        reason = f"which '{name}' of '{owner}' is meant" if ambiguous else f"no '{name}' of '{owner}' fits"
        result = OpaqueType(name, reason)
        ctx.refuse(certain=not ambiguous)
        return inline.opaque_call(ctx, CauseKind.ANALYSIS, reason, [*operands, operand], result, node.span)
    if "static" in method.declaration.qualifiers:
        return run_method(ctx, method, operand, arguments, node)
    return run_virtual(ctx, method, operand, arguments, node)


def run_virtual(
    ctx: Lowering, method: Method, operand: Operand, arguments: Sequence[Argument], node: syn.Node
) -> Operand:
    """Inlines what a call of the method on the object comes to: itself, or what overrides it."""
    found = virtual_calls.dispatched(ctx, method, operand)
    if isinstance(found, virtual_calls.Unclear):
        return _not_called(ctx, method, found.reason, operand, arguments, node)
    if found is not method:
        arguments = _with_defaults(ctx, method, arguments)
    whole = operand if found is method else base_parts.most_derived(ctx, operand)
    if whole is None and found.owner is not None:
        this = this_of(ctx, operand, node)
        whole = None if this is None else base_parts.to_derived(ctx, this, found.owner)
    if whole is None:
        return _not_called(ctx, method, f"what '{method.declaration.name}' is called on", operand, arguments, node)
    return run_method(ctx, found, whole, arguments, node)


def _with_defaults(ctx: Lowering, method: Method, arguments: Sequence[Argument]) -> Sequence[Argument]:
    """The arguments with the defaults of the function that is named, not of what overrides it ([dcl.fct.default])."""
    defaults = [p.default for p in method.declaration.parameters[len(arguments) :]]
    given = [default for default in defaults if default is not None]
    if not given or len(given) < len(defaults):
        return arguments
    with ctx.in_scope(inline.function_scope(method.declaration, method.bindings)):
        return [*arguments, *inline.evaluate(ctx, given)]


def _not_called(
    ctx: Lowering, method: Method, reason: str, operand: Operand, arguments: Sequence[Argument], node: syn.Node
) -> Operand:
    """A call that may go to one function or another."""
    with ctx.in_scope(inline.function_scope(method.declaration, method.bindings)):
        result = bind_parameters.declared_type(ctx, method.declaration.result)
    operands = [a.operand for a in arguments] + [operand]
    type = result or OpaqueType(method.declaration.name, reason)
    if isinstance(method.declaration.result, syn.ReferenceTo):
        pointer = inline.opaque_call(ctx, CauseKind.UNSUPPORTED, reason, operands, PointerType(type), node.span)
        return lower_lvalues.dereference(ctx, pointer, node)
    return inline.opaque_call(ctx, CauseKind.UNSUPPORTED, reason, operands, type, node.span)


def run_method(
    ctx: Lowering, method: Method, operand: Operand | None, arguments: Sequence[Argument], node: syn.Node
) -> Operand:
    """Inlines a chosen method on an object; `operand` is None for a static one."""
    static = "static" in method.declaration.qualifiers
    this = None if operand is None or static else this_of(ctx, operand, node)
    if this is not None and method.owner is not None:
        part = base_parts.to_base(ctx, this, method.owner)
        if part is None:
            return _not_called(ctx, method, f"which base of '{class_name(this)}' is meant", this, arguments, node)
        this = part
    if this is not None:
        this = _qualified_this(this, "const" in method.declaration.qualifiers)
    return inline.inline(ctx, method.declaration, arguments, method.bindings, node, this)


# --- operators and conversions ----------------------------------------------------------------------------------


def base_place(ctx: Lowering, place: Operand, type: StructType) -> Operand | None:
    """The part of a derived object in a place that is its base of that type, or an anonymous struct of it; None if that has no members."""
    derived = type_of(place)
    if isinstance(place, RegisterPointer) or not isinstance(derived, StructType):
        return None
    if base_parts.is_derived(derived, type) or isinstance(place, StructValue):
        return base_parts.to_base(ctx, place, type)
    at = {field.name: i for i, field in enumerate(derived.fields)}
    if not type.fields or any(field.name not in at for field in type.fields):
        return None
    if isinstance(place, StructPlace):
        return StructPlace(type, tuple(place.fields[at[f.name]] for f in type.fields), place.declared, place.category)
    if isinstance(place, Memory):
        offset = derived.fields[at[type.fields[0].name]].offset - type.fields[0].offset
        return replace(
            place, type=type, address=conversions.moved(place.address, offset, type, place.volatile), whole=None
        )
    return None


def is_base(ctx: Lowering, source: RecordInstance, type: StructType, depth: int = 0) -> bool:
    wanted = ctx.instances.get(type.name)
    if wanted is None or depth > BASE_DEPTH:
        return False
    return any(
        base.definition is wanted.definition or is_base(ctx, base, type, depth + 1) for base in bases(ctx, source)
    )
