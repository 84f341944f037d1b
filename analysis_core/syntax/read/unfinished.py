"""A declaration whose end is still to be typed: where it can be closed, so that all who use its names keep them.

    float sum = a[i]        closed as it stands
    float sum = a[          closed before the `=`: the name is known, its value is not

Blanked like any other line, it would leave every use of its names undeclared.  What looks like a declaration here need not be one:
whoever asks judges the closed text by reading it (repair.py).
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.syntax.lex.tokens import Token, TokenKind

_NO_TYPE = frozenset(
    [
        "return",
        "goto",
        "case",
        "default",
        "break",
        "continue",
        "else",
        "do",
        "if",
        "for",
        "while",
        "switch",
        "delete",
        "throw",
        "new",
        "sizeof",
        "template",
    ]
)
"""Words that begin something else than a declaration, or an operand."""

_NAME_ENDS = frozenset({"=", "(", "[", "{", ",", ":"})
_NEEDS_VALUE = frozenset({"auto", "&", "&&"})
_OPEN = frozenset({"(", "[", "{"})
_SHUT = frozenset({")", "]", "}"})
_LITERALS = frozenset({TokenKind.NUMBER, TokenKind.CHAR, TokenKind.STRING})


def closing_place(tokens: Sequence[Token], start: int, end: int) -> int | None:
    """The index of the token behind which a `;` closes a declaration that lacks its end. None if the tokens `start <=
    i < end` are no declaration, or end in the middle of a declarator."""
    if not _declares(tokens, start, end):
        return None
    depth, assigned = 0, -1
    for i in range(start, end):
        text = tokens[i].text
        if text in _OPEN:
            depth += 1
        elif text in _SHUT:
            depth -= 1
        elif depth == 0 and text == ",":
            assigned = -1
        elif depth == 0 and text == "=" and assigned < 0:
            assigned = i
        if depth < 0 or text == ";":
            return None
    last = tokens[end - 1]
    if depth == 0 and (last.text in _SHUT or last.kind is TokenKind.IDENTIFIER or last.kind in _LITERALS):
        return end
    if assigned < 0 or any(t.text in _NEEDS_VALUE for t in tokens[start:assigned]):
        return None
    return assigned


def _declares(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether the tokens begin with a type and a name."""
    if start >= end or tokens[start].kind is not TokenKind.IDENTIFIER or tokens[start].text in _NO_TYPE:
        return False
    name = next((i for i in range(start, end) if tokens[i].text in _NAME_ENDS), end) - 1
    if name <= start or tokens[name].kind is not TokenKind.IDENTIFIER:
        return False
    before = tokens[name - 1]
    return before.kind is TokenKind.IDENTIFIER or before.text in {"*", "&", "&&", ">"}
