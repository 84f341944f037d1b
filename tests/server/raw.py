"""A client that says what it likes: bytes to the server, and what comes back, message by message."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from tests.server.session import FAKE, ROOT


def packet(data: bytes) -> bytes:
    """Bytes with the head of a message."""
    return b"Content-Length: %d\r\n\r\n%s" % (len(data), data)


def message(body: dict[str, object]) -> bytes:
    """A message of the protocol."""
    return packet(json.dumps({"jsonrpc": "2.0", **body}).encode())


class Raw:
    """A server's process, not yet initialized.  `got`: all that came, in order; what is no message fails the reading."""

    def __init__(
        self,
        command: Sequence[str] = FAKE,
        environment: dict[str, str] | None = None,
        reads: bool = True,
        folder: Path = ROOT,
    ) -> None:
        pipe = subprocess.PIPE
        self.server = subprocess.Popen(
            command, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe, env={**os.environ, **(environment or {})}
        )
        assert self.server.stdin is not None and self.server.stdout is not None and self.server.stderr is not None
        self.stdin, self.stdout = self.server.stdin, self.server.stdout
        self.got: list[dict[str, Any]] = []
        self.log: list[bytes] = []
        self.wrong: list[bytes] = []
        self._news: queue.Queue[None] = queue.Queue()
        self._number = 0
        self._threads = [threading.Thread(target=self._read_log, args=(self.server.stderr,), daemon=True)]
        for thread in self._threads:
            thread.start()
        if reads:
            self.start_reading()

    def start_reading(self) -> None:
        """From now on, if not from the beginning."""
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, data: bytes) -> None:
        self.stdin.write(data)
        self.stdin.flush()

    def notify(self, method: str, params: object) -> None:
        self.send(message({"method": method, "params": params}))

    def request(self, method: str, params: object, number: int | str | None = None) -> int | str:
        """The number of the request."""
        self._number += 1
        chosen = self._number if number is None else number
        self.send(message({"id": chosen, "method": method, "params": params}))
        return chosen

    def ask(self, method: str, params: object) -> dict[str, Any]:
        """The answer to a request: an object with `result` or `error`."""
        return self.answer(self.request(method, params))

    def answer(self, number: int | str | None) -> dict[str, Any]:
        return self.wait(lambda m: "method" not in m and m.get("id") == number)

    def notified(self, method: str, true: Callable[[Any], bool] = lambda params: True) -> Any:
        """The parameters of the first notification (or request) of this method that satisfies the condition."""
        return self.wait(lambda m: m.get("method") == method and true(m.get("params")))["params"]

    def published(
        self, uri: str, true: Callable[[Any], bool] = lambda found: True, since: int = 0
    ) -> list[dict[str, Any]]:
        """The diagnostics of a document that satisfy the condition; of those that came after `since` other messages."""

        def wanted(m: dict[str, Any]) -> bool:
            params = m.get("params") if m.get("method") == "textDocument/publishDiagnostics" else None
            return params is not None and params["uri"] == uri and true(params["diagnostics"])

        found: list[dict[str, Any]] = self.wait(wanted, since=since)["params"]["diagnostics"]
        return found

    def wait(self, true: Callable[[dict[str, Any]], bool], within: float = 30.0, since: int = 0) -> dict[str, Any]:
        """The first message that satisfies the condition, awaited; of those that came after `since` others."""
        end, at = time.monotonic() + within, since
        while True:
            while at < len(self.got):
                if true(self.got[at]):
                    return self.got[at]
                at += 1
            left = end - time.monotonic()
            assert left > 0 and not self.wrong, (self.wrong, self.got, b"".join(self.log)[-2000:])
            try:
                self._news.get(timeout=min(left, 0.2))
            except queue.Empty:
                assert self.server.poll() is None or at < len(self.got), b"".join(self.log)[-3000:]

    def hello(self, capabilities: dict[str, object] | None = None, **more: object) -> None:
        params = {"processId": None, "rootUri": None, "capabilities": capabilities or {}, **more}
        assert "result" in self.ask("initialize", params)
        self.notify("initialized", {})

    def open(self, text: str, uri: str = "file:///t/a.cu", version: int = 1) -> str:
        item = {"uri": uri, "languageId": "cuda-cpp", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return uri

    def change(self, uri: str, version: int, text: str) -> None:
        identifier = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": [{"text": text}]})

    def close(self, uri: str) -> None:
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def reply(self, method: str, result: object, count: int = 1) -> None:
        """Answers the `count`-th request of the server for this."""
        asked = 0

        def that(m: dict[str, Any]) -> bool:
            nonlocal asked
            asked += m.get("method") == method
            return asked == count and m.get("method") == method

        self.send(message({"id": self.wait(that)["id"], "result": result}))

    def workers(self) -> list[int]:
        """The processes that the server has started."""
        found = subprocess.run(
            ["pgrep", "-P", str(self.server.pid), "-f", "warpcost-worker"], capture_output=True, text=True, check=False
        )
        return [int(pid) for pid in found.stdout.split()]

    def _read(self) -> None:
        for data in messages(self.stdout):
            try:
                self.got.append(json.loads(data))
            except ValueError:
                self.wrong.append(data)
            self._news.put(None)

    def _read_log(self, stream: IO[bytes]) -> None:
        self.log.extend(iter(stream.readline, b""))


def messages(stream: IO[bytes]) -> Iterator[bytes]:
    """The bodies of the messages on a stream, until it ends; what is no head is a body, too, so that it is seen."""
    while line := stream.readline():
        name, _, value = line.partition(b":")
        if name != b"Content-Length":
            yield line
            continue
        while stream.readline().strip():
            pass
        yield stream.read(int(value))


@contextmanager
def raw(
    command: Sequence[str] = FAKE,
    environment: dict[str, str] | None = None,
    reads: bool = True,
    folder: Path = ROOT,
) -> Iterator[Raw]:
    """A server that is gone afterwards."""
    client = Raw(command, environment, reads, folder)
    try:
        yield client
        assert not client.wrong
    finally:
        client.server.kill()
        client.server.wait()


def alive(pid: int) -> bool:
    """Whether a process runs."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def gone(pids: Sequence[int], within: float = 5.0) -> bool:
    """Whether these processes end in time."""
    end = time.monotonic() + within
    while any(alive(pid) for pid in pids):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
