"""Decides, before tree-sitter sees an item, what its grammar cannot: `<` and `(T)`.

tree-sitter knows no names, so it reads `if (x < w && y > (h - 1))` as a call of the template `x<w && y>`, `(T)(e)` as
a call and `(T)-y` as a subtraction, without any error.  Both questions are answered here from the tokens and the
names in scope; the answers steer the rendering (rendering.py) and the expression parser (expression_parser.py):

* `template_brackets`: which `<` open a template argument list, and which tokens close it;
* `cast_contents`: which parenthesised token ranges are types in front of an operand.

Where neither the program nor the language decides (`(X) - y` with X declared nowhere), the place is *ambiguous* and
becomes an opaque expression: a guess could make an index look exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from analysis_core.syntax.lex.tokens import Token, TokenKind
from analysis_core.syntax.read.environment import COMBINING, ELABORATED, QUALIFIERS, TYPE_KEYWORDS, Environment, Sort
from analysis_core.text.records import dataclass


@dataclass(slots=True)
class Brackets:
    """`close[i]` is the token that closes the list opened at i; `closers` counts how many lists a token closes."""

    close: dict[int, int] = field(default_factory=dict)
    closers: dict[int, int] = field(default_factory=dict)


_DEEPEST_LIST = 16
"""Template argument lists within each other; a deeper one is read as operators."""

_OPEN = frozenset({"(", "[", "{"})
_SHUT = frozenset({")", "]", "}"})
_NEVER_INSIDE = frozenset(
    {";", "||", "?", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"}
)
_HEADERS = ("template", "]")
"""What stands before template parameters; the latter are a lambda's."""

_INSIDE_KNOWN = frozenset({"?", "||"})
"""Operators of arguments such as `X<(D > 0) ? 4 : 8>`, where the name before is a template for certain."""
_NEVER_INSIDE_KNOWN = _NEVER_INSIDE - _INSIDE_KNOWN
_NEVER_INSIDE_UNKNOWN = _NEVER_INSIDE | {".", "->", "==", "!=", "<=", ">=", "!"}
_AFTER_UNKNOWN = frozenset({"(", "::", "{", "<<<", ">", ">>", ",", ")", ";", "&", "*", "&&", "...", "]", "[", "=="})


def template_brackets(tokens: Sequence[Token], start: int, end: int, scope: Environment) -> Brackets:
    """Classifies every `<` among the tokens `start <= i < end`."""
    brackets = Brackets()
    for i in range(start, end):
        if tokens[i].text == "<" and i > start and i not in brackets.close:
            shut = _closing(tokens, i, end, scope)
            if shut is not None:
                for opening, closing in shut:
                    if opening not in brackets.close:
                        brackets.close[opening] = closing
                        brackets.closers[closing] = brackets.closers.get(closing, 0) + 1
    return brackets


def _closing(tokens: Sequence[Token], i: int, end: int, scope: Environment) -> list[tuple[int, int]] | None:
    """The pairs of the list opened at `i` and of those nested in it, or None if `<` is an operator."""
    before = tokens[i - 1]
    if before.text == "operator":
        return None
    if before.text == "template" or calls_template_operator(tokens, i - 1) or _begins_lambda_header(tokens, i, end):
        known = True
    elif before.kind is TokenKind.IDENTIFIER:
        word = tokens[i - 2].text if i >= 2 else ""
        known = word == "template" or scope.is_template(before.text) or _is_standard_template(tokens, i - 1)
        if word in {".", "->"} and (not known or scope.sort(before.text) is Sort.VALUE):
            return _member_arguments(tokens, i, end, scope)
        if not known and scope.sort(before.text) is Sort.VALUE and word != "::":
            return None
        if before.text == "operator" or before.text in TYPE_KEYWORDS:
            return None
    else:
        return None
    return _match(tokens, i, end, scope, known)


