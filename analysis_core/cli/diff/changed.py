"""Which files have to be analysed on both sides: those that differ, or rest on something that does.

A file rests on its text, its settings, what it and the files that it is read through include, and sources of its folder that may belong to the
same program.  What may be included is told by the last parts of names, and what may be called by texts alone, so that rather too
much is analysed than too little.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Iterator, Sequence

from analysis_core.cli.work import Task
from analysis_core.support.files import SOURCES
from analysis_core.syntax.siblings import MOST_FILES
from analysis_core.syntax.units import spelled_includes
from analysis_core.text.records import dataclass
from analysis_core.workspace.disk import MOST_BYTES, read_file

_DEFINED = re.compile(
    rb"^([^\n#]*?)\b([A-Za-z_]\w*)[ \t]*\((?:[^(){};]|\([^(){};]*\))*\)\s*(?:const\s*)?\{", re.MULTILINE
)
_CALLED = re.compile(rb"\b([A-Za-z_]\w*)\s*(?:<<<|\()")
_APART = (b"static", b"__device__", b"inline", b"__forceinline__")
_WORDS = frozenset({b"if", b"for", b"while", b"switch", b"return", b"sizeof"})


@dataclass(frozen=True, slots=True)
class _Text:
    data: bytes
    includes: tuple[str, ...]
    defined: frozenset[bytes]
    called: frozenset[bytes]


class Half:
    """One side: its files by their paths from the folder, each read once."""

    def __init__(self, folder: str, tasks: Sequence[Task]) -> None:
        self.folder = folder
        self.tasks = {self.name(task.path): task for task in tasks}
        self._texts: dict[str, _Text | None] = {}
        self._sources: dict[str, list[str]] = {}
        self.by_name: dict[str, list[str]] = {}
        for path in _walked(folder):
            self.by_name.setdefault(posixpath.basename(path), []).append(path)
            if path.endswith(SOURCES):
                self._sources.setdefault(posixpath.dirname(path), []).append(path)

    def name(self, path: str) -> str:
        """A path from the folder of the side."""
        return os.path.relpath(os.path.abspath(path), self.folder).replace(os.sep, "/")

    def text(self, path: str) -> _Text | None:
        """What is in a file; None where there is none."""
        if path not in self._texts:
            data = read_file(os.path.join(self.folder, path), MOST_BYTES)
            self._texts[path] = None if data is None else _text(data)
        return self._texts[path]

    def closure(self, paths: Sequence[str]) -> frozenset[str]:
        """The files, and all that they may include."""
        seen, waiting = set(paths), list(paths)
        while waiting:
            text = self.text(waiting.pop())
            for include in () if text is None else text.includes:
                fresh = [path for path in self.by_name.get(include, ()) if path not in seen]
                seen.update(fresh)
                waiting += fresh
        return frozenset(seen)

    def read_with(self, path: str) -> frozenset[str]:
        """The files that a file is read with: through the units that include it, or by itself."""
        task = self.tasks[path]
        return self.closure([path, *map(self.name, task.units)])

    def said(self, path: str) -> str:
        """The settings of a file, wherever the side lies."""
        return repr(self.tasks[path].settings).replace(self.folder, "")

    def beside(self, path: str) -> tuple[str, ...]:
        """The sources of its folder."""
        folder = posixpath.dirname(path)
        names = self._sources.get(folder, [])
        return tuple(names) if len(names) <= MOST_FILES else ()

    def has_main(self, path: str) -> bool:
        """Whether a program begins in its folder."""
        texts = (self.text(other) for other in self.beside(path))
        return any(text is not None and b"main" in text.defined for text in texts)


def changed(before: Half, after: Half) -> frozenset[str]:
    """The paths of files that have to be analysed, on the sides on which they are."""
    known: dict[str, bool] = {}

    def differs(path: str) -> bool:
        if path not in known:
            mine, theirs = before.text(path), after.text(path)
            known[path] = (mine and mine.data) != (theirs and theirs.data)
        return known[path]

    both = before.tasks.keys() & after.tasks.keys()
    alone = before.tasks.keys() ^ after.tasks.keys()
    return frozenset(alone | {path for path in both if _differs(path, before, after, differs)})


def _differs(path: str, before: Half, after: Half, differs: Callable[[str], bool]) -> bool:
    if before.said(path) != after.said(path):
        return True
    mine, theirs = before.read_with(path), after.read_with(path)
    if mine != theirs or any(map(differs, mine)) or before.has_main(path) != after.has_main(path):
        return True
    programs = (_program(path, half, read) for half, read in ((before, mine), (after, theirs)))
    return any(differs(other) for program in programs for other in program)


def _program(path: str, half: Half, read: frozenset[str]) -> Iterator[str]:
    """The sources of the folder that may belong to the program of a file, and what they include: those that call each other."""
    beside = [other for other in half.beside(path) if other not in read]
    inside = [text for one in read if (text := half.text(one)) is not None]
    defined = frozenset[bytes]().union(*(text.defined for text in inside))
    called = frozenset[bytes]().union(*(text.called for text in inside))
    linked: list[str] = []
    while True:
        fresh = [
            other
            for other in beside
            if other not in linked
            and (text := half.text(other)) is not None
            and (text.called & defined or text.defined & called)
        ]
        if not fresh:
            return
        for other in fresh:
            linked.append(other)
            yield from half.closure([other])
            if (text := half.text(other)) is not None and b"main" not in text.defined & defined:
                defined, called = defined | text.defined, called | text.called


def _text(data: bytes) -> _Text:
    data = data.replace(b"\r\n", b"\n")  # A checkout may have other ends of lines than a repository.
    includes = tuple(dict.fromkeys(posixpath.basename(header[1:-1]) for header in spelled_includes(data)))
    defined = {match[2] for match in _DEFINED.finditer(data) if not any(word in match[1] for word in _APART)}
    return _Text(data, includes, frozenset(defined - _WORDS), frozenset(_CALLED.findall(data)))


def _walked(folder: str) -> Iterator[str]:
    """All files below the folder but those of repositories and builds."""
    for top, below, names in os.walk(folder):
        below[:] = sorted(n for n in below if not n.startswith(".") and n not in _LEFT_OUT)
        for name in sorted(names):
            yield os.path.relpath(os.path.join(top, name), folder).replace(os.sep, "/")


_LEFT_OUT = frozenset({"node_modules", "__pycache__"})
