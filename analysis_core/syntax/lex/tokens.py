"""Preprocessing tokens with their byte origins: what the preprocessor hands to the splitter and the reader.

A token that is spelled in a file (an argument of a macro too) has the span of its spelling.  A token made by a
macro's body has the span of the *outermost invocation* in the user's text, and `expansion` names that macro.
"""

from __future__ import annotations

from enum import Enum

from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


class TokenKind(Enum):
    IDENTIFIER, NUMBER, CHAR, STRING, PUNCTUATOR, OTHER, PRAGMA = range(7)


@dataclass(frozen=True, slots=True)
class Token:
    """`text`: the spelling, undecodable bytes as surrogate escapes.  `space`: white space stood before it.
    `line_start`: first on its line in the file.  PRAGMA: a whole `#pragma ...` / `_Pragma` line as one token, its text
    without `#pragma`, e.g. "unroll 4"."""

    kind: TokenKind
    text: str
    span: Span
    space: bool = False
    line_start: bool = False
    expansion: str | None = None
