"""Where `#include` looks: next to the including file, then on the configured paths, then next to the main file.

The last stands for the `-I.` that most projects are built with.  `<...>` skips the first place.  One that is in none of these and may be the
project's is that which stands below one of the folders alone that its includes were found to start from.  Nothing is opened here but through `Files`; every path that was tried and is absent is reported, because its appearance changes the
result.  A missing include is normal (no toolkit is needed) and silent; one that is not read for where it leads is told apart.
"""

from __future__ import annotations

import posixpath
from typing import Iterator, NamedTuple, Sequence

from analysis_core.support.files import Files, is_refused
from analysis_core.support.settings import Settings
from analysis_core.syntax.lex.toolkit_headers import is_of_toolkit


def candidates(header: str, including: str, main: str, include_paths: Sequence[str]) -> Iterator[str]:
    """The paths that a header may have, in the order of search.  `header` is spelled with its quotes."""
    name = header[1:-1].strip()
    if not name:
        return
    if name.startswith("/"):
        yield posixpath.normpath(name)
        return
    folders: list[str] = [] if header[0] == "<" else [posixpath.dirname(including)]
    seen: set[str] = set()
    for folder in (*folders, *include_paths, posixpath.dirname(main)):
        path = posixpath.normpath(posixpath.join(folder, name))
        if path not in seen:
            seen.add(path)
            yield path


def may_be_of_the_project(header: str) -> bool:
    """Whether a header, spelled with its quotes, may stand in a folder of the project that nobody named: of names in angle brackets those with
    a folder and those of CUDA code, since others are the system's; never one of the toolkit's."""
    name = header[1:-1].strip()
    if name.startswith((".", "/")) or is_of_toolkit(name):
        return False
    return header[0] == '"' or "/" in name or name.endswith(".cuh")


class Found(NamedTuple):
    """The path and contents of a header, or None and no bytes; and the paths tried before that are absent.  `refused`: it is none of
    those, but the first place that it is sought in is one where nothing is read."""

    path: str | None
    data: bytes
    absent: tuple[str, ...]
    refused: bool = False


def find(header: str, including: str, main: str, settings: Settings, files: Files) -> Found:
    """Where a header is, of all places that it may have."""
    absent: list[str] = []
    for path in candidates(header, including, main, settings.include_paths):
        data = files.read(path)
        if data is not None:
            return Found(path, data, tuple(absent))
        absent.append(path)
    found: dict[str, bytes] = {}
    if absent and may_be_of_the_project(header):
        roots = settings.unit_roots.get(main, settings.include_roots)
        for path in candidates(f"<{header[1:-1]}>", including, main, roots):
            data = None if path in absent else files.read(path)
            if data is not None:
                found[path] = data
            else:
                absent.append(path)
    if len(found) == 1:
        ((path, data),) = found.items()
        return Found(path, data, tuple(dict.fromkeys(absent)))
    # Of two that it may be neither is; if one of them goes, the other is it.
    refused = bool(absent) and is_refused(absent[0], files)
    return Found(None, b"", tuple(dict.fromkeys((*absent, *found))), refused)
