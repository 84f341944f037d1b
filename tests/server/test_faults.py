"""Processes that break, and clients that stop to listen: the server answers or ends, and leaves nothing behind."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from typing import Any

import pytest

from tests.server.raw import Raw, gone, raw
from tests.server.session import REAL

TROUBLE = (sys.executable, "-m", "tests.server.trouble_server")
GOOD = "__global__ void good(float *a) { a[threadIdx.x * 8] = 0; }\n"


def kernel(name: str) -> str:
    return f"__global__ void {name}(float *a) {{ a[threadIdx.x * 4] = 0; }}\n"


def codes(found: list[dict[str, Any]]) -> list[tuple[str, int]]:
    return [(d["code"], d["range"]["start"]["line"]) for d in found]


@pytest.mark.parametrize(
    ("name", "tries", "how"),
    [
        ("hang", 1, "it did not end within 0.1 s"),
        ("loop", 1, "a step of it took more than 0.2 s of processor time"),
        ("die", 2, "it ended the process twice"),
        ("large", 1, "it took more than 400 MB of memory"),
    ],
)
def test_a_kernel_that_breaks_its_worker_is_left_out_and_says_so(name: str, tries: int, how: str) -> None:
    """One retry after a crash, none after what would be the same again; then WC904 on the kernel that did it; the others keep their
    findings, and so do later edits."""
    with raw(TROUBLE) as client:
        client.hello()
        uri = client.open(GOOD + kernel(name))
        found = client.published(uri, lambda found: "WC904" in [d["code"] for d in found])
        assert sorted(codes(found)) == [("WC101", 0), ("WC904", 1)]
        client.change(uri, 2, GOOD + kernel(name) + kernel("other"))
        found = client.published(uri, lambda found: len(found) == 3)
        assert sorted(codes(found)) == [("WC101", 0), ("WC101", 2), ("WC904", 1)]
        assert how in next(d["message"] for d in found if d["code"] == "WC904")
        assert f"kernel {name} is left out: {how}".encode() in b"".join(client.log)
        assert sum(b"worker broke" in line for line in client.log) == tries
        # An edit of the kernel itself is another chance for it.
        client.change(uri, 3, GOOD + kernel("mended"))
        assert sorted(codes(client.published(uri, lambda found: len(found) == 2 and found[1]["code"] == "WC101"))) == [
            ("WC101", 0),
            ("WC101", 1),
        ]


def test_a_worker_that_is_killed_at_work_is_replaced() -> None:
    with raw(TROUBLE) as client:
        client.hello({"window": {"workDoneProgress": False}})
        uri = client.open(GOOD + kernel("slow"))
        [worker] = until_workers(client)
        client.notified("warpcost/status", lambda status: not status["quiescent"])
        os.kill(worker, signal.SIGKILL)
        assert sorted(codes(client.published(uri, lambda found: len(found) == 2))) == [("WC101", 0), ("WC101", 1)]
        assert sum(b"worker broke" in line for line in client.log) == 1


def until_workers(client: Raw) -> list[int]:
    """The server's processes, as soon as there are any."""
    end = time.monotonic() + 20
    while not (found := client.workers()):
        assert time.monotonic() < end
        time.sleep(0.02)
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="the parent-death signal is Linux's")
def test_no_worker_outlives_a_killed_server_even_while_it_computes() -> None:
    with raw() as client:
        client.hello()
        client.published(client.open("FIRST ENDLESS"))
        workers = client.workers()
        assert workers
        client.server.kill()
        client.server.wait()
        assert gone(workers)


@pytest.mark.skipif(sys.platform != "linux", reason="signals of POSIX")
def test_a_server_that_is_asked_to_terminate_leaves_no_worker() -> None:
    with raw() as client:
        client.hello()
        client.published(client.open("FIRST ENDLESS"))
        workers = client.workers()
        client.server.send_signal(signal.SIGTERM)
        client.server.wait(10)
        assert workers and gone(workers)


