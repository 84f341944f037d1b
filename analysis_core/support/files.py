"""Reading files through a protocol: the analysis opens nothing itself.

The command line hands in the disk, the server the disk overlaid with open buffers, tests a dictionary.
"""

from __future__ import annotations

from typing import Mapping, Protocol


class Files(Protocol):
    """Read-only access to files by path."""

    def read(self, path: str) -> bytes | None:
        """The bytes of `path`, or None if there is no such readable file.  Never raises."""
        ...


class MemoryFiles:
    """A fixed set of files, for tests and for overlays."""

    def __init__(self, contents: Mapping[str, bytes], below: Files | None = None) -> None:
        self._contents = dict(contents)
        self._below = below

    def read(self, path: str) -> bytes | None:
        if path in self._contents:
            return self._contents[path]
        return self._below.read(path) if self._below is not None else None
