"""The last step of preprocessing: names of absent system headers' constants that are still spelled get their value.

A name that the program declares itself (`const float M_PI = ...`) or selects as a member keeps its spelling.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Mapping, Sequence

from analysis_core.syntax.lex.lexer import lex_fragment
from analysis_core.syntax.lex.macros import Macro
from analysis_core.syntax.lex.tokens import Token, TokenKind
from analysis_core.syntax.lex.toolkit_macros import TOOLKIT_MACROS
from analysis_core.text.span import FileId

_BODIES: Mapping[str, tuple[Token, ...]] = MappingProxyType(
    {name: lex_fragment(value, FileId("")) for name, value in TOOLKIT_MACROS.items()}
)


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
