"""Reading the head of a top-level item: everything before its body or its `;`.

Purely lexical: groups are skipped, words are collected, and what follows the groups decides what the item is.  A
head ends early, `closed` False, at a token that cannot stand in one: a `;` inside of its parentheses, a `}`, or a
word that only begins another item.
"""

from __future__ import annotations

from dataclasses import field
from typing import Sequence

from analysis_core.syntax.lex.splitter_items import ATTRIBUTES, GROUP_SPECIFIERS, SPECIFIERS, STATEMENT_WORDS
from analysis_core.syntax.lex.tokens import Token, TokenKind
from analysis_core.text.records import dataclass

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_AFTER_PARAMETERS = frozenset(
    {"noexcept", "override", "final", "throw", "try", "mutable", "requires", "__attribute__", "asm"}
)
_TYPE_WORDS = frozenset(
    {"void", "unsigned", "signed", "struct", "class", "union", "enum", "typename", "const", "volatile"}
)
_PUNCTUATION_BEHIND = frozenset({"{", ";", ":", "->", "=", ",", "[", "&", "&&", "}"})


@dataclass(slots=True)
class Head:
    """`stop` is the index of the token that ended the head: `;`, `{`, or the first token that does not belong to it.

    `parameters` is the `(` of a parameter list, -1 without one; `assigned`: an `=` stood outside of groups;
    `record` / `enum`: index of the keyword, -1; `broken`: it ended early."""

    stop: int
    name: int = -1
    parameters: int = -1
    closing: int = -1  # the ) of the parameter list, -1 while missing
    assigned: bool = False
    record: int = -1
    enum: int = -1
    template: bool = False
    alias: bool = False
    broken: bool = False
    initialisers: bool = False  # a constructor's `: a(1)`
    qualifiers: set[str] = field(default_factory=set)


def read_head(tokens: Sequence[Token], start: int) -> Head:
    """The head of the item that begins at `start`; linear in its length."""
    head = Head(start)
    index = start
    count = len(tokens)
    while index < count:
        token = tokens[index]
        text = token.text
        if (
            head.closing >= 0
            and index == head.closing + 1
            and token.line_start
            and token.kind is not TokenKind.IDENTIFIER
            and text not in _PUNCTUATION_BEHIND
            and not head.assigned
        ):
            return _broken(head, index)  # A statement: the `{` is missing.
        if token.kind is TokenKind.IDENTIFIER:
            index = _word(tokens, index, start, head)
            if index < 0:
                return head
        elif text in (";", "{"):
            head.stop = index
            return head
        elif text == "}" or token.kind is TokenKind.PRAGMA:
            return _broken(head, index)
        elif text == "(":
            index = _parenthesis(tokens, index, start, head)
            if index < 0:
                return head
        elif text == "[":
            index = _declarator_bracket(tokens, index, start, head)
            if index < 0:
                return head
        elif text == "<":
            if index > start and tokens[index - 1].kind is TokenKind.IDENTIFIER and not head.assigned:
                index = skip_angles(tokens, index)
            else:
                index += 1
        elif text == "=":
            _name_before(tokens, index, start, head)
            head.assigned = True
            index += 1
        elif text == ":" and head.closing >= 0:
            head.initialisers = True
            index += 1
        elif text == ",":
            _name_before(tokens, index, start, head)
            index += 1
        elif token.kind is TokenKind.STRING and index and tokens[index - 1].text == "extern":
            head.qualifiers.add('extern "C"')
            index += 1
        else:
            index += 1
    return _broken(head, count)


def _broken(head: Head, stop: int) -> Head:
    head.broken = True
    head.stop = stop
    return head


