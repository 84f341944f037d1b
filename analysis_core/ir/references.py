"""What references are bound to.  Members of reference type: the record holds an address, and naming the member means what is there.

`struct Tile { float &sum; };` is laid out as a pointer (`layout.Field.reference`).  Construction stores the address of
what the member is bound to; everything else that names the member goes through it, at the price of one load of the
address where the record lies in memory.  A local variable that a member is bound to moves to local memory, as it does
when its address is stored anywhere else (`lower_lvalues.spill`).
"""

from __future__ import annotations

from dataclasses import replace

from analysis_core.ir import conversions, lower_expressions, lower_lvalues, names, resolve
from analysis_core.ir.context import Lowering
from analysis_core.ir.types import OpaqueType, PointerType, ScalarType, StructType, Type
from analysis_core.ir.values import Memory, Operand, Register, RegisterPointer, StructPlace, Value, type_of
from analysis_core.support.facts import CauseKind
from analysis_core.syntax import tree as syn


def member(ctx: Lowering, base: Operand, name: str, node: syn.Node) -> Operand:
    """What `base.name` denotes: the member, or what it refers to."""
    place = lower_lvalues.member(ctx, base, name, node)
    return lower_lvalues.dereference(ctx, place, node) if is_reference(ctx, type_of(base), name) else place


def is_reference(ctx: Lowering, type: Type, name: str) -> bool:
    """Whether the record has a member of that name and of reference type."""
    if isinstance(type, PointerType):  # the address of a variable in registers stands for the variable
        type = type.target
    found = resolve.complete(ctx, type)
    return isinstance(found, StructType) and any(f.name == name and f.reference for f in found.fields)


def bind(ctx: Lowering, place: Operand, init: syn.Expr, node: syn.Node) -> None:
    """Lets the member of reference type at `place` refer to what `init` denotes."""
    init = names.single_initialiser(init)
    address = lower_lvalues.address_of(ctx, lower_expressions.operand(ctx, init), init)
    wanted = type_of(place)
    given = type_of(address)
    if isinstance(address, Value | RegisterPointer) and not _may_refer(ctx, given, wanted):
        reason = f"a reference to `{conversions.spell(wanted)}` is bound to a value of another type"
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


def referred(ctx: Lowering, expr: syn.Expr, type: syn.TypeNode) -> Operand:
    """What a reference of that type is bound to by `expr`: a `T &` to `c ? a : b` is to the one of the two places that is
    chosen, and what is written through it lands there."""
    if not is_written_through(type) or not isinstance(expr, syn.Conditional):
        return lower_expressions.operand(ctx, expr)
    with ctx.scratch():
        arms = [lower_expressions.operand(ctx, arm) for arm in (expr.then, expr.otherwise)]
    if not all(isinstance(arm, Register | StructPlace | Memory) for arm in arms):
        return lower_expressions.operand(ctx, expr)
    then, otherwise = (
        syn.Unary(span=arm.span, expansion=arm.expansion, op="&", operand=arm) for arm in (expr.then, expr.otherwise)
    )
    chosen = replace(expr, then=then, otherwise=otherwise)
    return lower_expressions.operand(ctx, syn.Unary(span=expr.span, expansion=expr.expansion, op="*", operand=chosen))
