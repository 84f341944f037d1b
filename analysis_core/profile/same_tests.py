"""Branches that ask one question twice: `if (t >= s) v = a[t - s];` .. `if (t >= s) a[t] += v;`.

Compilers make one branch of such, and a reader mends them together: rules tell them in one finding.  The same is asked if the conditions'
formulas are the same, on the same lanes, and so are the threads that come there.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from analysis_core.interp.core.events import BranchEvent
from analysis_core.ir.nodes import IfKind

_MOST_EXECUTIONS = 4
"""The first executions of a branch tell its question from others."""


def same_tests(groups: Sequence[Sequence[BranchEvent]]) -> dict[int, int]:
    """For each `if` that asks the same as another one, by its position in `groups`, the number of the question."""
    asked: dict[Hashable, list[int]] = {}
    for place, group in enumerate(groups):
        if group[0].kind is IfKind.IF:
            asked.setdefault(tuple([_question(event) for event in group[:_MOST_EXECUTIONS]]), []).append(place)
    several = (places for places in asked.values() if len(places) > 1)
    return {place: number for number, places in enumerate(several, 1) for place in places}


def _question(event: BranchEvent) -> Hashable:
    return (event.times, event.mask.content, tuple([condition.content for condition in event.conditions]))
