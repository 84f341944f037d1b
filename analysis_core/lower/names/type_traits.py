"""The traits of <type_traits> and <utility>, which no header needs to declare: types made of types, and questions with a constant answer.

`std::enable_if`, `std::void_t` and `std::declval` decide which templates fit.  A trait as a type (`std::is_integral<T>`, to derive
from or to make an object of) is the `std::integral_constant` that it derives from.  What a trait cannot know of its argument stays unknown.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.ir import constants, layout
from analysis_core.ir.nodes import Const
from analysis_core.ir.scalars import SIZE_T, identity
from analysis_core.ir.type_names import spell
from analysis_core.ir.types import (
    BOOL,
    INT,
    VOID,
    ArrayType,
    FunctionType,
    OpaqueType,
    PointerType,
    Qualified,
    ScalarKind,
    ScalarType,
    StructType,
    Type,
)
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import enumerations, member_names, packs, ranking, records, resolve, template_arguments
from analysis_core.lower.names.identity import is_open, same
from analysis_core.lower.names.scope import Binding
from analysis_core.lower.objects import conversions
from analysis_core.lower.values import Value
from analysis_core.syntax.read import tree as syn
from analysis_core.text.span import FileId, Span

CONSTANT = "std::integral_constant"


def canonical(ctx: Lowering, name: str) -> str:
    """The name with `std::` in front where it is of the standard library."""
    full = ctx.unit.canonical(name, ctx.scope.root().namespace).replace("cuda::std::", "std::").removeprefix("::")
    if not full.startswith("std::") and "::" not in full.removesuffix("::type").removesuffix("::value"):
        return f"std::{full}" if ctx.unit.uses_namespace("std") else full
    return full


def arguments(ctx: Lowering, args: Sequence[syn.TemplateArg]) -> list[Binding]:
    """What the arguments of a trait are."""
    return [
        template_arguments.meaning(ctx, a) if isinstance(a, syn.Node) else a
        for a in packs.expanded_arguments(ctx, args)
    ]


# --- types ------------------------------------------------------------------------------------------------------


def named_type(ctx: Lowering, name: str, args: Sequence[syn.TemplateArg] | None) -> Qualified | None:
    """The type `std::trait_t<..>`, `std::trait<..>::type`, `std::true_type`; None if it is none of these."""
    full = canonical(ctx, name)
    if not full.startswith("std::"):
        return None
    word = full.removeprefix("std::")
    if word in ("true_type", "false_type"):
        return Qualified(integral_constant(ctx, BOOL, int(word == "true_type")))
    if word == "nullptr_t":
        return Qualified(PointerType(VOID))
    if args is None:
        return None
    base, _, member = word.partition("::")
    if base.endswith("_t") and not member:
        return _made(ctx, base.removesuffix("_t"), args)
    if member == "type" and base in _MADE:
        return _made(ctx, base, args)
    if member not in ("", "type"):
        return _made_constant(ctx, base, args).get(member)
    if base == "integral_constant" and len(args) == 2:
        return _made_constant(ctx, base, args).get("type")
    answer = _answer(ctx, base, args) if base in _ANSWERS else None
    return None if answer is None else Qualified(integral_constant(ctx, answer.type, int(answer.value)))


def _made_constant(ctx: Lowering, base: str, args: Sequence[syn.TemplateArg]) -> dict[str, Qualified]:
    """`std::integral_constant<T, v>` and its member types."""
    if base != "integral_constant" or len(args) != 2:
        return {}
    type, value = arguments(ctx, args)
    folded = constants.fold(value.expr) if isinstance(value, Value) else None
    if not isinstance(type, Qualified) or folded is None or not isinstance(folded.value, int):
        ctx.refuse(certain=False)
        return {}
    made = Qualified(integral_constant(ctx, type.type, folded.value))
    return {"type": made, "value_type": type}


def integral_constant(ctx: Lowering, type: Type, value: int) -> Type:
    """The record `std::integral_constant<type, value>`."""
    reduced = constants.constant(value, type) or Const(value, type)
    key = f"{CONSTANT}<{spell(type)}, {value}>"
    given = (Qualified(type), Value(reduced, type))
    return records.record_type(ctx, _definition(), key, CONSTANT, {"T": given[0], "v": given[1]}, given)


def _definition() -> syn.RecordDef:
    """`template <class T, T v> struct integral_constant`, as it would be read."""
    at = Span(FileId("<type_traits>"), 0, 0)
    kind = syn.NamedType(span=at, name="T")
    value = syn.Name(span=at, name="v")
    parameters = (
        syn.TemplateParameter(span=at, name="T", type=None),
        syn.TemplateParameter(span=at, name="v", type=kind),
    )
    held = syn.VarDecl(
        span=at,
        name="value",
        name_span=at,
        type=kind,
        storage=frozenset({"static", "constexpr"}),
        init=value,
        scope=CONSTANT,
    )
    body = syn.Compound(span=at, body=(syn.Return(span=at, value=value),))
    converting, calling = (
        syn.FunctionDecl(
            span=at, name=name, name_span=at, scope="std", owner="integral_constant", result=kind, parameters=(),
            qualifiers=frozenset({"__device__", "__host__", "constexpr", "const"}), body=body,
        )
        for name in ("operator T", "operator()")
    )  # fmt: skip
    own = syn.NamedType(span=at, name="T")
    return syn.RecordDef(
        span=at, keyword="struct", name="integral_constant", scope="std", bases=(), fields=(),
        methods=(converting, calling), nested=(held, syn.TypeAlias(span=at, name="value_type", scope=CONSTANT, type=own)),
        template=parameters,
    )  # fmt: skip


_MADE = frozenset(
    ["remove_cv", "remove_const", "remove_volatile", "remove_reference", "remove_cvref", "remove_pointer", "remove_extent",
     "remove_all_extents", "add_const", "add_volatile", "add_cv", "add_pointer", "add_lvalue_reference",
     "add_rvalue_reference", "decay", "conditional", "enable_if", "void", "type_identity", "make_signed", "make_unsigned",
     "common_type", "underlying_type", "bool_constant"]
)  # fmt: skip


def _made(ctx: Lowering, base: str, args: Sequence[syn.TemplateArg]) -> Qualified | None:
    """The type that a transformation makes."""
    if base not in _MADE:
        return None
    given = arguments(ctx, args)
    if base == "void":
        return Qualified(VOID)
    if base in ("conditional", "enable_if"):
        return _conditional(ctx, base, given)
    types = [g for g in given if isinstance(g, Qualified)]
    if len(types) != len(given) or not types:
        return None
    if base == "common_type":
        return _common(ctx, types)
    found = _transformed(ctx, base, types[0])
    if found is None:
        ctx.refuse(certain=False)
    return found


def _conditional(ctx: Lowering, base: str, given: Sequence[Binding]) -> Qualified | None:
    condition = given[0] if given else None
    value = constants.fold(condition.expr) if isinstance(condition, Value) else None
    if value is None:
        ctx.refuse(certain=False)
        return Qualified(OpaqueType(f"std::{base}", "its condition is not known"))
    if base == "enable_if":
        if not value.value:
            ctx.refuse(certain=True)
        chosen: Binding = given[1] if len(given) > 1 else Qualified(VOID)
    elif len(given) != 3:
        return None
    else:
        chosen = given[1] if value.value else given[2]
    return chosen if isinstance(chosen, Qualified) else None


def _common(ctx: Lowering, types: Sequence[Qualified]) -> Qualified | None:
    result = resolve.decayed(types[0].value).unqualified
    for other in types[1:]:
        right = resolve.decayed(other.value).unqualified
        if same(result, right):
            continue
        if not conversions.is_arithmetic(result.type) or not conversions.is_arithmetic(right.type):
            ctx.refuse(certain=False)
            return None
        result = Qualified(conversions.arithmetic(result.type, right.type))
    return result


def _transformed(ctx: Lowering, base: str, type: Qualified) -> Qualified | None:
    match base:
        case "type_identity":
            return type
        case "remove_cv":
            return type if type.reference else type.unqualified
        case "remove_const":
            return type if type.reference else Qualified(type.type, False, type.volatile)
        case "remove_volatile":
            return type if type.reference else Qualified(type.type, type.const, False)
        case "remove_reference":
            return type.value
        case "remove_cvref":
            return type.value.unqualified
        case "add_const" | "add_volatile" | "add_cv":
            return type.qualified(base != "add_volatile", base != "add_const")
        case "add_pointer":
            return Qualified(PointerType(type.type, type.volatile, False, type.const))
        case "add_lvalue_reference" | "add_rvalue_reference":
            return type if type.type == VOID else type.referred("&" if "lvalue" in base else "&&")
        case "decay":
            return resolve.decayed(type.value).unqualified
        case "remove_pointer":
            pointer = None if type.reference else type.type
            return (
                Qualified(pointer.target, pointer.const, pointer.volatile) if isinstance(pointer, PointerType) else type
            )
        case "remove_extent" | "remove_all_extents":
            return _without_extent(type, base == "remove_all_extents")
        case "make_signed" | "make_unsigned":
            return _with_sign(type, base == "make_signed")
        case "underlying_type":
            return _underlying(ctx, type)
        case _:
            return None


def _without_extent(type: Qualified, all_of_them: bool) -> Qualified:
    while isinstance(type.type, ArrayType) and not type.reference:
        type = Qualified(type.type.element, type.const, type.volatile)
        if not all_of_them:
            break
    return type


def _with_sign(type: Qualified, signed: bool) -> Qualified | None:
    kind = type.type
    if not isinstance(kind, ScalarType) or kind.kind is not ScalarKind.INT:
        return None
    if identity(kind) in ("long long", "unsigned long long"):
        name = "long long" if signed else "unsigned long long"
    else:
        word = {1: "char", 2: "short", 4: "int", 8: "long"}.get(kind.size, "__int128")
        name = ("signed char" if word == "char" else word) if signed else f"unsigned {word}"
    return Qualified(ScalarType(ScalarKind.INT, kind.size, signed, name), type.const, type.volatile)


def _underlying(ctx: Lowering, type: Qualified) -> Qualified | None:
    if not ranking.enumeration(ctx.unit, type.type) or not isinstance(type.type, ScalarType):
        return None
    definition = ctx.unit.enums[type.type.name]
    if definition.underlying is not None:
        return resolve.qualified(ctx, definition.underlying)
    signed = type.type.signed and enumerations.has_signed_type(ctx, definition)
    word = ("" if signed else "unsigned ") + ("int" if type.type.size == INT.size else "long")
    return Qualified(ScalarType(ScalarKind.INT, type.type.size, signed, word))


# --- answers ----------------------------------------------------------------------------------------------------

_ANSWERS = frozenset(
    ["is_same", "is_integral", "is_floating_point", "is_arithmetic", "is_signed", "is_unsigned", "is_pointer", "is_array",
     "is_void", "is_class", "is_union", "is_enum", "is_const", "is_volatile", "is_reference", "is_lvalue_reference",
     "is_rvalue_reference", "is_function", "is_null_pointer", "is_scalar", "is_fundamental", "is_compound", "is_object",
     "is_base_of", "is_convertible", "rank", "extent", "alignment_of", "conjunction", "disjunction", "negation",
     "bool_constant", "integral_constant"]
)  # fmt: skip


def constant_named(ctx: Lowering, name: str, args: Sequence[syn.TemplateArg] | None) -> Const | None:
    """`std::is_same<A, B>::value`, `std::is_same_v<A, B>` and relatives, where they can be decided."""
    full = canonical(ctx, name)
    if not full.startswith("std::"):
        return None
    word = full.removeprefix("std::")
    if word in ("true_type::value", "false_type::value"):
        return Const(int(word == "true_type::value"), BOOL)
    base = word.removesuffix("::value").removesuffix("_v")
    if base == word or args is None or base not in _ANSWERS:
        return None
    return _answer(ctx, base, args)


def _answer(ctx: Lowering, base: str, args: Sequence[syn.TemplateArg]) -> Const | None:
    given = arguments(ctx, args)
    if base in ("conjunction", "disjunction", "negation"):
        return _combined(ctx, base, given)
    if base in ("bool_constant", "integral_constant"):
        value = constants.fold(given[-1].expr) if given and isinstance(given[-1], Value) else None
        if value is None or base == "bool_constant":
            return value
        type = given[0]
        return constants.constant(value.value, type.type) if isinstance(type, Qualified) else None
    types = [g for g in given if isinstance(g, Qualified)]
    if not types or (len(types) != len(given) and base != "extent"):
        return None
    if base in ("rank", "extent", "alignment_of"):
        return _number(ctx, base, types[0], given[1:])
    answer = _related(ctx, base, types[0], types[1]) if len(types) == 2 else _is(ctx, base, types[0])
    return None if answer is None else Const(int(answer), BOOL)


def _combined(ctx: Lowering, base: str, given: Sequence[Binding]) -> Const | None:
    """Traits of traits: each argument is a type with a `value`."""
    values: list[bool | None] = [_value_of(ctx, binding) for binding in given]
    if base == "negation":
        return None if not values or values[0] is None else Const(int(not values[0]), BOOL)
    decisive = base == "disjunction"
    for value in values:
        if value is None:
            return None
        if value is decisive:
            return Const(int(decisive), BOOL)
    return Const(int(not decisive), BOOL)


def _value_of(ctx: Lowering, binding: Binding) -> bool | None:
    type = binding.type if isinstance(binding, Qualified) else None
    found = member_names.constant(ctx, type, "value") if isinstance(type, StructType) else None
    return None if found is None else bool(found.value)


def _number(ctx: Lowering, base: str, type: Qualified, rest: Sequence[Binding]) -> Const | None:
    if base == "alignment_of":
        if layout.is_guessed(type.type):
            return None
        return Const(layout.align_of(type.type), SIZE_T)
    extents: list[int | None] = []
    inner = type.type
    while isinstance(inner, ArrayType) and not type.reference:
        extents.append(int(inner.extent.value) if isinstance(inner.extent, Const) else 0)
        inner = inner.element
    if base == "rank":
        return Const(len(extents), SIZE_T)
    axis = constants.fold_int(rest[0].expr) if rest and isinstance(rest[0], Value) else 0
    if axis is None:
        return None
    found = extents[axis] if axis < len(extents) else 0
    return None if found is None else Const(found, SIZE_T)


def _related(ctx: Lowering, base: str, left: Qualified, right: Qualified) -> bool | None:
    unknown = is_open(left.type) or is_open(right.type)
    if base == "is_same":
        return True if same(left, right) else None if unknown else False
    if unknown:
        return None
    if base == "is_base_of":
        both_classes = isinstance(left.type, StructType) and isinstance(right.type, StructType)
        return both_classes and (
            same(left.unqualified, right.unqualified) or bool(ranking.base_depth(ctx, right.type, left.type))
        )
    if base == "is_convertible":
        if VOID in (left.type, right.type):
            return left.type == right.type
        return ranking.convert(ctx, left if left.reference else left.referred("&&"), right) is not None
    return None


_PREDICATES = ("is_integral", "is_floating_point", "is_arithmetic", "is_signed", "is_unsigned", "is_void", "is_scalar",
               "is_fundamental", "is_compound", "is_enum", "is_class", "is_union", "is_pointer", "is_array", "is_object",
               "is_function", "is_null_pointer")  # fmt: skip


def _is(ctx: Lowering, base: str, type: Qualified) -> bool | None:
    match base:
        case "is_const":
            return type.const and not type.reference
        case "is_volatile":
            return type.volatile and not type.reference
        case "is_reference":
            return bool(type.reference)
        case "is_lvalue_reference":
            return type.reference == "&"
        case "is_rvalue_reference":
            return type.reference == "&&"
        case _:
            pass
    if base not in _PREDICATES:
        return None
    if type.reference:
        return base == "is_compound"
    if base == "is_null_pointer" and type.type == PointerType(VOID):
        return None  # `void *` and the type of `nullptr` are one here
    if isinstance(type.type, OpaqueType) and not isinstance(type.type, FunctionType):
        return False if type.type.name == "lambda" and base != "is_class" else None
    return _of_kind(ctx, base, type.type)


def _of_kind(ctx: Lowering, base: str, type: Type) -> bool:
    scalar = type if isinstance(type, ScalarType) else None
    enum = ranking.enumeration(ctx.unit, type)
    pointer = isinstance(type, PointerType)
    number = scalar is not None and scalar.kind is not ScalarKind.VOID and not enum
    # half and bfloat16 are classes, for which the standard's traits say no.
    integral = number and scalar is not None and scalar.kind in (ScalarKind.INT, ScalarKind.BOOL)
    floating = number and scalar is not None and scalar.kind is ScalarKind.FLOAT and scalar.size >= 4
    is_class = isinstance(type, StructType) or (number and not integral and not floating)
    answers = {
        "is_integral": integral,
        "is_floating_point": floating,
        "is_arithmetic": integral or floating,
        "is_signed": floating or (integral and scalar is not None and scalar.kind is ScalarKind.INT and scalar.signed),
        "is_unsigned": integral and scalar is not None and not (scalar.kind is ScalarKind.INT and scalar.signed),
        "is_void": type == VOID,
        "is_scalar": integral or floating or enum or pointer,
        "is_fundamental": integral or floating or type == VOID,
        "is_compound": not (integral or floating or type == VOID),
        "is_enum": enum,
        "is_class": is_class and not _is_union(ctx, type),
        "is_union": _is_union(ctx, type),
        "is_pointer": pointer,
        "is_array": isinstance(type, ArrayType),
        "is_object": not isinstance(type, FunctionType) and type != VOID,
        "is_function": isinstance(type, FunctionType),
        "is_null_pointer": False,
    }
    return answers[base]


def _is_union(ctx: Lowering, type: Type) -> bool:
    instance = ctx.instances.get(type.name) if isinstance(type, StructType) else None
    return instance is not None and instance.definition.keyword == "union"
