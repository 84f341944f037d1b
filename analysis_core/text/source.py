"""The text of one file, kept byte for byte.

All offsets of the analysis count bytes.  So a source keeps its bytes and decodes only what somebody wants to read;
bytes that are not UTF-8 survive as surrogate escapes and encode back to themselves.  The one exception is a file
in UTF-16 (recognised by its byte order mark): it is transcoded once, its offsets count the bytes of the UTF-8
text, and `transcoded` says so, because an editor holds such a file as text and never as these bytes.
"""

from __future__ import annotations

import codecs

from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId, Span


@dataclass(frozen=True, slots=True)
class SourceText:
    """`data`: the bytes that offsets count.  `transcoded`: they were made from UTF-16 and are not the file's own."""

    file: FileId
    data: bytes
    transcoded: bool = False

    @staticmethod
    def from_bytes(file: FileId, data: bytes) -> SourceText:
        """Any bytes are a source: nothing is lost, nothing raises.  A UTF-8 byte order mark stays (as white space)."""
        for mark, name in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
            if data.startswith(mark):
                text = data[len(mark) :].decode(name, "replace")
                return SourceText(file, text.encode("utf-8", "surrogatepass"), transcoded=True)
        return SourceText(file, data)

    def text(self, span: Span) -> str:
        """The text of a span of this file (bytes `start` to `end`), undecodable bytes as surrogate escapes."""
        return self.data[span.start : span.end].decode("utf-8", "surrogateescape")
