"""Casts of all spellings and `T(a, b)` / `T{..}`."""

from __future__ import annotations

from dataclasses import replace

from analysis_core.ir.nodes import Const
from analysis_core.ir.types import VOID, ArrayType, OpaqueType, PointerType, StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import class_deduction, packs, resolve
from analysis_core.lower.objects import base_parts, conversions, copies, destructors
from analysis_core.lower.statements import inline, lower_calls, lower_declarations, lower_expressions, lower_lvalues
from analysis_core.lower.values import (
    VOID_VALUE,
    Category,
    Closure,
    FunctionName,
    Handle,
    Memory,
    Operand,
    Register,
    RegisterPointer,
    StructPlace,
    StructValue,
    Value,
    type_of,
    with_category,
    with_const,
)
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn


def cast(ctx: Lowering, expr: syn.Cast) -> Operand:
    """`(T)e`, `T(e)`, `static_cast<T>(e)`, `reinterpret_cast<T>(e)`, `const_cast<T>(e)`."""
    if isinstance(expr.type, syn.ReferenceTo):
        return _reference(ctx, expr, expr.type)
    if packs.is_expansion(ctx, expr.operand) and expr.style == "functional":
        whole = syn.Construct(
            span=expr.span, expansion=expr.expansion, type=expr.type, args=(expr.operand,), braces=False
        )
        return construct(ctx, whole)
    misread = _misread_product(ctx, expr) or _misread_call(ctx, expr, (expr.operand,))
    if misread is not None:
        return lower_expressions.operand(ctx, misread)
    type = class_deduction.resolved(ctx, expr.type, expr.operand).type
    if isinstance(expr.operand, syn.InitList):
        return _compound_literal(ctx, type, expr.operand, expr)
    if type == VOID:
        lower_expressions.effects(ctx, expr.operand)
        return VOID_VALUE
    if isinstance(type, StructType | OpaqueType) and expr.style in ("functional", "c", "static_cast"):
        found = lower_calls.construct(ctx, type, (expr.operand,), expr)
        if found is not None:
            return found
    volatile = isinstance(expr.type, syn.PointerTo) and "volatile" in resolve.qualifiers_of(expr.type.target)
    operand = lower_expressions.rvalue(ctx, expr.operand)
    return converted(ctx, operand, type, expr, volatile)


def _misread_call(ctx: Lowering, expr: syn.Cast | syn.Construct, args: tuple[syn.Expr, ...]) -> syn.Expr | None:
    """`hash(key)` reads as a conversion where another namespace declares a class `hash`, and is a call of a function that is visible here."""
    node = expr.type
    written = not expr.braces if isinstance(expr, syn.Construct) else expr.style == "functional"
    if not written or not isinstance(node, syn.NamedType) or node.qualifiers or node.operand is not None:
        return None
    if not ctx.unit.find_functions(node.name, ctx.scope.root().namespace):
        return None
    with ctx.scratch():
        if resolve.find_qualified(ctx, node.name, node.template_args, node.parts) is not None:
            return None
    callee = syn.Name(span=node.span, name=node.name, template_args=node.template_args, parts=node.parts)
    return syn.Call(span=expr.span, expansion=expr.expansion, callee=callee, args=args)


def _misread_product(ctx: Lowering, expr: syn.Cast) -> syn.Expr | None:
    """`(a[i]) * b` reads as a cast of `*b` to an array type where `a` is a variable; a cast to an array is none.

    Regrouping is right for `*`, which binds as tightly as what follows; other operators are left unknown."""
    if not isinstance(expr.type, syn.ArrayOf) or not isinstance(expr.operand, syn.Unary) or expr.operand.op != "*":
        return None
    extents: list[syn.Expr] = []
    inner: syn.TypeNode = expr.type
    while isinstance(inner, syn.ArrayOf):
        if inner.extent is None:
            return None
        extents.append(inner.extent)
        inner = inner.element
    if not isinstance(inner, syn.NamedType) or ctx.scope.find(inner.name) is None:
        return None
    left: syn.Expr = syn.Name(span=inner.span, name=inner.name)
    for extent in extents:
        left = syn.Subscript(span=inner.span.hull(extent.span), base=left, index=extent)
    return syn.Binary(span=expr.span, op="*", left=left, right=expr.operand.operand)


def converted(ctx: Lowering, operand: Operand, type: Type, expr: syn.Expr, volatile: bool = False) -> Operand:
    """An explicit conversion of a loaded operand."""
    match operand:
        case RegisterPointer():
            if isinstance(type, PointerType) and not volatile:
                if conversions.same_target(operand.type.target, type.target):
                    return replace(operand, type=replace(operand.type, const=type.const))
                related = _related(ctx, operand, conversions.pointer_class(ctx, type), expr)
                if related is not None:
                    return related
            return converted(ctx, lower_lvalues.spill(ctx, operand, expr), type, expr)
        case Handle() | FunctionName() | Closure():
            return operand
        case Value(expr=inner) if operand.type != VOID and not isinstance(type, StructType | ArrayType):
            if isinstance(type, OpaqueType) and isinstance(operand.type, OpaqueType):
                return operand
            related = _related(ctx, operand, conversions.pointer_class(ctx, type), expr)
            if isinstance(related, Value):
                return Value(conversions.cast(related.expr, type), type, whole=related.whole)
            return Value(conversions.cast(inner, type), type)
        case StructValue() if type != operand.type:
            found = lower_calls.convert_struct(ctx, operand, type, expr, explicit=True)
            if found is not None:
                return found
    return conversions.convert(ctx, operand, type, expr)


