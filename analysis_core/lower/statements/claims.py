"""What annotations claim, as statements of a kernel that is lowered to have it checked: `//@ assert i < n`, `//@ ensures a[t] == \\old(a[t]) + 1`.

A claim reads and computes, and changes nothing.  What cannot be lowered, or does more, is rejected with the reason and left out; the
rest of the kernel is what it is without claims.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from analysis_core.ir.nodes import Assign, Claim, Declare, If, Inlined, Load, Return, Stmt
from analysis_core.ir.walk import statements
from analysis_core.lower.context import Lowering
from analysis_core.lower.statements import lower_expressions
from analysis_core.lower.values import Register
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.annotation_tree import OLD, ClaimAnnotation, Misstatement
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_HARMLESS = (Assign, Declare, If, Inlined, Load, Return)


@dataclass(frozen=True, slots=True)
class Claims:
    """What annotations claim, `before` statements and at the `end` of blocks, by the identities of these, which the tree keeps.
    `rejected`: what cannot be used of it."""

    before: Mapping[int, Sequence[ClaimAnnotation]]
    end: Mapping[int, Sequence[ClaimAnnotation]]
    rejected: list[Misstatement] = field(default_factory=list)


def before(ctx: Lowering, claims: Claims, node: syn.Stmt) -> None:
    """Emits what is claimed before a statement."""
    for said in claims.before.get(id(node), ()):
        claim(ctx, claims, said)


def at_end(ctx: Lowering, claims: Claims, node: syn.Compound) -> None:
    """Emits what is claimed at the end of a block."""
    for said in claims.end.get(id(node), ()):
        claim(ctx, claims, said)


def claim(ctx: Lowering, claims: Claims, said: ClaimAnnotation) -> None:
    """Emits one claim, or rejects it."""
    known = len(ctx.unknowns)
    with ctx.block() as setup:
        condition = lower_expressions.condition(ctx, said.condition)
    if _is_refused(ctx, claims, said, known, setup):
        return
    text = said.text.removeprefix(said.word).strip()
    ctx.emit(Claim(said.word, tuple(setup), condition, text, said.span))


def remembered(
    ctx: Lowering, claims: Claims, said: ClaimAnnotation, assigned: frozenset[str]
) -> ClaimAnnotation | None:
    """Emits what a claim about the end has to know of the beginning: what stands in `\\old(..)`, and parameters that are assigned to,
    which mean what was passed.  The claim with names for these; None if it is rejected."""
    taken: dict[str, syn.Expr] = {}
    condition = _without_old(said.condition, assigned, taken, f"(old {len(ctx.variables)}.")
    for name, part in taken.items():
        known = len(ctx.unknowns)
        with ctx.block() as setup:
            value = lower_expressions.value(ctx, part)
            var = ctx.temporary(name, value.type, part.span)
            ctx.emit(Assign(var, value.expr, part.span))
        if _is_refused(ctx, claims, said, known, setup):
            return None
        ctx.scope.bind(name, Register(var, value.type))
        ctx.emit(Claim(said.word, tuple(setup), None, "", said.span))
    return replace(said, condition=condition)


def _without_old(expr: syn.Expr, assigned: frozenset[str], taken: dict[str, syn.Expr], name: str) -> syn.Expr:
    """The expression with a name, beginning so, for each part that is to be remembered."""

    def inner(part: syn.Expr) -> syn.Expr:
        return _without_old(part, assigned, taken, name)

    def remember(part: syn.Expr) -> syn.Expr:
        chosen = f"{name}{len(taken)})"
        taken[chosen] = part
        return syn.Name(span=part.span, name=chosen)

    match expr:
        case syn.Call(callee=syn.Name(name=called), args=(part,)) if called == OLD:
            return remember(part)
        case syn.Name(name=plain) if plain in assigned:
            return remember(expr)
        case syn.Call(args=args):
            return replace(expr, args=tuple(map(inner, args)))
        case syn.Unary(operand=operand):
            return replace(expr, operand=inner(operand))
        case syn.Binary(left=left, right=right):
            return replace(expr, left=inner(left), right=inner(right))
        case syn.Conditional(condition=condition, then=then, otherwise=otherwise):
            return replace(expr, condition=inner(condition), then=inner(then), otherwise=inner(otherwise))
        case syn.Subscript(base=base, index=index):
            return replace(expr, base=inner(base), index=inner(index))
        case syn.Member(base=base):
            return replace(expr, base=inner(base))
        case _:
            return expr


def _is_refused(ctx: Lowering, claims: Claims, said: ClaimAnnotation, known: int, setup: Sequence[Stmt]) -> bool:
    """Whether the lowering of a claim met something that it did not know before, or something that changes what is there."""
    new = ctx.unknowns[known:]
    del ctx.unknowns[known:]
    if new:
        claims.rejected.append(Misstatement(new[0].reason, _within(said, new[0].span)))
    elif any(not isinstance(stmt, _HARMLESS) for stmt in statements(tuple(setup))):
        claims.rejected.append(Misstatement("a claim cannot do what this does", said.condition.span))
    else:
        return False
    return True


def _within(said: ClaimAnnotation, span: Span | None) -> Span:
    return span if span is not None and said.span.encloses(span) else said.condition.span
