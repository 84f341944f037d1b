"""What a search through folders leaves out: what `.gitignore` names, folders of builds and of packages, and repositories of others.

Rules are git's (gitignore(5)): of those from the top of the repository down to the file's folder the last one that matches decides, and
nothing below a folder that is left out counts.  Where no repository is around, the files from the folder that is searched downwards hold.  A folder that the user
names is searched, whatever rules above it say.
"""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis_core.text.records import dataclass
from analysis_core.workspace.disk import read_file

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

NAME = ".gitignore"
BUILT = frozenset({"build", "_build", "node_modules", "__pycache__", "CMakeFiles"})
"""Folders that tools make."""

_MOST_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Globs:
    """Globs of the user for a file's path from the folder `base` (without links), its path as spelled, its name, or any directory on the way."""

    base: str
    globs: tuple[str, ...]

    def mean(self, path: str) -> bool:
        """Whether some glob means this path or its last part."""
        if not self.globs:
            return False
        plain = path.replace(os.sep, "/").removeprefix("./")
        folder, name = os.path.split(os.path.abspath(path))
        below = os.path.relpath(os.path.join(os.path.realpath(folder), name), self.base).replace(os.sep, "/")
        return any(fnmatch.fnmatchcase(one, g.rstrip("/")) for g in self.globs for one in {plain, below, name})


Rules = tuple[tuple[str, "GitIgnoreSpec"], ...]
"""Folders with the rules that they add, outermost first."""


class LeftOut:
    """Decides which files and folders below `top` a search leaves out. Each is asked about after the folder that holds
    it."""

    def __init__(self, top: str, exclude: Sequence[Globs] = ()) -> None:
        self._top, self._exclude = os.path.abspath(top), tuple(exclude)
        self._rules: dict[str, Rules] = {self._top: _rules_at(self._top)}
        self.folders: list[str] = []  # of builds and of others, that were left out

    def file(self, path: str) -> bool:
        """Whether a file is left out."""
        return self._named(path) or self._ignored(path, "")

    def folder(self, path: str) -> bool:
        """Whether a folder is left out, with all that is below it."""
        name = os.path.basename(path)
        if name.startswith(".") or self._named(path) or self._ignored(path, "/"):
            return True
        if name in BUILT or name.startswith("cmake-build") or os.path.lexists(os.path.join(path, ".git")):
            self.folders.append(path)
            return True
        return False

    def _named(self, path: str) -> bool:
        return any(globs.mean(path) for globs in self._exclude)

    def _ignored(self, path: str, mark: str) -> bool:
        path = os.path.abspath(path)
        return _decided(self._rules_in(os.path.dirname(path)), path, mark)

    def _rules_in(self, folder: str) -> Rules:
        known = self._rules.get(folder)
        if known is None:
            known = self._rules[folder] = (*self._rules_in(os.path.dirname(folder)), *_own_rules(folder))
        return known


def _decided(rules: Rules, path: str, mark: str) -> bool:
    """What the last rule that matches says; `mark` stands behind folders."""
    for folder, spec in reversed(rules):
        found = spec.check_file(os.path.relpath(path, folder).replace(os.sep, "/") + mark).include
        if found is not None:
            return found
    return False


def _rules_at(top: str) -> Rules:
    """The rules that hold in the folder that is searched: those of its repository that do not leave itself out."""
    folders = [top]
    while not os.path.lexists(os.path.join(folders[-1], ".git")):
        above = os.path.dirname(folders[-1])
        if above == folders[-1]:
            folders = [top]  # no repository
            break
        folders.append(above)
    rules: Rules = ()
    for folder in reversed(folders):
        rules = (*rules, *_own_rules(folder))
    return tuple(rule for rule in rules if not _leaves_out(rule, top))


def _leaves_out(rule: tuple[str, GitIgnoreSpec], top: str) -> bool:
    folder, spec = rule
    return folder != top and bool(spec.check_file(os.path.relpath(top, folder).replace(os.sep, "/") + "/").include)


def _own_rules(folder: str) -> Rules:
    """The rules that one folder adds; lines that are no patterns are left out."""
    data = read_file(os.path.join(folder, NAME), _MOST_BYTES)
    if data is None:
        return ()
    from analysis_core.workspace.ignore_rules import rules_of

    return ((folder, rules_of(data.decode("utf-8", "replace").splitlines())),)
