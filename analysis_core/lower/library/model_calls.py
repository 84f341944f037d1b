"""What models of libraries may say that CUDA C++ cannot: values that data decide, and work that nobody can follow.

warpcost::data<T>()         a value that depends on data, another one in each lane
warpcost::opaque("why")     what is done here is not known, and neither what it costs
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.ir.types import INT, VOID
from analysis_core.lower.context import Lowering
from analysis_core.lower.library import library_types
from analysis_core.lower.statements import inline
from analysis_core.lower.statements.arguments import Argument
from analysis_core.lower.values import Operand
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn

NAMESPACE = "warpcost"


def call(
    ctx: Lowering,
    name: str,
    template_args: Sequence[syn.TemplateArg] | None,
    arguments: Sequence[Argument],
    node: syn.Call,
) -> Operand | None:
    """A call of this vocabulary; None for any other."""
    span = ctx.seen_at(node.span)
    if name == f"{NAMESPACE}::data":
        type = library_types.argument_type(ctx, template_args[0]) if template_args else None
        return inline.unknown_result(ctx, CauseKind.DATA, "what a library computes depends on data", type or INT, span)
    if name == f"{NAMESPACE}::opaque":
        said = arguments[0].node if arguments else None
        reason = said.text.strip('"') if isinstance(said, syn.Literal) else "a library does what is not known here"
        operands = [a.operand for a in arguments[1:]]
        return inline.opaque_call(ctx, CauseKind.UNSUPPORTED, reason, operands, VOID, span)
    return None
