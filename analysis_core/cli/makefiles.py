"""What a Makefile beside a file says of how it is compiled, where no compilation database does.

    CFLAGS := -O3 -DWARP_SIZE=32 -I../common            this holds
    ifeq ($(DEBUG),yes) .. CFLAGS += -DDEBUG            this may, and does not count
    OPTIONS = -I$(TOP)/include -DN=$(N)                 nor does what other variables decide

Nothing is run and nothing is substituted: only words that stand there as they are given to the compiler count.  A macro that is given two
values is left out, and so is one that a recipe alone gives: which file it is for, recipes say by patterns.  The nearest Makefile upwards
holds.  Tested by `tests/cli/test_makefiles.py`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice

from analysis_core.cli.compiler_flags import Flags, flags_of
from analysis_core.cli.disk import upwards

_NAMES = ("GNUmakefile", "makefile", "Makefile")
"""In the order in which make looks for them."""

_LEVELS_UP = 4
_MOST_BYTES = 200_000

_BEGINS = re.compile(r"\s*(ifeq|ifneq|ifdef|ifndef|define)\b")
_ENDS = re.compile(r"\s*(endif|endef)\b")
_ASSIGNMENT = re.compile(r"\s*(?:export\s+|override\s+)?[\w.-]+\s*(?:[:+?]|::)?=")
_FLAG = re.compile(r"(?<!\S)-(?:I\s*|D)[^\s$\"'`\\()]+(?=\s|$)")

_Stamp = tuple[str, int, int]


class Makefiles:
    """Reads Makefiles, each once for as long as it stays the same."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[_Stamp, Flags]] = {}

    def around(self, folder: str) -> Flags:
        """The flags of files in the folder."""
        for above in islice(upwards(os.path.abspath(folder)), _LEVELS_UP):
            found = next((s for name in _NAMES if (s := _stamp(os.path.join(above, name))) is not None), None)
            if found is not None:
                known = self._known.get(above)
                if known is None or known[0] != found:
                    known = self._known[above] = found, read_makefile(_text(found[0]), above)
                return known[1]
        return Flags()


def read_makefile(text: str, directory: str) -> Flags:
    """The folders and macros that are given in any case."""
    folders: dict[str, None] = {}
    macros: dict[str, set[str]] = {}
    for line in _lines(text):
        for flag in _FLAG.findall(line):
            if flag.startswith("-I"):
                folders[flag] = None
            elif _ASSIGNMENT.match(line) and not line.startswith("\t"):
                macros.setdefault(flag[2:].partition("=")[0], set()).add(flag)
    sure = [flag for given in macros.values() if len(given) == 1 for flag in given]
    words = [word for flag in folders for word in ("-I", flag[2:].lstrip())]
    return flags_of([*words, *sure], directory)


def _lines(text: str) -> Iterator[str]:
    """The lines that hold whatever variables are, continued ones as one."""
    depth = 0
    for line in re.sub(r"\\\r?\n", " ", text).splitlines():
        if _BEGINS.match(line):
            depth += 1
        elif _ENDS.match(line):
            depth = max(0, depth - 1)
        elif depth == 0:
            yield line.partition("#")[0]


def _stamp(path: str) -> _Stamp | None:
    """What changes with a file; None where there is none that can be read at once."""
    try:
        state = os.stat(path)
    except (OSError, ValueError):
        return None
    return (path, state.st_mtime_ns, state.st_size) if os.path.isfile(path) and state.st_size <= _MOST_BYTES else None


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(_MOST_BYTES)
    except OSError:
        return ""
