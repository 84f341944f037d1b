"""The workspace of a file: below which folders the analysis reads for it.

    #include "/etc/hostname"        what the text of a stranger asks for, and not what the user's project holds
    #include "../common/grid.h"     a part of the project

A file's workspace is its repository; without one, the outermost of the next folders upwards that is built (a Makefile and the like), at
least the folder above the file's.  Where a command is started says nothing of that.  A home folder, one of all users, and the root of the disk
are nobody's workspace.  Beside it, folders are read that the settings, the command line and the compilation database name for includes, and in an
editor those that are open.
Links count as what they lead to.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from analysis_core.workspace.disk import DiskFiles, real_path, upwards

_LEVELS_UP = 4

_MARKS = frozenset(
    {"Makefile", "makefile", "GNUmakefile", "CMakeLists.txt", "meson.build", "BUILD", "BUILD.bazel", ".git", "setup.py",
     "pyproject.toml", "warpcost.toml"}
)  # fmt: skip
"""What a folder holds that is built by itself."""


def workspace_of(folder: str) -> str:
    """The folder, without links, that the project of files in `folder` lies in."""
    above = list(upwards(folder))
    repository = repository_of(folder)
    built = [n for n, top in enumerate(above[:_LEVELS_UP]) if _is_built(top)]
    around = (above[n] for n in range(max([1, *built]), -1, -1) if n < len(above))
    candidates = around if repository is None else [repository]
    return next((top for top in candidates if not _is_shared(top)), above[0])


def repository_of(folder: str) -> str | None:
    """The top of the repository that a folder lies in, without links."""
    return next((top for top in upwards(folder) if _is_repository(top)), None)


def within_reach(folders: Iterable[str]) -> tuple[str, ...]:
    """Those of the folders that are open side by side which one project may span."""
    real = dict.fromkeys(real_path(folder) for folder in folders if os.path.isabs(folder))
    return tuple(folder for folder in real if not _is_shared(folder))


def _is_built(folder: str) -> bool:
    """Whether a folder is built by itself: it holds a Makefile or the like."""
    try:
        return not _MARKS.isdisjoint(os.listdir(folder))
    except (OSError, ValueError):
        return False


def _is_repository(folder: str) -> bool:
    """Whether a project's repository is there; one of a whole home keeps the settings of its user."""
    return os.path.lexists(os.path.join(folder, ".git")) and not _is_shared(folder)


def _is_shared(folder: str) -> bool:
    """Whether a folder holds more than one project: a home, all homes, temporary files, the root."""
    home = os.path.realpath(os.path.expanduser("~"))
    return folder == os.path.dirname(folder) or is_below(home, folder) or folder in _temporary_folders()


def _temporary_folders() -> frozenset[str]:
    """As `tempfile` has them, which writes a file to find out, into the working folder if nothing else helps."""
    named = (os.environ.get(name) for name in ("TMPDIR", "TEMP", "TMP"))
    return frozenset(os.path.realpath(folder) for folder in (*named, "/tmp", "/var/tmp", "/usr/tmp") if folder)


def is_below(path: str, folder: str) -> bool:
    """Whether a path without links is a folder, or lies in it."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


class WorkspaceFiles(DiskFiles):
    """The disk below some folders; files elsewhere count as absent. `include_paths`: further folders whose files are
    read, but shown only where they lie in one of the former."""

    def __init__(self, folders: Iterable[str], include_paths: Iterable[str] = ()) -> None:
        self._own = tuple(dict.fromkeys(real_path(folder) for folder in folders))
        self._folders = (*self._own, *dict.fromkeys(real_path(folder) for folder in include_paths))
        self._real: dict[str, str] = {}  # of folders, asked for once

    def read(self, path: str) -> bytes | None:
        return super().read(path) if self.holds(path) else None

    def beside(self, path: str) -> tuple[str, ...]:
        return super().beside(path) if self.holds(path) else ()

    def refuses(self, path: str) -> bool:
        return not self.holds(path)

    def is_shown(self, path: str) -> bool:
        return self._leads_into(self._own, path)

    def holds(self, path: str) -> bool:
        """Whether a path leads into one of the folders."""
        return self._leads_into(self._folders, path)

    def _leads_into(self, folders: Sequence[str], path: str) -> bool:
        try:
            real = self._without_links(path)
        except (OSError, ValueError):  # ValueError: a NUL byte in a name that an #include made up
            return False
        return any(is_below(real, folder) for folder in folders)

    def _without_links(self, path: str) -> str:
        if os.path.islink(path):
            return os.path.realpath(path)
        folder, name = os.path.split(path)
        known = self._real.get(folder)
        if known is None:
            known = self._real[folder] = os.path.realpath(folder)
        return os.path.join(known, name)
