"""What no client should send: every request is answered, the next message is read, and standard output holds messages only."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.server.raw import Raw, gone, message, packet, raw

A = "file:///t/a.cu"
HERE = {"textDocument": {"uri": A}, "position": {"line": 0, "character": 0}}
HOVER = "textDocument/hover"


def code_of(answer: dict[str, Any]) -> int:
    code: int = answer["error"]["code"]
    return code


def check_alive(client: Raw) -> None:
    """The server still reads and answers."""
    assert client.ask(HOVER, HERE)["result"] is None


def test_what_is_no_request_is_refused_and_the_next_one_is_answered() -> None:
    with raw() as client:
        assert code_of(client.ask(HOVER, HERE)) == -32002
        client.open("BAD")  # A document before the handshake is nobody's.
        client.hello()
        bad: list[tuple[bytes, int]] = [
            (b"{{{{{", -32700),
            (b"[" * 100_000, -32700),
            (b'{"jsonrpc":"2.0","id":1,"method":"\xff\xfe"}', -32700),
            (b"7", -32600),
            (b'[{"id":1,"method":"textDocument/hover"}]', -32600),
            (b'{"id":1,"method":"textDocument/hover"}', -32600),
        ]
        for count, (data, code) in enumerate(bad, 1):
            client.send(packet(data))
            check_alive(client)
            refused = [m["error"]["code"] for m in client.got if "id" in m and m["id"] is None]
            assert len(refused) == count and refused[-1] == code, data
        for data in (b'[{"jsonrpc":"2.0","id":77,"method":"textDocument/hover"}]', b'"text"', b"null", b"{}"):
            client.send(packet(data))
        for method, params in (
            ("$/cancelRequest", {"id": 12345}),
            ("$/cancelRequest", {"id": [1]}),
            ("no/such/notification", {}),
            (
                "textDocument/didChange",
                {"textDocument": {"uri": "file:///t/not-open.cu", "version": 1}, "contentChanges": []},
            ),
            ("textDocument/didClose", {"textDocument": {"uri": "file:///t/not-open.cu"}}),
            ("textDocument/didOpen", {"textDocument": 5}),
            ("window/workDoneProgress/cancel", {"token": "nobody's"}),
        ):
            client.notify(method, params)
        client.send(message({"id": 4711, "result": 1}) + message({"id": [1], "result": 1}))
        client.send(message({"id": 4712, "error": {"code": 1, "message": "no"}}))
        check_alive(client)


def test_requests_of_the_wrong_form_are_answered() -> None:
    with raw() as client:
        client.hello()
        client.open("BAD")
        assert code_of(client.ask("no/such", {})) == -32601
        for params in (None, [], 5, {"textDocument": 7}, {"textDocument": {"uri": A}}):
            assert code_of(client.ask(HOVER, params)) == -32602
        for wrong in ({"line": -1, "character": 0}, {"line": 0, "character": 10**12}, {"line": "x", "character": None}):
            assert code_of(client.ask(HOVER, {**HERE, "position": wrong})) == -32602
        for method, arguments in (
            ("warpcost.noSuch", []),
            ("warpcost.exportJson", []),
            ("warpcost.exportJson", [7]),
            ("warpcost.exportJson", ["file:///t/not-open.cu"]),
            ("warpcost.showStages", [A]),
            ("warpcost.showStages", [A, "no such stage"]),
        ):
            assert (
                code_of(client.ask("workspace/executeCommand", {"command": method, "arguments": arguments})) == -32602
            )
        for number in (10**30, "x" * 10_000, 0, -1, ""):
            client.request(HOVER, HERE, number)
            assert client.answer(number)["result"] is None


def test_wrong_heads_cost_no_more_than_their_own_message() -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 900, "method": HOVER, "params": HERE}).encode()
    with raw() as client:
        client.hello()
        client.send(b"Content-Length: 3\r\n\r\n" + packet(body))
        check_alive(client)
        client.send(body + b"\r\n\r\n")
        check_alive(client)
        client.send(b"Content-Length: many\r\n\r\nContent-Length: -5\r\n\r\n\r\n")
        check_alive(client)
        spelled = b"content-length:%d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n"
        client.send(spelled % len(body.replace(b"900", b"901")) + body.replace(b"900", b"901"))
        assert client.answer(901)["result"] is None


@pytest.mark.parametrize(
    "data",
    [
        b"Content-Length: 100\r\n\r\n{",
        b"Content-Length: 1",
        b"Content-Length: 99999999999999999\r\n\r\n{",
        b"x" * 50_000,
    ],
    ids=("half a body", "half a head", "a length that nobody has", "no message at all"),
)
def test_an_input_that_ends_inside_of_a_message_ends_the_server(data: bytes) -> None:
    with raw() as client:
        client.hello()
        client.published(client.open("FIRST ENDLESS"))
        workers = client.workers()
        client.send(data)
        client.stdin.close()
        assert client.server.wait(10) == 1
        assert b"Traceback" not in b"".join(client.log)
        assert workers and gone(workers)


def test_positions_and_documents_that_are_not_there() -> None:
    """Beyond the end is the end (the protocol says so); of a document that is not open nothing is known."""
    far = 2**31 - 1
    area = {"start": {"line": 0, "character": far}, "end": {"line": far, "character": far}}
    with raw() as client:
        client.hello()
        client.open("x\nBAD")
        client.published(A)
        for uri in (A, "file:///t/not-open.cu", "untitled:x", "no uri", "", "file:", "http://[", "file:///\0"):
            here = {"textDocument": {"uri": uri}, "position": {"line": far, "character": far}}
            there = {"textDocument": {"uri": uri}, "range": area, "context": {"diagnostics": []}}
            for method, params in (
                (HOVER, here),
                ("textDocument/codeAction", there),
                ("textDocument/inlayHint", there),
                ("textDocument/codeLens", there),
                ("textDocument/diagnostic", there),
            ):
                assert "result" in client.ask(method, params), (uri, method)
            client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}]})
            client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        change = {"range": {"start": area["end"], "end": area["end"]}, "text": " BAD"}
        client.notify("textDocument/didChange", {"textDocument": {"uri": A, "version": 2}, "contentChanges": [change]})
        client.published(A, lambda found: found and found[0]["range"]["start"] == {"line": 1, "character": 0})
        lens = {"range": area, "data": {"uri": A, "revision": 2, "about": 10**9}}
        assert client.ask("codeLens/resolve", lens)["result"]["command"]["title"] == "warp: ..."
