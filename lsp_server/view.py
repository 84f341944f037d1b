"""An answer about a document, seen from the text as it is now: places of what was edited since then are moved along."""

from __future__ import annotations

import os
from collections.abc import Callable

from analysis_core.support.sources import Sources
from analysis_core.text.change import Change, change_between
from analysis_core.text.line_index import LineIndex
from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId, Span
from lsp_server.answers import Answer
from lsp_server.documents import Document


@dataclass(frozen=True, slots=True)
class Known:
    """An answer together with the text that it is about, and the revision of that text."""

    answer: Answer
    index: LineIndex
    revision: int


@dataclass(frozen=True, slots=True)
class View:
    """`change`: how the document has changed since it was analysed; None if it is unchanged."""

    document: Document
    known: Known
    change: Change | None

    @staticmethod
    def of(document: Document, known: Known) -> View:
        if known.index is document.index:
            return View(document, known, None)
        return View(document, known, change_between(known.index.data, document.data))

    def now(self, span: Span) -> Span:
        """Where a span of the text that was analysed stands."""
        return span if self.change is None else self.change.span(FileId(self.document.path), span)

    def origin(self, at: int) -> int | None:
        """Where a byte of the present text stood in the text that was analysed; None in what was edited since."""
        return at if self.change is None else self.change.origin(at)

    def is_whole(self, span: Span) -> bool:
        """Whether nothing was edited inside of a span of the text that was analysed."""
        changed = self.change
        return changed is None or span.end <= changed.start or span.start >= changed.old_end

    def plain_place(self, sources: Sources) -> Callable[[Span], str]:
        """A function that spells places of the text that was analysed as they are now, without links."""
        return lambda span: place_text(sources, self.document, self.now(span))[0]


def place_text(sources: Sources, document: Document, span: Span) -> tuple[str, int]:
    """How a place is spelled, seen from a document, and its 1-based line."""
    line = sources.line(span)
    return (f"line {line}" if span.file == document.path else f"{os.path.basename(span.file)}:{line}"), line
