"""The server over its streams, with the analysis of fake_server.py: documents, time and trouble."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from lsprotocol import types

from lsp_server.scheduler import DEBOUNCE
from tests.server.session import (
    FAKE,
    ROOT,
    columns,
    edit,
    open_text,
    publications,
    pushed,
    replace_text,
    session,
    until,
)


async def test_open_change_save_close() -> None:
    async with session() as client:
        uri = open_text(client, "x\n  BAD\n")
        [found] = await pushed(client, uri)
        assert columns(found) == (1, 2, 5)
        assert (found.source, found.code, found.severity) == ("warpcost", "WC101", types.DiagnosticSeverity.Warning)
        assert found.related_information is not None
        assert found.related_information[0].location.uri == uri
        edit(client, uri, 2, (0, 0), (0, 1), "\n\n")
        [found] = await pushed(client, uri, 2)
        assert columns(found) == (3, 2, 5)
        client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))
        await pushed(client, uri, 3)
        client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
        assert await pushed(client, uri, 4) == []


@pytest.mark.parametrize(
    ("offered", "chosen", "column"),
    [
        (("utf-16",), "utf-16", 3),
        (("utf-8", "utf-16"), "utf-8", 6),
        (("utf-32", "utf-8"), "utf-32", 2),
        ((), "utf-16", 3),
    ],
)
async def test_columns_are_in_the_encoding_that_was_agreed(offered: tuple[str, ...], chosen: str, column: int) -> None:
    async with session(encodings=offered) as client:
        uri = open_text(client, "é😀BAD BAD")
        [found] = await pushed(client, uri)
        assert columns(found) == (0, column, column + 3)
        # An edit is read in the same unit: the first BAD goes, the second is found where it now stands.
        edit(client, uri, 2, (0, column), (0, column + 4), "ü")
        [found] = await pushed(client, uri, 2)
        after = column + (2 if chosen == "utf-8" else 1)
        assert columns(found) == (0, after, after + 3)


async def test_lines_end_where_editors_end_them() -> None:
    """Python would also break lines at a form feed and at U+2028."""
    async with session() as client:
        uri = open_text(client, "a\fb\u2028c\r\nd\re BAD\n")
        [found] = await pushed(client, uri)
        assert columns(found) == (2, 2, 5)
        edit(client, uri, 2, (2, 0), (2, 1), "eee")
        [found] = await pushed(client, uri, 2)
        assert columns(found) == (2, 4, 7)


async def test_two_documents_do_not_mix() -> None:
    async with session() as client:
        first = open_text(client, "BAD", "file:///t/a.cu")
        second = open_text(client, "fine", "file:///t/b%20c.cu")
        assert len(await pushed(client, first)) == 1
        assert await pushed(client, second) == []
        replace_text(client, second, 2, "now BAD")
        assert columns((await pushed(client, second, 2))[0]) == (0, 4, 7)
        assert len(publications(client, first)) == 1


async def test_a_burst_of_edits_gives_one_answer_for_the_last() -> None:
    async with session() as client:
        uri = open_text(client, "BAD")
        await pushed(client, uri)
        for version in range(2, 22):
            replace_text(client, uri, version, " " * version + "BAD")
            await asyncio.sleep(DEBOUNCE / 10)
        [found] = await pushed(client, uri, 2)
        assert columns(found) == (0, 21, 24)
        await asyncio.sleep(3 * DEBOUNCE)
        assert len(publications(client, uri)) == 2


async def test_an_answer_for_an_old_text_is_dropped() -> None:
    async with session() as client:
        uri = open_text(client, "SLOW BAD")
        await asyncio.sleep(0.3)  # its analysis has begun
        replace_text(client, uri, 2, "BAD")
        [found] = await pushed(client, uri)
        assert columns(found) == (0, 0, 3)


async def test_work_that_nobody_wants_is_not_waited_for() -> None:
    async with session() as client:
        uri = open_text(client, "ENDLESS")
        await asyncio.sleep(0.3)
        replace_text(client, uri, 2, "BAD")
        assert len(await pushed(client, uri, within=10)) == 1


async def test_an_endless_analysis_ends_and_the_next_one_works() -> None:
    async with session(environment={"WARPCOST_SECONDS": "0.5"}) as client:
        endless = open_text(client, "ENDLESS", "file:///t/endless.cu")
        uri = open_text(client, "BAD")
        assert len(await pushed(client, uri)) == 1
        assert publications(client, endless) == []


async def test_a_worker_that_dies_is_replaced_and_the_job_repeated(tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    flag.touch()
    async with session(environment={"WARPCOST_DIE_ONCE": str(flag)}) as client:
        uri = open_text(client, "DIE BAD")
        assert len(await pushed(client, uri)) == 1
        assert not flag.exists()


async def test_a_job_that_kills_every_worker_fails_alone() -> None:
    async with session() as client:
        deadly = open_text(client, "DIEALWAYS", "file:///t/deadly.cu")
        raising = open_text(client, "RAISE", "file:///t/raise.cu")
        uri = open_text(client, "BAD")
        assert len(await pushed(client, uri)) == 1
        assert publications(client, deadly) == publications(client, raising) == []


async def test_a_killed_worker_process_does_no_harm() -> None:
    async with session() as client:
        uri = open_text(client, "BAD")
        await pushed(client, uri)
        server = client._server
        assert server is not None
        [worker] = subprocess.run(
            ["pgrep", "-P", str(server.pid), "-f", "spawn_main"], capture_output=True, text=True, check=True
        ).stdout.split()
        os.kill(int(worker), 9)
        replace_text(client, uri, 2, "BAD again")
        assert len(await pushed(client, uri, 2)) == 1


async def test_pulled_diagnostics_are_those_of_the_present_text() -> None:
    async with session(pull=True) as client:
        uri = open_text(client, "SLOW BAD")
        replace_text(client, uri, 2, "  BAD")
        params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
        report = await asyncio.wait_for(client.text_document_diagnostic_async(params), 20)
        assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
        assert [columns(item) for item in report.items] == [(0, 2, 5)]
        again = types.DocumentDiagnosticParams(params.text_document, previous_result_id=report.result_id)
        same = await asyncio.wait_for(client.text_document_diagnostic_async(again), 20)
        assert isinstance(same, types.RelatedUnchangedDocumentDiagnosticReport) and same.result_id == report.result_id
        assert publications(client, uri) == []  # shown once, not twice


async def test_settings_of_the_editor_hold_and_wrong_ones_are_told() -> None:
    options = {"computeCapability": "8.0", "warning-share": "loud", "no-such-thing": 1, "grid": None}
    async with session(options=options) as client:
        uri = open_text(client, "SETTINGS")
        assert (await pushed(client, uri))[0].message == "cc 8.0"
        await until(lambda: len(client.log_messages) >= 2)
        told = " ".join(message.message for message in client.log_messages)
        assert "warning-share" in told and "no-such-thing" in told
        params = types.DidChangeConfigurationParams({"warpcost": {"cc": "7.5"}})
        client.workspace_did_change_configuration(params)
        assert (await pushed(client, uri, 2))[0].message == "cc 7.5"


@pytest.mark.parametrize("options", [None, [], "x", 3, {"block": [1, 2, 3, 4]}, {"values": {"n": "many"}}])
async def test_no_setting_stops_the_server(options: object) -> None:
    async with session(options=options) as client:
        uri = open_text(client, "BAD")
        assert len(await pushed(client, uri)) == 1


@pytest.mark.parametrize("text", ["", "\0\x01\x02", "\ud800 BAD", "x" * 100_000, "\n" * 10_000], ids=range(5))
async def test_any_text_is_a_document(text: str) -> None:
    async with session() as client:
        uri = open_text(client, text, "untitled:Untitled-1")
        found = await pushed(client, uri)
        assert len(found) == text.count("BAD")


def message(body: dict[str, object]) -> bytes:
    data = json.dumps({"jsonrpc": "2.0", **body}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(data), data)


HELLO = (
    message({"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}}),
    message({"method": "initialized", "params": {}}),
)
OPEN = message(
    {
        "method": "textDocument/didOpen",
        "params": {"textDocument": {"uri": "file:///t/a.cu", "languageId": "cuda-cpp", "version": 1, "text": "BAD"}},
    }
)


def start() -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    server = subprocess.Popen(FAKE, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe)
    assert server.stdin is not None and server.stdout is not None
    for part in HELLO:
        server.stdin.write(part)
    server.stdin.flush()
    assert b"Content-Length" in server.stdout.readline()
    return server


def children(server: subprocess.Popen[bytes]) -> list[int]:
    found = subprocess.run(["pgrep", "-P", str(server.pid)], capture_output=True, text=True, check=False)
    return [int(pid) for pid in found.stdout.split()]


def alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def test_a_client_that_closes_the_input_ends_the_server() -> None:
    server = start()
    assert server.stdin is not None
    server.stdin.close()
    assert server.wait(10) == 1  # it left without saying goodbye


def test_exit_ends_the_server_even_if_the_input_stays_open() -> None:
    server = start()
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(message({"id": 2, "method": "shutdown"}) + message({"method": "exit"}))
    server.stdin.flush()
    assert server.wait(10) == 0


def test_a_client_that_closes_the_output_ends_the_server_quietly() -> None:
    server = start()
    assert server.stdin is not None and server.stdout is not None and server.stderr is not None
    server.stdout.close()
    server.stdin.write(OPEN)
    server.stdin.flush()
    assert server.wait(10) == 1
    assert b"RecursionError" not in server.stderr.read()


@pytest.mark.skipif(sys.platform != "linux", reason="the parent-death signal is Linux's")
def test_the_worker_dies_with_a_killed_server() -> None:
    server = start()
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(OPEN)
    server.stdin.flush()
    while b"publishDiagnostics" not in server.stdout.read1():
        pass
    workers = children(server)
    assert workers
    server.kill()
    server.wait()
    for _ in range(200):
        if not any(alive(pid) for pid in workers):
            return
        asyncio.run(asyncio.sleep(0.02))
    pytest.fail("a worker outlived its server")


def test_garbage_on_the_input_does_not_break_the_protocol() -> None:
    server = start()
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(b"Content-Length: 5\r\n\r\n{{{{{" + message({"method": "no/such"}) + OPEN)
    server.stdin.flush()
    text = b""
    while b"publishDiagnostics" not in text:
        part = server.stdout.read1()
        assert part, "the server left"
        text += part
    assert b"a stray print" not in text
    server.kill()
