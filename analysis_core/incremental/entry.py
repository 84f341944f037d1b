"""What is known of one kernel of one text: its report and what that was made from, packed, with the way to where it stands.

A report is moved often and read rarely: most edits move all kernels below them, and nobody looks at more than one card at
a time.  So an entry keeps its spans as they were and the moves since; only findings, which are shown at once, are moved at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import blake2b

from analysis_core.incremental.outline import Shift
from analysis_core.incremental.packing import Packed, pack, unpack
from analysis_core.report.model import KernelReport
from analysis_core.text.span import Span

_MOST_MOVES = 16
"""Moves that are kept apart; beyond, they are carried out."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A packed value that stands elsewhere by now.  `number` tells apart values that differ in bytes or in `spans`."""

    packed: Packed
    moves: tuple[Shift, ...] = ()
    number: bytes = b""

    @staticmethod
    def of(value: object) -> Moved:
        """A value where it stands."""
        return Moved.placed(pack(value))

    @staticmethod
    def placed(packed: Packed) -> Moved:
        """A packed value where it stands."""
        digest = blake2b(packed.data, digest_size=16)
        digest.update(repr([(s.file, s.start, s.end) for s in packed.spans]).encode("utf-8", "surrogatepass"))
        return Moved(packed, (), digest.digest())

    def by(self, shift: Shift) -> Moved:
        """Once more elsewhere."""
        if len(self.moves) < _MOST_MOVES:
            return replace(self, moves=(*self.moves, shift))
        return Moved.placed(self.packed.moved(self._place)).by(shift)

    def value(self) -> object:
        """The value, where it stands."""
        return unpack(self.packed.moved(self._place) if self.moves else self.packed)

    def _place(self, span: Span) -> Span:
        for move in self.moves:
            span = move(span)
        return span


@dataclass(frozen=True, slots=True)
class Entry:
    """One kernel (instantiation), by name.  `head`: its report without launches; `sites`: where it is launched; `report`: all of it; `kernel`: its IR; `facts`: of each
    launch, trip counts not named yet.  `trips`: the loops whose lines names speak of, with these lines.  `complete`: with bounds."""

    name: str
    head: Moved
    report: Moved
    kernel: Moved
    facts: Moved
    sites: Moved
    trips: tuple[tuple[Span, int], ...]
    complete: bool

    def by(self, shift: Shift) -> Entry:
        """The same kernel, its text elsewhere; `trips` speak of the old lines still."""
        moved = tuple((shift(span), line) for span, line in self.trips)
        return Entry(
            self.name,
            self.head.by(shift),
            self.report.by(shift),
            self.kernel.by(shift),
            self.facts.by(shift),
            self.sites.by(shift),
            moved,
            self.complete,
        )

    def is_named_well(self, line: Callable[[Span], int]) -> bool:
        """Whether the lines that names of trip counts speak of are those of now."""
        return all(line(span) == number for span, number in self.trips)

    @property
    def size(self) -> int:
        """Bytes that it takes, about."""
        return sum(one.packed.size for one in (self.head, self.report, self.kernel, self.facts, self.sites))


def head_of(report: KernelReport) -> KernelReport:
    """The report without its launches: what the report of a file is put together from."""
    return replace(report, launches=())
