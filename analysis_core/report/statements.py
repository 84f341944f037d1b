"""Statements as groups of findings: "one finding per statement and rule" needs to know where a statement begins.

Facts know places of accesses, not of statements, and one statement may come from several places of the IR.  So the
group is found in the text: from the place back to the nearest `;`, `{` or `}` outside of parentheses opened there.
A comment or a string that holds such a character splits a statement in two groups at worst, which shows one
finding too many; it cannot join two statements.
"""

from __future__ import annotations

_FARTHEST = 4096
"""Bytes to look back; generated code has statements of megabytes."""

_ENDS = b";{}"
_OPEN, _CLOSE = b"([", b")]"


def statement_start(text: bytes, offset: int) -> int:
    """The offset after the `;`, `{` or `}` that ends what stands before the statement around `offset` (bytes).

    Brackets closed on the way back are passed over whole; parts of a `for` header are statements of their own."""
    depth = 0
    lowest = max(0, offset - _FARTHEST)
    for place in range(min(offset, len(text)) - 1, lowest - 1, -1):
        char = text[place : place + 1]
        if char in _CLOSE:
            depth += 1
        elif char in _OPEN:
            depth = max(0, depth - 1)
        elif depth == 0 and char in _ENDS:
            return place + 1
    return lowest
