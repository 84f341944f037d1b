"""Types as written become types of the IR: names through scopes, templates bound, extents evaluated.

A name that is declared nowhere is an `OpaqueType` and a recorded cause of kind MISSING.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from analysis_core.ir import layout
from analysis_core.ir.effects import variables_in
from analysis_core.ir.nodes import Const, Expr, UnknownExpr
from analysis_core.ir.scalars import LONG_DOUBLE, SIZE_T, VECTORS, scalar_named
from analysis_core.ir.spelling import spelling
from analysis_core.ir.types import (
    ASSUMED_BYTES,
    NOT_DECLARED,
    VOID,
    ArrayType,
    FunctionType,
    OpaqueType,
    PointerType,
    Qualified,
    ScalarType,
    StructType,
    Type,
    size_text,
)
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import (
    enumerations,
    expression_types,
    identity,
    names,
    nested_types,
    packs,
    records,
    stated_types,
    template_arguments,
    type_traits,
)
from analysis_core.lower.names.scope import Binding, Scope, TemplateBinding
from analysis_core.lower.objects import member_pointers
from analysis_core.lower.statements import lower_calls, lower_expressions
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.syntax.read import tree as syn

INCOMPLETE = "incomplete"
"""`OpaqueType.why` of a record that is being laid out."""


def resolve_type(ctx: Lowering, node: syn.TypeNode) -> Type:
    """The type that `node` spells in the present scope.  References become pointers; qualifiers of the outermost
    level are dropped (declarations read them from the node, templates from `qualified`)."""
    return qualified(ctx, node).plain


def qualified(ctx: Lowering, node: syn.TypeNode) -> Qualified:
    """The type that `node` spells, with its qualifiers and whether it is a reference."""
    ctx.step()
    words = node.qualifiers
    match node:
        case syn.NamedType():
            found = _named(ctx, node)
        case syn.PointerTo(target=target):
            found = Qualified(pointer_to(ctx, target, restrict="__restrict__" in words))
        case syn.ReferenceTo(target=target, rvalue=rvalue):
            return qualified(ctx, target).referred("&&" if rvalue else "&")
        case syn.ArrayOf(element=element, extent=extent):
            inner = qualified(ctx, element)
            type = ArrayType(inner.plain, None if extent is None else _extent(ctx, extent))
            found = Qualified(type, inner.const, inner.volatile, align=inner.align)
        case syn.FunctionOf():
            found = Qualified(_function(ctx, node))
        case syn.MemberPointerTo():
            found = Qualified(
                member_pointers.member_pointer(resolve_type(ctx, node.owner), qualified(ctx, node.target))
            )
        case syn.RecordType(definition=definition):
            found = Qualified(records.define(ctx, definition))
        case _:
            found = Qualified(OpaqueType("?", "a type that was not read"))
    if ctx.unit.assumed_bytes != ASSUMED_BYTES:
        found = replace(found, type=layout.at_assumed(found.type, ctx.unit.assumed_bytes))
    return found.qualified("const" in words, "volatile" in words) if words else found


def _function(ctx: Lowering, node: syn.FunctionOf) -> FunctionType:
    parameters: list[Qualified] = []
    for parameter in node.parameters:
        given = expanded(ctx, parameter.type) if parameter.pack else [qualified(ctx, parameter.type)]
        parameters.extend(decayed(each).unqualified if not each.reference else each for each in given)
    if len(parameters) == 1 and parameters[0].type == VOID and not parameters[0].reference:
        parameters = []
    result = qualified(ctx, node.result)
    return FunctionType("function", "a function type", result=result, parameters=tuple(parameters))


def expanded(ctx: Lowering, pattern: syn.TypeNode) -> list[Qualified]:
    """The types that `pattern...` stands for."""
    found: list[Qualified] = []
    for scope in packs.elementwise(ctx, pattern):
        with ctx.in_scope(scope):
            found.append(qualified(ctx, pattern))
    return found


def decayed(type: Qualified) -> Qualified:
    """What a parameter of that type is: arrays and functions are pointers."""
    if type.reference:
        return type
    if isinstance(type.type, ArrayType):
        return Qualified(PointerType(type.type.element, type.volatile, False, type.const))
    return Qualified(PointerType(type.type)) if isinstance(type.type, FunctionType) else type


def pointer_to(ctx: Lowering, target: syn.TypeNode, restrict: bool = False) -> PointerType:
    """A pointer to the type that `target` spells, with that type's const and volatile."""
    found = qualified(ctx, target)
    return PointerType(found.type, found.volatile, restrict, found.const)


