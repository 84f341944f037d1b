"""Pairs of accesses in the intervals between barriers, array by array: each two executions once, and only those that race if threads meet."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, product

from analysis_core.domains.symbol import Symbol
from analysis_core.races.found import MOST_OF_TEXTS, Collected, Found, Pair, texts
from analysis_core.races.intervals import Interval
from analysis_core.races.occurrences import Occurrence, conflict, is_ordered
from analysis_core.races.verdicts import Scope, Verdict


class Pairs:
    """Which pairs are due. `scope`: of the threads that may meet."""

    def __init__(self, collected: Collected, scope: Scope) -> None:
        self._collected, self._scope = collected, scope
        self._fresh: frozenset[int] = frozenset()
        self._not_apart: Counter[Pair] = Counter()
        self._seen: set[tuple[object, object]] = set()

    def arrays(self, interval: Interval, settled: int) -> list[list[Occurrence]]:
        """The accesses of each array that some of them write. The first `settled` ones were held against each other before; accesses of
        which nobody knows where they lie are noted."""
        self._collected.pay(1 + len(interval) // 4)
        self._fresh = frozenset(id(occurrence) for occurrence in interval[settled:])
        by_base: dict[Symbol | None, list[Occurrence]] = defaultdict(list)
        for occurrence in interval:
            by_base[occurrence.base].append(occurrence)
        for lost in by_base.pop(None, ()):
            self._collected.pay(1 + len(interval) // 2)
            for other in interval:
                if conflict(lost, other):
                    cause = f"it is not known where `{lost.event.access.text}` lies"
                    self._collected.note(Found(Verdict.UNDECIDED, lost, other, cause=cause, scope=self._scope))
        groups = by_base.values()
        return [g for g in groups if any(one.writes for one in g) and any(id(one) in self._fresh for one in g)]

    def of_kinds(
        self, kinds: Sequence[Sequence[Occurrence]], others: Sequence[Occurrence]
    ) -> Iterator[tuple[Occurrence, Occurrence]]:
        """Accesses of one array whose addresses are of different kinds, and each of no kind with all."""
        for mine, theirs in combinations(kinds, 2):
            self._collected.pay(1 + len(mine) * len(theirs) // 2)
            yield from product(mine, theirs)
        rest = [one for alike in kinds for one in alike]
        for number, one in enumerate(others):
            self._collected.pay(1 + (len(rest) + len(others)) // 2)
            for other in (*rest, *others[number:]):
                yield one, other

    def is_new(self, one: Occurrence, other: Occurrence) -> bool:
        """Whether the two are to be looked at, which is asked once."""
        key = (one.key, other.key)
        if not (id(one) in self._fresh or id(other) in self._fresh) or not conflict(one, other) or key in self._seen:
            return False
        self._seen.add(key)
        return True

    def in_turn(self, one: Occurrence, other: Occurrence) -> tuple[Occurrence, Occurrence] | None:
        """The two, the one that is met first in front; None if a barrier orders them, or no more executions of their texts are looked at."""
        if one.place < other.place:
            one, other = other, one
        self._collected.apart.add(texts(one, other))
        return None if is_ordered(one, other) or self.is_enough(one, other) else (one, other)

    def is_enough(self, one: Occurrence, other: Occurrence) -> bool:
        """Whether so many executions of the two are not proved apart that no more are looked at."""
        pair = texts(one, other)
        if self._not_apart[pair] < MOST_OF_TEXTS:
            return False
        self._collected.leave_out(pair)
        return True

    def count(self, one: Occurrence, other: Occurrence) -> None:
        """Counts two executions that are not proved apart."""
        self._not_apart[texts(one, other)] += 1
