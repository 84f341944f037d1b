"""When documents are analysed: all rules about time are in this file.

A user types faster than anything can be analysed, and wants two things: squiggles soon after the last key, and never
squiggles of a text that is gone.  The rules:

1. *Debounce.*  A change waits `DEBOUNCE` seconds; another change of the same document restarts the wait.  Opening and
   saving do not wait: nobody is typing then.
2. *Latest wins.*  There is one worker.  Whoever gets it takes the text as it is at that moment, not as it was when the
   request was made, so a queue of requests for one document shrinks to one analysis.
3. *Stale is dropped.*  An answer is delivered only if the document still has the version that was analysed.  A dropped
   answer is no loss: the change that made it stale has put in a request of its own.
4. *Stale work is not waited for.*  If a document changes while it is analysed and that takes longer than `PATIENCE`, the
   worker is killed.  Shorter ones may end: a new process costs more than they do.
5. *Requests wait for the present.*  `latest` gives the answer for the version of now, as soon as it is there; hover and
   pulled diagnostics use it, so they never speak of another text than the one on screen.
6. *A failure is an answer.*  If the analysis fails, the document keeps what it had before, and whoever waits gets None.

Invariant: a document has at most one task, and after its last change it has one until an answer of that version (or a
failure) is recorded.  Tested by tests/server.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

_LOG = logging.getLogger("warpcost.scheduler")

A = TypeVar("A")

DEBOUNCE = 0.15
PATIENCE = 1.0


@dataclass(frozen=True, slots=True)
class Analysis(Generic[A]):
    """An answer and the version of the document that it is about."""

    version: int
    answer: A


class Scheduler(Generic[A]):
    """`version_of(uri)`: the present version, None once closed.  `analyse(uri)`: runs on the present text.

    `publish(uri, analysis)` is called with every answer that is not stale; `give_up()` stops the running analysis."""

    def __init__(
        self,
        version_of: Callable[[str], int | None],
        analyse: Callable[[str], Awaitable[A]],
        publish: Callable[[str, Analysis[A]], None],
        give_up: Callable[[], None] = lambda: None,
    ) -> None:
        self._version_of = version_of
        self._analyse = analyse
        self._publish = publish
        self._give_up = give_up
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._done: dict[str, Analysis[A]] = {}
        self._running: asyncio.Task[None] | None = None  # the task that has the worker
        self._turn = asyncio.Lock()

    def request(self, uri: str, delay: float = 0.0) -> None:
        """Analyse the document after `delay` seconds, unless it is requested again before."""
        old = self._tasks.get(uri)
        loop = asyncio.get_running_loop()
        if old is not None and old is self._running:
            loop.call_later(PATIENCE, self._stop_waiting_for, old)
        elif old is not None:
            old.cancel()
        self._tasks[uri] = loop.create_task(self._run(uri, delay))
        self._tasks[uri].add_done_callback(_log_failure)

    def forget(self, uri: str) -> None:
        """The document is closed: no answer for it is delivered any more."""
        self._done.pop(uri, None)
        task = self._tasks.pop(uri, None)
        if task is not None and task is not self._running:
            task.cancel()

    def known(self, uri: str) -> Analysis[A] | None:
        """The last answer, perhaps of an earlier version."""
        return self._done.get(uri)

    async def latest(self, uri: str) -> Analysis[A] | None:
        """The answer for the present version, awaited; None if the document is closed or its analysis failed."""
        while (version := self._version_of(uri)) is not None:
            done = self._done.get(uri)
            if done is not None and done.version == version:
                return done
            task = self._tasks.get(uri)
            if task is None or task.done():
                return None
            await asyncio.wait([task])
        return None

    def stop(self) -> None:
        """Cancels everything that waits."""
        for task in self._tasks.values():
            task.cancel()

    def _stop_waiting_for(self, task: asyncio.Task[None]) -> None:
        if self._running is task:
            self._give_up()

    async def _run(self, uri: str, delay: float) -> None:
        await asyncio.sleep(delay)
        async with self._turn:
            version = self._version_of(uri)
            if version is None:
                return
            self._running = asyncio.current_task()
            try:
                answer = await self._analyse(uri)
            finally:
                self._running = None
        if self._version_of(uri) != version:
            return
        analysis = Analysis(version, answer)
        self._done[uri] = analysis
        self._publish(uri, analysis)


def _log_failure(task: asyncio.Task[None]) -> None:
    """An exception in a background task would otherwise be seen by nobody."""
    if not task.cancelled() and (error := task.exception()) is not None:
        _LOG.error("analysis failed: %s", error, exc_info=error)