def calls_template_operator(tokens: Sequence[Token], shut: int) -> bool:
    """Whether the `)` at `shut` ends `template operator()`, behind which template arguments stand."""
    return shut >= 3 and [token.text for token in tokens[shut - 3 : shut + 1]] == ["template", "operator", "(", ")"]


def _begins_lambda_header(tokens: Sequence[Token], i: int, end: int) -> bool:
    """Whether the `<` at `i` opens the template parameters of a lambda, `[&]<bool P, class T>() {..}`: types with names."""
    if tokens[i - 1].text != "]" or i + 3 >= end:
        return False
    word, name, after = tokens[i + 1], tokens[i + 2], tokens[i + 3].text
    typed = word.text in TYPE_KEYWORDS or word.text in ("class", "typename") or word.kind is TokenKind.IDENTIFIER
    return typed and name.kind is TokenKind.IDENTIFIER and after in (",", ">", "=")


def _member_arguments(tokens: Sequence[Token], i: int, end: int, scope: Environment) -> list[tuple[int, int]] | None:
    """The list opened at `i` behind a member that no visible class declares as a template: only what can be no comparison, a
    call with a type first (`t.data_ptr<float>()`) or without arguments (`t.get<0>()`)."""
    pairs = _match(tokens, i, end, scope, False)
    if pairs is None or pairs[-1][1] + 1 >= end or tokens[pairs[-1][1] + 1].text != "(":
        return None
    shut = pairs[-1][1]
    if shut + 2 < end and tokens[shut + 2].text == ")":
        return pairs
    scanned = scan_type(tokens, i + 1, shut, scope, Brackets(dict(pairs)))
    return pairs if scanned is not None and (scanned[0] == shut or tokens[scanned[0]].text == ",") else None


_STANDARD_TEMPLATES = frozenset(
    ["enable_if", "enable_if_t", "conditional", "conditional_t", "integral_constant", "bool_constant", "decay", "decay_t",
     "void_t", "declval", "forward", "conjunction", "disjunction", "negation", "extent", "rank", "alignment_of",
     "underlying_type", "common_type", "numeric_limits", "integer_sequence", "index_sequence"]
)  # fmt: skip
_STANDARD_STEMS = ("is_", "remove_", "add_", "make_")


def _is_standard_template(tokens: Sequence[Token], at: int) -> bool:
    """Whether the name is a template of <type_traits> or <utility>, which is declared nowhere: `std::is_same`, `enable_if_t`."""
    name = tokens[at].text
    if at >= 2 and tokens[at - 1].text == "::" and tokens[at - 2].text == "std":
        return name in _STANDARD_TEMPLATES or name.startswith(_STANDARD_STEMS) or name.endswith(("_v", "_t"))
    return name in ("enable_if", "enable_if_t", "conditional_t", "integral_constant", "void_t")


def _match(tokens: Sequence[Token], i: int, end: int, scope: Environment, known: bool) -> list[tuple[int, int]] | None:
    never = _NEVER_INSIDE_KNOWN if known else _NEVER_INSIDE_UNKNOWN
    header = tokens[i - 1].text in _HEADERS
    pairs: list[tuple[int, int]] = []
    angles = [i]
    depth = 0
    j = i + 1
    while j < end:
        text = tokens[j].text
        if text in _OPEN:
            depth += 1
        elif text in _SHUT:
            depth -= 1
            if depth < 0:
                return None
        elif depth:
            if text == ";" and not known:
                return None
        elif text == ">" or text == ">>" or text == ">>>":
            for _ in range(len(text)):
                if not angles:
                    return None
                pairs.append((angles.pop(), j))
            if not angles:
                return pairs if known or _plausible_end(tokens, j + 1, end) else None
        elif text == "<" and len(angles) >= _DEEPEST_LIST:
            return None
        elif text == "<":
            nested = tokens[j - 1]
            if (
                nested.kind is TokenKind.IDENTIFIER and scope.sort(nested.text) is not Sort.VALUE
            ) or nested.text == "template":
                angles.append(j)
            elif not (scope.is_template(nested.text)):
                return None
            else:
                angles.append(j)
        elif text == "&&":
            if tokens[j + 1].text not in {">", ",", "...", ">>"} if j + 1 < end else True:
                if not known:
                    return None
        elif (text in never and not (header and text == "=")) or (
            not known and tokens[j].kind in {TokenKind.STRING, TokenKind.CHAR}
        ):
            return None
        j += 1
    return None


