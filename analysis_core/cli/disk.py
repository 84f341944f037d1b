"""The disk as `Files`, and which files a command is about."""

from __future__ import annotations

import fnmatch
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis_core.support.files import SOURCES

STDIN = "-"
STDIN_NAME = "<stdin>"
SUFFIXES = (".cu", ".cuh")
HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inl")
"""Files that are CUDA code where they define a kernel: a third of public programs keep theirs in such headers."""

_KERNEL = re.compile(rb"\b__global__\b")
_MOST_NEIGHBOURS = 500


def read_stdin() -> bytes:
    """What `-` stands for.  Raises `OSError` where there is no standard input."""
    if sys.stdin is None:
        raise OSError("standard input is closed")
    return sys.stdin.buffer.read()


class DiskFiles:
    """Reads from the file system.  Directories, devices and unreadable files are None, like absent ones."""

    def read(self, path: str) -> bytes | None:
        try:
            if not os.path.isfile(path):
                return None
            with open(path, "rb") as file:
                return file.read()
        except (OSError, ValueError):
            # ValueError: a NUL byte in a name that an #include made up.
            return None

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
    """The folder, absolute, and those above it, up to the root."""
    above = os.path.abspath(folder)
    yield above
    while (parent := os.path.dirname(above)) != above:
        yield (above := parent)


def sources_in(folder: str) -> tuple[str, ...]:
    """The files of one folder that may include CUDA code, sorted; nothing for a folder that is unreadable or huge."""
    try:
        names = sorted(os.listdir(folder or "."))
    except OSError:
        return ()
    found = [os.path.join(folder, name) for name in names if name.endswith((*SUFFIXES, ".cpp", ".cc", ".c"))]
    return tuple(found) if len(found) <= _MOST_NEIGHBOURS else ()


def collect(paths: Sequence[str], exclude: Sequence[str]) -> tuple[tuple[str, ...], tuple[Problem, ...]]:
    """The files meant by `paths`, each once, in order; directories are searched for .cu and .cuh, and for headers
    with kernels, in sorted order.

    `exclude`: globs for a file's path, its name, or any directory on the way.  They do not apply to files named as such."""
    found: dict[str, None] = {}
    problems: list[Problem] = []
    for path in paths:
        if path == STDIN or os.path.isfile(path):
            readable = path == STDIN or os.access(path, os.R_OK)
            if readable:
                found[path] = None
            else:
                problems.append(Problem(f"cannot read {path}: permission denied"))
        elif os.path.isdir(path):
            before = len(problems)
            inside = list(_search(path, exclude, problems))
            found.update(dict.fromkeys(inside))
            if not inside and len(problems) == before:
                problems.append(Problem(f"no .cu or .cuh file, nor a header with a kernel, in {path}", fatal=False))
        else:
            what = "no such file or directory" if not os.path.lexists(path) else "not a file or directory"
            problems.append(Problem(f"cannot read {path or repr(path)}: {what}"))
    return tuple(found), tuple(problems)


def _search(top: str, exclude: Sequence[str], problems: list[Problem]) -> Iterator[str]:
    def failed(error: OSError) -> None:
        problems.append(Problem(f"cannot read {error.filename}: {error.strerror or error}"))

    for folder, folders, files in os.walk(top, onerror=failed):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".") and not is_excluded(os.path.join(folder, name), exclude)
        )
        for name in sorted(files):
            path = os.path.join(folder, name)
            if name.endswith((*SUFFIXES, *HEADERS)) and not is_excluded(path, exclude):
                if not name.endswith(SUFFIXES):
                    yield from (path,) if _has_kernel(path) else ()
                elif os.path.isfile(path) and os.access(path, os.R_OK):
                    yield path
                else:
                    problems.append(Problem(f"cannot read {path}: not a readable file"))


def _has_kernel(path: str) -> bool:
    """Whether a header is CUDA code; one that cannot be read is not for us to tell."""
    data = DiskFiles().read(path)
    return data is not None and defines_kernel(data)


def defines_kernel(data: bytes) -> bool:
    """Whether the text is CUDA code by the look of it."""
    return _KERNEL.search(data) is not None


def is_excluded(path: str, exclude: Sequence[str]) -> bool:
    """Whether some glob means this path or its last part."""
    plain = path.replace(os.sep, "/")
    plain = plain[2:] if plain.startswith("./") else plain
    name = plain.rsplit("/", 1)[-1]
    return any(
        fnmatch.fnmatchcase(plain, glob.rstrip("/")) or fnmatch.fnmatchcase(name, glob.rstrip("/")) for glob in exclude
    )
