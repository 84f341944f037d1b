"""How many iterations of a loop a warp makes in all, from the tests of its condition.

A test is followed by a round for the warps with a lane that may pass it.  A summarised loop is tested once more than it
iterates each time it is entered.  A do loop tests after each round, the last one included.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from analysis_core.domains.shape import IntVector, warps_with
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core.events import BranchEvent
from analysis_core.ir.nodes import LoopKind
from analysis_core.requests.counts import most_expensive


def rounds_of(tests: Iterable[BranchEvent]) -> Expression | None:
    """The most iterations that a warp makes in all executions of the loop together; None for a branch that is no loop."""
    counts: dict[Expression, IntVector] = {}
    for event in tests:
        if not isinstance(event.kind, LoopKind):
            return None
        passing = event.mask.may if event.kind is LoopKind.DO else event.mask.may & ~event.conditions[0].false
        times = event.times
        if event.iteration is not None and event.entered is not None and event.kind is not LoopKind.DO:
            times = ex.subtract(times, event.entered)
        rows = np.asarray(warps_with(passing), dtype=np.int64)
        counts[times] = counts[times] + rows if times in counts else rows
    return most_expensive(counts)
