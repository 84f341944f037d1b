"""Where lanes of a warp leave loops apart."""

from __future__ import annotations

from analysis_core.cost.expression import symbols
from analysis_core.cost.expression_nodes import CeilDiv, fold
from analysis_core.cost.facts import BranchFact, Divergence
from analysis_core.ir.nodes import IfKind, LoopKind
from analysis_core.report.check import is_our_limit, rests_on_data

RAGGED = 1
"""Splits that a strided loop costs at its ragged end."""


def leaves_apart(branch: BranchFact) -> bool:
    """Whether lanes of a warp leave the loop at more than two times, where more is known than that they might."""
    if not isinstance(branch.kind, LoopKind) or is_our_limit(branch):
        return False
    if branch.divergence not in (Divergence.POSSIBLE, Divergence.ALWAYS) or branch.strided:
        return False
    if branch.spread is None or branch.groups > 1:
        # Nothing bounds how far apart the lanes leave: worth saying where data decides, else we only know no better.
        return rests_on_data(branch)
    return branch.spread > RAGGED and not _is_strided(branch)


def leaves_by_data(branch: BranchFact) -> bool:
    """Whether memory contents decide for each lane at an `if` whether it leaves: whatever it does on its way out, it does once."""
    is_open = branch.kind is IfKind.IF and branch.divergence in (Divergence.POSSIBLE, Divergence.ALWAYS)
    return is_open and rests_on_data(branch)


def _is_strided(branch: BranchFact) -> bool:
    """Whether a step that is a parameter may, but need not, be as small as to take lanes apart: `i += stride` is written
    for strides of a block and more, with one ragged round."""
    if branch.divergence is not Divergence.POSSIBLE or rests_on_data(branch) or branch.times is None:
        return False
    return fold(
        branch.times, lambda node, parts: any(parts) or (isinstance(node, CeilDiv) and bool(symbols(node.divisor)))
    )
