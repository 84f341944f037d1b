"""An event loop whose clock is counted: time passes at once, and where somebody waits and nothing is left to happen, the loop says so."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any


class _Selector(selectors.SelectSelector):
    """Lets time pass at once, and some of it in any case."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        """Nothing comes from outside."""
        if timeout is None:
            raise RuntimeError("somebody waits, and nothing is left to happen")
        self.now += max(1e-6, timeout)
        return []


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self.counted = _Selector()
        super().__init__(self.counted)

    def time(self) -> float:
        """Seconds since the loop was made."""
        return self.counted.now


def run(work: Coroutine[Any, Any, None]) -> None:
    """Runs something to its end in a loop of its own; what is left of it is cancelled."""
    loop = _Loop()
    try:
        loop.run_until_complete(work)
    finally:
        loop.run_until_complete(_cancelled())
        loop.close()


def counted(test: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """A test that runs in such a loop."""

    @wraps(test)
    def timed() -> None:
        run(test())

    return timed


async def _cancelled() -> None:
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
