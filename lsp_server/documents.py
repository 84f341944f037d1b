"""The open documents: their text as UTF-8 bytes with a line index of our own.

There is no other text: pygls's own documents, whose lines end where those of editors do not, are never filled (protocol.py).  A document
that may be out of step with the editor's is closed, until its whole text comes again.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count
from urllib.parse import unquote, urlsplit

from analysis_core.text.line_index import LineIndex
from analysis_core.text.records import dataclass
from lsp_server.encoding import Encoding, encoded
from lsp_server.text_changes import Changed, Opened, Unread, applied


@dataclass(frozen=True, slots=True)
class Document:
    """One open document.  `path`: its file, or its URI if it has none (an unsaved buffer).  `version`: what the client calls its text;
    `revision`: what we do, which no other text has."""

    uri: str
    path: str
    version: int
    index: LineIndex
    revision: int

    @property
    def data(self) -> bytes:
        return self.index.data


def path_of(uri: str) -> str:
    """The path of a `file:` URI, under one spelling; any other URI stands for itself and names no file on the disk."""
    try:
        parts = urlsplit(uri)
    except ValueError:  # It is none (`http://[`), and its client's name for a document all the same.
        return uri
    if parts.scheme != "file":
        return uri
    return (f"//{parts.netloc}" if parts.netloc else "") + posixpath.normpath(unquote(parts.path) or "/")


def holds_settings(path: str) -> bool:
    """Whether a document is a settings file, by its name."""
    return posixpath.basename(path) in ("warpcost.toml", "pyproject.toml")


class Documents:
    """All open documents by URI."""

    def __init__(self) -> None:
        self._open: dict[str, Document] = {}
        self._lost: set[str] = set()
        self._revisions = count(1)
        self.last_revision = 0

    def get(self, uri: str) -> Document | None:
        return self._open.get(uri)

    def __iter__(self) -> Iterator[Document]:
        return iter(tuple(self._open.values()))

    def open(self, said: Opened) -> Document:
        """Opens a document, or replaces it if a client opens it twice."""
        return self._keep(said.uri, said.version, LineIndex.of(encoded(said.text)))

    def change(self, said: Changed, unit: Encoding) -> Document | None:
        """The document with its new text; None if it is not open.  Raises `Unread`, and leaves it as it was, if it may be out of step."""
        old = self._open.get(said.uri)
        if old is None:
            if said.uri not in self._lost or not said.anew:
                return None
            said, index = replace(said, steps=said.anew), LineIndex.of(b"")
        elif said.version <= old.version:
            raise Unread(f"version {said.version} comes after version {old.version}", said.uri)
        else:
            index = old.index
        return self._keep(said.uri, said.version, applied(index, said, unit))

    def lose(self, uri: str) -> None:
        """Takes a document out that may no longer match the client's text. It counts as not open, although the client
        has not closed it."""
        self._open.pop(uri, None)
        self._lost.add(uri)

    def is_lost(self, uri: str) -> bool:
        """Whether the document may no longer match the client's text."""
        return uri in self._lost

    def close(self, uri: str) -> None:
        self._open.pop(uri, None)
        self._lost.discard(uri)

    def _keep(self, uri: str, version: int, index: LineIndex) -> Document:
        self._lost.discard(uri)
        self.last_revision = next(self._revisions)
        self._open[uri] = Document(uri, path_of(uri), version, index, self.last_revision)
        return self._open[uri]

    def contents(self) -> Mapping[str, bytes]:
        """The texts of all open documents by path: what is laid over the disk."""
        return {document.path: document.data for document in self}
