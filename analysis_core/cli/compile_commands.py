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
import re
import shlex
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from analysis_core.cli.disk import SUFFIXES, upwards
from analysis_core.cli.project_folders import ProjectFolders
from analysis_core.cli.settings_file import SettingsFile
from analysis_core.cli.values import BadValue, cc_of, define_of
from analysis_core.report.checks.bad_setting import bad_setting
from analysis_core.support.settings import Settings

NAME = "compile_commands.json"
_BELOW = "build"

MOST_BYTES = 50_000_000
_MOST_RESPONSE = 1_000_000
_MOST_FOLDERS = 64
"""Of one file: each is asked for every header that is missing."""

_SYSTEM = ("/usr/include", "/usr/local/include", "/usr/lib", "/usr/lib64", "/usr/local/lib")
_TOOLKIT = "cuda_runtime.h"

_INCLUDES = ("--include-path", "--system-include", "-isystem", "-iquote", "-I")
_DEFINES = ("--define-macro", "-D")
_UNDEFINES = ("--undefine-macro", "-U")
_FILES = ("--options-file", "-optf")
_ARCHITECTURES = (
    "--gpu-architecture", "--generate-code", "--cuda-gpu-arch", "--offload-arch", "--gpu-code", "-gencode", "-arch", "-code"
)  # fmt: skip
_SHORT = ("-I", "-D", "-U")
_STARTS = ("@", *_SHORT, "-i", "-op", "-ar", "-co", "-ge", "--")
_ALL = (*_INCLUDES, *_DEFINES, *_UNDEFINES, *_FILES, *_ARCHITECTURES)
_DEEPEST = 3
"""Response files that name response files."""


@dataclass(frozen=True, slots=True)
class Flags:
    """What a file is compiled with.  `include_paths`: absolute; `compute_capability`: the greatest of its architectures."""

    include_paths: tuple[str, ...] = ()
    defines: Mapping[str, str] = field(default_factory=dict)
    compute_capability: str | None = None


@dataclass(frozen=True, slots=True)
class Database:
    """The flags of files, by their absolute normalised paths, in the order of the database."""

    path: str
    entries: Mapping[str, Flags]

    def of(self, path: str) -> Flags:
        """The flags of a file: its own, else those of the file that shares most folders with it, one with CUDA code first."""
        path = os.path.abspath(path)
        own = self.entries.get(path)
        if own is not None or not self.entries:
            return own or Flags()
        parts = path.split(os.sep)
        return self.entries[max(self.entries, key=lambda other: _nearness(parts, other))]

    @property
    def include_paths(self) -> tuple[str, ...]:
        """Those of all files."""
        return tuple(dict.fromkeys(folder for flags in self.entries.values() for folder in flags.include_paths))


class Databases:
    """Reads databases, each once for as long as the file stays the same.  `folders`: those of projects, likewise."""

    def __init__(self) -> None:
        self.folders = ProjectFolders()
        self._known: dict[str, tuple[tuple[int, int], Database | None]] = {}

    def read(self, path: str) -> Database | None:
        """The database at a path, or in the folder of this path; None if there is none that can be read."""
        try:
            state = os.stat(path)
            if stat.S_ISDIR(state.st_mode):
                path = os.path.join(path, NAME)
                state = os.stat(path)
            stamp = state.st_mtime_ns, state.st_size
            if not stat.S_ISREG(state.st_mode) or state.st_size > MOST_BYTES:
                return None  # A pipe of this name would be waited for.
            known = self._known.get(path)
            if known is None or known[0] != stamp:
                with open(path, "rb") as file:
                    known = self._known[path] = stamp, read_database(path, file.read(MOST_BYTES))
        except (OSError, ValueError):  # ValueError: a NUL in the path
            return None
        return known[1]

    def nearest(self, folder: str) -> Database | None:
        """The first that can be read, upwards of a folder."""
        places = (place for above in upwards(folder) for place in (above, os.path.join(above, _BELOW)))
        read = (self.read(os.path.join(place, NAME)) for place in places)
        return next((found for found in read if found is not None), None)


def database_of(found: SettingsFile, folder: str, databases: Databases) -> Database | None:
    """The database for files of the folder, in which these settings hold."""
    named = found.compile_commands
    if named is None:
        return databases.nearest(folder)
    return None if named.path is None else databases.read(named.path)


def checked(found: SettingsFile, databases: Databases) -> SettingsFile:
    """The settings, with a finding if they name a database that cannot be read."""
    named = found.compile_commands
    if named is None or named.path is None or named.span is None or databases.read(named.path) is not None:
        return found
    trouble = bad_setting(named.span, f"no compilation database can be read from '{named.path}'")
    return replace(found, findings=(*found.findings, trouble))


