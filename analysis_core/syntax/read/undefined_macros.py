"""Macros that no file in view defines, recognised by where they stand and how they are spelled.

LOOP(i, n) { .. }                       a statement that is not understood
API_INLINE __device__ float f(..);      says nothing about the function
BOUNDS(256) __global__ void k(..)       nor does this
LIB_PRAGMA_UNROLL for (..) ..           a pragma, by its name
DISPATCH(n, N, { k<N><<<1, 128>>>(p); })    of the host: what is handed on is read like a lambda, in which nothing says what `N` is
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.syntax.lex.splitter_items import SPECIFIERS
from analysis_core.syntax.lex.tokens import Token, TokenKind
from analysis_core.syntax.read.environment import TYPE_KEYWORDS, Environment, Sort
from analysis_core.syntax.read.lexical import WITH_ARGUMENTS, after_brackets

_STATEMENT_WORDS = frozenset(
    [
        "if",
        "for",
        "while",
        "switch",
        "catch",
        "return",
        "sizeof",
        "do",
        "else",
        "asm",
        "__asm__",
        "__asm",
        "new",
        "delete",
        "throw",
        "decltype",
        "case",
        "default",
        "static_assert",
        "alignas",
        "noexcept",
    ]
)


def macro_statement(tokens: Sequence[Token], i: int, start: int, end: int, scope: Environment) -> int | None:
    """The end of `LOOP(i, n)` in `LOOP(i, n) { ... }` within a body, where no file in view defines the macro. A line
    `DECLARE(T, x)` in capitals without a `;` counts likewise."""
    token = tokens[i]
    if token.kind is not TokenKind.IDENTIFIER or i + 1 >= end or tokens[i + 1].text != "(" or i == start:
        return None
    if tokens[i - 1].text not in {";", "{", "}", ")", "else"} or token.text in _STATEMENT_WORDS:
        return None
    stop = after_brackets(tokens, i + 1, end)
    if stop >= end or scope.sort(token.text) is not Sort.UNKNOWN:
        return None
    after = tokens[stop]
    begins_anew = (
        token.text.isupper() and after.kind is TokenKind.IDENTIFIER and after.line_start and len(token.text) > 2
    )
    names_type = tokens[i + 2].text in TYPE_KEYWORDS and tokens[i + 3].text == ","  # no call has a bare type argument
    if after.text != "{" and not begins_anew and not (names_type and after.text == ";"):
        return None
    return None if token.text in WITH_ARGUMENTS or token.text in scope.item.types else stop


_DEPTH = {")": -1, "]": -1, "}": -1, "(": 1, "[": 1, "{": 1}
_LONGEST_STATEMENT = 4096
"""Tokens up to the first `;` of a block."""
_DEEPEST = 64
"""Brackets in it that are open at once."""


def block_argument(tokens: Sequence[Token], i: int, start: int, end: int) -> bool:
    """Whether the brace at `i` begins statements that a macro is handed: an argument with a `;` of its own."""
    if i == start or tokens[i - 1].text not in (",", "("):
        return False
    depth = 0
    for j in range(i, min(end, i + _LONGEST_STATEMENT)):
        text = tokens[j].text
        depth += _DEPTH.get(text, 0)
        if not 0 < depth < _DEEPEST or (depth == 1 and text == ";"):
            return depth == 1
    return False


_LOOPS = frozenset({"for", "while", "do"})
_SPECIFIERS = (SPECIFIERS | WITH_ARGUMENTS) - TYPE_KEYWORDS - {"struct", "class", "union", "enum", "typedef", "friend"}
_BEFORE_DECLARATION = frozenset({";", "{", "}", ":", ")", ">"})
_IN_TYPES = frozenset({"*", "&", "&&", "::", "~", ">", ">>"})
_MOST_TOKENS = 60
"""From a macro to the parameters of the function that it stands before."""


def dropped_macro(tokens: Sequence[Token], i: int, start: int, end: int, scope: Environment) -> tuple[int, str] | None:
    """The end of a macro that is no part of what is read, and what it is taken for: a "#pragma", or an attribute, "" then."""
    if not _is_macro(tokens[i], scope):
        return None
    stop = _after(tokens, i, end)
    if stop < end and tokens[stop].text in _LOOPS:
        return (stop, "#pragma") if "UNROLL" in tokens[i].text or "PRAGMA" in tokens[i].text else None
    return (stop, "") if _is_attribute(tokens, i, stop, start, end, scope) else None


def _is_attribute(tokens: Sequence[Token], i: int, stop: int, start: int, end: int, scope: Environment) -> bool:
    """Whether this stands before the name of a function whose type is another word."""
    before = tokens[i - 1].text if i > start else ";"
    typed = before in TYPE_KEYWORDS
    if not (typed or before in _SPECIFIERS or before in _BEFORE_DECLARATION):
        return False
    words = _words_before_parameters(tokens, stop, end, scope)
    constructs = len(words) == 1 and (words[0] == "operator" or scope.sort(words[0]) is Sort.TYPE)
    return len(words) > 1 or constructs or (typed and bool(words))


def _is_macro(token: Token, scope: Environment) -> bool:
    """Whether a word is spelled like a macro, and nothing in view is called so."""
    spelled = token.kind is TokenKind.IDENTIFIER and len(token.text) > 2 and token.text.isupper()
    return spelled and scope.sort(token.text) is Sort.UNKNOWN


def _after(tokens: Sequence[Token], i: int, end: int) -> int:
    """One past a word and its group, if it has one."""
    return after_brackets(tokens, i + 1, end) if i + 1 < end and tokens[i + 1].text == "(" else i + 1


def _words_before_parameters(tokens: Sequence[Token], i: int, end: int, scope: Environment) -> list[str]:
    """The words of type and name up to the parameters of a function; none where no function is declared."""
    words: list[str] = []
    depth = 0
    while i < min(end, i + _MOST_TOKENS):
        text = tokens[i].text
        if text == "operator":
            return [*words, text]
        if text in (";", "=", "{", "}", ")", ",", "[") and not depth:
            return []
        if text in WITH_ARGUMENTS or _is_macro(tokens[i], scope):
            i = _after(tokens, i, end)
            continue
        if text == "(" and not depth:
            return words
        depth += {"<": 1, ">": -1, ">>": -2}.get(text, 0)
        if depth < 0:
            return []
        if tokens[i].kind is TokenKind.IDENTIFIER:
            if not depth and text not in _SPECIFIERS and tokens[i - 1].text != "::":
                words.append(text)
        elif not depth and text not in _IN_TYPES:
            return []
        i += 1
    return []
