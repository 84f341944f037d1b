"""What a Makefile beside a file says of how it is compiled, where no compilation database does, and of what the program is run with.

    CFLAGS := -O3 -DWARP_SIZE=32 -I../common            this holds
    ifeq ($(DEBUG),yes) .. CFLAGS += -DDEBUG            this may, and does not count
    OPTIONS = -I$(TOP)/include -DN=$(N)                 so do variables that have one value (workspace/make_variables), and no others
    run: $(program)
            $(LAUNCHER) ./$(program) 8192 -r 10         the words 8192, -r and 10, for sizes

Nothing is run: only words that stand there as they are given to the compiler count, in the file or in what it includes.  A macro that is given two
values is left out, and so is one that a recipe alone gives: which file it is for, recipes say by patterns.  The nearest Makefile upwards
holds.  Of several runs of one program the first counts: each is one that it is made for, and what all of them agree on need not be one.  Where
several programs are run, nobody knows which of them a file belongs to.  Tested by `tests/cli/test_makefiles.py`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from itertools import islice

from analysis_core.support.store import Stage, Store
from analysis_core.text.records import dataclass
from analysis_core.workspace.compiler_flags import Flags, flags_of, split_words
from analysis_core.workspace.disk import read_file, upwards
from analysis_core.workspace.make_variables import ASSIGNMENT, sure_lines
from analysis_core.workspace.workspace import WorkspaceFiles, workspace_of

_NAMES = ("GNUmakefile", "makefile", "Makefile")
"""In the order in which make looks for them."""

_LEVELS_UP = 4
_MOST_BYTES = 200_000

_FLAG = re.compile(r"(?<!\S)-(?:I\s*|D)[^\s$\"'`\\()]+(?=\s|$)")

_TARGET = re.compile(r"(run|test)\s*::?(?!=)")
_PROGRAM = "./"
"""What a word begins with that names the program."""

_CUT = re.compile(r"[0-9&]?[<>]|\||&&|;")
"""What ends the words that a program is given."""

_Stamp = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class _Made:
    """`run`: the words that the program is run with."""

    flags: Flags = field(default_factory=Flags)
    run: tuple[str, ...] | None = None


_Read = tuple[tuple[_Stamp | str, ...], _Made]
"""The marks of all files that it rests on, and what a Makefile says."""

MAKEFILES: Stage[str, _Read] = Stage("makefiles", 512)
"""By folder, as long as the Makefile and what it includes stay the same."""


def flags_around(folder: str, store: Store) -> Flags:
    """The flags of files in the folder, as its Makefile says."""
    return _nearest(folder, store).flags


def run_in_folder(folder: str, store: Store) -> tuple[str, ...] | None:
    """The words that the program of the folder is run with; None where that is not said."""
    return _nearest(folder, store).run


def _nearest(folder: str, store: Store) -> _Made:
    for above in islice(upwards(os.path.abspath(folder)), _LEVELS_UP):
        found = next((s for name in _NAMES if (s := _stamp(os.path.join(above, name))) is not None), None)
        if found is not None:
            return _read_once(found, above, store)
    return _Made()


def _read_once(makefile: _Stamp, folder: str, store: Store) -> _Made:
    def holds(known: _Read) -> bool:
        return known[0][0] == makefile and all(_mark(_path(mark)) == mark for mark in known[0])

    known = store.get(MAKEFILES, folder, holds)
    if known is None:
        known = _read(makefile[0], folder)
        store.put(MAKEFILES, folder, known)
    return known[1]


def _read(path: str, directory: str) -> _Read:
    """What a Makefile says, and the marks of all files that this rests on."""
    marks = [_mark(path)]

    workspace = WorkspaceFiles([workspace_of(directory)])

    def included(other: str) -> str:
        if not workspace.holds(other):
            return ""
        marks.append(_mark(other))
        return _text(other) if isinstance(marks[-1], tuple) else ""

    lines = sure_lines(_text(path) if workspace.holds(path) else "", directory, included)
    flags = flags_in(lines, directory)
    flags = replace(flags, include_paths=tuple(filter(workspace.holds, flags.include_paths)))
    return tuple(marks), _Made(flags, run_in(lines))


def read_makefile(text: str, directory: str) -> Flags:
    """The folders and macros that are given in any case."""
    return flags_in(sure_lines(text, directory, lambda _: ""), directory)


def read_run(text: str) -> tuple[str, ...] | None:
    """The words that the target `run` starts the program with, else the target `test`; None where these are not all there in the text, or several
    programs are started."""
    return run_in(sure_lines(text, "", lambda _: ""))


def flags_in(lines: Sequence[str], directory: str) -> Flags:
    """As `read_makefile`, of lines that hold in any case."""
    folders: dict[str, None] = {}
    macros: dict[str, set[str]] = {}
    for line in lines:
        for flag in _FLAG.findall(line):
            if flag.startswith("-I"):
                folders[flag] = None
            elif ASSIGNMENT.match(line) and not line.startswith("\t"):
                macros.setdefault(flag[2:].partition("=")[0], set()).add(flag)
    sure = [flag for given in macros.values() if len(given) == 1 for flag in given]
    words = [word for flag in folders for word in ("-I", flag[2:].lstrip())]
    return flags_of([*words, *sure], directory)


def run_in(lines: Sequence[str]) -> tuple[str, ...] | None:
    """As `read_run`, of lines that hold in any case."""
    recipes: dict[str, list[str]] = {}
    own: list[str] | None = None
    for line in lines:
        if line.startswith("\t"):
            if own is not None:
                own.append(line)
        elif line.strip():
            target = _TARGET.match(line)
            own = None if target is None else recipes.setdefault(target[1], [])
    runs = [run for line in recipes.get("run", recipes.get("test", [])) for run in _runs(line)]
    if not runs or any(program != runs[0][0] for program, _ in runs) or any("$" in w or "`" in w for w in runs[0][1]):
        return None
    return runs[0][1]


def _runs(line: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The program that a line of a recipe starts, if it does, and what it is given."""
    words = split_words(line)
    first = next((n for n, word in enumerate(words) if word.lstrip("@-+").startswith(_PROGRAM)), None)
    if first is not None:
        end = next((n for n in range(first + 1, len(words)) if _CUT.match(words[n])), len(words))
        yield words[first].lstrip("@-+"), tuple(words[first + 1 : end])


def _mark(path: str) -> _Stamp | str:
    """What changes with a file; its path where there is none."""
    return _stamp(path) or path


def _path(mark: _Stamp | str) -> str:
    return mark if isinstance(mark, str) else mark[0]


def _stamp(path: str) -> _Stamp | None:
    """What changes with a file; None where there is none that can be read at once."""
    try:
        state = os.stat(path)
    except (OSError, ValueError):
        return None
    return (path, state.st_mtime_ns, state.st_size) if os.path.isfile(path) and state.st_size <= _MOST_BYTES else None


def _text(path: str) -> str:
    return (read_file(path, _MOST_BYTES) or b"").decode("utf-8", "replace")
