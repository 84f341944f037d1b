"""No request is lost, however changes, requests, failures and cancellations meet: drawn by seed, in a loop whose clock is counted.

The model: a request is answered with an answer about the text that is there at that moment; with nothing only if the document is closed, its
analysis failed, or the user cancelled it.  Where somebody waits and nothing is left to happen, the loop says so (counted.py): that would be a
request without an answer.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import pytest

from lsp_server.pending import Pending
from lsp_server.scheduler import DEBOUNCE, Analysis, Scheduler
from lsp_server.worker import JobGivenUp, WorkerFailed
from tests.server.counted import run

SEEDS, BATCHES, STEPS = 40, 10, 40


class Office:
    """Documents, one worker, and whoever asks."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.versions: dict[str, int] = {}
        self.excused: set[tuple[str, int]] = set()  # versions that failed or were cancelled
        self.last = 0
        self.unwanted: asyncio.Event | None = None  # of the job that runs
        self.overtaken = False
        self.pending = Pending(most=6, most_alike=2)
        self.requests: list[asyncio.Future[Any]] = []
        self.scheduler: Scheduler[int] = Scheduler(
            self.versions.get,
            self._analyse,
            lambda uri, analysis: None,
            self._give_up,
            overtake=self._overtake,
            read_ahead=self._read,
        )

    def _give_up(self) -> None:
        if self.unwanted is not None:
            self.unwanted.set()

    def _overtake(self) -> None:
        self.overtaken = True

    async def _job(self, steps: int, step: Callable[[int], None]) -> None:
        assert self.unwanted is None, "there is one worker"
        unwanted, self.overtaken = asyncio.Event(), False
        self.unwanted, patient = unwanted, self.draw.randrange(3)
        try:
            for number in range(steps):
                await asyncio.sleep(self.draw.choice((0.0, 0.001, 0.02, 0.2)))
                if unwanted.is_set() or (self.overtaken and number >= patient):
                    raise JobGivenUp
                step(number)
        finally:
            self.unwanted = None

    async def _analyse(self, uri: str, partly: Callable[[int], None]) -> int:
        version, trouble = self.versions[uri], self.draw.random() < 0.1

        def step(number: int) -> None:
            if number == 1 and trouble:
                self.excused.add((uri, version))
                raise WorkerFailed("it broke")
            if number in (1, 2):
                partly(version)

        await self._job(self.draw.randrange(2, 5), step)
        return version

    async def _read(self, uri: str) -> None:
        def step(number: int) -> None:
            if self.draw.random() < 0.1:
                raise OSError("no process could be started")

        await self._job(2, step)

    def changed(self, uri: str) -> None:
        """The document is opened or changed."""
        self.last += 1
        self.scheduler.touch(uri)
        self.scheduler.request(uri, 0.0 if uri not in self.versions else DEBOUNCE)
        self.versions[uri] = self.last

    def closed(self, uri: str) -> None:
        """The document is closed."""
        self.versions.pop(uri, None)
        self.scheduler.forget(uri)

    def cancelled(self, uri: str) -> None:
        """The user cancels its analysis."""
        if uri in self.versions:
            self.excused.add((uri, self.versions[uri]))
        self.scheduler.abandon(uri)

    def settings_changed(self, uri: str) -> None:
        """The same text is to be analysed again."""
        if uri in self.versions:
            self.excused.discard((uri, self.versions[uri]))
            self.scheduler.request(uri)

    async def _asked(self, uri: str, whole: bool) -> None:
        found: Analysis[int] | None = await self.scheduler.latest(uri, whole)
        now = self.versions.get(uri)
        if found is None:
            assert now is None or (uri, now) in self.excused
        else:
            assert found.answer == found.version == now and (found.whole or not whole)

    def asks(self, uri: str) -> None:
        """Somebody wants the present answer, and may not wait for it."""
        whole = self.draw.random() < 0.5
        mine = self.pending.ask((uri, whole, self.last), lambda: self._asked(uri, whole))
        self.requests.append(mine)
        if self.draw.random() < 0.1:
            asyncio.get_running_loop().call_later(self.draw.random() / 5, mine.cancel)

    def something_apart(self) -> None:
        """A fix is looked for."""

        async def work() -> int:
            await self._job(2, lambda number: None)
            return 1

        self._spawn(self.scheduler.apart(work))

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        self.requests.append(asyncio.get_running_loop().create_task(work))

    async def day(self) -> None:
        """Things happen; then all is answered."""
        often, now_and_then = (self.changed, self.asks), (self.closed, self.cancelled, self.settings_changed)
        happens = [partial(what, uri) for uri in "abc" for what in (*often * 4, *now_and_then)]
        happens.append(partial(self.something_apart))
        for _ in range(STEPS):
            self.draw.choice(happens)()
            await asyncio.sleep(self.draw.choice((0.0, 0.0, 0.001, 0.05, 0.16)))
        for answer in await asyncio.gather(*self.requests, return_exceptions=True):
            assert answer is None or answer == 1 or isinstance(answer, asyncio.CancelledError), answer
        await self.scheduler.quiet()
        for uri, version in self.versions.items():
            known = self.scheduler.known(uri)
            assert (known is not None and known.version == version) or (uri, version) in self.excused
        assert len(self.pending) == 0
        self.scheduler.stop()


@pytest.mark.parametrize("batch", range(BATCHES))
def test_every_request_is_answered(batch: int) -> None:
    for seed in range(batch * SEEDS, (batch + 1) * SEEDS):
        try:
            run(Office(random.Random(seed)).day())
        except Exception as error:
            raise AssertionError(f"seed {seed}") from error
