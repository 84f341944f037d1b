"""An access in one round: which symbols two threads share there, and what its address is in it.

The trace has one event for all rounds of a summarised loop.  A loop that nobody waits in lets each thread be in a round of its
own: what was born in it is each thread's own (`own`).  Where the threads of a block wait for each other in every round, they are in
the same round, or one of them in the next: the event occurs in the *first* round, in *this* one, or in the *next* (`turns`).

Threads of two blocks share parameters, the extents of the grid, and rounds in which the grid waits; everything else is each thread's own.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping

import numpy as np

from analysis_core.domains import condition as cond
from analysis_core.domains import polynomial as pl
from analysis_core.domains.mask import Literal
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import BoolVector, IntVector
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.interp.core.events import AccessEvent, AccessKind
from analysis_core.interp.core.loop_tests import Movers
from analysis_core.support.derived import derived
from analysis_core.text.records import dataclass

FIRST, THIS, NEXT = -1, 0, 1
OWN = "own"
"""The version of a symbol of which each thread has one."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A round of a loop in which the block waits, so many behind this one (or, from `FIRST` down, behind the first one): `movers` are the functions of its number, symbols from `clock` on were made in it.
    `phase`: the parity of this round, 0 or 1, where it is asked for."""

    movers: Movers
    clock: int
    when: int
    phase: int = 0

    @property
    def known(self) -> Mapping[Symbol, Poly]:
        """Functions of the round's number whose values are known in terms of those in this round."""
        counter, powers, parity = self.movers.counter, self.movers.powers, self.movers.parity
        known: dict[Symbol, Poly] = {}
        rounds = self.when if self.when >= THIS else FIRST - self.when
        if self.when < THIS:
            known = {power: pl.constant(base**rounds) for power, base in powers.items()}
            known[counter] = pl.constant(rounds)
        elif rounds:
            known = {power: pl.scale(pl.of_symbol(power), base**rounds) for power, base in powers.items()}
            known[counter] = pl.add(pl.of_symbol(counter), pl.constant(rounds))
        if parity is not None:
            known[parity] = pl.constant((rounds if self.when < THIS else self.phase + rounds) % 2)
        return known


_LASTING = frozenset({SymbolKind.BASE, SymbolKind.PARAMETER})
"""Symbols that mean the same wherever they are used first."""

BLOCK_INDEX, GRID_EXTENT = "blockIdx.", "gridDim."
"""How names of the grid's symbols begin."""

_LARGE = 1 << 26
"""Multiples from here on are taken to be made to wrap around; others are taken to stay within an array."""

Version = str | tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Clock:
    """How many barriers of a part of the block there were with each of these groupings (parts.py)."""

    groupings: tuple[IntVector, ...] = ()
    counts: tuple[int, ...] = ()

    def after(self, place: int) -> Clock:
        """The time behind one with the grouping at this place."""
        return Clock(self.groupings, (*self.counts[:place], self.counts[place] + 1, *self.counts[place + 1 :]))

    def passed(self, later: Clock) -> Iterator[IntVector]:
        """The groupings in which threads have waited for each other since, until a later time."""
        for grouping, count, other in zip(self.groupings, self.counts, later.counts, strict=True):
            if count < other:
                yield grouping


@dataclass(frozen=True, slots=True, eq=False)
class Passed:
    """A barrier behind an access that the block comes to only if all these literals hold, in a loop of this `depth`: where they do
    not, it orders nothing."""

    literals: tuple[Literal, ...]
    depth: int


