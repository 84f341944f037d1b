"""Objects whose members are not known, in memory."""

from __future__ import annotations

from dataclasses import replace

from analysis_core.ir import layout
from analysis_core.ir.context import Lowering
from analysis_core.ir.nodes import UnknownExpr
from analysis_core.ir.types import OpaqueType, PointerType
from analysis_core.ir.values import Memory
from analysis_core.support.facts import CauseKind


def place_of(ctx: Lowering, place: Memory, type: OpaqueType) -> Memory:
    """The place of an object of a type whose members are not known: anywhere, if nobody knows what requests move it."""
    movable = type.size is not None and type.size == type.align and type.size <= layout.REQUEST_BYTES
    if movable or (type.size is None and not type.unsized):
        return place
    reason = f"how an object of type `{type.name}` is moved is not known: {type.why}"
    return replace(place, address=UnknownExpr(ctx.cause(CauseKind.MISSING, reason, None), PointerType(type)))
