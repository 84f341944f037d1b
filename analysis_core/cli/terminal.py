"""Text for terminals: printable, in columns, in colour only where somebody looks."""

from __future__ import annotations

import os
import sys
import unicodedata
from typing import TextIO

from analysis_core.cli.runner_commands import no_named_command
from analysis_core.text.records import dataclass

TAB = 4


def printable(text: str) -> str:
    """`text` with what a terminal or a JSON reader chokes on replaced: undecodable bytes, control characters."""
    if not (text.isascii() and text.isprintable()):
        text = "".join(_shown(char) for char in text)
    return no_named_command(text)


def complain(text: str) -> None:
    """One line on standard error: what is wrong."""
    print(f"warpcost: {printable(text)}", file=sys.stderr)


def _shown(char: str) -> str:
    code = ord(char)
    if 0xD800 <= code <= 0xDFFF:
        return "\N{REPLACEMENT CHARACTER}"
    if char == "\t":
        return char
    return " " if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp") else char


def width(text: str) -> int:
    """Columns that printable text without tabs takes: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(_width(char) for char in text)


def _width(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


NARROWEST = 40
"""Columns below which nothing is wrapped further."""


def wrap(text: str, columns: int, indent: str) -> list[str]:
    """Lines of at most `columns`, broken at spaces; all but the first begin with `indent`.  Longer words stay whole."""
    if width(text) <= columns:
        return [text]
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line.strip() else line + word
        if width(longer) > columns and line.strip():
            lines.append(line)
            longer = indent + word
        # Blanks at the beginning of the text are kept: they are its own indentation.
        line = longer if word or line.strip() else line + " "
    return [*lines, line]


@dataclass(frozen=True, slots=True)
class Style:
    """ANSI colours, or none.  `columns`: of the terminal; None where lines may have any length."""

    colour: bool
    columns: int | None = None

    def wrapped(self, text: str, indent: str) -> list[str]:
        """The text in lines that fit."""
        return [text] if self.columns is None else wrap(text, max(NARROWEST, self.columns), indent)

    def paint(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text

    def bold(self, text: str) -> str:
        return self.paint(text, "1")

    def level(self, level: str, text: str) -> str:
        """`text` in the colour of a level."""
        return self.paint(text, {"error": "1;31", "warning": "1;33"}.get(level, "1;36"))

    def dim(self, text: str) -> str:
        return self.paint(text, "2")

    def mark(self, text: str) -> str:
        return self.paint(text, "1;32")


def style_for(stream: TextIO) -> Style:
    """Colours on a terminal, unless NO_COLOR is set or the terminal is dumb, and elsewhere if FORCE_COLOR is; on a terminal lines as wide as it
    is."""
    wanted, unwanted = (bool(os.environ.get(name)) for name in ("FORCE_COLOR", "NO_COLOR"))
    if not stream.isatty():
        return Style(colour=wanted and not unwanted)
    plain = unwanted or (os.environ.get("TERM") == "dumb" and not wanted)
    return Style(colour=not plain, columns=terminal_columns(stream))


def terminal_columns(stream: TextIO) -> int:
    """The columns of the terminal behind a stream, or what `COLUMNS` says; 80 where nothing tells."""
    said = os.environ.get("COLUMNS", "")
    if said.isascii() and said.isdigit() and int(said[:6]) > 0:
        return int(said[:6])
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80
