"""The texts that a report speaks about, read once each through `Files`.

Findings lie in the file that was asked for, and sometimes in a header that it includes.  Whoever turns offsets into
lines makes one `Sources` and drops it with the report.
"""

from __future__ import annotations

import posixpath

from analysis_core.support.files import Files, is_shown
from analysis_core.text.line_index import LineIndex
from analysis_core.text.source import SourceText
from analysis_core.text.span import FileId, Span


class Sources:
    """Line indices by file.  A file that cannot be read any more counts as empty, so that places stay printable."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._indices: dict[FileId, LineIndex] = {}

    def index(self, file: FileId) -> LineIndex:
        """The line index of a file, over the bytes that offsets count (see `SourceText`)."""
        if file not in self._indices:
            source = SourceText.from_bytes(file, self._files.read(file) or b"")
            self._indices[file] = LineIndex.of(source.data)
        return self._indices[file]

    def position(self, span: Span) -> tuple[int, int]:
        """1-based line and byte column where the span starts."""
        return self.index(span.file).position(span.start)

    def line(self, span: Span) -> int:
        """The 1-based line on which the span starts."""
        return self.index(span.file).line_of(span.start)

    def is_shown(self, file: FileId) -> bool:
        """Whether what a file says may be shown."""
        return is_shown(file, self._files)

    def text(self, span: Span) -> str:
        """The bytes of the span as text; bytes that are no UTF-8 become surrogates.  Of a file that may not be shown its name."""
        if not self.is_shown(span.file):
            return f"({posixpath.basename(span.file)})"
        return self.index(span.file).data[span.start : span.end].decode("utf-8", "surrogateescape")
