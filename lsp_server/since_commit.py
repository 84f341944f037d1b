"""What a file's kernels pay since the last commit, for the line above them: "+31 conflicts since the last commit".

The text of the last commit is analysed by the worker once nothing else is to be done (idle.py), and once per commit.  Nothing is said where the base is
not at hand: outside of a repository, of new files, where an included file has changed as well, and of files that take long.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from analysis_core.text.records import dataclass
from lsp_server.idle import Idle

if TYPE_CHECKING:
    from lsp_server.analyse import Job
    from lsp_server.answers import Answer
    from lsp_server.view import Known

MOST_SECONDS = 10.0
"""Files whose kernels take longer are not analysed a second time."""


@dataclass(frozen=True, slots=True)
class Since:
    """`revision`: of the document's text; `said`: by the first byte of a kernel's name there, what has changed."""

    revision: int
    said: Mapping[int, str]


class SinceCommit:
    """By URI, what has changed since the last commit.  `news`: called where there is something new to show."""

    def __init__(self, idle: Idle, news: Callable[[], None]) -> None:
        self._idle, self._news = idle, news
        self._known: dict[str, Since] = {}
        self._slow: set[str] = set()

    def forget(self, uri: str) -> None:
        """Forgets a document that was closed."""
        self._known.pop(uri, None)
        self._slow.discard(uri)
        self._idle.forget(uri)

    def look(self, uri: str, known: Known, job: Job) -> None:
        """Looks at the last commit once nobody types, for an answer that was just given."""
        self._idle.forget(uri)
        seconds = sum(kernel.seconds for kernel in known.answer.report.kernels)
        if uri not in self._slow and seconds <= MOST_SECONDS:
            self._idle.look(uri, replace(job, since=True), lambda answer: self._told(uri, known.revision, answer))

    def said(self, uri: str, revision: int, at: int) -> str:
        """What has changed of the kernel whose name begins at a byte; "" where that is nothing, or not known of this text."""
        known = self._known.get(uri)
        return known.said.get(at, "") if known is not None and known.revision == revision else ""

    def _told(self, uri: str, revision: int, answer: Answer | None) -> None:
        if answer is None:
            self._slow.add(uri)
            return
        before = self._known.get(uri)
        self._known[uri] = Since(revision, {int(at): text for at, text in json.loads(answer.text or "{}").items()})
        if self._known[uri].said or (before is not None and before.said):
            self._news()
