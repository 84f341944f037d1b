"""Values whose places move: spans apart from what they are in, as vectors.

A report is moved often and read rarely: most edits move all kernels below them, and nobody looks at more than one card at
a time.  As vectors, places are moved in microseconds.  The server reads what is written here, so nothing of the analysis is imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import repeat
from operator import attrgetter
from typing import Protocol

import numpy as np
import numpy.typing as npt

from analysis_core.support.packing import Packed, pack, unpack
from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId, Span

IntVector = npt.NDArray[np.int64]

_FILE, _START, _END = attrgetter("file"), attrgetter("start"), attrgetter("end")


class Stretch(Protocol):
    """A piece of a file: its bytes from `start` to `end`."""

    @property
    def file(self) -> FileId: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


@dataclass(frozen=True, slots=True, eq=False)
class Shift:
    """Where each place of one version of a unit stands in another: it moves with the part that holds it, or that comes
    before it. `parts`: by file, where the parts ended and how far each has moved; `moves`: whether any has."""

    parts: Mapping[FileId, tuple[IntVector, IntVector]]
    moves: bool

    @staticmethod
    def between(pairs: Iterable[tuple[Stretch, Stretch]]) -> Shift:
        """The shift from stretches of text to the same stretches elsewhere, in order."""
        found: dict[FileId, tuple[list[int], list[int]]] = {}
        for old, new in pairs:
            ends, deltas = found.setdefault(old.file, ([], []))
            ends.append(old.end)
            deltas.append(new.start - old.start)
        moves = any(any(deltas) for _, deltas in found.values())
        return Shift({file: (np.array(ends), np.array(deltas)) for file, (ends, deltas) in found.items()}, moves)

    def offsets(self, file: FileId, at: IntVector) -> IntVector:
        """Where these bytes of a file stand now."""
        entry = self.parts.get(file)
        if entry is None:
            return at
        ends, deltas = entry
        moved: IntVector = np.maximum(0, at + deltas[np.minimum(np.searchsorted(ends, at), len(deltas) - 1)])
        return moved

    def __call__(self, span: Span) -> Span:
        start, end = self.offsets(span.file, np.array([span.start, span.end])).tolist()
        return Span(span.file, start, max(start, end))


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """The spans of a packed value as vectors: the file of each (an index into `files`), first and last byte."""

    files: tuple[FileId, ...]
    file: npt.NDArray[np.int32]
    starts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]

    @staticmethod
    def of(spans: Sequence[Span]) -> Places:
        """The places of these spans."""
        files = {file: number for number, file in enumerate(dict.fromkeys(map(_FILE, spans)))}
        count = len(spans)
        number = repeat(0, count) if len(files) == 1 else map(files.__getitem__, map(_FILE, spans))
        return Places(
            tuple(files),
            np.fromiter(number, np.int32, count),
            np.fromiter(map(_START, spans), np.int64, count),
            np.fromiter(map(_END, spans), np.int64, count),
        )

    @staticmethod
    def joined(several: Sequence[Places]) -> Places:
        """Several places, one after the other."""
        files = {file: n for n, file in enumerate(dict.fromkeys(file for places in several for file in places.files))}
        numbers = [np.array([files[file] for file in places.files], np.int32)[places.file] for places in several]
        starts, ends = [places.starts for places in several], [places.ends for places in several]
        return Places(tuple(files), np.concatenate(numbers), np.concatenate(starts), np.concatenate(ends))

    def part(self, first: int, end: int) -> Places:
        """The places from one number up to another."""
        return Places(self.files, self.file[first:end], self.starts[first:end], self.ends[first:end])

    def spans(self) -> tuple[Span, ...]:
        """The places as spans."""
        starts, ends = self.starts.tolist(), self.ends.tolist()
        return tuple(
            [Span(self.files[f], a, b) for f, a, b in zip(self.file.tolist(), starts, ends, strict=True)]
        )  # fmt: skip

    def by(self, shift: Shift) -> Places:
        """The places after a shift."""
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
        """A key: equal keys mean equal places."""
        return self.files, self.file.tobytes(), self.starts.tobytes(), self.ends.tobytes()


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """A packed value that may stand elsewhere by now.  `number`: a digest of its bytes."""

    data: bytes
    places: Places
    number: bytes

    @staticmethod
    def of(value: object) -> Moved:
        """A value that is packed where it stands."""
        return Moved.placed(pack(value))

    @staticmethod
    def placed(packed: Packed) -> Moved:
        """A packed value where it stands."""
        return Moved(packed.data, Places.of(packed.spans), blake2b(packed.data, digest_size=16).digest())

    def by(self, shift: Shift) -> Moved:
        """The value after a shift of its places."""
        return Moved(self.data, self.places.by(shift), self.number)

    def packed(self) -> Packed:
        """The value, packed with its present places."""
        return Packed(self.data, self.places.spans())

    def value(self) -> object:
        """The value with its present places."""
        return unpack(self.packed())
