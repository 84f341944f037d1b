"""Where lanes of a warp leave loops apart, and what part of the rounds they wait."""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.expressions.expression import symbols
from analysis_core.expressions.expression_nodes import CeilDiv, fold
from analysis_core.ir.nodes import IfKind, LoopKind
from analysis_core.profile.access_profile import BranchProfile
from analysis_core.profile.line_shares import value_at
from analysis_core.profile.sureness import is_our_limit, rests_on_data
from analysis_core.requests.facts import BranchFact, Divergence

RAGGED = 1
"""Splits that a strided loop costs at its ragged end."""


MOSTLY = 0.5
"""The part of a loop's rounds from which lanes idle for most of the loop."""


def is_ragged(branch: BranchProfile) -> bool:
    """Whether lanes of a warp leave the loop far apart, or idle in most of its few rounds (`for (i = lane; i < 8; i += 32)`)."""
    return leaves_apart(branch.fact) or (branch.idle or 0) >= MOSTLY


def leaves_apart(branch: BranchFact) -> bool:
    """Whether lanes of a warp leave the loop by more than one round apart, where more is known than that they might."""
    if not isinstance(branch.kind, LoopKind) or is_our_limit(branch):
        return False
    if branch.divergence not in (Divergence.POSSIBLE, Divergence.ALWAYS) or branch.leaving.strided:
        return False
    if branch.leaving.lane_rounds:
        return True
    known = [number for number in (branch.leaving.exits, branch.leaving.spread) if number is not None]
    if not known or branch.leaving.groups > 1:
        # Nothing bounds how far apart the lanes leave: worth saying where data decides, else we only know no better.
        return rests_on_data(branch)
    return max(known) > RAGGED and not _is_strided(branch)


def leaves_by_data(branch: BranchFact) -> bool:
    """Whether memory contents decide for each lane at an `if` whether it leaves the loop. What it does on its way out
    it does once."""
    is_open = branch.kind is IfKind.IF and branch.divergence in (Divergence.POSSIBLE, Divergence.ALWAYS)
    return is_open and rests_on_data(branch)


def leaves_early(branch: BranchFact) -> bool:
    """Whether lanes leave a loop at an `if`, and it is known how long they wait for each other."""
    if branch.kind is not IfKind.IF or rests_on_data(branch) or is_our_limit(branch):
        return False
    if branch.divergence not in (Divergence.POSSIBLE, Divergence.ALWAYS):
        return False
    return bool(branch.leaving.lane_rounds) or (
        branch.leaving.waiting is not None and (branch.leaving.spread or 0) > RAGGED
    )


def leaves_inside(branch: BranchFact) -> bool:
    """Whether an `if` that leads out of a loop is told as a place where lanes leave it apart."""
    return leaves_by_data(branch) or leaves_early(branch)


def apart_text(branch: BranchFact, values: Mapping[str, int], known: float | None = None) -> str:
    """ "up to 128 iterations apart, idle in 50% of them", "at different iterations"."""
    if branch.leaving.spread is not None:
        apart = f"up to {branch.leaving.spread} iteration{'' if branch.leaving.spread == 1 else 's'} apart"
    elif branch.leaving.exits:
        apart = f"at up to {branch.leaving.exits + 1} different iterations"
    else:
        apart = "at different iterations"
    idle = waited(branch, values) if known is None else known
    return apart if idle is None else f"{apart}, idle in {round(100 * idle)}% of them"


def waited(branch: BranchFact, values: Mapping[str, int]) -> float | None:
    """The part of the rounds (0 to 1) that lanes enter a loop for in which they have left it and wait for their warp, at these sizes; None
    where it is not known what rounds each lane makes."""
    if branch.leaving.waiting is not None:
        return branch.leaving.waiting
    kept = lost = 0
    for warp in branch.leaving.lane_rounds:
        rounds = [(value_at(rounds, values), lanes) for rounds, lanes in warp.lanes]
        known = [(number, lanes) for number, lanes in rounds if number is not None]
        if len(known) < len(rounds):
            return None
        most = max(number for number, _ in known)
        kept += warp.warps * sum(most * lanes for _, lanes in known)
        lost += warp.warps * sum((most - number) * lanes for number, lanes in known)
    return lost / kept if kept else None


def _is_strided(branch: BranchFact) -> bool:
    """Whether a step that is a parameter may, but need not, be as small as to take lanes apart: `i += stride` is written
    for strides of a block and more, with one ragged round."""
    if branch.divergence is not Divergence.POSSIBLE or rests_on_data(branch) or branch.times is None:
        return False
    return fold(
        branch.times, lambda node, parts: any(parts) or (isinstance(node, CeilDiv) and bool(symbols(node.divisor)))
    )
