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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from analysis_core.advice.account import READING, Account
from analysis_core.advice.literals import Number, Path, decides, literals, with_numbers
from analysis_core.ir.launch_site import is_assumed
from analysis_core.ir.nodes import IrModule, Kernel
from analysis_core.machine.block_shape import MAXIMUM_THREADS, Shape, is_launchable
from analysis_core.pipeline.checked_fixes import Place
from analysis_core.pipeline.pipeline import load_through, log_bug, read
from analysis_core.program.launch import Launch, choose_launches
from analysis_core.program.lower import lower
from analysis_core.report.findings.model import Edit
from analysis_core.report.fixes.edits import applied, moved
from analysis_core.support.files import MemoryFiles
from analysis_core.syntax.lex.mentions import code_of
from analysis_core.syntax.read.tree import SyntaxTree
from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId, Span

_KEPT = 64
"""Texts whose kernels are kept: those of one launch."""

MOST_TRIED = 24
"""Numbers that are tried: each costs the time of reading the file."""

_STEPS = 4
"""Definitions on the way from a launch to a number."""

_LONGEST = 200

_NUMBER = re.compile(rb"(?<![\w.])(0[xX][0-9a-fA-F]{1,8}|0[0-7]{0,9}|[1-9]\d{0,8})[uUlL]*(?![\w.])")
_WORD = re.compile(rb"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Knob:
    """`name`: what it is called in the text, "" for a bare number.  `span`: the number.  `axes`: those that follow it, 0 for x.  `along`: other numbers
    that are set together with it, each with by how much it is more (companions.py)."""

    name: str
    span: Span
    value: int
    axes: tuple[int, ...]
    along: tuple[tuple[Span, int], ...] = ()

    def turned(self, value: int) -> tuple[Edit, ...]:
        """What sets it to another value."""
        return (Edit(self.span, str(value)), *(Edit(span, str(value + more)) for span, more in self.along))


def turned(values: Mapping[Knob, int]) -> tuple[Edit, ...]:
    """What sets knobs to values, without those that have them."""
    return tuple(edit for knob, value in values.items() if value != knob.value for edit in knob.turned(value))


@dataclass(frozen=True, slots=True)
class Launched:
    """A kernel of a text with one of its launches."""

    kernel: Kernel
    launch: Launch


class Variants:
    """A file before and after edits of its numbers; the last few texts are kept.  `account`: what that may take.

    A number of which it is known which literals it makes (literals.py) needs no reading: they are replaced in the tree, in which places are those of the
    text as it is."""

    def __init__(self, place: Place, text: bytes, account: Account | None = None) -> None:
        self.place, self.text, self.account = place, text, account or Account()
        self._trees: dict[str, SyntaxTree] = {}
        self._made: dict[tuple[str, Span], tuple[Path, ...]] = {}
        self._found: dict[tuple[tuple[Edit, ...], Span], Launched | None] = {}

    def kernels(self) -> tuple[Kernel, ...]:
        """Those of the text."""
        self.account.work -= READING * len(self.text)
        return self._lowered(self._tree)

    def launched(self, name_span: Span) -> Launched | None:
        """The kernel of that name, with its first launch that the user wrote."""
        return self._launched(self._lowered(self._tree, name_span), name_span, None)

    def turned(self, found: Launched, edits: tuple[Edit, ...]) -> Launched | None:
        """The same launch after edits, which do not touch each other; None if it is no longer there."""
        key = edits, found.kernel.name_span
        if key not in self._found:
            self._found[key] = self._turned(found, edits)
            while len(self._found) > _KEPT:
                del self._found[next(iter(self._found))]
        return self._found[key]

    def probed(self, found: Launched, number: Span, value: int) -> Launched | None:
        """The same launch with another value of a number, as `turned`; which literals the number makes is known from then on."""
        old = self.text[number.start : number.end].decode()
        new = str(value)
        if len(new) > len(old):
            return self.turned(found, (Edit(number, new),))
        others = self._reader((Edit(number, new.rjust(len(old))),))
        launch = self._launched(
            self._lowered(others, found.kernel.name_span), found.kernel.name_span, found.launch.span
        )
        before, after = Number(old, int_of(old)), Number(new, value)
        for unit in self._trees:
            places = literals(self._tree(unit), others(unit), before, after)
            if places is not None and self._is_plain(number, unit):
                self._made[unit, number] = places
        return launch

    def made_of(self, number: Span) -> bool:
        """Whether it is known which literals a number makes."""
        return all((unit, number) in self._made for unit in self._trees)

    def _is_plain(self, number: Span, unit: str) -> bool:
        """Whether no conditional of the preprocessor asks for the macro whose number it is."""
        line = self.text[self.text.rfind(b"\n", 0, number.start) + 1 : number.start]
        named = re.match(rb"[ \t]*\#[ \t]*define[ \t]+([A-Za-z_]\w*)", line)
        files = self.place.files
        texts = [files.read(path) or b"" for path in (unit, *self._tree(unit).dependencies)]
        stated = [f"#define {name} {text}".encode() for name, text in self.place.settings.defines.items()]
        return not decides(named[1], (self.text, *texts, *stated)) if named else b"#" not in line and b"\\" not in line

    def _turned(self, found: Launched, edits: tuple[Edit, ...]) -> Launched | None:
        at, name_span = found.launch.span, found.kernel.name_span
        if at is None:
            return None
        if all(self.made_of(edit.span) for edit in edits):
            self.account.work -= READING * len(self.text) // 2
            return self._launched(self._lowered(lambda unit: self._with(unit, edits), name_span), name_span, at)
        there = _behind(name_span, edits)
        return self._launched(self._lowered(self._reader(edits), there), there, _behind(at, edits))

    def _with(self, unit: str, edits: tuple[Edit, ...]) -> SyntaxTree:
        numbers = {path: Number(edit.text, int_of(edit.text)) for edit in edits for path in self._made[unit, edit.span]}
        tree: SyntaxTree = with_numbers(self._tree(unit), numbers)
        return tree

    def _tree(self, unit: str) -> SyntaxTree:
        if unit not in self._trees:
            place = self.place
            files = MemoryFiles({place.path: self.text}, place.files)
            self._trees[unit] = read(unit, files, place.settings, store=place.store)
        return self._trees[unit]

    def _reader(self, edits: tuple[Edit, ...]) -> Callable[[str], SyntaxTree]:
        """Reads units with the text after edits, each once."""
        text, place = self.text, self.place
        self.account.work -= READING * len(text)
        for edit in _from_behind(edits):
            text = applied(text, edit)
        files = MemoryFiles({place.path: text}, place.files)
        return cache(lambda unit: read(unit, files, place.settings, store=place.store))

    def _lowered(self, tree: Callable[[str], SyntaxTree], name_span: Span | None = None) -> tuple[Kernel, ...]:
        """The kernels of the file, or those with a name at that place alone."""
        place = self.place

        def lowered(one: SyntaxTree) -> IrModule:
            wanted = None if name_span is None else lambda declaration: declaration.name_span == name_span
            return lower(one, place.settings, log_bug, wanted)

        found = load_through(place.path, place.units, tree, lowered)
        return (lowered(tree(place.path)) if found is None else found[1]).kernels

    def _launched(self, kernels: tuple[Kernel, ...], name_span: Span, at: Span | None) -> Launched | None:
        for kernel in kernels:
            if kernel.name_span == name_span:
                for launch in choose_launches(kernel, self.place.settings):
                    written = launch.span is not None and not is_assumed(launch.source)
                    if launch.span == at if at is not None else written:
                        return Launched(kernel, launch)
        return None


def _from_behind(edits: Sequence[Edit]) -> list[Edit]:
    return sorted(edits, key=lambda one: -one.span.start)


def _behind(span: Span, edits: Sequence[Edit]) -> Span:
    """Where a place stands after edits, which lie inside of it or do not touch it."""
    for edit in _from_behind(edits):
        if span.encloses(edit.span):
            span = replace(span, end=span.end + len(edit.text) - (edit.span.end - edit.span.start))
        else:
            span = moved(span, edit)
    return span


def knobs_of(variants: Variants, found: Launched) -> tuple[Knob, ...]:
    """The knobs of a launch, those nearest to it first."""
    at, text = found.launch.span, variants.text
    if at is None or at.file != variants.place.path:
        return ()
    wanted = set(found.launch.block) - {1} or {1}
    knobs: list[Knob] = []
    for name, span in list(candidates(text, at, wanted))[:MOST_TRIED]:
        if variants.account.is_spent():
            break
        value = int_of(text[span.start : span.end].decode())
        axes = tuple(axis for axis, extent in enumerate(found.launch.block) if extent == value)
        if axes and (followed := _axes_that_follow(variants, found, span, value)):
            knobs.append(Knob(name, span, value, followed))
    return tuple(knobs)


def _axes_that_follow(variants: Variants, found: Launched, span: Span, value: int) -> tuple[int, ...]:
    """The axes of the block that are another value when the number is; () if another axis changes, or none."""
    block, other = found.launch.block, _other(value)
    after = variants.probed(found, span, other)
    if after is None:
        return ()
    changed = tuple(axis for axis in range(3) if after.launch.block[axis] != block[axis])
    return changed if all(after.launch.block[axis] == other and block[axis] == value for axis in changed) else ()


def int_of(text: str) -> int:
    """The value of a number as C spells it, without a suffix."""
    return int(text, 16 if text[:2] in ("0x", "0X") else 8 if text[:1] == "0" else 10)


def _other(value: int) -> int:
    return value // 2 if value > 1 and value % 2 == 0 else 2 if value == 1 else value - 1


def candidates(text: bytes, at: Span, values: set[int]) -> Iterator[tuple[str, Span]]:
    """Numbers on the way from a launch to definitions, with the names that they define, nearest first."""
    code = code_of(text)
    asked = [(b"", at.start, text[at.start : at.end])]  # which may be a comment
    seen: set[bytes] = set()
    told: set[int] = set()
    for _ in range(_STEPS):
        words: list[bytes] = []
        for name, start, piece in asked:
            for number in _NUMBER.finditer(piece):
                where = start + number.start(1)
                if int_of(number[1].decode()) in values and where not in told:
                    told.add(where)
                    yield name.decode(), Span(FileId(at.file), where, where + len(number[1]))
            words += [word for word in _WORD.findall(piece) if word not in seen]
        seen.update(words)
        asked = [one for word in dict.fromkeys(words) for one in _definitions(code, word)]


def _definitions(code: bytes, word: bytes) -> Iterator[tuple[bytes, int, bytes]]:
    """Where a word may be given a value, and by what: `#define W ..` to the end of the line; `W = ..`, `W(..)`, `W{..}` to the end of the
    statement, or `_LONGEST` bytes of it."""
    name = re.escape(word)
    for found in re.finditer(rb"\#[ \t]*define[ \t]+" + name + rb"[ \t]+((?:\\\r?\n|[^\n])*)", code):
        yield word, found.start(1), found[1]
    for found in re.finditer(rb"\b" + name + rb"\s*(?:\.\s*[xyz]\s*)?(?:=(?!=)|\(|\{)([^;]*)", code):
        yield word, found.start(1), found[1][:_LONGEST]


def shapes_of(knobs: Sequence[Knob], block: Shape) -> Iterator[tuple[Shape, dict[Knob, int]]]:
    """The blocks to which knobs can be turned, the present one first: along one axis multiples of a warp, else powers of two, in which a
    warp has at least 8 lanes in a row; of three numbers and more the present one alone."""
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
