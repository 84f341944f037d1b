"""What pragmas before a loop ask for."""

from __future__ import annotations

from dataclasses import replace

from analysis_core.syntax.read.reader import Reader
from analysis_core.syntax.read.tree import Loop


def with_pragmas(reader: Reader, loop: Loop, start: int) -> Loop:
    """The loop that begins at token `start`, with what the pragmas directly before it say: 0 for a bare or symbolic factor, 1 for
    `nounroll`."""
    for text in reversed(reader.pragmas_before(start)):
        words = text.replace("(", " ").replace(")", " ").split()
        if words[:1] == ["nounroll"]:
            return replace(loop, unroll=1)
        if "unroll" in words[:2]:
            rest = words[words.index("unroll") + 1 :]
            digits = rest[0].rstrip("uUlL") if rest else ""
            is_number = digits.isascii() and digits.isdigit() and len(digits) < 10
            return replace(loop, unroll=int(digits) if is_number else 0)
        if text.isupper():
            return replace(loop, unroll=0 if "UNROLL" in text else None, macro=text)
    return loop
