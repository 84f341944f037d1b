"""What a file's kernels pay since the last commit, for the line above them: "+31 conflicts since the last commit".

The text of the last commit is analysed by the worker once nothing else is to be done, and once per commit; such a job gives way to any analysis, so no
finding waits for it.  Nothing is said where the base is not at hand: outside of a repository, of new files, where an included file has
changed as well, and of files that take long.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from analysis_core.text.records import dataclass
from lsp_server.project import SETTLE
from lsp_server.scheduler import Scheduler
from lsp_server.worker import Worker, WorkerFailed

if TYPE_CHECKING:
    from lsp_server.analyse import Job
    from lsp_server.answers import Answer
    from lsp_server.view import Known

_LOG = logging.getLogger("warpcost.since")

MOST_SECONDS = 10.0
"""Files whose kernels take longer are not analysed a second time."""

_TRIES = 3


@dataclass(frozen=True, slots=True)
class Since:
    """`revision`: of the document's text; `said`: by the first byte of a kernel's name there, what has changed."""

    revision: int
    said: Mapping[int, str]


class SinceCommit:
    """By URI, what has changed since the last commit.  `news`: called where there is something new to show."""

    def __init__(self, scheduler: Scheduler[Known], worker: Worker[Job, Answer], news: Callable[[], None]) -> None:
        self._scheduler, self._worker, self._news = scheduler, worker, news
        self._known: dict[str, Since] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._slow: set[str] = set()

    def forget(self, uri: str) -> None:
        """Forgets a document that was closed."""
        self._known.pop(uri, None)
        self._slow.discard(uri)
        if (task := self._tasks.pop(uri, None)) is not None:
            task.cancel()

    def look(self, uri: str, known: Known, job: Job) -> None:
        """Looks at the last commit once nobody types, for an answer that was just given."""
        if (task := self._tasks.pop(uri, None)) is not None:
            task.cancel()
        seconds = sum(kernel.seconds for kernel in known.answer.report.kernels)
        if uri not in self._slow and seconds <= MOST_SECONDS:
            wanted = replace(job, since=True)
            self._tasks[uri] = asyncio.get_running_loop().create_task(self._look(uri, known.revision, wanted))

    def said(self, uri: str, revision: int, at: int) -> str:
        """What has changed of the kernel whose name begins at a byte; "" where that is nothing, or not known of this text."""
        known = self._known.get(uri)
        return known.said.get(at, "") if known is not None and known.revision == revision else ""

    async def _look(self, uri: str, revision: int, job: Job) -> None:
        await asyncio.sleep(SETTLE)
        for _ in range(_TRIES):
            await self._scheduler.quiet()
            try:
                answer = await self._scheduler.apart(lambda: self._worker.run(job, again=False))
            except WorkerFailed as error:
                _LOG.warning("the last commit was not looked at: %s", error)
                self._slow.add(uri)
                return
            if answer is not None:
                before = self._known.get(uri)
                self._known[uri] = Since(
                    revision, {int(at): text for at, text in json.loads(answer.text or "{}").items()}
                )
                if self._known[uri].said or (before is not None and before.said):
                    self._news()
                return
