"""What references are bound to.  Members of reference type: the record holds an address, and naming the member means what is there.

`struct Tile { float &sum; };` is laid out as a pointer (`layout.Field.reference`).  Construction stores the address of
what the member is bound to; everything else that names the member goes through it, at the price of one load of the
address where the record lies in memory.  A local variable that a member is bound to moves to local memory, as it does
when its address is stored anywhere else (`lower_lvalues.spill`).
"""

from __future__ import annotations

from dataclasses import replace

from analysis_core.ir.type_names import spell
from analysis_core.ir.types import OpaqueType, PointerType, ScalarType, StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import member_lookup, names, resolve
from analysis_core.lower.objects import base_parts, conversions
from analysis_core.lower.statements import lower_expressions, lower_lvalues
from analysis_core.lower.values import (
    Category,
    Memory,
    Operand,
    Register,
    RegisterPointer,
    StructPlace,
    Value,
    type_of,
    with_category,
)
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside, touched


def member(ctx: Lowering, base: Operand, name: str, node: syn.Node) -> Operand:
    """What `base.name` denotes: the member, or what it refers to."""
    head, _, last = name.rpartition("::")
    part = member_lookup.qualified_part(ctx, base, head) if head else None
    base, name = (base, name) if part is None else (part, last)
    place = lower_lvalues.member(ctx, base, name, node)
    if is_reference(ctx, type_of(base), name):
        return lower_lvalues.dereference(ctx, place, node)
    temporary = isinstance(base, StructPlace | Memory) and base.category is not Category.LVALUE
    return with_category(place, Category.XVALUE if temporary else Category.LVALUE)


def is_reference(ctx: Lowering, type: Type, name: str) -> bool:
    """Whether the record has a member of that name and of reference type."""
    if isinstance(type, PointerType):  # the address of a variable in registers stands for the variable
        type = type.target
    found = resolve.complete(ctx, type)
    position = member_lookup.field_position(ctx, found, name) if isinstance(found, StructType) else None
    return isinstance(found, StructType) and position is not None and found.fields[position].reference


def bind(ctx: Lowering, place: Operand, init: syn.Expr, node: syn.Node) -> None:
    """Lets the member of reference type at `place` refer to what `init` denotes."""
    init = names.single_initialiser(init)
    address = lower_lvalues.address_of(ctx, lower_expressions.operand(ctx, init), init)
    wanted = type_of(place)
    if isinstance(address, Value | RegisterPointer) and isinstance(wanted, PointerType):
        base = conversions.pointer_class(ctx, wanted)
        address = address if base is None else base_parts.to_base(ctx, address, base) or address
    given = type_of(address)
    if isinstance(address, Value | RegisterPointer) and not _may_refer(ctx, given, wanted):
        reason = f"a reference to `{spell(wanted)}` is bound to a value of another type"
        address = ctx.unknown(CauseKind.UNSUPPORTED, reason, init.span, wanted)
    lower_lvalues.store(ctx, place, address, node)


def _may_refer(ctx: Lowering, given: Type, wanted: Type) -> bool:
    """Whether the object itself is referred to, not a converted copy: scalars of one type, or no scalars."""
    if not isinstance(given, PointerType) or not isinstance(wanted, PointerType):
        return False
    actual, target = resolve.complete(ctx, given.target), resolve.complete(ctx, wanted.target)
    if isinstance(actual, OpaqueType) or isinstance(target, OpaqueType):
        return True
    if isinstance(actual, ScalarType) or isinstance(target, ScalarType):
        return conversions.same_target(actual, target)
    return True


def is_written_through(type: syn.TypeNode) -> bool:
    """Whether what is assigned to a variable of this type is assigned to what it refers to: `T &`."""
    return isinstance(type, syn.ReferenceTo) and not type.rvalue and "const" not in type.target.qualifiers


def _is_changed(ctx: Lowering, expr: syn.Conditional) -> bool:
    """Whether a copy of what is chosen may grow old: it lies in memory, or it is a variable that is assigned somewhere."""
    declaration = ctx.frame.declaration
    if declaration is None or declaration.body is None:
        return True
    arms = (expr.then, expr.otherwise)
    names_ = {arm.name for arm in arms if isinstance(arm, syn.Name)}
    return not all(isinstance(arm, syn.Name) for arm in arms) or any(
        name in names_ for node in inside(declaration.body) for name in touched(node)
    )


def referred(ctx: Lowering, expr: syn.Expr, type: syn.TypeNode) -> Operand:
    """What a reference of that type is bound to by `expr`: one to `c ? a : b` is to the one of the two places that is chosen;
    what is written through it lands there, and what is assigned there is read through it."""
    if not isinstance(expr, syn.Conditional) or not isinstance(type, syn.ReferenceTo):
        return lower_expressions.operand(ctx, expr)
    test = lower_expressions.constant(ctx, expr.condition)
    if test is not None:
        return referred(ctx, expr.then if test.value else expr.otherwise, type)
    if not type.rvalue and not is_written_through(type) and not _is_changed(ctx, expr):
        return lower_expressions.operand(ctx, expr)
    with ctx.scratch():
        arms = [lower_expressions.operand(ctx, arm) for arm in (expr.then, expr.otherwise)]
    places = all(isinstance(arm, Register | StructPlace | Memory) for arm in arms)
    if not places or not conversions.same_type(type_of(arms[0]), type_of(arms[1])):
        return lower_expressions.operand(ctx, expr)
    then, otherwise = (
        syn.Unary(span=arm.span, expansion=arm.expansion, op="&", operand=arm) for arm in (expr.then, expr.otherwise)
    )
    chosen = replace(expr, then=then, otherwise=otherwise)
    return lower_expressions.operand(ctx, syn.Unary(span=expr.span, expansion=expr.expansion, op="*", operand=chosen))
