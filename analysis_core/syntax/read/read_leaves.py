"""The parts of expressions that both readers make alike: literals, constructions, alternative operator spellings."""

from __future__ import annotations

from analysis_core.support.facts import CauseKind
from analysis_core.syntax.lex.tokens import TokenKind
from analysis_core.syntax.read.reader import Reader
from analysis_core.syntax.read.tree import (
    Cast,
    Construct,
    Expansion,
    Expr,
    InitList,
    Literal,
    LiteralKind,
    Name,
    TypeNode,
)

ALTERNATIVE = {
    "or": "||",
    "and": "&&",
    "bitor": "|",
    "xor": "^",
    "bitand": "&",
    "not_eq": "!=",
    "not": "!",
    "compl": "~",
}
"""C++ spells these operators in two ways."""


def construct(reader: Reader, start: int, end: int, node: TypeNode, args: tuple[Expr, ...], braces: bool) -> Expr:
    """`T(x)` is a functional cast; `T(a, b)`, `T()` and `T{...}` construct."""
    span, expansion = reader.span(start, end), reader.expansion(start)
    if len(args) == 1 and not braces:
        return Cast(span=span, expansion=expansion, style="functional", type=node, operand=args[0])
    return Construct(span=span, expansion=expansion, type=node, args=args, braces=braces)


def ambiguous_cast(reader: Reader, start: int, end: int, shut: int, operand: Expr) -> Expr:
    """`(X) - y` where nothing says whether X is a type or a value.  Either way y is evaluated, and nothing else happens; of
    `(X) & y` and `(X) * y` not even that is known."""
    name = reader.joined(start + 1, shut)
    part = operand if reader.tokens[shut + 1].text in ("-", "+") else None
    return reader.opaque(start, end, f"`{name}` is not declared: it may be a type or a value", CauseKind.MISSING, part)


def literal(reader: Reader, start: int, end: int) -> Literal:
    """The literal made of these tokens; neighbouring strings are one literal, its text joined by blanks."""
    token = reader.tokens[start]
    return Literal(
        span=reader.span(start, end),
        expansion=token.expansion,
        kind=_literal_kind(token.kind, token.text),
        text=reader.joined(start, end),
    )


def _literal_kind(kind: TokenKind, text: str) -> LiteralKind:
    if kind is TokenKind.CHAR:
        return LiteralKind.CHAR
    if kind is TokenKind.STRING:
        return LiteralKind.STRING
    if text in {"true", "false"}:
        return LiteralKind.BOOL
    if text in {"nullptr", "NULL"}:
        return LiteralKind.NULL
    lower = text.lower()
    if lower.startswith("0x"):
        return LiteralKind.FLOAT if "p" in lower else LiteralKind.INT
    if "." in lower or "e" in lower or lower.endswith("f"):
        return LiteralKind.FLOAT
    return LiteralKind.INT


def listed(items: InitList) -> tuple[Expr, ...]:
    """The arguments of `T{...}`: the items, or the list itself where designators would be lost."""
    return (items,) if any(d is not None for d in items.designators) else items.items


def expansion(reader: Reader, start: int, end: int, pattern: Expr) -> Expr:
    """`pattern...`; of a bare name the tree keeps the name."""
    if isinstance(pattern, Name) and pattern.template_args is None:
        return pattern
    return Expansion(span=reader.span(start, end), expansion=reader.expansion(start), pattern=pattern)
