"""Where short runs of tokens end: what the rendering takes out or spells anew, recognised without any grammar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from analysis_core.syntax.lex.tokens import Token, TokenKind
from analysis_core.syntax.read.environment import COMBINING, TYPE_KEYWORDS, Environment, Sort
from analysis_core.syntax.read.misreadings import Brackets

WITH_ARGUMENTS = frozenset(
    [
        "__launch_bounds__",
        "__align__",
        "__builtin_align__",
        "alignas",
        "__attribute__",
        "__attribute",
        "__declspec",
        "__cluster_dims__",
        "__block_size__",
        "__maxnreg__",
        "noexcept",
        "__nv_pure__",
        "_Alignas",
    ]
)
"""Words of declarations that take arguments in parentheses and say nothing about the type."""

OFFSETS = frozenset({"offsetof", "__builtin_offsetof"})

UNEVALUATED = frozenset({"noexcept", "typeid", *OFFSETS})
"""Operators that do not evaluate their operand, which the grammar does not know as such."""

_OPERATORS = frozenset({"(", ",", "=", "{", ";", "<", "?", ":", "!", "&&", "||", "+", "-", "*", "==", "!=", "&", "|", "^", "return", "requires", "and", "or", "not"})  # fmt: skip
_BEHIND_PARAMETERS = frozenset({")", "const", "volatile", "mutable"})


def member_star(tokens: Sequence[Token], i: int, end: int, close: Mapping[int, int]) -> int:
    """The `*` of `C<T>::*`, a pointer to a member of the class that is named at token `i`; -1 if no such thing begins there."""
    j = i + (tokens[i].text == "::")
    while j < end and tokens[j].kind is TokenKind.IDENTIFIER:
        j += 1
        if j in close:
            j = close[j] + 1
        if j + 1 >= end or tokens[j].text != "::":
            return -1
        j += 1
        if tokens[j].text == "*":
            return j
    return -1


def is_late_typedef(tokens: Sequence[Token], i: int, start: int, end: int) -> bool:
    """Whether a `typedef` stands behind its type, directly before the only name: `struct {..} typedef Pair;`."""
    if tokens[i].text != "typedef" or i == start or i + 2 >= end:
        return False
    return tokens[i + 1].kind is TokenKind.IDENTIFIER and tokens[i + 2].text == ";"


def is_operator(tokens: Sequence[Token], i: int, start: int) -> bool:
    """Whether `noexcept(e)` or `typeid(e)` at token `i` is an expression, not what is said behind the parameters of a function."""
    if tokens[i].text != "noexcept" or i == start:
        return True
    before = tokens[i - 1].text
    referring = before in {"&", "&&"} and i - 2 >= start and tokens[i - 2].text in _BEHIND_PARAMETERS
    return before in _OPERATORS and not referring


def launch_end(tokens: Sequence[Token], i: int, end: int) -> int | None:
    """The `>>` of the `>> >` that closes the `<< <` at token `i`."""
    j = i + 2
    while j + 2 < end and tokens[j].text not in {";", "{", "}", ")"}:
        if tokens[j].text == ">>" and tokens[j + 1].text == ">" and tokens[j + 2].text == "(":
            return j
        j = after_brackets(tokens, j, end) if tokens[j].text in {"(", "["} else j + 1
    return None


def may_start_block_expression(tokens: Sequence[Token], i: int, start: int) -> bool:
    """Whether `({` at token `i` is GNU C's block that is an expression, and not an argument list."""
    before = tokens[i - 1]
    if i == start or before.kind is TokenKind.IDENTIFIER:
        return i == start or before.text in {"return", "case"}
    return before.text not in {")", "]", ">", ">>", ">>>"}


