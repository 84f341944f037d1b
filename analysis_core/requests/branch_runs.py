"""How many warps run each side of a branch, and how many the same lanes would fill.

A split is not a loss in itself.  `if (tid == 0)`, or the tail of a tree reduction that halves its stride, leaves one warp
with few lanes, and no arrangement of the threads would need fewer warps.  `if (tid % 2)` leaves every warp half empty.
The difference is what counts: warps that ran a side, less the warps that its lanes would fill if they stood side by
side.  Tests with a lane that is not decided are counted as `open`, and their lanes on every side that they might take; of these a
value that the block shares cuts one warp of all, and no more than one is on the side where threads equal it (`block_cuts`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from analysis_core.domains.condition import negate
from analysis_core.domains.mask import assume
from analysis_core.domains.shape import WARP
from analysis_core.interp.core.events import BranchEvent
from analysis_core.requests.block_cuts import warps_at_once, warps_cut
from analysis_core.requests.facts import ArmRuns, BranchRuns


def branch_runs(events: Iterable[BranchEvent]) -> BranchRuns:
    """How many warps and lanes run each side of one branch, over all its events. For a switch there are only splits."""
    tests = splits = open_tests = most = 0
    arms: list[ArmRuns] = [ArmRuns(0, 0, 0), ArmRuns(0, 0, 0)]
    for event in events:
        may = event.mask.by_warp
        undecided, divided = [0] * len(may), [0] * len(may)
        for condition in event.conditions:
            for warp, (lanes, true, false) in enumerate(zip(may, *condition.by_warp, strict=True)):
                undecided[warp] |= lanes & ~(true | false)
                divided[warp] |= bool(lanes & true and lanes & false)
        together = warps_at_once(event.mask)
        tests += together
        waiting = min(together, sum(1 for lanes in undecided if lanes))
        open_tests += waiting
        cut = warps_cut(event) if waiting > 1 else None
        most += waiting if cut is None else min(cut, waiting)
        apart = sum(1 for lanes, both in zip(undecided, divided, strict=True) if both and not lanes)
        splits += min(together - waiting, apart)
        if len(event.conditions) == 1:
            trues, falses = event.conditions[0].by_warp
            for side, others in enumerate((falses, trues)):
                taken = [lanes & ~other for lanes, other in zip(may, others, strict=True)]
                arms[side] = _added(arms[side], taken, _at_once(event, side) if waiting > 1 else together)
    return BranchRuns(tests, splits, open_tests, tuple(arms), most if most < open_tests else None)


def _at_once(event: BranchEvent, side: int) -> int:
    """The most warps that run a side together."""
    condition = event.conditions[0]
    return warps_at_once(assume(event.mask, negate(condition) if side else condition))


def _added(arm: ArmRuns, lanes: Sequence[int], most: int) -> ArmRuns:
    """The arm after one more test at which these lanes of the block may take it, one number per warp, in so many warps at most."""
    taken = sorted((own for own in lanes if own), key=int.bit_count, reverse=True)[:most]
    count = sum(own.bit_count() for own in taken)
    gaps = sum(1 for own in taken if (own & ~(own << 1)).bit_count() > 1)  # more than one run of lanes
    return ArmRuns(arm.warps + len(taken), arm.lanes + count, arm.packed + -(-count // WARP), arm.gaps + gaps)