def _word(tokens: Sequence[Token], index: int, start: int, head: Head) -> int:
    """Handles an identifier; the next index, or -1 where the head ends."""
    text = tokens[index].text
    if index == head.closing + 1 and _is_attribute(tokens, index, start, head):
        head.qualifiers.add(tokens[head.name].text)
        head.name = head.parameters = head.closing = -1
    if index > start and begins_item(tokens, index, start, head):
        _broken(head, index)
        return -1
    if (
        "__global__" in head.qualifiers
        and head.parameters < 0
        and tokens[index].line_start
        and index > start + 1
        and tokens[index - 2].text == "void"
    ):
        _broken(head, index)  # `__global__ void name`, and a new line that is no parameter list
        return -1
    if head.closing >= 0 and not head.assigned and not head.initialisers and tokens[index].line_start:
        if index == head.closing + 1 and not _follows_parameters(tokens, index):
            # `FOO(x)` without `;`, or a function whose `{` is missing: the caller decides.
            _broken(head, index)
            return -1
    if text == "template":
        head.template = head.template or index == start
        following = index + 1
        if following < len(tokens) and tokens[following].text == "<":
            return skip_angles(tokens, following)
        return following
    if text in GROUP_SPECIFIERS and index + 1 < len(tokens) and tokens[index + 1].text == "(":
        return _group_specifier(tokens, index, head)
    if text == "operator":
        return _operator(tokens, index, head)
    if text in SPECIFIERS and head.parameters < 0:
        head.qualifiers.add(text)
    if text in ("struct", "class", "union") and head.record < 0 and head.parameters < 0:
        head.record = index
    elif text == "enum" and head.enum < 0 and head.parameters < 0:
        head.enum = index
    elif text in ("typedef", "using"):
        head.alias = True
    return index + 1


def _is_attribute(tokens: Sequence[Token], index: int, start: int, head: Head) -> bool:
    """Whether the name and group before the word at `index` are no function but an unknown macro in front of one.

    `BOUNDS(256) void k(...)`, `void BOUNDS(256) k(...)` on one line; over a line end only where no type stands before the macro,
    or where a kernel's name and parameters follow."""
    if head.name < start or head.assigned or head.initialisers or _follows_parameters(tokens, index):
        return False
    if head.name == start:
        return not tokens[index].line_start
    before = tokens[head.name - 1]
    if before.text == "void" and "__global__" in head.qualifiers and tokens[head.name].text.isupper():
        return index + 1 < len(tokens) and tokens[index + 1].text in ("(", "<")
    header = head.template and tokens[start + 1].text == "<" and skip_angles(tokens, start + 1) == head.name
    return header or before.kind is TokenKind.STRING or before.text in (SPECIFIERS - _TYPE_WORDS)


def _follows_parameters(tokens: Sequence[Token], index: int) -> bool:
    """Whether the word at `index`, first on its line behind a `)`, can go on with a function's head."""
    text = tokens[index].text
    if text in ("const", "volatile"):
        return index + 1 < len(tokens) and tokens[index + 1].text in ("{", ";", "=", ":", "->", *_AFTER_PARAMETERS)
    return text in _AFTER_PARAMETERS


def _group_specifier(tokens: Sequence[Token], index: int, head: Head) -> int:
    head.qualifiers.add(tokens[index].text)
    close = matching(tokens, index + 1)
    if close < 0:
        return index + 2
    if tokens[index].text.startswith("__attribute"):
        for inner in tokens[index + 2 : close]:
            if inner.text in ATTRIBUTES:
                head.qualifiers.add(ATTRIBUTES[inner.text])
    return close + 1


def _operator(tokens: Sequence[Token], index: int, head: Head) -> int:
    """`operator` and its symbol, up to the parameter list."""
    if head.parameters < 0:
        head.name = index
    following = index + 1
    if [token.text for token in tokens[following : following + 2]] in (["(", ")"], ["[", "]"]):
        return following + 2
    while following < len(tokens) and tokens[following].text not in ("(", ";", "{", "}"):
        following += 1
    return following


