"""How one text became another: the least stretch outside of which they are alike."""

from __future__ import annotations

from collections.abc import Callable

from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId, Span


@dataclass(frozen=True, slots=True)
class Change:
    """The bytes `start <= at < old_end` of the old text have become `start <= at < new_end` of the new one."""

    start: int
    old_end: int
    new_end: int

    @property
    def delta(self) -> int:
        """Bytes by which the new text is longer."""
        return self.new_end - self.old_end

    def place(self, at: int) -> int:
        """Where a byte of the old text stands in the new one; what was changed, at the end of the change."""
        if at <= self.start:
            return at
        return at + self.delta if at >= self.old_end else self.new_end

    def origin(self, at: int) -> int | None:
        """Where a byte of the new text stood in the old one; None inside of the change."""
        if at <= self.start:
            return at
        return at - self.delta if at >= self.new_end else None

    def span(self, file: FileId, span: Span) -> Span:
        """Where a span of the old text stands, if it lies in the file that changed."""
        return span if span.file != file else Span(file, self.place(span.start), self.place(span.end))


def change_between(old: bytes, new: bytes) -> Change:
    """The least change that makes one text the other.  Linear in their lengths, with a small constant."""
    shorter = min(len(old), len(new))
    start = _common(lambda n: old[:n] == new[:n], shorter)
    end = _common(lambda n: old[len(old) - n :] == new[len(new) - n :], shorter - start)
    return Change(start, len(old) - end, len(new) - end)


def _common(alike: Callable[[int], bool], most: int) -> int:
    """The greatest length up to `most` at which the texts are alike."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if alike(middle):
            low = middle
        else:
            high = middle - 1
    return low
