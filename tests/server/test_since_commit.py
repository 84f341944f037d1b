"""The line above a kernel says what has changed since the last commit; nothing waits for that."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from lsprotocol import types

from analysis_core.support.interrupts import Interrupts
from lsp_server.analyse import Job, make_analyst
from lsp_server.options import EditorOptions
from tests.cli.changed_kernels import LOOPED, STRIDED, TILED
from tests.server.session import REAL, open_text, replace_text, session

pytest.importorskip("dulwich")
from dulwich import porcelain

BY = b"a <a@b>"


def commit(top: Path) -> None:
    porcelain.add(str(top), [str(p) for p in top.rglob("*") if p.is_file() and ".git" not in p.parts])
    porcelain.commit(str(top), message=b"change", author=BY, committer=BY)


@pytest.fixture
def top(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    porcelain.init(str(folder))
    (folder / "size.h").write_text("#define SIZE 8\n")
    (folder / "a.cu").write_text('#include "size.h"\n' + STRIDED.replace("8 *", "SIZE *") + TILED.replace("run", "go"))
    commit(folder)
    return folder


def test_what_the_worker_says(top: Path) -> None:
    work = make_analyst()
    path = str(top / "a.cu")
    text = (top / "a.cu").read_text()

    def said(now: str) -> dict[str, str]:
        job = Job(path, {path: now.encode()}, EditorOptions(), since=True)
        found: dict[str, str] = json.loads(work(job, lambda message: None, Interrupts()).text)
        return found

    def at(now: str, name: str) -> str:
        return str(now.index(f"{name}("))

    assert said(text) == {}
    padded = text.replace("right[32][32]", "right[32][33]")
    assert said(padded) == {at(padded, "product"): "-1023 conflicts per iteration since the last commit"}
    narrow = text.replace("SIZE * i", "i")
    assert said(narrow) == {at(narrow, "scale"): "-28 sectors since the last commit"}
    assert said(text.replace("float sum", "\n// a remark\nfloat sum")) == {}
    assert said(text.replace("SIZE * i", "i").replace("scale", "scaled")) == {
        at(narrow, "scale"): "-28 sectors since the last commit"
    }
    assert said(text + "__global__ void half(float *a") == {}
    (top / "size.h").write_text("#define SIZE 4\n")
    assert said(narrow) == {}  # what it includes has changed, too
    (top / "size.h").write_text("#define SIZE 8\n")
    (top / "a.cu").write_text(narrow)
    commit(top)
    assert said(narrow) == {} and said(text) == {at(text, "scale"): "+28 sectors since the last commit"}
    (top / ".git" / "HEAD").write_text("nonsense")
    assert said(text) == {}
    path = str(top.parent / "elsewhere.cu")
    assert said(LOOPED) == {}


async def test_the_lens_says_it(top: Path) -> None:
    uri = (top / "a.cu").as_uri()
    text = (top / "a.cu").read_text()
    async with session(REAL, lenses=True) as client:
        open_text(client, text, uri)
        replace_text(client, uri, 2, text.replace("SIZE * i", "i"))

        async def lenses() -> list[str]:
            asked = types.CodeLensParams(types.TextDocumentIdentifier(uri))
            found = await client.text_document_code_lens_async(asked)
            shown = [await client.code_lens_resolve_async(lens) for lens in found or ()]
            return [lens.command.title for lens in shown if lens.command is not None]

        titles: list[str] = []
        for _ in range(60):
            titles = await lenses()
            if any("since the last commit" in title for title in titles):
                break
            await asyncio.sleep(0.25)
        assert any(title.endswith("| -28 sectors since the last commit") for title in titles), titles
        assert sum("since the last commit" in title for title in titles) == 1
