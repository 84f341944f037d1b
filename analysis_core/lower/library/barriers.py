"""Block barriers: `__syncthreads` and its voting forms, which are a barrier followed by a vote of the block."""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.ir.nodes import Barrier, BarrierScope
from analysis_core.lower.context import Lowering
from analysis_core.lower.library import library, warp_primitives
from analysis_core.lower.statements import inline
from analysis_core.lower.statements.arguments import Argument
from analysis_core.lower.values import VOID_VALUE, Operand
from analysis_core.syntax.read import tree as syn

_VOTING = {"__syncthreads_count": "reduce", "__syncthreads_and": "all", "__syncthreads_or": "any"}
_NAMED = "__barrier_sync_count"

NAMES = frozenset({"__syncthreads", "__barrier_sync", "__barrier_sync_all", _NAMED, *_VOTING})


def call(ctx: Lowering, name: str, arguments: Sequence[Argument], node: syn.Call) -> Operand | None:
    """A barrier by its name; one with a count lets so many threads wait for each other."""
    if name == _NAMED and len(arguments) == 2:
        number, count = (library.scalars(inline.loaded(ctx, one))[0] for one in arguments)
        ctx.emit(Barrier(BarrierScope.PART, warp_primitives.spelled(node), node.span, number=number, count=count))
        return VOID_VALUE
    ctx.emit(Barrier(BarrierScope.BLOCK, warp_primitives.spelled(node), node.span))
    if name in _VOTING and arguments:
        return warp_primitives.vote_block(ctx, _VOTING[name], arguments[0], node)
    return VOID_VALUE
