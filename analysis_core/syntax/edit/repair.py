"""Mends what is broken while somebody types: one line is blanked, its braces stay balanced, the rest keeps its results.

A half-typed line breaks more than itself: `for (int i = 0; i <` has lost its `{`, so the function seems to end early
and the next one is swallowed.  The remedy works on tokens.  Some tokens (a line, or the statement around it) are
replaced by a *gap*, and by as many `{` or `}` as balance the file again: that is the net number of braces the line
had when it was last good.  The gap becomes an `OpaqueStmt` in the tree, so that nobody takes the rest for the whole.

Which tokens?  If the last good text is known, those of the lines that differ.  Otherwise the lines around
tree-sitter's errors and those that look broken by themselves: unclosed parentheses, no end of a statement before the
next begins.  A kernel's unfinished parameter list is closed instead of blanked, and so is a declaration (unfinished.py), with a gap
behind it.  Every candidate is judged by splitting and parsing again: least text in errors first, then least text blanked.

Tested by tests/syntax/test_repair.py; tests/bench/typing_repair.py measures it on any directory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from analysis_core.syntax.lex.tokens import Token, TokenKind
from analysis_core.syntax.read.unfinished import closing_place
from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId, Span

MOST_CANDIDATES = 24
_OPEN = frozenset({"(", "["})
_SHUT = frozenset({")", "]"})
_ENDS_STATEMENT = frozenset({";", "{", "}", ":", ","})
_BEGINS_STATEMENT = frozenset(
    [
        "if",
        "else",
        "for",
        "while",
        "do",
        "switch",
        "case",
        "default",
        "return",
        "break",
        "continue",
        "goto",
        "int",
        "float",
        "double",
        "char",
        "short",
        "long",
        "unsigned",
        "signed",
        "bool",
        "void",
        "const",
        "auto",
        "static",
        "__shared__",
        "extern",
        "volatile",
        "__syncthreads",
        "template",
        "struct",
    ]
)


@dataclass(frozen=True, slots=True)
class Edit:
    """One way to mend a unit: the tokens `start <= i < end` are replaced by `insert`. `blanked` counts the tokens that
    are lost."""

    start: int
    end: int
    insert: tuple[Token, ...]
    blanked: int

    def apply(self, tokens: Sequence[Token]) -> tuple[Token, ...]:
        return (*tokens[: self.start], *self.insert, *tokens[self.end :])


def candidates(
    tokens: Sequence[Token],
    main: FileId,
    line_of: Callable[[Token], int],
    column_of: Callable[[Token], int],
    suspects: Sequence[int],
    edited: tuple[int, int] | None,
) -> Iterator[Edit]:
    """Edits that may mend the unit, likeliest first, at most `MOST_CANDIDATES`.

    `suspects` are tokens at which errors were seen; `edited` the lines (1-based, end excluded) known to be changed."""
    return islice(_distinct(_all_candidates(tokens, main, line_of, column_of, suspects, edited)), MOST_CANDIDATES)


def _distinct(edits: Iterator[Edit]) -> Iterator[Edit]:
    seen: set[tuple[int, int, int]] = set()
    for edit in edits:
        key = (edit.start, edit.end, len(edit.insert))
        if key not in seen:
            seen.add(key)
            yield edit


def _all_candidates(
    tokens: Sequence[Token],
    main: FileId,
    line_of: Callable[[Token], int],
    column_of: Callable[[Token], int],
    suspects: Sequence[int],
    edited: tuple[int, int] | None,
) -> Iterator[Edit]:
    if not tokens:
        return  # A lone `#`: there is nothing to blank, and no place for a gap.
    lines = _lines(tokens, main, line_of)
    surplus = sum((t.text == "{") - (t.text == "}") for t in tokens)
    if abs(surplus) > 3:
        return
    if edited is not None:
        yield from _edited(tokens, lines, surplus, edited)
    order = _suspicious(tokens, lines, suspects, column_of if surplus < 0 else None)
    for line in order:
        yield from _of_line(tokens, lines[line], surplus)
    if surplus > 0:
        yield from _missing_close(tokens, lines, column_of, surplus)


# --- lines ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Line:
    """The tokens `start <= i < end` of one line of the main file."""

    number: int
    start: int
    end: int


def _lines(tokens: Sequence[Token], main: FileId, line_of: Callable[[Token], int]) -> list[_Line]:
    lines: list[_Line] = []
    for i, token in enumerate(tokens):
        if token.span.file != main:
            continue
        number = line_of(token)
        if lines and (lines[-1].number == number or (token.expansion is not None and number < lines[-1].number)):
            lines[-1] = _Line(lines[-1].number, lines[-1].start, i + 1)
        else:
            lines.append(_Line(number, i, i + 1))
    return lines


def _suspicious(
    tokens: Sequence[Token], lines: list[_Line], suspects: Sequence[int], column_of: Callable[[Token], int] | None
) -> list[int]:
    """Indices of lines, the likeliest culprit first.  `column_of` is given where an opening brace is missing."""
    starts = [line.start for line in lines]
    scores: dict[int, int] = {}

    def add(line: int, score: int) -> None:
        if 0 <= line < len(lines):
            scores[line] = scores.get(line, 0) + score

    for token in suspects:
        line = _line_at(starts, token)
        for distance, score in ((0, 6), (-1, 6), (-2, 3), (1, 2), (-3, 1)):
            add(line + distance, score)
    for first, last in _unclosed(tokens, lines, starts):
        for line in range(last, max(first - 1, last - 6), -1):
            add(line, 8 if line in {first, last} else 5)
    for index in range(len(lines) - 1):
        if _ends_early(tokens, lines[index], lines[index + 1]):
            add(index, 5)
    if column_of is not None:
        columns = [column_of(tokens[line.start]) for line in lines]
        for index in range(len(lines) - 2):
            if _lost_brace(tokens, lines[index], columns[index : index + 3]):
                add(index, 9)
    return sorted(scores, key=lambda line: (-scores[line], line))


def _lost_brace(tokens: Sequence[Token], line: _Line, columns: list[int]) -> bool:
    """Whether the line is the head of a block without `{`: the two lines behind it are both indented."""
    if tokens[line.end - 1].text in {"{", ";", ","} or (
        tokens[line.start].text in {"{", "}"} and line.end - line.start < 2
    ):
        return False
    is_head = tokens[line.start].text in {"if", "for", "while", "else", "do", "switch", "}"}
    return is_head and columns[1] > columns[0] and columns[2] >= columns[1]


def _line_at(starts: list[int], token: int) -> int:
    low, high = 0, len(starts)
    while low < high:
        middle = (low + high) // 2
        if starts[middle] <= token:
            low = middle + 1
        else:
            high = middle
    return low - 1


def _ends_early(tokens: Sequence[Token], line: _Line, following: _Line) -> bool:
    """Whether the line stops within a statement although the next one begins another."""
    last = tokens[line.end - 1]
    if last.kind is TokenKind.PRAGMA or last.text in _ENDS_STATEMENT or last.text in {")", "else", "do"}:
        return False
    following_first = tokens[following.start]
    return following_first.text in _BEGINS_STATEMENT or following_first.text == "}"


def _unclosed(tokens: Sequence[Token], lines: list[_Line], starts: list[int]) -> list[tuple[int, int]]:
    """Ranges of lines, from a parenthesis that is never closed to the place where that is noticed."""
    found: list[tuple[int, int]] = []
    stack: list[tuple[str, int, int]] = []
    for i in range(lines[0].start if lines else 0, lines[-1].end if lines else 0):
        text = tokens[i].text
        if text in _OPEN or text == "{":
            stack.append((text, i, 0))
        elif text in _SHUT:
            if stack and stack[-1][0] in _OPEN:
                stack.pop()
            else:
                line = _line_at(starts, i)
                found.append((line - 1, line))
        elif text == ";" and stack and stack[-1][0] in _OPEN:
            opener, at, count = stack.pop()
            if opener == "(" and at > 0 and tokens[at - 1].text == "for" and count < 2:
                stack.append((opener, at, count + 1))
            else:
                found.append((_line_at(starts, at), _line_at(starts, i)))
                while stack and stack[-1][0] in _OPEN:
                    stack.pop()
        elif text == "}":
            while stack and stack[-1][0] in _OPEN:
                found.append((_line_at(starts, stack.pop()[1]), _line_at(starts, i)))
            if stack:
                stack.pop()
    return found


# --- edits ----------------------------------------------------------------------------------------------------------


def _gap(tokens: Sequence[Token], start: int, end: int, net: int) -> Edit:
    """The edit that replaces tokens by a gap and by `net` opening (or closing) braces."""
    if start < end:
        first = tokens[start].span
        span = first.hull(tokens[end - 1].span)
    else:
        after = tokens[start - 1].span if start > 0 else tokens[start].span
        span = Span(after.file, after.end, after.end)
    brace = Token(TokenKind.PUNCTUATOR, "{" if net > 0 else "}", Span(span.file, span.end, span.end))
    gap = Token(TokenKind.OTHER, "", span, line_start=True)
    return Edit(start, end, (gap, *[brace] * abs(net)), end - start)


def _net(tokens: Sequence[Token], start: int, end: int) -> int:
    return sum((t.text == "{") - (t.text == "}") for t in tokens[start:end])


def _balanced(tokens: Sequence[Token], start: int, end: int, surplus: int) -> Iterator[Edit]:
    net = _net(tokens, start, end) - surplus
    if abs(net) > 2 or _inside_parentheses(tokens, start):
        return
    edit = _gap(tokens, start, end, net)
    yield edit
    if net == 1:
        yield _unknown_if(edit)


def _unknown_if(edit: Edit) -> Edit:
    """The gap of a lost block head as `if (unknown) {`, because an `else` may follow the block."""
    gap, brace = edit.insert
    place = brace.span
    words = [Token(TokenKind.IDENTIFIER, "if", place), Token(TokenKind.PUNCTUATOR, "(", place)]
    words += [Token(TokenKind.OTHER, "", gap.span), Token(TokenKind.PUNCTUATOR, ")", place)]
    return Edit(edit.start, edit.end, (gap, *words, brace), edit.blanked + 1)


def _inside_parentheses(tokens: Sequence[Token], i: int) -> bool:
    """Whether token `i` stands within parentheses that were opened since the last brace."""
    depth = 0
    for j in range(i - 1, max(-1, i - 300), -1):
        text = tokens[j].text
        if text in _SHUT:
            depth += 1
        elif text in _OPEN:
            depth -= 1
            if depth < 0:
                return True
        elif text in {"{", "}"}:
            return False
    return False


def _of_line(tokens: Sequence[Token], line: _Line, surplus: int) -> Iterator[Edit]:
    """Blank the line; or the statement around it; or close a function head or a declaration that ends here."""
    yield from _closed_head(tokens, line, surplus)
    start, end = _statement(tokens, line.start, line.end)
    yield from _closed_declaration(tokens, start, line.end, surplus)
    if (start, end) == (line.start, line.end):
        yield from _balanced(tokens, line.start, line.end, surplus)
        return
    yield from _balanced(tokens, line.start, line.end, surplus)
    yield from _balanced(tokens, start, line.end, surplus)
    yield from _balanced(tokens, line.start, end, surplus)
    yield from _balanced(tokens, start, end, surplus)


def _statement(tokens: Sequence[Token], start: int, end: int) -> tuple[int, int]:
    """The tokens from the last `;`, `{` or `}` before `start` to the first `;` at or after `end`."""
    low = start
    while low > 0 and start - low < 200 and tokens[low - 1].text not in {";", "{", "}"}:
        if tokens[low - 1].kind in {TokenKind.PRAGMA, TokenKind.OTHER}:
            break
        low -= 1
    high = end
    if high > start and tokens[high - 1].text not in {";", "{", "}"}:
        while high < len(tokens) and high - end < 200 and tokens[high].text not in {";", "{", "}"}:
            high += 1
        if high < len(tokens) and tokens[high].text == ";":
            high += 1
    return low, high


def _edited(tokens: Sequence[Token], lines: list[_Line], surplus: int, edited: tuple[int, int]) -> Iterator[Edit]:
    """Candidates for the lines that are known to have changed."""
    inside = [line for line in lines if edited[0] <= line.number < edited[1]]
    if inside:
        whole = _Line(inside[0].number, inside[0].start, inside[-1].end)
        yield from _of_line(tokens, whole, surplus)
        return
    before = [line for line in lines if line.number < edited[0]]
    place = before[-1].end if before else 0
    yield from _balanced(tokens, place, place, surplus)


def _closed_head(tokens: Sequence[Token], line: _Line, surplus: int) -> Iterator[Edit]:
    """An unfinished parameter list of a function: closed, or continued on the next line without the broken parameter."""
    opening = _head_parenthesis(tokens, line)
    if opening is None:
        return
    end = line.end
    after_comma = end
    while after_comma > opening + 1 and tokens[after_comma - 1].text != ",":
        after_comma -= 1
    incomplete = tokens[end - 1].kind is not TokenKind.IDENTIFIER or end - after_comma < 2
    place = Span(tokens[end - 1].span.file, tokens[end - 1].span.end, tokens[end - 1].span.end)
    following = tokens[end].text if end < len(tokens) else ""
    opens = Token(TokenKind.PUNCTUATOR, "{", place)
    shuts = Token(TokenKind.PUNCTUATOR, ")", place)
    comma = Token(TokenKind.PUNCTUATOR, ",", place)
    for cut in (after_comma, end) if incomplete else (end, after_comma):
        net = _net(tokens, cut, end) - surplus
        bare = cut - 1 if cut > opening + 1 and tokens[cut - 1].text == "," else cut
        if net == 1 and following != "{":
            yield Edit(bare, end, (shuts, opens), end - cut)
        elif net == 0 and following in {"{", ":", ""}:
            yield Edit(bare, end, (shuts,), end - cut)
        elif net == 0:
            yield Edit(cut, end, () if bare != cut or cut == opening + 1 else (comma,), end - cut)
            yield Edit(bare, end, (shuts,), end - cut)


def _closed_declaration(tokens: Sequence[Token], start: int, end: int, surplus: int) -> Iterator[Edit]:
    """A declaration that lacks its end: closed, with a gap behind it."""
    place = None if _inside_parentheses(tokens, start) else closing_place(tokens, start, end)
    if place is None or _net(tokens, place, end) != surplus:
        return
    whole, last = tokens[start].span.hull(tokens[end - 1].span), tokens[place - 1].span
    closes = Token(TokenKind.PUNCTUATOR, ";", Span(last.file, last.end, last.end))
    yield Edit(place, end, (closes, Token(TokenKind.OTHER, "", whole, line_start=True)), end - place)


def _head_parenthesis(tokens: Sequence[Token], line: _Line) -> int | None:
    """The unclosed `(` of a function head that reaches the end of the line."""
    depth = 0
    for i in range(line.end - 1, max(-1, line.end - 300), -1):
        text = tokens[i].text
        if text == ")":
            depth += 1
        elif text == "(":
            depth -= 1
            if depth < 0:
                return i if _is_head(tokens, i) else None
        elif text in {";", "{", "}"}:
            return None
    return None


def _is_head(tokens: Sequence[Token], opening: int) -> bool:
    for i in range(opening - 1, max(-1, opening - 40), -1):
        if tokens[i].text in {"__global__", "__device__"}:
            return True
        if tokens[i].text in {";", "}", "{"}:
            return False
    return False


def _missing_close(
    tokens: Sequence[Token], lines: list[_Line], column_of: Callable[[Token], int], surplus: int
) -> Iterator[Edit]:
    """A lost `}`: insert it before the first line that stands further left than its block allows."""
    blocks: list[int] = []
    for index, line in enumerate(lines):
        column = column_of(tokens[line.start])
        closes = tokens[line.start].text == "}"
        if blocks and (column < blocks[-1] if closes else column <= blocks[-1]):
            place = line.start if index == 0 else lines[index - 1].end
            yield from _balanced(tokens, place, place, surplus)
            return
        for i in range(line.start, line.end):
            if tokens[i].text == "{":
                blocks.append(column)
            elif tokens[i].text == "}" and blocks:
                blocks.pop()
