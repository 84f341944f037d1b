"""WC302 divergent-loop: lanes of a warp leave a loop at different iterations, so the warp runs as long as its last lane.

Fires when more than two exit times occur in a warp.  Quiet for the one ragged iteration of a strided loop
(`for (i = tid; i < n; i += stride)` leaves at two neighbouring times, and may leave apart only for a stride that nobody passes), for boundary splits, and where nothing is known
but that lanes might leave apart.  An `if` with a `break` is an exit too, where memory contents decide it.  Trip counts that come from memory may differ or not: information, never a warning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from analysis_core.cost.expression import symbols
from analysis_core.cost.expression_nodes import CeilDiv, fold
from analysis_core.cost.facts import BranchFact, Divergence
from analysis_core.ir.early_exits import loops_of_exits
from analysis_core.ir.nodes import IfKind, LoopKind
from analysis_core.report.check import Check, Context, is_our_limit, level_of, notes_of, rests_on_data, surely_splits
from analysis_core.report.model import CheckId, Finding, Level, Verdict
from analysis_core.report.shares import sizes_text
from analysis_core.report.wording import assuming_text, joined, share_text, times_text
from analysis_core.text.span import Span

CODE = CheckId("WC302")

RAGGED = 1
"""Splits that a strided loop costs at its ragged end."""


def find(context: Context) -> Iterator[Finding]:
    """One finding per loop that lanes leave apart: at its test, or else at its first exit out of the middle."""
    loops = loops_of_exits(context.kernel)
    told: set[Span] = set()
    for branch, share in sorted(_places(context, loops), key=lambda pair: not isinstance(pair[0].kind, LoopKind)):
        by_data = rests_on_data(branch)
        certain = surely_splits(branch) and not by_data
        level = level_of(context, 2.0, share, certain=certain)
        loop = loops.get(branch.span, branch.span)
        if level is None or (loop in told and branch.span in loops):
            continue
        told.add(loop)
        verdict = Verdict.FAILS if surely_splits(branch) else Verdict.MAY_FAIL
        yield Finding(
            CODE, verdict, level, branch.span, _message(context, branch, share, by_data), notes_of(context, branch),
            share=share, subject=branch.text,
        )  # fmt: skip


def _places(context: Context, loops: Mapping[Span, Span]) -> Iterator[tuple[BranchFact, float]]:
    """Loop tests and exits at which lanes leave apart, with their shares."""
    for branch, share in zip(context.facts.branches, context.weights.branch_shares):
        if _fires(branch) or (branch.span in loops and _leaves_by_data(branch)):
            yield branch, share


def _fires(branch: BranchFact) -> bool:
    if not isinstance(branch.kind, LoopKind) or is_our_limit(branch):
        return False
    if branch.divergence not in (Divergence.POSSIBLE, Divergence.ALWAYS):
        return False
    if branch.spread is None:
        # Nothing bounds how far apart the lanes leave: worth saying where data decides, else we only know no better.
        return rests_on_data(branch)
    return branch.spread > RAGGED and not _is_strided(branch)


def _is_strided(branch: BranchFact) -> bool:
    """Whether a step that is a parameter may, but need not, be as small as to take lanes apart: `i += stride` is written
    for strides of a block and more, with one ragged round."""
    if branch.divergence is not Divergence.POSSIBLE or rests_on_data(branch) or branch.times is None:
        return False
    return fold(
        branch.times, lambda node, parts: any(parts) or (isinstance(node, CeilDiv) and bool(symbols(node.divisor)))
    )


def _leaves_by_data(branch: BranchFact) -> bool:
    """Whether memory contents decide for each lane at an `if` whether it leaves; two sides with work are WC301's."""
    is_open = branch.kind is IfKind.IF and branch.divergence in (Divergence.POSSIBLE, Divergence.ALWAYS)
    return is_open and rests_on_data(branch) and sum(branch.work) < 2


def _message(context: Context, branch: BranchFact, share: float, by_data: bool) -> str:
    all_times = [b.times for b in context.facts.branches if b.divergence is not Divergence.NEVER]
    if branch.spread is None:
        apart = "at different iterations"
    else:
        apart = f"at up to {branch.spread + 1} different iterations"
    may = "may leave" if branch.divergence is Divergence.POSSIBLE or branch.rarity else "leave"
    return joined(
        f"lanes of a warp {may} this loop {apart}{' (decided by data)' if by_data else ''}",
        times_text(branch.times, rarity=branch.rarity).replace("executed", "tested"),
        share_text(share, "divergences", sizes_text(all_times, context.weights.sizes)),
        assuming_text(context.facts),
    )


CHECK = Check(CODE, "divergent-loop", "lanes of a warp leave a loop at different iterations", Level.WARNING, find)