def _parenthesis(tokens: Sequence[Token], index: int, start: int, head: Head) -> int:
    """Handles a `(` of the head; the next index, or -1 where the head ends."""
    previous = tokens[index - 1] if index > start else None
    if head.name < 0 and not head.assigned and tokens[index + 1 : index + 2] and tokens[index + 1].text in ("*", "&"):
        # `void (*hook)(int)`: the declarator in parentheses holds the name, and no function is declared.
        close = matching(tokens, index)
        if close > 0 and close + 1 < len(tokens) and tokens[close + 1].text in ("(", "["):
            names = [i for i in range(index + 2, close) if tokens[i].kind is TokenKind.IDENTIFIER]
            head.name = names[0] if names else -1
            group = matching(tokens, close + 1)
            return group + 1 if group > 0 else close + 2
    candidate = (
        head.parameters < 0
        and not head.assigned
        and previous is not None
        and (previous.kind is TokenKind.IDENTIFIER or previous.text in (">", ">>", ">>>") or head.name >= 0)
    )
    if candidate:
        assert previous is not None
        head.parameters = index
        if head.name < 0:
            name = _template_name(tokens, index - 1)
            head.name = name if name >= start else -1
    close = matching(tokens, index)
    if close < 0:
        stop = _break_in_group(tokens, index)
        _broken(head, stop)
        return -1
    if candidate:
        head.closing = close
    return close + 1


def _template_name(tokens: Sequence[Token], index: int) -> int:
    """The name that ends at `index`, template arguments skipped backwards; -1 if there is none."""
    if tokens[index].kind is TokenKind.IDENTIFIER:
        return index
    depth = 0
    for place in range(index, max(index - 200, -1), -1):
        text = tokens[place].text
        depth += len(text) if text in (">", ">>", ">>>") else -len(text) if text in ("<", "<<", "<<<") else 0
        if depth <= 0:
            return place - 1 if place and tokens[place - 1].kind is TokenKind.IDENTIFIER else -1
    return -1


def _name_before(tokens: Sequence[Token], index: int, start: int, head: Head) -> None:
    """Takes the identifier before `index` as the name of a variable, if no name is known."""
    if head.name < 0 and index > start and tokens[index - 1].kind is TokenKind.IDENTIFIER:
        head.name = index - 1


def _declarator_bracket(tokens: Sequence[Token], index: int, start: int, head: Head) -> int:
    """Handles a `[` of the head; the next index, or -1 where the head ends."""
    if tokens[index - 1].text != "[":
        _name_before(tokens, index, start, head)
    close = matching(tokens, index)
    if close < 0:
        _broken(head, _break_in_group(tokens, index))
    return close + 1 if close >= 0 else -1


_ANGLE_REACH = 500


