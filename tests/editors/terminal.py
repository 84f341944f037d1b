"""A program on a terminal that is kept in memory: keys go in, the screen can be read and drawn."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from html import escape
from types import TracebackType

import pyte

COLUMNS, LINES = 146, 34
PATIENCE = 60.0


class Terminal:
    """Starts the program; ends it with the `with` block."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._screen = pyte.Screen(COLUMNS, LINES)
        self._stream = pyte.ByteStream(self._screen)
        self._process, self._file = pty.fork()
        if self._process == 0:
            os.execve(command[0], list(command), {**environment, "TERM": "xterm-256color", "COLORTERM": "truecolor"})
        fcntl.ioctl(self._file, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._file)  # The program gets a hang-up.
        os.waitpid(self._process, 0)

    def press(self, keys: str) -> None:
        os.write(self._file, keys.encode())

    def await_text(self, *wanted: str, seconds: float = PATIENCE) -> str:
        """The screen, once it shows all of these."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            ready, _, _ = select.select([self._file], [], [], 0.2)
            if ready:
                try:
                    self._stream.feed(os.read(self._file, 65536))
                except OSError as error:  # Linux's word for: nobody is on the other side any more.
                    raise AssertionError("the program has ended:\n" + "\n".join(self._screen.display)) from error
            text = "\n".join(self._screen.display)
            if not ready and all(word in text for word in wanted):
                return text
        raise AssertionError(f"{wanted} is not on the screen:\n" + "\n".join(self._screen.display))

    def html(self, theme: str = "dark") -> str:
        """The screen as a page, each run of cells in its colours."""
        ink, paper = ("#d4d7dd", "#14161b") if theme == "dark" else ("#14161b", "#e0e2ea")
        rows = []
        for number in range(LINES):
            row, cells = "", self._screen.buffer[number]
            for column in range(COLUMNS):
                cell = cells[column]
                fore, back = _colour(cell.fg, ink), _colour(cell.bg, paper)
                if cell.reverse:
                    fore, back = back, fore
                style = f"color:{fore};background:{back}"
                style += ";font-weight:bold" * cell.bold + ";text-decoration:underline" * cell.underscore
                row += f'<span style="{style}">{escape(cell.data)}</span>'
            rows.append(row)
        style = (
            f"margin:0;padding:12px;display:inline-block;background:{paper};font:15px/1.25 'DejaVu Sans Mono',monospace"
        )
        return f'<!DOCTYPE html><meta charset="utf-8"><body style="margin:0"><pre style="{style}">' + "\n".join(rows)


def _colour(name: str, default: str) -> str:
    """A colour of the terminal in a page's words: `ff8700`, or a name."""
    if name == "default":
        return default
    return f"#{name}" if len(name) == 6 and all(c in "0123456789abcdefABCDEF" for c in name) else name
