"""The real server with an analysis that does what the text says, to test time and trouble without CUDA.

BAD        a finding at this word, with a related place at the start of the text
SLOW       the analysis takes half a second
ENDLESS    it takes for ever
DIE        the process ends at once, if the file named in WARPCOST_DIE_ONCE is there to be deleted first
DIEALWAYS  the process ends at once, whenever
RAISE      an exception
SETTINGS   a finding whose message is the settings' cc
"""

from __future__ import annotations

import os
import sys
import time

from analysis_core.report.model import CheckId, FileReport, Finding, Level, Note, Verdict
from analysis_core.support.settings import Settings
from analysis_core.text.span import FileId, Span
from lsp_server.analyse import Answer, Job
from lsp_server.options import settings_with
from lsp_server.server import ClientStream, leave, make_server
from lsp_server.worker import Worker


def fake(job: Job) -> Answer:
    """The analysis described above."""
    text = job.contents[job.path]
    settings = settings_with(job.options, Settings())
    print("a stray print in the worker")
    if b"SLOW" in text:
        time.sleep(0.5)
    if b"ENDLESS" in text:
        time.sleep(3600)
    if b"DIEALWAYS" in text:
        os._exit(9)
    if b"DIE" in text and os.path.exists(flag := os.environ["WARPCOST_DIE_ONCE"]):
        os.remove(flag)
        os._exit(9)
    if b"RAISE" in text:
        raise ValueError("as the text asks")
    findings = [_finding(job.path, text, word) for word in (b"BAD", b"SETTINGS") if word in text]
    if b"SETTINGS" in text:
        findings[-1] = _finding(job.path, text, b"SETTINGS", f"cc {settings.compute_capability}")
    return Answer(FileReport(job.path, (), tuple(findings)), settings)


def _finding(path: str, text: bytes, word: bytes, message: str = "bad word") -> Finding:
    start = text.index(word)
    note = Note("the text starts here", Span(FileId(path), 0, 1))
    span = Span(FileId(path), start, start + len(word))
    return Finding(CheckId("WC101"), Verdict.FAILS, Level.WARNING, span, message, (note,))


if __name__ == "__main__":
    server = make_server(Worker(fake, seconds=float(os.environ.get("WARPCOST_SECONDS", "30"))))
    server.start_io(stdout=ClientStream(sys.stdout.buffer))  # type: ignore[arg-type]
    leave(0 if server.said_goodbye else 1)
