"""What is known of one kernel of one text: its report and what that was made from, packed, with the way to where it stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from analysis_core.incremental.places import Moved, Shift
from analysis_core.report.model import KernelReport
from analysis_core.text.span import Span


@dataclass(frozen=True, slots=True)
class Entry:
    """One kernel (instantiation), by name.  `head`: its report without launches; `sites`: where it is launched; `report`: all of it; `kernel`:
    its IR; `facts`: of each launch, trip counts not named yet.  `trips`: the loops whose lines names speak of, with these lines.  `complete`: with bounds."""

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
        if not shift.moves:
            return self
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


def head_of(report: KernelReport) -> KernelReport:
    """The report without its launches: what the report of a file is put together from."""
    return replace(report, launches=())
