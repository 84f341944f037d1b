"""A long kernel's text with room at the ends of its lines, so that an edit moves next to nothing.

Every place in the tree, the IR and the events of a kernel is a byte of its file.  If one line grows by a byte, all places behind it
are others, and nothing behind it is what it was, though it means the same.  So a file with a long kernel is analysed *laid
out*: with blanks at the ends of the kernel's lines, of which an edit takes as many as it needs.  Blanks there are nothing
to the language, and lines and columns stay; what comes out is put back to the places of the real text (`Layout.back`).

Blanks stand only behind a line's last `;`, `{` or `}` (or where one was, while the line is typed) and before its end, or before a
remark that was put there: never in a comment, a directive or a line that goes on.  Nor do they stand where there is no white space
in the real text, as where a line was joined to the next: lines are quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from analysis_core.incremental.places import Shift
from analysis_core.support.derived import derived
from analysis_core.support.store import Stage, Store
from analysis_core.text.change import Change, change_between
from analysis_core.text.records import dataclass
from analysis_core.text.source import SourceText
from analysis_core.text.span import FileId

LONG = 20
"""Lines from which on a kernel is laid out: shorter ones are done before there is anything to take over."""

ROOM = 32
"""Blanks at the end of a line, at first."""

_KEPT = 12
"""Texts whose layouts are known: that of now, the last good one, those that an undo may bring back."""

_LINE_END = re.compile(rb"[;{}][ \t]*(?=\r?\n)")
_INSIDE = (b"/*@", b'R"')
"""Where lines may lie in something whose white space counts: no such text is laid out."""

_APART = re.compile(rb"""//|/\*|\*/|[#@\\"']|\?\?""")
"""What makes a line one that is left alone: comments, directives, annotations, literals that may lack an end, what may go on in
the next line."""


@dataclass(frozen=True, slots=True)
class Room:
    """Blanks that are put into a text: `width` of them before byte `at`, at the end of a line."""

    at: int
    width: int


@dataclass(frozen=True)
class Layout:
    """A text with room for edits: blanks at the ends of its lines, in order."""

    path: FileId
    text: bytes
    rooms: tuple[Room, ...]

    @derived
    def padded(self) -> bytes:
        """The text with its blanks put in."""
        pieces: list[bytes] = []
        at = 0
        for room in self.rooms:
            pieces += self.text[at : room.at], b" " * room.width
            at = room.at
        return b"".join((*pieces, self.text[at:]))

    @derived
    def back(self) -> Shift:
        """How places in the padded text are moved to those in the real text."""
        before = np.cumsum([0, *(room.width for room in self.rooms)])
        ends = np.array([*(room.at for room in self.rooms), len(self.text) + 1]) + before
        return Shift({self.path: (ends, -before)}, True)

    def after(self, change: Change, text: bytes) -> Layout:
        """The layout of the text after a change, in which as much as possible stays where it was."""
        change = _before_the_line(self.rooms, self.text, text, change)
        end, before = change.old_end, change.start + (change.old_end > change.start)
        kept = [room for room in self.rooms if room.at < before]
        behind = [room for room in self.rooms if room.at >= max(before, end)]
        need = change.delta - sum(room.width for room in self.rooms if before <= room.at < end)
        if behind and not _may_keep_room(text, behind[0].at + change.delta):
            room = behind.pop(0)
            if room.at == change.start and _may_have_room(text, room.at):
                kept.append(room)  # A remark was put there, and stands behind the blanks now.
            else:
                need -= room.width
        if kept and b"\n" not in text[kept[-1].at : change.start]:
            kept[-1], need = _narrower(kept[-1], need, 0)
        for room in behind:
            narrower, need = _narrower(room, need, change.delta)
            kept.append(narrower)
        return Layout(self.path, text, tuple(room for room in kept if _is_nothing(text, room.at)))


def _is_nothing(text: bytes, at: int) -> bool:
    """Whether a reader of the line does not see blanks there: it ends there, or has some already.  Lines are quoted with their white
    space collapsed."""
    return not text[at : at + 1].strip() or not text[at - 1 : at].strip()