def _related(ctx: Lowering, operand: Operand, target: StructType | None, expr: syn.Expr) -> Operand | None:
    """An object (or a pointer to one) as its base, or as what it is a base of; None: the classes are not related, or nothing moves it.

    `reinterpret_cast` moves nothing; what `dynamic_cast` gives is known where the object is."""
    given = base_parts.class_of(ctx, operand)
    style = expr.style if isinstance(expr, syn.Cast) else ""
    if target is None or not isinstance(given, StructType) or style in ("reinterpret_cast", "const_cast"):
        return None
    if given.name == target.name:
        return operand
    if base_parts.is_derived(given, target):
        return base_parts.to_base(ctx, operand, target)
    if style == "dynamic_cast":
        return _dynamic(ctx, operand, target, expr)
    return base_parts.to_derived(ctx, operand, target) if base_parts.is_derived(target, given) else None


def _dynamic(ctx: Lowering, operand: Operand, target: StructType, expr: syn.Expr) -> Operand:
    """What `dynamic_cast` finds: in the object as a whole, or nowhere."""
    whole = base_parts.most_derived(ctx, operand)
    pointer = PointerType(target)
    if whole is None:
        return ctx.unknown(CauseKind.UNSUPPORTED, "a dynamic_cast of an object of unknown class", expr.span, pointer)
    found = base_parts.to_base(ctx, whole, target)
    if not isinstance(type_of(operand), PointerType):
        return found or ctx.unknown(CauseKind.UNSUPPORTED, "a dynamic_cast that throws", expr.span, target)
    if found is None:
        return Value(Const(0, pointer), pointer)
    return lower_lvalues.address_of(ctx, found, expr)


def _reference(ctx: Lowering, expr: syn.Cast, target: syn.ReferenceTo) -> Operand:
    """A cast to a reference denotes the same place with another type."""
    declared = resolve.qualified(ctx, target)
    pointer = PointerType(declared.type, declared.volatile, False, declared.const)
    place = lower_expressions.operand(ctx, expr.operand)
    if copies.is_chosen_object(ctx, expr.operand, place):
        reason = "a reference to one of two objects"
        return inline.opaque_call(ctx, CauseKind.UNSUPPORTED, reason, [], pointer.target, expr.span)
    category = Category.XVALUE if declared.reference == "&&" else Category.LVALUE
    if conversions.same_target(type_of(place), pointer.target):
        return with_const(with_category(place, category), declared.const)
    related = _related(ctx, place, conversions.pointer_class(ctx, pointer), expr)
    if related is not None:
        return with_const(with_category(related, category), declared.const)
    if isinstance(place, Memory):
        address = conversions.retype(place.address, pointer)
        volatile = place.volatile or pointer.volatile
        return Memory(pointer.target, address, volatile, category=category, const=declared.const)
    if isinstance(place, Register | StructPlace):
        address_value = lower_lvalues.spill(ctx, RegisterPointer(place, PointerType(place.type)), expr)
        address = conversions.retype(address_value.expr, pointer)
        return Memory(pointer.target, address, pointer.volatile, category=category, const=declared.const)
    return converted(ctx, lower_lvalues.load(ctx, place, expr.operand), pointer.target, expr)


def construct(ctx: Lowering, expr: syn.Construct) -> Operand:
    """`T(a, b)` and `T{a, b}` as an expression: a value of type T."""
    misread = _misread_call(ctx, expr, expr.args)
    if misread is not None:
        return lower_expressions.operand(ctx, misread)
    args = packs.expressions(ctx, expr.args)
    return construct_type(ctx, class_deduction.resolved(ctx, expr.type, args).type, args, expr, expr.braces)


def construct_type(ctx: Lowering, type: Type, args: tuple[syn.Expr, ...], expr: syn.Expr, braces: bool) -> Operand:
    """A value of `type` made from `args`: by a constructor, member by member, or as a conversion."""
    if isinstance(type, StructType | OpaqueType):
        found = lower_calls.construct(ctx, type, args, expr)
        if found is not None:
            return found
    if isinstance(type, StructType) and type.name == "dim3":
        args = _extents(ctx, args, expr)
    if not args and not isinstance(type, StructType | ArrayType):
        return lower_declarations.zero(ctx, type, expr)
    if len(args) == 1 and (not isinstance(type, StructType) or not braces):
        return converted(ctx, lower_expressions.rvalue(ctx, args[0]), type, expr)
    items = syn.InitList(span=expr.span, items=args, designators=(None,) * len(args))
    return _compound_literal(ctx, type, items, expr)


def _extents(ctx: Lowering, args: tuple[syn.Expr, ...], expr: syn.Expr) -> tuple[syn.Expr, ...]:
    """The arguments of a `dim3`, whose extents are 1 where they are not given; a copy of another one as it is."""
    if len(args) == 1:
        with ctx.scratch():
            if isinstance(type_of(lower_expressions.operand(ctx, args[0])), StructType):
                return args
    one = syn.Literal(span=expr.span, expansion=expr.expansion, kind=syn.LiteralKind.INT, text="1")
    return (*args, *(one for _ in range(3 - len(args))))


def _compound_literal(ctx: Lowering, type: Type, items: syn.InitList, expr: syn.Expr) -> Operand:
    """`(T){a, b}`: a nameless variable."""
    if isinstance(type, OpaqueType):
        for item in items.items:
            lower_expressions.effects(ctx, item)
        return lower_lvalues.unknown_of(ctx, Value(Const(0, type), type), type, expr)
    place = lower_declarations.declare_place(ctx, "(temporary)", type, expr.span)
    before = ctx.temporaries
    lower_declarations.initialise(ctx, place, items, expr)
    destructors.assembled(ctx, type, before)
    return lower_lvalues.load(ctx, place, expr) if not isinstance(type, ArrayType) else place