def _reach(tokens: Sequence[Token]) -> int:
    """How many tokens of a group are looked at: unclosed groups one after the other must not cost quadratic time."""
    return max(500, 50_000_000 // (len(tokens) + 1))


def matching(tokens: Sequence[Token], index: int) -> int:
    """The token that closes the group opened at `index` of a head; -1 if the head ends before.

    Braces inside of parentheses are initialisers or lambdas; a `;` outside of them, a `{` behind a plain parameter,
    or the beginning of another kernel means that the group's end is missing."""
    stack = [_PAIRS[tokens[index].text]]
    braces = 0
    for place in range(index + 1, min(len(tokens), index + _reach(tokens))):
        text = tokens[place].text
        if text in _PAIRS:
            if text == "{":
                before = tokens[place - 1]
                if not braces and before.kind is TokenKind.IDENTIFIER and tokens[place - 2].text not in "=,([{:":
                    return -1
                braces += 1
            stack.append(_PAIRS[text])
        elif text in (")", "]", "}"):
            if text != stack[-1]:
                return -1
            stack.pop()
            braces -= text == "}"
            if not stack:
                return place
        elif text == ";":
            if not braces:
                return -1
        elif text in _BEGINNERS and _begins_in_group(tokens, place):
            return -1
    return -1


_BEGINNERS = frozenset({"__global__", "template", "namespace", "extern", "typedef"})


def _begins_in_group(tokens: Sequence[Token], place: int) -> bool:
    """Whether the word at `place`, inside of a group that should not hold it, begins a new item."""
    if tokens[place].text == "__global__":
        return place + 1 == len(tokens) or tokens[place + 1].text not in (")", ",")  # else an attribute's name
    return tokens[place].line_start and tokens[place - 1].text not in (".", "->", "::")


def _break_in_group(tokens: Sequence[Token], index: int) -> int:
    """Where a head with an unclosed group at `index` most likely ends.

    A list goes on over line ends only behind a comma or an opening bracket, so the first line that begins
    otherwise is no part of it; nor is a `;`, `{` or `}`."""
    for place in range(index + 1, len(tokens)):
        token = tokens[place]
        if token.text in (";", "{", "}") or (token.text in _BEGINNERS and _begins_in_group(tokens, place)):
            return place
        if token.line_start and tokens[place - 1].text not in (",", "(") and token.text not in (",", ")"):
            return place
    return len(tokens)


def skip_angles(tokens: Sequence[Token], index: int) -> int:
    """The index behind the `>` that closes the `<` at `index`; behind the `<` alone if nothing closes it."""
    depth = 0
    place = index
    end = min(len(tokens), index + _ANGLE_REACH)
    while place < end:
        text = tokens[place].text
        if text in ("<", "<<", "<<<"):
            depth += len(text)
        elif text in (">", ">>", ">>>"):
            depth -= len(text)
            if depth <= 0:
                return place + 1
        elif text in ("(", "["):
            close = matching(tokens, place)
            if close < 0:
                return index + 1
            place = close
        elif text in (";", "{", "}", "__global__"):
            return index + 1
        place += 1
    return index + 1


def begins_item(tokens: Sequence[Token], index: int, start: int, head: Head) -> bool:
    """Whether the word at `index` can only begin another item than the one that began at `start`.

    A qualifier may follow other specifiers and a type; behind anything else it begins a new item."""
    text = tokens[index].text
    if text == "namespace":
        return tokens[index - 1].text not in ("using", "inline")
    if text == "template":
        word = tokens[index - 1].text
        return tokens[index].line_start and word not in (">", ">>", "<", ",", "extern", "::", ".", "->")
    if text not in ("__global__", "extern", "static", "typedef", "__device__", "__host__", "__constant__"):
        return False
    if not tokens[index].line_start:
        return False
    before = tokens[index - 1]
    if text == "extern" and index + 1 < len(tokens) and tokens[index + 1].kind is TokenKind.STRING:
        return True  # `extern "C"` comes first.
    if index == start + 1 and before.kind is TokenKind.IDENTIFIER and before.text not in SPECIFIERS:
        return before.text not in GROUP_SPECIFIERS  # a half-typed word or an unknown macro on a line of its own
    if text == "__global__" and before.kind is TokenKind.IDENTIFIER:
        if before.text not in SPECIFIERS:
            return True  # A kernel returns void, so the name above is half typed or an unknown macro.
        if "void" in head.qualifiers and "void" in [token.text for token in tokens[index + 1 : index + 4]]:
            return True
    if "__global__" in head.qualifiers and (text in ("__global__", "typedef") or _line_has_space(tokens, index)):
        return True
    return before.text in (")", "=", ",", "}", "]") and not _only_specifiers(tokens, start, index, head)


def _line_has_space(tokens: Sequence[Token], index: int) -> bool:
    """Whether the line that begins at `index` has one of `__global__`, `__device__`, `__host__` behind a specifier.

    A head that is a kernel already does not begin a line so."""
    for place in range(index, min(index + 8, len(tokens))):
        if place > index and tokens[place].line_start:
            return False
        if tokens[place].text in ("__global__", "__device__", "__host__", "__constant__"):
            return True
    return False


def _only_specifiers(tokens: Sequence[Token], start: int, end: int, head: Head) -> bool:
    """Whether tokens start..end are specifiers, their groups, and template headers only."""
    index = start
    while index < end:
        text = tokens[index].text
        if text == "template" and index + 1 < end and tokens[index + 1].text == "<":
            index = skip_angles(tokens, index + 1)
        elif (
            (text in GROUP_SPECIFIERS or text in head.qualifiers or (tokens[index - 1].text == ">" and text.isupper()))
            and index + 1 < end
            and tokens[index + 1].text == "("
        ):
            close = matching(tokens, index + 1)
            if close < 0:
                return False
            index = close + 1
        elif tokens[index].kind in (TokenKind.IDENTIFIER, TokenKind.STRING) or text in ("*", "&", "::"):
            if text in STATEMENT_WORDS:
                return False
            index += 1
        else:
            return False
    return True
