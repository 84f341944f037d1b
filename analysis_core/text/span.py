"""Byte ranges in files: the only notion of place that the analysis knows.

Offsets count bytes of the file as stored (not code points, not UTF-16 units).  Lines and columns are made
from offsets by `LineIndex`, once, at the edge that needs them (terminal, JSON, LSP).
"""

from __future__ import annotations

from typing import NewType

from analysis_core.text.records import dataclass

FileId = NewType("FileId", str)
"""A file's path as the user or an `#include` named it, normalised; never opened by the analysis itself."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """The bytes `start <= offset < end` of `file`.  Invariant: 0 <= start <= end."""

    file: FileId
    start: int
    end: int

    def hull(self, other: Span) -> Span:
        """The least span that holds both; `self` alone where they lie in different files."""
        if other.file != self.file:
            return self
        start = self.start if self.start < other.start else other.start
        end = self.end if self.end > other.end else other.end
        return Span(self.file, start, end)

    def encloses(self, inner: Span) -> bool:
        """Whether all bytes of `inner` are bytes of this."""
        return self.file == inner.file and self.start <= inner.start and inner.end <= self.end

    def contains(self, offset: int) -> bool:
        """Whether `offset` (bytes) lies inside, the end included, so that a cursor after the last byte hits."""
        return self.start <= offset <= self.end
