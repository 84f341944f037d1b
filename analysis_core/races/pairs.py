"""Pairs of accesses: which are due in an interval between barriers, each two executions once, and what was found of them so far: the loudest
verdict on each pair of texts, and which are proved apart."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import TYPE_CHECKING

from analysis_core.domains.symbol import Symbol
from analysis_core.interp.core.events import AccessEvent, AccessKind
from analysis_core.ir.launch_site import SizeRange
from analysis_core.races.intervals import Interval
from analysis_core.races.occurrences import Occurrence, conflict, is_ordered
from analysis_core.races.verdicts import Place, Required, Scope, Verdict
from analysis_core.support.fuel import RACES, Fuel
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

if TYPE_CHECKING:
    from analysis_core.races.conditions import Condition
    from analysis_core.races.session import Session

Pair = tuple[Span, Span]
Grid = tuple[int | None, int | None, int | None]
Index = tuple[int, int, int]
PASSED = "a condition decides whether the block comes to the barrier between"
UNDER_WAY = "a copy may still be under way"
WAITS = "some threads wait for each other between"
VOLATILE = "volatile memory may order the threads by itself"
MOST_QUERIES = 200
"""Questions to the solver about a kernel's memory of one kind."""

MOST_OF_TEXTS = 3
"""Executions of two texts that are not proved apart, after which no more of them are looked at."""

_HARMLESS = frozenset({Verdict.BENIGN, Verdict.LOCK_STEP, Verdict.ABSENT})


@dataclass(frozen=True, slots=True)
class Context:
    """`axes`: along which blocks differ; `single`: those along which a caller may be asked for one block; `ranges`: what the launch says of
    parameters; `grid`: its extents, taken for granted; `otherwise`: why blocks may wait for each other without a barrier, if anything
    shows it."""

    axes: frozenset[int] = frozenset()
    single: frozenset[int] = frozenset()
    ranges: tuple[SizeRange, ...] = ()
    grid: Grid = (None, None, None)
    otherwise: str = ""


@dataclass(slots=True)
class Found:
    """A verdict on two texts; `threads`, `blocks`, `byte`, `values`: how they meet, to be replayed if it is to be certain. `condition`:
    under which they never do; `holds`: whether it does for the launch in view; `because`: as in `Race`."""

    verdict: Verdict
    one: Occurrence
    other: Occurrence
    threads: tuple[int, int] | None = None
    byte: int = 0
    cause: str = ""
    values: dict[str, int] | None = None
    scope: Scope = Scope.BLOCK
    blocks: tuple[Index, Index] | None = None
    condition: Condition = ()
    holds: bool | None = None
    because: Span | None = None

    @property
    def required(self) -> Required | None:
        """The condition as it is shown."""
        if not self.condition:
            return None
        from analysis_core.races.conditions import text_of

        return Required(text_of(self.condition), self.holds)


class Collected:
    """The loudest verdict on each pair of texts; of equal ones the first. `apart`: those that were looked at, `proved`: in
    memory that was looked at to the end.

    Texts are executed several times: a condition that keeps them apart is that of all executions, if all have one.  What is looked at is
    paid from one account. `session`: with the solver, once it was asked."""

    def __init__(self, fuel: Fuel | None = None, session: Session | None = None) -> None:
        self._fuel = fuel or Fuel.of(RACES)
        self.session = session
        self.found: dict[Pair, Found] = {}
        self.apart: set[Pair] = set()
        self.proved: set[Pair] = set()
        self._without: set[Pair] = set()

    def emptied(self) -> Collected:
        """One that nothing is in yet, paid from the same account."""
        return Collected(self._fuel, self.session)

    def pay(self, units: int) -> None:
        """Takes units of work. Raises `OutOfFuel`."""
        self._fuel.spend(units, "races are looked for in too many pairs of accesses")

    def note(self, new: Found) -> None:
        """Keeps it if it is louder than what is known."""
        pair = texts(new.one, new.other)
        if (new.one.overdue or new.other.overdue) and new.verdict is not Verdict.ABSENT:
            new = replace(new, verdict=Verdict.UNDECIDED, cause=UNDER_WAY, condition=())
        known = self.found.get(pair)
        if not new.condition and new.verdict not in _HARMLESS:
            self._without.add(pair)
        if known is None:
            self.found[pair] = new
        else:
            from analysis_core.races.conditions import both_of

            both = both_of(known.condition, new.condition)
            self.found[pair] = new if new.verdict.rank < known.verdict.rank else known
            self.found[pair].condition = both
        if pair in self._without:
            self.found[pair].condition = ()

    def leave_out(self, pair: Pair) -> None:
        """Notes that not all executions of a pair were looked at: no condition is known to keep all of them apart."""
        self._without.add(pair)
        if pair in self.found:
            self.found[pair].condition = ()

    def quieten(
        self,
        verdict: Verdict,
        cause: str,
        scopes: frozenset[Scope] = frozenset(Scope),
        loud: frozenset[Verdict] = frozenset({Verdict.CERTAIN}),
        because: Span | None = None,
    ) -> None:
        """What would be certain, or another one of `loud`, has this verdict, for this reason."""
        for found in self.found.values():
            if found.verdict in loud and found.scope in scopes:
                found.verdict, found.cause, found.because = verdict, cause, because
                found.condition = () if verdict is Verdict.UNDECIDED else found.condition

    def not_apart(self) -> Iterator[tuple[Pair, tuple[Verdict, Place, Place]]]:
        """The texts that are not proved apart, with what was found of them."""
        for pair, found in self.found.items():
            yield pair, (found.verdict, place(found.one.event), place(found.other.event))


def texts(one: Occurrence, other: Occurrence) -> Pair:
    """The places of two accesses in the text, in their order there."""
    first, second = sorted((one.event.access.span, other.event.access.span), key=lambda span: (span.file, span.start))
    return first, second


_DOES = {AccessKind.READ: "reads", AccessKind.WRITE: "writes", AccessKind.ATOMIC: "atomically updates"}


def place(event: AccessEvent) -> Place:
    """The access as it is shown."""
    return Place(event.access.span, event.access.text, _DOES[event.kind])


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
