"""Threads of two blocks in one cell: nothing orders them but barriers of the grid.

Where addresses differ by known numbers and by blocks of a known pitch, one sort of the cells modulo the pitch shows whether any two blocks
come to one cell.  Everything else is for the solver.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from analysis_core.domains.symbol import Symbol
from analysis_core.interp.core.events import Events
from analysis_core.races.cells import entries, grain
from analysis_core.races.found import (
    MOST_OF_TEXTS,
    MOST_QUERIES,
    VOLATILE,
    Collected,
    Context,
    Found,
    Pair,
    texts,
)
from analysis_core.races.intervals import Interval
from analysis_core.races.judge import Judge
from analysis_core.races.occurrences import BLOCK_INDEX, OWN, Occurrence, conflict, is_ordered
from analysis_core.races.verdicts import Scope, Verdict
from analysis_core.races.within_block import note_apart


class Between:
    """Collects verdicts on threads of two blocks, interval by interval."""

    def __init__(self, events: Events, context: Context, collected: Collected) -> None:
        self._context, self._collected = context, collected
        self._not_apart: Counter[Pair] = Counter()
        self._seen: set[tuple[object, object]] = set()
        self._judge = Judge(events, MOST_QUERIES, context, collected.pay)

    def interval(self, interval: Interval, settled: int) -> None:
        """Decides the pairs of accesses in one interval, but for those among the first ones that are settled."""
        self._collected.pay(1 + len(interval) // 4)
        fresh = frozenset(id(occurrence) for occurrence in interval[settled:])
        by_base: dict[Symbol | None, list[Occurrence]] = defaultdict(list)
        for occurrence in interval:
            by_base[occurrence.base].append(occurrence)
        for lost in by_base.pop(None, ()):
            self._collected.pay(1 + len(interval) // 2)
            for other in interval:
                if conflict(lost, other):
                    cause = f"it is not known where `{lost.event.access.text}` lies"
                    self._collected.note(Found(Verdict.UNDECIDED, lost, other, cause=cause, scope=Scope.GRID))
        for group in by_base.values():
            if any(one.writes for one in group):
                self._of_one_array(group, fresh)

    def _of_one_array(self, group: Sequence[Occurrence], fresh: frozenset[int]) -> None:
        by_spread: dict[object, list[Occurrence]] = defaultdict(list)
        for one in group:
            by_spread[spread_of(one)].append(one)
        loose = by_spread.pop(None, [])
        for spread, alike in by_spread.items():
            assert isinstance(spread, tuple)
            _, axis, pitch = spread
            self._collected.pay(1 + sum(len(one.event.mask.may) for one in alike) // 50)
            if not note_apart(self._collected, alike) or blocks_apart(alike, axis, pitch, self._context.axes):
                continue
            self._collected.pay(len(alike) ** 2)
            for one, other in _pairs(alike):
                if not blocks_apart((one, other), axis, pitch, self._context.axes):
                    self._pair(one, other, fresh)
        known = list(by_spread.values())
        for mine, others in combinations(known, 2):
            self._collected.pay(1 + len(mine) * len(others) // 2)
            for one in mine:
                for other in others:
                    self._pair(one, other, fresh)
        rest = [one for alike in known for one in alike]
        for number, one in enumerate(loose):
            self._collected.pay(1 + len(group) // 2)
            for other in (*rest, *loose[number:]):
                self._pair(one, other, fresh)

    def _pair(self, one: Occurrence, other: Occurrence, fresh: frozenset[int]) -> None:
        """Asks the solver, once for each two executions."""
        if not (id(one) in fresh or id(other) in fresh) or not conflict(one, other):
            return
        key = (one.key, other.key)
        if key in self._seen:
            return
        self._seen.add(key)
        if one.place < other.place:
            one, other = other, one
        pair = texts(one, other)
        self._collected.apart.add(pair)
        if is_ordered(one, other):
            return
        if self._not_apart[pair] >= MOST_OF_TEXTS:
            self._collected.leave_out(pair)
            return
        question, answer = self._judge.ask(one, other, Scope.GRID)
        if answer.possible is False:
            return
        self._not_apart[pair] += 1
        cause = VOLATILE if one.event.access.volatile or other.event.access.volatile else self._context.otherwise
        if not cause and answer.possible is None:
            cause = answer.cause
        if cause:
            self._collected.note(Found(Verdict.UNDECIDED, one, other, cause=cause, scope=Scope.GRID))
        else:
            self._collected.note(self._judge.judged(question, answer, Scope.GRID))


def _pairs(group: Sequence[Occurrence]) -> Iterator[tuple[Occurrence, Occurrence]]:
    return ((one, other) for n, one in enumerate(group) for other in group[n:] if conflict(one, other))


def spread_of(one: Occurrence) -> tuple[object, int, int] | None:
    """What threads of two blocks share of an address, and the axis and the pitch of blocks in it; None if it is of another kind.  The axis
    is -1 where no block has a say."""
    parts: list[object] = []
    axis, pitch = -1, 0
    for monomial, coefficient in one.address.ordered:
        if not monomial:
            continue
        if not isinstance(coefficient, int):
            return None
        if len(monomial) == 1 and monomial[0].name.startswith(BLOCK_INDEX):
            if axis >= 0:
                return None
            axis, pitch = "xyz".index(monomial[0].name[-1]), coefficient
        elif any(one.version(symbol) == OWN for symbol in monomial):
            return None
        else:
            parts.append((tuple((symbol, one.version_in_address(symbol)) for symbol in monomial), coefficient))
    return tuple(parts), axis, pitch


def blocks_apart(group: Sequence[Occurrence], axis: int, pitch: int, axes: frozenset[int]) -> bool:
    """Whether accesses that share the rest of their addresses are proved apart, whichever blocks make them."""
    if axes - {axis} or pitch == 0:
        return False
    size = grain(group)
    while pitch % size:
        size //= 2
    modulus = abs(pitch) // size
    found = [entries(one, size)[0] for one in group]
    cells = np.concatenate(found)
    writing = np.concatenate([np.full(len(cell), one.writes) for cell, one in zip(found, group, strict=True)])
    if not len(cells):
        return True
    place, block = cells % modulus, cells // modulus
    order = np.argsort(place, kind="stable")
    place, block, writing = place[order], block[order], writing[order]
    starts = np.flatnonzero(np.concatenate(([True], place[1:] != place[:-1])))
    least, most = np.minimum.reduceat(block, starts), np.maximum.reduceat(block, starts)
    return not bool(np.any(np.logical_or.reduceat(writing, starts) & (least != most)))
