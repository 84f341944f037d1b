"""Binds protocol methods to features; holds no logic of its own.

Time is the scheduler's (scheduler.py), computing the worker's (worker.py), values are made in from_lsp.py and
to_lsp.py.  Handlers are short and on the event loop; none runs in a thread, since pygls reads standard input through
the same threads.  Standard output is the protocol: logs go to standard error or a file.
"""

from __future__ import annotations

import logging
import sys
from typing import BinaryIO, NoReturn, cast

from analysis_core.workspace.memory import collect_rarely
from lsp_server import bind_commands, bind_completion, bind_display, bind_documents, bind_life, bind_requests
from lsp_server.analyse import Job, make_analyst
from lsp_server.answers import Answer
from lsp_server.state import Server
from lsp_server.streams import MOST_WAITING, ClientInput, ClientStream, leave
from lsp_server.worker import Worker

__all__ = ["Server", "main", "make_server", "serve"]


def make_server(worker: Worker[Job, Answer] | None = None) -> Server:
    """A server with its handlers; tests hand in a worker of their own."""
    server = Server(worker or Worker(make_analyst))
    for part in (bind_life, bind_documents, bind_requests, bind_display, bind_completion, bind_commands):
        part.bind(server)
    return server


def serve(server: Server, most_waiting: int = MOST_WAITING) -> NoReturn:
    """Talks over standard input and output until the client leaves; status 0 if it said goodbye (`shutdown`).

    `most_waiting`: bytes that may wait for a client that does not read."""
    output = ClientStream(sys.stdout.buffer, most_waiting)
    source = ClientInput(sys.stdin.buffer)
    server.last_message, server.has_lost = lambda: source.last, source.has_lost
    server.start_io(cast(BinaryIO, source), cast(BinaryIO, output))
    output.drain()
    leave(0 if server.said_goodbye else 1)


def main(log_file: str | None = None) -> NoReturn:
    """The server with its log, as the command line starts it."""
    handler = logging.FileHandler(log_file) if log_file else logging.StreamHandler(sys.stderr)
    form = "%(asctime)s %(name)s %(levelname)s %(message)s"
    logging.basicConfig(level=logging.WARNING, format=form, handlers=[handler], force=True)
    logging.getLogger("pygls").setLevel(logging.WARNING)
    collect_rarely()  # By default, a search among all that pygls has loaded held back every twentieth card by 50 ms.
    serve(make_server())
