"""Other block shapes on a kernel's card and as actions: found once nothing else is to be done, and no finding waits for them."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import Any

from analysis_core.report.block_shapes import BlockShapes
from analysis_core.report.findings.model import FileReport, KernelReport
from analysis_core.support.interrupts import Interrupts
from analysis_core.support.settings import Settings
from analysis_core.text.line_index import LineIndex
from analysis_core.text.span import FileId, Span
from lsp_server.analyse import Job, make_analyst
from lsp_server.answers import Answer
from lsp_server.documents import Document
from lsp_server.idle import Idle
from lsp_server.options import EditorOptions
from lsp_server.scheduler import Analysis, Scheduler
from lsp_server.shapes import Shapes
from lsp_server.view import Known
from tests.server.raw import raw
from tests.server.session import REAL
from tests.server.test_actions import ABLE, offered

TEXT = """#define W 32
#define H 8
__global__ void turn(float *out, const float *in, int n) {
    int x = blockIdx.x * W + threadIdx.x, y = blockIdx.y * H + threadIdx.y;
    out[x * n + y] = in[y * n + x];
}
void run(float *out, const float *in, int n) { turn<<<dim3(n / W, n / H), dim3(W, H)>>>(out, in, n); }
"""


def test_what_the_worker_says() -> None:
    name = Span(FileId("a.cu"), TEXT.index("turn"), TEXT.index("turn") + 4)
    job = Job("a.cu", {"a.cu": TEXT.encode()}, EditorOptions(), shapes=name)
    answer = make_analyst()(job, lambda message: None, Interrupts())
    assert answer.shapes is not None
    assert answer.shapes.name == name
    assert "| 32x8  |" in answer.shapes.card and "| present " in answer.shapes.card
    assert "Independent of the block in " in answer.shapes.card
    first = answer.shapes.offers[0]
    assert first.refused is None and first.title.startswith("Block 32x8 -> 8x8: ")
    assert [edit.text for edit in first.edits] == ["8"]
    assert "32x8" in answer.text and "8x128" in answer.text
    for span in (replace(name, start=0, end=1), Span(FileId("a.cu"), 5, 5)):
        nothing = make_analyst()(replace(job, shapes=span), lambda message: None, Interrupts())
        assert nothing.shapes is not None and nothing.shapes.card == "" and "No launch" in nothing.text


def test_the_card_and_the_actions_of_an_editor() -> None:
    commands = {"experimental": {"commands": {"commands": ["warpcost.openShapes"]}}}
    with raw(REAL) as client:
        client.hello({**ABLE, **commands})
        uri = client.open(TEXT)
        client.published(uri)

        def card() -> str:
            asked = {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 17}}
            found: dict[str, Any] = client.ask("textDocument/hover", asked)["result"]
            return str(found["contents"]["value"])

        for _ in range(120):
            if "Block shapes" in (text := card()):
                break
            time.sleep(0.25)
        assert "**Block shapes**" in text and text.startswith("**turn**")
        assert "Registers estimated by liveness: " in " ".join(text.split())
        found = {action["title"]: action for action in offered(client, uri, 2, 17)}
        assert found["Compare block shapes"]["command"]["arguments"] == [uri, 3]
        title = next(one for one in found if one.startswith("Block 32x8 -> 8x8"))
        assert "(results proved equal)" in title or "(results equal in a run)" in title
        resolved = client.ask("codeAction/resolve", found[title])["result"]
        edits = resolved["edit"]["documentChanges"][0]["edits"]
        assert [(one["range"]["start"]["line"], one["newText"]) for one in edits] == [(0, "8")]
        assert any(action["title"] == title for action in offered(client, uri, 6, 50))
        table = client.ask("workspace/executeCommand", {"command": "warpcost.compareShapes", "arguments": [uri, 4]})
        assert "turn: block 32x8 by W = 32" in table["result"] and "8x128" in table["result"]


def _known(revision: int = 1) -> Known:
    kernels = tuple(
        KernelReport(f"k{n}", None, Span(FileId("a.cu"), 100 * n, 100 * n + 90), Span(FileId("a.cu"), 100 * n + 5, 100 * n + 7), (), ())
        for n in range(2)
    )  # fmt: skip
    return Known(Answer(FileReport("a.cu", kernels, ()), Settings()), LineIndex.of(b""), revision)


async def test_one_kernel_is_looked_at_and_findings_go_first() -> None:
    log: list[str] = []
    known = _known()

    async def analyse(uri: str, partly: object) -> Known:
        await asyncio.sleep(0.2)
        log.append("analysed")
        return known

    class Workers:
        async def run(self, job: Job, again: bool = True) -> Answer:
            assert job.shapes is not None
            log.append(f"looked at {job.shapes.start}")
            return replace(known.answer, shapes=BlockShapes(job.shapes, None, "card"))

    published: list[Analysis[Known]] = []
    scheduler: Scheduler[Known] = Scheduler(lambda uri: 1, analyse, lambda uri, one: published.append(one))
    shapes = Shapes(Idle(scheduler, Workers(), "another block"))  # type: ignore[arg-type]
    job, document = Job("a.cu", {}, EditorOptions()), Document("u", "a.cu", 1, known.index, 1)
    shapes.look(document, known, job, None)
    scheduler.request("u", delay=0.3)
    while len(log) < 2:
        await asyncio.sleep(0.05)
    assert log == ["analysed", "looked at 5"] and published
    assert [one.name.start for one in shapes.of("u", 1)] == [5]
    assert shapes.of("u", 2) == ()
    shapes.look(document, known, job, 10)  # known already
    shapes.look(document, known, job, 95)  # between kernels
    shapes.look(document, known, job, 120)
    while len(log) < 3:
        await asyncio.sleep(0.05)
    await asyncio.sleep(0)
    assert log[2:] == ["looked at 105"]
    assert [one.name.start for one in shapes.of("u", 1)] == [5, 105]
    shapes.forget("u")
    assert shapes.of("u", 1) == ()
