"""One warm process that analyses, and may be killed at any moment without losing anything.

Analysis is long pure computation: in a thread it would make every hover wait for the interpreter lock, and a thread
cannot be stopped.  So it runs in a process of its own (`workspace/children.py`), one job at a time.  What it remembers between jobs makes the next one faster and nothing else, hence the rules:

- it is started before it is needed, and imports everything at once (0.7 s that nobody waits for);
- it dies with the server, even if the server is killed (on Linux by the parent-death signal, everywhere because its
  pipe ends);
- a job gives several answers, each better than the one before, and says what it is at;
- a job that nobody wants any more is given up: by a signal, which leaves the process and its memory alive (worker_process.py),
  and if that has no effect within `PATIENCE`, by killing the process; one that is only overtaken by another text of its document ends
  where it leaves most to the next;
- if the process breaks during a job it is replaced and the job is given to the new one, once.  If one step takes more processor time than
  it may (`STEP_SECONDS`), if the process is silent for long, or takes more memory than it may, it is replaced and the job is not tried
  again: the same would happen.  `WorkerBroke` says at what it was, each time;
- over `TIDY_BYTES` it is replaced while idle, so that no leak can grow for days.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field
from typing import Any, Generic, TypeVar, cast

from analysis_core.text.records import dataclass
from analysis_core.workspace.children import Child, shares_descriptors
from analysis_core.workspace.memory import processor_seconds, resident_bytes
from lsp_server.worker_process import Alive, Answered, At, Failed, GivenUp, MakeWork, Partly, serve, unwanted

_LOG = logging.getLogger("warpcost.worker")

J = TypeVar("J")
A = TypeVar("A")

START_SECONDS = 60.0
"""How long a process may take to start and import; a job's own limit begins after that."""

STEP_SECONDS = 5.0
"""Processor time of one step of the analysis of a kernel: steps count their work and take two seconds at most."""

PATIENCE = 1.0
"""Seconds after which a process that does not give up its job is killed."""

AGAIN = 0.02
"""Seconds between two signals to a process that has not given up its job yet."""

WATCH = 0.25
"""Seconds between two looks at the memory of a process at work."""

MOST_BYTES = 1_500_000_000
TIDY_BYTES = 280_000_000

_BROKEN = (EOFError, ConnectionError, BrokenPipeError)


class WorkerFailed(Exception):
    """Raised if the job raised an error; the text is that of the error."""


class WorkerBroke(WorkerFailed):
    """Raised if the job has ended one process by its time or memory, or two by a crash. `at`: what each of them said last that it was
    doing."""

    def __init__(self, reason: str, at: tuple[object, ...]) -> None:
        super().__init__(reason)
        self.at = at


class JobGivenUp(Exception):
    """Raised if nobody wants the job any more."""


@dataclass(slots=True)
class _Running:
    """`ready` is set once the process has said that it is warm.  `unwanted`: where the numbers of jobs are written that are to be
    given up."""

    child: Child
    unwanted: int
    ready: asyncio.Event = field(default_factory=asyncio.Event)


