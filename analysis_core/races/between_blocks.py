"""Threads of two blocks in one cell: nothing orders them but barriers of the grid.

Where addresses differ by known numbers and by blocks of a known pitch, one sort of the cells modulo the pitch shows whether any two blocks
come to one cell.  Everything else is for the solver.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from analysis_core.interp.core.events import Events
from analysis_core.races.cells import entries, grain, runs
from analysis_core.races.classify import Classifier
from analysis_core.races.intervals import Interval
from analysis_core.races.occurrences import BLOCK_INDEX, OWN, Occurrence
from analysis_core.races.pairs import MOST_QUERIES, VOLATILE, Collected, Context, Found, Pairs
from analysis_core.races.verdicts import Scope, Verdict
from analysis_core.races.within_block import note_apart


class Between:
    """Collects verdicts on threads of two blocks, interval by interval."""

    def __init__(self, events: Events, context: Context, collected: Collected) -> None:
        self._context, self._collected = context, collected
        self._pairs = Pairs(collected, Scope.GRID)
        self._classifier = Classifier(events, MOST_QUERIES, context, collected)

    def interval(self, interval: Interval, settled: int) -> None:
        """Decides the pairs of accesses in one interval, but for those among the first ones that are settled."""
        for group in self._pairs.arrays(interval, settled):
            by_spread: dict[object, list[Occurrence]] = defaultdict(list)
            for one in group:
                by_spread[spread_of(one)].append(one)
            loose = by_spread.pop(None, [])
            for spread, alike in by_spread.items():
                assert isinstance(spread, tuple)
                self._alike(alike, *spread[1:])
            for one, other in self._pairs.of_kinds(list(by_spread.values()), loose):
                if self._pairs.is_new(one, other):
                    self._ask(one, other)

    def _alike(self, group: Sequence[Occurrence], axis: int, pitch: int) -> None:
        """Accesses whose addresses differ by known numbers and by blocks of a pitch."""
        axes = self._context.axes
        self._collected.pay(1 + sum(len(one.event.mask.may) for one in group) // 50)
        if not note_apart(self._collected, group) or blocks_apart(group, axis, pitch, axes):
            return
        self._collected.pay(len(group) ** 2)
        for one, other in ((one, other) for n, one in enumerate(group) for other in group[n:]):
            if self._pairs.is_new(one, other) and not blocks_apart((one, other), axis, pitch, axes):
                self._ask(one, other)

    def _ask(self, one: Occurrence, other: Occurrence) -> None:
        """Asks the solver about two executions."""
        asked = self._pairs.in_turn(one, other)
        if asked is None:
            return
        one, other = asked
        question, answer = self._classifier.ask(one, other, Scope.GRID)
        if answer.possible is False:
            return
        self._pairs.count(one, other)
        cause = VOLATILE if one.event.access.volatile or other.event.access.volatile else self._context.otherwise
        if not cause and answer.possible is None:
            cause = answer.cause
        if cause:
            self._collected.note(Found(Verdict.UNDECIDED, one, other, cause=cause, scope=Scope.GRID))
        else:
            self._collected.note(self._classifier.classified(question, answer, Scope.GRID))


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
    starts = runs(place)
    least, most = np.minimum.reduceat(block, starts), np.maximum.reduceat(block, starts)
    return not bool(np.any(np.logical_or.reduceat(writing, starts) & (least != most)))
