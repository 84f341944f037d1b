"""When documents are analysed: all rules about time are in this file.

A user types faster than anything can be analysed, and wants two things: squiggles soon after the last key, and never
squiggles of a text that is gone.  The rules:

1. *Debounce.*  A change waits `DEBOUNCE` seconds; another change of the same document restarts the wait.  Opening and
   saving do not wait: nobody is typing then.  In the last `AHEAD` seconds of the wait the worker, which has nothing else to do, reads the
   text: it is idle then anyway, reading is a small part of the work, and few keys come in them.
2. *Latest wins.*  There is one worker.  A job takes the text as it is at the moment it starts, not as it was when the
   request was made, so any number of requests for one document shrink to one analysis.
3. *What one looks at goes first.*  Of documents that wait, that goes first which was touched last.  A job for a document that is
   less wanted gives way, and is done again later with what it found out so far.
4. *Stale work is given up.*  If a document changes while it is analysed, that ends at once; where nothing is known of it yet, it ends
   once it has done what the next analysis would have to do again, since somebody who types does not wait for that.
5. *Stale is dropped.*  An answer is delivered only if the document still has the version that was analysed.
6. *First answers first.*  An analysis gives an answer as soon as there is one, and better ones after it.
7. *Requests wait for the present.*  `latest` gives an answer for the version of now, as soon as it is there.
8. *A failure is an answer.*  If the analysis fails, the document keeps what it had before, and whoever waits gets None.

Invariant: a document that changed is requested, or running, until an answer of its version (or a failure) is recorded.
Tested by tests/server.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from analysis_core.text.records import dataclass
from lsp_server.worker import JobGivenUp

_LOG = logging.getLogger("warpcost.scheduler")

A = TypeVar("A")
B = TypeVar("B")

DEBOUNCE = 0.15
AHEAD = 0.05


@dataclass(frozen=True, slots=True)
class Analysis(Generic[A]):
    """An answer, and the version of the document that it is about. `whole`: no better answer will follow."""

    version: int
    answer: A
    whole: bool = True


class Scheduler(Generic[A]):
    """`version_of(uri)`: the present version, None once closed.  `analyse(uri, partly)`: runs on the present text, gives the
    last answer, and calls `partly` with those before.

    `publish(uri, analysis)` is called with every answer that is not stale, `failed(uri, error)` where there is none; `give_up()`
    stops the running analysis, `overtake()` where it leaves most to the next; `busy(yes)` is told when work begins and ends; `read_ahead(uri)` makes ready what the analysis will need."""

    def __init__(
        self,
        version_of: Callable[[str], int | None],
        analyse: Callable[[str, Callable[[A], None]], Awaitable[A]],
        publish: Callable[[str, Analysis[A]], None],
        give_up: Callable[[], None] = lambda: None,
        overtake: Callable[[], None] = lambda: None,
        failed: Callable[[str, Exception], None] = lambda uri, error: None,
        busy: Callable[[bool], None] = lambda yes: None,
        read_ahead: Callable[[str], Awaitable[None]] | None = None,
    ) -> None:
        self._version_of = version_of
        self._analyse = analyse
        self._publish = publish
        self._give_up = give_up
        self._overtake = overtake
        self._failed = failed
        self._busy = busy
        self._read_ahead = read_ahead
        self._ahead: tuple[str, float] | None = None  # What was read ahead last, and for when.
        self._reading: str | None = None  # What is read ahead now.
        # What is to be analysed, and not before when (seconds of the loop's clock).
        self._waiting: dict[str, float] = {}
        self._touched: dict[str, int] = {}
        self._clock = 0
        self._done: dict[str, Analysis[A]] = {}
        self._running: str | None = None
        self._abandoned: set[str] = set()
        self._apart = False
        self._loop: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()
        self._news: asyncio.Future[None] | None = None
        self._held = asyncio.Lock()

    def touch(self, uri: str) -> None:
        """Notes that the user looks at the document: it is analysed before others."""
        self._clock += 1
        self._touched[uri] = self._clock

    def request(self, uri: str, delay: float = 0.0) -> None:
        """Analyse the document after `delay` seconds, unless it is requested again before, which does not matter to one of
        which nothing is known once it is due."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        if uri in self._done or self._waiting.get(uri, math.inf) > now:
            self._waiting[uri] = now + delay
        if uri == self._reading or (uri == self._running and uri in self._done):
            self._give_up()
        elif uri == self._running:
            self._overtake()
        if self._loop is None or self._loop.done():
            self._loop = loop.create_task(self._work())
            self._loop.add_done_callback(_log_failure)
        self._wake.set()
        loop.call_later(delay, self._make_way, uri)

    def abandon(self, uri: str) -> None:
        """Stops waiting for the document: it keeps the answer that it has until it changes."""
        if self._waiting.pop(uri, None) is not None and self._running != uri:
            self._tell()  # Nothing else would wake those who wait for it.
        if self._running == uri:
            self._abandoned.add(uri)
            self._give_up()

    @property
    def running(self) -> str | None:
        """The document that is analysed now."""
        return self._running

    def forget(self, uri: str) -> None:
        """Notes that the document is closed: no answer for it is delivered any more."""
        self._done.pop(uri, None)
        self._waiting.pop(uri, None)
        self._touched.pop(uri, None)
        if uri in (self._running, self._reading):
            self._give_up()
        self._tell()

    def known(self, uri: str) -> Analysis[A] | None:
        """The last answer about the document, perhaps of an earlier version."""
        return self._done.get(uri)

    @property
    def is_quiet(self) -> bool:
        """Nothing is requested or running."""
        return self._running is None and not self._waiting

    async def latest(self, uri: str, whole: bool = False) -> Analysis[A] | None:
        """An answer for the present version (`whole`: the last one), awaited; None if the document is closed or its analysis
        failed."""
        while (version := self._version_of(uri)) is not None:
            done = self._done.get(uri)
            if done is not None and done.version == version and (done.whole or not whole):
                return done
            if uri not in self._waiting and self._running != uri:
                return None
            await self._something_new()
        return None

    async def _something_new(self) -> None:
        if self._news is None or self._news.done():
            self._news = asyncio.get_running_loop().create_future()
        await asyncio.shield(self._news)

    async def quiet(self) -> None:
        """Waits until nothing is requested or running."""
        while not self.is_quiet:
            await self._something_new()

    async def apart(self, work: Callable[[], Awaitable[B]]) -> B | None:
        """Runs other work in the worker, between analyses. None if it was given up for an analysis."""
        async with self._held:
            self._apart = True
            try:
                return await work()
            except JobGivenUp:
                return None
            finally:
                self._apart = False

    def stop(self) -> None:
        """Cancels everything that waits."""
        self._waiting.clear()
        if self._loop is not None:
            self._loop.cancel()

    # --- the loop -----------------------------------------------------------------------------------------------

    async def _work(self) -> None:
        """Analyses what is requested, as long as there is something."""
        try:
            while self._waiting:
                uri, due = self._next()
                wait = due - asyncio.get_running_loop().time()
                if wait > 0:
                    self._busy(False)
                    ahead = self._read_ahead is not None and self._ahead != (uri, due)
                    if ahead and wait <= AHEAD:
                        await self._make_ready(uri, due)
                    else:
                        self._wake.clear()
                        with contextlib.suppress(TimeoutError):
                            await asyncio.wait_for(self._wake.wait(), wait - AHEAD * ahead)
                    continue
                async with self._held:
                    self._busy(True)
                    await self._analyse_one(uri)
        finally:
            self._busy(False)

    async def _make_ready(self, uri: str, due: float) -> None:
        """Has a document read that will be due soon, unless the worker is at something else until then."""
        self._ahead = uri, due
        async with self._held:
            if self._read_ahead is None or self._waiting.get(uri) != due or due <= asyncio.get_running_loop().time():
                return
            self._reading = uri
            try:
                await self._read_ahead(uri)
            except JobGivenUp:
                pass
            except Exception as error:  # The analysis meets it again; what waits must not wait for another request.
                _LOG.error("reading ahead failed: %s", error, exc_info=error)
            finally:
                self._reading = None

    def _next(self) -> tuple[str, float]:
        """Of those that are due the one touched last; if none is, the one that is due first."""
        now = asyncio.get_running_loop().time()
        due = [uri for uri, moment in self._waiting.items() if moment <= now]
        if due:
            uri = max(due, key=lambda one: self._touched.get(one, 0))
        else:
            uri = min(self._waiting, key=lambda one: self._waiting[one])
        return uri, self._waiting[uri]

    async def _analyse_one(self, uri: str) -> None:
        waiting = self._waiting.pop(uri, None)
        version = self._version_of(uri)
        if waiting is None or version is None:
            return
        self._running = uri
        self._abandoned.discard(uri)
        try:
            answer = await self._analyse(uri, lambda part: self._deliver(uri, version, part, whole=False))
            self._deliver(uri, version, answer, whole=True)
        except JobGivenUp:
            if uri not in self._abandoned and self._version_of(uri) == version and uri not in self._waiting:
                self._waiting[uri] = 0.0  # It gave way to another one.
        except Exception as error:
            _LOG.error("analysis failed: %s", error, exc_info=error)
            if self._version_of(uri) == version:
                self._failed(uri, error)
        finally:
            self._running = None
            self._tell()

    def _make_way(self, uri: str) -> None:
        """The document is due: what is less wanted gives way."""
        waiting, running = self._waiting.get(uri), self._running
        if waiting is None or waiting > asyncio.get_running_loop().time() + 0.001:
            return
        less_wanted = running is not None and self._touched.get(running, 0) < self._touched.get(uri, 0)
        if self._apart or less_wanted or self._reading not in (None, uri):
            self._give_up()

    def _deliver(self, uri: str, version: int, answer: A, whole: bool) -> None:
        if self._version_of(uri) != version:
            return
        analysis = Analysis(version, answer, whole)
        self._done[uri] = analysis
        self._publish(uri, analysis)
        self._tell()

    def _tell(self) -> None:
        if self._news is not None and not self._news.done():
            self._news.set_result(None)


def _log_failure(task: asyncio.Task[None]) -> None:
    """An exception in a background task would otherwise be seen by nobody."""
    if not task.cancelled() and (error := task.exception()) is not None:
        _LOG.error("analysis failed: %s", error, exc_info=error)
