"""Renders the tokens of one item as plain C++ text that tree-sitter-cuda reads without error.

Tokens are joined by one blank.  What the grammar does not know is taken out and kept on the side, and what it cannot
decide is spelled so that there is nothing to decide:

* qualifiers, attributes, `__launch_bounds__(...)`, `alignas(...)`, `[[...]]`, pragmas, and undefined macros in their
  place: dropped, kept as `Decoration`s;
* `asm(...)`, and lines blanked by the repair: one placeholder name (a `Mask`);
* `<` and `>` that are operators: spelled `<=` and `>=`, which have the same grammar but never open a template;
* `(T)` in front of an operand: spelled `(int)`; `(x)` before a sign, if x is a value: spelled `((x))`;
* literals: spelled `1`, `""`, `'c'`; non-ASCII names: spelled in ASCII.

**Invariant.** Nothing is ever read back from the rendered text: a node is a range of bytes, hence of tokens, and its
spelling is theirs.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import Enum

from analysis_core.syntax.lex.tokens import Token, TokenKind
from analysis_core.syntax.read.environment import TYPE_KEYWORDS, Environment
from analysis_core.syntax.read.lexical import (
    UNEVALUATED,
    WITH_ARGUMENTS,
    after_asm,
    after_brackets,
    after_new,
    declares_by_reference,
    functional_type,
    is_late_typedef,
    is_operator,
    launch_end,
    makes_object,
    may_start_block_expression,
    member_star,
    unnamed_bits,
)
from analysis_core.syntax.read.misreadings import (
    Brackets,
    CastContent,
    argument_groups,
    cast_contents,
    template_brackets,
    template_variables,
    value_groups,
)
from analysis_core.syntax.read.undefined_macros import block_argument, dropped_macro, macro_statement
from analysis_core.text.records import dataclass


class MaskKind(Enum):
    """What a placeholder stands for."""

    ASM, GAP, LONG_LIST, NEW, UNEVALUATED, TYPE, AMBIGUOUS_CAST, PUNCTUATION, NAME, BLOCK_EXPRESSION, MACRO = range(11)


@dataclass(frozen=True, slots=True)
class Mask:
    """The tokens `start <= i < end` were rendered as one placeholder name."""

    kind: MaskKind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Decoration:
    """A token that was taken out, with the range of its parenthesised arguments (empty if it has none)."""

    index: int
    text: str
    args: tuple[int, int]


@dataclass(slots=True)
class Rendered:
    """`starts[k]` is the offset in `text` of the rendered token `indices[k]`; both ascend.

    `at` and `ends` give the tokens that start and end at an offset.  `skips[i]` is the token after what was dropped at token `i`."""

    text: bytes = b""
    starts: list[int] = field(default_factory=list)
    indices: list[int] = field(default_factory=list)
    at: dict[int, int] = field(default_factory=dict)
    ends: dict[int, int] = field(default_factory=dict)
    decorations: list[Decoration] = field(default_factory=list)
    masks: dict[int, Mask] = field(default_factory=dict)
    skips: dict[int, int] = field(default_factory=dict)
    brackets: Brackets = field(default_factory=Brackets)

    def first_token(self, offset: int) -> int:
        """The token at byte `offset` of the rendered text."""
        found = self.at.get(offset)
        if found is not None:
            return found
        return self.indices[max(0, bisect_right(self.starts, offset) - 1)] if self.indices else 0

    def token_end(self, offset: int) -> int:
        """One past the token that ends at byte `offset` (exclusive), the whole of a mask included."""
        found = self.ends.get(offset)
        if found is not None:
            return found
        if not self.indices:
            return 0
        index = self.indices[max(0, bisect_left(self.starts, offset) - 1)]
        mask = self.masks.get(index)
        return mask.end if mask is not None else index + 1

    def shift(self, by: int) -> None:
        """Accounts for `by` bytes put in front of the text."""
        self.starts = [offset + by for offset in self.starts]
        self.at = {offset + by: index for offset, index in self.at.items()}
        self.ends = {offset + by: index for offset, index in self.ends.items()}

    def decorations_between(self, start: int, end: int) -> list[Decoration]:
        """Those whose token lies in `start <= index < end`, in order."""
        low = bisect_left(self.decorations, start, key=_index)
        high = bisect_left(self.decorations, end, key=_index)
        return self.decorations[low:high]

    def next_token(self, start: int) -> int:
        """The first token at or after `start` that was not dropped."""
        k = bisect_left(self.indices, start)
        return self.indices[k] if k < len(self.indices) else start

    def lead_in(self, start: int) -> int:
        """The first of the dropped tokens that stand directly before token `start`; `start` if there are none."""
        k = bisect_left(self.indices, start)
        if k == 0:
            first = self.decorations[0].index if self.decorations else start
            return min(first, start)
        between = self.decorations_between(self.token_after(self.indices[k - 1]), start)
        return between[0].index if between else start

    def token_after(self, index: int) -> int:
        """The token behind the one that was rendered from `index` on."""
        mask = self.masks.get(index)
        return mask.end if mask is not None else index + 1


def _index(decoration: Decoration) -> int:
    return decoration.index


_PLAIN_QUALIFIERS = frozenset(
    [
        "__global__",
        "__device__",
        "__host__",
        "__forceinline__",
        "__noinline__",
        "__inline__",
        "__inline",
        "inline",
        "static",
        "extern",
        "constexpr",
        "__shared__",
        "__constant__",
        "__managed__",
        "__grid_constant__",
        "register",
        "virtual",
        "explicit",
        "thread_local",
        "__extension__",
        "override",
        "final",
        "__thread",
        "__cdecl",
        "__stdcall",
        "__fastcall",
        "__tile__",
        "consteval",
        "constinit",
        "typename_",
        "_Noreturn",
        "mutable",
    ]
)
STATIC_ASSERT = frozenset({"static_assert", "_Static_assert"})
_ASM = frozenset({"asm", "__asm__", "__asm"})
_FOLD = {
    "__typeof__": "decltype",
    "typeof": "decltype",
    "__typeof": "decltype",
    "__restrict": "__restrict__",
    "restrict": "__restrict__",
    "__volatile__": "volatile",
    "__const": "const",
}
_CONTEXTUAL = frozenset({"override", "final"})
"""Keywords behind the head of a member function or a class alone."""

_BEFORE_SPECIFIER = frozenset({")", "const", "volatile", "noexcept", "&", "&&", *_CONTEXTUAL})
_NO_KEYWORDS = frozenset({"import"})
"""Names to everybody but the grammar: modules are not for device code."""

_LITERAL = {TokenKind.NUMBER: b"1", TokenKind.STRING: b'""', TokenKind.CHAR: b"'c'"}
PLACEHOLDER = b"masked__"
_DEVICE = frozenset({"__global__", "__device__"})
LONGEST_LIST = 4096
"""Tokens in one brace list; a longer one is a table of constants that no answer depends on entry by entry."""


def render(
    tokens: Sequence[Token],
    start: int,
    end: int,
    scope: Environment,
    name: int | None = None,
) -> Rendered:
    """Renders the tokens `start <= i < end`.  `name`: the token of the function's name, where the head ends."""
    rendered = Rendered()
    brackets = rendered.brackets = template_brackets(tokens, start, end, scope)
    casts = cast_contents(tokens, start, end, scope, brackets)
    groups = value_groups(tokens, start, end, casts, brackets)
    names = template_variables(tokens, start, end, scope, brackets)
    before, behind = argument_groups(tokens, brackets)
    braces = 0
    of_host = name is not None and all(token.text not in _DEVICE for token in tokens[start:name])
    parts: list[bytes] = []
    offset = 0
    i = start
    while i < end:
        if i in names:
            stop, piece = names[i], PLACEHOLDER
            rendered.masks[i] = Mask(MaskKind.NAME, i, stop)
        else:
            text = tokens[i].text
            braces += (text == "{") - (text == "}")
            dropped = dropped_macro(tokens, i, start, end, scope)
            macro = macro_statement(tokens, i, start, end, scope) if braces > 0 and dropped is None else None
            if dropped is not None:
                stop, piece = dropped[0], b""
                rendered.decorations.append(Decoration(i, dropped[1], (i + 1, i + 1)))
            elif macro is not None:
                stop, piece = macro, PLACEHOLDER + b" ;"
                rendered.masks[i] = Mask(MaskKind.MACRO, i, stop)
            elif text == "{" and of_host and block_argument(tokens, i, start, end):
                stop, piece = i + 1, b"[&] {"
            elif text == ":" and unnamed_bits(tokens, i, start, scope):
                stop, piece = i + 1, PLACEHOLDER + b" :"
            else:
                stop, piece = _piece(tokens, i, start, end, rendered, casts)
                if i in groups and stop == i + 1:
                    piece += b" " + piece
                piece = b") " * (i in behind) + piece + b" (" * (i in before)
        if piece:
            rendered.starts.append(offset)
            rendered.indices.append(i)
            rendered.at[offset] = i
            parts.append(piece)
            offset += len(piece)
            rendered.ends[offset] = stop
            offset += 1
        elif tokens[stop - 1].text != "::":  # the class in `T C::*` is read
            rendered.skips[i] = stop
        i = stop
    rendered.text = b" ".join(parts)
    return rendered


