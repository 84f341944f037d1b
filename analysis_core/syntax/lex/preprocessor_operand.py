"""Operands of directives: `defined` and `__has_include` replaced by their values, and tokens spelled out again."""

from __future__ import annotations

from types import MappingProxyType
from typing import Callable, Sequence

from analysis_core.syntax.lex.tokens import Token, TokenKind

_QUESTIONS = frozenset({"__has_attribute", "__has_cpp_attribute", "__has_builtin", "__has_include_next"})
"""Questions about the host compiler.  Attributes are answered as GCC 12 does, everything else with 0."""

_ATTRIBUTES = MappingProxyType(
    {
        "fallthrough": 201603,
        "nodiscard": 201603,
        "maybe_unused": 201603,
        "likely": 201803,
        "unlikely": 201803,
        "no_unique_address": 201803,
        "deprecated": 201309,
        "noreturn": 200809,
        "gnu::fallthrough": 1,
        "gnu::always_inline": 1,
        "gnu::noinline": 1,
        "gnu::unused": 1,
    }
)


def spelled(tokens: Sequence[Token]) -> str:
    """The spellings, one blank where white space was."""
    words: list[str] = []
    for token in tokens:
        if words and token.space:
            words.append(" ")
        words.append(token.text)
    return "".join(words)


def with_operators(
    tokens: Sequence[Token], is_defined: Callable[[str], bool], has_header: Callable[[str], bool]
) -> Sequence[Token]:
    """A condition with `defined X`, `defined(X)` and `__has_include(...)` replaced by 0 or 1.

    A malformed operator stays as it is, and evaluation then reports what it met instead."""
    if not any(token.text == "defined" or token.text.startswith("__has_") for token in tokens):
        return tokens
    out: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        end = index + 1
        value: int | None = None
        if token.text == "defined":
            end, value = _defined(tokens, index + 1, is_defined)
        elif token.text == "__has_include" or token.text in _QUESTIONS:
            end, header = _parenthesised(tokens, index + 1)
            if header is not None:
                value = _answer(token.text, header, has_header)
        if value is None:
            out.append(token)
            index += 1
        else:
            out.append(Token(TokenKind.NUMBER, str(int(value)), token.span, token.space))
            index = end
    return out


def _answer(question: str, operand: str, has_header: Callable[[str], bool]) -> int:
    if question == "__has_include":
        return int(operand[:1] in ("<", '"') and has_header(operand))
    if question == "__has_cpp_attribute":
        return _ATTRIBUTES.get(operand.replace(" ", "").replace("__", ""), 0)
    if question == "__has_attribute":
        return int("gnu::" + operand.replace("__", "") in _ATTRIBUTES)
    return 0


def _defined(tokens: Sequence[Token], index: int, is_defined: Callable[[str], bool]) -> tuple[int, bool | None]:
    """The end of the operator whose operand begins at `index`, and its value; None if it is malformed."""
    words = [token.text for token in tokens[index : index + 3]]
    if len(words) == 3 and words[0] == "(" and words[2] == ")":
        return index + 3, is_defined(words[1])
    if words and tokens[index].kind is TokenKind.IDENTIFIER:
        return index + 1, is_defined(words[0])
    return index, None


def _parenthesised(tokens: Sequence[Token], index: int) -> tuple[int, str | None]:
    """The end of a parenthesised operand that begins at `index`, and its spelling without the parentheses."""
    if index >= len(tokens) or tokens[index].text != "(":
        return index, None
    depth = 0
    for end in range(index, len(tokens)):
        depth += (tokens[end].text == "(") - (tokens[end].text == ")")
        if depth == 0:
            return end + 1, spelled(tokens[index + 1 : end])
    return index, None


def quoted(text: str) -> str:
    """A string literal of the text."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
