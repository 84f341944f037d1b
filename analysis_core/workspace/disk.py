"""The disk as `Files`, and which files a command is about."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterator

from analysis_core.support.files import SOURCES
from analysis_core.text.records import dataclass

STDIN = "-"
STDIN_NAME = "<stdin>"
SUFFIXES = (".cu", ".cuh", ".hip", ".cu.cc", ".cu.cpp")
HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inl", ".inc", ".ipp", ".tpp")
"""Files that are CUDA code where they define a kernel: a third of public programs keep theirs in such headers."""

_KERNEL = re.compile(rb"\b__global__\b")
_MOST_NEIGHBOURS = 500
MOST_BYTES = 1 << 26
"""Of a file that is read; larger ones count as absent."""


def read_stdin() -> bytes:
    """What `-` stands for.  Raises `OSError` where there is no standard input."""
    if sys.stdin is None:
        raise OSError("standard input is closed")
    return sys.stdin.buffer.read()


def read_file(path: str, most: int) -> bytes | None:
    """The bytes of a file; None if it is no regular file, cannot be read, or has more than `most` bytes. Never waits,
    even if a pipe or device takes the file's place meanwhile."""
    try:
        if not os.path.isfile(path):
            return None
        with open(path, "rb", opener=_at_once) as file:
            state = os.fstat(file.fileno())
            data = file.read(most + 1) if stat.S_ISREG(state.st_mode) and state.st_size <= most else None
    except (OSError, ValueError):  # ValueError: a NUL byte in a name that an #include made up.
        return None
    return None if data is None or len(data) > most else data


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def is_read_only(path: str) -> bool:
    """Whether a file is not to be written, by its mode or whose it is."""
    try:
        return not os.stat(path).st_mode & 0o222 or not os.access(path, os.W_OK)
    except OSError:
        return True


def real_path(path: str) -> str:
    """A path without links; as it is where it names nothing that there can be."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return path


class DiskFiles:
    """Reads from the file system.  Directories, devices, huge and unreadable files are None, like absent ones."""

    def read(self, path: str) -> bytes | None:
        return read_file(path, MOST_BYTES)

    def beside(self, path: str) -> tuple[str, ...]:
        """The sources of a folder; none of a huge one."""
        folder = os.path.dirname(path)
        try:
            names = sorted(name for name in os.listdir(folder or ".") if name.endswith(SOURCES))
        except (OSError, ValueError):
            return ()
        return tuple(os.path.join(folder, name) for name in names) if len(names) <= _MOST_NEIGHBOURS else ()


@dataclass(frozen=True, slots=True)
class Problem:
    """Something about the disk that the user has to know: one line of text.  `fatal`: the result is not complete."""

    text: str
    fatal: bool = True


def upwards(folder: str) -> Iterator[str]:
    """The folder, absolute and without links, and those above it, up to the root."""
    above = real_path(folder)
    yield above
    while (parent := os.path.dirname(above)) != above:
        yield (above := parent)


def sources_in(folder: str) -> tuple[str, ...]:
    """The files of one folder that may include CUDA code, sorted; nothing for a folder that is unreadable or huge."""
    try:
        names = sorted(os.listdir(folder or "."))
    except (OSError, ValueError):
        return ()
    found = [os.path.join(folder, name) for name in names if name.endswith((*SUFFIXES, ".cpp", ".cc", ".c"))]
    return tuple(found) if len(found) <= _MOST_NEIGHBOURS else ()


def defines_kernel(data: bytes) -> bool:
    """Whether the text is CUDA code by the look of it."""
    return _KERNEL.search(data) is not None
