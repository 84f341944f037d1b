"""Statements as groups of findings: "one finding per statement and rule" needs to know where a statement begins.

Facts know places of accesses, not of statements, and one statement may come from several places of the IR.  So the
group is found in the text: from the place back to the nearest `;`, `{` or `}` outside of parentheses opened there, or to the head of
the `if` or loop that the statement is the body of.
A comment or a string that holds such a character splits a statement in two groups at worst, which shows one
finding too many; it cannot join two statements.
"""

from __future__ import annotations

import re

_FARTHEST = 4096
"""Bytes to look back; generated code has statements of megabytes."""

_MARK = re.compile(rb"[;{}()\[\]]")
_OPEN, _CLOSE = b"([", b")]"
_HEAD = re.compile(rb"\b(if|while|for|switch|constexpr)\s*$")


def statement_start(text: bytes, offset: int) -> int:
    """The offset after the `;`, `{` or `}` that ends what stands before the statement around `offset` (bytes), or after `if (..)` before it.

    Brackets closed on the way back are passed over whole; parts of a `for` header are statements of their own."""
    depth = closed = 0
    lowest = max(0, offset - _FARTHEST)
    offset = min(offset, len(text))
    for match in _MARK.finditer(text[lowest:offset][::-1]):
        char, after = match[0], offset - match.start()
        if char in _CLOSE:
            closed = closed if depth else after
            depth += 1
        elif char in _OPEN:
            if depth == 1 and _HEAD.search(text, max(lowest, after - 16), after - 1):
                return closed
            depth = max(0, depth - 1)
        elif depth == 0:
            return after
    return lowest
