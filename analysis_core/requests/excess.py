"""What a request pays beyond its ideal, at most: excessive sectors, bank conflicts, replays of constant memory.

Costs are monotone in the active lanes, so their worst is that of all lanes that may run.  Differences are not: 32
neighbouring floats take 4 sectors and 4 are ideal, but lanes 0, 8, 16 and 24 of them take 4 as well and 1 is ideal
(docs/decisions/04-masks-and-lane-sets.md).  So `cost - ideal` is maximised over the sets of lanes that a mask allows.  The worlds of the mask
(worlds.py) give, for each of its cuts and warp-uniform conditions, lanes that surely run (M) and lanes that may (A); what
is left open are the subsets S with M <= S <= A.

Global memory, elements of w <= 32 bytes that lie in one sector each.  Adding to S a lane in a new sector costs one sector
and one distinct element, which raises the ideal ceil(d*w/32) by one at most: the excess does not fall.  Adding a lane in a
sector that S touches already adds nothing to the cost and nothing to the excess.  So one lane for each sector that M does
not touch is the best choice, and

    excess = sectors(A) - ceil((d(M) + sectors(A) - sectors(M)) * w / 32)

is exact.  Where an element may touch r sectors, s new sectors need ceil(s/r) elements at least; put in place of s above
that gives an upper figure, for every s.  Rows at a pitch (groups) may overlap: m shared sectors save m of the cost, and
the elements that coincide in them fill 32*m bytes at most, so the ideal falls by m at most.  Apart is the worst.

Shared memory, up to 4 bytes: the ideal is 1, so the worst is that of A, exactly.  Wider: with as many transaction groups
as hold a lane of S the cost is at most the sum of the groups' own, and the ideal is at least the number of *merged* groups
in use.  Both grow with S, their difference too, group by group, so

    excess <= sum over unmerged groups of A - merged groups in use by A

which is within 1 (8 bytes) or 2 (16 bytes) of the truth; up to `_FEW` open lanes all subsets are tried instead.

Constant memory: distinct addresses less one, of A.

Lanes that go their own ways (and combinations too many to enumerate) are only known by their number and range: d distinct
elements take at most min(d*r, all that can be reached), and d is chosen for the worst.
Tested against all subsets in `tests/properties/test_excess.py`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import field, replace

import numpy as np
import numpy.typing as npt

from analysis_core.domains.shape import WARP, BoolVector, IntVector, distinct_numbers, every, some
from analysis_core.interp.core.events import AccessEvent
from analysis_core.ir.types import Space
from analysis_core.machine import global_memory, shared_memory
from analysis_core.requests.access_cost import Layouts, RequestCost, layouts_of, sectors_per_lane
from analysis_core.requests.lane_counts import most_together
from analysis_core.requests.requests import Request
from analysis_core.requests.threshold_families import unpacked
from analysis_core.requests.warp_problems import Readings, problems
from analysis_core.requests.worlds import Worlds, worlds
from analysis_core.text.records import dataclass

Rows = npt.NDArray[np.bool_]
"""(n, 32)"""

_FEW = 8
_MOST_ROWS = 1 << 13


@dataclass(frozen=True, slots=True, eq=False)
class LaneSets:
    """Row by row (n, 32): the lanes that surely run, and those that run or may run; of these no more than `most` at once."""

    runs: Rows
    may: Rows
    most: int = WARP

    def key(self) -> Hashable:
        """Equal keys: equal sets."""
        return (self.runs.tobytes(), self.may.tobytes(), self.most)


Taken = tuple[Sequence[int], Request, RequestCost]
"""A request with its cost and the warps that make it; none where requests were made case by case."""


@dataclass(slots=True, eq=False)
class Excesses:
    """The excess costs found in one kernel, where most accesses share their requests and masks. `answers`: by request
    and sets of lanes; `costs`: one object for each request's cost; `by_mask`, `by_problem`: sets of lanes, by the
    mask, and by what its worlds are made from."""

    answers: dict[Hashable, int] = field(default_factory=dict)
    costs: dict[int, RequestCost] = field(default_factory=dict)
    by_mask: dict[Hashable, tuple[tuple[frozenset[int], LaneSets], ...]] = field(default_factory=dict)
    by_problem: dict[Hashable, LaneSets] = field(default_factory=dict)
    readings: Readings = field(default_factory=Readings)


def opening(event: AccessEvent) -> Hashable:
    """What leaves open which lanes of the event's mask run. Events with equal openings and equal lanes have equal sets
    of lanes."""
    return (tuple(entry.content for entry in event.mask.literals), event.ragged)


def event_excess(event: AccessEvent, taken: Sequence[Taken], known: Excesses, floor: int = 0) -> int:
    """The most that a request of the event costs above its ideal, or `floor` if that is no more.  `taken`: its requests
    for all lanes of the mask."""
    space, width, most = event.space, event.access.width, floor
    whole = not event.mask.literals and not event.ragged
    unsettled: list[tuple[int, Taken]] = []
    for warps, request, cost in taken:
        if cost.worst - 1 <= most:
            continue  # an ideal is 1 at least
        sets = _all_of(request.active) if whole else _any_of(request.active)
        upper = _remembered(request, sets, cost, space, width, known)
        if whole or not warps:
            most = max(most, upper)
        elif upper > most:
            unsettled.append((upper, (warps, request, cost)))
    for group, sets in lane_sets(event, known) if unsettled else ():
        for upper, (warps, request, cost) in unsettled:
            if upper > most and not group.isdisjoint(warps):
                most = max(most, _remembered(request, sets, cost, space, width, known))
    return most


def _all_of(active: BoolVector) -> LaneSets:
    return LaneSets(active[np.newaxis], active[np.newaxis])


def _any_of(active: BoolVector) -> LaneSets:
    return LaneSets(np.zeros((1, WARP), dtype=bool), active[np.newaxis])


def _remembered(request: Request, sets: LaneSets, cost: RequestCost, space: Space, width: int, known: Excesses) -> int:
    if cost.worst <= 1:
        return 0
    key = (id(cost), sets.key())
    if key not in known.answers:
        known.costs[id(cost)] = cost
        known.answers[key] = request_excess(request, sets, cost, space, width)
    return known.answers[key]


def lane_sets(event: AccessEvent, known: Excesses) -> tuple[tuple[frozenset[int], LaneSets], ...]:
    """Warps that are alike, with the sets of lanes that can run together in each of them."""
    key = (event.mask.content, event.ragged)
    if key not in known.by_mask:
        known.by_mask[key] = tuple(_lane_sets(event, known))
    return known.by_mask[key]


def _lane_sets(event: AccessEvent, known: Excesses) -> Iterator[tuple[frozenset[int], LaneSets]]:
    may = event.mask.may.reshape(-1, WARP)
    for group, problem in problems(event.mask, (), np.flatnonzero(may.any(axis=1)).tolist(), known.readings):
        key = (problem.key, event.ragged)
        if key not in known.by_problem:
            found = _distinct_sets(worlds(problem), event.ragged)
            is_open = some(found.runs != found.may)
            known.by_problem[key] = replace(found, most=most_together(problem)) if is_open else found
        sets = known.by_problem[key]
        if len(sets.may):
            yield frozenset(group), sets


def _distinct_sets(found: Worlds, ragged: bool) -> LaneSets:
    """The sets of all worlds, without those in which nobody runs, and those whose subsets another's are too."""
    runs = np.zeros_like(found.runs) if ragged else found.runs
    pairs = distinct_numbers((runs.astype(np.uint64) << np.uint64(WARP) | found.may)[found.may != 0])
    runs, may = (pairs >> np.uint64(WARP)).astype(np.uint32), pairs.astype(np.uint32)
    order = np.argsort(np.bitwise_count(runs).astype(np.int64) - np.bitwise_count(may), kind="stable")
    runs, may = runs[order], may[order]
    kept: list[int] = []
    left = np.arange(len(may))
    while len(left):  # the one with the most open lanes lies in no other, and takes with it those that lie in it
        kept.append(top := int(left[0]))
        left = left[((may[left] & ~may[top]) != 0) | ((runs[top] & ~runs[left]) != 0)]
    return LaneSets(unpacked(runs[kept]), unpacked(may[kept]))


