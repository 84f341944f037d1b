"""Offsets to lines and columns, and back.

A line ends at "\\n", "\\r\\n" or a lone "\\r", as editors and the Language Server Protocol have it; form feed and
U+2028 end no line (`str.splitlines` differs here).  Lines and byte columns count from 1 for people; the columns of
protocols count code points or UTF-16 units from 0, so they are named after their unit.  A byte that is not part of
valid UTF-8 counts as one code point and one UTF-16 unit, which is what an editor shows in its place.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class LineIndex:
    """`starts`: the offset of each line's first byte, increasing, the first 0."""

    data: bytes
    starts: tuple[int, ...]

    @staticmethod
    def of(data: bytes) -> LineIndex:
        """The index of a text; linear in its size."""
        lines = data.splitlines(keepends=True)  # at the ends of lines as defined above, in one call
        if lines and not lines[-1].endswith((b"\n", b"\r")):
            lines.pop()
        return LineIndex(data, tuple(accumulate(map(len, lines), initial=0)))

    @property
    def line_count(self) -> int:
        """Lines of the text; a text that ends with a line end has an empty last line."""
        return len(self.starts)

    def line_of(self, offset: int) -> int:
        """The 1-based line that holds byte `offset`; offsets outside of the text give its first or last line."""
        return max(1, bisect_right(self.starts, offset))

    def position(self, offset: int) -> tuple[int, int]:
        """1-based line and 1-based byte column of a byte offset."""
        offset = min(max(offset, 0), len(self.data))
        line = self.line_of(offset)
        return line, offset - self.starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The byte offset of a 1-based line and byte column, clipped to that line's text without its line end."""
        start, end = self.line_range(line)
        return min(max(start + column - 1, start), end)

    def line_range(self, line: int) -> tuple[int, int]:
        """First byte and end of a 1-based line, its line end left out; lines outside of the text are clipped."""
        line = min(max(line, 1), len(self.starts))
        start = self.starts[line - 1]
        end = self.starts[line] if line < len(self.starts) else len(self.data)
        while end > start and self.data[end - 1] in b"\r\n":
            end -= 1
        return start, end

    def line_text(self, line: int) -> str:
        """The text of a 1-based line, without its line end."""
        start, end = self.line_range(line)
        return _decode(self.data[start:end])

    def code_point_column(self, offset: int) -> int:
        """0-based column in code points; an offset inside of a character counts as that character's start."""
        return len(_decode(self._before(offset)))

    def utf16_column(self, offset: int) -> int:
        """0-based column in UTF-16 units; an offset inside of a character counts as that character's start."""
        return sum(_units(char) for char in _decode(self._before(offset)))

    def offset_of_code_point(self, line: int, column: int) -> int:
        """The byte offset of a 1-based line and a 0-based code-point column, clipped to the line."""
        text = self.line_text(line)
        return self.line_range(line)[0] + _encoded_length(text[: max(column, 0)])

    def offset_of_utf16(self, line: int, column: int) -> int:
        """The byte offset of a 1-based line and a 0-based UTF-16 column, clipped to the line.

        A column between the two halves of a surrogate pair gives the start of that character."""
        text = self.line_text(line)
        units = 0
        for index, char in enumerate(text):
            units += _units(char)
            if units > column:
                return self.line_range(line)[0] + _encoded_length(text[:index])
        return self.line_range(line)[1]

    def _before(self, offset: int) -> bytes:
        """The bytes of the offset's line before it, cut back to a character boundary of valid UTF-8."""
        offset = min(max(offset, 0), len(self.data))
        start = self.starts[self.line_of(offset) - 1]
        for back in range(4):
            place = offset - back
            if place <= start or place >= len(self.data) or self.data[place] & 0xC0 != 0x80:
                break
        else:
            return self.data[start:offset]  # Four continuation bytes in a row are no character: each stands alone.
        whole = self.data[place : place + 4]
        if back and not _starts_character(whole, back):
            place = offset
        return self.data[start:place]


def _starts_character(data: bytes, inside: int) -> bool:
    """Whether `data` begins with a valid multi-byte character longer than `inside` bytes."""
    for length in (2, 3, 4):
        if length > inside:
            try:
                return len(data[:length].decode("utf-8")) == 1
            except UnicodeDecodeError:
                continue
    return False


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _encoded_length(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))


def _units(char: str) -> int:
    return 2 if ord(char) > 0xFFFF else 1