def _piece(
    tokens: Sequence[Token], i: int, start: int, end: int, rendered: Rendered, casts: Mapping[int, CastContent]
) -> tuple[int, bytes]:
    """The token after the piece that starts at `i`, and its rendering (empty: dropped)."""
    token = tokens[i]
    kind = token.kind
    if kind is TokenKind.PUNCTUATOR:
        return _punctuator(tokens, i, start, end, rendered)
    if kind is TokenKind.IDENTIFIER:
        return _word(tokens, i, start, end, rendered, casts)
    literal = _LITERAL.get(kind)
    if literal is not None:
        return i + 1, b"0" if token.text == "0" else literal
    if kind is TokenKind.PRAGMA:
        rendered.decorations.append(Decoration(i, "#pragma", (i, i + 1)))
        return i + 1, b""
    if not token.text:
        rendered.masks[i] = Mask(MaskKind.GAP, i, i + 1)
        return i + 1, PLACEHOLDER if i > start and tokens[i - 1].text == "(" else PLACEHOLDER + b" ;"
    return i + 1, b"@"


def _punctuator(tokens: Sequence[Token], i: int, start: int, end: int, rendered: Rendered) -> tuple[int, bytes]:
    text = tokens[i].text
    merged = _merged(tokens, i, start, end)
    if merged is not None:
        rendered.masks[i] = Mask(MaskKind.PUNCTUATION, i, i + 2)
        return i + 2, merged
    if text in {"*", "&", "&&"} and i + 1 < end and tokens[i + 1].text == "=":
        return i + 1, text.encode() + b" " + PLACEHOLDER  # `T * = 0`: a parameter without a name
    if text == "<":
        if i in rendered.brackets.close or (i > start and tokens[i - 1].text == "operator"):
            return i + 1, b"<"
        return i + 1, b"<="
    if text == ">":
        if i in rendered.brackets.closers or (i > start and tokens[i - 1].text == "operator"):
            return i + 1, b">"
        return i + 1, b">="
    if text == "[" and i + 1 < end and tokens[i + 1].text == "[" and _may_start_attribute(tokens, i, start):
        stop = after_brackets(tokens, i, end)
        rendered.decorations.append(Decoration(i, "[[", (i + 2, max(i + 2, stop - 2))))
        return stop, b""
    if text == "(" and i + 1 < end and tokens[i + 1].text == "{" and may_start_block_expression(tokens, i, start):
        stop = after_brackets(tokens, i, end)
        if tokens[stop - 1].text == ")" and tokens[stop - 2].text == "}":
            rendered.masks[i] = Mask(MaskKind.BLOCK_EXPRESSION, i, stop)
            return stop, PLACEHOLDER
    if text == "{" and _is_long_list(tokens, i, start, end):
        stop = after_brackets(tokens, i, end)
        if stop - i > LONGEST_LIST:
            rendered.masks[i] = Mask(MaskKind.LONG_LIST, i, stop)
            return stop, PLACEHOLDER
    return i + 1, text.encode("ascii", "replace")


