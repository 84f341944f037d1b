"""Numbers that the host computes with functions of its library, where these give one number on every machine.

    int rounds = log2(n / 2);                       n is 128: 6
    int blocks = (int)ceil((float)n / 256.f);       n is 1000: 4

Roundings are exact, and so are roots of squares and logarithms of powers of two; of other arguments nothing is said.  Device code is left
alone: there a build may ask for functions that are only nearly right.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from analysis_core.ir import constants
from analysis_core.ir.literals import literal
from analysis_core.ir.nodes import Const, Expr, Intrinsic
from analysis_core.ir.walk import fold as fold_tree
from analysis_core.lower.context import Lowering
from analysis_core.lower.statements import lower_expressions
from analysis_core.lower.values import Value
from analysis_core.syntax.read import tree as syn

_EXACT = 1 << 52


def host_constant(ctx: Lowering, expr: syn.Expr) -> Const | None:
    """The value of a constant expression of the host, else None."""
    if isinstance(expr, syn.Literal):
        return literal(expr)
    with ctx.scratch() as block:
        result = lower_expressions.rvalue(ctx, expr)
        if block or not isinstance(result, Value):
            return None
        return result.expr if isinstance(result.expr, Const) else fold_tree(result.expr, _combined)


def _combined(node: Expr, args: Sequence[Const | None]) -> Const | None:
    if isinstance(node, Intrinsic) and len(args) == 1 and args[0] is not None:
        value = _computed(node.name, args[0].value)
        if value is not None:
            return constants.constant(value, node.type)
    return constants.combined(node, args)


def _computed(name: str, value: int | float) -> int | float | None:
    """What a function of the library makes of a number."""
    if not math.isfinite(value) or abs(value) >= _EXACT:
        return None
    match name:
        case "ceil":
            return math.ceil(value)
        case "floor":
            return math.floor(value)
        case "trunc":
            return math.trunc(value)
        case "sqrt" if value >= 0 and value == int(value) and (root := math.isqrt(int(value))) ** 2 == value:
            return root
        case "log2" if value > 0 and (parts := math.frexp(value))[0] == 0.5:
            return parts[1] - 1
        case _:
            return None
