"""Implicit conversion sequences: whether an argument converts to a parameter, and how well ([over.best.ics])."""

from __future__ import annotations

from analysis_core.ir.nodes import Const
from analysis_core.ir.scalars import identity as scalar_identity
from analysis_core.ir.types import (
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
from analysis_core.lower.names import identity, resolve
from analysis_core.lower.names.ranks import CONVERSION, EXACT, PROMOTION, USER, Conversion
from analysis_core.lower.names.scope import Unit
from analysis_core.lower.objects import class_conversions, conversions, methods
from analysis_core.lower.values import Operand, Value


def convert(
    ctx: Lowering, given: Qualified, wanted: Qualified, null: bool = False, strict: bool = True
) -> Conversion | None:
    """The conversion sequence from an argument of type `given` (whose `reference` is its value category) to a
    parameter of type `wanted`. `null`: the argument is a null pointer constant; not `strict`: qualifiers that do not
    fit are overlooked."""
    rvalue = given.reference != "&"
    if not wanted.reference:
        return _by_value(ctx, given, wanted, null, strict)
    depth = _same_or_base(ctx, given, wanted)
    fits = not strict or (wanted.const >= given.const and wanted.volatile >= given.volatile)
    if depth is not None and fits:
        if wanted.reference == "&" and rvalue and not wanted.const and strict:
            return None
        if wanted.reference == "&&" and not rvalue and not isinstance(given.type, FunctionType) and strict:
            return None
        levels = ((wanted.const, wanted.volatile), *_levels(wanted.type))
        rank = CONVERSION if depth else EXACT
        return Conversion(rank, wanted.reference, levels, depth=depth, rvalue=rvalue)
    if depth is not None or (wanted.reference == "&" and (not wanted.const or wanted.volatile) and strict):
        return None  # a reference to non-const binds to an object of its own type only
    inner = _by_value(ctx, given, wanted.value.unqualified, null, strict)
    if inner is None:
        return None
    levels = ((wanted.const, wanted.volatile), *inner.levels)
    return Conversion(
        inner.rank, wanted.reference, levels, inner.added, inner.depth, inner.to_void, inner.to_bool, True
    )


def _same_or_base(ctx: Lowering, given: Qualified, wanted: Qualified) -> int | None:
    """0: the same type but for qualifiers; else how far up the base is; None: neither."""
    if same_shape(given.type, wanted.type) and _pointee_fits(given.type, wanted.type) == 0:
        return 0
    return base_depth(ctx, given.type, wanted.type)


def base_depth(ctx: Lowering, given: Type, wanted: Type) -> int | None:
    """How many classes up `wanted` is among the bases of `given`; None: it is none of them."""
    if not isinstance(given, StructType | OpaqueType) or not isinstance(wanted, StructType | OpaqueType):
        return None
    level = [i for i in [methods.instance_of(ctx, resolve.complete(ctx, given))] if i is not None]
    target = methods.instance_of(ctx, resolve.complete(ctx, wanted))
    for depth in range(1, 17):
        level = [base for one in level for base in methods.bases(ctx, one)]
        if target is not None and any(one is target for one in level):
            return depth
    return None


def same_shape(left: Type, right: Type) -> bool:
    """Whether two types differ only in the qualifiers of what they point to."""
    while isinstance(left, PointerType) and isinstance(right, PointerType):
        left, right = left.target, right.target
    if isinstance(left, ArrayType) and isinstance(right, ArrayType):
        if left.extent is not None and right.extent is not None and left.extent != right.extent:
            if not isinstance(left.extent, Const) or not isinstance(right.extent, Const):
                return False
            if left.extent.value != right.extent.value:
                return False
        return same_shape(left.element, right.element)
    return identity.same_plain(left, right)


def _levels(type: Type) -> tuple[tuple[bool, bool], ...]:
    found: list[tuple[bool, bool]] = []
    while isinstance(type, PointerType):
        found.append((type.const, type.volatile))
        type = type.target
    return tuple(found)


def _pointee_fits(given: Type, wanted: Type) -> int | None:
    """0: the same qualifiers at each level; 1: some are added; None: some would be lost."""
    mine, theirs = _levels(given), _levels(wanted)
    if mine == theirs:
        return 0
    lost = any(a > c or b > d for (a, b), (c, d) in zip(mine, theirs))
    return None if lost else 1


def _by_value(ctx: Lowering, given: Qualified, wanted: Qualified, null: bool, strict: bool) -> Conversion | None:
    source = resolve.decayed(given.value).type
    target = wanted.type
    if isinstance(source, PointerType) and isinstance(target, PointerType):
        return _pointer(ctx, source, target, null, strict)
    rank = _rank(ctx, source, target, null)
    if rank is None:
        return None
    depth = base_depth(ctx, source, target) or 0
    to_bool = isinstance(source, PointerType) and isinstance(target, ScalarType)
    underlying = to_underlying(ctx.unit, source, target)
    return Conversion(
        CONVERSION if depth else rank, levels=_levels(target), to_bool=to_bool, depth=depth, underlying=underlying
    )


def _pointer(ctx: Lowering, source: PointerType, target: PointerType, null: bool, strict: bool) -> Conversion | None:
    levels = _levels(target)
    fit = _pointee_fits(source, target)
    if same_shape(source, target):
        if fit is None and strict:
            return None
        return Conversion(EXACT, levels=levels, added=bool(fit))
    if null:
        return Conversion(CONVERSION, levels=levels)
    if strict and (source.const > target.const or source.volatile > target.volatile):
        return None
    if isinstance(target.target, ScalarType) and target.target.kind is ScalarKind.VOID:
        return Conversion(CONVERSION, levels=levels, to_void=True)
    depth = base_depth(ctx, source.target, target.target)
    if depth is not None:
        return Conversion(CONVERSION, levels=levels, depth=depth)
    if identity.is_open(source) or identity.is_open(target):
        return Conversion(CONVERSION, levels=levels)
    return None


def _rank(ctx: Lowering, given: Type, wanted: Type, null: bool) -> int | None:
    """The rank of a conversion between types that are not both pointers."""
    if identity.same_plain(given, wanted):
        return EXACT
    match given, wanted:
        case (OpaqueType(), _) | (_, OpaqueType()):
            return _with_unknown(ctx, given, wanted)
        case ScalarType(), ScalarType():
            return _scalar(ctx.unit, given, wanted)
        case PointerType(), ScalarType():
            return CONVERSION if wanted.kind is ScalarKind.BOOL and not null else None  # `nullptr` makes no bool
        case ScalarType(), PointerType():
            return CONVERSION if null and given.kind is ScalarKind.INT else None
        case (StructType(), _) | (_, StructType()):
            return USER if base_depth(ctx, given, wanted) or class_conversions.converts(ctx, given, wanted) else None
        case _:
            return None


def _with_unknown(ctx: Lowering, given: Type, wanted: Type) -> int | None:
    """Types of which too little is known: anything may convert to them, and they to anything."""
    if base_depth(ctx, given, wanted):
        return CONVERSION
    return CONVERSION


def _scalar(unit: Unit, given: ScalarType, wanted: ScalarType) -> int | None:
    if ScalarKind.VOID in (given.kind, wanted.kind) or is_scoped(unit, given):
        return None
    if enumeration(unit, wanted):
        return None  # nothing converts to an enumeration by itself
    promoted = conversions.promote(given)
    if promoted != given and identity.same_plain(promoted, wanted):
        return PROMOTION
    if enumeration(unit, given) and identity.same_plain(conversions.promote(_underlying(given)), wanted):
        return PROMOTION
    if to_underlying(unit, given, wanted):
        return PROMOTION
    if _is_small_float(given) or _is_small_float(wanted):
        return USER
    both_float = given.kind is wanted.kind is ScalarKind.FLOAT
    return PROMOTION if both_float and (given.size, wanted.size) == (4, 8) else CONVERSION


def _is_small_float(type: ScalarType) -> bool:
    """Whether it is a class of the toolkit (`__half`, `__nv_bfloat16`, `__nv_fp8_e4m3`), whose conversions are constructors and operators."""
    return type.kind is ScalarKind.FLOAT and type.size < 4


def to_underlying(unit: Unit, given: Type, wanted: Type) -> bool:
    """Whether the conversion takes an unscoped enumeration to the underlying type that it declares."""
    if not isinstance(given, ScalarType) or not isinstance(wanted, ScalarType) or not enumeration(unit, given):
        return False
    definition = unit.enums[given.name]
    same = (given.kind, given.size, given.signed) == (wanted.kind, wanted.size, wanted.signed)
    return definition.underlying is not None and not definition.scoped and same and not enumeration(unit, wanted)


def _underlying(type: ScalarType) -> ScalarType:
    return ScalarType(type.kind, type.size, type.signed, "int" if type.signed else "unsigned int")


def enumeration(unit: Unit, type: Type) -> bool:
    """Whether a scalar is an enumeration of the unit."""
    if not isinstance(type, ScalarType) or type.kind is not ScalarKind.INT:
        return False
    name = scalar_identity(type)
    return name == type.name and name in unit.enums


def is_scoped(unit: Unit, type: ScalarType) -> bool:
    return enumeration(unit, type) and unit.enums[type.name].scoped


def is_null(operand: Operand | None) -> bool:
    """Whether the operand is a null pointer constant: 0, `nullptr`."""
    if not isinstance(operand, Value) or not isinstance(operand.expr, Const) or operand.expr.value != 0:
        return False
    type = operand.type
    if isinstance(type, PointerType):
        return isinstance(type.target, ScalarType) and type.target.kind is ScalarKind.VOID
    return isinstance(type, ScalarType) and type.kind is ScalarKind.INT
