"""The two streams to the client, guarded: neither what it sends nor what it does not read can hang the server or fill its memory.

Standard output is a pipe, and a write to a full pipe waits until somebody reads.  So a thread of its own writes; what waits for it is
bounded, and so is the wait at the end.  On standard input pygls believes every length that a header names.
"""

from __future__ import annotations

import logging
import os
import re
import select
import threading
import time
from collections import deque
from typing import BinaryIO, NoReturn

_LOG = logging.getLogger("warpcost.server")

MOST_WAITING = 64_000_000
"""Bytes that may wait for a client that does not read."""

MOST_SENT = 128_000_000
"""Bytes of one message of the client."""

LONGEST_HEADER = 10_000
"""Bytes of one line of a message's head."""

LAST_WORDS = 2.0
"""Seconds that the last messages may take."""

_AT_ONCE: int = getattr(select, "PIPE_BUF", 0)

_HEADER = re.compile(rb"[ \t]*content-(?:length|type)[ \t]*:", re.IGNORECASE)

_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*([0-9]{1,18})[ \t]*\r?\n\Z", re.IGNORECASE)


class ClientStream:
    """Standard output.  Once nobody reads it the server has no purpose and ends, instead of failing message by message."""

    def __init__(self, stream: BinaryIO, most_waiting: int = MOST_WAITING) -> None:
        self._stream, self._most = stream, most_waiting
        self._parts: deque[bytes] = deque()
        self._waiting = 0
        self._changed = threading.Condition()
        threading.Thread(target=self._work, name="client-output", daemon=True).start()

    def write(self, data: bytes) -> None:
        """Returns at once; ends the server if too much waits already."""
        with self._changed:
            if self._waiting == 0 and len(data) <= _AT_ONCE and self._takes_some():
                self._put(data)  # Most messages are small: no need to wait for another thread's turn.
                return
            self._parts.append(data)
            self._waiting += len(data)
            self._changed.notify_all()
        if self._waiting > self._most:
            _LOG.error("the client does not read: %d bytes wait", self._waiting)
            leave(1)

    def drain(self, seconds: float = LAST_WORDS) -> None:
        """Waits until all is written, but not for ever."""
        end = time.monotonic() + seconds
        with self._changed:
            self._changed.wait_for(lambda: self._waiting == 0, end - time.monotonic())

    def flush(self) -> None:
        """Every write is flushed already."""

    def close(self) -> None:
        """pygls closes its stream before it exits."""
        self.drain()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: bool(self._parts))
                data = self._parts.popleft()
            self._put(data)
            with self._changed:
                self._waiting -= len(data)
                self._changed.notify_all()

    def _put(self, data: bytes) -> None:
        try:
            self._stream.write(data)
            self._stream.flush()
        except (OSError, ValueError) as error:
            _LOG.error("the client is gone: %s", error)
            leave(1)

    def _takes_some(self) -> bool:
        """Whether a write of `_AT_ONCE` bytes does not wait: POSIX says of a pipe that is ready that it has room for so many."""
        try:
            return bool(select.select([], [self._stream], [], 0)[1])
        except (OSError, ValueError):
            return False


class ClientInput:
    """Standard input.  A message that is cut off or larger than any that makes sense ends it: where the next one begins cannot be
    told any more."""

    def __init__(self, stream: BinaryIO, most: int = MOST_SENT) -> None:
        self._stream, self._most = stream, most
        self.last = b""
        """The body that was read last."""
        self._lost = False

    def readline(self) -> bytes:
        """One line of a head; nothing at the end."""
        line = self._stream.readline(LONGEST_HEADER)
        if len(line) == LONGEST_HEADER and not line.endswith(b"\n"):
            _LOG.error("the client sends no messages but something else")
            return b""
        self._lost |= bool(line.strip()) and _HEADER.match(line) is None
        return _as_pygls_knows_it(line)

    def has_lost(self) -> bool:
        """Whether something was passed over since the last time: what belongs to no message."""
        lost, self._lost = self._lost, False
        return lost

    def read(self, size: int) -> bytes:
        """A message's body; nothing if it does not come whole."""
        if size > self._most:
            _LOG.error("a message of %d bytes is not read", size)
            return b""
        body = self._stream.read(size)
        self.last = body if len(body) == size else b""
        return self.last


def _as_pygls_knows_it(line: bytes) -> bytes:
    """A header's line in the one spelling that pygls knows; without what stands before it where a message was longer than it said,
    or came without a head, so that no more than that one is lost."""
    length = _LENGTH.search(line)
    if length is not None:
        return b"Content-Length: " + length[1] + b"\r\n"
    return line if line.strip() else line and b"\r\n"


def leave(status: int) -> NoReturn:
    """Ends the process without waiting for threads, one of which may hang in a read of standard input for ever.

    The worker process ends with its parent (worker.py)."""
    logging.shutdown()
    os._exit(status)
