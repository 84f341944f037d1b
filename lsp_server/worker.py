"""One warm process that analyses, and may be killed at any moment without losing anything.

Analysis is long pure computation: in a thread it would make every hover wait for the interpreter lock, and a thread
cannot be stopped.  So it runs in a process of its own, spawned (a forked one would share the protocol's streams),
one job at a time.  Between jobs it holds nothing that matters, hence the rules:

- it is started before it is needed, and imports everything at once (0.7 s that nobody waits for);
- its standard output is its standard error, since a stray print would corrupt the protocol's stream;
- it dies with the server, even if the server is killed (on Linux by the parent-death signal, everywhere because its
  pipe ends);
- if it breaks during a job it is replaced and the job is given to the new one, once: a job that breaks two workers is
  itself the cause and fails;
- over its time limit it is killed, and the job fails with `TimeoutError`; `kill` ends a job that nobody wants any more;
- after `RECYCLE` jobs it is replaced while idle, so that no leak can grow for days.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import logging
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Generic, TypeVar, cast

_LOG = logging.getLogger("warpcost.worker")

J = TypeVar("J")
A = TypeVar("A")

RECYCLE = 2000
"""Jobs after which a worker is replaced."""

START_SECONDS = 60.0
"""How long a process may take to start and import; a job's own limit begins after that."""

PR_SET_PDEATHSIG = 1


_BROKEN = (EOFError, ConnectionError, BrokenPipeError)


class WorkerFailed(Exception):
    """The job could not be done: it raised (text of the error), or broke two workers, or was killed."""


@dataclass(frozen=True, slots=True)
class _Failure:
    text: str


@dataclass(frozen=True, slots=True)
class _Running:
    """`ready` is set once the process has said that it is warm."""

    process: SpawnProcess
    pipe: Connection
    ready: asyncio.Event


class Worker(Generic[J, A]):
    """Runs `work(job)` in the process; both must be picklable, `work` and `warm_up` functions of a module."""

    def __init__(
        self, work: Callable[[J], A], warm_up: Callable[[], None] | None = None, seconds: float = 60.0
    ) -> None:
        self._work = work
        self._warm_up = warm_up
        self._seconds = seconds
        self._running: _Running | None = None
        self._jobs = 0
        self._wanted = True  # whether somebody waits for the running job
        self._lock = asyncio.Lock()
        # A thread waits on the pipe; one job at a time needs one.
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="worker-pipe")

    @property
    def pid(self) -> int | None:
        """The process's number, for tests and for the log."""
        return self._running.process.pid if self._running is not None else None

    def start(self) -> None:
        """Starts the process if it is not running; returns at once."""
        if self._running is not None and self._running.process.is_alive():
            return
        self.stop()
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(
            target=_serve, args=(there, self._work, self._warm_up, os.getpid()), daemon=True, name="warpcost-worker"
        )
        process.start()
        there.close()
        self._running = _Running(process, here, asyncio.Event())
        self._jobs = 0

    async def run(self, job: J) -> A:
        """The job's answer; raises `WorkerFailed`, or `TimeoutError` past the time limit."""
        async with self._lock:
            self._wanted = True
            for attempt in (1, 2):
                try:
                    return await self._attempt(job)
                except _BROKEN as error:
                    self.stop()
                    if not self._wanted:
                        raise WorkerFailed("the job was given up") from None
                    _LOG.warning("worker broke in attempt %d: %r", attempt, error)
            raise WorkerFailed("the job broke the worker twice")

    async def _attempt(self, job: J) -> A:
        if self._jobs >= RECYCLE:
            self.stop()
        self.start()
        running = self._running
        assert running is not None
        self._jobs += 1
        if not running.ready.is_set():
            await self._within(START_SECONDS, running, running.pipe.recv)
            running.ready.set()
        answer = await self._within(self._seconds, running, lambda: _exchange(running.pipe, job))
        if isinstance(answer, _Failure):
            raise WorkerFailed(answer.text)
        return cast(A, answer)

    async def _within(self, seconds: float, running: _Running, wait: Callable[[], object]) -> object:
        """What `wait` gives in the pipe's thread; kills the process and raises `TimeoutError` past the limit."""
        waiting = asyncio.get_running_loop().run_in_executor(self._threads, wait)
        try:
            return await asyncio.wait_for(asyncio.shield(waiting), seconds)
        except TimeoutError:
            running.process.kill()
            with contextlib.suppress(*_BROKEN):
                await waiting  # The pipe's thread is free again once the process is gone.
            self.stop()
            _LOG.warning("a job was stopped after %g s", seconds)
            raise

    def kill(self) -> None:
        """Ends the running job, which fails; the next one gets a new process."""
        if self._running is not None and self._lock.locked():
            self._wanted = False
            self._running.process.kill()

    def stop(self) -> None:
        """Ends the process, whatever it does."""
        if self._running is not None:
            self._running.process.kill()
            self._running.process.join(1)
            self._running.pipe.close()
            self._running = None

    def close(self) -> None:
        """Ends the process and the thread; the worker cannot be used again."""
        self.stop()
        self._threads.shutdown(wait=False, cancel_futures=True)


def _exchange(pipe: Connection, job: object) -> object:
    pipe.send(job)
    return pipe.recv()


def _serve(pipe: Connection, work: Callable[[J], A], warm_up: Callable[[], None] | None, parent: int) -> None:
    """The process's main function: jobs in, answers out, until the pipe ends."""
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is the server's to handle.
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # It died before the call above.
            return
    if warm_up is not None:
        try:
            warm_up()
        except Exception:
            _LOG.exception("warming up failed")
    pipe.send("ready")
    while True:
        try:
            job = pipe.recv()
        except (EOFError, OSError):
            return
        answer: object
        try:
            answer = work(job)
        except Exception as error:
            _LOG.exception("a job failed")
            answer = _Failure(f"{type(error).__name__}: {error}")
        pipe.send(answer)