def _merged(tokens: Sequence[Token], i: int, start: int, end: int) -> bytes | None:
    """Two tokens that tree-sitter wants as one: `( )` and `[ ]` of an operator's name, `<< <` and `>> >` of a launch."""
    if i + 1 >= end:
        return None
    pair = tokens[i].text + tokens[i + 1].text
    if pair in {"()", "[]"} and i > start and tokens[i - 1].text == "operator":
        return pair.encode()
    if pair == "<<<" and tokens[i].text == "<<" and launch_end(tokens, i, end) is not None:
        return b"<<<"
    if pair == ">>>" and tokens[i].text == ">>" and i + 2 < end and tokens[i + 2].text == "(":
        return b">>>" if _launch_start(tokens, i, start) else None
    return None


def _launch_start(tokens: Sequence[Token], i: int, start: int) -> bool:
    for j in range(i, start, -1):
        if tokens[j].text in {";", "{", "}"}:
            return False
        if tokens[j].text == "<" and tokens[j - 1].text == "<<":
            return True
    return False


def _may_start_attribute(tokens: Sequence[Token], i: int, start: int) -> bool:
    if i == start:
        return True
    before = tokens[i - 1]
    return (
        before.text in {";", "{", "}", ")", "struct", "class", "union", "enum", ":", ">", ","}
        or before.text in _PLAIN_QUALIFIERS
    )


def _is_long_list(tokens: Sequence[Token], i: int, start: int, end: int) -> bool:
    return end - i > LONGEST_LIST and i > start and tokens[i - 1].text == "="


