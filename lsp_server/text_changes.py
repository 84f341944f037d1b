"""What a client says of a text: opened, changed, closed; read from the JSON itself, so that whatever cannot be read is seen.

A change that is dropped, or read otherwise than it was meant, leaves a text that nobody has: findings of it stand in wrong places.  So
a change is taken whole or not at all (`Unread`), and the document counts as closed from there on (documents.py).
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Mapping

from analysis_core.text.line_index import LineIndex
from analysis_core.text.records import dataclass
from lsp_server.encoding import Encoding, encoded

MOST = (1 << 31) - 1
"""The greatest number that the protocol knows."""


class Unread(Exception):
    """Raised if a message about a text cannot be read. `uri`: the document that it was about; None if that is not
    known either."""

    def __init__(self, reason: str, uri: str | None = None) -> None:
        super().__init__(reason)
        self.uri = uri


@dataclass(frozen=True, slots=True)
class Opened:
    """A document with its whole text."""

    uri: str
    version: int
    text: str


@dataclass(frozen=True, slots=True)
class Replaced:
    """What stood between two positions (line and column, both from 0) is `text` now."""

    start: tuple[int, int]
    end: tuple[int, int]
    text: str


@dataclass(frozen=True, slots=True)
class Changed:
    """`steps`: one after the other; a text alone is the whole text."""

    uri: str
    version: int
    steps: tuple[Replaced | str, ...]

    @property
    def anew(self) -> tuple[Replaced | str, ...]:
        """The steps that do not depend on the earlier text: from the last whole text on. None of them if there is no
        whole text."""
        whole = [number for number, step in enumerate(self.steps) if isinstance(step, str)]
        return self.steps[whole[-1] :] if whole else ()


def read_opened(params: object) -> Opened:
    """The parameters of `textDocument/didOpen`.  Raises `Unread`, as the others do."""
    item = _object(_object(params, None).get("textDocument"), None)
    uri = _uri(item)
    return Opened(uri, _version(item, uri), _text(item, uri))


def read_changed(params: object) -> Changed:
    """The parameters of `textDocument/didChange`."""
    said = _object(params, None)
    item = _object(said.get("textDocument"), None)
    uri = _uri(item)
    changes = said.get("contentChanges")
    if not isinstance(changes, list):
        raise Unread("its changes are no list", uri)
    return Changed(uri, _version(item, uri), tuple(_step(change, uri) for change in changes))


def read_closed(params: object) -> str:
    """The URI in the parameters of `textDocument/didClose`."""
    return _uri(_object(_object(params, None).get("textDocument"), None))


def applied(index: LineIndex, changed: Changed, unit: Encoding) -> LineIndex:
    """The text after the changes, each of which speaks about the text that the one before left."""
    for step in changed.steps:
        if isinstance(step, str):
            index = LineIndex.of(encoded(step))
            continue
        start, end = (_byte(index, place, unit, changed.uri) for place in (step.start, step.end))
        if end < start:
            raise Unread("a range ends before it starts", changed.uri)
        if any("\ud800" <= char <= "\udfff" for char in step.text):
            raise Unread("it holds half of a character", changed.uri)
        index = LineIndex.of(index.data[:start] + encoded(step.text) + index.data[end:])
    return index


def suspect(message: str | bytes) -> Unread | None:
    """What a message that is no JSON may have said about a text; None if it was about something else."""
    text = message.decode("utf-8", "replace") if isinstance(message, bytes) else message
    lost = Unread("a message of the editor could not be read")
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        method = re.search(r'(?<!\\)"method"\s*:\s*"([^"]*)"', text)
        named = method and method[1].replace("\\/", "/")
        return lost if not named or named in ABOUT_TEXTS else None
    if not isinstance(said, dict) or said.get("method") not in ABOUT_TEXTS:
        return None
    with contextlib.suppress(Unread):
        lost.uri = read_closed(said.get("params"))
    return lost


ABOUT_TEXTS = frozenset(f"textDocument/did{what}" for what in ("Open", "Change", "Close"))
"""Methods that say what the text of a document is."""


def _byte(index: LineIndex, place: tuple[int, int], unit: Encoding, uri: str) -> int:
    """The byte that a position means: past the end of a line the line's end, past the last line the text's."""
    line, column = place[0] + 1, place[1]
    if line > index.line_count:
        return len(index.data)
    if unit is Encoding.UTF8:
        at = index.offset(line, column + 1)
        inside = at < len(index.data) and index.data[at] & 0xC0 == 0x80
    elif unit is Encoding.UTF16:
        at = index.offset_of_utf16(line, column)
        inside = at < index.line_range(line)[1] and index.utf16_column(at) != column
    else:
        at, inside = index.offset_of_code_point(line, column), False
    if inside:
        raise Unread("a position stands inside of a character", uri)
    return at


def _step(change: object, uri: str) -> Replaced | str:
    said = _object(change, uri)
    text = _text(said, uri)
    if "range" not in said:
        return text
    area = _object(said["range"], uri)
    start, end = (_position(area.get(name), uri) for name in ("start", "end"))
    return Replaced(start, end, text)


def _position(value: object, uri: str) -> tuple[int, int]:
    said = _object(value, uri)
    return _number(said.get("line"), 0, uri), _number(said.get("character"), 0, uri)


def _version(item: Mapping[str, object], uri: str) -> int:
    return _number(item.get("version"), -MOST - 1, uri)


def _number(value: object, least: int, uri: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST:
        raise Unread(f"{str(value)[:40]} is no number of the protocol", uri)
    return value


def _text(item: Mapping[str, object], uri: str) -> str:
    text = item.get("text")
    if not isinstance(text, str):
        raise Unread("it has no text", uri)
    return text


def _uri(item: Mapping[str, object]) -> str:
    uri = item.get("uri")
    if not isinstance(uri, str):
        raise Unread("it names no document")
    return uri


def _object(value: object, uri: str | None) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise Unread("it has the wrong form", uri)
    return value
