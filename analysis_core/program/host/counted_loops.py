"""Loops that count up to a small number, as the text says it."""

from __future__ import annotations

from analysis_core.ir.literals import literal
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import uncast

FEW = 8
"""Rounds of a loop up to which what stands beside it may weigh as much as what stands in it."""


def counts_to_few(loop: syn.Node) -> bool:
    """Whether a loop counts up to a small number."""
    match loop:
        case syn.For(
            condition=syn.Binary(op="<" | "<=" | "!=", right=end), step=syn.IncDec(op="++") | syn.Assign(op="+=")
        ):
            number = number_of(end)
            return number is not None and number <= FEW
        case _:
            return False


def number_of(expr: syn.Expr) -> int | None:
    """The number that a literal stands for."""
    expr = uncast(expr)
    known = literal(expr) if isinstance(expr, syn.Literal) else None
    return known.value if known is not None and isinstance(known.value, int) else None