def qualifiers_of(node: syn.TypeNode) -> frozenset[str]:
    """The qualifiers of an object of this type: those of an array are its elements'."""
    qualifiers = node.qualifiers
    while isinstance(node, syn.ArrayOf):
        node = node.element
        qualifiers |= node.qualifiers
    return qualifiers


def complete(ctx: Lowering, type: Type) -> Type:
    """The definition of a record that was only known by name when a pointer to it was made."""
    if isinstance(type, OpaqueType) and type.why == INCOMPLETE:
        return ctx.types.get(type.name, type)
    return type


def _extent(ctx: Lowering, node: syn.Expr) -> Expr:
    """The extent of an array: a constant, an expression of opaque constants, or a recorded unknown."""
    value = lower_expressions.constant(ctx, node)
    if value is not None and isinstance(value.value, int):
        return Const(max(0, value.value), SIZE_T)
    with ctx.block() as block:
        expr = lower_expressions.value(ctx, node).expr
    if isinstance(expr, UnknownExpr):
        return expr
    read = variables_in(expr)
    if read and not block and all(ctx.variables[var].parameter for var in read):
        return expr
    cause = ctx.cause(CauseKind.UNSUPPORTED, f"the extent `{spelling(node)}` is not a constant", node.span)
    return UnknownExpr(cause, SIZE_T)


# --- names ------------------------------------------------------------------------------------------------------


def _named(ctx: Lowering, node: syn.NamedType) -> Qualified:
    name = node.name.removeprefix("::")
    for word in ("struct ", "class ", "union ", "enum ", "typename "):
        name = name.removeprefix(word)
    if name in ("decltype", "decltype()") and node.operand is not None:
        return expression_types.declared_type(ctx, node.operand, name == "decltype()")
    if " " in name or name in _KEYWORDS:
        known = scalar_named(name)
        if known is not None:
            return Qualified(known)
    declared = find_qualified(ctx, name, node.template_args, node.parts)
    if declared is not None:
        return declared
    trait = type_traits.named_type(ctx, name, node.template_args)
    if trait is not None:
        return trait
    plain = name.removeprefix("cuda::").removeprefix("std::")
    found: Type | None = (
        scalar_named(plain) if plain != name else None
    )  # std::int64_t is a scalar before it is of the library
    if found is None:
        found = lower_calls.library_type(ctx, name, node.template_args)
    if found is None:
        found = scalar_named(name) or VECTORS.get(name.removeprefix("cuda::std::"))
    if found is not None:
        return Qualified(found)
    if name == "auto":
        return Qualified(OpaqueType("auto", "deduced from what it is initialised with"))
    if "::" in name:  # Any other name is declared somewhere, if not here.
        ctx.refuse(certain=_lacks(ctx, node))
    integer = stated_types.integer(ctx, name, node.span, NOT_DECLARED) if node.template_args is None else None
    if integer is not None:
        return Qualified(integer)
    ctx.cause(CauseKind.MISSING, names.missing_reason(ctx, name, "type"), node.span)
    return Qualified(OpaqueType(name, NOT_DECLARED))


