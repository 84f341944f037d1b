"""When a document is read ahead of its analysis (rule 1 of the scheduler), and what happens where nothing is known of it yet (rule 4); the other
rules are tested through a session."""

from __future__ import annotations

import asyncio

from lsp_server.scheduler import AHEAD, DEBOUNCE, Analysis, Scheduler
from lsp_server.worker import JobGivenUp
from tests.server.counted import counted


class Desk:
    """Documents with versions, and what was done with them, in order.  `slow`: seconds that reading ahead takes; `trouble`: what it raises."""

    def __init__(self, slow: float = 0.0, trouble: Exception | None = None) -> None:
        self.versions, self.done = {"a": 1, "b": 1}, list[tuple[str, str, int]]()
        self.slow, self.trouble = slow, trouble
        self._unwanted = asyncio.Event()
        self.scheduler: Scheduler[str] = Scheduler(
            self.versions.get, self._analyse, self._publish, self._unwanted.set, read_ahead=self._read
        )

    async def _analyse(self, uri: str, partly: object) -> str:
        self.done.append(("analysed", uri, self.versions[uri]))
        return uri

    async def _read(self, uri: str) -> None:
        self.done.append(("read", uri, self.versions[uri]))
        if self.trouble is not None:
            raise self.trouble
        self._unwanted.clear()
        try:
            await asyncio.wait_for(self._unwanted.wait(), self.slow)
        except TimeoutError:
            return
        self.done.append(("given up", uri, self.versions[uri]))
        raise JobGivenUp

    def _publish(self, uri: str, analysis: Analysis[str]) -> None:
        self.done.append(("published", uri, analysis.version))

    def changed(self, uri: str, delay: float = DEBOUNCE) -> None:
        """A new version."""
        self.versions[uri] += 1
        self.scheduler.touch(uri)
        self.scheduler.request(uri, delay)


@counted
async def test_it_is_read_once_in_the_wait() -> None:
    desk = Desk(AHEAD / 5)
    for _ in range(5):
        desk.changed("a")
        await asyncio.sleep((DEBOUNCE - AHEAD) / 5)
    await desk.scheduler.quiet()
    assert desk.done == [("read", "a", 6), ("analysed", "a", 6), ("published", "a", 6)]


@counted
async def test_what_waits_for_nothing_is_not_read_ahead() -> None:
    desk = Desk()
    desk.changed("a", 0.0)
    await desk.scheduler.quiet()
    assert desk.done == [("analysed", "a", 2), ("published", "a", 2)]


@counted
async def test_a_key_gives_it_up() -> None:
    desk = Desk(10.0)
    desk.changed("a")
    await asyncio.sleep(DEBOUNCE - AHEAD / 2)
    desk.slow = 0.0
    desk.changed("a")
    await desk.scheduler.quiet()
    assert desk.done == [
        *(("read", "a", 2), ("given up", "a", 3), ("read", "a", 3)),
        *(("analysed", "a", 3), ("published", "a", 3)),
    ]


@counted
async def test_what_is_due_goes_first() -> None:
    desk = Desk(10.0)
    desk.changed("a")
    await asyncio.sleep(DEBOUNCE - AHEAD / 2)
    desk.changed("b", 0.0)
    await desk.scheduler.quiet()
    assert desk.done[:2] == [("read", "a", 2), ("given up", "a", 2)]
    assert {what[:2] for what in desk.done[2:]} == {(did, uri) for did in ("analysed", "published") for uri in "ab"}
    assert desk.done[2] == ("analysed", "b", 2)


@counted
async def test_reading_that_is_late_is_waited_for() -> None:
    """The analysis needs what it reads."""
    desk = Desk(2 * AHEAD)
    desk.changed("a")
    await desk.scheduler.quiet()
    assert desk.done == [("read", "a", 2), ("analysed", "a", 2), ("published", "a", 2)]


@counted
async def test_a_document_that_is_closed_meanwhile() -> None:
    desk = Desk(10.0)
    desk.changed("a")
    await asyncio.sleep(DEBOUNCE - AHEAD / 2)
    desk.scheduler.forget("a")
    await asyncio.wait_for(desk.scheduler.quiet(), 5)
    assert desk.done == [("read", "a", 2), ("given up", "a", 2)]


class Reader:
    """A document whose first reading takes `READING` seconds, whatever is typed, and each analysis after that `EDIT`."""

    READING, EDIT = 0.7, 0.1

    def __init__(self) -> None:
        self.versions, self.readings, self.shown = {"a": 1}, 0, list[int]()
        self._unwanted = asyncio.Event()
        self._overtaken = False
        self.scheduler: Scheduler[int] = Scheduler(
            self.versions.get,
            self._analyse,
            lambda uri, analysis: self.shown.append(analysis.version),
            self._unwanted.set,
            overtake=self._overtake,
        )

    def _overtake(self) -> None:
        self._overtaken = True

    async def _analyse(self, uri: str, partly: object) -> int:
        self._unwanted.clear()
        self._overtaken, version = False, self.versions[uri]
        try:
            await asyncio.wait_for(self._unwanted.wait(), self.EDIT if self.readings else self.READING)
        except TimeoutError:
            self.readings += not self.readings
            if not self._overtaken:
                return version
        raise JobGivenUp


@counted
async def test_what_is_typed_while_a_document_is_first_read_does_not_begin_the_reading_again() -> None:
    desk, typed = Reader(), 12
    desk.scheduler.request("a")
    for _ in range(typed):
        desk.versions["a"] += 1
        desk.scheduler.touch("a")
        desk.scheduler.request("a", DEBOUNCE)
        await asyncio.sleep(0.3)
    await desk.scheduler.quiet()
    assert desk.readings == 1
    assert desk.shown == list(range(4, typed + 2)), "each answer is about the text of its moment"


@counted
async def test_a_document_that_is_closed_while_it_is_first_read_is_given_up() -> None:
    desk = Reader()
    desk.scheduler.request("a")
    await asyncio.sleep(0.01)
    del desk.versions["a"]
    desk.scheduler.forget("a")
    await asyncio.wait_for(desk.scheduler.quiet(), 0.1)
    assert not desk.readings and not desk.shown
