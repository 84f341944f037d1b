"""Calls of the device library: what the tables of `intrinsics.py` say, turned into IR.

Order of the questions, by the unqualified or the canonical name of the function: pure functions, vector constructors,
cached loads and stores, functions with out-pointers, values that differ by execution, calls without effect, memory
functions, textures; last the prefixes of what is known to be outside of the analysis.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.ir.nodes import Expr, Fence, Inlined, Intrinsic
from analysis_core.ir.scalars import SIZE_T
from analysis_core.ir.type_names import spell
from analysis_core.ir.types import (
    DOUBLE,
    FLOAT,
    INT,
    VOID,
    OpaqueType,
    PointerType,
    Qualified,
    ScalarKind,
    ScalarType,
    StructType,
    Type,
)
from analysis_core.lower.context import Lowering
from analysis_core.lower.library import contracts, intrinsics, library_types, model_calls, warp_primitives
from analysis_core.lower.names import template_arguments
from analysis_core.lower.objects import bind_parameters, block_moves, conversions, copies
from analysis_core.lower.statements import inline, lower_lvalues
from analysis_core.lower.statements.arguments import Argument
from analysis_core.lower.values import (
    VOID_VALUE,
    ArrayValue,
    Category,
    Memory,
    Operand,
    StructPlace,
    StructValue,
    Value,
    type_of,
    with_category,
    with_const,
)
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn


def call(
    ctx: Lowering,
    name: str,
    template_args: Sequence[syn.TemplateArg] | None,
    arguments: Sequence[Argument],
    node: syn.Call,
) -> Operand | None:
    """A function of the library by its canonical name ("std::min"); None if it is not known at all."""
    namespace, _, bare = name.rpartition("::")
    if namespace in intrinsics.PURE_NAMESPACES:
        found = _plain(ctx, bare, template_args, arguments, node)
        if found is not None:
            return found
    if namespace == model_calls.NAMESPACE:
        return model_calls.call(ctx, name, template_args, arguments, node)
    if "numeric_limits::" in name:
        limit = library_types.numeric_limit(ctx, name, template_args)
        if limit is not None:
            return Value(limit, limit.type)
        type = library_types.argument_type(ctx, template_args[0]) if template_args else None
        if type is not None:
            reason = f"a limit of `{spell(type)}` is not known"
            return inline.unknown_result(ctx, CauseKind.MISSING, reason, type, node.span)
    for prefix, what in intrinsics.UNSUPPORTED_PREFIXES:
        if name.startswith(prefix):
            if name == intrinsics.SEEDING and _skips_far(arguments):
                ctx.emit(Inlined(name, (), node.span))  # a call, whatever it does
            reason = f"'{name}': {what}"
            operands = [a.operand for a in arguments]
            result = OpaqueType(name, reason)
            return inline.opaque_call(ctx, CauseKind.UNSUPPORTED, reason, operands, result, node.span)
    return None


def _skips_far(arguments: Sequence[Argument]) -> bool:
    """Whether a generator has to be moved to a subsequence far away."""
    if len(arguments) != 4:
        return False
    subsequence, state = arguments[1].node, arguments[3].operand
    type = type_of(state) if state is not None else None
    target = type.target if isinstance(type, PointerType) else None
    counts = not isinstance(target, StructType) or "Philox" in target.name
    return not counts and not (isinstance(subsequence, syn.Literal) and subsequence.text == "0")


def looked_at(name: str, arguments: Sequence[syn.Expr]) -> Sequence[syn.Expr]:
    """The arguments of a call that mean something: not the texts that `printf` and its kind are given, nor what only a compiler checks."""
    bare = name.rpartition("::")[2]
    if bare not in intrinsics.NO_EFFECT:
        return arguments
    if bare in intrinsics.UNEVALUATED:
        return ()
    return [a for a in arguments if not (isinstance(a, syn.Literal) and a.kind is syn.LiteralKind.STRING)]


def is_known(name: str) -> bool:
    """Whether an unqualified name is one of the library's (a function of the user's own may still come first)."""
    return (
        name in intrinsics.PURE
        or name in intrinsics.VECTOR_CONSTRUCTORS
        or name in intrinsics.CACHED_LOADS
        or name in intrinsics.CACHED_STORES
        or name in intrinsics.OUT_POINTERS
        or name in intrinsics.FRESH
        or name in intrinsics.NO_EFFECT
        or name in intrinsics.IDENTITY | intrinsics.ADDRESS_TO_NUMBER | intrinsics.NUMBER_TO_ADDRESS
    )


def _plain(
    ctx: Lowering,
    name: str,
    template_args: Sequence[syn.TemplateArg] | None,
    arguments: Sequence[Argument],
    node: syn.Call,
) -> Operand | None:
    if name in intrinsics.PURE:
        return pure(ctx, name, template_args, arguments, node)
    if name in intrinsics.VECTOR_CONSTRUCTORS:
        return _vector(ctx, intrinsics.VECTOR_CONSTRUCTORS[name], arguments, node)
    if name in intrinsics.CACHED_LOADS and arguments:
        place = lower_lvalues.dereference(ctx, inline.loaded(ctx, arguments[0]), node)
        return lower_lvalues.load(ctx, place, _pointee(arguments[0].node))
    if name in intrinsics.CACHED_STORES and len(arguments) > 1:
        value = inline.loaded(ctx, arguments[1])
        place = lower_lvalues.dereference(ctx, inline.loaded(ctx, arguments[0]), node)
        lower_lvalues.store(
            ctx, place, conversions.convert(ctx, value, type_of(place), node), _pointee(arguments[0].node)
        )
        return VOID_VALUE
    if name in intrinsics.OUT_POINTERS:
        return _out_pointers(ctx, name, arguments, node)
    if name in intrinsics.FRESH:
        type = library_types.type_word(intrinsics.FRESH[name])
        return warp_primitives.clock(ctx, type, node.span)
    if name in intrinsics.FENCES:
        ctx.emit(Fence(name, node.span))
    if name in intrinsics.NO_EFFECT:
        for argument in arguments:
            if argument.operand is not None and not isinstance(argument.node, syn.Literal):
                contracts.note(ctx, name, inline.loaded(ctx, argument), argument.node)
        return _answer(ctx, name, node)
    if name in intrinsics.IDENTITY and arguments:
        operand = arguments[0].operand
        if operand is None:
            return inline.loaded(ctx, arguments[0])
        if copies.is_chosen_object(ctx, arguments[0].node, operand):
            return None
        if name == "as_const":
            return with_const(operand, True)
        return with_category(operand, _category_passed_on(ctx, name, template_args, arguments[0].node))
    if name in intrinsics.ADDRESS_TO_NUMBER | intrinsics.NUMBER_TO_ADDRESS and arguments:
        address = inline.pointer_value(ctx, arguments[0])
        type = SIZE_T if name in intrinsics.ADDRESS_TO_NUMBER else PointerType(VOID)
        return None if address is None else Value(conversions.cast(address.expr, type), type)
    if name in intrinsics.ADDRESS_SPACE_TESTS:
        reason = f"'{name}' depends on where a pointer points"
        return inline.unknown_result(ctx, CauseKind.DATA, reason, INT, node.span)
    if name in ("addressof", "__addressof") and arguments and arguments[0].operand is not None:
        return lower_lvalues.address_of(ctx, arguments[0].operand, node)
    if name == "swap" and len(arguments) == 2:
        return _swap(ctx, arguments, node)
    return _memory(ctx, name, template_args, arguments, node)


def _answer(ctx: Lowering, name: str, node: syn.Call) -> Operand:
    """What a function returns whose effects are none that anybody follows."""
    if name in intrinsics.ANSWERING:
        return inline.unknown_result(ctx, CauseKind.DATA, f"what `{name}` returns is not known", INT, node.span)
    return VOID_VALUE


def _category_passed_on(
    ctx: Lowering, name: str, template_args: Sequence[syn.TemplateArg] | None, node: syn.Expr
) -> Category:
    """What `move` and `forward` make of a place; `forward` gives back what its parameter was bound to."""
    if name == "move":
        return Category.XVALUE
    if name == "forward" and template_args:
        given = template_arguments.meaning(ctx, template_args[0])
        return Category.LVALUE if isinstance(given, Qualified) and given.reference == "&" else Category.XVALUE
    bound = ctx.scope.find(node.name) if name == "forward" and isinstance(node, syn.Name) else None
    if isinstance(bound, StructPlace | Memory) and bound.category is not Category.LVALUE:
        return Category.XVALUE
    return Category.LVALUE


def _pointee(node: syn.Expr) -> syn.Expr:
    """The lvalue that a pointer argument leads to: `a[i]` of `&a[i]`, else `*p`."""
    if isinstance(node, syn.Unary) and node.op == "&":
        return node.operand
    return syn.Unary(span=node.span, expansion=node.expansion, op="*", operand=node)


# --- pure functions ---------------------------------------------------------------------------------------------


def pure(
    ctx: Lowering,
    name: str,
    template_args: Sequence[syn.TemplateArg] | None,
    arguments: Sequence[Argument],
    node: syn.Call,
) -> Operand | None:
    """A pure function of the tables; None if no entry has this number of arguments."""
    values = [inline.loaded(ctx, a) for a in arguments]
    entries = [f for f in intrinsics.PURE[name] if len(f.parameters) == len(values)]
    if not entries:
        return None
    function = _choose(entries, values)
    chosen = library_types.argument_type(ctx, template_args[0]) if template_args else None
    common = chosen if chosen is not None else _common(values)
    args: list[Expr] = []
    for word, value in zip(function.parameters, values):
        args.extend(_converted(ctx, word, value, common, values))
    result = _result_type(function.result, common, values)
    return _made(function.canonical, tuple(args), result)


def _choose(entries: Sequence[intrinsics.PureFunction], values: Sequence[Operand]) -> intrinsics.PureFunction:
    """Of a name with integer and half versions, that of the arguments."""
    if len(entries) == 1:
        return entries[0]
    integers = all(_is_integer(type_of(v)) for v in values)
    return entries[0] if integers else entries[-1]


def _is_integer(type: Type) -> bool:
    return isinstance(type, ScalarType) and type.kind in (ScalarKind.INT, ScalarKind.BOOL)


def _common(values: Sequence[Operand]) -> Type:
    """The common type by the usual arithmetic conversions; that of the first argument if it is not arithmetic."""
    result = type_of(values[0]) if values else INT
    if len(values) == 1:
        return conversions.promote(result)
    for value in values[1:]:
        result = conversions.arithmetic(result, type_of(value))
    return result


def _floating(values: Sequence[Operand]) -> Type:
    """float if every argument is; half and bfloat16 keep their type; anything else is computed in double."""
    types = [type_of(v) for v in values]
    opaque = next((t for t in types if isinstance(t, OpaqueType)), None)
    if opaque is not None:
        return opaque
    if all(isinstance(t, ScalarType) and t.kind is ScalarKind.FLOAT and t.size <= 4 for t in types):
        return types[0] if all(t == types[0] for t in types) else FLOAT
    return DOUBLE


def _word_type(word: str, common: Type, values: Sequence[Operand]) -> Type | None:
    """The type of a table word; None for a value that stays as it is."""
    match word:
        case "T":
            return common
        case "F":
            return _floating(values)
        case "A":
            return None
        case _:
            return library_types.type_word(word)


def _result_type(word: str, common: Type, values: Sequence[Operand]) -> Type:
    type = _word_type(word, common, values)
    if type is not None:
        return type
    first = type_of(values[0]) if values else INT
    return conversions.promote(first)


def _converted(ctx: Lowering, word: str, value: Operand, common: Type, values: Sequence[Operand]) -> list[Expr]:
    """The scalars of an argument, converted to the parameter's type."""
    type = _word_type(word, common, values)
    match value:
        case Value() if type is not None and not isinstance(type, StructType):
            return [conversions.convert_value(ctx, value, type).expr]
        case Value():
            return [conversions.convert_value(ctx, value, conversions.promote(value.type)).expr]
        case _:
            return scalars(value)


