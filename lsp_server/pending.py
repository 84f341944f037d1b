"""Requests that wait for an answer: not without end, and the same question once.

A client may ask faster than anything can be answered, and an answer may be large.  Requests that ask the same share one piece of work,
which ends with the last of them.  Of more than `MOST_ALIKE` that do, and of more than `MOST` at all, the oldest is told that it was
cancelled.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import field
from typing import Any

from analysis_core.text.records import dataclass

MOST = 256
MOST_ALIKE = 8


@dataclass(slots=True)
class _Work:
    """`waiting`: who is told, the oldest first."""

    task: asyncio.Future[Any]
    waiting: list[asyncio.Future[Any]] = field(default_factory=list)


class Pending:
    """Questions that are being answered."""

    def __init__(self, most: int = MOST, most_alike: int = MOST_ALIKE) -> None:
        self._most, self._most_alike = most, most_alike
        self._works: dict[Hashable, _Work] = {}
        self._waiting: dict[asyncio.Future[Any], tuple[Hashable, _Work]] = {}  # the oldest first

    def __len__(self) -> int:
        return len(self._waiting)

    def ask(self, question: Hashable, answer: Callable[[], Awaitable[Any]]) -> asyncio.Future[Any]:
        """The answer to a question. If somebody has asked the same and waits, both get the same answer."""
        work = self._works.get(question)
        if work is None:
            work = self._works[question] = _Work(asyncio.ensure_future(answer()))
            work.task.add_done_callback(lambda _: self._answered(question, work))
        mine: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        work.waiting.append(mine)
        self._waiting[mine] = question, work
        mine.add_done_callback(self._left)
        if len(work.waiting) > self._most_alike:
            self._refuse(work.waiting[0])
        if len(self._waiting) > self._most:
            self._refuse(next(iter(self._waiting)))
        return mine

    def _refuse(self, mine: asyncio.Future[Any]) -> None:
        self._left(mine)
        mine.cancel()

    def _answered(self, question: Hashable, work: _Work) -> None:
        if self._works.get(question) is work:
            del self._works[question]
        for mine in [one for one in work.waiting if not one.done()]:
            if work.task.cancelled():
                mine.cancel()
            elif (error := work.task.exception()) is not None:
                mine.set_exception(error)
            else:
                mine.set_result(work.task.result())

    def _left(self, mine: asyncio.Future[Any]) -> None:
        """Somebody was answered, or does not wait any more."""
        if mine not in self._waiting:
            return
        question, work = self._waiting.pop(mine)
        work.waiting.remove(mine)
        if not work.waiting and not work.task.done():
            if self._works.get(question) is work:
                del self._works[question]
            work.task.cancel()
