"""The footprint of accesses: how much of the sectors that they move is used, by them and by those beside them.

Each load is a request of its own, and is counted as one; but loads that follow each other find in the cache what the first of them brought: members of
a record, bytes of a pixel, `row[i]` and `row[i + 1]`, rounds that compilers write out (short_rounds.py).  *Fellows* are loads of addresses that differ by
a constant in one round of the loops around them (case by case, where they rest on remainders of one number: remainders.py).  An access wastes nothing if
it and the fellows that run whenever it does use most bytes of the sectors that it moves.  Stores that fill the sectors of each other in the same
way are found, too (`kind`): each of them goes to L2, which pays for every one, but memory behind it is sent whole sectors.

A fellow runs whenever an access does if its threads are those of the access, as conditions show: all of them, or all but a few at the end, where
bounds differ by a few elements (`2 * t < n` and `2 * t + 1 < n`); or if it is on both sides of a branch.

A request that meets many lines is slow even so: the cache looks for them one by one.  It is told, but not as a waste of memory (`Use.SLOW`).  So are
loads before a loop and behind it: by then a cache may have lost what they share.

Not so of shared memory, where each request has its own wavefronts, nor where lanes go their own ways.  What the rounds of a loop use of a row of each
lane's own is in next_rounds.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import field
from enum import IntEnum, auto
from math import gcd

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Condition, below_zero
from analysis_core.domains.mask import Mask
from analysis_core.domains.shape import WARP, BoolVector, IntVector, distinct_numbers, some
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core.events import AccessEvent, AccessKind
from analysis_core.ir.nodes import AccessId
from analysis_core.ir.types import Space
from analysis_core.machine.global_memory import SECTOR_BYTES, distinct_addresses, lines
from analysis_core.requests.access_cost import Layouts, layouts_by_group
from analysis_core.requests.requests import Request, event_key, requests_of_warps
from analysis_core.text.records import dataclass
from analysis_core.traffic.addresses import covers, literals_of, split_address
from analysis_core.traffic.remainders import Remainders
from analysis_core.traffic.short_rounds import ShortRounds

_NEAR = 512
"""Bytes between fellows that are looked at."""

_PASS_BYTES = 128
"""What a request moves at once: elements of 8 bytes go half a warp at a time."""

_FEW_LINES = 8
"""Lines that so much may be spread over: more than a line for four floats is slow, though all of it is used in the end."""

_LEAST_BYTES = 8
"""What each line has to bring at least for that: one for each float is too slow for memory to be what a kernel waits for."""

_APART = 32
"""Loads and stores between two fellows that are looked at."""

_MOST_FELLOWS = 32

_MOST_ROWS = 4
"""Rows at a pitch in one warp that may have several lines each; of more, all lines count, as they do where the pitch is a number."""


class Use(IntEnum):
    """How much an execution uses, with others, of what it moves: not much; most, but slowly, as its lanes meet many lines; most."""

    WASTED = auto()
    SLOW = auto()
    USED = auto()


_Parts = tuple[tuple[int, int], ...]
"""Where fellows lie, from the access itself, and their widths."""


_Fellow = tuple[int, AccessEvent, AccessEvent]


@dataclass(slots=True)
class _Fellows:
    """Loads, or stores, of one address but for a constant: where each lies, the one in one round, and the execution that it is of.  `last`: the place
    of the access that was met last; `places`: of each access, where and as which of all it was met last.  `behind`: loops between the first and
    the last of them, and for each of `events`, that and those before it."""

    events: list[_Fellow] = field(default_factory=list)
    loops: list[int] = field(default_factory=list)
    behind: int = 0
    last: int = 0
    places: dict[AccessId, tuple[int, int]] = field(default_factory=dict)

    def add(self, event: AccessEvent, source: AccessEvent, offset: int, place: int) -> None:
        """Takes one that follows the others."""
        self.events.append((offset, event, source))
        self.loops.append(self.behind)
        self.places[event.access.id] = offset, place
        self.last = place

    def near(self, loops: int) -> Sequence[_Fellow]:
        """Those behind so many loops and before the next one."""
        if not self.behind:
            return self.events
        return [one for one, behind in zip(self.events, self.loops, strict=True) if behind == loops]

    def has_other_round(self, event: AccessEvent, offset: int, place: int, rounds: ShortRounds) -> bool:
        """Whether it is an execution of one of them elsewhere, in another round of a loop that is not written out."""
        at, other = self.places.get(event.access.id, (offset, place))
        return at != offset and not rounds.are_of_one_loop(place, other)


@dataclass(frozen=True, slots=True)
class _Before:
    """Those that may meet further fellows, of executions of so many times."""

    times: Expression | None
    open: dict[Hashable, _Fellows]


Requesting = Callable[[AccessEvent], Iterable[Request]]
"""The requests of an execution, case by case where that says where its lanes are."""


def shared_use(
    accesses: Sequence[tuple[int, AccessEvent]],
    looked_at: Collection[AccessId],
    rounds: ShortRounds,
    remainders: Remainders,
    requests: Requesting,
    kind: AccessKind = AccessKind.READ,
) -> dict[AccessEvent, Use]:
    """Executions of these accesses, of this kind, that fetch (or of stores: leave) little that they and their fellows do not use.  `accesses`:
    those that may be fellows, with their places among all."""
    bases = {event.base for _, event in accesses if event.access.id in looked_at and may_share(event, kind)}
    known: dict[Hashable, Use] = {}
    found: dict[AccessEvent, Use] = {}

    def use_of(event: AccessEvent, parts: _Parts) -> Use:
        if len(parts) < 2:
            return Use.WASTED
        key = (event_key(event, SECTOR_BYTES), event.access.width, parts)
        if key not in known:
            known[key] = _use(event, parts, requests)
        return known[key]

    for fellows in _groups(accesses, bases, rounds, remainders, kind):
        for (at, event, source), loops in zip(fellows.events, fellows.loops, strict=True):
            if event.access.id not in looked_at or found.get(source) is Use.WASTED:
                continue
            use = use_of(event, _beside(at, event, fellows.near(loops)))
            if use < Use.SLOW and fellows.behind:
                behind = use_of(event, _beside(at, event, fellows.events))
                use = use if behind < Use.SLOW else Use.SLOW
            found[source] = min(use, found.get(source, Use.USED))
    return {event: use for event, use in found.items() if use is not Use.WASTED}


def _beside(at: int, event: AccessEvent, fellows: Iterable[_Fellow]) -> _Parts:
    """The access itself, and what is moved whenever it is."""
    parts = {(0, event.access.width)}
    sides: dict[tuple[int, int], list[Mask]] = {}
    for there, other, _ in fellows:
        part = (there - at, other.access.width)
        if part in parts or abs(there - at) >= _NEAR:
            continue
        mask = other.mask
        covered = covers(mask, event.mask, _lets_nearly_all)
        if covered or any(_cover_both(mask, side, event.mask) for side in sides.get(part, ())):
            parts.add(part)
        elif mask.literals:
            sides.setdefault(part, []).append(mask)
    return tuple(sorted(parts))


def _lets_nearly_all(wanted: Condition, held: Condition) -> bool:
    """Whether a bound is another one but for a few elements less."""
    upper, lower = below_zero(wanted), below_zero(held)
    if upper is None or lower is None:
        return False
    apart = pl.subtract(upper, lower)
    return apart.is_constant and pl.total_bounds(apart)[1] <= WARP


def _cover_both(mask: Mask, side: Mask, other: Mask) -> bool:
    """Whether two masks are those of both sides of a branch that all threads of the other one come to."""
    asked = {literal.key: literal for literal in literals_of(side) - literals_of(mask)}
    return any(
        (against := asked.get(literal.formula.negation.key)) is not None
        and covers(_before(mask, literal.key), other)
        and covers(_before(side, against.key), other)
        for literal in literals_of(mask) - literals_of(side)
    )


def _before(mask: Mask, key: Hashable) -> Mask:
    """The threads that come to where this condition is asked."""
    return Mask(mask.may, tuple([literal for literal in mask.literals if literal.key != key]))


def may_share(event: AccessEvent, kind: AccessKind = AccessKind.READ) -> bool:
    """Whether it is a load that finds in the cache what others brought, or a store that L2 joins with others, as it does with volatile ones."""
    cached = kind is AccessKind.WRITE or not event.access.volatile
    return event.kind is kind and event.space is Space.GLOBAL and cached


def _groups(
    accesses: Sequence[tuple[int, AccessEvent]],
    bases: Collection[str],
    rounds: ShortRounds,
    remainders: Remainders,
    kind: AccessKind,
) -> Iterator[_Fellows]:
    """The loads, or the stores, of these arrays, with their fellows."""
    if not bases:
        return
    open_: dict[Hashable, _Fellows] = {}
    around: list[_Before] = []
    times: Expression | None = None
    for place, event in accesses:
        if (entered := rounds.entered(event)) != times:  # a loop begins or ends
            over, open_ = _turned(_Before(times, open_), around, entered, kind)
            yield from over
            times = entered
        if event.base not in bases or not may_share(event, kind):
            continue
        parts = (case for part in rounds.taken_apart(event) for case in remainders.cases(part))
        for case, part in parts:
            rest, offset = split_address(part)
            key = (case, rest)
            fellows = open_.get(key)
            if fellows is not None and (
                place - fellows.last > _APART
                or len(fellows.events) >= _MOST_FELLOWS
                or fellows.has_other_round(part, offset, place, rounds)
            ):
                yield open_.pop(key)
                fellows = None
            if fellows is None:
                fellows = open_[key] = _Fellows()
            fellows.add(part, event, offset, place)
    for before in (*around, _Before(times, open_)):
        yield from before.open.values()


def _turned(
    now: _Before, around: list[_Before], times: Expression, kind: AccessKind
) -> tuple[list[_Fellows], dict[Hashable, _Fellows]]:
    """Those that meet no more fellows where executions of so many times follow, and those that may.  `around`: what stands before the loops that
    are gone through, the outermost first; only loads are found there again, when these end."""
    if kind is AccessKind.READ and all(times != outer.times for outer in around):
        around.append(now)
        return [], {}
    over = [*now.open.values()]
    while around:
        outer = around.pop()
        if outer.times == times:
            for fellows in outer.open.values():
                fellows.behind += 1
            return over, outer.open
        over += outer.open.values()
    return over, {}


def _use(event: AccessEvent, parts: _Parts, requests: Requesting) -> Use:
    made = [request for _, request in requests_of_warps(event, SECTOR_BYTES)]
    if any(
        some(request.scattered) for request in made
    ):  # `row[i / 3]` in blocks of 256: cases know where a third begins
        made = list(requests(event))
    return min((_of_request(request, event, parts) for request in made), default=Use.USED)


def _of_request(request: Request, event: AccessEvent, parts: _Parts) -> Use:
    """Whether most bytes of the sectors that it fetches are used by some part, and so are those of the sectors that all parts fetch (of ten
    elements two are at the ends of rows of eight): half of them over all places where rows may begin (28 bytes may touch two sectors, and
    one of them with four), and two of three where they begin best."""
    width = event.access.width
    grain = gcd(*(number for part in parts for number in part))
    pieces = np.array(sorted({at for there, size in parts for at in range(there, there + size, grain)}))
    if some(request.scattered):
        return Use.WASTED
    usual = most = np.zeros(2)
    rows = list(layouts_by_group(request, Space.GLOBAL, width))
    known: dict[tuple[int, bytes], tuple[Layouts, Layouts]] = {}  # lanes at a pitch are mostly alike
    for lanes, layouts in rows:
        places = layouts[:, lanes]
        places = places - places.min() // SECTOR_BYTES * SECTOR_BYTES
        key = len(places), places.tobytes()
        if key not in known:
            known[key] = _used(places, width, pieces, grain)
        used, fetched = known[key]
        usual = usual + (2 * used - fetched).mean(axis=0)
        most = most + (3 * used - 2 * fetched).max(axis=0)
    if some(usual < 0) or some(most < 0):
        return Use.WASTED
    passes = np.split(np.arange(WARP), max(1, WARP * width // _PASS_BYTES))
    return min(_by_lines(rows, width, at_once) for at_once in passes)


def _by_lines(rows: Sequence[tuple[BoolVector, Layouts]], width: int, at_once: IntVector) -> Use:
    """By the lines, where all rows begin well, that these lanes meet."""
    between = len(rows) - 1 if len(rows) > _MOST_ROWS else 0
    asked = [(layouts[0, at_once], lanes[at_once]) for lanes, layouts in rows if some(lanes[at_once])]
    count = 1 + between + sum(lines(places, lanes, 1) - 1 for places, lanes in asked)
    if count <= _FEW_LINES:
        return Use.USED
    brought = width * sum(distinct_addresses(places, lanes) for places, lanes in asked)
    return Use.SLOW if count * _LEAST_BYTES <= brought else Use.WASTED


def _used(places: Layouts, width: int, pieces: IntVector, grain: int) -> tuple[Layouts, Layouts]:
    """For each row of lanes' addresses the bytes that the pieces use, and those of the sectors: of the sectors that the lanes fetch, and of those
    that all pieces do."""
    rows = len(places)
    own = np.concatenate(
        [places // SECTOR_BYTES, (places + width - 1) // SECTOR_BYTES], axis=1
    )  # two an element at most
    at = (places[:, :, np.newaxis] + pieces).reshape(rows, -1)
    # Rows are looked at together, so far from each other that none meets another.
    first = min(int(own.min()), int(at.min()) // SECTOR_BYTES)
    span = max(int(own.max()), int(at.max()) // SECTOR_BYTES) - first + 1
    begins = (np.arange(rows) * span - first)[:, np.newaxis]
    own, at = distinct_numbers(own + begins), distinct_numbers(at + begins * SECTOR_BYTES)
    sectors = at // SECTOR_BYTES
    every = sectors[np.diff(sectors, prepend=-1) != 0]
    fetched, all_pieces, met, elements = (
        np.bincount(found // span, minlength=rows) for found in (own, every, sectors[np.isin(sectors, own)], sectors)
    )
    used = np.stack([met, elements], axis=1) * grain
    return used, np.stack([fetched, all_pieces], axis=1) * SECTOR_BYTES