def request_excess(request: Request, sets: LaneSets, cost: RequestCost, space: Space, width: int) -> int:
    """The most that the request costs above its ideal, over the sets of lanes and the residues; never too low."""
    if cost.worst <= 1:
        return 0
    runs, may = sets.runs & request.active, sets.may & request.active
    if space is Space.CONSTANT:
        return cost.worst - 1
    if space is Space.SHARED and width <= 4 and some((may == request.active).all(axis=1)):
        return cost.worst - 1
    plain = space is not Space.SHARED or not request.pitches
    if plain and cost.layout is not None and every(runs == request.active) and len(runs) == 1:
        return cost.worst - cost.ideal  # the ideal is the same in all combinations: nothing but the lanes decides it
    found = None if some(request.scattered) else layouts_of(request, space, width)
    if found is None:
        return _anywhere(request, cost, space, width)
    layouts, groups = found
    if len(layouts) * len(may) > _MOST_ROWS:
        runs, may = np.zeros((1, WARP), dtype=bool), np.asarray(may.any(axis=0)).reshape(1, WARP)
    rows = np.repeat(layouts, len(may), axis=0)
    runs, may = np.tile(runs, (len(layouts), 1)), np.tile(may, (len(layouts), 1))
    if space is Space.SHARED:
        upper = _conflicts(rows, runs, may, width, groups)
    else:
        upper = _excessive_sectors(rows, runs, may, width)
    return min(int(upper.max(initial=0)), cost.worst - 1)  # an ideal is 1 at least


