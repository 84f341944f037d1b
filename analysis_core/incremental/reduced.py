"""The text that has to be read after an edit inside of one function: the rest of the file made blank.

Reading a file takes longer than analysing one of its kernels.  But where the old text was in order, and the edit lies
between the braces of one function which still closes what it opens, every other item reads as before.  So the functions
that the kernels in question do not rest on (outline.py) are replaced by white space of the same length, lines kept, and what is
left goes the ordinary way, with all its places right.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace

from analysis_core.incremental.outline import Outline, Part, keeps_to_itself
from analysis_core.support.store import Store
from analysis_core.syntax.lex.lexer import Lexed
from analysis_core.syntax.lex.macros import Macro
from analysis_core.syntax.lex.relexing import lex_again
from analysis_core.syntax.lex.tokens import TokenKind
from analysis_core.text.change import Change, change_between
from analysis_core.text.records import dataclass
from analysis_core.text.source import SourceText
from analysis_core.text.span import FileId

_BLANKED = bytes(byte if byte in b"\r\n" else ord(" ") for byte in range(256))
"""What becomes of each byte of a text that is made blank."""


@dataclass(frozen=True, slots=True)
class Reduction:
    """What to read.  `text`, `before`: the new and the old text, blank where it does not matter.  `outline`: the parts of the
    old text where they stand in the new one, of which the `edited` one has new contents and those `away` are blank.
    `touched`: the kernels that rest on the edited part."""

    text: bytes
    before: bytes
    outline: Outline
    edited: int
    away: frozenset[int]
    touched: tuple[int, ...]


def reduction(
    base: Outline,
    macros: Mapping[str, frozenset[str]],
    old: bytes,
    new: bytes,
    path: str,
    launched: Container[int],
    store: Store,
) -> Reduction | None:
    """What has to be read after an edit inside of one function; None if it is an edit of another kind.

    `launched`: kernels whose launches are known and do not depend on their bodies.  `store`: where the bodies are that were cut last."""
    file, change = FileId(path), change_between(old, new)
    number = edited_part(base, change, file)
    body = None if number is None else base.parts[number].body
    if number is None or body is None or lines_matter(base, change, old, new, file):
        return None
    block = new[body[0] : body[1] + change.delta]
    tokens = lex_again(f"{body[0]} {path}", SourceText(file, block), store)
    if not _closed(block, tokens):
        return None
    parts = moved_parts(base.parts, change, file)
    names = frozenset(token.text for token in tokens.tokens if token.kind is TokenKind.IDENTIFIER)
    words = _with_macros(names, macros)
    grown = replace(parts[number], words=parts[number].words | words)
    outline = Outline((*parts[:number], grown, *parts[number + 1 :]), base.beside, base.regular)
    if grown.kernel:  # Of another kernel only the head counts, which is as it was.
        touched: tuple[int, ...] = (number,)
        inner = number in launched
        wanted = outline.used(number) if inner else base.closure(number) | outline.closure(number)
    else:
        resting = {k: base.closure(k) | outline.closure(k) for k in outline.kernels}
        touched = tuple(k for k, rests in resting.items() if number in rests)
        wanted = outline.always.union((number,), *(resting[k] for k in touched))
    away = [n for n, part in enumerate(parts) if n not in wanted and part.blank]
    return Reduction(
        _blanked(new, [(parts[n].start, parts[n].end) for n in away]),
        _blanked(old, [(base.parts[n].start, base.parts[n].end) for n in away]),
        outline,
        number,
        frozenset(away),
        touched,
    )


def completed(read: Outline, less: Reduction) -> Outline | None:
    """The outline of the whole text, given that of what was read; None if another part than the edited one has
    changed."""
    kept = [n for n in range(len(less.outline.parts)) if n not in less.away]
    if len(read.parts) != len(kept) or read.beside != less.outline.beside:
        return None
    parts = list(less.outline.parts)
    for number, part in zip(kept, read.parts, strict=True):
        old = parts[number]
        same = part.head == old.head if number == less.edited else part.digest == old.digest
        if not same or (part.start, part.end, part.file) != (old.start, old.end, old.file):
            return None
        parts[number] = part
    return Outline(tuple(parts), less.outline.beside, less.outline.regular)


def edited_part(outline: Outline, change: Change, file: FileId) -> int | None:
    """The function between whose braces the change lies."""
    for number, part in enumerate(outline.parts):
        if part.file == file and part.blank and part.body is not None:
            start, end = part.body
            if start < change.start and change.old_end < end:
                return number
    return None


def lines_matter(outline: Outline, change: Change, old: bytes, new: bytes, file: FileId) -> bool:
    """Whether parts behind the change say something else now, since they stand on other lines."""
    lines = old[change.start : change.old_end].count(b"\n") - new[change.start : change.new_end].count(b"\n")
    return bool(lines) and any(p.line is not None and p.file == file and p.end > change.start for p in outline.parts)


def _closed(block: bytes, lexed: Lexed) -> bool:
    """Whether a text from brace to brace is one block, without anything that could reach out of it."""
    if not keeps_to_itself(block) or b"__COUNTER__" in block or b"//@" in block or b"/*@" in block:
        return False
    if lexed.problems or not lexed.tokens:
        return False
    depth = 0
    for token in lexed.tokens:
        if token.kind is TokenKind.PUNCTUATOR and token.text in "{}":
            depth += 1 if token.text == "{" else -1
            if depth <= 0 and token is not lexed.tokens[-1]:
                return False
    return depth == 0


def macro_words(macros: Mapping[str, Macro]) -> Mapping[str, frozenset[str]]:
    """The words that the body of each macro holds."""
    return {
        name: frozenset(t.text for t in macro.body if t.kind is TokenKind.IDENTIFIER) for name, macro in macros.items()
    }


def _with_macros(words: frozenset[str], macros: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The words, and those that the macros among them may bring in."""
    found, waiting = set(words), list(words)
    while waiting:
        for name in macros.get(waiting.pop(), ()):
            if name not in found:
                found.add(name)
                waiting.append(name)
    return frozenset(found)


def _blanked(text: bytes, places: Iterable[tuple[int, int]]) -> bytes:
    """The text with white space in these places, in order; lines stay."""
    pieces: list[bytes] = []
    at = 0
    for start, end in places:
        pieces.append(text[at:start])
        pieces.append(text[start:end].translate(_BLANKED))
        at = end
    pieces.append(text[at:])
    return b"".join(pieces)


def moved_parts(parts: Sequence[Part], change: Change, file: FileId) -> tuple[Part, ...]:
    """The parts of the old text where they stand in the new one; that in which the change lies grows."""
    if not change.delta:
        return tuple(parts)
    return tuple(_moved(part, change) if part.file == file and part.end > change.start else part for part in parts)


def _moved(part: Part, change: Change) -> Part:
    body = None if part.body is None else (change.place(part.body[0]), change.place(part.body[1]))
    return replace(part, start=change.place(part.start), end=change.place(part.end), body=body)
