"""Where keys and values stand in a TOML text that `tomllib` has accepted: tomllib itself keeps no places.

The text is read once, by the structure alone: headers, keys, and where each value begins and ends.  What the values mean
is left to tomllib, and so is whether the text is TOML at all: of a text that is not, some places may be missing.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress

from analysis_core.text.records import dataclass

Path = tuple[str | int, ...]
"""Keys, and numbers of elements of arrays, from the top of the document."""

_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BLANK = re.compile(r"[ \t]*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_STRINGS = tuple(
    re.compile(pattern, re.DOTALL)
    for pattern in (r'"""(?:\\.|[^\\])*?"{3,5}', r"'''.*?'{3,5}", r'"(?:\\.|[^"\\\n])*"', r"'[^'\n]*'")
)
_OTHER = re.compile(r"[^,\]}\n#]*")


@dataclass(frozen=True, slots=True)
class TomlPlace:
    """Bytes from and to, of a key (None for elements of an array) and of its value (of a header: the key again)."""

    key: tuple[int, int] | None
    value: tuple[int, int]


def own_table(path: str) -> Path:
    """Where the settings begin in a file: at its top, or in `[tool.warpcost]` of a `pyproject.toml`."""
    return ("tool", "warpcost") if os.path.basename(path) == "pyproject.toml" else ()


def toml_places(data: bytes) -> Mapping[Path, TomlPlace]:
    """The places of all keys, values and elements; each key once, where it is first mentioned."""
    reader = _Reader(data.decode("latin-1"))
    with suppress(_NotToml, RecursionError):  # What was found until then is right.
        reader.document()
    return reader.found


class _NotToml(Exception):
    """The text is not what tomllib accepts."""


class _Reader:
    """`text` has one character per byte."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.found: dict[Path, TomlPlace] = {}
        self._tables: dict[Path, int] = {}  # how many tables an array of tables has

    def document(self) -> None:
        prefix: Path = ()
        while True:
            self._skip(_SPACE)
            if self.at >= len(self.text):
                return
            if self._next("[["):
                prefix = self._header()
                number = self._tables.get(prefix, 0)
                self._tables[prefix] = number + 1
                prefix = (*prefix, number)
                self._expect("]]")
            elif self._next("["):
                prefix = self._header()
                self._expect("]")
            else:
                self._pair(prefix)

    def _header(self) -> Path:
        """The path that a header names, through the last table of each array of tables on the way."""
        path: Path = ()
        for name, place in self._keys():
            if path in self._tables:
                path = (*path, self._tables[path] - 1)
            path = (*path, name)
            self.found.setdefault(path, TomlPlace(place, place))
        return path

    def _pair(self, prefix: Path) -> None:
        keys = self._keys()
        self._expect("=")
        self._skip(_BLANK)
        path = (*prefix, *(name for name, _ in keys))
        start = self.at
        self._value(path)
        last = len(keys) - 1
        for number, (_, place) in enumerate(keys):
            inner = path[: len(prefix) + number + 1]
            value = (start, self.at) if number == last else place
            self.found.setdefault(inner, TomlPlace(place, value))

    def _keys(self) -> list[tuple[str, tuple[int, int]]]:
        """A dotted key, part by part."""
        parts = []
        while True:
            self._skip(_BLANK)
            start = self.at
            match = _BARE.match(self.text, start) or self._string()
            if match is None or match.end() == start:
                raise _NotToml
            self.at = match.end()
            parts.append((_plain(match[0]), (start, self.at)))
            self._skip(_BLANK)
            if not self._next("."):
                return parts

    def _value(self, path: Path) -> None:
        if self._next("["):
            self._elements(path)
        elif self._next("{"):
            self._inline_table(path)
        else:
            match = self._string()
            end = match.end() if match is not None else self.at + len(self._rest())
            if end == self.at:
                raise _NotToml
            self.at = end

    def _elements(self, path: Path) -> None:
        number = 0
        while True:
            self._skip(_SPACE)
            if self._next("]"):
                return
            start = self.at
            self._value((*path, number))
            self.found[(*path, number)] = TomlPlace(None, (start, self.at))
            number += 1
            self._skip(_SPACE)
            if not self._next(",") and self.text[self.at : self.at + 1] != "]":
                raise _NotToml

    def _inline_table(self, path: Path) -> None:
        while True:
            self._skip(_SPACE)
            if self._next("}"):
                return
            self._pair(path)
            self._skip(_SPACE)
            if not self._next(",") and self.text[self.at : self.at + 1] != "}":
                raise _NotToml

    def _rest(self) -> str:
        match = _OTHER.match(self.text, self.at)
        return "" if match is None else match[0].rstrip()

    def _string(self) -> re.Match[str] | None:
        return next((match for kind in _STRINGS if (match := kind.match(self.text, self.at)) is not None), None)

    def _skip(self, what: re.Pattern[str]) -> None:
        match = what.match(self.text, self.at)
        self.at = self.at if match is None else match.end()

    def _next(self, text: str) -> bool:
        found = self.text.startswith(text, self.at)
        self.at += len(text) if found else 0
        return found

    def _expect(self, text: str) -> None:
        self._skip(_BLANK)
        if not self._next(text):
            raise _NotToml


def _plain(key: str) -> str:
    """What a key means, without its quotes."""
    text = key.encode("latin-1").decode("utf-8", "replace")
    if not text.startswith(('"', "'")):
        return text
    try:
        return next(iter(tomllib.loads(f"{text} = 0")))
    except tomllib.TOMLDecodeError:
        raise _NotToml from None
