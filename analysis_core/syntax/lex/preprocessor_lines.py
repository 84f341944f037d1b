"""A file cut into runs of text and directives: all that preprocessing can know before any macro is defined.

The cut depends on the file's bytes only, so a store may share it between translation units and between
edits of other files.  A run carries the set of its identifiers: most runs name no macro, and one set test then
moves thousands of tokens at once.
"""

from __future__ import annotations

import re
from itertools import pairwise

from analysis_core.support.facts import Cause, CauseKind
from analysis_core.support.fuel import READING
from analysis_core.support.store import Stage, Store
from analysis_core.syntax.lex.lexer import Lexed, lex
from analysis_core.syntax.lex.macros import Macro, parse_definition
from analysis_core.syntax.lex.relexing import relexed
from analysis_core.syntax.lex.tokens import Token, TokenKind
from analysis_core.text.line_index import LineIndex
from analysis_core.text.records import dataclass
from analysis_core.text.source import SourceText
from analysis_core.text.span import FileId, Span

_HEADER = re.compile(rb"[^\r\n]*?(?:include_next|include|import)\s*(\"[^\"\r\n]*\"|<[^>\r\n]*>)")
_OPENERS = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class Limits:
    """Where reading stops being worth its time: bytes of a file and of a line, levels of includes and of arguments.  `units`: of work that
    macros and files included again may take, beside what the text brings along."""

    file_bytes: int = 4_000_000
    line_bytes: int = 200_000
    include_depth: int = 200
    units: int = READING
    argument_depth: int = 100  # macro invocations in arguments of macro invocations


@dataclass(frozen=True, slots=True)
class TextRun:
    """Tokens of text lines between two directives, and the identifiers among them."""

    tokens: tuple[Token, ...]
    identifiers: frozenset[str]

    @staticmethod
    def of(tokens: tuple[Token, ...]) -> TextRun:
        identifier = TokenKind.IDENTIFIER
        return TextRun(tokens, frozenset([token.text for token in tokens if token.kind is identifier]))


@dataclass(frozen=True, slots=True)
class Directive:
    """`name` is the word after `#` ("" for a null directive); `tokens` follow it; `header` is the operand of
    `#include` as spelled, with its quotes; `definition` is what `#define` defines, or why it does not."""

    name: str
    span: Span
    tokens: tuple[Token, ...]
    header: str | None = None
    definition: Macro | Cause | None = None


@dataclass(frozen=True, slots=True)
class FileLines:
    """One file, cut.  `problems` stand whatever the macros say."""

    lexed: Lexed
    lines: LineIndex
    parts: tuple[TextRun | Directive, ...]
    problems: tuple[Cause, ...]


_KEPT_BYTES = 2_000_000
"""Text of the files that are kept cut: a byte takes some 40."""

_Cut = tuple[bytes, Limits, FileLines]


def _bytes(cut: _Cut) -> int:
    return len(cut[0])


FILES: Stage[str, _Cut] = Stage("files cut", _KEPT_BYTES, _bytes)
"""By path, what the file held when it was cut last."""


def cut_once(path: str, data: bytes, limits: Limits, store: Store) -> FileLines:
    """The cut of `data`, made once as long as neither the contents nor the limits change."""
    known = store.get(FILES, path, lambda known: known[:2] == (data, limits))
    if known is None:
        older = store.last(FILES, path)
        known = data, limits, cut(FileId(path), data, limits, None if older is None else older[2].lexed)
        store.put(FILES, path, known)
    return known[2]


def cut(file: FileId, data: bytes, limits: Limits, older: Lexed | None = None) -> FileLines:
    """Lexes a file and cuts it.  A file over the size limit has no parts and a problem.  `older`: the tokens that it had."""
    if len(data) > limits.file_bytes:
        reason = f"{file} has {len(data)} bytes; files over {limits.file_bytes} are not read"
        empty = lex(SourceText(file, b""))
        return FileLines(empty, LineIndex.of(b""), (), (Cause(CauseKind.READER, reason, Span(file, 0, 0)),))
    source = SourceText.from_bytes(file, data)
    lexed = relexed(older, source)
    index = LineIndex.of(source.data)
    problems = list(lexed.problems)
    long_lines = _long_lines(index, limits.line_bytes)
    parts: list[TextRun | Directive] = []
    place = 0
    for start, end in (*lexed.directives, (len(lexed.tokens), len(lexed.tokens))):
        if start > place:
            tokens = lexed.tokens[place:start]
            if long_lines:
                tokens = _without_long_lines(file, tokens, long_lines, problems)
            parts.append(TextRun.of(tokens))
        if end > start:
            parts.append(_directive(source, lexed.tokens[start:end], limits))
        place = end
    return FileLines(lexed, index, tuple(parts), tuple(problems))


def _directive(source: SourceText, tokens: tuple[Token, ...], limits: Limits) -> Directive:
    span = Span(tokens[0].span.file, tokens[0].span.start, tokens[-1].span.end)
    if len(tokens) == 1:
        return Directive("", span, ())
    name = tokens[1].text
    rest = tokens[2:]
    if span.end - span.start > limits.line_bytes:
        reason = f"a directive of {span.end - span.start} bytes is not read"
        return Directive("define", span, (), None, Cause(CauseKind.READER, reason, span))
    if name == "define":
        return Directive(name, span, rest, None, parse_definition(rest))
    header = None
    if name in ("include", "include_next", "import"):
        match = _HEADER.match(source.data, span.start)
        if match is not None:
            header = match[1].decode("utf-8", "surrogateescape")
    return Directive(name, span, rest, header)


def _long_lines(index: LineIndex, limit: int) -> list[tuple[int, int]]:
    starts = (*index.starts, len(index.data))
    if len(index.data) <= limit:
        return []
    return [(a, b) for a, b in pairwise(starts) if b - a > limit]


def _without_long_lines(
    file: FileId, tokens: tuple[Token, ...], lines: list[tuple[int, int]], problems: list[Cause]
) -> tuple[Token, ...]:
    """Leaves of each overlong line only the brackets that it does not match itself, so that the rest still nests."""
    kept: list[Token] = []
    place = 0
    for start, end in lines:
        while place < len(tokens) and tokens[place].span.start < start:
            kept.append(tokens[place])
            place += 1
        inside = place
        while inside < len(tokens) and tokens[inside].span.start < end:
            inside += 1
        if inside > place:
            kept.extend(_net_brackets(tokens[place:inside]))
            reason = f"a line of {end - start} bytes is not read"
            problems.append(Cause(CauseKind.READER, reason, Span(file, start, end)))
        place = inside
    return (*kept, *tokens[place:])


def _net_brackets(tokens: tuple[Token, ...]) -> list[Token]:
    """The brackets of a line that have no partner in it: closing ones first, then opening ones."""
    stack: list[Token] = []
    for token in tokens:
        if token.text in _OPENERS:
            stack.append(token)
        elif token.text in (")", "]", "}"):
            if stack and _OPENERS.get(stack[-1].text) == token.text:
                stack.pop()
            else:
                stack.append(token)
    return stack
