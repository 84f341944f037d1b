"""What a call or a launch of the host hands on: packs written out, kernels that are pointed to, and of the rest constants and types."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product

from analysis_core.lower.context import Lowering
from analysis_core.lower.names import packs
from analysis_core.lower.objects import closure_types
from analysis_core.lower.statements import lower_expressions
from analysis_core.lower.values import Operand, Value
from analysis_core.program.host import host_unknowns
from analysis_core.program.host.host_kernels import Pointers, kernels_named
from analysis_core.syntax.read import tree as syn

_MOST_CHOICES = 16


def written_out(ctx: Lowering, args: Sequence[syn.Expr]) -> tuple[Sequence[syn.Expr], bool]:
    """Arguments with packs written out, as far as they are known, and whether these are all."""
    for position, arg in enumerate(args):
        if isinstance(arg, syn.Expansion) and not packs.named_packs(ctx, arg.pattern):
            return packs.expressions(ctx, args[:position]), False
    return packs.expressions(ctx, args), True


def operands_of(ctx: Lowering, args: Sequence[syn.Expr], pointers: Pointers) -> Iterator[list[Operand]]:
    """The arguments of which only types matter, for each choice of kernels that they may point to."""
    each = [kernels_named(ctx, arg, pointers) or (_typed(ctx, arg),) for arg in args]
    return (list(choice) for choice in islice(product(*each), _MOST_CHOICES))


def _typed(ctx: Lowering, expr: syn.Expr) -> Operand:
    """An argument of which only the type matters."""
    value = lower_expressions.constant(ctx, expr) if not isinstance(expr, syn.InitList) else None
    if value is not None:
        return Value(value, value.type)
    if isinstance(expr, syn.InitList):
        return host_unknowns.unknown_of(None)
    if isinstance(expr, syn.Lambda):
        return host_unknowns.unknown_of(closure_types.closure_type(ctx, expr))
    return host_unknowns.unknown_of(lower_expressions.type_of_expression(ctx, expr))
