"""Knobs: the numbers of a text that say which block a kernel is launched with.

    #define TILE 16                                  TILE is a knob of both axes
    dim3 block(TILE, TILE);
    k<<<(n + 255) / 256, 256>>>(..)                  of these two only the second is one
    //@ launch block=(W, H) grid=(n/W, n/H)          so are the definitions of W and H

They are not read off the text, but tried: numbers on the way from the launch to its definitions that are as large as an extent of the block
are set to another value, and the launch is read once more.  A number is a knob if exactly the extents that were as large follow it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from analysis_core.ir.launch_site import is_assumed
from analysis_core.ir.nodes import Kernel
from analysis_core.machine.block_shape import MAXIMUM_THREADS, Shape, is_launchable
from analysis_core.pipeline.checked_fixes import Place
from analysis_core.pipeline.pipeline import load
from analysis_core.program.launch import Launch, choose_launches
from analysis_core.report.findings.model import Edit
from analysis_core.report.fixes.edits import applied, moved
from analysis_core.support.files import MemoryFiles
from analysis_core.syntax.lex.mentions import code_of
from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId, Span

MOST_TRIED = 24
"""Numbers that are tried: each costs the time of reading the file."""

_STEPS = 4
"""Definitions on the way from a launch to a number."""

_NUMBER = re.compile(rb"(?<![\w.])(\d+)[uUlL]*(?![\w.])")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_LAUNCH = re.compile(rb"//@[ \t]*launch\b[^\n]*")


@dataclass(frozen=True, slots=True)
class Knob:
    """`name`: what it is called in the text, "" for a bare number.  `span`: the number.  `axes`: those that follow it, 0 for x."""

    name: str
    span: Span
    value: int
    axes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Launched:
    """A kernel of a text with one of its launches."""

    kernel: Kernel
    launch: Launch


def launched(place: Place, text: bytes, name_span: Span, at: Span | None) -> Launched | None:
    """The kernel that stands there in this text, with the launch that is written at `at` (None: its first that the user wrote)."""
    files = MemoryFiles({place.path: text}, place.files)
    _, module = load(place.path, files, place.settings, units=place.units, store=place.store)
    for kernel in module.kernels:
        if kernel.name_span == name_span:
            for launch in choose_launches(kernel, place.settings):
                if launch.span == at if at is not None else launch.span is not None and not is_assumed(launch.source):
                    return Launched(kernel, launch)
    return None


def edited(text: bytes, edits: Sequence[Edit]) -> bytes:
    """The text after edits, which do not touch each other."""
    for edit in sorted(edits, key=lambda one: -one.span.start):
        text = applied(text, edit)
    return text


def moved_by(span: Span, edits: Sequence[Edit]) -> Span:
    """Where a place that no edit touches stands after all of them."""
    for edit in sorted(edits, key=lambda one: -one.span.start):
        if edit.span.start < span.end and span.start < edit.span.end:  # inside of it, as a number in a launch
            by = len(edit.text) - (edit.span.end - edit.span.start)
            span = replace(span, end=span.end + by)
        else:
            span = moved(span, edit)
    return span


def knobs_of(place: Place, text: bytes, found: Launched) -> tuple[Knob, ...]:
    """The knobs of a launch, in the order of the text.  Knobs of one axis that only move together are left out."""
    at = found.launch.span
    if at is None or at.file != place.path:
        return ()
    wanted = set(found.launch.block) - {1} or {1}
    knobs: list[Knob] = []
    for name, span in list(_candidates(text, at, wanted))[:MOST_TRIED]:
        value = int(text[span.start : span.end])
        axes = tuple(axis for axis, extent in enumerate(found.launch.block) if extent == value)
        if axes and (followed := _axes_that_follow(place, text, found, span, value)):
            knobs.append(Knob(name, span, value, followed))
    return tuple(knobs)


def _axes_that_follow(place: Place, text: bytes, found: Launched, span: Span, value: int) -> tuple[int, ...]:
    """The axes of the block that are as large as the number, for two other values of it; () if others change or these do not."""
    block = found.launch.block
    followed: set[tuple[int, ...]] = set()
    for other in _others(value):
        edits = (Edit(span, str(other)),)
        after = launched(place, edited(text, edits), *_there(found, edits))
        if after is None:
            return ()
        changed = tuple(axis for axis in range(3) if after.launch.block[axis] != block[axis])
        if not changed or any(after.launch.block[axis] != other or block[axis] != value for axis in changed):
            return ()
        followed.add(changed)
    return followed.pop() if len(followed) == 1 else ()


def _others(value: int) -> tuple[int, ...]:
    return (value // 2,) if value > 1 and value % 2 == 0 else (2,) if value == 1 else (value - 1,)


def _there(found: Launched, edits: Sequence[Edit]) -> tuple[Span, Span | None]:
    at = found.launch.span
    return moved_by(found.kernel.name_span, edits), None if at is None else moved_by(at, edits)


def turned(place: Place, text: bytes, found: Launched, edits: Sequence[Edit]) -> Launched | None:
    """The same launch in the text after these edits."""
    return launched(place, edited(text, edits), *_there(found, edits))


def _candidates(text: bytes, at: Span, values: set[int]) -> Iterator[tuple[str, Span]]:
    """Numbers on the way from a launch to definitions, with the names that they define, nearest first."""
    code = _LAUNCH.sub(lambda one: one[0], code_of(text))
    asked = [(b"", at.start, at.end)]
    texts = {(at.start, at.end): text[at.start : at.end]}
    seen: set[bytes] = set()
    told: set[int] = set()
    for _ in range(_STEPS):
        words: list[bytes] = []
        for name, start, end in asked:
            piece = texts.get((start, end), code[start:end])
            for number in _NUMBER.finditer(piece):
                where = start + number.start(1)
                if int(number[1]) in values and where not in told:
                    told.add(where)
                    yield name.decode(), Span(FileId(at.file), where, where + len(number[1]))
            words += [word for word in _WORD.findall(piece) if word not in seen]
        seen.update(words)
        asked = [one for word in dict.fromkeys(words) for one in _definitions(code, word)]


def _definitions(code: bytes, word: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Where a word may be given a value: `#define W ..` to the end of the line; `W = ..`, `W(..)`, `W{..}` to the end of the statement."""
    name = re.escape(word)
    for found in re.finditer(rb"\#[ \t]*define[ \t]+" + name + rb"[ \t]+([^\n]*)", code):
        yield word, found.start(1), found.end(1)
    for found in re.finditer(rb"\b" + name + rb"\s*(?:\.\s*[xyz]\s*)?(?:=(?!=)|\(|\{)([^;]*)", code):
        yield word, found.start(1), min(found.end(1), found.start(1) + 200)


def shapes_of(knobs: Sequence[Knob], block: Shape) -> Iterator[tuple[Shape, dict[Knob, int]]]:
    """The blocks to which knobs can be turned, the present one first: along one axis multiples of a warp, else powers of two, in which a
    warp has at least 8 lanes in a row."""
    yield block, {knob: knob.value for knob in knobs}
    for values in _values(knobs):
        shape = list(block)
        for knob, value in values.items():
            for axis in knob.axes:
                shape[axis] = value
        x, y, z = shape
        if (x, y, z) != block and is_launchable((x, y, z)) and x >= min(_ROW, block[0]):
            yield (x, y, z), values


_LINE = (32, 64, 96, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896, 1024)
_ROW = 8


def _values(knobs: Sequence[Knob]) -> Iterator[dict[Knob, int]]:
    if len(knobs) == 1:
        powers = tuple(1 << n for n in range(1, 11))
        for value in _LINE if len(knobs[0].axes) == 1 else powers:
            yield {knobs[0]: value}
    elif len(knobs) == 2:
        for threads in (64, 128, 256, 512, MAXIMUM_THREADS):
            for power in range(threads.bit_length()):
                yield {knobs[0]: 1 << power, knobs[1]: threads >> power}