def test_a_hundred_cancels_at_once_leave_a_server_that_answers() -> None:
    """Requests that wait, and one whose job runs: nobody's answer is given to somebody else."""
    text = GOOD + kernel("slow")
    with raw(TROUBLE) as client:
        client.hello()
        uri = client.open(text)
        there = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 40}}
        area = {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 60}}
        select = {"textDocument": {"uri": uri}, "range": area, "context": {"diagnostics": []}}
        asked = []
        for _ in range(34):
            asked.append(client.request("textDocument/hover", there))
            asked.append(client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}}))
            asked.append(client.request("textDocument/codeAction", select))
        for number in asked:
            client.notify("$/cancelRequest", {"id": number})
        answers = [client.answer(number) for number in asked]
        assert all(answer["error"]["code"] == -32800 for answer in answers)
        assert len(codes(client.published(uri, lambda found: len(found) == 2))) == 2
        assert "32 sectors" in client.ask("textDocument/hover", there)["result"]["contents"]["value"]


CONFLICTS = """__global__ void transpose(float *a) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void run(float *a) { transpose<<<1, dim3(32, 32)>>>(a); }
"""


def test_a_cancelled_job_does_not_answer_for_the_next() -> None:
    """Code actions try fixes in the worker; the answer to the one that was cancelled must not be taken for another's."""
    with raw(REAL) as client:
        client.hello()
        first, second = client.open(CONFLICTS), client.open(GOOD, "file:///t/b.cu")
        client.published(first, bool)
        client.published(second, bool)
        area = {"start": {"line": 0, "character": 0}, "end": {"line": 6, "character": 0}}
        select = {"textDocument": {"uri": first}, "range": area, "context": {"diagnostics": []}}
        client.ask("textDocument/codeLens", {"textDocument": {"uri": first}})  # Its bounds are there.
        for version in range(2, 6):
            number = client.request("textDocument/codeAction", select)
            time.sleep(0.005 * version)
            client.notify("$/cancelRequest", {"id": number})
            client.change(second, version, "\n" * version + GOOD)
            at = {"line": version, "character": 40}
            client.published(second, lambda found, at=version: [d["range"]["start"]["line"] for d in found] == [at])
            card = client.ask("textDocument/hover", {"textDocument": {"uri": second}, "position": at})
            assert "32 sectors" in card["result"]["contents"]["value"]
        assert any(
            "Pad" in action["title"] or "pad" in action["title"]
            for action in client.ask("textDocument/codeAction", select)["result"]
        )


def test_a_client_that_never_reads_is_left_before_memory_runs_out() -> None:
    with raw(environment={"WARPCOST_WAITING": "3000000"}, reads=False) as client:
        client.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        client.notify("initialized", {})
        with contextlib.suppress(BrokenPipeError):
            for number in range(1000):
                client.request("no/such/" + "x" * 100_000, None, number)
        assert client.server.wait(20) == 1
        assert b"the client does not read" in b"".join(client.log)


def test_a_client_that_never_reads_can_end_the_server() -> None:
    """Its output is full, its input ends: nobody is left to wait for."""
    with raw(reads=False) as client:
        client.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        client.notify("initialized", {})
        for number in range(10):
            client.request("no/such/" + "x" * 100_000, None, number)
        client.stdin.close()
        assert client.server.wait(20) == 1


def test_a_client_that_reads_late_gets_all() -> None:
    """The pipe is full for a while; requests go on being read."""
    with raw(reads=False) as client:
        client.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, "hello")
        client.notify("initialized", {})
        for number in range(200):
            client.request("no/such/" + "x" * 5_000, None, number)
        client.request("shutdown", None, "bye")
        client.start_reading()
        assert client.answer("bye")["result"] is None
        refused = [m["id"] for m in client.got if m.get("error", {}).get("code") == -32601]
        assert refused == list(range(200))
        client.notify("exit", None)
        assert client.server.wait(10) == 0


def test_a_document_of_five_megabytes_is_said_not_to_be_read() -> None:
    text = GOOD * (5_000_000 // len(GOOD) + 1)
    with raw(REAL) as client:
        client.hello()
        uri = client.open(text)
        (said,) = client.published(uri)
        assert said["code"] == "WC900" and "are not read" in said["message"]
        started = time.monotonic()
        for version in range(2, 7):
            at = {"line": 0, "character": 0}
            change = {"range": {"start": at, "end": at}, "text": " "}
            identifier = {"uri": uri, "version": version}
            client.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": [change]})
        assert client.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": at})["result"] is None
        assert time.monotonic() - started < 10
        client.change(uri, 7, GOOD)
        assert codes(client.published(uri, lambda found: found and found[0]["code"] == "WC101")) == [("WC101", 0)]
