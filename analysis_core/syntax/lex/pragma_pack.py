"""`#pragma pack`: which alignment it allows for members, written beside the head of each record that it applies to.

What holds at a record depends on all pragmas before it, in whatever file.  So it is made part of the record's own tokens,
`struct __attribute__((__pragma_pack__(2))) S {`: items are read, remembered and compared by their tokens alone.
Semantics are those of GCC: `pack(n)` sets, `pack()` resets, `push` saves with or without a name, `pop` restores, to a name if one is
given; a pop of nothing changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.syntax.lex.lexer import lex_fragment
from analysis_core.syntax.lex.tokens import Token, TokenKind
from analysis_core.text.span import FileId

PACK_ATTRIBUTE = "__pragma_pack__"
UNREADABLE = -1
"""In place of a number of bytes: a pragma whose number is not understood."""

_HEAD = 64
"""Tokens between `struct` and `{` that are looked at: names, attributes and bases."""


class PackState:
    """The alignment in force, in bytes (0: that of the types), and what was pushed."""

    def __init__(self) -> None:
        self.bytes = 0
        self.saved: list[tuple[str, int]] = []

    def apply(self, text: str) -> None:
        """Carries out a pragma as spelled, `pack(push, 1)`."""
        words = text.removeprefix("pack").replace("(", " ").replace(")", " ").replace(",", " ").split()
        match words:
            case []:
                self.bytes = 0
            case ["push", *rest]:
                name = next((word for word in rest if not word[:1].isdigit()), "")
                self.saved.append((name, self.bytes))
                self._set([word for word in rest if word != name])
            case ["pop", *rest]:
                self._pop(next((word for word in rest if not word[:1].isdigit()), ""))
                self._set([word for word in rest if word[:1].isdigit()])
            case _:
                self._set(words)

    def _set(self, words: Sequence[str]) -> None:
        for word in words:
            value = int(word) if word.isdigit() else UNREADABLE
            self.bytes = value if value in (0, 1, 2, 4, 8, 16) else UNREADABLE

    def _pop(self, name: str) -> None:
        names = [saved for saved, _ in self.saved]
        if not names or (name and name not in names):
            return
        while self.saved:
            found, self.bytes = self.saved.pop()
            if not name or found == name:
                return


def with_pack_attributes(tokens: Sequence[Token]) -> Sequence[Token]:
    """`tokens` with an attribute in the head of each record that is defined while a `#pragma pack` is in force."""
    pragmas = [i for i, token in enumerate(tokens) if token.kind is TokenKind.PRAGMA and token.text.startswith("pack")]
    if not pragmas:
        return tokens
    state = PackState()
    out = list(tokens[: pragmas[0]])
    for start, end in zip(pragmas, [*pragmas[1:], len(tokens)]):
        state.apply(tokens[start].text)
        if state.bytes == 0:
            out.extend(tokens[start:end])
            continue
        for i in range(start, end):
            out.append(tokens[i])
            if tokens[i].text in ("struct", "class", "union") and _opens_record(tokens, i):
                out.extend(_attribute(tokens[i], state.bytes))
    return out


def _opens_record(tokens: Sequence[Token], keyword: int) -> bool:
    """Whether a `{` ends the head that begins at a keyword: no use of the type, no parameter of a template, no enum."""
    if keyword and tokens[keyword - 1].text == "enum":
        return False
    depth = 0
    for i in range(keyword + 1, min(len(tokens), keyword + _HEAD)):
        text = tokens[i].text
        if text in ("(", "<", "["):
            depth += 1
        elif text in (")", ">", "]", ">>"):
            depth -= len(text)
            if depth < 0:
                return False
        elif depth == 0 and text == "{":
            return True
        elif text in (";", "}", "{") or (
            depth == 0 and text in ("=", ",", "*", "&") and not _is_base(tokens, keyword, i)
        ):
            return False
    return False


def _is_base(tokens: Sequence[Token], keyword: int, comma: int) -> bool:
    return tokens[comma].text == "," and any(tokens[i].text == ":" for i in range(keyword, comma))


def _attribute(keyword: Token, bytes_: int) -> list[Token]:
    text = f"__attribute__(({PACK_ATTRIBUTE}({bytes_ if bytes_ > 0 else 'unknown'})))"
    return [
        Token(token.kind, token.text, keyword.span, True, False, keyword.expansion)
        for token in lex_fragment(text, FileId(""))
    ]
