"""The real server with an analysis that does what the text says, to test time and trouble without CUDA.

BAD        a finding at this word, with a related place at the start of the text
FIRST      a first answer with a finding at this word, which the second has not
SLOW       the analysis takes half a second
LONG       it takes three
HELD       it ends once the file named in WARPCOST_HELD is gone
ENDLESS    it takes for ever
DIE        the process ends at once, if the file named in WARPCOST_DIE_ONCE is there to be deleted first
DIEALWAYS  the process ends at once, unless the text's first word, its only kernel, is to be left out
LARGE      400 MB of memory are taken, and kept for ever, with the same exception
RAISE      an exception
SETTINGS   a finding whose message is the settings' cc
HEADER     a finding whose message is the text of the document a.cuh beside it if that is open, on which the report rests

With WARPCOST_DIGEST in the environment there is one finding, whatever the text says: its message is the digest of the text.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from hashlib import sha256

from analysis_core.report.findings.model import CheckId, FileReport, Finding, Level, Note, Verdict
from analysis_core.support.interrupts import Interrupts
from analysis_core.support.settings import Settings
from analysis_core.text.span import FileId, Span
from analysis_core.workspace.project import Scan
from lsp_server.analyse import AtKernel, Job
from lsp_server.answers import Answer, Stage
from lsp_server.options import settings_with
from lsp_server.worker import Worker
from lsp_server.worker_process import At, Partly, Send


def make_fake() -> Callable[[Job, Send, Interrupts], Answer]:
    """Nothing is remembered between jobs."""
    return fake


def fake(job: Job, send: Send, interrupts: Interrupts) -> Answer:
    """The analysis described above."""
    with interrupts.pure():
        return found(job, send)


def found(job: Job, send: Send) -> Answer:
    """What the words of the text ask for."""
    if job.scan is not None:
        return Answer(FileReport("", (), ()), Settings(), scan=Scan({}))
    text = job.contents[job.path]
    settings = settings_with(job.options, Settings())
    if "WARPCOST_DIGEST" in os.environ:
        span, digest = Span(FileId(job.path), 0, 0), sha256(text).hexdigest()
        found = Finding(CheckId("WC101"), Verdict.FAILS, Level.WARNING, span, digest)
        return Answer(FileReport(job.path, (), (found,)), settings)
    kernel = text.split()[0] if text.split() else b""
    send(At(AtKernel(job.path, kernel.decode("utf-8", "replace"), kernel)))
    print("a stray print in the worker", flush=True)
    if b"FIRST" in text:
        send(
            Partly(Answer(FileReport(job.path, (), (_finding(job.path, text, b"FIRST"),)), settings, stage=Stage.FACTS))
        )
    if b"SLOW" in text:
        time.sleep(0.5)
    if b"LONG" in text:
        time.sleep(3)
    while b"HELD" in text and os.path.exists(os.environ["WARPCOST_HELD"]):
        time.sleep(0.01)
    if b"ENDLESS" in text:
        time.sleep(3600)
    if b"LARGE" in text and kernel not in job.avoided:
        hold = bytearray(400_000_000)
        time.sleep(len(hold))
    if b"DIEALWAYS" in text and kernel not in job.avoided:
        os._exit(9)
    if b"DIE" in text and os.path.exists(flag := os.environ["WARPCOST_DIE_ONCE"]):
        os.remove(flag)
        os._exit(9)
    if b"RAISE" in text:
        raise ValueError("as the text asks")
    findings = [_finding(job.path, text, word) for word in (b"BAD", b"SETTINGS") if word in text]
    if b"SETTINGS" in text:
        findings[-1] = _finding(job.path, text, b"SETTINGS", f"cc {settings.compute_capability}")
    rests_on: tuple[str, ...] = ()
    if b"HEADER" in text:
        header = os.path.join(os.path.dirname(job.path), "a.cuh")
        findings.append(_finding(job.path, text, b"HEADER", job.contents.get(header, b"closed").decode()))
        rests_on = (header,)
    return Answer(FileReport(job.path, (), tuple(findings), dependencies=rests_on), settings)


def _finding(path: str, text: bytes, word: bytes, message: str = "bad word") -> Finding:
    start = text.index(word)
    note = Note("the text starts here", Span(FileId(path), 0, 1))
    span = Span(FileId(path), start, start + len(word))
    return Finding(CheckId("WC101"), Verdict.FAILS, Level.WARNING, span, message, (note,))


if __name__ == "__main__":
    # What the worker does not need: to make the protocol's types takes longer than all else that it imports.
    from lsp_server.server import make_server, serve
    from lsp_server.streams import MOST_WAITING
    from tests.server import fake_server  # by its name: what the worker is to load

    seconds = float(os.environ.get("WARPCOST_SECONDS", "30"))
    most_waiting = int(os.environ.get("WARPCOST_WAITING", MOST_WAITING))
    serve(make_server(Worker(fake_server.make_fake, seconds, most_bytes=300_000_000)), most_waiting)
