"""Launches in other files of the project: found in the background, on the disk and in buffers."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from analysis_core.incremental.host import Host
from analysis_core.support.interrupts import Interrupts
from analysis_core.support.settings import Settings
from analysis_core.workspace.project import Folders
from analysis_core.workspace.scan import scan
from lsp_server.analyse import Job, answered
from lsp_server.options import EditorOptions
from lsp_server.status import Status
from tests.ir.test_other_files import WHOLE
from tests.server.raw import Raw, raw
from tests.server.session import REAL

HEADER = "template <int N> __global__ void shift(float *a) { a[threadIdx.x * N] = 0; }\n"
WATCHED = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}


def source(step: int, block: int) -> str:
    return f'#include "../include/k.cuh"\nvoid run(float *a) {{ shift<{step}><<<1, {block}>>>(a); }}\n'


def hover(client: Raw, uri: str) -> str:
    at = {"line": 0, "character": HEADER.index("shift")}
    answer = client.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": at})
    return str(answer["result"]["contents"]["value"])


def first(found: list[dict[str, Any]]) -> str:
    return str(found[0]["message"]) if found else ""


def test_a_header_is_analysed_with_the_launches_of_the_files_that_include_it(tmp_path: Path) -> None:
    for name in ("include", "src", "build"):
        (tmp_path / name).mkdir()
    header, one, two = tmp_path / "include" / "k.cuh", tmp_path / "src" / "one.cu", tmp_path / "src" / "two.cu"
    header.write_text(HEADER)
    one.write_text(source(2, 64))
    (tmp_path / "build" / "copy.cu").write_text(source(32, 64))
    with raw(REAL) as client:
        client.hello(WATCHED, workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "p"}])
        uri = client.open(HEADER, header.as_uri())

        def shown(sectors: int, instance: str, since: int) -> None:
            client.published(uri, lambda found: f" {sectors} sectors where" in first(found), since)
            end = time.monotonic() + 20
            while f"**{instance}**" not in hover(client, uri):  # Its bounds come after the findings.
                assert time.monotonic() < end, hover(client, uri)
                time.sleep(0.05)

        shown(8, "shift<2>", 0)
        assert "block 64" in hover(client, uri)
        # A file that comes later, told of by the client.
        two.write_text(source(8, 128))
        mark = len(client.got)
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": two.as_uri(), "type": 1}]})
        shown(32, "shift<8>", mark)
        # Buffers count before the disk: another launch, none at all, another again.
        mark = len(client.got)
        client.open(source(4, 96), two.as_uri())
        shown(16, "shift<4>", mark)
        mark = len(client.got)
        client.change(two.as_uri(), 2, "// nothing\n")
        shown(8, "shift<2>", mark)
        mark = len(client.got)
        client.change(two.as_uri(), 3, source(3, 32))
        shown(12, "shift<3>", mark)
        # The buffer is closed without saving: the disk counts again.
        mark = len(client.got)
        client.close(two.as_uri())
        shown(32, "shift<8>", mark)


def test_without_workspace_the_files_beside_a_document_are_its_project(tmp_path: Path) -> None:
    (tmp_path / "main.cu").write_text(source(2, 64).replace("../include/", ""))
    header = tmp_path / "k.cuh"
    header.write_text(HEADER)
    with raw(REAL) as client:
        client.hello()
        uri = client.open(HEADER, header.as_uri())
        client.published(uri, lambda found: "8 sectors" in first(found))


def test_what_files_of_one_program_say_of_each_other(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    for path, data in WHOLE.items():
        (tmp_path / path).write_bytes(data)
    (tmp_path / "warpcost.toml").write_text("hints = true\n")
    kernel, main = tmp_path / "p" / "kernel.cu", tmp_path / "p" / "main.cpp"
    text = main.read_text()
    with raw(REAL) as client:
        client.hello(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "p"}])
        uri = client.open(kernel.read_text(), kernel.as_uri())
        client.published(uri, lambda found: found == [])
        client.open(text, main.as_uri())
        mark = len(client.got)
        client.change(main.as_uri(), 2, text.replace("out, 1, n", "out, 8, n"))
        client.published(uri, lambda found: "32 sectors" in first(found), mark)
        mark = len(client.got)
        client.close(main.as_uri())
        client.published(uri, lambda found: found == [], mark)


def test_the_look_at_the_disk_is_bounded(tmp_path: Path) -> None:
    for folder in (".git", "build", "third", "src"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.cu").write_text('#include "k.cuh"\n#include <near.cuh>\n')
        (tmp_path / folder / "notes.txt").write_text('#include "k.cuh"\n')
    (tmp_path / "src" / "big.cu").write_text("//" + "x" * 3_000_000)
    (tmp_path / "warpcost.toml").write_text('exclude = ["third"]\ninclude-paths = ["src"]\n')
    top = str(tmp_path)
    found = scan(Folders((top,), ()), Settings())
    assert found.includes == {f"{top}/src/a.cu": (f"{top}/src/k.cuh", f"{top}/src/near.cuh")} and found.left_out is None
    assert scan(Folders((), (top,)), Settings()).includes == {}
    for limit in ({"most_files": 0}, {"most_bytes": 10}):
        found = scan(Folders((top,), ()), Settings(), **limit)
        assert found.includes == {} and (found.left_out or "").startswith("0 of 2 source files of the workspace")
        status = Status(lambda method, value: None)
        status.scanned(found.left_out)
        assert status.value()["health"] == "warning" and status.value()["message"] == found.left_out
    assert scan(Folders((f"{top}/absent",), ()), Settings()).includes == {}


def test_a_stage_is_shown_with_what_the_file_includes(tmp_path: Path) -> None:
    (tmp_path / "p" / ".git").mkdir(parents=True)
    (tmp_path / "p" / "src").mkdir()
    (tmp_path / "p" / "step.h").write_text("#define STEP 8\n")
    text = b'#include "../step.h"\n__global__ void k(float *a) { a[STEP * threadIdx.x] = 1; }\n'
    path = str(tmp_path / "p" / "src" / "a.cu")
    found = answered(Host(), Job(path, {path: text}, EditorOptions(), stage=("ir", None)), lambda _: None, Interrupts())
    assert found.text is not None and "missing" not in found.text


def two_folders(tmp_path: Path) -> tuple[str, str]:
    """A source in one folder, a header in another, each a repository of its own."""
    for name in ("one", "two"):
        (tmp_path / name / ".git").mkdir(parents=True)
    (tmp_path / "two" / "step.h").write_text("#define STEP 8\n")
    text = '#include "../two/step.h"\n__global__ void k(float *a) { a[STEP * threadIdx.x] = 1; }\n'
    (tmp_path / "one" / "a.cu").write_text(text)
    return str(tmp_path / "one" / "a.cu"), str(tmp_path / "two" / "step.h")


@pytest.mark.parametrize("stage", [None, "syntax", "ir", "events", "cost", "lp", "report"])
def test_every_stage_sees_every_open_buffer(stage: str | None, tmp_path: Path) -> None:
    """Text of a header that is not saved, also of one that is nowhere on the disk."""
    path, header = two_folders(tmp_path)
    with open(path, "rb") as file:
        saved = file.read()
    unsaved = {header: b'#include "more.h"\n', str(tmp_path / "two" / "more.h"): b"#define STEP 2\n"}
    folders = (str(tmp_path / "one"), str(tmp_path / "two"))

    def shown(contents: dict[str, bytes]) -> str:
        job = Job(path, contents, EditorOptions(), stage=None if stage is None else (stage, None), folders=folders)
        found = answered(Host(), job, lambda _: None, Interrupts())
        return found.text or str([finding.message for finding in found.report.findings])

    before, open_ones = shown({path: saved}), shown({path: saved, **unsaved})
    for name, text in unsaved.items():
        Path(name).write_bytes(text)
    assert before != open_ones == shown({path: saved})


@pytest.mark.parametrize("open_ones", [("one",), ("one", "two"), ("",)])
def test_files_of_open_folders_include_each_other(open_ones: tuple[str, ...], tmp_path: Path) -> None:
    path, _ = two_folders(tmp_path)
    folders = tuple(str(tmp_path / name) for name in open_ones)
    with open(path, "rb") as file:
        job = Job(path, {path: file.read()}, EditorOptions(), folders=folders)
    codes = [found.check for found in answered(Host(), job, lambda _: None, Interrupts()).report.findings]
    assert ("WC900" in codes) == (open_ones == ("one",)) and ("WC101" in codes) == (open_ones != ("one",))


def test_a_home_that_is_open_is_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    path, _ = two_folders(tmp_path)
    with open(path, "rb") as file:
        job = Job(path, {path: file.read()}, EditorOptions(), folders=(str(tmp_path), "/", "untitled:x"))
    assert "WC900" in [f.check for f in answered(Host(), job, lambda _: None, Interrupts()).report.findings]


def test_a_folder_that_is_added_is_read_from_then_on(tmp_path: Path) -> None:
    path, _ = two_folders(tmp_path)
    one, two = ({"uri": (tmp_path / name).as_uri(), "name": name} for name in ("one", "two"))
    with raw(REAL) as client:
        client.hello({"workspace": {"workspaceFolders": True}}, workspaceFolders=[one])
        uri = client.open(Path(path).read_text(), Path(path).as_uri())
        client.published(uri, lambda found: [d["code"] for d in found] == ["WC900"])
        event: dict[str, object] = {"event": {"added": [two], "removed": []}}
        client.notify("workspace/didChangeWorkspaceFolders", event)
        client.published(uri, lambda found: [d["code"] for d in found] == ["WC101"])
        since = len(client.got)
        client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [two]}})
        client.published(uri, lambda found: [d["code"] for d in found] == ["WC900"], since=since)
