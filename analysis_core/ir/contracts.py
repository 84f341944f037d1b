"""What a kernel promises of itself in calls that compute nothing: `assert(blockDim.x == 32)`, `__builtin_assume(n % 4 == 0)`.

An assertion about the block is evidence for its shape (`shape_evidence`).  What `__builtin_assume` says of parameters is stated
for the whole kernel, like `//@ assume`, where every thread comes to it: at the top of the body, with nothing before that
leaves or changes a parameter.
"""

from __future__ import annotations

from analysis_core.ir import constants
from analysis_core.ir.context import Lowering
from analysis_core.ir.effects import assigned_in
from analysis_core.ir.nodes import Binary, Builtin, BuiltinKind, Cast, Expr, Return, UnknownStmt
from analysis_core.ir.spelling import spelling
from analysis_core.ir.values import Operand, Value
from analysis_core.ir.walk import statements
from analysis_core.syntax import tree as syn
from analysis_core.text.span import Span

_ASSERTIONS = frozenset({"assert", "__builtin_assume", "__assume"})
_PROMISES = frozenset({"__builtin_assume", "__assume"})


def note(ctx: Lowering, name: str, condition: Operand, node: syn.Expr) -> None:
    """Takes down what a call of the function `name` says."""
    if name in _ASSERTIONS and isinstance(condition, Value):
        _extents(ctx, condition.expr, node.span)
    if name in _PROMISES and _all_come_here(ctx):
        text = spelling(node)
        if text not in ctx.promises:
            ctx.promises.append(text)


def _extents(ctx: Lowering, condition: Expr, span: Span) -> None:
    match condition:
        case Cast(operand=operand):
            _extents(ctx, operand, span)
        case Binary(op="&&", left=left, right=right):
            _extents(ctx, left, span)
            _extents(ctx, right, span)
        case Binary(op="==", left=left, right=right):
            for side, other in ((left, right), (right, left)):
                axis, extent = _axis(side), constants.fold(other)
                if axis is not None and extent is not None and isinstance(extent.value, int):
                    ctx.asserted_extents.append((axis, extent.value, span))
        case _:
            pass


def _axis(expr: Expr) -> int | None:
    while isinstance(expr, Cast):
        expr = expr.operand
    return expr.axis if isinstance(expr, Builtin) and expr.kind is BuiltinKind.BLOCK_DIM else None


def _all_come_here(ctx: Lowering) -> bool:
    """Whether every thread comes to this place, and finds the parameters as they were passed."""
    if ctx.frames or len(ctx.blocks) != 1:
        return False
    before = tuple(ctx.blocks[0])
    leaves = any(isinstance(s, Return) or (isinstance(s, UnknownStmt) and s.leaves) for s in statements(before))
    changed = assigned_in(before)
    return not leaves and not any(v.parameter and v.id in changed for v in ctx.variables)
