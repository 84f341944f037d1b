"""What is known of one kernel of one text: its report and what that was made from, packed, with the way to where it stands.

A report is moved often and read rarely: most edits move all kernels below them, and nobody looks at more than one card at
a time.  So places are kept apart from values, as vectors, which are moved in microseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from analysis_core.incremental.outline import Shift
from analysis_core.report.model import KernelReport
from analysis_core.support.packing import Packed, pack, unpack
from analysis_core.text.span import FileId, Span


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """The spans of a packed value as vectors: the file of each (an index into `files`), first and last byte."""

    files: tuple[FileId, ...]
    file: npt.NDArray[np.int32]
    starts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]

    @staticmethod
    def of(spans: Sequence[Span]) -> Places:
        """From spans."""
        files = {file: number for number, file in enumerate(dict.fromkeys(span.file for span in spans))}
        return Places(
            tuple(files),
            np.array([files[span.file] for span in spans], dtype=np.int32),
            np.array([span.start for span in spans], dtype=np.int64),
            np.array([span.end for span in spans], dtype=np.int64),
        )

    def spans(self) -> tuple[Span, ...]:
        """As spans."""
        starts, ends = self.starts.tolist(), self.ends.tolist()
        return tuple(
            [Span(self.files[f], a, b) for f, a, b in zip(self.file.tolist(), starts, ends, strict=True)]
        )  # fmt: skip

    def by(self, shift: Shift) -> Places:
        """Elsewhere."""
        if not shift.moves:
            return self
        starts, ends = self.starts, self.ends
        for number, file in enumerate(self.files):
            if file in shift.parts:
                here = self.file == number
                starts = np.where(here, shift.offsets(file, starts), starts)
                ends = np.where(here, shift.offsets(file, ends), ends)
        return Places(self.files, self.file, starts, np.maximum(starts, ends))

    def key(self) -> tuple[object, ...]:
        """Equal keys, equal places."""
        return self.files, self.file.tobytes(), self.starts.tobytes(), self.ends.tobytes()


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """A packed value that may stand elsewhere by now.  `number`: a digest of its bytes."""

    data: bytes
    places: Places
    number: bytes

    @staticmethod
    def of(value: object) -> Moved:
        """A value where it stands."""
        return Moved.placed(pack(value))

    @staticmethod
    def placed(packed: Packed) -> Moved:
        """A packed value where it stands."""
        return Moved(packed.data, Places.of(packed.spans), blake2b(packed.data, digest_size=16).digest())

    def by(self, shift: Shift) -> Moved:
        """Elsewhere."""
        return Moved(self.data, self.places.by(shift), self.number)

    def value(self) -> object:
        """The value, where it stands."""
        return unpack(Packed(self.data, self.places.spans()))


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
