"""The text of a Makefile as it stands when make has put in what it includes and what its variables hold.

    UTILS := ../../utilities          a variable with one value is put in where it is asked for: -I$(UTILS) is -I../../utilities
    include $(UTILS)/common.mk        a file that is there stands in its place, three levels deep
    N ?= 64                           a default holds until something else is assigned
    ifdef BIG .. N = 4096 .. endif    a variable of which a conditional decides has no value that anybody knows
    FLAGS += -DX                      what is added is behind what was there

Nothing is run: functions (`$(shell ..)`), patterns and automatic variables stay as they are, and so does every variable without one
value.  Tested by `tests/cli/test_makefiles.py`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping

from analysis_core.text.records import dataclass

_BEGINS = re.compile(r"\s*(ifeq|ifneq|ifdef|ifndef|define)\b")
_ENDS = re.compile(r"\s*(endif|endef)\b")
ASSIGNMENT = re.compile(r"\s*(?:export\s+|override\s+)?(?P<name>[\w.-]+)\s*(?P<how>[:+?]|::)?=(?P<value>.*)")
"""One to a variable, in a line that is no recipe's."""

_INCLUDE = re.compile(r" *(?:-include|sinclude|include)\s+(?P<names>.+)")
_ASKED = re.compile(r"(?<!\$)\$(?:\((?P<round>[\w.-]+)\)|\{(?P<curly>[\w.-]+)\})")

_DEEPEST = 3
"""Files that include files."""

_MOST_FILES = 16
_NESTED = 8
"""Variables that hold variables."""

_LONGEST = 20_000
"""Characters of a line, with all that is put in."""

_MOST_TEXT = 2_000_000
"""Characters of all lines."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line, continued ones as one, without its comment.  `sure`: no conditional decides whether it counts."""

    text: str
    sure: bool


def sure_lines(text: str, directory: str, read: Callable[[str], str]) -> tuple[str, ...]:
    """The lines that hold in any case, with what is included and what variables hold.  `read` gives the text of a file, "" where there is none."""
    known: dict[str, str | None] = {"CURDIR": directory}
    lines = tuple(_included(text, directory, read, known, [_MOST_FILES], 0))
    left, found = _MOST_TEXT, list[str]()
    for line in lines:
        if line.sure and left > 0:
            found.append(put_in(line.text, known))
            left -= len(found[-1])
    return tuple(found)


def put_in(text: str, known: Mapping[str, str | None]) -> str:
    """The text in which variables with exactly one value are replaced by it."""

    def value(found: re.Match[str]) -> str:
        held = known.get(found["round"] or found["curly"])
        return found[0] if held is None else held

    for _ in range(_NESTED):
        grown = sum(len(value(found)) - len(found[0]) for found in _ASKED.finditer(text))
        if len(text) + grown > _LONGEST or (further := _ASKED.sub(value, text)) == text:
            break
        text = further
    return text


def _included(
    text: str, directory: str, read: Callable[[str], str], known: dict[str, str | None], left: list[int], depth: int
) -> Iterator[Line]:
    """All lines in order; `known` learns what is assigned, `left` counts the files that may still be read."""
    for line in _lines(text):
        recipe = line.text.startswith("\t")
        include = None if recipe or not line.sure or depth == _DEEPEST else _INCLUDE.fullmatch(line.text)
        if include is None:
            if not recipe and (made := ASSIGNMENT.match(line.text)) is not None:
                _assign(known, made["name"], made["how"], made["value"].strip(), line.sure)
            yield line
            continue
        for name in put_in(include["names"], known).split():
            if left[0] > 0 and "$" not in name:
                left[0] -= 1
                path = os.path.normpath(os.path.join(directory, name))
                yield from _included(read(path), directory, read, known, left, depth + 1)


def _assign(known: dict[str, str | None], name: str, how: str | None, value: str, sure: bool) -> None:
    """What a variable holds after one more assignment; None where that is not one value."""
    if name not in known or (how == "+" and known[name] == ""):
        known[name] = value if sure else None
    elif how == "?":
        pass
    elif how == "+" and sure and (held := known[name]) is not None and len(held) + len(value) < _LONGEST:
        known[name] = f"{held} {value}"
    elif not sure or known[name] != value:
        known[name] = None


def _lines(text: str) -> Iterator[Line]:
    """Those that conditionals decide about, too; not those that begin and end these."""
    depth = 0
    for line in re.sub(r"\\\r?\n", " ", text).splitlines():
        if _BEGINS.match(line):
            depth += 1
        elif _ENDS.match(line):
            depth = max(0, depth - 1)
        else:
            yield Line(line.partition("#")[0], depth == 0)
