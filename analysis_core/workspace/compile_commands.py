"""Compilation databases: where a file's includes are looked for, and which macros it is compiled with.

`compile_commands.json` is what CMake, Meson, Bear and others write: a list of {"directory", "file", "command" or "arguments"}.  Of
an entry's options only those count that change what the file says: -I and its like, -D, -U, and the architecture.  The
nearest one upwards holds, also in a folder `build` on the way, as clangd looks for it; the setting `compile-commands` names
another, or none.

A file that has no entry, a header first of all, is read as the file nearest to it that has one.  Folders of the system and of the
toolkit are left out: what their headers say to a kernel is known already.
What cannot be read is left out too: a database is written by a tool, and another tool tells what is wrong with it.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import replace

from analysis_core.report.checks.bad_setting import bad_setting
from analysis_core.support.settings import Settings
from analysis_core.support.store import Stage, Store
from analysis_core.text.records import dataclass
from analysis_core.workspace.compiler_flags import Flags, made_of, options_of, response_text, split_words
from analysis_core.workspace.disk import SUFFIXES, read_file, real_path, upwards
from analysis_core.workspace.include_roots import include_roots
from analysis_core.workspace.makefiles import flags_around, run_in_folder
from analysis_core.workspace.settings_file import SettingsFile
from analysis_core.workspace.workspace import WorkspaceFiles, workspace_of

NAME = "compile_commands.json"
_BELOW = "build"

MOST_BYTES = 50_000_000


@dataclass(frozen=True, slots=True)
class Database:
    """The flags of files, by their absolute normalised paths, in the order of the database."""

    path: str
    entries: Mapping[str, Flags]

    def of(self, path: str) -> Flags:
        """The flags of a file: its own, else those of the file that shares most folders with it, one with CUDA code first."""
        path = os.path.abspath(path)
        own = self.entries.get(path) or self.entries.get(real_path(path))
        if own is not None or not self.entries:
            return own or Flags()
        parts = path.split(os.sep)
        return self.entries[max(self.entries, key=lambda other: _nearness(parts, other))]

    @property
    def include_paths(self) -> tuple[str, ...]:
        """Those of all files."""
        return tuple(dict.fromkeys(folder for flags in self.entries.values() for folder in flags.include_paths))


DATABASES: Stage[str, tuple[tuple[int, int], Database | None]] = Stage("compilation databases", 64)
"""By path, with the time of the last change and the size."""


def database_at(path: str, store: Store) -> Database | None:
    """The database at a path, or in the folder of this path; None if there is none that can be read."""
    try:
        state = os.stat(path)
        if stat.S_ISDIR(state.st_mode):
            path = os.path.join(path, NAME)
            state = os.stat(path)
        stamp = state.st_mtime_ns, state.st_size
        if not stat.S_ISREG(state.st_mode) or state.st_size > MOST_BYTES:
            return None  # A pipe of this name would be waited for.
        known = store.get(DATABASES, path, lambda known: known[0] == stamp)
        if known is None:
            known = stamp, read_database(path, read_file(path, MOST_BYTES) or b"")
            store.put(DATABASES, path, known)
    except (OSError, ValueError):  # ValueError: a NUL in the path
        return None
    return known[1]


def nearest_database(folder: str, store: Store) -> Database | None:
    """The first that can be read, upwards of a folder."""
    places = (place for above in upwards(folder) for place in (above, os.path.join(above, _BELOW)))
    read = (database_at(os.path.join(place, NAME), store) for place in places)
    return next((found for found in read if found is not None), None)


def database_of(found: SettingsFile, folder: str, store: Store) -> Database | None:
    """The database for files of the folder, in which these settings hold."""
    named = found.compile_commands
    if named is None:
        return nearest_database(folder, store)
    return None if named.path is None else database_at(named.path, store)


def checked(found: SettingsFile, store: Store) -> SettingsFile:
    """The settings, with a finding if they name a database that cannot be read."""
    named = found.compile_commands
    if named is None or named.path is None or named.span is None or database_at(named.path, store) is not None:
        return found
    trouble = bad_setting(named.span, f"no compilation database can be read from '{named.path}'")
    return replace(found, findings=(*found.findings, trouble))


def settings_of(
    path: str, found: SettingsFile, database: Database | None, store: Store, units: Sequence[str] = ()
) -> Settings:
    """The settings for a file, completed by what it is compiled with.  `units`: the files that it is read through.  Settings come first, and decide where both
    speak. Where neither says where includes are, a Makefile may, or they start from folders of the project that hold them.
    A Makefile may say in any case what the program is run with."""
    settings = found.settings
    if database is not None:
        flags = database.of(path)
        cc = None if "compute_capability" in found.keys else flags.compute_capability
        settings = replace(
            settings,
            include_paths=tuple(dict.fromkeys((*settings.include_paths, *flags.include_paths))),
            defines={**flags.defines, **settings.defines},
            compute_capability=cc or settings.compute_capability,
        )
    folder = os.path.dirname(path) or "."
    if "run_arguments" not in found.keys:
        settings = replace(settings, run_arguments=run_in_folder(folder, store))
    if settings.include_paths:
        return settings
    around, *others = (_roots(one, store) for one in (path, *units))
    built = Flags()
    if database is None:
        built = flags_around(folder, store)
    included = built.include_paths
    if not os.path.isabs(path):  # A file has one name, whichever way it is found.
        included = tuple(map(os.path.relpath, included))
    defines, of_units = {**built.defines, **settings.defines}, dict(zip(units, others, strict=True))
    return replace(settings, include_paths=included, defines=defines, include_roots=around, unit_roots=of_units)


def _roots(path: str, store: Store) -> tuple[str, ...]:
    """The folders that a file's includes start from, spelled as it is."""
    found = include_roots(path, store)
    return found if os.path.isabs(path) else tuple(map(os.path.relpath, found))


def read_database(path: str, data: bytes) -> Database | None:
    """The entries of a database that can be read; None where it is none."""
    try:
        listed = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(listed, list):
        return None
    top = os.path.dirname(os.path.abspath(path))
    workspace = WorkspaceFiles((top, workspace_of(top)))

    def response(name: str) -> str:
        return response_text(name) if workspace.holds(name) else ""

    entries: dict[str, Flags] = {}
    made: dict[tuple[str, tuple[tuple[str, str], ...]], Flags] = {}  # most files of a target are compiled alike
    for entry in listed:
        if not isinstance(entry, dict) or not isinstance(name := entry.get("file"), str):
            continue
        given = entry.get("directory", "")
        directory = os.path.join(top, given if isinstance(given, str) else "")
        name = os.path.normpath(os.path.join(directory, name))
        key = directory, options_of(_words(entry), directory, response)
        if key not in made:
            made[key] = made_of(key[1], directory)
        entries.setdefault(name, made[key])
    return Database(path, entries)


def _words(entry: Mapping[str, object]) -> list[str]:
    """The words of an entry's command."""
    arguments, command = entry.get("arguments"), entry.get("command")
    if isinstance(arguments, list):
        return [word for word in arguments if isinstance(word, str)]
    return split_words(command) if isinstance(command, str) else []


def _nearness(parts: Sequence[str], other: str) -> tuple[int, bool]:
    shared = 0
    for mine, theirs in zip(parts, other.split(os.sep), strict=False):
        if mine != theirs:
            break
        shared += 1
    return shared, other.endswith(SUFFIXES)
