"""The folders that the includes of a file start from, found in its project where no build says so.

    #include "Gate.h"                          src/gate holds it
    #include <faiss/gpu/utils/Tensor.cuh>      the folder that holds `faiss` does

A file and what it includes are looked through for `#include` lines.  A header that is not beside its includer is sought among all headers
of the workspace, by the end of its path.  The nearest to the file holds: fewest folders up, then fewest down; of two equally near neither
does.  Names in angle brackets without a folder are the toolkit's and the system's, but for `.cuh`.  Of a workspace with very many folders
nothing is guessed.  Tested by `tests/cli/test_include_roots.py`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from analysis_core.support.files import SOURCES
from analysis_core.support.store import Stage, Store
from analysis_core.syntax.lex.includes import may_be_of_the_project
from analysis_core.syntax.units import includes_of, spelled_includes
from analysis_core.text.records import dataclass
from analysis_core.workspace.disk import HEADERS, SUFFIXES, read_file, real_path
from analysis_core.workspace.left_out import BUILT
from analysis_core.workspace.workspace import WorkspaceFiles, workspace_of

_MOST_FOLDERS = 4096
_MOST_HEADERS = 65_536
_MOST_READ = 256
"""Files that are looked through for one."""

_MOST_BYTES = 1 << 20
_MOST_ROOTS = 32
"""Each is asked for every header that is missing."""

_Stamps = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Workspace:
    """The headers of a workspace by the last part of their paths; none where it has too many folders.  `stamps`: of `folders`."""

    folders: tuple[str, ...]
    stamps: _Stamps
    headers: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class _Roots:
    """`seen`: all files and folders that the roots rest on, but for those of `workspace`, which is None where it was not asked."""

    seen: tuple[str, ...]
    stamps: _Stamps
    workspace: _Workspace | None
    roots: tuple[str, ...]


WORKSPACES: Stage[str, _Workspace] = Stage("headers of workspaces", 16)
"""By folder, as long as no folder below it has changed."""

ROOTS: Stage[str, _Roots] = Stage("folders that includes start from", 4096)
"""By file."""


def include_roots(path: str, store: Store) -> tuple[str, ...]:
    """The folders for a file, the first used first; all absolute."""
    path = real_path(path)
    top = workspace_of(os.path.dirname(path))

    def holds(known: _Roots) -> bool:
        if _stamps(known.seen) != known.stamps:
            return False
        return known.workspace is None or _workspace(top, store) is known.workspace

    known = store.get(ROOTS, path, holds)
    if known is None:
        known = _found(path, top, store)
        store.put(ROOTS, path, known)
    return known.roots


class Includes:
    """What files of projects include, as far as they can be told apart from each other; looks at each workspace once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tops: dict[str, str] = {}  # by folder
        self._workspaces: dict[str, _Workspace] = {}
        self.roots: dict[str, None] = {}

    def of(self, path: str, data: bytes, include_paths: Sequence[str]) -> tuple[str, ...]:
        """The paths that the includes of a file may name: with `include_paths` all in these, else the nearest in its project."""
        found = dict.fromkeys(includes_of(path, data, include_paths))
        for header in () if include_paths else spelled_includes(data):
            nearest = self._nearest(path, header) if may_be_of_the_project(header) else None
            if nearest is not None:
                found[nearest if os.path.isabs(path) else os.path.relpath(nearest)] = None
        return tuple(found)

    def sources(self, folder: str) -> tuple[str, ...]:
        """The sources of the workspace of a folder, spelled as it is."""
        headers = self._workspace(real_path(folder)).headers
        found = (path for name, paths in headers.items() if name.endswith(SOURCES) for path in paths)
        return tuple(found if os.path.isabs(folder) else map(os.path.relpath, found))

    def _nearest(self, path: str, header: str) -> str | None:
        real, name = real_path(path), os.path.normpath(header[1:-1])
        workspace = self._workspace(os.path.dirname(real))
        named = workspace.headers.get(os.path.basename(name), ())
        if header[0] == '"' and os.path.normpath(os.path.join(os.path.dirname(real), name)) in named:
            return None
        found = _nearest(name, real, workspace) if named else None
        if found is not None:
            self.roots[found[: -len(name)].rstrip(os.sep)] = None
        return found

    def _workspace(self, folder: str) -> _Workspace:
        top = self._tops.get(folder)
        if top is None:
            top = self._tops[folder] = workspace_of(folder)
        if top not in self._workspaces:
            self._workspaces[top] = _workspace(top, self._store)
        return self._workspaces[top]


