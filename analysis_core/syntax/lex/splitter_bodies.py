"""Finding where a body ends, also while braces are missing.

In a file whose braces balance, counting them is right and nothing else is tried.  Otherwise a body is suspected:

- it cannot go on over a token that only begins another top-level item (`__global__`, `template`, a namespace, or the
  head of a function with a body, `type name(...) {`, which C++ does not allow inside of functions);
- the `}` that ends it stands on a line of its own in the column where the item's first line begins.

So the end is the brace that counting finds, if its column agrees; else the first closing brace in the right column
before the next item; else what counting found; else the beginning of the next item.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Callable, Sequence

from analysis_core.syntax.lex.splitter_items import CUDA_SPACES, GROUP_SPECIFIERS, SPECIFIERS, STATEMENT_WORDS
from analysis_core.syntax.lex.tokens import Token, TokenKind
from analysis_core.text.records import dataclass

_MARKS = frozenset({"{", "}", "__global__", "template", "namespace", "extern", *CUDA_SPACES})
_BOUNDARY = frozenset({";", "{", "}"})


@dataclass(frozen=True, slots=True)
class Structure:
    """What the splitter knows of a token sequence: the places that matter, and its surplus of braces.

    `surplus` > 0: more `}` than `{`; < 0: more `{`.  `column` gives a token's column in its file (any fixed base),
    or None where columns are not known."""

    tokens: Sequence[Token]
    marks: tuple[int, ...]
    surplus: int
    column: Callable[[Token], int] | None

    @staticmethod
    def of(tokens: Sequence[Token], column: Callable[[Token], int] | None) -> Structure:
        """Finds the marks; linear."""
        wanted = _MARKS
        marks = tuple([i for i, token in enumerate(tokens) if token.text in wanted])
        surplus = sum((tokens[i].text == "}") - (tokens[i].text == "{") for i in marks)
        return Structure(tokens, marks, surplus, column)


@dataclass(frozen=True, slots=True)
class Body:
    """`end` is behind the body's last token; `closed`: that is the brace that counting finds."""

    end: int
    closed: bool


def body_end(structure: Structure, item: int, first: int) -> Body:
    """The end of the function body whose text begins at `first` (behind its `{`), of the item begun at `item`."""
    tokens = structure.tokens
    counted, limit = _scan(structure, first)
    if structure.surplus == 0 and counted >= 0:
        return Body(counted + 1, True)
    if structure.column is None:
        return Body(counted + 1, True) if counted >= 0 else Body(limit, False)
    heading = _heading_column(structure, item, first)
    if counted >= 0 and _ends_item(structure, item, counted, heading):
        return Body(counted + 1, True)
    if heading:
        for place in structure.marks[bisect_left(structure.marks, first) :]:
            if place >= limit:
                break
            if tokens[place].text == "}" and _ends_item(structure, item, place, heading):
                return Body(place + 1, False)
    if counted >= 0:
        return Body(counted + 1, True)
    return Body(limit, False)


def _heading_column(structure: Structure, item: int, first: int) -> int:
    """The leftmost column in which a line of the item's head begins; 0 where the head stands in no file."""
    assert structure.column is not None
    column = structure.column
    return min(
        (column(token) for token in structure.tokens[item:first] if token.line_start and not token.expansion),
        default=0,
    )


def _ends_item(structure: Structure, item: int, place: int, heading: int) -> bool:
    """Whether the brace at `place` stands where the item's last belongs: below its head, or on its only line."""
    tokens = structure.tokens
    assert structure.column is not None
    if tokens[place].span.file != tokens[item].span.file or tokens[place].expansion:
        return False
    if not tokens[place].line_start:
        return not any(token.line_start for token in tokens[item + 1 : place + 1])
    return structure.column(tokens[place]) == heading


def _scan(structure: Structure, first: int) -> tuple[int, int]:
    """The brace that closes a body by counting (-1 if another item begins before), and where the next item begins."""
    tokens = structure.tokens
    marks = structure.marks
    records = [False]  # for each open brace, whether it is a record's: there methods and templates are at home
    counted = -1
    for at in range(bisect_left(marks, first), len(marks)):
        place = marks[at]
        text = tokens[place].text
        if text == "{":
            if counted < 0 or structure.surplus:
                header = nested_function(tokens, place, first) if structure.surplus and not records[-1] else -1
                if header >= 0:
                    return counted, header
            records.append(_opens_record(tokens, place, first))
        elif text == "}":
            if len(records) > 1:
                records.pop()
            elif counted < 0:
                counted = place
                if structure.surplus == 0:
                    return counted, len(tokens)
                records = [False]
        else:
            header = starter(tokens, place, first, records[-1])
            if header >= 0:
                return counted, header
    return counted, len(tokens)


