"""Objects whose members are not known, in memory."""

from __future__ import annotations

from dataclasses import replace

from analysis_core.ir import layout
from analysis_core.ir.nodes import AddressOf, Const, Expr, PtrAdd, UnknownExpr, UnknownStmt
from analysis_core.ir.scalars import SIZE_T
from analysis_core.ir.types import OpaqueType, PointerType, Space, Type
from analysis_core.ir.walk import subexpressions
from analysis_core.lower.context import Lowering
from analysis_core.lower.values import Memory
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.text.span import Span


def place_of(ctx: Lowering, place: Memory, type: OpaqueType, span: Span) -> Memory:
    """The place of an object of a type whose members are not known: anywhere, if nobody knows what requests move it, or how many; for
    a shared object somewhere in it."""
    if _is_movable(type):
        return place
    reason = f"how an object of type `{type.name}` is moved is not known: {type.why}"
    cause = ctx.cause(CauseKind.MISSING, reason, None)
    if not _is_shared(ctx, place):
        return replace(place, address=UnknownExpr(cause, PointerType(type)))
    ctx.emit(UnknownStmt(cause, (), memory=True, leaves=False, span=span))
    return replace(place, address=_somewhere(place.address, cause, type))


def is_shared_whole(ctx: Lowering, place: Memory) -> bool:
    """Whether a place is an object in shared memory, of which nobody knows how it is moved: calls take a reference to it."""
    return isinstance(place.type, OpaqueType) and not _is_movable(place.type) and _is_shared(ctx, place)


def _is_movable(type: OpaqueType) -> bool:
    if type.size is None:
        return not type.unsized
    return type.size == type.align and type.size <= layout.REQUEST_BYTES


def member_of(ctx: Lowering, whole: Memory, unknown: Memory) -> Memory:
    """A member of such an object, of which `unknown` is what is known else: that of a shared one lies in it, for shared objects
    have no constructors that could make it refer to other memory."""
    if not _is_shared(ctx, whole) or not isinstance(unknown.address, UnknownExpr):
        return unknown
    return replace(unknown, address=_somewhere(whole.address, unknown.address.cause, unknown.type))


def _is_shared(ctx: Lowering, place: Memory) -> bool:
    objects = [e.object for e in subexpressions(place.address) if isinstance(e, AddressOf)]
    return len(objects) == 1 and ctx.objects[objects[0]].space is Space.SHARED


def _somewhere(address: Expr, cause: Cause, type: Type) -> Expr:
    """An address in the object that another one is of: how far apart is not known, but the memory is the same."""
    return PtrAdd(address, UnknownExpr(cause, SIZE_T), Const(1, SIZE_T), PointerType(type))
