"""An editor's text, and random edits of it as a client would send them: an independent model, which shares nothing with the server.

The text is a string of code points; where lines end is said by one regular expression, what columns count by Python's codecs."""

from __future__ import annotations

import random
import re
from typing import Any

UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}

PIECES = (
    "a", "b", " ", "\t", "x = 1;", "\n", "\n\n", "\r", "\r\n", "\f", "\v", "\u2028", "\u2029", "\u0085", "\x1c", "\x1d", "\x1e", "é", "ß\u0301", "漢",
    "😀", "👩‍💻", "\ufeff", "\0", "}", "{\n", "/* */", "'",
)  # fmt: skip


class EditorText:
    """`text`: what the user sees.  `unit`: what columns count."""

    def __init__(self, unit: str, text: str = "") -> None:
        self.text = text
        self._codec, self._width = UNITS[unit]

    def position(self, at: int) -> dict[str, int]:
        """Of the code point with this number."""
        starts = [0, *(end.end() for end in re.finditer(r"\r\n|\r|\n", self.text))]
        line = max(number for number, start in enumerate(starts) if start <= at)
        return {"line": line, "character": len(self.text[starts[line] : at].encode(self._codec)) // self._width}

    def edit(self, draw: random.Random, most: int = 600) -> dict[str, Any]:
        """Changes the text somehow; gives what a client says of that."""
        if draw.random() < 0.01 or len(self.text) > most:
            self.text = self.some_text(draw, 40)
            return {"text": self.text}
        start, end = sorted((self._place(draw), self._place(draw)))
        if draw.random() < 0.7:
            end = min(end, self._settled(start + draw.randrange(4)))
        new = "" if draw.random() < 0.25 else self.some_text(draw, 3)
        area = {"start": self._said(draw, start), "end": self._said(draw, end)}
        self.text = self.text[:start] + new + self.text[end:]
        return {"range": area, "text": new}

    def some_text(self, draw: random.Random, most: int) -> str:
        return "".join(draw.choice(PIECES) for _ in range(draw.randrange(most + 1)))

    def _place(self, draw: random.Random) -> int:
        """Often the end: people write there."""
        return self._settled(len(self.text) if draw.random() < 0.2 else draw.randrange(len(self.text) + 1))

    def _settled(self, at: int) -> int:
        """No position lies between the two halves of a line end."""
        return at + 1 if self.text[at - 1 : at + 1] == "\r\n" and at > 0 else min(at, len(self.text))

    def _said(self, draw: random.Random, at: int) -> dict[str, int]:
        """The position, or one beyond the end that means it."""
        place = self.position(at)
        if draw.random() < 0.3 and (at == len(self.text) or self.text[at] in "\r\n"):
            place["character"] = draw.choice((place["character"] + draw.randrange(5), (1 << 31) - 1))
        if draw.random() < 0.3 and at == len(self.text):
            place = {"line": place["line"] + draw.randrange(1, 4), "character": draw.randrange(9)}
        return place
