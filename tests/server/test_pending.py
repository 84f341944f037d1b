"""Requests that wait: bounded, shared, and the first ones about a document answered before anything is known."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from lsp_server.pending import Pending
from tests.server.raw import message, raw
from tests.server.session import REAL

REFRESHED = {
    "textDocument": {"diagnostic": {}, "codeLens": {}},
    "workspace": {
        "diagnostics": {"refreshSupport": True},
        "codeLens": {"refreshSupport": True},
        "inlayHint": {"refreshSupport": True},
    },
}


def counted(log: list[int], number: int, delay: float = 0.01) -> Callable[[], Awaitable[int]]:
    async def work() -> int:
        log.append(number)
        await asyncio.sleep(delay)
        return number

    return work


async def test_the_same_question_is_worked_on_once() -> None:
    pending, log = Pending(), list[int]()
    same = [pending.ask("a", counted(log, 1)) for _ in range(5)]
    other = pending.ask("b", counted(log, 2))
    same[0].cancel()  # The others are answered all the same.
    assert await asyncio.gather(*same[1:], other) == [1, 1, 1, 1, 2]
    assert log == [1, 2] and len(pending) == 0
    assert await pending.ask("a", counted(log, 3)) == 3


async def test_of_too_many_the_oldest_is_cancelled() -> None:
    pending, log = Pending(most=4, most_alike=2), list[int]()
    alike = [pending.ask("a", counted(log, 1)) for _ in range(3)]
    assert [one.cancelled() for one in alike] == [True, False, False]
    others = [pending.ask(number, counted(log, number)) for number in range(3)]
    assert [one.cancelled() for one in (*alike[1:], *others)] == [True, False, False, False, False]
    assert len(pending) == 4


async def test_work_that_nobody_waits_for_ends() -> None:
    pending, log = Pending(), list[int]()
    mine = pending.ask("a", counted(log, 1, 60))
    await asyncio.sleep(0)
    mine.cancel()
    await asyncio.sleep(0.01)
    assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []
    assert await pending.ask("a", counted(log, 2)) == 2 and log == [1, 2]


async def test_an_error_is_everybodys() -> None:
    async def fail() -> None:
        raise ValueError("no")

    pending = Pending()
    for one in [pending.ask("a", fail) for _ in range(3)]:
        with pytest.raises(ValueError, match="no"):
            await one


def test_thousands_of_requests_for_a_report() -> None:
    text = "__global__ void k(float *a, int n) { for (int i = 0; i < n; i++) a[32 * threadIdx.x + i] = 0; }\n"
    with raw(REAL) as client:
        client.hello()
        uri = client.open(text)
        asked = {"command": "warpcost.kernelReport", "arguments": [uri]}
        numbers = range(1000, 3000)
        for number in numbers:
            client.send(message({"id": number, "method": "workspace/executeCommand", "params": asked}))
        answers = [client.answer(number) for number in numbers]
        told = [answer for answer in answers if "result" in answer]
        refused = [answer["error"]["code"] for answer in answers if "error" in answer]
        assert told and set(refused) <= {-32800} and len(told) + len(refused) == len(numbers)
        assert answers[-1]["result"].startswith("<!")
        with open(f"/proc/{client.server.pid}/status", encoding="ascii") as file:
            peak = next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))
        assert peak < 400_000, f"{peak} kB"


def test_first_requests_do_not_wait_for_an_analysis(tmp_path: Path) -> None:
    held = tmp_path / "held"
    held.touch()
    with raw(environment={"WARPCOST_HELD": str(held)}) as client:
        client.hello(REFRESHED)
        uri = client.open("HELD BAD")
        area = {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}
        there = {"textDocument": {"uri": uri}, "range": area}
        for method in ("codeLens", "inlayHint"):
            assert client.ask(f"textDocument/{method}", there)["result"] == []
        held.unlink()
        assert len(client.ask("textDocument/diagnostic", there)["result"]["items"]) == 1, "diagnostics wait"
        for what in ("codeLens", "inlayHint"):
            client.reply(f"workspace/{what}/refresh", None)


def test_a_client_that_cannot_be_told_is_answered_in_full() -> None:
    with raw() as client:
        client.hello({"textDocument": {"diagnostic": {}, "codeLens": {}}})
        uri = client.open("SLOW BAD")
        there = {"textDocument": {"uri": uri}}
        assert len(client.ask("textDocument/diagnostic", there)["result"]["items"]) == 1
        assert client.ask("textDocument/codeLens", there)["result"] == []


def test_diagnostics_are_pushed_to_a_client_that_cannot_be_told_to_pull() -> None:
    with raw() as client:
        client.request("initialize", {"processId": None, "capabilities": {"textDocument": {"diagnostic": {}}}}, 1)
        offered = client.answer(1)["result"]["capabilities"]
        assert "diagnosticProvider" not in offered, json.dumps(offered)
        client.notify("initialized", {})
        uri = client.open("FIRST SLOW BAD")
        assert len(client.published(uri)) == 1
        client.published(uri, lambda found: [d["range"]["start"]["character"] for d in found] == [11])
