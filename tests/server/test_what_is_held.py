"""What an editor shows in the end is what the server knows, however edits, settings, answers, refreshes and cancellations meet.

The model: an editor that asks for diagnostics, lenses and hints itself, after each edit and whenever it is told to ask again, over a
line that takes its time in both directions; and a worker that takes its time, gives up and fails.  After the last event, and once all is
quiet, the editor holds of each document what it would be answered if it asked once more.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

from pygls.protocol import default_converter

from analysis_core.incremental.host import Host
from analysis_core.report.findings.model import FileReport
from analysis_core.support.interrupts import Interrupts
from analysis_core.support.settings import Settings
from analysis_core.workspace.project import Scan
from lsp_server.analyse import Job, answered
from lsp_server.answers import Answer, Stage
from lsp_server.options import EditorOptions
from lsp_server.server import make_server
from lsp_server.state import SOON
from lsp_server.worker import JobGivenUp, WorkerFailed
from lsp_server.worker_process import At, Partly
from tests.server.counted import run

SEEDS, STEPS = range(150, 270), 8
"""Days, and events of each at most."""

KINDS = {f"textDocument/{name}": name for name in ("diagnostic", "codeLens", "inlayHint")}

ABLE = {
    "textDocument": {"diagnostic": {}, "codeLens": {}},
    "workspace": {
        "diagnostics": {"refreshSupport": True},
        "codeLens": {"refreshSupport": True},
        "inlayHint": {"refreshSupport": True},
    },
}

TEXTS = tuple(
    "\n" * lines
    + "__global__ void k(float *a, int n) { if (threadIdx.x % 2) a[8 * threadIdx.x] = n; }\n" * (kernels > 0)
    + "__global__ void l(float *a) { a[16 * threadIdx.x] = 1; }\n" * (kernels > 1)
    for lines, kernels in ((0, 1), (1, 2), (3, 0))
)
"""What people type: different findings at the same place, and the same at different places."""


SETTINGS: tuple[dict[str, object], ...] = ({}, {"levels": {"WC101": "hint"}, "hints": True})

CONVERTER = default_converter()
"""One for all servers: it is long at what it does the first time."""


@cache
def answers_of(path: str, text: str, toml: bytes) -> tuple[Answer, ...]:
    """What the worker says of a text under some settings: of some, of all, with bounds."""
    sent: list[Answer] = []

    def send(message: Partly | At) -> None:
        if isinstance(message, Partly):
            sent.append(message.answer)  # type: ignore[arg-type]

    last = answered(Host(), Job(path, {path: text.encode()}, EditorOptions(toml)), send, Interrupts())
    *_, facts = (*sent, last)
    some = replace(facts, report=replace(facts.report, findings=facts.report.findings[:1]), stage=Stage.SOME)
    return some, *sent, last


class Clerk:
    """A worker that knows all answers already, and hands them out in its own time."""

    def __init__(self, draw: random.Random) -> None:
        self._draw = draw
        self._unwanted: asyncio.Event | None = None  # of the job that runs
        self._free = asyncio.Lock()
        self.delays: tuple[float, ...] = (0.0, 0.001, 0.3, SOON, SOON)
        self.troubles = 0.15
        self.failed: set[str] = set()  # of what the last analysis broke off

    def start(self) -> None:
        """It is there."""

    def close(self) -> None:
        """It stays."""

    def give_up(self) -> None:
        """Nobody wants the job that runs."""
        if self._unwanted is not None:
            self._unwanted.set()

    def overtake(self) -> None:
        """The job that runs is about an earlier text, about which nothing is known yet."""
        if self._draw.random() < 0.5:
            self.give_up()

    async def run(
        self, job: Job, partly: Callable[[Answer], None] = lambda answer: None, *_: object, **__: object
    ) -> Answer:
        """The answers to a job, one by one."""
        async with self._free:
            unwanted = self._unwanted = asyncio.Event()
            try:
                if job.scan is not None:
                    found = (Answer(FileReport("", (), ()), Settings(), scan=Scan({})),)
                else:
                    text = job.contents[job.path].decode()
                    found = answers_of(job.path, text, job.options.toml)[0 if job.early else 1 :]
                trouble = self._draw.randrange(3) if job.scan is None and self._draw.random() < self.troubles else None
                self.failed.discard(job.path)
                for number, answer in enumerate(found):
                    await asyncio.sleep(0.0 if job.ahead else self._draw.choice(self.delays))
                    if unwanted.is_set():
                        raise JobGivenUp
                    if number == trouble:
                        self.failed.add(job.path)
                        raise WorkerFailed("it broke")
                    if answer is not found[-1] and not job.ahead:
                        partly(answer)
                return found[-1]
            finally:
                self._unwanted = None


class Line:
    """One direction between editor and server: what is sent comes later, in order."""

    def __init__(self, draw: random.Random, delays: Sequence[float], deliver: Callable[[dict[str, Any]], None]) -> None:
        self._draw, self._delays, self._deliver = draw, delays, deliver
        self._last = 0.0

    def write(self, data: bytes) -> None:
        """Sends a message."""
        message, loop = json.loads(data), asyncio.get_running_loop()
        self._last = max(self._last, loop.time()) + self._draw.choice(self._delays) + 1e-7
        loop.call_at(self._last, self._deliver, message)

    def close(self) -> None:
        """It stays open."""


class Editor:
    """An editor with one or two documents.  `cancels`: what it asks anew it cancels first, and it holds what was answered last (Neovim);
    else it waits for the answer before it asks again (VS Code)."""

    def __init__(self, draw: random.Random) -> None:
        self.draw, self.cancels = draw, draw.random() < 0.5
        delays = draw.choice(((0.0,), (0.0, 0.002, 0.05)))
        self.clerk = Clerk(draw)
        self.server = make_server(self.clerk)  # type: ignore[arg-type]
        self.server.protocol._converter = CONVERTER
        self.server.protocol.set_writer(Line(draw, delays, self._hears), include_headers=False)  # type: ignore[arg-type]
        self.line = Line(draw, delays, self._reaches)
        self.texts: dict[str, str] = {}
        self.version = self.number = 0
        self.settings: dict[str, object] = {}
        self.asked: dict[int, tuple[str, str]] = {}  # what is not answered yet, by number
        self.again: set[tuple[str, str]] = set()
        self.held: dict[tuple[str, str], Any] = {}

    def _reaches(self, message: dict[str, Any]) -> None:
        protocol = self.server.protocol
        protocol.handle_message(json.loads(json.dumps(message), object_hook=protocol.structure_message))

    def _sends(self, **message: object) -> None:
        self.line.write(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def _hears(self, message: dict[str, Any]) -> None:
        method = str(message.get("method", ""))
        if "method" not in message:
            self._is_answered(message)
        elif "id" in message:
            self._sends(id=message["id"], result=[self.settings] if "configuration" in method else None)
        kinds = [kind for kind, short in KINDS.items() if method == f"workspace/{short}/refresh"]
        for uri in self.texts:
            for kind in kinds:
                self.asks(kind, uri)

    def _is_answered(self, message: dict[str, Any]) -> None:
        kind, uri = what = self.asked.pop(message["id"])
        newest = what not in self.asked.values()
        result = message.get("result")
        if uri in self.texts and "error" not in message and newest:
            if kind != "textDocument/diagnostic":
                self.held[what] = result
            elif result["kind"] == "full":
                self.held[what] = result["items"]
            if kind == "textDocument/diagnostic":
                self.held[uri, "number"] = result.get("resultId")
        assert "error" not in message or message["error"]["code"] == -32800, message
        if what in self.again:
            self.again.discard(what)
            if uri in self.texts:
                self.asks(kind, uri)

    def asks(self, kind: str, uri: str) -> None:
        """Asks for what it shows of a document."""
        what = kind, uri
        waiting = [number for number, one in self.asked.items() if one == what]
        if waiting and not self.cancels:
            self._sends(method="$/cancelRequest", params={"id": waiting[-1]})
            self.again.add(what)
            return
        for number in waiting:
            self._sends(method="$/cancelRequest", params={"id": number})
        self.number += 1
        self.asked[self.number] = what
        area = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
        params: dict[str, object] = {"textDocument": {"uri": uri}}
        if kind == "textDocument/inlayHint":
            params["range"] = area
        elif kind == "textDocument/diagnostic" and (number := self.held.get((uri, "number"))) is not None:
            params["previousResultId"] = number
        self._sends(id=self.number, method=kind, params=params)

    def resolves(self, kind: str, one: object) -> None:
        """Asks for what was left out of a lens or a hint."""
        self.number += 1
        self.asked[self.number] = kind, "a"
        self._sends(id=self.number, method=kind, params=one)

    def types(self, uri: str, text: str) -> None:
        """Opens a document or changes it, and asks for all that it shows."""
        self.version += 1
        item: dict[str, object] = {"uri": uri, "version": self.version}
        if uri in self.texts:
            self._sends(
                method="textDocument/didChange", params={"textDocument": item, "contentChanges": [{"text": text}]}
            )
        else:
            item |= {"languageId": "cuda-cpp", "text": text}
            self._sends(method="textDocument/didOpen", params={"textDocument": item})
        self.texts[uri] = text
        for kind in KINDS:
            self.asks(kind, uri)

    def closes(self, uri: str) -> None:
        """Closes a document; what it showed of it is gone."""
        if self.texts.pop(uri, None) is not None:
            self._sends(method="textDocument/didClose", params={"textDocument": {"uri": uri}})
            for what in [what for what in self.held if uri in what]:
                del self.held[what]

    def sets(self) -> None:
        """Changes its settings."""
        self.settings = self.draw.choice(SETTINGS)
        self._sends(method="workspace/didChangeConfiguration", params={"settings": {"warpcost": self.settings}})

    async def quiet(self) -> None:
        """Waits until nothing is asked or analysed."""
        for _ in range(3):
            await self.server.scheduler.quiet()
            await asyncio.sleep(5.0)

    async def begins(self) -> None:
        """The handshake."""
        self.asked[0] = "initialize", ""
        self._sends(id=0, method="initialize", params={"processId": None, "rootUri": None, "capabilities": ABLE})
        await asyncio.sleep(0.2)
        self._sends(method="initialized", params={})

    async def day(self) -> None:
        """Things happen; then what is held is what would be answered."""
        await self.begins()
        happens = [lambda uri=uri: self.types(uri, self.draw.choice(TEXTS)) for uri in "aab" * 3]  # type: ignore[misc]
        happens += [partial(self.closes, "b")] * 3 + [self.sets]
        for _ in range(self.draw.randrange(1, STEPS)):
            self.draw.choice(happens)()
            await asyncio.sleep(self.draw.choice((0.0, 0.0, 0.001, 0.05, 0.16, 0.5)))
        await self.quiet()
        held = dict(self.held)
        self.held.clear()
        assert not self.asked
        for uri in self.texts:
            for kind in KINDS:
                self.asks(kind, uri)
        await self.quiet()
        for what in [(kind, uri) for uri in self.texts if uri not in self.clerk.failed for kind in KINDS]:
            assert what in held and held[what] == self.held[what], what
        self.server.shutdown()

    async def meanwhile(self) -> None:
        """A line is added above: lenses and hints are those of before, a line further down, until the analysis is done."""
        await self.begins()
        self.clerk.troubles = 0.0
        self.types("a", TEXTS[1])
        await self.quiet()
        before, self.clerk.delays = dict(self.held), (5.0,)
        self.types("a", "\n" + TEXTS[1])
        await asyncio.sleep(4.0)
        assert self.server.scheduler.running == "a"
        for kind in ("textDocument/codeLens", "textDocument/inlayHint"):
            old, now = before[kind, "a"], self.held[kind, "a"]
            assert old and [line_of(one) - 1 for one in now] == list(map(line_of, old))
        self.resolves("codeLens/resolve", self.held["textDocument/codeLens", "a"][0])
        self.resolves("inlayHint/resolve", self.held["textDocument/inlayHint", "a"][0])
        await asyncio.sleep(0.5)
        title = self.held["codeLens/resolve", "a"]["command"]["title"]
        assert title == "warp: 16 sectors (ideal 2) | 1 divergence | most to gain: line 3"
        assert "tooltip" in self.held["inlayHint/resolve", "a"]
        assert self.server.scheduler.running == "a"
        self.server.shutdown()


def line_of(one: dict[str, Any]) -> int:
    """Where a lens or a hint stands."""
    return int((one.get("position") or one["range"]["start"])["line"])


def test_what_an_editor_holds_is_what_it_would_be_answered() -> None:
    for seed in SEEDS:
        try:
            run(Editor(random.Random(seed)).day())
        except Exception as error:
            raise AssertionError(f"seed {seed}") from error


def test_lenses_and_hints_move_along_until_the_analysis_is_done() -> None:
    run(Editor(random.Random(1)).meanwhile())