def scalars(value: Operand) -> list[Expr]:
    """The scalar expressions of an rvalue, in order."""
    match value:
        case Value():
            return [value.expr]
        case StructValue():
            return [expr for part in value.fields for expr in scalars(part)]
        case ArrayValue():
            return [expr for part in value.elements for expr in scalars(part)]
        case _:
            return []


def _made(name: str, args: tuple[Expr, ...], result: Type) -> Operand:
    """The call's value: one `Intrinsic`, or one per component of a vector ("vadd.x")."""
    if not isinstance(result, StructType):
        return Value(Intrinsic(name, args, result), result)
    parts = tuple(_made(f"{name}.{field.name}", args, field.type) for field in result.fields)
    return StructValue(result, parts)


def _vector(ctx: Lowering, word: str, arguments: Sequence[Argument], node: syn.Call) -> Operand | None:
    """`make_float4(a, b, c, d)`: each component converted to its type."""
    type = library_types.type_word(word)
    if not isinstance(type, StructType) or len(arguments) != len(type.fields):
        return None
    values = [inline.loaded(ctx, a) for a in arguments]
    parts = []
    for position, (field, value) in enumerate(zip(type.fields, values)):
        converted = conversions.convert(ctx, value, field.type, arguments[position].node)
        parts.append(converted)
    return StructValue(type, tuple(parts))


