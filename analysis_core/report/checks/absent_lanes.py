"""WC406 absent-lanes: a shuffle or vote that names all lanes of a warp below a condition that keeps some of them away.

Told where lanes are apart by `threadIdx` alone (races/lanes.py), and a simulated run has met it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis_core.profile.kernel_context import Context
from analysis_core.report.findings.check import Check, launch_notes
from analysis_core.report.findings.model import CheckId, Finding, Level, Note, Verdict
from analysis_core.report.findings.race_words import thread_text

CODE = CheckId("WC406")


def find(context: Context) -> Iterator[Finding]:
    """One finding per primitive."""
    for one in () if context.profile.races is None else context.profile.races.absent:
        message = f"This {one.what} names all lanes of the warp, but {_lanes(one.lanes)} not come here: its result is undefined"
        note = Note(f"seen in a simulated run: {thread_text(one.thread)} waits here for lanes that never come")
        yield Finding(CODE, Verdict.FAILS, Level.WARNING, one.span, message, (note, *launch_notes(context)))


def _lanes(lanes: Sequence[int]) -> str:
    """ "lane 5 does", "lanes 16 to 31 do", "8 lanes do"."""
    if len(lanes) == 1:
        return f"lane {lanes[0]} does"
    if lanes[-1] - lanes[0] == len(lanes) - 1:
        return f"lanes {lanes[0]} to {lanes[-1]} do"
    return f"{len(lanes)} of them do"


CHECK = Check(CODE, "absent-lanes", "a primitive of the warp names lanes that do not come", Level.WARNING, find)