def starter(tokens: Sequence[Token], place: int, first: int, in_record: bool) -> int:
    """The beginning of the top-level item that the marked word at `place` proves, or -1.

    `first`: no item begins before it."""
    text = tokens[place].text
    before = tokens[place - 1].text if place else ""
    if text == "__global__":
        if place + 1 < len(tokens) and tokens[place + 1].text in (")", ","):
            return -1  # an attribute's name
        begin = prefix_start(tokens, place, first)
        return -1 if any(token.text == "friend" for token in tokens[begin:place]) else begin
    at_statement = place == first or before in _BOUNDARY or tokens[place - 1].kind is TokenKind.PRAGMA
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    if following is None:
        return -1
    if text == "namespace":
        behind = tokens[place + 2].text if place + 2 < len(tokens) else ""
        opens = following.text == "{" or (following.kind is TokenKind.IDENTIFIER and behind in ("{", "::"))
        return place if opens and at_statement else -1
    if text == "extern":
        return place if following.kind is TokenKind.STRING and at_statement else -1
    if in_record:
        return -1
    if text == "template":
        return place if following.text == "<" and at_statement else -1
    begin = prefix_start(tokens, place, first)
    at_boundary = begin == first or tokens[begin - 1].text in _BOUNDARY
    return begin if at_boundary and tokens[begin].line_start and before not in ("]", ")") else -1


def prefix_start(tokens: Sequence[Token], place: int, first: int) -> int:
    """The first token of the specifiers, attributes and template header in front of `place`."""
    begin = place
    while begin > first:
        token = tokens[begin - 1]
        if token.kind is TokenKind.IDENTIFIER and token.text not in STATEMENT_WORDS:
            if token.text in SPECIFIERS or token.line_start or _same_line(tokens, begin - 1, place):
                begin -= 1
                continue
        elif token.kind is TokenKind.STRING and begin - 1 > first and tokens[begin - 2].text == "extern":
            begin -= 2
            continue
        elif token.text == ")":
            group = _group_start(tokens, begin - 1, first)
            if group > first and tokens[group - 1].text in GROUP_SPECIFIERS:
                begin = group - 1
                continue
        elif token.text in (">", ">>"):
            group = _template_start(tokens, begin - 1, first)
            if group >= 0:
                begin = group
                continue
        break
    # A name on an earlier line is a specifier only if it begins its line: `x = y` above is no prefix.
    while begin < place and not tokens[begin].line_start and begin > first and tokens[begin - 1].text not in _BOUNDARY:
        begin += 1
    return begin


def _same_line(tokens: Sequence[Token], index: int, place: int) -> bool:
    return not any(token.line_start for token in tokens[index + 1 : place + 1])


def _group_start(tokens: Sequence[Token], close: int, first: int) -> int:
    """The `(` that matches the `)` at `close`, not before `first`; -1 if there is none within a statement."""
    depth = 0
    for place in range(close, first - 1, -1):
        text = tokens[place].text
        if text == ")":
            depth += 1
        elif text == "(":
            depth -= 1
            if depth == 0:
                return place
        elif text in ("{", "}"):
            return -1
    return -1


def _template_start(tokens: Sequence[Token], close: int, first: int) -> int:
    """The `template` whose header ends with the `>` at `close`, or -1."""
    for place in range(close, max(first - 1, close - 400), -1):
        text = tokens[place].text
        if text == "template":
            return place
        if text in (";", "{", "}"):
            return -1
    return -1


def nested_function(tokens: Sequence[Token], brace: int, first: int) -> int:
    """The beginning of the function head that ends before the `{` at `brace`, or -1 if that opens something else."""
    if brace <= first or tokens[brace - 1].text != ")":
        return -1
    group = _group_start(tokens, brace - 1, first)
    if group <= first + 1:
        return -1
    name, kind = tokens[group - 1], tokens[group - 2]
    if name.kind is not TokenKind.IDENTIFIER or name.text in STATEMENT_WORDS or name.text in GROUP_SPECIFIERS:
        return -1
    if not (kind.kind is TokenKind.IDENTIFIER or kind.text in ("*", "&", ">", ">>", "::")):
        return -1
    begin = group - 1
    while begin > first and _in_head(tokens[begin - 1]):
        begin -= 1
    return begin if tokens[begin].line_start else -1


def _in_head(token: Token) -> bool:
    if token.kind is TokenKind.IDENTIFIER:
        return token.text not in STATEMENT_WORDS
    return token.text in ("*", "&", "<", ">", ">>", "::", ",") or token.kind is TokenKind.NUMBER


def _opens_record(tokens: Sequence[Token], brace: int, first: int) -> bool:
    """Whether the `{` at `brace`, inside of a function, opens a struct, class or union."""
    place = brace - 1
    while place >= first and brace - place < 40:
        token = tokens[place]
        if token.text in ("struct", "class", "union"):
            return True
        if token.kind is not TokenKind.IDENTIFIER and token.text not in (":", "::", ",", "<", ">"):
            return False
        place -= 1
    return False