def _out_pointers(ctx: Lowering, name: str, arguments: Sequence[Argument], node: syn.Call) -> Operand | None:
    """`sincosf(x, &s, &c)`: every out-pointer receives a pure function of the leading values."""
    returned, stored = intrinsics.OUT_POINTERS[name]
    leading = len(arguments) - len(stored)
    if leading < 1:
        return None
    values = [inline.loaded(ctx, a) for a in arguments[:leading]]
    type: Type = FLOAT if name.endswith("f") else _floating(values)
    args = tuple(conversions.convert_value(ctx, v, type).expr for v in values if isinstance(v, Value))
    for function, argument in zip(stored, arguments[leading:]):
        place = lower_lvalues.dereference(ctx, inline.loaded(ctx, argument), argument.node)
        target = type_of(place)
        value = Value(Intrinsic(function, args, type), type)
        lower_lvalues.store(ctx, place, conversions.convert_value(ctx, value, target), argument.node)
    return VOID_VALUE if returned is None else Value(Intrinsic(returned, args, type), type)


def _swap(ctx: Lowering, arguments: Sequence[Argument], node: syn.Call) -> Operand | None:
    """`std::swap(a, b)` of two lvalues."""
    left, right = arguments[0].operand, arguments[1].operand
    if left is None or right is None or copies.stays_place(ctx, left):
        return None
    first = lower_lvalues.load(ctx, left, node)
    mark = ctx.mark()
    second = lower_lvalues.load(ctx, right, node)
    lower_lvalues.store(ctx, left, second, node)
    lower_lvalues.store(ctx, right, bind_parameters.keep_operand(ctx, first, mark), node)
    return VOID_VALUE


