r"""C expressions of claims (`assert`, `ensures`), read by pycparser into the tree of the program's own expressions.

They mean what they would mean as a statement at their place: types, conversions and unsigned numbers as in C.  `\old(e)` is a call of `OLD`.
There are no assignments, no `&`, and no calls but of a few functions, so that nothing is changed by them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from analysis_core.support.recursion import deep_recursion
from analysis_core.syntax.lex.macros import Macro
from analysis_core.syntax.read.annotation_terms import Piece, Reading, Unread, parsed, token_places
from analysis_core.syntax.read.annotation_tree import OLD
from analysis_core.syntax.read.tree import (
    Binary,
    Call,
    Conditional,
    Expr,
    Literal,
    LiteralKind,
    Member,
    Name,
    Subscript,
    Unary,
)
from analysis_core.text.span import Span

_FUNCTIONS: Mapping[str, int] = {"min": 2, "max": 2, "abs": 1}
_BACKSLASH = re.compile(r"\\([A-Za-z_]\w*)?")
_WORD = "_old"
"""What the parser, which knows no backslash, is shown for `\\old`."""


def read_expression(piece: Piece, macros: Mapping[str, Macro]) -> Expr:
    """The expression that a piece of text is; raises `Unread`."""
    for match in _BACKSLASH.finditer(piece.text):
        if match[1] != "old":
            raise Unread(f"`{match[0]}` is not understood; there is `\\old`", piece.span(*match.span()))
    taken = re.search(rf"(?<!\\)\b{_WORD}\b", piece.text)
    if taken is not None:
        raise Unread(f"`{_WORD}` cannot be used in an annotation", piece.span(*taken.span()))
    return _read(replace(piece, text=piece.text.replace(r"\old", _WORD)), macros, frozenset())


def _read(piece: Piece, macros: Mapping[str, Macro], expanding: frozenset[str]) -> Expr:
    tokens = token_places(piece, "[]")
    with deep_recursion():
        return _Expressions(piece, tokens, macros, expanding).expression(parsed(piece, tokens))


class _Expressions(Reading):
    """pycparser's tree to that of the program."""

    __slots__ = ()

    def expression(self, node: Any) -> Expr:
        kind = type(node).__name__
        match kind:
            case "Constant":
                value = self.number(node)
                return Literal(span=self.token(node), kind=LiteralKind.INT, text=_spelled(value, node.value))
            case "ID":
                return self._name(node)
            case "StructRef" if node.type == ".":
                base, span = self.expression(node.name), self.token(node.field)
                return Member(span=base.span.hull(span), base=base, name=node.field.name, arrow=False, name_span=span)
            case "StructRef":
                raise Unread("`->` cannot be used in an annotation; write `p[0].n`", self.token(node))
            case "ArrayRef":
                base, index = self.expression(node.name), self.expression(node.subscript)
                return Subscript(span=self._to_bracket(base.span.hull(index.span)), base=base, index=index)
            case "UnaryOp" if node.op in ("-", "+", "!", "~"):
                operand = self.expression(node.expr)
                begin = self.operator_before(self.at(node), node.op)
                whole = self.with_parentheses(begin.hull(operand.span))
                return Unary(span=whole, op=node.op, operand=operand)
            case "BinaryOp":
                left, right = self.expression(node.left), self.expression(node.right)
                whole = self.with_parentheses(left.span.hull(right.span))
                return Binary(span=whole, op=node.op, left=left, right=right)
            case "TernaryOp":
                parts = [self.expression(part) for part in (node.cond, node.iftrue, node.iffalse)]
                whole = self.with_parentheses(parts[0].span.hull(parts[2].span))
                return Conditional(span=whole, condition=parts[0], then=parts[1], otherwise=parts[2])
            case "FuncCall":
                return self._call(node)
            case _:
                raise Unread(f"{_WORDS.get(kind, 'this')} cannot be used in an annotation", self.token(node))

    def _to_bracket(self, span: Span) -> Span:
        """The span with the bracket that closes behind it."""
        if self.piece.fixed is not None:
            return span
        end = self.piece.text.find("]", span.end - self.piece.start)
        return span if end < 0 else span.hull(self.piece.span(end, end + 1))

    def _name(self, node: Any) -> Expr:
        span = self.token(node)
        if node.name in ("true", "false"):
            return Literal(span=span, kind=LiteralKind.BOOL, text=node.name)
        macro = self.constant(node.name)
        if macro is None or self.is_too_deep(macro):
            return Name(span=span, name=node.name)
        try:
            return _read(self.body_of(macro, span), self.macros, self.expanding | {macro.name})
        except Unread:
            raise Unread(f"the macro `{macro.name}` is no integer expression", span) from None

    def _call(self, node: Any) -> Expr:
        name = node.name.name if type(node.name).__name__ == "ID" else ""
        span = self.token(node)
        args = tuple(self.expression(arg) for arg in (node.args.exprs if node.args is not None else ()))
        whole = self.closed(span, self.at(node))
        known = {**_FUNCTIONS, _WORD: 1}
        if name not in known:
            raise Unread(f"a claim calls nothing but {', '.join(sorted(_FUNCTIONS))} and `\\old`", span)
        if len(args) != known[name]:
            raise Unread(f"`{name}` takes {known[name]} argument{'s' * (known[name] > 1)}, not {len(args)}", whole)
        return Call(span=whole, callee=Name(span=span, name=OLD if name == _WORD else name), args=args)


def _spelled(value: int, written: str) -> str:
    """The number with its suffixes; binary and octal ones as others, which C++ reads alike."""
    digits = written.replace("'", "").rstrip("uUlL")
    suffix = written[len(written.rstrip("uUlL")) :]
    return f"0x{value:x}{suffix}" if len(digits) > 1 and digits[0] == "0" else f"{value}{suffix}"


_WORDS: Mapping[str, str] = {
    "Assignment": "an assignment",
    "ExprList": "`,`",
    "Cast": "a cast",
    "UnaryOp": "this operator",
}
