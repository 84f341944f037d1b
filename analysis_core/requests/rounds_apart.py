"""By how many rounds the lanes of a warp leave a loop apart: at its test, by a `break` or by a `return`.

Rounds that are gone through one by one say which lanes make each of them.  A lane whose condition is open may have left, so that it
makes at most the rounds in which it may run and at least those in which it surely does; lanes that leave together for a reason that
they share are no rounds apart.  Of a summarised test  c + k*B + .. < 0  the rounds in which two lanes leave lie no further apart than
their constants, in steps of B; the first of several ends that all lanes wait for, or the last of them, no further than any of
these ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from math import inf

import numpy as np

from analysis_core.domains.condition import Condition, open_level
from analysis_core.domains.mask import Mask
from analysis_core.domains.shape import WARP, BoolVector, FloatVector, IntVector, every, some
from analysis_core.domains.symbol import Level, Symbol
from analysis_core.interp.core.events import BranchEvent
from analysis_core.ir.nodes import LoopKind
from analysis_core.requests.loop_exits import atom_spread, uniform_in_warps, waits_together
from analysis_core.text.records import dataclass


def rounds_apart(tests: Sequence[BranchEvent], left_inside: bool) -> int | None:
    """The most rounds by which two lanes of a warp leave one execution of the loop apart; None if no number bounds it.
    `left_inside`: a `break` or a `return` leaves it, too."""
    exact = [event for event in tests if event.iteration is None]
    walked = max((int(walk.apart.max(initial=0)) for walk in walks(exact)), default=0)
    if left_inside and any(event.kind is LoopKind.DO for event in exact):
        walked = max(walked, len(exact))  # who left in the first round never came to a test
    if len(exact) == len(tests):
        return walked
    apart = max(_summarised(event, left_inside) for event in tests if event.iteration is not None)
    # Who left in rounds of their own is as far from the others as these go on.
    return None if walked or (exact and left_inside) or apart == inf else int(apart)


@dataclass(slots=True)
class Walk:
    """One execution of a loop, round by round: the lanes that entered it, and the least and the most rounds of each.
    `kept`: rounds for which lanes entered the loop; `waited`: those of them in which a lane has left while its warp
    goes on. `open`: it is not known of some lanes whether they have left."""

    first: Mask
    most: IntVector
    least: IntVector
    kept: int = 0
    waited: int = 0
    open: bool = False

    @staticmethod
    def begin(mask: Mask) -> Walk:
        """A walk at the loop's first test, before any round."""
        return Walk(mask, np.zeros(len(mask.may), dtype=np.int64), np.zeros(len(mask.may), dtype=np.int64))

    @property
    def apart(self) -> IntVector:
        """Per warp, by how many rounds its lanes leave apart at most."""
        rows = self.first.may.reshape(-1, WARP)
        most = np.where(rows, self.most.reshape(-1, WARP), 0).max(axis=1)
        least = np.where(rows, self.least.reshape(-1, WARP), np.iinfo(np.int64).max).min(axis=1)
        return np.where(rows.any(axis=1), most - least, 0)

    def add(self, may: BoolVector, sure: BoolVector, rounds: int) -> None:
        """Adds rounds that the lanes `may` possibly make, and the lanes `sure` certainly."""
        self.most += may * rounds
        self.least += sure * rounds
        lanes = may.reshape(-1, WARP).sum(axis=1)
        entered = self.first.may.reshape(-1, WARP).sum(axis=1)[lanes > 0]
        self.kept += rounds * int(entered.sum())
        self.waited += rounds * int((entered - lanes[lanes > 0]).sum())

    def surely(self, mask: Mask) -> BoolVector:
        """The lanes of a mask that cannot have left since the loop was entered, unless their whole warp has."""
        known = {entry.content for entry in self.first.literals}
        held = np.zeros_like(mask.may)
        for entry in mask.literals:
            if entry.content not in known:
                self.open = True
                held |= entry.scope & ~_together(entry.formula, mask.may, entry.scope)
        return mask.may & ~held


def walks(tests: Iterable[BranchEvent]) -> list[Walk]:
    """The executions of a loop whose rounds were executed one by one."""
    executions: dict[int, list[BranchEvent]] = {}
    for event in tests:
        executions.setdefault(event.execution, []).append(event)
    return [_walk(events) for events in executions.values()]


def _walk(events: Sequence[BranchEvent]) -> Walk:
    """Where the next test has the same mask, all that come to this one pass it."""
    walk = Walk.begin(events[0].mask)
    for mask, group in groupby(events, lambda event: event.mask):
        *before, last = group
        sure = walk.surely(mask)
        if before:
            walk.add(mask.may, sure, len(before))
        stays = last.conditions[0]
        walk.open = walk.open or some(mask.may & stays.undecided)
        if last.kind is LoopKind.DO:
            walk.add(mask.may, sure, 1)
        else:
            walk.add(mask.may & ~stays.false, sure & _sure_of(stays, mask.may), 1)
    return walk


def waiting(tests: Sequence[BranchEvent]) -> float | None:
    """Of a loop whose rounds were executed one by one: the part of the rounds, among those that lanes entered it for,
    in which a lane has left while its warp goes on. None where some rounds are summarised, or it is not known who
    leaves in which round."""
    if any(event.iteration is not None for event in tests):
        return None
    found = walks(tests)
    if any(walk.open for walk in found):
        return None
    kept = sum(walk.kept for walk in found)
    return sum(walk.waited for walk in found) / kept if kept else None


def _sure_of(condition: Condition, may: BoolVector) -> BoolVector:
    """The lanes that surely pass, or pass with all others of their warp."""
    lanes = may & condition.undecided
    return condition.true | (lanes & _together(condition, may, lanes))


def _together(condition: Condition, may: BoolVector, scope: BoolVector) -> BoolVector:
    """The lanes of warps in which all lanes that may run wait for the condition, and for one answer."""
    if open_level(condition) is Level.LANE:
        return np.zeros_like(may)
    whole = ((scope & may) == may).reshape(-1, WARP).all(axis=1)
    return np.repeat(whole, WARP)


# --- summarised rounds --------------------------------------------------------------------------------------------


def _summarised(event: BranchEvent, left_inside: bool) -> float:
    """Of one summarised test."""
    if event.ragged and left_inside:
        return inf
    condition, may = event.exits or event.conditions[0], event.mask.may
    groups = [(v & may).reshape(-1, WARP).any(axis=1) for v in (condition.true, condition.false, condition.undecided)]
    several = np.sum(groups, axis=0) > 1
    return float(np.where(several, inf, _of_formula(condition, event.iteration, may)).max(initial=0.0))


def _of_formula(condition: Condition, k: Symbol | None, may: BoolVector) -> FloatVector:
    """Per warp, how many rounds apart lanes leave that wait for the formula."""
    lanes = may & condition.undecided
    rows = len(lanes) // WARP
    if condition.parts:
        apart = np.zeros(rows)
        for part in condition.parts:
            apart = np.maximum(apart, _of_formula(part, k, lanes))
        return np.where(waits_together(condition, lanes), apart, inf)
    nowhere = np.where(lanes.reshape(-1, WARP).any(axis=1), inf, 0.0)
    atom = condition.atom
    if atom is None or atom.poly is None:
        return np.zeros(rows) if atom is not None and atom.level is not Level.LANE else nowhere
    uniform = uniform_in_warps(atom.poly, lanes)
    return np.zeros(rows) if every(uniform) else np.where(uniform, 0.0, atom_spread(atom.poly, k, lanes))