def settings_of(path: str, found: SettingsFile, database: Database | None, folders: ProjectFolders) -> Settings:
    """The settings with what the file is compiled with: settings come first, and say what counts where both speak.  Where neither says
    where includes are, they may be in any folder of the project."""
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
    if settings.include_paths:
        return settings
    around = folders.around(os.path.dirname(path) or ".")
    if not os.path.isabs(path):  # A file has one name, whichever way it is found.
        around = tuple(map(os.path.relpath, around))
    return replace(settings, project_folders=around)


def read_database(path: str, data: bytes) -> Database | None:
    """The entries of a database that can be read; None where it is none."""
    try:
        listed = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(listed, list):
        return None
    top = os.path.dirname(os.path.abspath(path))
    entries: dict[str, Flags] = {}
    made: dict[tuple[str, tuple[tuple[str, str], ...]], Flags] = {}  # most files of a target are compiled alike
    for entry in listed:
        if not isinstance(entry, dict) or not isinstance(name := entry.get("file"), str):
            continue
        given = entry.get("directory", "")
        directory = os.path.join(top, given if isinstance(given, str) else "")
        name = os.path.normpath(os.path.join(directory, name))
        key = directory, tuple(_options(_words(entry), directory, 0))
        if key not in made:
            made[key] = _flags(key[1], directory)
        entries.setdefault(name, made[key])
    return Database(path, entries)


def _words(entry: Mapping[str, object]) -> list[str]:
    """The words of an entry's command."""
    arguments, command = entry.get("arguments"), entry.get("command")
    if isinstance(arguments, list):
        return [word for word in arguments if isinstance(word, str)]
    return _split(command) if isinstance(command, str) else []


def _split(text: str) -> list[str]:
    if not any(mark in text for mark in "\"'\\"):
        return text.split()  # a thousand times as fast, and nearly all are like this
    try:
        return shlex.split(text, posix=os.sep == "/")
    except ValueError:  # a quote that is not closed
        return []


def _flags(options: Sequence[tuple[str, str]], directory: str) -> Flags:
    folders: dict[str, None] = {}
    defines: dict[str, str] = {}
    architectures: list[str] = []
    for option, value in options:
        if option in _INCLUDES:
            folders[os.path.normpath(os.path.join(directory, value))] = None
        elif option in _UNDEFINES:
            defines.pop(value, None)
        elif option in _ARCHITECTURES:
            architectures += re.findall(r"(?:sm|compute)_(\d{2,3})", value)
        else:
            try:
                name, text = define_of(value)
            except BadValue:  # a macro with parameters
                continue
            defines[name] = text
    kept = [folder for folder in folders if not _is_known(folder)]
    return Flags(tuple(kept[:_MOST_FOLDERS]), defines, _capability(architectures))


def _options(words: Sequence[str], directory: str, depth: int) -> Iterator[tuple[str, str]]:
    """(option, value) of all that count, response files read in their place."""
    rest = iter(words)
    for word in rest:
        if not word.startswith(_STARTS):
            continue
        option, value = word[:2], ""
        if option not in _SHORT:
            option = next((o for o in _ALL if _begins(word, o)), "")
        if option:
            value = next(rest, "") if word == option else word[len(option) :].removeprefix("=")
        elif word.startswith("@"):
            option, value = _FILES[0], word[1:]
        if option in _FILES:
            if depth < _DEEPEST:
                yield from _options(_response(os.path.join(directory, value)), directory, depth + 1)
        elif option and value:
            yield option, value


def _begins(word: str, option: str) -> bool:
    """Whether a word is the option, alone or with its value: of long ones after `=`, of one letter at once."""
    return word == option or word.startswith(option if len(option) == 2 or option[1] == "i" else f"{option}=")


def _response(path: str) -> list[str]:
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > _MOST_RESPONSE:
            return []
        with open(path, encoding="utf-8", errors="replace") as file:
            return _split(file.read())
    except (OSError, ValueError):
        return []


def _is_known(folder: str) -> bool:
    """Whether it belongs to the system or the toolkit."""
    system = any(folder == place or folder.startswith(f"{place}/") for place in _SYSTEM)
    return system or os.path.exists(os.path.join(folder, _TOOLKIT))


def _capability(architectures: Sequence[str]) -> str | None:
    for digits in sorted(set(architectures), key=int, reverse=True):
        try:
            return cc_of(f"{digits[:-1]}.{digits[-1]}")
        except BadValue:
            continue
    return None


def _nearness(parts: Sequence[str], other: str) -> tuple[int, bool]:
    shared = 0
    for mine, theirs in zip(parts, other.split(os.sep), strict=False):
        if mine != theirs:
            break
        shared += 1
    return shared, other.endswith(SUFFIXES)