@dataclass(frozen=True, eq=False)
class Occurrence:
    """The event with number `index` in the rounds of `turns`, the outermost first. `own`: symbols from this number on are
    each thread's own. `waited`: how many barriers of a part of the block lie before it on its way; `place`: how many
    nodes are left to be walked from it on; `passed`: barriers of the block
    behind it that it may be open beyond. `across`: the other thread is one of another block.
    `pending`: it is deferred, no wait for it lies behind it, and so many commits do, at least; `overdue`: and a barrier does, which therefore does
    not order it; `bound`: to an object of this address, that waits for it from `place` on. `steps`: how many
    commits and releases of a pipeline lie behind it, at least (pipelines.py)."""

    index: int
    event: AccessEvent
    own: int | None
    turns: tuple[Turn, ...]
    waited: Clock
    place: int
    passed: tuple[Passed, ...] = ()
    across: bool = False
    pending: int | None = None
    overdue: bool = False
    bound: Hashable = None
    steps: tuple[int, int] = (0, 0)

    @derived
    def key(self) -> tuple[object, ...]:
        """Equal keys: the same access in the same rounds, open for the same reasons."""
        passed = tuple(tuple(entry.key for entry in barrier.literals) for barrier in self.passed)
        return (
            self.index,
            self.own,
            tuple((turn.when, turn.phase) for turn in self.turns),
            passed,
            self.pending,
            self.overdue,
            self.bound,
            self.steps,
        )

    def passed_groupings(self, other: Occurrence) -> Iterator[IntVector]:
        """Those of the barriers of a part of the block between this access and the other one."""
        if self.pending is None and self.own is None and other.own is None:
            yield from self.waited.passed(other.waited)

    def is_before(self, other: Occurrence, first: IntVector, second: IntVector) -> BoolVector:
        """Whether threads `first` and `second` wait for each other between this access and the other one."""
        found = np.zeros(len(first), dtype=bool)
        for grouping in self.passed_groupings(other):
            found |= (grouping[first] >= 0) & (grouping[first] == grouping[second])
        return found

    def is_before_all(self, other: Occurrence, numbers: IntVector) -> bool:
        """Whether all threads of one number wait for each other between, of those that may make the accesses."""
        threads = np.flatnonzero(self.event.mask.may | other.event.mask.may)
        for grouping in self.passed_groupings(other):
            both = np.unique(np.stack((numbers[threads], grouping[threads])), axis=1)
            if np.all(both[1] >= 0) and both.shape[1] == len(np.unique(both[0])):
                return True
        return False

    def version(self, symbol: Symbol) -> Version:
        """Two threads share a symbol of the block where its versions are equal, but for `OWN`."""
        if symbol.kind in _LASTING or symbol.name.startswith(GRID_EXTENT):
            return ()
        if self.across and all(turn.movers.counter is not symbol for turn in self.turns):
            return OWN
        if symbol.kind is SymbolKind.GRID:
            return ()
        if self.own is not None and symbol.number >= self.own:
            return OWN
        return tuple([turn.when for turn in self.turns if symbol.number >= turn.clock])

    @derived
    def counters(self) -> Mapping[Symbol, Poly]:
        """Functions of rounds whose values are known: a counter is 0 in the first round, one more in the next."""
        return {symbol: value for turn in self.turns for symbol, value in turn.known.items()}

    def in_round(self, poly: Poly) -> Poly:
        """A value of the event, with the counters of its rounds put in."""
        used = {symbol: value for symbol, value in self.counters.items() if symbol in poly.symbols()}
        return pl.substitute(poly, used) if used else poly

    @derived
    def address(self) -> Poly:
        """The address in its rounds."""
        return self.in_round(self.event.address.poly)

    @derived
    def is_scattered(self) -> bool:
        """Whether a number in the address is so large that elements of one array wrap around."""
        return any(int(np.max(np.abs(coefficient))) >= _LARGE for coefficient in self.address.terms.values())

    @derived
    def base(self) -> Symbol | None:
        """The array that it goes to; None if that is not known."""
        found = [symbol for symbol in self.address.symbols() if symbol.kind is SymbolKind.BASE]
        if len(found) != 1 or self.address.terms.get((found[0],)) != 1:
            return None
        return found[0]

    @property
    def writes(self) -> bool:
        return self.event.kind is not AccessKind.READ

    @derived
    def shared_part(self) -> tuple[object, ...] | None:
        """A key for all of the address but its constants: accesses of equal keys differ by these alone. None where threads
        do not share the rest."""
        parts: list[object] = []
        for monomial, coefficient in self.address.ordered:
            if not monomial:
                continue
            if not isinstance(coefficient, int):
                return None
            versions = []
            for symbol in monomial:
                version = self.version_in_address(symbol)
                if version == OWN or symbol.level is not Level.BLOCK:
                    return None
                versions.append((symbol, version))
            parts.append((tuple(versions), coefficient))
        return tuple(parts)

    def shares(self, entry: Literal, other: Occurrence) -> bool:
        """Whether the literal says the same of this access and of the other one, whichever threads make them."""
        if cond.open_level(entry.formula) is not Level.BLOCK:
            return False
        if cond.has_opaque(entry.formula) and (self.turns, self.own) != (other.turns, None):
            return False
        used = cond.symbols(entry.formula)
        return all(self.version(s) == other.version(s) != OWN and s not in self.counters for s in used)

    def version_in_address(self, symbol: Symbol) -> Version:
        """As `version`; a counter whose next value was put in is that of this round."""
        version = self.version(symbol)
        if isinstance(version, str) or symbol not in self.counters:
            return version
        own = [turn for turn in self.turns if symbol.number >= turn.clock]
        return tuple([THIS if symbol in turn.known else turn.when for turn in own])


def conflict(one: Occurrence, other: Occurrence) -> bool:
    """Whether the accesses race if two threads meet: one writes, and not both are atomic to the other."""
    kinds = {one.event.kind, other.event.kind}
    if kinds == {AccessKind.ATOMIC}:
        return one.across and (one.event.access.of_block or other.event.access.of_block)
    return kinds != {AccessKind.READ}


def is_ordered(one: Occurrence, other: Occurrence) -> bool:
    """Whether a barrier that may be passed by lies between them all the same, wherever both are made."""
    return any(_is_sure(barrier, one, other) for barrier in one.passed)


def _is_sure(barrier: Passed, one: Occurrence, other: Occurrence) -> bool:
    """Whether the block comes to the barrier wherever it comes to both accesses."""
    mine = {entry.key for entry in one.event.mask.literals}
    others = {entry.key for entry in other.event.mask.literals}
    return all(entry.key in mine or (entry.key in others and one.shares(entry, other)) for entry in barrier.literals)
