"""What is known of one kernel of one text: its report and what that was made from, packed, with the way to where it stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import accumulate

from analysis_core.incremental.places import Moved, Places, Shift
from analysis_core.report.findings.model import KernelReport
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

Pieces = tuple[Moved, Moved, Moved, Moved, Moved]
"""Head, report, IR, facts, launches."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One kernel (instantiation), by name, in pieces (`Pieces`) whose places are moved together: the bytes of each,
    their digests, and where its places end. `key`: a digest of what the kernel means, and of the settings; `trips`: loops whose lines are part of names, with these lines.
    `complete`: with bounds; `quotes`: whether what it quotes of the text is the text of now."""

    name: str
    key: bytes
    data: tuple[bytes, ...]
    numbers: tuple[bytes, ...]
    ends: tuple[int, ...]
    places: Places
    trips: tuple[tuple[Span, int], ...]
    complete: bool
    quotes: bool = True

    @staticmethod
    def of(name: str, key: bytes, pieces: Pieces, trips: tuple[tuple[Span, int], ...], complete: bool) -> Entry:
        """The entry of a kernel, from its pieces where they stand."""
        ends = tuple(accumulate(len(piece.places.starts) for piece in pieces))
        places = Places.joined([piece.places for piece in pieces])
        data, numbers = tuple(p.data for p in pieces), tuple(p.number for p in pieces)
        return Entry(name, key, data, numbers, ends, places, trips, complete)

    @property
    def head(self) -> Moved:
        """The report without its launches."""
        return self._piece(0)

    @property
    def report(self) -> Moved:
        """The kernel's report with its launches."""
        return self._piece(1)

    @property
    def kernel(self) -> Moved:
        """The IR, to be read by `kernel_pieces.unpack_kernel`."""
        return self._piece(2)

    @property
    def facts(self) -> Moved:
        """The facts of each launch, trip counts not named yet."""
        return self._piece(3)

    @property
    def sites(self) -> Moved:
        """The launches of the kernel."""
        return self._piece(4)

    def _piece(self, number: int) -> Moved:
        first = self.ends[number - 1] if number else 0
        return Moved(self.data[number], self.places.part(first, self.ends[number]), self.numbers[number])

    def by(self, shift: Shift) -> Entry:
        """The entry of the same kernel with its text moved; `trips` still speak of the old lines."""
        if not shift.moves:
            return self
        moved = tuple((shift(span), line) for span, line in self.trips)
        return replace(self, places=self.places.by(shift), trips=moved)

    def is_named_well(self, line: Callable[[Span], int]) -> bool:
        """Whether the lines in names of trip counts, and what is quoted, are the present ones."""
        return self.quotes and all(line(span) == number for span, number in self.trips)


def head_of(report: KernelReport) -> KernelReport:
    """The report without its launches: what the report of a file is put together from."""
    return replace(report, launches=())
