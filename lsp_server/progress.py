"""Progress of long analyses, as editors show it, with a button to cancel."""

from __future__ import annotations

import asyncio
import itertools
import logging

from lsp_server import to_lsp
from lsp_server.state import Server

_LOG = logging.getLogger("warpcost.server")


class AnalysisProgress:
    """The progress that the client shows, one at a time, once work takes long enough (status.py). If the user cancels
    it, these documents keep the answers that they have until they change."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._numbers = itertools.count(1)
        self._token: str | None = None
        self._last = ""
        self._making: asyncio.Task[None] | None = None

    def watch(self) -> None:
        """Follows the server's status."""
        status = self._server.status
        status.begun, status.ended, status.step = self._begin, self._end, self._step

    def _begin(self) -> None:
        token = f"warpcost-{next(self._numbers)}"
        self._token = token
        self._making = asyncio.get_running_loop().create_task(self._made(token))

    async def _made(self, token: str) -> None:
        progress = self._server.work_done_progress
        try:
            await progress.create_async(token)
        except Exception as error:  # The client may refuse.
            _LOG.warning("the client shows no progress: %s", error)
            return
        if self._token != token:  # It has ended meanwhile.
            return
        progress.begin(token, to_lsp.progress_begin("warpcost", self._last))
        progress.tokens[token].add_done_callback(lambda future: self._cancelled(token) if future.cancelled() else None)

    def _cancelled(self, token: str) -> None:
        if self._token == token:
            running = self._server.scheduler.running
            if running is not None:
                self._server.scheduler.abandon(running)

    def _step(self, text: str) -> None:
        self._last = text
        if self._token is not None and self._token in self._server.work_done_progress.tokens:
            self._server.work_done_progress.report(self._token, to_lsp.progress_report(text))

    def _end(self) -> None:
        token, self._token = self._token, None
        if token is not None and token in self._server.work_done_progress.tokens:
            self._server.work_done_progress.end(token, to_lsp.progress_end())
            self._server.work_done_progress.tokens.pop(token, None)
