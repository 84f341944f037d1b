"""A look through the folders of a project: which file includes which, found by the text of the `#include` lines.

An editor opens one file; its kernels may be launched from any other that includes it.  The look is bounded, and files that
hold CUDA code go first, so that a large project costs no more than a second and is known in part.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from analysis_core.support.settings import Settings
from analysis_core.support.store import Store
from analysis_core.workspace.compile_commands import database_of
from analysis_core.workspace.disk import SUFFIXES, read_file
from analysis_core.workspace.include_roots import Includes
from analysis_core.workspace.left_out import Globs, LeftOut
from analysis_core.workspace.project import Folders, Scan
from analysis_core.workspace.settings_file import excluded_by, find_settings
from analysis_core.workspace.workspace import WorkspaceFiles, workspace_of

MOST_FILES = 2_000
MOST_BYTES = 20_000_000
MOST_FILE_BYTES = 2_000_000
"""A file over this size is a table or generated, and launches nothing."""

MOST_NAMES = 100_000
"""Names of files and folders that are looked at."""

OTHER_SUFFIXES = (".h", ".hpp", ".cpp", ".cc", ".inl")


def scan(
    folders: Folders,
    base: Settings,
    most_files: int = MOST_FILES,
    most_bytes: int = MOST_BYTES,
    store: Store | None = None,
) -> Scan:
    """Looks through the folders.  `base`: the settings where no settings file says otherwise."""
    store = store if store is not None else Store()
    names: dict[str, None] = {}
    include_paths: dict[str, None] = {}
    for folder in (*folders.deep, *folders.flat):
        found = find_settings(folder, base)
        include_paths.update(dict.fromkeys(found.settings.include_paths))
        database = database_of(found, folder, store)
        include_paths.update(dict.fromkeys(() if database is None else database.include_paths))
        for path in _files(folder, excluded_by(found), deep=folder in folders.deep):
            names[path] = None
            if len(names) >= MOST_NAMES:
                break
    chosen = sorted(names, key=lambda path: (not path.endswith(SUFFIXES), path))
    disk = WorkspaceFiles(part for top in (*folders.deep, *folders.flat) for part in (top, workspace_of(top)))
    places, left, includes = tuple(include_paths), most_bytes, dict[str, tuple[str, ...]]()
    included = Includes(store)
    missed = len(chosen[most_files:])
    for path in chosen[:most_files]:
        data = read_file(path, min(left, MOST_FILE_BYTES)) if disk.holds(path) else None
        if data is not None:
            left -= len(data)
            includes[path] = included.of(path, data, places)
        else:
            missed += left < MOST_FILE_BYTES
    return Scan(includes, places or tuple(included.roots), missed)


def _files(top: str, exclude: Globs, deep: bool) -> Iterator[str]:
    """Source files below a folder, or in it; not those that a search leaves out."""
    if not os.path.isdir(top):  # nor has a name that there can be
        return
    left_out = LeftOut(top, (exclude,))
    for folder, folders, files in os.walk(top):
        folders[:] = sorted(n for n in folders if not left_out.folder(os.path.join(folder, n))) if deep else []
        for name in sorted(files):
            path = os.path.join(folder, name)
            if name.endswith((*SUFFIXES, *OTHER_SUFFIXES)) and not left_out.file(path):
                yield path