def functional_type(tokens: Sequence[Token], i: int, start: int, end: int) -> int:
    """The end of `unsigned int` in `x = unsigned int(y)`; `i` if token i does not start such a cast."""
    if i == start or (tokens[i - 1].kind is not TokenKind.PUNCTUATOR and tokens[i - 1].text != "return"):
        return i
    if tokens[i - 1].text in {";", "{", "}", ")", "<", ">", ">>", ","}:
        return i
    stop = i
    while stop < end and (tokens[stop].text in COMBINING or tokens[stop].text == "int"):
        stop += 1
    if stop + 1 < end and tokens[stop].text == "(" and tokens[stop + 1].text not in {"*", "&", ")"}:
        return stop
    return i


def makes_object(tokens: Sequence[Token], i: int, end: int, brackets: Brackets) -> bool:
    """Whether the `typename` at token `i` begins `typename T::Load(s)` or `typename T::Params{a, b}`: an object of that type."""
    j = i + 1
    while j < end and (tokens[j].kind is TokenKind.IDENTIFIER or tokens[j].text == "::"):
        j = brackets.close[j + 1] + 1 if j + 1 in brackets.close else j + 1
    following = [token.text for token in tokens[j : min(j + 2, end)]]
    return following[:1] == ["{"] or (following[:1] == ["("] and following[1:] not in (["*"], ["&"], ["&&"]))


def unnamed_bits(tokens: Sequence[Token], i: int, start: int, scope: Environment) -> bool:
    """Whether the `:` at token `i` follows a type, as that of a bit-field without a name does: `unsigned short : 3;`."""
    if i < start + 2 or tokens[i - 1].kind is not TokenKind.IDENTIFIER:
        return False
    if tokens[i - 1].text in TYPE_KEYWORDS:
        return True
    return tokens[i - 2].text in {";", "{", "}", ":", "const"} and scope.sort(tokens[i - 1].text) is Sort.TYPE


def after_new(tokens: Sequence[Token], i: int, end: int, brackets: Brackets) -> int:
    """One past `new (place) const T *[n](args)`: tree-sitter fails on pointers in it."""
    stop = i + 1
    if stop < end and tokens[stop].text == "(":
        stop = after_brackets(tokens, stop, end)
    while stop < end:
        text = tokens[stop].text
        if stop in brackets.close:
            stop = brackets.close[stop] + 1
        elif tokens[stop].kind is TokenKind.IDENTIFIER or text in {"::", "*"}:
            stop += 1
        elif text == "[":
            stop = after_brackets(tokens, stop, end)
        else:
            break
    if stop < end and tokens[stop].text in {"(", "{"}:
        stop = after_brackets(tokens, stop, end)
    return stop


def after_asm(tokens: Sequence[Token], i: int, end: int) -> int:
    stop = i + 1
    while stop < end and tokens[stop].text in {"volatile", "__volatile__", "goto", "inline"}:
        stop += 1
    if stop < end and tokens[stop].text == "(":
        return after_brackets(tokens, stop, end)
    return stop


def after_brackets(tokens: Sequence[Token], i: int, end: int) -> int:
    """One past the bracket that closes the one at token `i`; `end` if none does."""
    depth = 0
    for j in range(i, end):
        text = tokens[j].text
        if text == "(" or text == "[" or text == "{":
            depth += 1
        elif text == ")" or text == "]" or text == "}":
            depth -= 1
            if depth <= 0:
                return j + 1
    return end


def declares_by_reference(tokens: Sequence[Token], i: int, start: int, end: int, brackets: Brackets) -> bool:
    """Whether token `i` begins the statement `T (&r)[4] = x;`, which tree-sitter takes for an assignment to a call."""
    if i > start and tokens[i - 1].text not in {";", "{", "}"}:
        return False
    if i + 5 >= end or tokens[i].kind is not TokenKind.IDENTIFIER:
        return False
    shape = [token.text for token in tokens[i + 1 : i + 6]]
    return shape[0] == "(" and shape[1] in {"&", "*"} and shape[3] == ")" and shape[4] == "["
