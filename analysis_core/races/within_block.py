"""Threads of one block in one cell: pairs of accesses in the intervals between barriers of the block.

1. Addresses that differ by known numbers: one sort of all cells of an interval (cells.py).
2. Everything else: a solver, two threads as unknowns (smt.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from analysis_core.domains.shape import WARP, some
from analysis_core.interp.core.events import Events
from analysis_core.races.cells import Meetings, apart_by_remainder, grain, meetings, someone_meets
from analysis_core.races.intervals import Interval
from analysis_core.races.occurrences import Occurrence, conflict
from analysis_core.races.pairs import (
    MOST_QUERIES,
    PASSED,
    VOLATILE,
    WAITS,
    Collected,
    Context,
    Found,
    Pair,
    Pairs,
    texts,
)
from analysis_core.races.verdicts import Place, Scope, Verdict

if TYPE_CHECKING:
    from analysis_core.races.classify import Classifier

_MOST_JOINS = 400
"""Those of them that are held against each other cell by cell."""

_TRIED = 6
"""Meetings that are tried one by one where threads wait for conditions."""


class Decider:
    """Collects the loudest verdict on each pair of texts."""

    def __init__(
        self,
        events: Events,
        queries: int = MOST_QUERIES,
        context: Context | None = None,
        collected: Collected | None = None,
    ) -> None:
        self._events, self._queries, self._context = events, queries, context or Context()
        self._collected = collected or Collected()
        self._joins_left = _MOST_JOINS
        self._pairs = Pairs(self._collected, Scope.BLOCK)
        self._known: Classifier | None = None

    @property
    def _classifier(self) -> Classifier:
        """Who is asked where the first rung does not tell."""
        if self._known is None:
            from analysis_core.races.classify import Classifier

            self._known = Classifier(self._events, self._queries, self._context, self._collected)
        return self._known

    def not_apart(self) -> Iterator[tuple[Pair, tuple[Verdict, Place, Place]]]:
        """The texts that are not proved apart, with what was found of them."""
        return self._collected.not_apart()

    # --- pairs of an interval ---------------------------------------------------------------------------------------

    def interval(self, interval: Interval, settled: int) -> None:
        """Decides the pairs of accesses in one interval, but for those among the first ones that are settled."""
        for group in self._pairs.arrays(interval, settled):
            by_key: dict[object, list[Occurrence]] = defaultdict(list)
            for one in group:
                by_key[one.shared_part].append(one)
            loose = by_key.pop(None, [])
            for alike in by_key.values():
                self._alike(alike)
            for one, other in self._pairs.of_kinds(list(by_key.values()), loose):
                if self._pairs.is_new(one, other):
                    self._unlike(one, other)

    def _alike(self, group: Sequence[Occurrence]) -> None:
        """Accesses whose addresses differ by known numbers."""
        if not note_apart(self._collected, group):
            return
        size = grain(group)
        cells = sum(len(one.event.mask.may) * max(1, one.event.access.width // size) for one in group)
        self._collected.pay(1 + cells // 50)
        if not someone_meets(group, size):
            return
        self._collected.pay(len(group) ** 2 // 4)
        for one, other in ((one, other) for n, one in enumerate(group) for other in group[n:]):
            if not self._pairs.is_new(one, other) or self._pairs.is_enough(one, other):
                continue
            self._joins_left -= 1
            if self._joins_left < 0:
                self._note(Verdict.UNDECIDED, one, other, cause="the kernel has too many accesses of the same cells")
            else:
                met = meetings(one, other, size)
                self._collected.pay(10 + len(met) // 100)
                self._meet(one, other, met)

    def _meet(self, one: Occurrence, other: Occurrence, met: Meetings) -> None:
        from analysis_core.races import guards
        from analysis_core.races.stored_values import surely_equal

        met = guards.possible(one, other, met)
        if met.thinned:
            self._note(Verdict.UNDECIDED, one, other, cause="too many threads meet there to look at all of them")
        if not len(met):
            return
        if one is not other:
            met = met.where(~one.is_before(other, met.first, met.second))
            if not len(met) and not met.thinned:
                return
            across = met.across_warps
            if not len(across):
                if len(met) and not met.thinned:
                    self._note(Verdict.LOCK_STEP, one, other, threads=(int(met.first[0]), int(met.second[0])))
                return
            met = across
        self._pairs.count(one, other)
        if one.event.access.volatile or other.event.access.volatile:
            self._note(Verdict.UNDECIDED, one, other, cause=VOLATILE)
            return
        unequal = met.where(~surely_equal(one, other, met))
        if not len(unequal):
            if met.thinned:
                return
            self._note(Verdict.BENIGN, one, other, threads=(int(met.first[0]), int(met.second[0])))
            return
        self._try(one, other, unequal)

    def _try(self, one: Occurrence, other: Occurrence, met: Meetings) -> None:
        """Meetings one by one: can both threads come there?"""
        from analysis_core.races import guards

        tried = 0
        for first, second, byte in guards.representatives(one, other, met, _TRIED):
            tried += 1
            formulas = [*guards.awaited(one, first), *guards.awaited(other, second)]
            values: dict[str, int] = {}
            if formulas:
                answer = self._classifier.both(one, first, other, second)
                values = answer.values
                if answer.possible is None:
                    self._note(Verdict.UNDECIDED, one, other, cause=answer.cause)
                if not answer.possible:
                    continue
            if guards.decided_by_data([*formulas, *(entry.formula for by in one.passed for entry in by.literals)]):
                self._note(Verdict.DATA, one, other, threads=(first, second), byte=byte)
            elif not guards.is_known(formulas):
                self._note(Verdict.UNDECIDED, one, other, cause="a condition is not known")
            elif one.passed:
                self._note(Verdict.CONDITIONAL, one, other, threads=(first, second), byte=byte, cause=PASSED)
            else:
                self._note(Verdict.CERTAIN, one, other, threads=(first, second), byte=byte, values=values)
                return
        if tried < len(met) and texts(one, other) not in self._collected.found:
            self._note(Verdict.UNDECIDED, one, other, cause="conditions keep the threads apart that were tried")

    def _unlike(self, one: Occurrence, other: Occurrence) -> None:
        """Accesses whose addresses differ by what is not a number."""
        asked = self._pairs.in_turn(one, other)
        if asked is None:
            return
        one, other = asked
        self._collected.pay(4)
        if apart_by_remainder(one, other):
            return
        numbers = np.arange(len(one.event.mask.may))
        if one.is_before_all(other, 0 * numbers):
            return
        near = Scope.BLOCK if one.is_before_all(other, numbers // WARP) else Scope.WARP
        question, answer = self._classifier.ask(one, other, near)
        if answer.possible is False:
            return
        executions = one is not other or one.own is not None
        if answer.threads is not None and executions and answer.threads[0] // WARP == answer.threads[1] // WARP:
            if some(one.is_before(other, *np.array(answer.threads).reshape(2, 1))):
                self._note(Verdict.UNDECIDED, one, other, cause=WAITS)
                return
            if self._events.shape.warps == 1:
                self._pairs.count(one, other)
                self._note(Verdict.LOCK_STEP, one, other, threads=answer.threads)
                return
            within = answer
            question, answer = self._classifier.ask(one, other, Scope.BLOCK)
            if answer.possible is False:
                self._note(Verdict.LOCK_STEP, one, other, threads=within.threads)
                return
        self._pairs.count(one, other)
        if one.event.access.volatile or other.event.access.volatile:
            self._note(Verdict.UNDECIDED, one, other, cause=VOLATILE)
        elif answer.possible is None:
            self._note(Verdict.UNDECIDED, one, other, cause=answer.cause)
        elif any(some(grouping[WARP:] == grouping[:-WARP]) for grouping in one.passed_groupings(other)):
            self._note(Verdict.UNDECIDED, one, other, cause=WAITS)
        else:
            self._collected.note(self._classifier.classified(question, answer, Scope.BLOCK))

    def _note(
        self,
        verdict: Verdict,
        one: Occurrence,
        other: Occurrence,
        threads: tuple[int, int] | None = None,
        byte: int = 0,
        cause: str = "",
        values: dict[str, int] | None = None,
    ) -> None:
        scope = Scope.WARP if verdict is Verdict.LOCK_STEP else Scope.BLOCK
        self._collected.note(Found(verdict, one, other, threads, byte, cause, values, scope))


def note_apart(collected: Collected, group: Sequence[Occurrence]) -> bool:
    """Notes which texts are held against each other; whether there are any."""
    kinds = list({(one.event.access.span, one.event.kind): one for one in group}.values())
    collected.pay(1 + len(kinds) ** 2 // 4)
    found = {texts(one, other) for n, one in enumerate(kinds) for other in kinds[n:] if conflict(one, other)}
    collected.apart |= found
    return bool(found)
