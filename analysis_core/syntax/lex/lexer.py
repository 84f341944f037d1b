"""Bytes to preprocessing tokens (C++17 [lex.pptoken], with CUDA's `<<<` and `>>>`), each with its byte offsets.

One compiled expression finds every token; Python only dispatches on which alternative matched.  It runs over the
file read as Latin-1, one character per byte, so that match offsets *are* byte offsets; spellings outside of ASCII
are decoded again as UTF-8.

Line continuations (backslash, blanks, line end) are cut out before, as translation phase 2 wants, and the few cuts
are remembered: a position of the spliced text maps back by the cuts before it.  A raw string undoes its splices, so
its spelling is taken from the file itself.

Nothing is an error here: an unterminated string or character takes the rest of its line as one OTHER token (as
GCC does), an unterminated block comment the rest of the file, any other byte is an OTHER token of its own.
Tested by tests/syntax/test_lexer.py.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from analysis_core.support.facts import Cause, CauseKind
from analysis_core.syntax.lex.tokens import Token, TokenKind
from analysis_core.text.records import dataclass
from analysis_core.text.source import SourceText
from analysis_core.text.span import FileId, Span

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_SPLICE = re.compile(r"\\[ \t\f\v]*(?:\r\n?|\n)")
_LINE_END = re.compile(r"[\r\n]")
_NAME = r"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*+"

_TOKEN = re.compile(
    r"[ \t\f\v]*(?:"
    rf"({_NAME})(?![\"'])"  # 1 identifier, unless it is a literal's prefix
    r"|(\r\n?|\n)"  # 2 line end
    r"|(//[^\r\n]*|/\*.*?(?:\*/|\Z))"  # 3 comment
    r"|(\.?[0-9](?:[eEpP][+-]|'[\w]|[\w.$\x80-\xff])*+)"  # 4 number
    r"|((?:u8|[uUL])?R\"([^ ()\\\t\v\f\r\n]{0,16})\(.*?\)\6\")"  # 5 raw string (6 its delimiter)
    r"|((?:u8|[uUL])?\"(?:[^\"\\\r\n]|\\[^\r\n])*+\")"  # 7 string
    r"|((?:u8|[uUL])?'(?:[^'\\\r\n]|\\[^\r\n])*+')"  # 8 character
    r"|((?:u8|[uUL])?[\"'][^\r\n]*)"  # 9 unterminated literal
    r"|(<<<|>>>|<<=|>>=|\.\.\.|->\*|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|\+=|-=|\*=|/=|%=|&=|\|=|\^=|->|::|\.\*|\#\#"
    r"|[-+*/%&|^~!=<>?:;,.(){}\[\]\#])"  # 10 punctuator
    rf"|({_NAME})"  # 11 identifier before a quote that is no prefix
    r"|([^ \t\f\v])"  # 12 any other byte
    r")",
    re.ASCII | re.DOTALL,
)
_NEWLINE, _COMMENT, _RAW_STRING = 2, 3, 5
_KINDS = {
    1: TokenKind.IDENTIFIER,
    4: TokenKind.NUMBER,
    5: TokenKind.STRING,
    7: TokenKind.STRING,
    8: TokenKind.CHAR,
    9: TokenKind.OTHER,
    10: TokenKind.PUNCTUATOR,
    11: TokenKind.IDENTIFIER,
    12: TokenKind.OTHER,
}


@dataclass(frozen=True, slots=True)
class Lexed:
    """All tokens of one file; directives are token ranges [start, end) that begin with their `#`.

    `comments` are spans, in order, for annotations; an unterminated comment ends with the file."""

    source: SourceText
    tokens: tuple[Token, ...]
    directives: tuple[tuple[int, int], ...]
    comments: tuple[Span, ...]
    problems: tuple[Cause, ...]


def lex(source: SourceText) -> Lexed:
    """The tokens of a file.  Linear in its size; never raises."""
    return lex_lines(source, 0, len(source.data))


def lex_lines(source: SourceText, start: int, end: int) -> Lexed:
    """The tokens between two bytes of a file, at each of which a line begins that continues nothing (or the file ends)."""
    text, splices = _spliced(source.data[start:end], start)
    run = _Run(source, text, splices, [], [], [], [])
    begin = len(_BYTE_ORDER_MARK) if start == 0 and source.data.startswith(_BYTE_ORDER_MARK) else 0
    while begin >= 0:
        begin = _lex_from(run, begin)
    for token in run.tokens:
        if token.kind is TokenKind.OTHER and token.text.lstrip("uUL8")[:1] in ("'", '"'):
            reason = f"unterminated literal {_shortened(token.text)}"
            run.problems.append(Cause(CauseKind.READER, reason, token.span))
    return Lexed(source, tuple(run.tokens), tuple(run.directives), tuple(run.comments), tuple(run.problems))


@dataclass(frozen=True, slots=True)
class _Run:
    """The text being cut, and the lists that its pieces go to."""

    source: SourceText
    text: str
    splices: _Splices
    tokens: list[Token]
    directives: list[tuple[int, int]]
    comments: list[Span]
    problems: list[Cause]


def _lex_from(run: _Run, begin: int) -> int:
    """Cuts the spliced text from `begin` (where a line begins, unless 0) on.

    Returns where to go on, behind the first line of a comment that has no end, or -1 at the end of the text."""
    text, splices, tokens, file = run.text, run.splices, run.tokens, run.source.file
    append = tokens.append
    directive = -1  # index of the open directive's `#`, or -1
    fresh = line_start = space = True  # first of the logical line, first of the line in the file, space seen
    shift, limit = splices.after(begin)
    ascii_only = text.isascii()
    kinds = _KINDS
    resume = -1
    for match in _TOKEN.finditer(text, begin):
        group = match.lastindex
        if group == _NEWLINE:
            if directive >= 0:
                run.directives.append((directive, len(tokens)))
                directive = -1
            fresh = line_start = space = True
            continue
        assert group is not None
        start, end = match.span(group)
        spaced = space or match.start() != start
        word = match[group]
        if end > limit:
            shift, limit = splices.after(start)
            stop = splices.original(end - 1) + 1
            start += shift
        else:
            start += shift
            stop = end + shift
        if group == _COMMENT:
            resume = _after_runaway_comment(text, word, match.start(group))
            if resume >= 0:
                stop = splices.original(resume)
                run.problems.append(Cause(CauseKind.READER, "comment without end", Span(file, start, stop)))
            run.comments.append(Span(file, start, stop))
            if resume >= 0:
                break
            space = True
            line_start = line_start or "\n" in word or "\r" in word
            continue
        if group == _RAW_STRING and stop - start != len(word):
            word = run.source.data[start:stop].decode("latin-1")
        if fresh:
            fresh = False
            if word == "#":
                directive = len(tokens)
        if ascii_only or word.isascii():
            append(Token(kinds[group], word, Span(file, start, stop), spaced, line_start))
        else:
            _append_decoded(tokens, kinds[group], word, Span(file, start, stop), spaced, line_start)
        space = line_start = False
    if directive >= 0:
        run.directives.append((directive, len(tokens)))
    return resume


def _after_runaway_comment(text: str, word: str, start: int) -> int:
    """Where reading goes on behind a block comment that has lost its end, or -1 for a sound one.

    One that reaches the end of the file has; so has one that holds a kernel and, behind it, another comment's
    beginning: its end is that other comment's.  Only the first line of such a comment is taken for one, so that a
    half-typed comment does not blank the kernels below it."""
    if not word.startswith("/*"):
        return -1
    if len(word) >= 4 and word.endswith("*/"):
        kernel = word.find("__global__")
        if kernel < 0 or word.find("/*", kernel) < 0:
            return -1
    line = _LINE_END.search(text, start)
    return line.start() if line is not None else len(text)


def _append_decoded(tokens: list[Token], kind: TokenKind, word: str, span: Span, space: bool, line_start: bool) -> None:
    """Appends a spelling with bytes outside of ASCII; an "identifier" with characters of no name falls apart."""
    text = word.encode("latin-1").decode("utf-8", "surrogateescape")
    if kind is not TokenKind.IDENTIFIER or text.replace("$", "_").isidentifier():
        tokens.append(Token(kind, text, span, space, line_start))
        return
    offset = span.start
    run = ""
    for char in (*text, ""):
        if char and ((run or "_") + char).replace("$", "_").isidentifier():
            run += char
            continue
        for piece, piece_kind in ((run, TokenKind.IDENTIFIER), (char, TokenKind.OTHER)):
            if piece:
                size = len(piece.encode("utf-8", "surrogateescape"))
                place = Span(span.file, offset, offset + size)
                tokens.append(Token(piece_kind, piece, place, space, line_start))
                offset += size
                space = line_start = False
        run = ""


class _Splices:
    """Where line continuations were cut out: `at[i]` in the spliced text, after which offsets shift by `shifts[i]`; before, by
    `first`."""

    __slots__ = ("at", "first", "shifts")

    def __init__(self, at: list[int], shifts: list[int], first: int) -> None:
        self.at = at
        self.shifts = shifts
        self.first = first

    def after(self, position: int) -> tuple[int, int]:
        """The shift at a spliced position, and the position up to which it holds."""
        index = bisect_right(self.at, position)
        shift = self.shifts[index - 1] if index else self.first
        return shift, self.at[index] if index < len(self.at) else _NO_LIMIT

    def original(self, position: int) -> int:
        """The file offset of a spliced position."""
        return position + self.after(position)[0]


_NO_LIMIT = 1 << 62


def _spliced(data: bytes, first: int) -> tuple[str, _Splices]:
    """The text, one character per byte, without line continuations, and where they were.  `first`: where it begins in its file."""
    text = data.decode("latin-1")
    if "\\" not in text:
        return text, _Splices([], [], first)
    parts: list[str] = []
    at: list[int] = []
    shifts: list[int] = []
    last = removed = 0
    for match in _SPLICE.finditer(text):
        parts.append(text[last : match.start()])
        last = match.end()
        at.append(match.start() - removed)
        removed += last - match.start()
        shifts.append(removed + first)
    if not at:
        return text, _Splices([], [], first)
    parts.append(text[last:])
    return "".join(parts), _Splices(at, shifts, first)


def _shortened(text: str) -> str:
    return text if len(text) <= 24 else text[:24] + "..."


def lex_fragment(text: str, file: FileId) -> tuple[Token, ...]:
    """The tokens of a piece of text that stands in no file (a `-D` value, a pasted spelling): spans are its own."""
    return lex(SourceText(file, text.encode("utf-8", "surrogateescape"))).tokens
