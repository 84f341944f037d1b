"""Reading files through a protocol: the analysis opens nothing itself.

The command line hands in the disk, the server the disk overlaid with open buffers, tests a dictionary.
"""

from __future__ import annotations

import posixpath
from typing import Mapping, Protocol, runtime_checkable

SOURCES = (".cu", ".hip", ".cpp", ".cc", ".cxx", ".c")
"""How files end that are compiled by themselves."""


class Files(Protocol):
    """Read-only access to files by path."""

    def read(self, path: str) -> bytes | None:
        """The bytes of `path`, or None if there is no such readable file.  Never raises."""
        ...


@runtime_checkable
class Listing(Protocol):
    """Files that also list the sources of a folder."""

    def beside(self, path: str) -> tuple[str, ...]:
        """The sources of the folder in which `path` lies, itself among them, in the order of their names; none where that cannot be
        told.  Never raises."""
        ...


@runtime_checkable
class Bounded(Protocol):
    """Files with limits: some must not be read, and some must not be shown."""

    def refuses(self, path: str) -> bool:
        """Whether a path must not be read, because of where it leads. Never raises."""
        ...

    def is_shown(self, path: str) -> bool:
        """Whether text of this file may be shown. Files outside of the project are read, but not quoted. Never raises."""
        ...


def is_refused(path: str, files: object) -> bool:
    """Whether a path must not be read; False for files without such limits."""
    return isinstance(files, Bounded) and files.refuses(path)


def is_shown(path: str, files: object) -> bool:
    """Whether text of a file may be shown; True for files without such limits."""
    return not isinstance(files, Bounded) or files.is_shown(path)


def sources_beside(path: str, files: Files) -> tuple[str, ...]:
    """The sources of the folder of `path`; none where files do not tell."""
    return files.beside(path) if isinstance(files, Listing) else ()


class MemoryFiles:
    """A fixed set of files, such as open buffers, over others."""

    def __init__(self, contents: Mapping[str, bytes], below: Files | None = None) -> None:
        self._contents = dict(contents)
        self._below = below

    def read(self, path: str) -> bytes | None:
        if path in self._contents:
            return self._contents[path]
        return self._below.read(path) if self._below is not None else None

    def beside(self, path: str) -> tuple[str, ...]:
        folder = posixpath.dirname(path)
        own = {name for name in self._contents if name.endswith(SOURCES) and posixpath.dirname(name) == folder}
        others = () if self._below is None else sources_beside(path, self._below)
        return tuple(sorted(own.union(others))) if own.difference(others) else others

    def refuses(self, path: str) -> bool:
        return path not in self._contents and is_refused(path, self._below)

    def is_shown(self, path: str) -> bool:
        return path in self._contents or is_shown(path, self._below)


class Snapshot:
    """Files as each was when it was first asked for: whoever works on them sees one state of each, whatever others write meanwhile."""

    def __init__(self, below: Files) -> None:
        self._below = below
        self._read: dict[str, bytes | None] = {}
        self._beside: dict[str, tuple[str, ...]] = {}

    def read(self, path: str) -> bytes | None:
        if path not in self._read:
            self._read[path] = self._below.read(path)
        return self._read[path]

    def beside(self, path: str) -> tuple[str, ...]:
        if path not in self._beside:
            self._beside[path] = sources_beside(path, self._below)
        return self._beside[path]

    def refuses(self, path: str) -> bool:
        return is_refused(path, self._below)

    def is_shown(self, path: str) -> bool:
        return is_shown(path, self._below)