def _lacks(ctx: Lowering, node: syn.NamedType) -> bool:
    """Whether `T::x` names a member that the type T surely does not have."""
    head = node.name.rpartition("::")[0]
    if not head:
        return False
    args = node.parts[-2] if node.parts else node.template_args
    outer = find_qualified(ctx, head, args, node.parts[:-1])
    if outer is None:
        declared = ctx.unit.find_records(head, ctx.scope.root().namespace)
        return scalar_named(head) is not None or any(d.declared for d in declared)
    return not identity.is_open(outer.type) and not (isinstance(outer.type, OpaqueType))


_KEYWORDS = frozenset(
    [
        "void",
        "bool",
        "char",
        "short",
        "int",
        "long",
        "float",
        "double",
        "unsigned",
        "signed",
        "wchar_t",
        "__int64",
        "__int128",
    ]
)


def find_type(ctx: Lowering, name: str, args: tuple[syn.TemplateArg, ...] | None, parts: syn.Parts = ()) -> Type | None:
    """The type that `name<args>` names from the present scope, as the IR has it; None if the unit declares none of
    that name."""
    found = find_qualified(ctx, name, args, parts)
    return None if found is None else found.plain


def find_qualified(
    ctx: Lowering, name: str, args: tuple[syn.TemplateArg, ...] | None, parts: syn.Parts = ()
) -> Qualified | None:
    """The type that `name<args>` names from the present scope; None if the unit declares none of that name.

    `parts`: the template arguments of each part of a qualified name, else `args` may belong to any."""
    namespace = ctx.scope.root().namespace
    if "::" not in name:
        binding = ctx.scope.find(name)
        if isinstance(binding, Qualified):
            return binding
        if isinstance(binding, TemplateBinding):
            return _of_candidates(ctx, (binding.name,), args)
        if binding is not None:
            return None
    head, _, last = name.rpartition("::")
    if head and not name.startswith("::"):
        found, settled = nested_types.member_type(ctx, head, last, args, parts)
        if found is not None or settled:
            return found
    elif not head:
        nested = nested_types.around(ctx, last, args) or nested_types.inherited(ctx, last, args)
        if nested is not None:
            return nested
    return _of_candidates(ctx, ctx.unit.qualified(name, namespace), parts[-1] if parts else args)


def _of_candidates(
    ctx: Lowering, candidates: Iterable[str], args: tuple[syn.TemplateArg, ...] | None
) -> Qualified | None:
    unit = ctx.unit
    for candidate in candidates:
        alias = unit.aliases.get(candidate)
        if alias is not None and f"alias {candidate}" not in ctx.resolving:
            return aliased(ctx, candidate, alias, args)
        definitions = unit.records.get(candidate)
        if definitions:
            found = records.instantiate(ctx, candidate, definitions, args or ())
            return None if found is None else Qualified(found)
        definition = unit.enums.get(candidate)
        if definition is not None:
            return Qualified(enumerations.enum_type(ctx, definition))
    return None


def aliased(
    ctx: Lowering,
    name: str,
    alias: syn.TypeAlias,
    args: tuple[syn.TemplateArg, ...] | None,
    inside: Scope | None = None,
) -> Qualified | None:
    """What a typedef stands for; `inside`: the scope of the class instance that declares it."""
    memo = f"alias {name}"
    known = ctx.aliases.get(memo) if alias.template is None else None
    if known is not None:
        return known
    bindings = (
        template_arguments.bind_template(ctx, alias.template, args or (), alias.scope)
        if alias.template is not None
        else {}
    )
    home = _home(ctx, alias.scope) if inside is None else inside.bindings
    ctx.resolving.add(memo)
    try:
        with ctx.in_scope(Scope(None, alias.scope if inside is None else inside.namespace, {**home, **bindings})):
            if isinstance(alias.type, syn.RecordType) and isinstance(alias.type.definition, syn.RecordDef):
                result = Qualified(records.define(ctx, alias.type.definition, name))
            else:
                result = qualified(ctx, alias.type)
            if alias.alignments:
                said = records.alignment(ctx, alias.alignments)
                result = replace(result, align=-1 if said is None else said)
    finally:
        ctx.resolving.discard(memo)
    if alias.template is None and _may_stay(ctx, result.type) and (not home or inside is not None):
        ctx.aliases[memo] = result
    return result