# --- memory -----------------------------------------------------------------------------------------------------


def _memory(
    ctx: Lowering,
    name: str,
    template_args: Sequence[syn.TemplateArg] | None,
    arguments: Sequence[Argument],
    node: syn.Call,
) -> Operand | None:
    """Allocation, block moves, textures and surfaces."""
    operands = [a.operand for a in arguments]
    if name in intrinsics.HEAP:
        ctx.emit(Inlined(name, (), node.span))  # a call, whatever it does
    if name in intrinsics.ALLOCATION_TO_PLACE:
        reason = f"where '{name}' puts its memory is not known"
        return inline.opaque_call(ctx, CauseKind.UNSUPPORTED, reason, operands, INT, node.span)
    if name in intrinsics.ALLOCATION:
        for argument in arguments:
            inline.loaded(ctx, argument)
        reason = f"where '{name}' puts its memory is not known"
        return inline.unknown_result(ctx, CauseKind.UNSUPPORTED, reason, PointerType(VOID), node.span)
    if name in intrinsics.RELEASE:
        return _answer(ctx, name, node)
    if name in intrinsics.BLOCK_MOVES:
        moved = block_moves.moved(ctx, name, arguments, node)
        if moved is not None:
            return moved
        reason = f"'{name}' in device code: how the compiler moves the bytes is not known"
        return inline.opaque_call(ctx, CauseKind.UNSUPPORTED, reason, operands, VOID, node.span)
    if intrinsics.SURFACE_WRITE.match(name):
        for argument in arguments:
            inline.loaded(ctx, argument)
        return VOID_VALUE
    if intrinsics.TEXTURE_FETCH.match(name):
        return _texture(ctx, name, template_args, arguments, node)
    return None


