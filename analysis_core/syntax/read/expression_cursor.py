"""The state of the expression parser: a position among tokens, and the two ways in which reading ends early."""

from __future__ import annotations

from analysis_core.syntax.read.reader import MAX_DEPTH, Reader
from analysis_core.text.records import dataclass


class Failure(Exception):
    """The tokens are no expression; caught at the entry, which then answers None."""


@dataclass(slots=True)
class Cursor:
    reader: Reader
    pos: int
    end: int

    def text(self) -> str:
        return self.reader.unit.tokens[self.pos].text if self.pos < self.end else ""

    def take(self, text: str) -> None:
        if self.text() != text:
            raise Failure
        self.pos += 1


def descend(p: Cursor) -> None:
    """Enters a level of nesting.  It counts twice, because each takes twice the frames of the other readers' levels."""
    p.reader.depth += 2
    if p.reader.depth > MAX_DEPTH:
        raise TooDeep


class TooDeep(Exception):
    """The nesting exceeds what a recursive reader may take on."""