class Worker(Generic[J, A]):
    """Runs jobs in a process of its own: `make()` gives the function that does them there. Jobs and answers must be
    picklable, `make` a function of a module. `seconds`: how long a job may be silent; `step`: `STEP_SECONDS`."""

    def __init__(
        self,
        make: MakeWork[J, A],
        seconds: float = 60.0,
        most_bytes: int = MOST_BYTES,
        tidy_bytes: int = TIDY_BYTES,
        step: float = STEP_SECONDS,
    ) -> None:
        self._make = make
        self._seconds, self._step = seconds, step
        self._most_bytes, self._tidy_bytes = most_bytes, tidy_bytes
        self._running: _Running | None = None
        self._number = 0  # of the last job
        self._wanted = True  # whether somebody waits for the running job
        self._until = math.inf  # when it is killed, if nobody does
        self._lock = asyncio.Lock()
        self._talk: asyncio.Task[Any] | None = None  # the one that holds the lock, or held it last
        self.replaced = 0
        """Processes that broke, hung or took too much memory."""
        # A thread waits on the pipe; one job at a time needs one.
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="worker-pipe")

    @property
    def pid(self) -> int | None:
        """The process's number, for tests and for the log."""
        return self._running.child.pid if self._running is not None else None

    def start(self) -> None:
        """Starts the process if it is not running; returns at once."""
        if self._running is not None and self._running.child.is_alive():
            return
        self.stop()
        reads, writes = os.pipe()
        try:
            there = reads if shares_descriptors() else -1  # Then a job is given up by killing the process (`give_up`).
            child = Child(serve, (self._make, there, os.getpid()), self._make, (reads,))
        finally:
            os.close(reads)
        self._running = _Running(child, writes)

    async def run(
        self,
        job: J,
        partly: Callable[[A], None] = lambda answer: None,
        at: Callable[[object], None] = lambda note: None,
        again: bool = True,
    ) -> A:
        """The job's last answer; `partly` is called with those before, `at` with what it is at.  `again`: try a second time with a
        new process if this one breaks.

        Raises `WorkerFailed` (`WorkerBroke`), or `JobGivenUp`.  Whoever is cancelled while he waits here does not break the
        talk with the process off in the middle: the job is given up, and its last message is read before the next one begins."""
        talk = asyncio.get_running_loop().create_task(self._run(job, partly, at, again))
        try:
            return await asyncio.shield(talk)
        except asyncio.CancelledError:
            talk.add_done_callback(lambda done: done.cancelled() or done.exception())  # Nobody else asks.
            if self._talk is talk:
                self.give_up()
            else:
                talk.cancel()
            raise

    async def _run(self, job: J, partly: Callable[[A], None], at: Callable[[object], None], again: bool) -> A:
        async with self._lock:
            self._talk = asyncio.current_task()
            self._wanted, self._until = True, math.inf
            noted: list[object] = []
            reason = ""
            while len(noted) < 1 + again:
                noted.append(None)

                def note(what: object) -> None:
                    noted[-1] = what
                    at(what)

                try:
                    return await self._attempt(job, partly, note)
                except (*_BROKEN, TimeoutError, MemoryError) as error:
                    self.stop()
                    if not self._wanted:
                        raise JobGivenUp from None
                    self.replaced += 1
                    crashed = not isinstance(error, TimeoutError | MemoryError)
                    reason = "it ended the process twice" if crashed else str(error)
                    _LOG.warning("worker broke in attempt %d, at %s: %s", len(noted), noted[-1], str(error) or reason)
                    if not crashed:
                        break
            raise WorkerBroke(reason, tuple(noted))

    async def _attempt(self, job: J, partly: Callable[[A], None], at: Callable[[object], None]) -> A:
        self._tidy()
        self.start()
        running = self._running
        assert running is not None
        self._number += 1
        if not running.ready.is_set():
            await self._message(running, START_SECONDS)
            running.ready.set()
        await self._in_thread(lambda: running.child.pipe.send((self._number, job)))
        stepping = False  # Nobody says how long it takes to look through a project, or to try fixes.
        while True:
            match await self._message(running, self._seconds, self._step if stepping else math.inf):
                case Partly(answer):
                    stepping = False  # What comes next may be to read the whole file.
                    if self._wanted:
                        partly(cast(A, answer))
                case At(what):
                    stepping = what is not None
                    at(what)
                case Alive():
                    stepping = True
                case Answered(answer):
                    if not self._wanted:  # It may rest on what came before and was not passed on.
                        raise JobGivenUp
                    return cast(A, answer)
                case Failed(text):
                    raise WorkerFailed(text)
                case GivenUp():
                    raise JobGivenUp
                case other:
                    raise EOFError(f"an unknown message {other!r}")

    async def _message(self, running: _Running, seconds: float, step: float = math.inf) -> Any:
        """The next message.  Kills a process that is silent for too long, or for so much processor time (`TimeoutError`), or too large
        (`MemoryError`)."""
        waiting = asyncio.ensure_future(self._in_thread(running.child.pipe.recv))
        end, used = time.monotonic() + seconds, processor_seconds(running.child.pid)
        while True:
            done, _ = await asyncio.wait([waiting], timeout=min(WATCH, max(0.0, end - time.monotonic())))
            if done:
                return waiting.result()
            error: Exception | None = None
            if time.monotonic() >= end:
                error = TimeoutError(f"it did not end within {seconds:g} s")
            elif processor_seconds(running.child.pid) > used + step:
                error = TimeoutError(f"a step of it took more than {step:g} s of processor time")
            elif resident_bytes(running.child.pid) > self._most_bytes:
                error = MemoryError(f"it took more than {self._most_bytes // 1_000_000} MB of memory")
            if error is not None:
                running.child.kill()
                with contextlib.suppress(*_BROKEN):
                    await waiting  # The pipe's thread is free again once the process is gone.
                raise error

    async def _in_thread(self, wait: Callable[[], Any]) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, wait)

    def give_up(self) -> None:
        """Asks the running job to end, since nobody wants it. It fails soon, and the process continues with the next
        job."""
        if self._until == math.inf:
            self._end(time.monotonic() + PATIENCE)

    def overtake(self) -> None:
        """Tells the running job that its text is an earlier one. It fails where it leaves most to the next job."""
        if self._wanted:
            self._end(math.inf)

    def _end(self, until: float) -> None:
        running, number = self._running, self._number
        if running is None or not self._lock.locked():
            return
        self._wanted, self._until = False, until
        with contextlib.suppress(OSError):  # It is gone.
            os.write(running.unwanted, unwanted(number, until < math.inf))
        if not running.ready.is_set():  # It will see so itself; to start another one would take longer.
            return
        if not hasattr(signal, "SIGUSR1"):
            running.child.kill()
        else:
            self._insist(running, number)

    def _insist(self, running: _Running, number: int) -> None:
        """Asks again and again: at some places the process does not listen (support/interrupts.py)."""
        if self._running is not running or self._number != number or not self._lock.locked() or self._wanted:
            return
        if time.monotonic() >= self._until:
            running.child.kill()
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(running.child.pid, signal.SIGUSR1)
        asyncio.get_running_loop().call_later(AGAIN, self._insist, running, number)

    def restart(self) -> None:
        """Replaces the process, with all that it remembers; a running job is given up."""
        if self._running is not None and self._lock.locked():
            self._wanted = False
            self._running.child.kill()
        else:
            self.stop()
            self.start()

    def _tidy(self) -> None:
        if self._running is not None and resident_bytes(self.pid) > self._tidy_bytes:
            self.stop()

    def stop(self) -> None:
        """Ends the process, whatever it does."""
        if self._running is not None:
            self._running.child.end()
            os.close(self._running.unwanted)
            self._running = None

    def close(self) -> None:
        """Ends the process and the thread; the worker cannot be used again."""
        self._wanted = False
        self.stop()
        self._threads.shutdown(wait=False, cancel_futures=True)