def argument_groups(tokens: Sequence[Token], brackets: Brackets) -> tuple[frozenset[int], frozenset[int]]:
    """The tokens before and behind template arguments that are read only in parentheses: `X<(D > 0) ? 4 : 8>`, `X<a || b>`.  One that ends
    with a list around it (`>>`) is left as it is."""
    before: set[int] = set()
    behind: set[int] = set()
    for opening, closing in brackets.close.items():
        header = opening > 0 and tokens[opening - 1].text in _HEADERS
        first, last, held = opening, opening + 1, False
        while last <= closing:
            text = tokens[last].text
            if last == closing or text == ",":
                if held and not (text in (">>", ">>>") and brackets.closers[closing] > 1):
                    before.add(first)
                    behind.add(last)
                first, held = last, False
            elif header and text == "=":
                first = last  # a default
            held |= text in _INSIDE_KNOWN
            last = _behind_group(tokens, last, closing, brackets)
    return frozenset(before), frozenset(behind)


def _behind_group(tokens: Sequence[Token], i: int, end: int, brackets: Brackets) -> int:
    """The token after `i`, or after what is between it and the bracket that closes it."""
    if i in brackets.close and brackets.close[i] < end:
        return brackets.close[i] + 1
    depth = 0
    while True:
        depth += (tokens[i].text in _OPEN) - (tokens[i].text in _SHUT)
        i += 1
        if depth <= 0 or i >= end:
            return i


_EXPRESSION_AFTER = frozenset(["==", "!=", "&&", "||", "?", "+", "-", "/", "%", ".", "<=", ">=", "<", "<<"])
_EXPRESSION_BEFORE = frozenset(["==", "!=", "||", "!", "+", "-", "/", "%", "?", "+=", "-=", "*="])


def template_variables(
    tokens: Sequence[Token], start: int, end: int, scope: Environment, brackets: Brackets
) -> dict[int, int]:
    """By first token, the ends of the names `a::b<T>` that are variables: tree-sitter knows templates of types and calls."""
    found: dict[int, int] = {}
    for opening, closing in brackets.close.items():
        first = opening - 1
        name = tokens[first].text
        if calls_template_operator(tokens, first):
            found[first - 3] = closing + 1
            continue
        if tokens[first].kind is not TokenKind.IDENTIFIER or name == "template":
            continue
        while first - 2 >= start and tokens[first - 1].text == "::" and tokens[first - 2].kind is TokenKind.IDENTIFIER:
            first -= 2
        before = tokens[first - 1].text if first > start else ""
        after = tokens[closing + 1].text if closing + 1 < end else ""
        declares = closing + 1 < end and tokens[closing + 1].kind is TokenKind.IDENTIFIER
        if first < opening - 1 and declares and before in {";", "{", "}"}:
            # `a::b<32> x` after a statement: tree-sitter takes it for two comparisons.
            found[first] = closing + 1
            continue
        if after in {"(", "::", "{", "<<<", ">"} or before in {".", "->", "::", "template"}:
            continue
        if scope.is_template_variable(name) or after in _EXPRESSION_AFTER or before in _EXPRESSION_BEFORE:
            found[first] = closing + 1
    return found


def _plausible_end(tokens: Sequence[Token], j: int, end: int) -> bool:
    """Whether what follows the closing `>` of an unknown name's list can follow a template."""
    if j >= end:
        return True
    return tokens[j].text in _AFTER_UNKNOWN or tokens[j].kind is TokenKind.IDENTIFIER


