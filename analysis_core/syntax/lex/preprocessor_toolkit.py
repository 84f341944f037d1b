"""The last step of preprocessing: names of absent headers' constants that are still spelled get their value, and loops that macros of absent
frameworks make are made.

A name that the program declares itself (`const float M_PI = ...`) or selects as a member keeps its spelling.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Mapping, Sequence

from analysis_core.syntax.lex.lexer import lex_fragment
from analysis_core.syntax.lex.macros import Macro
from analysis_core.syntax.lex.tokens import Token, TokenKind
from analysis_core.syntax.lex.toolkit_macros import LIBRARY_MACROS, TOOLKIT_MACROS
from analysis_core.text.span import FileId

_BODIES: Mapping[str, tuple[Token, ...]] = MappingProxyType(
    {name: lex_fragment(value, FileId("")) for name, value in TOOLKIT_MACROS.items()}
)


_LOOPS: Mapping[str, tuple[tuple[str, ...], tuple[Token, ...]]] = MappingProxyType(
    {name: (parameters, lex_fragment(body, FileId(""))) for name, (parameters, body) in LIBRARY_MACROS.items()}
)


def with_library_macros(tokens: Sequence[Token], macros: Mapping[str, Macro]) -> Sequence[Token]:
    """`tokens` with the loops that macros of absent headers make; their arguments stand where they are written."""
    places = [i for i, token in enumerate(tokens) if token.text in _LOOPS and token.text not in macros]
    out: list[Token] = []
    done = 0
    for place in places:
        parameters, body = _LOOPS[tokens[place].text]
        stop, arguments = _arguments(tokens, place + 1)
        if place < done or len(arguments) != len(parameters):
            continue
        out.extend(tokens[done:place])
        done = stop
        given = dict(zip(parameters, arguments))
        name = tokens[place]
        for item in body:
            made = Token(item.kind, item.text, name.span, item.space, False, name.expansion or name.text)
            out.extend(given.get(item.text, (made,)))
    return [*out, *tokens[done:]] if done else tokens


def _arguments(tokens: Sequence[Token], start: int) -> tuple[int, list[Sequence[Token]]]:
    """Where the arguments in parentheses from `start` on end, and what they are; none where there are none."""
    found: list[Sequence[Token]] = []
    depth, first = 0, start + 1
    for i in range(start, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[i].text, 0)
        if depth == 0 or (depth == 1 and tokens[i].text == ","):
            found.append(tokens[first:i])
            first = i + 1
        if depth == 0:
            return i + 1, found if i > start else []
    return start, []


def with_toolkit_macros(tokens: Sequence[Token], macros: Mapping[str, Macro]) -> list[Token]:
    """`tokens` with the table's names replaced; the tokens made stand where the name stands and are named by it."""
    bodies = _BODIES
    places = [i for i, token in enumerate(tokens) if token.text in bodies]
    if not places:
        return list(tokens)
    words = {tokens[i].text for i in places}
    own = {word for word in words if word in macros} | _declared(tokens, places)
    out: list[Token] = []
    done = 0
    for place in places:
        token = tokens[place]
        if token.text in own or (place and tokens[place - 1].text in (".", "->", "::")):
            continue
        out.extend(tokens[done:place])
        done = place + 1
        expansion = token.expansion or token.text
        space, line_start = token.space, token.line_start
        for item in bodies[token.text]:
            out.append(Token(item.kind, item.text, token.span, space, line_start, expansion))
            space, line_start = item.space, False
    out.extend(tokens[done:])
    return out


def _declared(tokens: Sequence[Token], places: Sequence[int]) -> set[str]:
    """Names that the program gives a meaning: initialised after a type, or an enumerator with a value."""
    found: set[str] = set()
    for place in places:
        before = tokens[place - 1] if place else None
        after = tokens[place + 1].text if place + 1 < len(tokens) else ""
        typed = before is not None and (before.kind is TokenKind.IDENTIFIER and before.text not in ("return", "case"))
        if after == "=" or (typed and after in (";", "[")):
            found.add(tokens[place].text)
    return found
