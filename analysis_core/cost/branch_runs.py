"""How many warps run each side of a branch, and how many the same lanes would fill.

A split is not a loss in itself.  `if (tid == 0)`, or the tail of a tree reduction that halves its stride, leaves one warp
with few lanes, and no arrangement of the threads would need fewer warps.  `if (tid % 2)` leaves every warp half empty.
The difference is what counts: warps that ran a side, less the warps that its lanes would fill if they stood side by
side.  Tests with a lane that is not decided are counted as `open`, and their lanes on every side that they might take.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from analysis_core.cost.facts import ArmRuns, BranchRuns
from analysis_core.domains.shape import WARP, BoolVector, warps_with
from analysis_core.interp.events import BranchEvent


def branch_runs(events: Iterable[BranchEvent]) -> BranchRuns:
    """The counts over all events of one branch.  A switch has no arms here, only splits."""
    tests = splits = open_tests = 0
    arms: list[ArmRuns] = [ArmRuns(0, 0, 0), ArmRuns(0, 0, 0)]
    for event in events:
        may = event.mask.may
        warps = warps_with(may)
        undecided = np.zeros_like(warps)
        divided = np.zeros_like(warps)
        for condition in event.conditions:
            undecided |= warps_with(may & condition.undecided)
            divided |= warps_with(may & condition.true) & warps_with(may & condition.false)
        tests += int(warps.sum())
        open_tests += int(undecided.sum())
        splits += int((divided & ~undecided).sum())
        if len(event.conditions) == 1:
            condition = event.conditions[0]
            sides = may & ~condition.false, may & ~condition.true
            arms = [_added(arm, side) for arm, side in zip(arms, sides, strict=True)]
    return BranchRuns(tests, splits, open_tests, tuple(arms))


def _added(arm: ArmRuns, lanes: BoolVector) -> ArmRuns:
    """The arm after one more test at which these lanes of the block take it."""
    count = int(lanes.sum())
    packed = arm.packed + -(-count // WARP)
    return ArmRuns(arm.warps + int(warps_with(lanes).sum()), arm.lanes + count, packed, arm.gaps + _with_gaps(lanes))


def _with_gaps(lanes: BoolVector) -> int:
    """The number of warps in which these lanes are more than one run."""
    rows = lanes.reshape(-1, WARP)
    starts = rows[:, 0].astype(np.int64) + (rows[:, 1:] & ~rows[:, :-1]).sum(axis=1)
    return int((starts > 1).sum())
