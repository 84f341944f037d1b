"""A text cut into tokens again after an edit: the lines that changed, and no others.

Where a line begins that continues nothing (no comment, no spliced line) cutting begins anew, whatever stands before.  So the tokens
of a text are those of an older one up to such a place before the change, what is cut anew, and those of the older one again from
such a place behind it; where nothing has moved these are the same objects.  Raw strings and comments without end may reach
further than their line: texts with such are cut from the start.

Tested by tests/syntax/test_relexing.py.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from analysis_core.support.store import Stage, Store
from analysis_core.syntax.lex.lexer import Lexed, lex, lex_lines
from analysis_core.syntax.lex.tokens import Token
from analysis_core.text.change import Change, change_between
from analysis_core.text.records import dataclass
from analysis_core.text.source import SourceText
from analysis_core.text.span import Span

_BLOCK = 256
"""Bytes that are compared at once, where texts of one length may differ in several places."""

_SPLICED = re.compile(rb"\\[ \t\f\v]*\n\Z")

BLOCKS: Stage[str, Lexed] = Stage("blocks cut", 2)
"""The last texts that were cut alone (bodies of functions), by name."""


def lex_again(name: str, source: SourceText, store: Store) -> Lexed:
    """The tokens of a text; where one of this name was cut before, of the lines that have changed since."""
    found = relexed(store.last(BLOCKS, name), source)
    store.put(BLOCKS, name, found)
    return found


def relexed(old: Lexed | None, source: SourceText) -> Lexed:
    """As `lex`.  `old`: the tokens of a text that may be much like it."""
    found = None if old is None else _relexed(old, source)
    return lex(source) if found is None else found


@dataclass(frozen=True, slots=True)
class _Region:
    """Lines that differ: from byte `start` of both texts, but for what the regions before have moved, to `old_end` and `new_end`."""

    start: int
    old_end: int
    new_end: int


def _relexed(old: Lexed, source: SourceText) -> Lexed | None:
    before, after = old.source.data, source.data
    if old.problems or any(b"\r" in text or b'R"' in text for text in (before, after)):
        return None
    regions = _regions(old, before, after)
    if 2 * sum(region.new_end - region.start for region in regions) > len(after):
        return None
    tokens: list[Token] = []
    directives: list[tuple[int, int]] = []
    comments: list[Span] = []
    done, moved = 0, 0
    for region in (*regions, None):
        stop = len(before) if region is None else region.start - moved
        kept = _between(old, done, stop)
        directives += [(a + len(tokens) - kept.first, b + len(tokens) - kept.first) for a, b in kept.directives]
        tokens += _moved(kept.tokens, moved)
        comments += [_span(span, moved) for span in kept.comments] if moved else kept.comments
        if region is None:
            break
        piece = lex_lines(source, region.start, region.new_end)
        if piece.problems or _SPLICED.search(after, region.start, region.new_end):
            return None
        directives += [(a + len(tokens), b + len(tokens)) for a, b in piece.directives]
        tokens += piece.tokens
        comments += piece.comments
        done, moved = region.old_end, region.new_end - region.old_end
    return Lexed(source, tuple(tokens), tuple(directives), tuple(comments), ())


# --- what has changed -----------------------------------------------------------------------------------------------


def _regions(old: Lexed, before: bytes, after: bytes) -> list[_Region]:
    found: list[_Region] = []
    for change in _changes(before, after):
        start = _line(old, before, change.start, -1)
        end = _line(old, before, change.old_end, 1)
        if found and start <= found[-1].old_end:
            start = found.pop().start
        found.append(_Region(start, end, end + change.delta))
    return found


def _changes(before: bytes, after: bytes) -> Iterator[Change]:
    """Stretches outside of which both texts are alike: one, or several where nothing has moved."""
    if len(before) != len(after):
        yield change_between(before, after)
        return
    for start in range(0, len(before), _BLOCK):
        end = min(start + _BLOCK, len(before))
        if before[start:end] != after[start:end]:
            yield Change(start, end, end)


def _line(old: Lexed, text: bytes, at: int, way: int) -> int:
    """Where a line begins that continues nothing, at or before this byte (`way` -1), or behind it (1): there all tokens before
    have ended."""
    while True:
        at = text.rfind(b"\n", 0, at) + 1 if way < 0 else text.find(b"\n", at) + 1 or len(text)
        if at in (0, len(text)):
            return at
        comment = bisect_left(old.comments, at, key=_start) - 1
        inside = old.comments[comment] if comment >= 0 and old.comments[comment].end > at else None
        if inside is not None:
            at = inside.start if way < 0 else inside.end
        elif _SPLICED.search(text, text.rfind(b"\n", 0, at - 1) + 1, at):
            at -= way < 0
        else:
            return at


# --- what has not ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Kept:
    """Of an older text the tokens from number `first` on that lie between two lines."""

    first: int
    tokens: Sequence[Token]
    directives: Sequence[tuple[int, int]]
    comments: Sequence[Span]


def _between(old: Lexed, start: int, end: int) -> _Kept:
    first = bisect_left(old.tokens, start, key=_token_start)
    last = bisect_left(old.tokens, end, first, key=_token_start)
    directives = old.directives[bisect_left(old.directives, (first, 0)) : bisect_left(old.directives, (last, 0))]
    comments = old.comments[bisect_left(old.comments, start, key=_start) : bisect_left(old.comments, end, key=_start)]
    return _Kept(first, old.tokens[first:last], directives, comments)


def _start(span: Span) -> int:
    return span.start


def _token_start(token: Token) -> int:
    return token.span.start


def _moved(tokens: Sequence[Token], by: int) -> Sequence[Token]:
    if not by:
        return tokens
    return [Token(t.kind, t.text, _span(t.span, by), t.space, t.line_start, t.expansion) for t in tokens]


def _span(span: Span, by: int) -> Span:
    return Span(span.file, span.start + by, span.end + by)
