"""The open documents: their text as UTF-8 bytes with a line index of our own.

pygls keeps documents too, but splits lines as Python does, at form feeds and U+2028 as well, where editors do not; an
edit below such a character would land in the wrong line.  So edits are applied here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import unquote, urlsplit

from analysis_core.support.files import Files, overlaid
from analysis_core.text.line_index import LineIndex


@dataclass(frozen=True, slots=True)
class Document:
    """One open document.  `path`: its file, or its URI if it has none (an unsaved buffer)."""

    uri: str
    path: str
    version: int
    index: LineIndex

    @property
    def data(self) -> bytes:
        return self.index.data


def path_of(uri: str) -> str:
    """The path of a `file:` URI; any other URI stands for itself and names no file on the disk."""
    parts = urlsplit(uri)
    if parts.scheme != "file":
        return uri
    return (f"//{parts.netloc}" if parts.netloc else "") + unquote(parts.path)


def encoded(text: str) -> bytes:
    """The bytes that offsets count.  A lone surrogate, which JSON allows, becomes `?`: one byte and one UTF-16 unit."""
    return text.encode("utf-8", "replace")


class Documents:
    """All open documents by URI."""

    def __init__(self) -> None:
        self._open: dict[str, Document] = {}

    def get(self, uri: str) -> Document | None:
        return self._open.get(uri)

    def __iter__(self) -> Iterator[Document]:
        return iter(tuple(self._open.values()))

    def open(self, uri: str, version: int, data: bytes) -> Document:
        """Opens a document, or replaces it if a client opens it twice."""
        document = Document(uri, path_of(uri), version, LineIndex.of(data))
        self._open[uri] = document
        return document

    def change(self, uri: str, version: int, data: bytes) -> Document | None:
        """The document with its new text; None if it is not open."""
        old = self._open.get(uri)
        if old is None:
            return None
        self._open[uri] = replace(old, version=version, index=LineIndex.of(data))
        return self._open[uri]

    def close(self, uri: str) -> None:
        self._open.pop(uri, None)

    def contents(self) -> Mapping[str, bytes]:
        """The texts of all open documents by path: what is laid over the disk."""
        return {document.path: document.data for document in self}


@dataclass(frozen=True, slots=True)
class Overlay:
    """Open buffers before files of the disk."""

    contents: Mapping[str, bytes]
    below: Files

    def read(self, path: str) -> bytes | None:
        found = self.contents.get(path)
        return found if found is not None else self.below.read(path)

    def beside(self, path: str) -> tuple[str, ...]:
        return overlaid(path, self.contents, self.below)