# --- global memory ------------------------------------------------------------------------------------------------


def _excessive_sectors(layouts: Layouts, runs: Rows, may: Rows, width: int) -> IntVector:
    sure = global_memory.sectors_many(layouts, runs, width)
    whole = global_memory.sectors_many(layouts, may, width)
    distinct = global_memory.distinct_addresses_many(layouts, runs)
    first, last = layouts // global_memory.SECTOR_BYTES, (layouts + (width - 1)) // global_memory.SECTOR_BYTES
    reach = 1 + int(np.where(may, last - first, 0).max(initial=0))
    new = whole - sure
    best = _excess(sure + new, distinct - (-new // reach), width)
    if reach > 1 or width > global_memory.SECTOR_BYTES:
        for some in range(int(new.max(initial=0))):
            part = np.minimum(some, new)
            best = np.maximum(best, _excess(sure + part, distinct - (-part // reach), width))
    return best


def _excess(cost: IntVector, distinct: IntVector, width: int) -> IntVector:
    return np.asarray(np.maximum(cost + (-distinct * width // global_memory.SECTOR_BYTES), 0), dtype=np.int64)


def _anywhere(request: Request, cost: RequestCost, space: Space, width: int) -> int:
    """Of lanes about which only their number is known, and that they cost no more than `cost.worst` together."""
    if space is Space.SHARED:
        return cost.worst - 1
    reach = sectors_per_lane(request, width)
    return max(
        min(d * reach, cost.worst) - global_memory.ideal_sectors(d, width)
        for d in range(1, int(request.active.sum()) + 1)
    )


# --- shared memory ------------------------------------------------------------------------------------------------


def _conflicts(layouts: Layouts, runs: Rows, may: Rows, width: int, groups: list[BoolVector]) -> IntVector:
    if width <= 4:
        costs = shared_memory.wavefronts_many(layouts, may, width)
        return np.maximum(costs - 1, 0)
    result = np.zeros(len(layouts), dtype=np.int64)
    for row in range(len(layouts)):
        result[row] = _wide_conflicts(layouts[row], runs[row], may[row], width, groups)
    return result


def _wide_conflicts(layout: IntVector, runs: BoolVector, may: BoolVector, width: int, groups: list[BoolVector]) -> int:
    free = np.flatnonzero(may & ~runs)
    if len(free) > _FEW:
        return _wide_upper(layout, may, width)
    subsets = np.repeat(runs[np.newaxis], 1 << len(free), axis=0)
    subsets[:, free] = np.arange(1 << len(free))[:, np.newaxis] >> np.arange(len(free)) & 1
    costs = shared_memory.wavefronts_many(np.broadcast_to(layout, subsets.shape), subsets, width)
    return max(
        int(wavefronts) - shared_memory.ideal_wavefronts(active, width, _fewest_distinct(layout, active, groups))
        for active, wavefronts in zip(subsets, costs, strict=True)
    )


def _fewest_distinct(layout: IntVector, active: BoolVector, groups: list[BoolVector]) -> int:
    """Distinct addresses where rows at a pitch may coincide: those of the group with the most."""
    return max(global_memory.distinct_addresses(layout, active & lanes) for lanes in groups)


def _wide_upper(layout: IntVector, may: BoolVector, width: int) -> int:
    """The sum over unmerged groups less the number of merged ones; more than 16 bytes are moved 16 at a time."""
    if width > 16:
        return _wide_upper(layout, may, 16) + _conflict_upper_of_rest(layout, may, width)
    parts = 2 if width <= 8 else 4
    lanes = np.arange(WARP)
    total = 0
    for part in range(parts):
        mine = may & (lanes * parts // WARP == part)
        if some(mine):
            total += _unmerged(layout, mine, width)
    return total - int(may.reshape(parts // 2, -1).any(axis=1).sum())


def _conflict_upper_of_rest(layout: IntVector, may: BoolVector, width: int) -> int:
    rest = width - 16
    if rest > 4:
        return _wide_upper(layout + 16, may, rest)
    return max(0, shared_memory.wavefronts(layout + 16, may, rest) - int(some(may)))


def _unmerged(layout: IntVector, lanes: BoolVector, width: int) -> int:
    """Wavefronts of one transaction group: the most distinct words on one bank."""
    words = {
        (address + at) // shared_memory.WORD_BYTES
        for address in layout[lanes].tolist()
        for at in (*range(0, width, shared_memory.WORD_BYTES), width - 1)
    }
    return int(np.bincount([word % shared_memory.BANKS for word in words]).max())
