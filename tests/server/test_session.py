"""The server over its streams, with the analysis of fake_server.py: documents, time and trouble."""

from __future__ import annotations

import asyncio
import os
import subprocess
import time
from pathlib import Path

import pytest
from lsprotocol import types

from lsp_server.scheduler import DEBOUNCE
from tests.server.raw import raw
from tests.server.session import (
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


async def test_a_header_that_changes_while_a_document_is_analysed_first_counts() -> None:
    async with session() as client:
        header = open_text(client, "open", "file:///t/a.cuh")
        await pushed(client, header)
        uri = open_text(client, "HEADER LONG")
        await asyncio.sleep(0.5)  # its analysis has begun
        client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(header)))
        assert [found.message for found in await pushed(client, uri, 1)] == ["open"]
        assert [found.message for found in await pushed(client, uri, 2)] == ["closed"]


async def test_work_that_nobody_wants_is_not_waited_for() -> None:
    async with session() as client:
        uri = open_text(client, "ENDLESS")
        await asyncio.sleep(0.3)
        replace_text(client, uri, 2, "BAD")
        assert len(await pushed(client, uri, within=10)) == 1


async def test_an_endless_analysis_ends_and_the_next_one_works() -> None:
    async with session(environment={"WARPCOST_SECONDS": "2"}) as client:
        endless = open_text(client, "ENDLESS", "file:///t/endless.cu")
        uri = open_text(client, "BAD")
        assert len(await pushed(client, uri, within=60)) == 1
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
            ["pgrep", "-P", str(server.pid), "-f", "warpcost-worker"], capture_output=True, text=True, check=True
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
        while report.result_id is None:  # Nothing was known yet.
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


async def test_any_text_is_a_document() -> None:
    async with session() as client:
        for number, text in enumerate(["", "\0\x01\x02", "\ud800 BAD", "x" * 100_000, "\n" * 10_000]):
            uri = open_text(client, text, f"untitled:Untitled-{number}")
            found = await pushed(client, uri)
            assert len(found) == text.count("BAD")


def test_a_client_that_closes_the_input_ends_the_server() -> None:
    with raw() as client:
        client.hello()
        client.stdin.close()
        assert client.server.wait(10) == 1  # it left without saying goodbye


def test_exit_ends_the_server_even_if_the_input_stays_open() -> None:
    with raw() as client:
        client.hello()
        client.published(client.open("BAD"))
        client.request("shutdown", None)
        client.notify("exit", None)
        assert client.server.wait(10) == 0


def test_a_client_that_closes_the_output_ends_the_server_quietly() -> None:
    with raw(reads=False) as client:
        client.stdout.close()
        client.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        client.notify("initialized", {})
        client.open("BAD")
        assert client.server.wait(10) == 1
        assert b"RecursionError" not in b"".join(client.log)


def test_a_stray_print_in_the_worker_does_not_break_the_protocol() -> None:
    with raw() as client:
        client.hello()
        client.published(client.open("BAD"))
        end = time.monotonic() + 20
        while b"a stray print" not in b"".join(client.log) and time.monotonic() < end:
            time.sleep(0.01)  # The log is another pipe.
        assert b"a stray print" in b"".join(client.log) and not client.wrong
