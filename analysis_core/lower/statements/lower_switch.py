"""`switch`: arms in source order with fall-through.

Labels must stand in the body's own list; one inside of a nested statement, or a label whose value is not known,
makes the whole statement unknown.
"""

from __future__ import annotations

from analysis_core.ir import constants
from analysis_core.ir.nodes import Switch, SwitchArm
from analysis_core.ir.types import Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.objects import conversions, destructors
from analysis_core.lower.statements import lower_expressions, lower_statements
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside


def switch(ctx: Lowering, node: syn.Switch) -> None:
    with destructors.block_scope(ctx, node, "switch"):
        value = lower_expressions.value(ctx, node.selector)
        type = conversions.promote(value.type)
        selector = conversions.cast(value.expr, type)
        body = node.body.body if isinstance(node.body, syn.Compound) else (node.body,)
        if _has_nested_labels(body):
            _give_up(ctx, node, "a case label inside of a nested statement")
            return
        groups = _groups(ctx, body, type)
        if groups is None:
            _give_up(ctx, node, "a case label that is not a known constant")
            return
        arms = []
        for labels, statements in groups:
            with ctx.block() as block:
                lower_statements.block(ctx, statements)
            arms.append(SwitchArm(labels, tuple(block)))
        ctx.emit(Switch(selector, tuple(arms), node.selector.span, node.span))


_Group = tuple[tuple[int | None, ...], list[syn.Stmt]]


def _groups(ctx: Lowering, body: tuple[syn.Stmt, ...], type: Type) -> list[_Group] | None:
    """The labels and statements of each arm; None if a label has no known value.  Statements before the first label
    cannot be reached."""
    groups: list[_Group] = []
    labels: list[int | None] = []
    fresh = False
    for statement in body:
        if isinstance(statement, syn.CaseLabel):
            if not fresh:
                labels = []
            label = None if statement.value is None else _label(ctx, statement.value, type)
            if label is None and statement.value is not None:
                return None
            labels.append(label)
            if fresh:
                groups[-1] = (tuple(labels), groups[-1][1])
            else:
                groups.append((tuple(labels), []))
            fresh = True
        elif groups:
            groups[-1][1].append(statement)
            fresh = False
    return groups


def _label(ctx: Lowering, node: syn.Expr, type: Type) -> int | None:
    """The value of a label in the selector's type, None if it is not known."""
    value = lower_expressions.constant(ctx, node)
    if value is None or not isinstance(value.value, int):
        return None
    converted = constants.reduce(value.value, type)
    return converted if isinstance(converted, int) else value.value


def _has_nested_labels(body: tuple[syn.Stmt, ...]) -> bool:
    """Whether a label of this switch stands inside of a statement of its body (labels of inner switches do not count)."""
    pending: list[syn.Node] = [statement for statement in body if not isinstance(statement, syn.CaseLabel)]
    if not any(isinstance(node, syn.CaseLabel) for statement in pending for node in inside(statement)):
        return False
    while pending:
        node = pending.pop()
        match node:
            case syn.CaseLabel():
                return True
            case syn.Compound(body=inner) | syn.OpaqueStmt(inner=inner):
                pending.extend(inner)
            case syn.If(then=then, otherwise=otherwise):
                pending.extend([then] if otherwise is None else [then, otherwise])
            case syn.For(body=one) | syn.While(body=one) | syn.DoWhile(body=one) | syn.RangeFor(body=one):
                pending.append(one)
            case _:
                pass
    return False


def _give_up(ctx: Lowering, node: syn.Switch, reason: str) -> None:
    lower_statements.unknown(ctx, node, CauseKind.UNSUPPORTED, reason, leaves=True)
