"""Binds protocol methods to features; holds no logic of its own.

Time is the scheduler's (scheduler.py), computing the worker's (worker.py), values are made in from_lsp.py and
to_lsp.py.  Handlers are short and on the event loop; none runs in a thread, since pygls reads standard input through
the same threads.  Standard output is the protocol: logs go to standard error or a file.
"""

from __future__ import annotations

import logging
import os
import sys
from typing import BinaryIO, NoReturn, cast

from lsp_server import bind_commands, bind_display, bind_documents, bind_life, bind_requests
from lsp_server.analyse import Job, make_analyst
from lsp_server.answers import Answer
from lsp_server.state import VERSION, Server
from lsp_server.worker import Worker

__all__ = ["VERSION", "ClientStream", "Server", "leave", "main", "make_server"]

_LOG = logging.getLogger("warpcost.server")


def make_server(worker: Worker[Job, Answer] | None = None) -> Server:
    """A server with its handlers; tests hand in a worker of their own."""
    server = Server(worker or Worker(make_analyst))
    for part in (bind_life, bind_documents, bind_requests, bind_display, bind_commands):
        part.bind(server)
    return server


class ClientStream:
    """Standard output.  Once nobody reads it the server has no purpose and ends, instead of failing message by message."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, data: bytes) -> None:
        try:
            self._stream.write(data)
            self._stream.flush()
        except (OSError, ValueError) as error:
            _LOG.error("the client is gone: %s", error)
            leave(1)

    def flush(self) -> None:
        """Every write is flushed already."""

    def close(self) -> None:
        self._stream.close()


def leave(status: int) -> NoReturn:
    """Ends the process at once: the thread that reads standard input cannot be interrupted, an orderly exit waits for it."""
    logging.shutdown()
    os._exit(status)


def main(log_file: str | None = None) -> NoReturn:
    """Serves over standard input and output until the client leaves; status 0 if it said goodbye (`shutdown`)."""
    handler = logging.FileHandler(log_file) if log_file else logging.StreamHandler(sys.stderr)
    form = "%(asctime)s %(name)s %(levelname)s %(message)s"
    logging.basicConfig(level=logging.WARNING, format=form, handlers=[handler], force=True)
    logging.getLogger("pygls").setLevel(logging.WARNING)
    server = make_server()
    server.start_io(stdout=cast(BinaryIO, ClientStream(sys.stdout.buffer)))
    leave(0 if server.said_goodbye else 1)
