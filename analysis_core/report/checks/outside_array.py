"""WC405 outside-array: an access that leaves the array that it begins in.

Told where a thread that comes whatever parameters and memory are has an index that is a number (races/outside.py), and a simulated run has met it.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.profile.kernel_context import Context
from analysis_core.races.verdicts import Outside
from analysis_core.report.findings.check import Check, launch_notes
from analysis_core.report.findings.model import CheckId, Finding, Level, Note, Verdict
from analysis_core.report.findings.race_words import thread_text
from analysis_core.report.findings.reasons import quoted

CODE = CheckId("WC405")


def find(context: Context) -> Iterator[Finding]:
    """One finding per access."""
    for one in () if context.profile.races is None else context.profile.races.outside:
        message = f"{quoted(one.place.text)} lies outside of {quoted(one.array)}: {_where(one)}"
        note = Note(f"seen in a simulated run: {thread_text(one.thread)} {one.place.does} it here")
        yield Finding(CODE, Verdict.FAILS, Level.WARNING, one.place.span, message, (note, *launch_notes(context)))


def _where(one: Outside) -> str:
    if one.byte < 0:
        return f"{-one.byte} bytes before its first, in thread {one.thread.thread}"
    return f"byte {one.byte} of {one.size}, in thread {one.thread.thread}"


CHECK = Check(CODE, "outside-array", "an access leaves a declared array", Level.WARNING, find)
