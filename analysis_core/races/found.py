"""What was found of pairs of texts so far: the loudest verdict on each, and which are proved apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analysis_core.interp.core.events import AccessEvent, AccessKind
from analysis_core.ir.launch_site import SizeRange
from analysis_core.races.occurrences import Occurrence
from analysis_core.races.verdicts import Place, Required, Scope, Verdict
from analysis_core.support.fuel import RACES, Fuel
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

if TYPE_CHECKING:
    from analysis_core.races.conditions import Condition

Pair = tuple[Span, Span]
Grid = tuple[int | None, int | None, int | None]
Index = tuple[int, int, int]
PASSED = "a condition decides whether the block comes to the barrier between"
VOLATILE = "volatile memory may order the threads by itself"
MOST_QUERIES = 50
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
    under which they never do; `holds`: whether it does for the launch in view."""

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
    paid from one account."""

    def __init__(self, fuel: Fuel | None = None) -> None:
        self._fuel = fuel or Fuel.of(RACES)
        self.found: dict[Pair, Found] = {}
        self.apart: set[Pair] = set()
        self.proved: set[Pair] = set()
        self._without: set[Pair] = set()

    def pay(self, units: int) -> None:
        """Takes units of work. Raises `OutOfFuel`."""
        self._fuel.spend(units, "races are looked for in too many pairs of accesses")

    def note(self, new: Found) -> None:
        """Keeps it if it is louder than what is known."""
        pair = texts(new.one, new.other)
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

    def quieten(self, verdict: Verdict, cause: str, scopes: frozenset[Scope] = frozenset(Scope)) -> None:
        """What would be certain has this verdict, for this reason."""
        for found in self.found.values():
            if found.verdict is Verdict.CERTAIN and found.scope in scopes:
                found.verdict, found.cause = verdict, cause

    def not_apart(self) -> Iterator[tuple[Pair, tuple[Verdict, Place, Place]]]:
        """The texts that are not proved apart, with what was found of them."""
        for pair, found in self.found.items():
            yield pair, (found.verdict, place(found.one.event), place(found.other.event))


def texts(one: Occurrence, other: Occurrence) -> Pair:
    """The places of two accesses in the text, in their order there."""
    first, second = sorted((one.event.access.span, other.event.access.span), key=lambda span: (span.file, span.start))
    return first, second


_DOES = {AccessKind.READ: "reads", AccessKind.WRITE: "writes", AccessKind.ATOMIC: "updates atomically"}


def place(event: AccessEvent) -> Place:
    """The access as it is shown."""
    return Place(event.access.span, event.access.text, _DOES[event.kind])
