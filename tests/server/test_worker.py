"""The worker alone, with the analysis of fake_server.py."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

import pytest

from analysis_core.report.findings.model import FileReport
from analysis_core.support.interrupts import Interrupts
from analysis_core.support.settings import Settings
from lsp_server.analyse import Job
from lsp_server.answers import Answer
from lsp_server.options import EditorOptions
from lsp_server.worker import JobGivenUp, Worker, WorkerBroke
from lsp_server.worker_process import At, Send
from tests.server.fake_server import make_fake


def job(path: str, text: str) -> Job:
    return Job(path, {path: text.encode()}, EditorOptions())


async def test_whoever_is_cancelled_takes_no_answer_from_the_next() -> None:
    """At any moment: while the process starts, waits for its turn, and at work."""
    worker = Worker(make_fake)
    try:
        for delay in (0.0, 0.05, 0.5, 0.0, 0.001, 0.2):
            first = asyncio.ensure_future(worker.run(job("first.cu", "FIRST SLOW BAD")))
            second = asyncio.ensure_future(worker.run(job("second.cu", "SLOW")))
            await asyncio.sleep(delay)
            first.cancel()
            second.cancel()
            noted: list[object] = []
            answer = await worker.run(job("third.cu", "FIRST BAD"), at=noted.append)
            assert answer.report.path == "third.cu" and len(noted) == 1
            for left in (first, second):
                with contextlib.suppress(asyncio.CancelledError):
                    await left
        assert worker.replaced == 0
    finally:
        worker.close()


async def test_what_a_job_was_at_is_told_when_it_breaks_its_process() -> None:
    worker = Worker(make_fake, seconds=0.5)
    try:
        with pytest.raises(WorkerBroke) as broke:
            await worker.run(job("a.cu", "ENDLESS"))
        assert [what.name for what in broke.value.at] == ["ENDLESS"]  # type: ignore[attr-defined]
        assert worker.replaced == 1
        running = asyncio.ensure_future(worker.run(job("a.cu", "SLOW")))
        await asyncio.sleep(0.05)
        worker.restart()
        with pytest.raises(JobGivenUp):
            await running
        assert (await worker.run(job("b.cu", "BAD"))).report.path == "b.cu"
    finally:
        worker.close()


async def test_a_job_that_ends_before_it_hears_that_nobody_wants_it_is_given_up_too() -> None:
    """Its answer lacks what came with the first one, which was not passed on."""
    worker = Worker(make_fake)
    try:
        for _ in range(10):
            with pytest.raises(JobGivenUp):
                await worker.run(job("a.cu", "FIRST BAD"), at=lambda note: worker.give_up())
        assert worker.replaced == 0
    finally:
        worker.close()


def make_patient() -> Callable[[Job, Send, Interrupts], Answer]:
    """Reads for a moment; what is overtaken before that is read to its end."""
    read: list[str] = []

    def work(job: Job, send: Send, interrupts: Interrupts) -> Answer:
        send(At(None))
        interrupts.patient = True
        with interrupts.pure():
            time.sleep(0.3)
        read.append(job.path)
        interrupts.patient = False
        with interrupts.pure():
            time.sleep(30 if b"ENDLESS" in job.contents[job.path] else 0)
        return Answer(FileReport(job.path, (), ()), Settings(), text=" ".join(read))

    return work


async def test_a_job_that_is_overtaken_ends_where_it_is_patient_no_more() -> None:
    """One that is to end ends at once, overtaken before or not."""
    worker = Worker(make_patient)
    try:
        with pytest.raises(JobGivenUp):
            await worker.run(job("a.cu", "ENDLESS"), at=lambda note: worker.overtake())
        for ends in (worker.give_up, lambda: (worker.overtake(), worker.give_up())):
            with pytest.raises(JobGivenUp):
                await worker.run(job("b.cu", "ENDLESS"), at=lambda note, ends=ends: ends())  # type: ignore[misc]
        assert (await worker.run(job("c.cu", ""))).text == "a.cu c.cu"
        assert worker.replaced == 0
    finally:
        worker.close()
