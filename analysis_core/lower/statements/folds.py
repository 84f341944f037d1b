"""Fold expressions: `(args + ...)` is the sum of the elements, written out."""

from __future__ import annotations

from analysis_core.ir.nodes import Const
from analysis_core.ir.types import BOOL
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import packs
from analysis_core.lower.names.scope import Scope
from analysis_core.lower.statements import lower_expressions
from analysis_core.lower.values import VOID_VALUE, Operand, Value
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn

_EMPTY = {"&&": 1, "||": 0}


def fold(ctx: Lowering, expr: syn.Fold) -> Operand:
    """The value of a fold: each element is an operand of its own, bound to a name that no program can spell."""
    first, second = expr.left, expr.right
    is_left = first is None or (second is not None and bool(packs.named_packs(ctx, second)))
    pattern, init = (second, first) if is_left else (first, second)
    if pattern is None:
        return ctx.unknown(CauseKind.READER, "a fold without a pattern", expr.span, BOOL)
    scopes = list(packs.elementwise(ctx, pattern))
    if not scopes and init is None:
        return _empty(ctx, expr)
    with ctx.nested_scope() as scope:
        parts = [_element(ctx, scope, pattern, each, i) for i, each in enumerate(scopes)]
        if init is not None:
            parts = [init, *parts] if is_left else [*parts, init]
        return lower_expressions.operand(ctx, _joined(expr, parts, is_left))


def _element(ctx: Lowering, scope: Scope, pattern: syn.Expr, own: Scope, position: int) -> syn.Expr:
    """The pattern for one element: its packs renamed to names that mean the element."""
    for name, binding in own.bindings.items():
        scope.bind(f"{name}#{position}", binding)
    return packs.renamed(pattern, {name: f"{name}#{position}" for name in own.bindings})


def _joined(expr: syn.Fold, parts: list[syn.Expr], is_left: bool) -> syn.Expr:
    if not is_left:
        parts = parts[::-1]
    result = parts[0]
    for part in parts[1:]:
        left, right = (result, part) if is_left else (part, result)
        result = syn.Binary(span=expr.span, expansion=expr.expansion, op=expr.op, left=left, right=right)
    return result


def _empty(ctx: Lowering, expr: syn.Fold) -> Operand:
    if expr.op == ",":
        return VOID_VALUE
    value = _EMPTY.get(expr.op)
    if value is None:
        return ctx.unknown(CauseKind.READER, f"a fold of no elements by {expr.op}", expr.span, BOOL)
    return Value(Const(value, BOOL), BOOL)