# --- casts --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CastContent:
    """The tokens `start <= i < end` between parentheses are a type.  `ambiguous`: they may as well be a value."""

    start: int
    end: int
    ambiguous: bool


_CAST_AFTER_WORD = frozenset(["return", "else", "case", "throw", "do", "co_return", "goto"])
_SIGNS = frozenset({"-", "+", "*", "&"})
_NOT_AN_OPERAND = frozenset(
    [
        "const",
        "noexcept",
        "override",
        "final",
        "volatile",
        "mutable",
        "throw",
        "requires",
        "and",
        "or",
        "xor",
        "bitand",
        "bitor",
    ]
)


def cast_contents(
    tokens: Sequence[Token], start: int, end: int, scope: Environment, brackets: Brackets
) -> dict[int, CastContent]:
    """By first token, the parenthesised types that stand before an operand: C casts in all their forms."""
    found: dict[int, CastContent] = {}
    for i in range(start, end - 2):
        if tokens[i].text != "(":
            continue
        first = tokens[i + 1]
        if first.kind is not TokenKind.IDENTIFIER and first.text != "::":
            continue
        content = _cast_at(tokens, i, start, end, scope, brackets)
        if content is not None:
            found[i + 1] = content
    return found


_AFTER_GROUP = frozenset({"-", "+", "*", "&", "&&", "("})
_BEFORE_GROUP_WORDS = frozenset({"return", "case", "throw", "else", "do", "co_return"})


def value_groups(
    tokens: Sequence[Token], start: int, end: int, casts: dict[int, CastContent], brackets: Brackets
) -> set[int]:
    """The parentheses around values that a grammar without names may take for casts: `(a) && (b) <= c`, `(a[i]) - b`,
    and behind a cast `(float)(n) + sizeof(float) * n`.

    Rendered twice, they are no casts: `((T)) - b` is always a subtraction."""
    found: set[int] = set()
    behind_casts = {content.end + 1 for content in casts.values()}
    stack: list[int] = []
    for i in range(start, end):
        text = tokens[i].text
        if text == "(":
            stack.append(i)
        elif text == ")" and stack:
            opening = stack.pop()
            if i + 1 < end and tokens[i + 1].text in _AFTER_GROUP and opening + 1 not in casts and i - opening > 1:
                if opening in behind_casts or _may_group(tokens, opening, start, brackets):
                    found.update((opening, i))
    return found


def _may_group(tokens: Sequence[Token], opening: int, start: int, brackets: Brackets) -> bool:
    if opening == start:
        return False
    before = tokens[opening - 1]
    if before.kind is TokenKind.IDENTIFIER:
        return before.text in _BEFORE_GROUP_WORDS
    if before.kind is not TokenKind.PUNCTUATOR or opening - 1 in brackets.closers:
        return False
    return before.text not in {")", "]", ";", "}", "{"} and not _counts_pack(tokens, opening, start)


def _counts_pack(tokens: Sequence[Token], opening: int, start: int) -> bool:
    """Whether the parenthesis is that of `sizeof...(pack)`."""
    return opening - start >= 2 and tokens[opening - 1].text == "..." and tokens[opening - 2].text == "sizeof"


def _cast_at(
    tokens: Sequence[Token], i: int, start: int, end: int, scope: Environment, brackets: Brackets
) -> CastContent | None:
    scanned = scan_type(tokens, i + 1, end, scope, brackets)
    if scanned is None:
        return None
    stop, sure, derived = scanned
    if stop + 1 >= end or tokens[stop].text != ")" or names_value(tokens, stop):
        return None
    before = tokens[i - 1] if i > start else None
    if (before is not None and not _cast_may_follow(before, i - 1, sure, brackets)) or _counts_pack(tokens, i, start):
        return None
    after = tokens[stop + 1]
    if not _starts_operand(after, before):
        return None
    if sure or (derived and after.text not in _SIGNS):
        return CastContent(i + 1, stop, False)
    if after.text in _SIGNS:
        return CastContent(i + 1, stop, not derived)
    return CastContent(i + 1, stop, False)


