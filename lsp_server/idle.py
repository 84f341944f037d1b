"""What is looked at once nobody types and nothing else is to be done, and for which nothing waits: findings least of all.

A look is a job of the worker that gives way to any analysis, and is tried again a few times.  One look at a document is enough: another takes
the place of one that has not begun.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from lsp_server.project import SETTLE
from lsp_server.scheduler import Scheduler
from lsp_server.worker import Worker, WorkerFailed

if TYPE_CHECKING:
    from analysis_core.workspace.project import Scan
    from lsp_server.analyse import Job
    from lsp_server.answers import Answer
    from lsp_server.view import Known

_LOG = logging.getLogger("warpcost.idle")

_TRIES = 3


class Idle:
    """Looks of one kind, by URI.  `what`: for the log, what was not looked at if one fails."""

    def __init__(self, scheduler: Scheduler[Known], worker: Worker[Job, Answer], what: str) -> None:
        self._scheduler, self._worker, self._what = scheduler, worker, what
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def forget(self, uri: str) -> None:
        """Nothing more is looked at of the document."""
        if (task := self._tasks.pop(uri, None)) is not None:
            task.cancel()

    def look(self, uri: str, job: Job, told: Callable[[Answer | None], None]) -> None:
        """Has a job done some time; `told` gets its answer, None if the worker failed."""
        self.forget(uri)
        self._tasks[uri] = asyncio.get_running_loop().create_task(self._look(job, told))

    async def _look(self, job: Job, told: Callable[[Answer | None], None]) -> None:
        await asyncio.sleep(SETTLE)
        for _ in range(_TRIES):
            await self._scheduler.quiet()
            try:
                answer = await self._scheduler.apart(self._run(job))
            except WorkerFailed as error:
                _LOG.warning("%s was not looked at: %s", self._what, error)
                told(None)
                return
            if answer is not None:
                told(answer)
                return

    def _run(self, job: Job) -> Callable[[], Awaitable[Answer]]:
        return lambda: self._worker.run(job, again=False)


async def scanned(scheduler: Scheduler[Known], worker: Worker[Job, Answer], job: Callable[[], Job]) -> Scan | None:
    """What a job finds that looks through the project; None if it failed."""
    while True:
        await scheduler.quiet()
        try:
            answer = await scheduler.apart(lambda: worker.run(job()))
        except WorkerFailed as error:
            _LOG.error("the project was not looked through: %s", error)
            return None
        if answer is not None:
            return answer.scan