def _word(
    tokens: Sequence[Token], i: int, start: int, end: int, rendered: Rendered, casts: Mapping[int, CastContent]
) -> tuple[int, bytes]:
    text = tokens[i].text
    star = member_star(tokens, i, end, rendered.brackets.close)
    if star > 0:
        return star, b""  # `C::` of `T C::*`
    cast = casts.get(i)
    if cast is not None:
        kind = MaskKind.AMBIGUOUS_CAST if cast.ambiguous else MaskKind.TYPE
        rendered.masks[i] = Mask(kind, i, cast.end)
        return cast.end, b"int"
    if text == "typename" and makes_object(tokens, i, end, rendered.brackets):
        rendered.decorations.append(Decoration(i, text, (i + 1, i + 1)))
        return i + 1, b""
    if is_late_typedef(tokens, i, start, end):
        rendered.decorations.append(Decoration(i, text, (i + 1, i + 1)))
        return i + 1, b""
    if text in _PLAIN_QUALIFIERS and not (text == "constexpr" and i > start and tokens[i - 1].text == "if"):
        if text == "extern" and i + 1 < end and tokens[i + 1].kind is TokenKind.STRING:
            rendered.decorations.append(Decoration(i, 'extern "C"', (i + 1, i + 1)))
            return i + 2, b""
        if text in _CONTEXTUAL and not _is_specifier(tokens, i, start, end):
            return i + 1, text.encode() if _ends_class_head(tokens, i, start) else _spelled_out(text)
        if text == "mutable" and i > start and tokens[i - 1].text not in {")", "const", ";", "{", ":"}:
            return i + 1, text.encode()
        rendered.decorations.append(Decoration(i, text, (i + 1, i + 1)))
        return i + 1, b""
    if text in UNEVALUATED and i + 1 < end and tokens[i + 1].text == "(" and is_operator(tokens, i, start):
        stop = after_brackets(tokens, i + 1, end)
        rendered.masks[i] = Mask(MaskKind.UNEVALUATED, i, stop)
        return stop, PLACEHOLDER
    if text in WITH_ARGUMENTS:
        stop = i + 1
        if stop < end and tokens[stop].text == "(":
            stop = after_brackets(tokens, stop, end)
            rendered.decorations.append(Decoration(i, text, (i + 2, stop - 1)))
        else:
            rendered.decorations.append(Decoration(i, text, (i + 1, i + 1)))
        return stop, b""
    if text in STATIC_ASSERT and i + 1 < end and tokens[i + 1].text == "(":
        stop = after_brackets(tokens, i + 1, end)
        rendered.decorations.append(Decoration(i, text, (i + 2, stop - 1)))
        return stop, b""
    if text in _ASM:
        stop = after_asm(tokens, i, end)
        rendered.masks[i] = Mask(MaskKind.ASM, i, stop)
        return stop, PLACEHOLDER
    if text == "new" and not (i > start and tokens[i - 1].text == "operator"):
        stop = after_new(tokens, i, end, rendered.brackets)
        rendered.masks[i] = Mask(MaskKind.NEW, i, stop)
        return stop, PLACEHOLDER
    if declares_by_reference(tokens, i, start, end, rendered.brackets):
        return i + 1, b"const " + _name(text)
    if text in TYPE_KEYWORDS:
        stop = functional_type(tokens, i, start, end)
        if stop > i + 1:
            rendered.masks[i] = Mask(MaskKind.TYPE, i, stop)
            return stop, b"int"
    return i + 1, _name(_FOLD.get(text, text))


def _is_specifier(tokens: Sequence[Token], i: int, start: int, end: int) -> bool:
    """Whether `final` or `override` stands behind a member function's head; anywhere else it is a name like others."""
    if i == start or tokens[i - 1].text not in _BEFORE_SPECIFIER:
        return False
    behind = [token.text for token in tokens[i + 1 : min(i + 3, end)]]
    return (
        not behind
        or behind[0] in {"{", ";", ":", *_CONTEXTUAL}
        or behind in (["=", "0"], ["=", "default"], ["=", "delete"])
    )


def _ends_class_head(tokens: Sequence[Token], i: int, start: int) -> bool:
    """Whether it stands in `struct S final {`, `struct S<T> final : Base {`."""
    return i - 2 >= start and (
        tokens[i - 1].text == ">" or tokens[i - 2].text in {"class", "struct", "union", "::", ")"}
    )


def _name(text: str) -> bytes:
    if text.isascii() and "$" not in text and text not in _NO_KEYWORDS:
        return text.encode()
    return _spelled_out(text)


def _spelled_out(text: str) -> bytes:
    """A name that the grammar takes for nothing else."""
    return b"u_" + text.encode("utf-8", "surrogateescape").hex().encode()
