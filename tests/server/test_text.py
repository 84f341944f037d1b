"""The server's text is the editor's, whatever is typed; where that is not sure, the document is closed and that is said."""

from __future__ import annotations

import json
import random
from hashlib import sha256
from typing import Any

import pytest

from tests.server.editor_text import UNITS, EditorText
from tests.server.raw import Raw, packet, raw

A = "file:///t/a.cu"
DIGEST = {"WARPCOST_DIGEST": "1"}
CHANGE, OPEN = "textDocument/didChange", "textDocument/didOpen"


def digest(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()


def hello(client: Raw, unit: str = "utf-16") -> None:
    client.hello({"general": {"positionEncodings": [unit]}})


def sees(client: Raw, text: str, since: int) -> None:
    """The text that is analysed is this one."""
    client.published(A, lambda found: [d["message"] for d in found] == [digest(text)], since)


def edits(unit: str, seed: int, messages: int, between: int) -> None:
    """So many messages with up to three edits each; what the server has is looked at every now and then."""
    draw, model = random.Random(f"{unit} {seed}"), EditorText(unit)
    with raw(environment=DIGEST) as client:
        hello(client, unit)
        client.open("")
        for number in range(messages):
            changes = [model.edit(draw) for _ in range(draw.choice((1, 1, 1, 2, 3)))]
            since = len(client.got)
            client.notify(CHANGE, {"textDocument": {"uri": A, "version": number + 2}, "contentChanges": changes})
            if number % between == between - 1:
                sees(client, model.text, since)
        assert not [m for m in client.got if m.get("method") == "window/showMessage"]


@pytest.mark.parametrize("unit", UNITS)
def test_random_edits(unit: str) -> None:
    edits(unit, 1, 150, 15)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("unit", UNITS)
def test_more_random_edits(unit: str, seed: int) -> None:
    edits(unit, 2 + seed, 2700, 90)


def change(version: object = 2, *steps: object, uri: object = A) -> dict[str, Any]:
    return {"textDocument": {"uri": uri, "version": version}, "contentChanges": list(steps)}


def step(start: object, end: object, text: object = "x") -> dict[str, object]:
    return {"range": {"start": start, "end": end}, "text": text}


def at(line: object, character: object) -> dict[str, object]:
    return {"line": line, "character": character}


GOOD = step(at(0, 1), at(0, 1))

UNREADABLE: dict[str, dict[str, Any]] = {
    "a column that is no number of the protocol": change(2, step(at(0, 0), at(0, 4294967295))),
    "a line that is none": change(2, step(at(4294967295, 0), at(4294967295, 0))),
    "a negative column": change(2, step(at(0, -1), at(0, 0))),
    "a column of another type": change(2, step(at(0, "1"), at(0, 2))),
    "a column that is a fraction": change(2, step(at(0, 1.5), at(0, 2))),
    "a column that is true": change(2, step(at(0, True), at(0, 2))),
    "no column": change(2, step({"line": 0}, at(0, 2))),
    "no start": change(2, {"range": {"end": at(0, 2)}, "text": "x"}),
    "no range": change(2, {"range": None, "text": "x"}),
    "a range that ends before it starts": change(2, step(at(0, 2), at(0, 1))),
    "no text": change(2, {"range": {"start": at(0, 0), "end": at(0, 1)}}),
    "a text that is none": change(2, step(at(0, 0), at(0, 0), 7)),
    "half of a character": change(2, step(at(0, 0), at(0, 0), "\ud83d")),
    "a place inside of a character": change(2, step(at(1, 1), at(1, 1))),
    "a change after a good one": change(2, GOOD, step(at(0, -1), at(0, 0))),
    "no changes": {"textDocument": {"uri": A, "version": 2}},
    "changes that are no list": {"textDocument": {"uri": A, "version": 2}, "contentChanges": GOOD},
    "a change that is no object": change(2, 5),
    "the version of before": change(1, GOOD),
    "an older version": change(0, GOOD),
    "no version": change(None, GOOD),
    "a version that is a word": change("2", GOOD),
    "no document": change(2, GOOD, uri=None),
    "no parameters": {},
    "parameters within a message": change(2, {**GOOD, "jsonrpc": "2.0", "id": 1, "method": "textDocument/hover"}),
}


NO_JSON = {
    "bytes of another encoding": b'{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///t/a.cu",'
    b'"version":2},"contentChanges":[{"text":"\xe9"}]}}',
    "half of a message": b'{"jsonrpc":"2.0","method":"textDocument\\/didChange","params":{',
    "no method": b'{"jsonrpc":"2.0","met',
    "too deep": b"[" * 100_000,
}


def test_a_change_that_cannot_be_read_closes_the_document_until_it_is_opened_again() -> None:
    """A message that is no JSON may have been one.  Nothing comes of what the last case has left."""
    cases = {
        **{
            why: json.dumps({"jsonrpc": "2.0", "method": CHANGE, "params": wrong}).encode()
            for why, wrong in UNREADABLE.items()
        },
        **NO_JSON,
    }
    with raw(environment=DIGEST) as client:
        hello(client)
        for why, message in cases.items():
            check(client, why, packet(message))


def check(client: Raw, why: str, message: bytes) -> None:
    """The document is closed, that is said once, and it is back with its whole text."""
    since = len(client.got)
    client.open(f"ab\n😀\n{why}")
    sees(client, f"ab\n😀\n{why}", since)
    since = len(client.got)
    client.send(message)
    client.wait(lambda m: m.get("method") == "window/showMessage", since=since)
    client.published(A, lambda found: found == [], since)
    client.notify(CHANGE, change(7, GOOD))
    here = {"textDocument": {"uri": A}, "position": at(0, 0)}
    assert client.ask("textDocument/hover", here)["result"] is None
    assert client.ask("textDocument/codeLens", here)["result"] == []
    [said] = [m["params"]["message"] for m in client.got[since:] if m.get("method") == "window/showMessage"]
    assert "a.cu" in said and "open it again" in said, why
    told = [m["params"] for m in client.got if m.get("method") == "warpcost/status"]
    assert told[-1]["health"] == "error" and "a.cu" in told[-1]["message"], why
    since = len(client.got)
    client.open(f"ab\ncd\n{why}", version=3)
    client.notify(CHANGE, change(4, step(at(1, 9), at(1, 9))))
    sees(client, f"ab\ncdx\n{why}", since)
    client.wait(lambda m: m.get("method") == "warpcost/status" and m["params"]["health"] == "ok", since=since)


def test_what_belongs_to_no_message_may_have_been_a_change() -> None:
    with raw(environment=DIGEST) as client:
        hello(client)
        client.open("ab")
        client.send(b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n" + packet(b"7"))
        client.notify(CHANGE, change(2, step(at(0, 2), at(0, 2))))
        sees(client, "abx", 0)
        client.send(json.dumps({"jsonrpc": "2.0", "method": CHANGE, "params": change(3, GOOD)}).encode() + b"\r\n\r\n")
        client.ask("textDocument/hover", {"textDocument": {"uri": A}, "position": at(0, 0)})
        client.notified("window/showMessage", lambda said: "a.cu" in said["message"])


def test_a_message_about_something_else_closes_nothing() -> None:
    with raw(environment=DIGEST) as client:
        hello(client)
        client.open("ab")
        client.send(packet(b'{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{"x":"\xe9"'))
        client.send(packet(b'{"jsonrpc":"2.0","method":"textDocument/didSave","params":5}'))
        client.send(packet(b"[1]") + packet(b"7"))
        client.notify(CHANGE, change(2, step(at(0, 2), at(0, 2))))
        sees(client, "abx", 0)
        assert not [m for m in client.got if m.get("method") == "window/showMessage"]


def test_the_whole_text_puts_a_document_back_in_step() -> None:
    with raw(environment=DIGEST) as client:
        hello(client)
        client.open("ab")
        client.notify(CHANGE, change(2, step(at(0, -1), at(0, 2))))
        client.notified("window/showMessage")
        client.notify(CHANGE, change(3, GOOD, {"text": "cd"}, step(at(0, 2), at(0, 2), "e")))
        sees(client, "cde", 0)


def test_a_document_is_closed_alone_where_it_is_known_which() -> None:
    b = "file:///t/b.cu"
    with raw(environment=DIGEST) as client:
        hello(client)
        client.open("ab")
        client.open("cd", b)
        client.notify(CHANGE, change(2, step(at(0, -1), at(0, 2)), uri=b))
        client.notified("window/showMessage", lambda said: "b.cu" in said["message"])
        client.notify(CHANGE, change(2, step(at(0, 2), at(0, 2))))
        sees(client, "abx", 0)
        client.close(b)
        client.open("ef", b)
        client.published(b, lambda found: [d["message"] for d in found] == [digest("ef")])


def test_a_document_that_cannot_be_opened_is_said() -> None:
    with raw(environment=DIGEST) as client:
        hello(client)
        client.notify(OPEN, {"textDocument": {"uri": A, "languageId": "cuda-cpp", "version": "1", "text": "x"}})
        client.notified("window/showMessage", lambda said: "a.cu" in said["message"])
