"""The folders of a project, in which a quoted include is sought last: `src/sim/run.cu` includes "Gate.h", and only `src/gate` has it.

A build says so with -I; where neither a compilation database nor the settings name a folder for includes, the folders around a file
are what is left.  The project is the nearest folder upwards that is built by itself (a Makefile and the like); without such a mark,
what lies below the file's folder, or beside it if that is called `src`.  Of a project with many folders nothing is guessed.
"""

from __future__ import annotations

import os
from itertools import islice

from analysis_core.support.store import Stage, Store
from analysis_core.workspace.disk import upwards

_MARKS = frozenset(
    {"Makefile", "makefile", "GNUmakefile", "CMakeLists.txt", "meson.build", "BUILD", "BUILD.bazel", ".git", "setup.py",
     "pyproject.toml", "warpcost.toml"}
)  # fmt: skip
_SOURCES = frozenset({"src", "source", "sources", "kernels", "cuda", "gpu", "lib"})
_BUILT = frozenset(
    {"build", "_build", "out", "dist", "target", "bin", "obj", "node_modules", "__pycache__", "CMakeFiles"}
)

_LEVELS_UP = 4
_LEVELS_DOWN = 4
_MOST = 32
"""Each is asked for every header that is missing."""


FOLDERS: Stage[str, tuple[tuple[int, ...], tuple[str, ...]]] = Stage("folders of projects", 4096)
"""By folder, those of its project with the times of their last changes."""


def folders_around(folder: str, store: Store) -> tuple[str, ...]:
    """The folders of the project that a folder belongs to, sorted level by level; none if there are too many."""
    folder = os.path.abspath(folder)
    known = store.get(FOLDERS, folder, lambda known: _stamps(known[1]) == known[0])
    if known is None:
        found = _below(_top_of(folder))
        known = _stamps(found), found
        store.put(FOLDERS, folder, known)
    return known[1] if len(known[1]) <= _MOST else ()


def _top_of(folder: str) -> str:
    for above in islice(upwards(folder), _LEVELS_UP):
        if is_built(above):
            return above
    return os.path.dirname(folder) if os.path.basename(folder) in _SOURCES else folder


def is_built(folder: str) -> bool:
    """Whether a folder is built by itself: it holds a Makefile or the like."""
    try:
        return not _MARKS.isdisjoint(os.listdir(folder))
    except (OSError, ValueError):
        return False


def _below(top: str) -> tuple[str, ...]:
    """The folder and those below it, up to one more than are wanted."""
    found, level = [top], [top]
    for _ in range(_LEVELS_DOWN):
        below: list[str] = []
        for folder in level:
            try:
                with os.scandir(folder) as entries:
                    kept = [e.name for e in entries if not e.name.startswith((".", "cmake-build")) and e.is_dir()]
            except OSError:
                continue
            below += [os.path.join(folder, name) for name in sorted(kept) if name not in _BUILT]
            if len(found) + len(below) > _MOST:
                return (*found, *below)[: _MOST + 1]
        found += below
        level = below
    return tuple(found)


def _stamps(folders: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(map(_stamp, folders))


def _stamp(folder: str) -> int:
    try:
        return os.stat(folder).st_mtime_ns
    except OSError:
        return -1