def _narrower(room: Room, need: int, moved: int) -> tuple[Room, int]:
    """The room, so many bytes further on, with less blanks if some are needed, and what is needed then."""
    width = max(0, room.width - need)
    return Room(room.at + moved, width), need - room.width + width


def _before_the_line(rooms: Sequence[Room], old: bytes, new: bytes, change: Change) -> Change:
    """Where lines came or went, it may as well have been from the end of the line before on, where there is room: then what is in the
    next line stays."""
    at = next((room.at for room in reversed(rooms) if room.at < change.start), change.start)
    by = change.start - at
    more, whole = (new, change.new_end) if change.delta > 0 else (old, change.old_end)
    if min(change.old_end, change.new_end) > change.start or old[at : change.start] != more[whole - by : whole]:
        return change
    return Change(at, change.old_end - by, change.new_end - by)


def fresh(path: str, text: bytes, long: int) -> Layout | None:
    """The first layout of a text; None if no kernel in it is long."""
    rooms = [room for start, end in _long_kernels(text, long) for room in _rooms(text, start, end)]
    if not rooms or SourceText.from_bytes(FileId(path), text).data != text:
        return None
    return Layout(FileId(path), text, tuple(rooms))


def _long_kernels(text: bytes, long: int) -> Iterator[tuple[int, int]]:
    """From a kernel's word to the next brace at the beginning of a line: a guess, and no more has to be right about it."""
    at = 0
    while (start := text.find(b"__global__", at)) >= 0:
        end = text.find(b"\n}", start)
        at = end if end >= 0 else len(text)
        if text.count(b"\n", start, at) >= long:
            yield start, at + 1


def _rooms(text: bytes, start: int, end: int) -> Iterator[Room]:
    for match in _LINE_END.finditer(text, start, end):
        if _may_have_room(text, match.end()):
            yield Room(match.end(), ROOM)


def _may_have_room(text: bytes, at: int) -> bool:
    """Whether blanks at the end of this line are nothing but blanks."""
    line = text[text.rfind(b"\n", 0, at) + 1 : at]
    return line.rstrip()[-1:] in (b";", b"{", b"}") and _APART.search(line) is None


def _may_keep_room(text: bytes, at: int) -> bool:
    """Whether blanks that were at the end of this line may stay, though a statement is being typed there that has no end yet."""
    line = text[text.rfind(b"\n", 0, at) + 1 : at]
    return bool(line.strip()) and _APART.search(line) is None


LAYOUTS: Stage[str, tuple[Layout, ...]] = Stage("layouts of texts", 64)
"""By file, the layouts of the texts that were analysed last, the last one at the end."""


def layout_of(path: str, text: bytes, long: int, store: Store) -> Layout | None:
    """The layout of a text, as near as possible to that of the last one; None for a text without a kernel of `long` lines."""
    known = store.last(LAYOUTS, path) or ()
    found = None if any(mark in text for mark in _INSIDE) else _layout(path, text, long, known)
    if found is None:
        store.drop(LAYOUTS, path)
        return None
    others = [layout for layout in known if layout.text != text]
    store.put(LAYOUTS, path, (*others[1 - _KEPT :], found))
    return found


def _layout(path: str, text: bytes, long: int, known: Sequence[Layout]) -> Layout | None:
    same = next((layout for layout in known if layout.text == text), None)
    if same is not None:
        return same
    if known:
        last = known[-1]
        found = last.after(change_between(last.text, text), text)
        if 2 * sum(room.width > 0 for room in found.rooms) >= len(last.rooms):
            return found
    return fresh(path, text, long)


def padded_beside(path: str, text: bytes, layout: Layout, store: Store) -> bytes:
    """Another text of the file, laid out so that it differs from `layout` where the texts do."""
    known = store.last(LAYOUTS, path) or ()
    found = next((one for one in known if one.text == text), None)
    return (found or layout.after(change_between(layout.text, text), text)).padded
