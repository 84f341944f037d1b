"""Work that is not wanted any more is given up, at places where nothing is left half done.

Analysis is long pure computation, so whoever runs it may stop it from outside: by a signal, which Python delivers between any
two steps.  An exception is raised there only inside of `pure`, around computations that change nothing but what they make
themselves; anywhere else it waits for the next such block.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Cancelled(BaseException):
    """The work is not wanted any more.  No `Exception`: what catches errors of an analysis does not catch this."""


class Interrupts:
    """One running job.  `ask` may be called by a signal's handler, at any moment."""

    def __init__(self) -> None:
        self.asked = False
        self._pure = False

    def ask(self) -> None:
        """The job is not wanted any more."""
        self.asked = True
        if self._pure:
            raise Cancelled

    @contextmanager
    def pure(self) -> Iterator[None]:
        """A block that may be left at any step.  Raises `Cancelled`."""
        if self.asked:
            raise Cancelled
        self._pure = True
        try:
            yield
        finally:
            self._pure = False
