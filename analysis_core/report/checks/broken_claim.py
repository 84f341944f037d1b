"""WC407 broken-claim: what a `//@ assert`, `//@ ensures` or `//@ requires` says does not hold.

    refuted    a simulated run has broken it, or a launch in view passes what `requires` forbids   warning
    undecided  neither proved nor refuted, with the cause                                          hint

What is proved is told by the card of the annotation and in the report of JSON.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analysis_core.profile.kernel_context import Context
from analysis_core.report.findings.check import Check, launch_notes
from analysis_core.report.findings.model import CheckId, Finding, Level, Note, Verdict
from analysis_core.report.findings.race_words import thread_text, values_text
from analysis_core.report.findings.reasons import quoted

if TYPE_CHECKING:
    from analysis_core.claims.verdicts import Judged

CODE = CheckId("WC407")


def find(context: Context) -> Iterator[Finding]:
    """One finding per claim that is not proved."""
    for one in context.profile.claims:
        found = _finding(context, one)
        if found is not None:
            yield found


def _finding(context: Context, one: Judged) -> Finding | None:
    from analysis_core.claims.verdicts import Standing

    if one.standing is Standing.PROVED or (one.word == "requires" and one.standing is Standing.UNDECIDED):
        return None
    if one.standing is Standing.UNDECIDED:
        message = f"Not decided whether {quoted(one.text)} holds: {one.cause}"
        notes = () if one.place is None else (Note(one.cause, one.place),)
        return Finding(CODE, Verdict.MAY_FAIL, Level.HINT, one.span, message, (*notes, *launch_notes(context)))
    message = f"{quoted(one.text)} does not hold{values_text(one.values.items())}"
    if one.word == "requires":
        message = f"A launch breaks {quoted(one.text)}{values_text(one.values.items())}"
        if one.place is not None:
            return Finding(CODE, Verdict.FAILS, Level.WARNING, one.span, message, (Note("launched here", one.place),))
    if one.thread is not None:
        message += f" in {thread_text(one.thread)}, as a simulated run shows"
    return Finding(CODE, Verdict.FAILS, Level.WARNING, one.span, message, launch_notes(context))


CHECK = Check(CODE, "broken-claim", "what an annotation claims does not hold", Level.WARNING, find)
