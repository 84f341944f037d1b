"""How other processes are started, on this platform and, as far as that is a matter of what is handed to the system, on others."""

from __future__ import annotations

import asyncio
import multiprocessing.connection
import ntpath
import os
import posixpath
import signal
import subprocess
import sys
from typing import Any

import pytest

from analysis_core import isolation
from analysis_core.support.interrupts import Interrupts
from analysis_core.workspace.children import environment, handed_on, shares_descriptors
from lsp_server.worker import JobGivenUp, Worker
from lsp_server.worker_process import _Unwanted
from tests.server.fake_server import make_fake
from tests.server.test_worker import job


def test_a_child_is_handed_one_pipe_and_what_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    assert handed_on(7, (9, 10), "linux") == handed_on(7, (9, 10), "darwin") == {"pass_fds": (7, 9, 10)}
    made_inheritable: list[tuple[int, bool]] = []
    monkeypatch.setattr(
        os, "set_handle_inheritable", lambda handle, yes: made_inheritable.append((handle, yes)), raising=False
    )
    monkeypatch.setattr(subprocess, "STARTUPINFO", lambda **more: more, raising=False)
    handles = {"startupinfo": {"lpAttributeList": {"handle_list": [7]}}}
    assert handed_on(7, (9, 10), "win32") == handles  # no descriptors, which are none of the child's there
    assert made_inheritable == [(7, True)]
    assert [shares_descriptors(platform) for platform in ("linux", "darwin", "win32")] == [True, True, False]


@pytest.mark.parametrize(
    ("ours", "expected"),
    [
        (r"C:\bin;;.;bin;\\host\tools;C:here", r"C:\bin;\\host\tools"),
        (r".", ""),
        (r"C:\Program Files\a;C:\b c", r"C:\Program Files\a;C:\b c"),
    ],
)
def test_no_entry_of_a_search_path_depends_on_the_folder_on_windows(ours: str, expected: str) -> None:
    given = {"Path": ours, "PATHEXT": ".COM;.EXE", "LIB": ".;x"}
    assert environment(given, ";", ntpath.isabs) == {**given, "Path": expected}


@pytest.mark.parametrize("name", ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH"])
def test_no_entry_of_a_search_path_depends_on_the_folder_elsewhere(name: str) -> None:
    given = {name: ":/bin:.:b:/usr/local/bin:", "HOME": "."}
    assert environment(given, ":", posixpath.isabs) == {name: "/bin:/usr/local/bin", "HOME": "."}


def test_the_child_takes_a_handle_for_what_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pipes of Windows are connections of another class; a child uses that which its system has."""
    told: list[Any] = []

    class Pipe:
        def __init__(self, handle: int) -> None:
            self.messages = [("said", self), {"packages": {}, "path": [], "module": __name__, "function": "_main", "folder": None}]  # fmt: skip
            assert handle == 23

        def recv(self) -> Any:
            return self.messages.pop()

    monkeypatch.setattr(sys, "argv", ["isolation.py", "warpcost-worker", "23"])
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.setattr(multiprocessing.connection, "PipeConnection", Pipe, raising=False)
    monkeypatch.setattr(sys.modules[__name__], "_main", lambda pipe, *more: told.append(more), raising=False)
    isolation._child()
    assert told[0][0] == "said"


def test_without_a_second_pipe_no_job_is_unwanted() -> None:
    unwanted, interrupts = _Unwanted(-1), Interrupts()
    for _ in range(2):
        unwanted.ask(1, interrupts)
    assert not interrupts.asked and not interrupts.overtaken


async def test_where_there_is_no_signal_a_job_is_given_up_with_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "SIGUSR1")
    monkeypatch.setattr("lsp_server.worker.shares_descriptors", lambda: False)
    worker = Worker(make_fake)
    try:
        begun = asyncio.Event()
        running = asyncio.ensure_future(worker.run(job("a.cu", "ENDLESS"), at=lambda _: begun.set()))
        await begun.wait()
        first = worker.pid
        running.cancel()
        with pytest.raises((asyncio.CancelledError, JobGivenUp)):
            await running
        assert (await worker.run(job("b.cu", "BAD"))).report.path == "b.cu"
        assert worker.pid != first and worker.replaced == 0
    finally:
        worker.close()