def _texture(
    ctx: Lowering,
    name: str,
    template_args: Sequence[syn.TemplateArg] | None,
    arguments: Sequence[Argument],
    node: syn.Call,
) -> Operand:
    """A fetch: texture memory is not counted, its contents are data.  The element type is the template argument,
    the target of a leading out-pointer, or that of the texture reference."""
    reason = intrinsics.TEXTURE_VALUE
    if template_args:
        type = library_types.argument_type(ctx, template_args[0])
        if type is not None:
            for argument in arguments:
                inline.loaded(ctx, argument)
            return inline.unknown_result(ctx, CauseKind.DATA, reason, type, node.span)
    for argument in arguments[1:]:
        inline.loaded(ctx, argument)
    declared = _reference_type(ctx, arguments[0].node) if arguments else None
    if declared is not None:
        return inline.unknown_result(ctx, CauseKind.DATA, reason, declared, node.span)
    if arguments:
        out = inline.loaded(ctx, arguments[0])
        if isinstance(type_of(out), PointerType):
            place = lower_lvalues.dereference(ctx, out, node)
            lower_lvalues.store(
                ctx, place, inline.unknown_result(ctx, CauseKind.DATA, reason, type_of(place), node.span), node
            )
            return VOID_VALUE
    return inline.unknown_result(ctx, CauseKind.DATA, reason, OpaqueType("texel", reason), node.span)


def _reference_type(ctx: Lowering, node: syn.Expr) -> Type | None:
    """The element type of a texture reference declared at file scope, `texture<float4, 2> t;`."""
    if not isinstance(node, syn.Name):
        return None
    found = ctx.unit.find_variable(node.name, ctx.scope.root().namespace)
    if found is None or not isinstance(found[1].type, syn.NamedType):
        return None
    declared = found[1].type
    if declared.name.rpartition("::")[2] != "texture" or not declared.template_args:
        return None
    type = library_types.argument_type(ctx, declared.template_args[0])
    normalised = any(
        isinstance(arg, syn.NamedType | syn.Name) and arg.name == "cudaReadModeNormalizedFloat"
        for arg in declared.template_args
    )
    return _normalised(type) if normalised and type is not None else type


def _normalised(type: Type) -> Type:
    """What a fetch with cudaReadModeNormalizedFloat gives: floats, as many as the element has components."""
    if isinstance(type, StructType):
        return library_types.type_word(f"float{len(type.fields)}")
    return FLOAT
