"""Whether a warp can split at a branch, how often, and how many of its threads are then active (docs/decisions/04-masks-and-lane-sets.md).

The possible worlds of a warp (worlds.py) say which lanes can run the test and how they can decide it together.

    NEVER      no world splits the warp
    BOUNDARY   every world that does is at an edge: the warp is where a size, or the first or last block or round, cuts.
               `i < n` passes through one warp of the grid; with 16x16 blocks `x < w` splits every warp of the blocks that
               the border goes through, and `y == 0` with 8x8 blocks the first warp of the blocks of the first row.  All of
               these cost what the edge of the grid costs, and nothing in the middle
    ALWAYS     every world splits the warp in which all its lanes run that can; those that an edge may cut off do not
               count against it (`if (i < n) if (tid % 2)`), those that data may hold back do
    POSSIBLE   everything else: data, sizes that may cut many warps, a condition on a parameter

The class of a branch is the worst over its executions and warps.  A *side* is one arm; at a switch, one target.

Two limits of what a mask tells about a summarised loop.  Lanes may have left in an earlier round: `BranchEvent.ragged`
says so, and then no lane surely runs.  At the test itself a lane that now fails may have failed before; only where the
test moves further in a round than the lanes are apart do the failing lanes of a warp surely fail together.  Neither touches
the class: everything that holds in every round holds in the first, which all lanes make.

Tested against an enumeration of lane values in `tests/properties/test_branches.py`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import field, replace

import numpy as np

from analysis_core.domains import condition as cond
from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Condition
from analysis_core.domains.shape import WARP, BoolVector, IntVector, every, some
from analysis_core.domains.symbol import Level
from analysis_core.interp.core.events import BranchEvent
from analysis_core.ir.nodes import IfKind
from analysis_core.requests.case_split import Splitter, Truth
from analysis_core.requests.facts import Divergence
from analysis_core.requests.lane_groups import group_sizes
from analysis_core.requests.loop_exits import exit_spread as exit_spread  # how a loop's test splits is a part of this
from analysis_core.requests.loop_exits import steps_by_warp, summarised_splits, warp_spread
from analysis_core.requests.threshold_families import Sets
from analysis_core.requests.warp_problems import Readings, problems
from analysis_core.requests.worlds import Worlds, worlds
from analysis_core.text.records import dataclass

_ORDER = (Divergence.NEVER, Divergence.BOUNDARY, Divergence.POSSIBLE, Divergence.ALWAYS)


@dataclass(frozen=True, slots=True)
class Split:
    """`least` / `most` active threads on a side that runs in a split warp; 32, 32 where none splits."""

    divergence: Divergence
    least: int
    most: int


NO_SPLIT = Split(Divergence.NEVER, WARP, WARP)


@dataclass(frozen=True, slots=True)
class WarpSplit:
    """One warp at one execution of a test: `upper` and `lower` are how often it splits at most and surely (a switch: the
    targets that its lanes take, less one)."""

    split: Split
    upper: int
    lower: int


_WHOLE = WarpSplit(NO_SPLIT, 0, 0)


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """Answers that were found for one kernel: the rounds of a loop, and branches under the same masks, ask the same.
    `by_event`: for all warps, by what the event tests; `by_problem`: for one warp."""

    by_event: dict[Hashable, list[WarpSplit]] = field(default_factory=dict)
    by_problem: dict[Hashable, WarpSplit] = field(default_factory=dict)
    readings: Readings = field(default_factory=Readings)


def worse(a: Split, b: Split) -> Split:
    """Both splits together: the fewest and the most active threads of either."""
    if a.divergence is Divergence.NEVER or b.divergence is Divergence.NEVER:
        return b if a.divergence is Divergence.NEVER else a
    divergence = max(a.divergence, b.divergence, key=_ORDER.index)
    return Split(divergence, min(a.least, b.least), max(a.most, b.most))


def classify(event: BranchEvent, known: Known | None = None) -> Split:
    """The worst split over the warps of the block, at one execution of the test."""
    return worst_split(warp_splits(event, known))


def worst_split(entries: Iterable[WarpSplit]) -> Split:
    """The worst of several warps."""
    result = NO_SPLIT
    for split in dict.fromkeys(entry.split for entry in entries):
        result = worse(result, split)
    return result


def event_splits(event: BranchEvent, entries: Sequence[WarpSplit] | None = None) -> tuple[IntVector, IntVector]:
    """Per warp of the block, the most and the sure splits at one execution of the test; at the test of a summarised loop,
    in one execution of the whole loop.  Zero for `?:`, `&&` and `||`, which do not count as splits (docs/hardware.md).

    `entries`: the event's `warp_splits`, where they are known."""
    entries = warp_splits(event) if entries is None else entries
    upper = np.array([entry.upper for entry in entries], dtype=np.int64)
    lower = np.array([entry.lower for entry in entries], dtype=np.int64)
    if isinstance(event.kind, IfKind) and event.kind is not IfKind.IF:
        return np.zeros_like(upper), np.zeros_like(lower)
    if event.iteration is not None:
        return np.where(upper > 0, summarised_splits(event), 0), np.zeros_like(lower)
    return upper, lower


