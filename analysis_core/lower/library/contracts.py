"""What a kernel promises of itself in calls that compute nothing: `assert(blockDim.x == 32)`, `__builtin_assume(n % 4 == 0)`.

An assertion about the block is evidence for its shape (`shape_evidence`), one that compares a parameter with a number for its
size (`size_ranges`).  What `__builtin_assume` says of parameters is stated
for the whole kernel, like `//@ assume`, where every thread comes to it: at the top of the body, with nothing before that
leaves or changes a parameter.
"""

from __future__ import annotations

from analysis_core.ir import comparisons, constants
from analysis_core.ir.effects import assigned_in
from analysis_core.ir.nodes import Binary, Builtin, BuiltinKind, Cast, Expr, Local, Return, UnknownStmt, VarId
from analysis_core.ir.spelling import spelling
from analysis_core.ir.walk import statements, uncast
from analysis_core.lower.context import Lowering
from analysis_core.lower.values import Operand, Value
from analysis_core.syntax.read import tree as syn
from analysis_core.text.span import Span

_ASSERTIONS = frozenset({"assert", "__builtin_assume", "__assume"})
_CHECKS = frozenset({"assert", "_assert", "_wassert"})
_PROMISES = frozenset({"__builtin_assume", "__assume"})


def note(ctx: Lowering, name: str, condition: Operand, node: syn.Expr) -> None:
    """Records what a call of `assert`, `__builtin_assume` or the like says about the block and the parameters."""
    if name in _CHECKS and node.span not in ctx.asserted:
        ctx.asserted.append(node.span)
    if name in _ASSERTIONS and isinstance(condition, Value):
        _extents(ctx, condition.expr, node.span)
        _sizes(ctx, condition.expr)
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


def _sizes(ctx: Lowering, condition: Expr) -> None:
    """What is asserted of parameters, by comparison with constants."""
    match condition:
        case Cast(operand=operand):
            _sizes(ctx, operand)
        case Binary(op="&&", left=left, right=right):
            _sizes(ctx, left)
            _sizes(ctx, right)
        case Binary(op="<" | "<=" | ">" | ">=" | "==" as op, left=left, right=right):
            for side, other, relation in comparisons.either_way(op, left, right):
                var, value = _parameter(ctx, side), constants.fold(other)
                if var is not None and value is not None and isinstance(value.value, int):
                    ctx.asserted_sizes.append((var, *comparisons.bounds(relation, value.value)))
        case _:
            pass


def _parameter(ctx: Lowering, expr: Expr) -> VarId | None:
    expr = uncast(expr)
    return expr.var if isinstance(expr, Local) and ctx.variables[expr.var].parameter else None


def _axis(expr: Expr) -> int | None:
    expr = uncast(expr)
    return expr.axis if isinstance(expr, Builtin) and expr.kind is BuiltinKind.BLOCK_DIM else None


def _all_come_here(ctx: Lowering) -> bool:
    """Whether every thread comes to this place, and finds the parameters as they were passed."""
    if ctx.frames or len(ctx.blocks) != 1:
        return False
    before = tuple(ctx.blocks[0])
    leaves = any(isinstance(s, Return) or (isinstance(s, UnknownStmt) and s.leaves) for s in statements(before))
    changed = assigned_in(before)
    return not leaves and not any(v.parameter and v.id in changed for v in ctx.variables)
