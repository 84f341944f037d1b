"""Block barriers: `__syncthreads` and its voting forms, which are a barrier followed by a vote of the block."""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.ir.nodes import Barrier, BarrierScope
from analysis_core.lower.context import Lowering
from analysis_core.lower.library import warp_primitives
from analysis_core.lower.statements import inline
from analysis_core.lower.statements.arguments import Argument
from analysis_core.lower.values import VOID_VALUE, Operand
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn

_VOTING = {"__syncthreads_count": "reduce", "__syncthreads_and": "all", "__syncthreads_or": "any"}
_NAMED = frozenset({"__barrier_sync", "__barrier_sync_count", "__named_sync"})

NAMES = frozenset({"__syncthreads", "__barrier_sync_all", *_VOTING, *_NAMED})


def call(ctx: Lowering, name: str, arguments: Sequence[Argument], node: syn.Call) -> Operand | None:
    """A barrier by its name.  Named barriers synchronise a part of the block, which the IR does not express."""
    if name in _NAMED:
        reason = "a barrier of a part of the block"
        return inline.opaque_call(ctx, CauseKind.UNSUPPORTED, reason, (), VOID_VALUE.type, node.span)
    ctx.emit(Barrier(BarrierScope.BLOCK, warp_primitives.spelled(node), node.span))
    if name in _VOTING and arguments:
        return warp_primitives.vote_block(ctx, _VOTING[name], arguments[0], node)
    return VOID_VALUE