def names_value(tokens: Sequence[Token], end: int) -> bool:
    """Whether a name ends in `::value`: by convention that of a constant."""
    return tokens[end - 1].text == "value" and tokens[end - 2].text == "::"


def _cast_may_follow(before: Token, index: int, sure: bool, brackets: Brackets) -> bool:
    if before.kind is TokenKind.IDENTIFIER:
        return before.text in _CAST_AFTER_WORD
    if before.kind is not TokenKind.PUNCTUATOR:
        return before.kind is TokenKind.PRAGMA
    if before.text == ")":
        return sure
    return before.text != "]" and index not in brackets.closers


def _starts_operand(after: Token, before: Token | None) -> bool:
    if after.kind is TokenKind.IDENTIFIER:
        return after.text not in _NOT_AN_OPERAND
    if after.kind in {TokenKind.NUMBER, TokenKind.STRING, TokenKind.CHAR}:
        return True
    if after.text == "{":
        return before is None or before.text != ")"
    return after.text in {"(", "-", "+", "*", "&", "!", "~", "++", "--", "::"}


def scan_type(
    tokens: Sequence[Token], i: int, end: int, scope: Environment, brackets: Brackets
) -> tuple[int, bool, bool] | None:
    """Reads a type-id at token `i`: (end, surely a type, has a pointer or reference declarator), or None."""
    sure = base = False
    while i < end:
        text = tokens[i].text
        if text in QUALIFIERS or text in ELABORATED:
            sure = True
            i += 1
        elif text in TYPE_KEYWORDS:
            if base and text not in COMBINING and text != "int":
                return None
            base = sure = True
            i += 1
        elif not base and (tokens[i].kind is TokenKind.IDENTIFIER or text == "::"):
            named = _scan_name(tokens, i, end, brackets)
            if named is None:
                return None
            i, name = named
            base = True
            match scope.sort(name):
                case Sort.TYPE:
                    sure = True
                case Sort.VALUE if not sure:  # `typename T::x` is a type whatever else is called x
                    return None
                case _:
                    pass
        else:
            break
    if not base:
        return None
    return _scan_declarator(tokens, i, end, sure)


def _scan_name(tokens: Sequence[Token], i: int, end: int, brackets: Brackets) -> tuple[int, str] | None:
    """`a::b<T>::c` at token `i`: the token after it, and the name without template arguments."""
    parts: list[str] = []
    if tokens[i].text == "::":
        i += 1
    while i < end and tokens[i].kind is TokenKind.IDENTIFIER:
        parts.append(tokens[i].text)
        i += 1
        if i in brackets.close:
            i = min(brackets.close[i] + 1, end)
        if i + 1 < end and tokens[i].text == "::":
            i += 1
        else:
            return i, "::".join(parts)
    return None


def _scan_declarator(tokens: Sequence[Token], i: int, end: int, sure: bool) -> tuple[int, bool, bool]:
    derived = False
    while i < end:
        text = tokens[i].text
        if text in {"*", "&", "&&"}:
            derived = True
            i += 1
        elif text in QUALIFIERS:
            sure = True
            i += 1
        elif text == "(" and i + 2 < end and tokens[i + 1].text in {"*", "&"} and tokens[i + 2].text == ")":
            derived = sure = True
            i += 3
        elif derived and sure and text in {"(", "["}:
            shut = _matching(tokens, i, end)
            if shut is None:
                break
            i = shut + 1
        else:
            break
    return i, sure, derived


def _matching(tokens: Sequence[Token], i: int, end: int) -> int | None:
    depth = 0
    for j in range(i, end):
        if tokens[j].text in _OPEN:
            depth += 1
        elif tokens[j].text in _SHUT:
            depth -= 1
            if depth == 0:
                return j
    return None
