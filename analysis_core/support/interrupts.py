"""Work that is not wanted any more is given up, at places where nothing is left half done.

Analysis is long pure computation, so whoever runs it may stop it from outside: by a signal, which Python delivers between any
two steps.  An exception is raised there only inside of `pure`, around computations that change nothing but what they make
themselves; anywhere else it waits for the next such block.

Other people's code is left alone too: a module that is half imported, or a library that takes the exception for an error of its
own (some catch everything), would be broken for as long as the process lives.  So nothing is raised where anything but this
program's own code has been called, importing included; whoever asks asks again soon.

Work whose text has changed meanwhile is *overtaken*: it ends as well, but not while it is patient, which it is where the next work needs what
it does.
"""

from __future__ import annotations

import sys
from types import FrameType, TracebackType

_OWN = ("analysis_core", "lsp_server")


class Cancelled(BaseException):
    """Raised where work is given up because nobody wants its result any more. It is no `Exception`, so that handlers
    of an analysis' errors do not catch it."""


class Interrupts:
    """One running job.  `ask` and `overtake` may be called by a signal's handler, at any moment, and again."""

    def __init__(self) -> None:
        self.asked = False
        self.overtaken = False
        self.patient = False
        self._blocks: list[FrameType] = []  # those that are in a block, the innermost last

    def ask(self) -> None:
        """Asks the running job to end. Raises `Cancelled` at once if the caller has interrupted a pure block."""
        self.asked = True
        self._end(sys._getframe(1))

    def overtake(self) -> None:
        """Tells the running job that the next one is about another text. Raises `Cancelled` as `ask` does, but not where the job is patient."""
        self.overtaken = True
        self._end(sys._getframe(1))

    @property
    def _is_over(self) -> bool:
        return self.asked or (self.overtaken and not self.patient)

    def _end(self, caller: FrameType) -> None:
        if self._is_over and self._blocks and _is_own(caller, self._blocks[-1]):
            raise Cancelled

    def pure(self) -> _Pure:
        """A context in which the job may end at any step. Raises `Cancelled`."""
        return _Pure(self)

    def enter(self, frame: FrameType) -> None:
        """Marks the beginning of a pure block in this caller's frame. Raises `Cancelled` if the job is to end."""
        if self._is_over:
            raise Cancelled
        self._blocks.append(frame)

    def leave(self) -> None:
        """Marks the end of the innermost pure block."""
        self._blocks.pop()


class _Pure:
    """No generator of `contextlib`, whose own code would count as somebody else's."""

    def __init__(self, interrupts: Interrupts) -> None:
        self._interrupts = interrupts

    def __enter__(self) -> None:
        self._interrupts.enter(sys._getframe(1))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._interrupts.leave()


def _is_own(frame: FrameType | None, outermost: FrameType) -> bool:
    """Whether what runs, up to the caller in whose block it does, is this program's code, or of the package of that caller."""
    own = {*_OWN, _package(outermost)}
    while frame is not None and frame is not outermost:
        if _package(frame) not in own:
            return False
        frame = frame.f_back
    return True


def _package(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]