def _may_stay(ctx: Lowering, type: Type) -> bool:
    """Whether a type may be remembered: in a scratch context only where it speaks of no variable, which may be gone behind it."""
    return not ctx.scratch_depth or isinstance(type, StructType | ScalarType)


def _home(ctx: Lowering, scope: str) -> Mapping[str, Binding]:
    """The template arguments in force for a member of class `scope`, while that class is being read."""
    root = ctx.scope.root()
    return root.bindings if root.namespace == scope and scope in ctx.unit.records else {}


def record_type(ctx: Lowering, definition: syn.RecordDef, key: str, name: str, bindings: Mapping[str, Binding]) -> Type:
    """The class as a type with its layout: `records.record_type`, for modules that only ask for types."""
    return records.record_type(ctx, definition, key, name, bindings)


# --- sizes ------------------------------------------------------------------------------------------------------


def assume_size(ctx: Lowering, type: Type) -> None:
    """Records which sizes are taken for granted where nobody says how many bytes a type, or a part of it, has."""
    if isinstance(type, OpaqueType) and type.size is None and not type.unsized:
        ctx.assume(size_text(type))
    elif isinstance(type, StructType | ArrayType):
        for one in layout.guesses_in(type):
            ctx.assume(size_text(one))


def unknown_size(ctx: Lowering, type: OpaqueType) -> Cause:
    """Why the size of a type is not known, as a recorded cause."""
    return ctx.cause(CauseKind.MISSING, f"the size of `{type.name}` is not known: {type.why}", None)


def size_expr(ctx: Lowering, type: Type) -> Expr:
    """sizeof as an expression of type size_t: constant unless an extent is opaque."""
    factors: list[Expr] = []
    while isinstance(type, ArrayType):
        if type.extent is not None:
            factors.append(type.extent)
        type = type.element
    type = complete(ctx, type)
    if isinstance(type, OpaqueType):
        if type.unsized:
            return UnknownExpr(unknown_size(ctx, type), SIZE_T)
    assume_size(ctx, type)
    element = layout.size_of(type) or 0
    # Arithmetic on `void*`, a common extension, counts bytes.
    result: Expr = Const(max(1, element) if type == VOID else element, SIZE_T)
    for extent in reversed(factors):
        result = lower_expressions.product(result, extent)
    return result


def stride_expr(ctx: Lowering, type: Type) -> Expr:
    """Bytes from one element of an array to the next.  nvcc says that a `long double` has 16 bytes and treats it as a `double`: how far
    apart objects with one lie in device code is not what sizeof says."""
    if _holds_long_double(type):
        reason = "device code keeps a `long double` as a `double`, in fewer bytes than its size says"
        return UnknownExpr(ctx.cause(CauseKind.UNSUPPORTED, reason, None), SIZE_T)
    return size_expr(ctx, type)


def _holds_long_double(type: Type) -> bool:
    while isinstance(type, ArrayType):
        type = type.element
    if isinstance(type, StructType):
        return any(_holds_long_double(field.type) for field in type.fields)
    return type == LONG_DOUBLE


def alignment_expr(ctx: Lowering, type: Type, said: int = 0) -> Expr:
    """alignof as an expression of type size_t; `said`: what a typedef says of it, as `Qualified.align`."""
    if said > 0:
        return Const(said, SIZE_T)
    if said < 0:
        return UnknownExpr(Cause(CauseKind.UNSUPPORTED, "the alignment that a typedef asks for", None), SIZE_T)
    while isinstance(type, ArrayType):
        type = type.element
    type = complete(ctx, type)
    if isinstance(type, OpaqueType):
        if type.unsized:
            return UnknownExpr(unknown_size(ctx, type), SIZE_T)
        assume_size(ctx, type)
    return Const(layout.align_of(type), SIZE_T)
