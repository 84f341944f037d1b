"""`races_of(kernel, launch, events)`: which accesses of shared memory may meet, and how sure that is.

    trace -> intervals (intervals.py) -> pairs that may meet, by a ladder of proofs, the cheapest first -> verdicts

1. Addresses that differ by known numbers: one sort of all cells of an interval (cells.py).
2. Everything else: a solver, two threads as unknowns (smt.py).

What surely meets without a word of memory's contents is run by the simulator (replay.py) before it is called certain.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from analysis_core.domains.shape import WARP
from analysis_core.domains.symbol import Symbol
from analysis_core.interp.core.events import AccessKind, Events
from analysis_core.interp.core.trace import Barred, walk
from analysis_core.ir.nodes import BarrierScope, Kernel
from analysis_core.ir.types import Space
from analysis_core.machine.block_shape import Shape, place_of
from analysis_core.races import guards
from analysis_core.races.cells import Meetings, grain, meetings, someone_meets
from analysis_core.races.intervals import Interval, Intervals, Unordered
from analysis_core.races.occurrences import Occurrence, conflict
from analysis_core.races.sizes import deciding_sizes
from analysis_core.races.smt import Answer, Solver
from analysis_core.races.stored_values import surely_equal
from analysis_core.races.verdicts import Place, Race, RaceReport, Scope, Thread, Verdict, Witness
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_MOST_QUERIES = 50
"""Queries of a kernel to the solver."""

_MOST_PAIRS = 20_000_000
"""Pairs of executions of a kernel that are held against each other."""

_MOST_JOINS = 400
"""Those of them that are held against each other cell by cell."""

_MOST_OF_TEXTS = 3
"""Executions of two texts that are not proved apart, after which no more of them are looked at."""

_TRIED = 6
"""Meetings that are tried one by one where threads wait for conditions."""

_REPLAYS = 4
"""Pairs of a kernel that are run by the simulator, until one has met in each array."""

_VOLATILE = "volatile memory may order the threads by itself"
_PASSED = "a condition decides whether the block comes to the barrier between"

Pair = tuple[Span, Span]


def races_of(kernel: Kernel, block: Shape, events: Events, guessed: bool = False) -> RaceReport:
    """The verdicts on all pairs of accesses to shared memory. `guessed`: nothing says that the block has this shape, so nothing is certain."""
    if not any(event.space is Space.SHARED and event.kind is not AccessKind.READ for event in events.accesses):
        return RaceReport()
    if events.unknowns:
        return RaceReport(cause=events.unknowns[0].reason)
    decider = Decider(events)
    try:
        Intervals(events, Space.SHARED, decider.interval).walk()
    except Unordered as why:
        return RaceReport(cause=why.reason)
    if guessed:
        decider.quieten(Verdict.CONDITIONAL, "no launch in view says the shape of the block")
    return decider.report(kernel, block)


@dataclass(slots=True)
class _Found:
    """What was found of two texts so far; `candidate`: what is to be replayed."""

    verdict: Verdict
    one: Occurrence
    other: Occurrence
    threads: tuple[int, int] | None = None
    byte: int = 0
    cause: str = ""
    values: dict[str, int] | None = None


class Decider:
    """Collects the loudest verdict on each pair of texts."""

    def __init__(self, events: Events, queries: int = _MOST_QUERIES) -> None:
        self._events = events
        self._found: dict[Pair, _Found] = {}
        self._apart: set[Pair] = set()
        self._left, self._joins_left = _MOST_PAIRS, _MOST_JOINS
        self._not_apart: Counter[Pair] = Counter()
        self._seen: set[tuple[object, object]] = set()
        self._solver = Solver(events.derivations, events.shape, queries)

    # --- pairs of an interval ---------------------------------------------------------------------------------------

    def interval(self, interval: Interval, settled: int) -> None:
        """Decides the pairs of accesses in one interval, but for those among the first ones that are settled."""
        self._left -= len(interval) * (len(interval) - settled)
        if self._left < 0:
            raise Unordered("it has too many accesses between barriers")
        fresh = frozenset(id(occurrence) for occurrence in interval[settled:])
        by_base: dict[Symbol | None, list[Occurrence]] = defaultdict(list)
        for occurrence in interval:
            by_base[occurrence.base].append(occurrence)
        for lost in by_base.pop(None, ()):
            for other in interval:
                if conflict(lost, other):
                    cause = f"it is not known where `{lost.event.access.text}` lies"
                    self._note(Verdict.UNDECIDED, lost, other, cause=cause)
        for group in by_base.values():
            if any(one.writes for one in group) and any(id(one) in fresh for one in group):
                self._of_one_array(group, fresh)

    def _of_one_array(self, group: Sequence[Occurrence], fresh: frozenset[int]) -> None:
        by_key: dict[object, list[Occurrence]] = defaultdict(list)
        for one in group:
            by_key[one.shared_part].append(one)
        loose = by_key.pop(None, [])
        keys = list(by_key.values())
        for alike in keys:
            self._alike(alike, fresh)
        for mine, others in combinations(keys, 2):
            for one in mine:
                for other in others:
                    self._unlike(one, other, fresh)
        rest = [one for alike in keys for one in alike]
        for number, one in enumerate(loose):
            for other in (*rest, *loose[number:]):
                self._unlike(one, other, fresh)

    def _alike(self, group: Sequence[Occurrence], fresh: frozenset[int]) -> None:
        """Accesses whose addresses differ by known numbers."""
        pairs = [
            (one, other)
            for n, one in enumerate(group)
            for other in group[n:]
            if (id(one) in fresh or id(other) in fresh) and conflict(one, other)
        ]
        self._apart.update(_texts(one, other) for one, other in pairs)
        size = grain(group)
        if not pairs or not someone_meets(group, size):
            return
        for one, other in pairs:
            if self._not_apart[_texts(one, other)] >= _MOST_OF_TEXTS or not self._is_new(one, other):
                continue
            self._joins_left -= 1
            if self._joins_left < 0:
                self._note(Verdict.UNDECIDED, one, other, cause="the kernel has too many accesses of the same cells")
            else:
                self._meet(one, other, meetings(one, other, size))

    def _is_new(self, one: Occurrence, other: Occurrence) -> bool:
        key = (one.key, other.key)
        if key in self._seen:
            return False
        self._seen.add(key)
        return True

    def _meet(self, one: Occurrence, other: Occurrence, met: Meetings) -> None:
        met = guards.possible(one, other, met)
        if met.thinned:
            self._note(Verdict.UNDECIDED, one, other, cause="too many threads meet there to look at all of them")
        if not len(met):
            return
        self._not_apart[_texts(one, other)] += 1
        if one is not other:
            across = met.across_warps
            if not len(across):
                waits = one.own is None and other.own is None and one.waited < other.waited
                if not waits and not met.thinned:
                    self._note(Verdict.LOCK_STEP, one, other, threads=(int(met.first[0]), int(met.second[0])))
                return
            met = across
        if one.event.access.volatile or other.event.access.volatile:
            self._note(Verdict.UNDECIDED, one, other, cause=_VOLATILE)
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
        tried = 0
        for first, second, byte in guards.representatives(one, other, met, _TRIED):
            tried += 1
            formulas = [*guards.awaited(one, first), *guards.awaited(other, second)]
            answer = Answer(True, {}) if not formulas else self._solver.threads(one, first, other, second)
            if answer.possible is None:
                self._note(Verdict.UNDECIDED, one, other, cause=answer.cause)
            if not answer.possible:
                continue
            if guards.decided_by_data([*formulas, *(entry.formula for by in one.passed for entry in by.literals)]):
                self._note(Verdict.DATA, one, other, threads=(first, second), byte=byte)
            elif not guards.is_known(formulas):
                self._note(Verdict.UNDECIDED, one, other, cause="a condition is not known")
            elif one.passed:
                self._note(Verdict.CONDITIONAL, one, other, threads=(first, second), byte=byte, cause=_PASSED)
            else:
                self._note(Verdict.CERTAIN, one, other, threads=(first, second), byte=byte, values=answer.values)
                return
        if tried < len(met) and _texts(one, other) not in self._found:
            self._note(Verdict.UNDECIDED, one, other, cause="conditions keep the threads apart that were tried")

    def _unlike(self, one: Occurrence, other: Occurrence, fresh: frozenset[int]) -> None:
        """Accesses whose addresses differ by what is not a number."""
        is_due = (id(one) in fresh or id(other) in fresh) and conflict(one, other)
        if not is_due or not self._is_new(one, other):
            return
        if one.place < other.place:
            one, other = other, one
        self._apart.add(_texts(one, other))
        if guards.is_ordered(one, other) or self._not_apart[_texts(one, other)] >= _MOST_OF_TEXTS:
            return
        answer = self._solver.pair(one, other, False)
        if answer.possible is False:
            return
        self._not_apart[_texts(one, other)] += 1
        executions = one is not other or one.own is not None
        if answer.threads is not None and executions and answer.threads[0] // WARP == answer.threads[1] // WARP:
            within, answer = answer, self._solver.pair(one, other, True)
            if answer.possible is False:
                self._note(Verdict.LOCK_STEP, one, other, threads=within.threads)
                return
        if one.event.access.volatile or other.event.access.volatile:
            self._note(Verdict.UNDECIDED, one, other, cause=_VOLATILE)
        elif answer.possible is None or answer.lost:
            self._note(Verdict.UNDECIDED, one, other, cause=answer.cause or "something in it is not known")
        elif answer.data:
            self._note(Verdict.DATA, one, other, threads=answer.threads)
        elif one.passed:
            self._note(Verdict.CONDITIONAL, one, other, threads=answer.threads, cause=_PASSED)
        elif sizes := deciding_sizes(one, other, self._events.derivations):
            told = " and ".join(f"`{name}`" for name in sizes)
            self._note(Verdict.CONDITIONAL, one, other, answer.threads, cause=f"{told} decide", values=answer.values)
        else:
            self._note(Verdict.CERTAIN, one, other, threads=answer.threads, values=answer.values)

    # --- what is kept -----------------------------------------------------------------------------------------------

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
        pair = _texts(one, other)
        known = self._found.get(pair)
        if known is None or verdict.rank < known.verdict.rank:
            self._found[pair] = _Found(verdict, one, other, threads, byte, cause, values)

    def not_apart(self) -> Iterator[tuple[Pair, tuple[Verdict, Place, Place]]]:
        """The texts that are not proved apart, with what was found of them."""
        for pair, found in self._found.items():
            yield pair, (found.verdict, _place(found.one), _place(found.other))

    def report(self, kernel: Kernel, block: Shape) -> RaceReport:
        """The verdicts, with those replayed that are to be certain."""
        if any(
            isinstance(node, Barred) and node.scope is BarrierScope.WARP and not node.whole
            for node in walk(self._events.trace)
        ):
            self.quieten(Verdict.UNDECIDED, "a barrier of a part of the block may order them")
        races, left, shown = [], _REPLAYS, set[str]()
        for found in self._found.values():
            array = found.one.event.base
            replay = found.verdict is Verdict.CERTAIN and array not in shown and left > 0
            left -= replay
            race = self._race(kernel, block, found, replay)
            if race.verdict is Verdict.CERTAIN:
                shown.add(array)
            races.append(race)
        races.sort(key=lambda race: (race.verdict.rank, race.first.span.start, race.second.span.start))
        return RaceReport(tuple(races), len(self._apart - self._found.keys()))

    def quieten(self, verdict: Verdict, cause: str) -> None:
        """What would be certain has this verdict, for this reason."""
        for found in self._found.values():
            if found.verdict is Verdict.CERTAIN:
                found.verdict, found.cause = verdict, cause

    def _race(self, kernel: Kernel, block: Shape, found: _Found, replay: bool) -> Race:
        first, second = _place(found.one), _place(found.other)
        if found.verdict is not Verdict.CERTAIN:
            scope = Scope.WARP if found.verdict is Verdict.LOCK_STEP else Scope.BLOCK
            return Race(found.verdict, first, second, self._witness(found), found.cause, scope=scope)
        shown: Witness | str = "it was not replayed"
        if replay and found.threads is not None:
            from analysis_core.races.replay import Candidate, replayed

            candidate = Candidate(found.one.event.access, found.other.event.access, found.threads, found.values or {})
            shown = replayed(kernel, block, candidate)
        if isinstance(shown, str):
            return Race(Verdict.UNDECIDED, first, second, None, shown)
        return Race(Verdict.CERTAIN, first, second, replace(shown, array=found.one.event.base))

    def _witness(self, found: _Found) -> Witness | None:
        if found.threads is None:
            return None
        one, other = (place_of(thread, self._events.shape.dims) for thread in found.threads)
        block = (0, 0, 0)
        return Witness((Thread(block, one), Thread(block, other)), found.one.event.base, found.byte, found.values or {})


def _texts(one: Occurrence, other: Occurrence) -> Pair:
    first, second = sorted((one.event.access.span, other.event.access.span), key=lambda span: (span.file, span.start))
    return first, second


_DOES = {AccessKind.READ: "reads", AccessKind.WRITE: "writes", AccessKind.ATOMIC: "updates atomically"}


def _place(one: Occurrence) -> Place:
    return Place(one.event.access.span, one.event.access.text, _DOES[one.event.kind])