def warp_splits(event: BranchEvent, known: Known | None = None, splitter: Splitter | None = None) -> list[WarpSplit]:
    """How each warp of the block can split at one execution of the test.  `splitter`: knows the cases of values without
    polynomial, as in `if ((tid + i) % 2 == 0)`; the same in all questions to one `known`."""
    known = Known() if known is None else known
    key = (event.mask.content, *(_content(c, event.mask.may) for c in event.conditions), event.ragged, event.iteration)
    found = known.by_event.get(key)
    if found is None:
        found = known.by_event[key] = _warp_splits(event, known, splitter)
    return found


def _content(condition: Condition, may: BoolVector) -> Hashable:
    """Equal contents: the same answers, for these lanes; the atom's own, since how it moves counts too."""
    atom = None if condition.atom is None else condition.atom.key
    return (condition.key, atom, (condition.true & may).tobytes(), (condition.false & may).tobytes())


def _warp_splits(event: BranchEvent, known: Known, splitter: Splitter | None) -> list[WarpSplit]:
    result = [_WHOLE] * (len(event.mask.may) // WARP)
    warps = _dividing(event)
    if not warps:
        return result
    cases = None if splitter is None else case_splits(event, splitter)
    if cases is not None:
        for warp in warps:
            result[warp] = cases[warp]
        return result
    switch = len(event.conditions) > 1
    failing_together = _failing_together(event) if event.iteration is not None else None
    for group, problem in problems(event.mask, event.conditions, warps, known.readings):
        together = None if failing_together is None else every(failing_together[list(group)])
        key = (problem.key, event.ragged, together, switch)
        answer = known.by_problem.get(key)
        if answer is None:
            answer = known.by_problem[key] = _answer(worlds(problem), event.ragged, together, switch)
        for warp in group:
            result[warp] = answer
    return _by_groups(event, result)


def _by_groups(event: BranchEvent, entries: list[WarpSplit]) -> list[WarpSplit]:
    """The same, where lanes that go together are many or few."""
    if all(entry is _WHOLE for entry in entries):
        return entries
    groups = group_sizes(event)
    return entries if groups is None else [_in_groups(*pair) for pair in zip(entries, groups, strict=True)]


def _in_groups(entry: WarpSplit, groups: Sequence[int]) -> WarpSplit:
    split, lanes = entry.split, sum(groups)
    if split.divergence is Divergence.NEVER or lanes < 2:
        return entry
    if len(groups) == 1:
        return _WHOLE
    least, most = max(split.least, min(groups)), min(split.most, lanes - min(groups))
    return replace(entry, split=Split(split.divergence, least, max(least, most)))


def case_splits(event: BranchEvent, splitter: Splitter) -> dict[int, WarpSplit] | None:
    """How each warp splits, found case by case; for events whose cases decide every lane, where only what all lanes
    share holds the warp back."""
    if event.iteration is not None or len(event.conditions) > 1 or event.ragged:
        return None
    if any(atom.level is Level.LANE for entry in event.mask.literals for atom in cond.atoms(entry.formula)):
        return None
    told = splitter.truths(event.conditions[0], event.mask)
    if told is None:
        return None
    # What all lanes share may hold all of them back; then nothing is sure.
    sure = not event.mask.literals
    return {warp: _by_cases(truths, sure) for warp, truths in told.items()}


def _by_cases(truths: Sequence[Truth], sure: bool) -> WarpSplit:
    sides = [(int(t.true.sum()), int((t.may & ~t.true).sum())) for t in truths]
    split = [side for side in sides if min(side) > 0]
    if not split:
        return _WHOLE
    always = len(split) == len(sides)
    divergence = Divergence.ALWAYS if always else Divergence.POSSIBLE
    least, most = min(map(min, split)), max(map(max, split))
    return WarpSplit(Split(divergence, least, most), 1, int(always and sure))


def _dividing(event: BranchEvent) -> list[int]:
    """The warps that might split, by lane and without a look at the formulas."""
    may = event.mask.by_warp
    if len(event.conditions) == 1:
        trues, falses = event.conditions[0].by_warp
        both = zip(may, trues, falses, strict=True)
        return [warp for warp, (lanes, true, false) in enumerate(both) if lanes & ~false and lanes & ~true]
    passing = [condition.by_warp[1] for condition in event.conditions]
    return [w for w, lanes in enumerate(may) if sum(1 for falses in passing if lanes & ~falses[w]) > 1]


def _failing_together(event: BranchEvent) -> BoolVector:
    """For the test of a summarised loop, per warp, whether lanes that fail it beside lanes that pass have not failed it
    before: it moves in one round further than the lanes are apart."""
    condition = event.conditions[0]
    warps = len(event.mask.may) // WARP
    atom = condition.atom
    if atom is None or atom.poly is None or event.iteration is None:
        return np.zeros(warps, dtype=bool)
    step = steps_by_warp(atom.poly, event.iteration, event.mask.may)
    constants = pl.coefficient_vector(atom.poly.constant, len(event.mask.may))
    return np.asarray((step > 0) & (warp_spread(constants, event.mask.may) <= step))


# --- from worlds to figures ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """Per world, over the lanes of a warp: those that surely take the side, all that may take it, and those that may take
    another one.  `alone`: no lane but the open ones may take another side."""

    sure: IntVector
    may: IntVector
    rest: IntVector
    alone: BoolVector


def _answer(found: Worlds, ragged: bool, failing_together: bool | None, switch: bool) -> WarpSplit:
    """The figures of one warp.  `failing_together`: None where the test is not that of a summarised loop."""
    plain = _sides(found, found.runs, switch)
    runs = np.zeros_like(found.runs) if ragged else found.runs
    if failing_together is False:
        runs = runs & found.true[0]
    sides = plain if runs is found.runs else _sides(found, runs, switch)
    can = _can_split(sides)
    if not some(can):
        return _WHOLE
    taken = _number([side.may > 0 for side in sides])
    lanes = _count(found.may)
    upper = int(np.minimum(taken, lanes)[can].max()) - 1
    lower = max(0, int(_number([side.sure > 0 for side in sides]).min()) - 1)
    least, most = WARP, 0
    for side in sides:
        divided = can & (side.may > 0) & (side.rest > 0)
        if some(divided):
            least = min(least, int(np.maximum(side.sure, 1)[divided].min()))
            most = max(most, int((side.may - side.alone)[divided].max()))
    return WarpSplit(Split(_divergence(found, plain, can), least, max(least, most)), upper, lower)


def _number(truths: Sequence[BoolVector]) -> IntVector:
    """How many of them hold, world by world."""
    total = truths[0].astype(np.int64)
    for truth in truths[1:]:
        total += truth
    return total


def _divergence(found: Worlds, sides: Sequence[_Side], can: BoolVector) -> Divergence:
    if every(found.edge[can]):
        return Divergence.BOUNDARY
    lanes = _count(found.may)
    full = lanes == lanes.max()
    sure = _number([side.sure > 0 for side in sides]) > 1
    return Divergence.ALWAYS if every(sure[full]) else Divergence.POSSIBLE


def _can_split(sides: Sequence[_Side]) -> BoolVector:
    """Per world, whether two lanes may take different sides."""
    result = np.zeros(len(sides[0].sure), dtype=bool)
    for side in sides:
        # One lane alone does not split, though it may take either side.
        result |= (side.may > 0) & (side.rest > 0) & ((side.may > 1) | ~side.alone)
    return result


def _sides(found: Worlds, runs: Sets, switch: bool) -> list[_Side]:
    """The sides of the test in every world: both arms, or each target of a switch."""
    sides = []
    for true, false in zip(found.true, found.false, strict=True):
        sides.append(_side(found.may, runs, true, false))
        if not switch:
            sides.append(_side(found.may, runs, false, true))
    return sides


def _side(may: Sets, runs: Sets, takes: Sets, passes: Sets) -> _Side:
    return _Side(_count(runs & takes), _count(may & ~passes), _count(may & ~takes), (may & passes) == 0)


def _count(sets: Sets) -> IntVector:
    """The number of lanes in each set."""
    return np.bitwise_count(sets).astype(np.int64)
