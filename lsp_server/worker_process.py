"""The worker's side of the pipe: jobs in, messages out, until the pipe ends.

A signal says that a job is not wanted any more.  Jobs are numbered, and the server writes the number of the unwanted one into a second
pipe before it sends the signal; so one that comes late does not hit the next job.  It writes `unwanted`: whether it is to end, or was
overtaken (support/interrupts.py).
"""

from __future__ import annotations

import contextlib
import ctypes
import logging
import os
import signal
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from analysis_core.support.interrupts import Cancelled, Interrupts
from analysis_core.text.records import dataclass
from analysis_core.workspace.memory import collect_while_idle

_LOG = logging.getLogger("warpcost.worker")

PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Partly:
    """A message: an answer that a better one will follow."""

    answer: object


@dataclass(frozen=True, slots=True)
class At:
    """A message: the job has come to this kernel, and to the next step of its analysis; None: it is done with kernels."""

    what: object


@dataclass(frozen=True, slots=True)
class Alive:
    """A message: the job has come to the next of many steps, none of which takes long."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A message: the last answer."""

    answer: object


@dataclass(frozen=True, slots=True)
class Failed:
    """A message: the job raised an error."""

    text: str


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A message: the job was given up."""


J = TypeVar("J")
A = TypeVar("A")

Send = Callable[[Partly | At | Alive], None]

MakeWork = Callable[[], Callable[[J, Send, Interrupts], A]]
"""Called once in the process, warms it up, and gives what does the jobs there, with what it remembers between them."""


NUMBER_BYTES = 8


def unwanted(number: int, ends: bool) -> bytes:
    """What is written of a job that is to end, or was only overtaken."""
    return (2 * number + ends).to_bytes(NUMBER_BYTES, "little")


class _Unwanted:
    """The numbers of jobs that are not wanted, as they come in: those that are to end, and those that are overtaken.  Asked by a signal's
    handler too, at any moment."""

    def __init__(self, source: int) -> None:
        self._source = source
        self._told = [0]
        with contextlib.suppress(
            OSError, AttributeError
        ):  # There is none (-1) on Windows, which has no such signal either.
            os.set_blocking(source, False)

    def ask(self, number: int, interrupts: Interrupts) -> None:
        """Asks a job to end if it is not wanted. Raises `Cancelled` as `Interrupts.ask` does."""
        with contextlib.suppress(OSError):  # There is nothing new.
            while data := os.read(self._source, NUMBER_BYTES):
                self._told.append(int.from_bytes(data, "little"))
        told = [one for one in self._told if one >> 1 >= number]
        if any(one & 1 for one in told):
            interrupts.ask()
        elif told:
            interrupts.overtake()


def serve(pipe: Connection, make: MakeWork[Any, Any], source: int, parent: int) -> None:
    """The process's main function.  `source`: where the numbers of unwanted jobs come from."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is the server's to handle.
    running: list[tuple[int, Interrupts]] = []
    told = _Unwanted(source)

    def on_signal(*_: object) -> None:
        if running:
            told.ask(*running[0])

    if hasattr(signal, "SIGUSR1"):
        signal.signal(signal.SIGUSR1, on_signal)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # It died before the call above.
            return
    work = make()
    pipe.send("ready")
    while True:
        try:
            collect_while_idle(pipe.poll)
            number, job = pipe.recv()
        except (EOFError, OSError):
            return
        interrupts = Interrupts()
        running[:] = [(number, interrupts)]
        told.ask(number, interrupts)
        message: object
        try:
            message = Answered(work(job, pipe.send, interrupts))
        except Cancelled:
            message = GivenUp()
        except Exception as error:
            _LOG.exception("a job failed")
            message = Failed(f"{type(error).__name__}: {error}")
        running.clear()
        pipe.send(message)
