"""A progress bar on standard error, for people only: nothing is written where standard error is no terminal.

Where findings go to the same terminal, `clear` is called before each, so that the bar never stands in their way.
"""

from __future__ import annotations

import os
import sys
from time import monotonic
from typing import TextIO

from analysis_core.cli.terminal import printable, terminal_columns, width

FEWEST_FILES = 8
"""Below that many files no bar is shown."""

_PAUSE = 0.1
_BAR = 20


class Progress:
    """How many of `total` files are done."""

    def __init__(self, total: int, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._total = total
        self._done = 0
        self._drawn = 0.0
        self._shown = total >= FEWEST_FILES and self._stream.isatty() and os.environ.get("TERM") != "dumb"
        self._visible = False

    def advance(self, path: str) -> None:
        """One more file is done, `path`."""
        self._done += 1
        now = monotonic()
        if self._shown and now - self._drawn >= _PAUSE:
            self._drawn = now
            self._write(f"\r\x1b[K{bar(self._done, self._total, path, terminal_columns(self._stream))}")
            self._visible = True

    def clear(self) -> None:
        """Takes the bar away, if there is one."""
        if self._visible:
            self._write("\r\x1b[K")
            self._visible = False
            self._drawn = 0.0

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def bar(done: int, total: int, path: str, columns: int) -> str:
    """ "[=====>    ] 12/80 src/a.cu" in less than `columns`: the end of a long path is the part that tells."""
    full = done * _BAR // max(1, total)
    text = f"[{'=' * full}{' ' * (_BAR - full)}] {done}/{total} "
    room = columns - len(text) - 1
    name = printable(path)
    while width(name) > max(0, room):
        name = name[1:]
    return text + name