def _found(path: str, top: str, store: Store) -> _Roots:
    files, workspace = WorkspaceFiles([top]), None
    read, pending, roots = {path: None}, [path], dict[str, None]()
    while pending and len(read) < _MOST_READ:
        includer = pending.pop()
        data = read_file(includer, _MOST_BYTES) if files.holds(includer) else None
        for header in spelled_includes(data or b""):
            name = os.path.normpath(header[1:-1])
            beside = os.path.normpath(os.path.join(os.path.dirname(includer), name))
            found: str | None = None
            if header[0] == '"' and os.path.isfile(beside):
                found = beside
            elif may_be_of_the_project(header):
                workspace = workspace or _workspace(top, store)
                found = _nearest(name, path, workspace)
                if found is not None and len(roots) < _MOST_ROOTS:
                    roots[found[: -len(name)].rstrip(os.sep)] = None
            if found is not None and found not in read:
                read[found] = None
                pending.append(found)
    seen = (*read, *dict.fromkeys(map(os.path.dirname, read)))
    return _Roots(seen, _stamps(seen), workspace, tuple(roots))


def _nearest(name: str, path: str, workspace: _Workspace) -> str | None:
    """The header of that name that is nearest to a file; None if there is none, or two are."""
    ending = os.sep + name
    found = [one for one in workspace.headers.get(os.path.basename(name), ()) if one.endswith(ending)]
    ranked = sorted((_apart(path, one), one) for one in found)
    if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
        return None
    return ranked[0][1]


def _apart(path: str, other: str) -> tuple[int, int]:
    """The folders that one goes up from a file, and then down, to another one."""
    here, there = path.split(os.sep), other.split(os.sep)
    common = next((n for n, (a, b) in enumerate(zip(here, there)) if a != b), min(len(here), len(there)))
    return len(here) - common, len(there) - common


def _workspace(top: str, store: Store) -> _Workspace:
    known = store.get(WORKSPACES, top, lambda known: _stamps(known.folders) == known.stamps)
    if known is None:
        known = _walked(top)
        store.put(WORKSPACES, top, known)
    return known


def _walked(top: str) -> _Workspace:
    folders, headers, count = list[str](), dict[str, list[str]](), 0
    for folder, names in _folders(top):
        folders.append(folder)
        for name in names:
            headers.setdefault(name, []).append(os.path.join(folder, name))
        count += len(names)
        if len(folders) > _MOST_FOLDERS or count > _MOST_HEADERS:
            return _Workspace((top,), _stamps((top,)), {})
    return _Workspace(tuple(folders), _stamps(folders), headers)


def _folders(top: str) -> Iterator[tuple[str, list[str]]]:
    """The folders below one, links left out, each with its headers."""
    for folder, below, names in os.walk(top):
        below[:] = sorted(n for n in below if n not in BUILT and not n.startswith((".", "cmake-build")))
        below[:] = [n for n in below if not os.path.islink(os.path.join(folder, n))]
        yield folder, sorted(n for n in names if n.endswith((*HEADERS, *SUFFIXES)))


def _stamps(paths: Sequence[str]) -> _Stamps:
    return tuple(map(_stamp, paths))


def _stamp(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except (OSError, ValueError):  # ValueError: a name that there cannot be
        return -1
