"""The project around the open documents: which files a header is read through, and when the disk is looked at for that.

What files include is known from a look through the workspace folders (analysis_core/workspace/project.py), which the worker does while
it has nothing else to do, and from the open buffers, which count before the disk.  A document whose units are others than
before is analysed again.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

from analysis_core.text.line_index import LineIndex
from analysis_core.workspace.project import Folders, Scan, includers_of, includes_of, tops_of
from lsp_server.documents import Document

_LOG = logging.getLogger("warpcost.server")

SETTLE = 1.0
"""Seconds without news of files before the disk is looked at."""


class Project:
    """Which files include which, and so through which units each document is read."""

    def __init__(self) -> None:
        self._scan = Scan({})
        self._open: dict[str, tuple[LineIndex, tuple[str, ...]]] = {}  # by path
        self._includers: Mapping[str, Sequence[str]] = {}
        self._used: dict[str, tuple[str, ...]] = {}  # by path: the units of the last analysis

    def units(self, path: str) -> tuple[str, ...]:
        """The files through which a document is read now. From here on they count as those that it was analysed with."""
        self._used[path] = tops_of(path, self._includers)
        return self._used[path]

    def has_moved(self, path: str) -> bool:
        """Whether a document is now read through other units than it was analysed with."""
        return tops_of(path, self._includers) != self._used.get(path, ())

    def look_at(self, documents: Iterable[Document], changed: Document | None = None) -> bool:
        """Takes the includes of the buffers, as far as they are new; whether anything has changed."""
        known = {path: includes for path, (_, includes) in self._open.items()}
        there = {document.path: document for document in documents}
        self._open = {path: found for path, found in self._open.items() if path in there}
        for document in there.values() if changed is None else (changed,):
            old = self._open.get(document.path)
            if old is None or old[0] is not document.index:
                found = includes_of(document.path, document.data, self._scan.include_paths)
                self._open[document.path] = document.index, found
        now = {path: includes for path, (_, includes) in self._open.items()}
        if now == known:
            return False
        self._includers = includers_of({**self._scan.includes, **now})
        return True

    def scanned(self, scan: Scan, documents: Iterable[Document]) -> None:
        """Takes what the files on the disk include."""
        self._scan, self._open = scan, {}
        self._includers = includers_of(scan.includes)
        self.look_at(documents)
        if scan.left_out is not None:
            _LOG.warning("%s", scan.left_out)


class Scans:
    """Decides when the disk is looked through: some time after the last news. `look` does it; `use` takes what was
    found; `workspace`: the folders of the editor."""

    def __init__(
        self,
        look: Callable[[Folders], Awaitable[Scan | None]],
        use: Callable[[Scan], None],
        workspace: Callable[[], Iterable[str]],
    ) -> None:
        self._look, self._use, self._workspace = look, use, workspace
        self._beside: set[str] = set()  # folders of documents that lie in none of the workspace's
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    def opened(self, document: Document) -> None:
        """Notes that a document was opened. If it lies outside of the workspace, the files beside it are its project."""
        folder = os.path.dirname(document.path)
        inside = any(document.path.startswith(top.rstrip("/") + "/") for top in self._workspace())
        if os.path.isabs(document.path) and not inside and folder not in self._beside:
            self._beside.add(folder)
            self.again()

    def again(self) -> None:
        """Something may have changed on the disk."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(SETTLE, self._begin)

    def stop(self) -> None:
        """The connection ends."""
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            self._task.cancel()

    def _begin(self) -> None:
        if self._task is not None and not self._task.done():
            self.again()  # The one that runs may have passed what is new.
            return
        self._task = asyncio.get_running_loop().create_task(self._work())

    async def _work(self) -> None:
        folders = Folders(tuple(sorted(set(self._workspace()))), tuple(sorted(self._beside)))
        if not folders.deep and not folders.flat:
            return
        found = await self._look(folders)
        if found is not None:
            self._use(found)
