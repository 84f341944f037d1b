"""WC501 cost-contract: what a `//@ expect` says of the cost of a kernel, or of a statement of it, does not hold, or is not shown.

    violated   a simulated run has broken it                   warning
    not shown  neither, with what prevents it                  information

What holds is told by the card of the annotation and in the report of JSON.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analysis_core.ir.stated import StatedContract
from analysis_core.profile.kernel_context import Context
from analysis_core.report.findings.check import Check, launch_notes
from analysis_core.report.findings.model import CheckId, Finding, Level, Note, Verdict
from analysis_core.report.findings.reasons import quoted

if TYPE_CHECKING:
    from analysis_core.contracts.verdicts import Contracted

CODE = CheckId("WC501")


def find(context: Context) -> Iterator[Finding]:
    """One finding per contract that is not known to hold."""
    if not (context.settings.bounds and context.kernel.bounded):
        yield from (_unbounded(one) for one in context.kernel.annotations.contracts)
    for one in context.profile.contracts:
        found = _finding(context, one)
        if found is not None:
            yield found


def _unbounded(one: StatedContract) -> Finding:
    text = one.text.removeprefix("expect").strip()
    message = f"Not shown that {quoted(text)} holds: no bounds are inferred for this kernel"
    return Finding(CODE, Verdict.GAVE_UP, Level.INFORMATION, one.span, message, subject=text)


def _finding(context: Context, one: Contracted) -> Finding | None:
    from analysis_core.contracts.verdicts import Standing
    from analysis_core.report.findings.contract_words import broken_text, open_text

    if one.standing is Standing.HOLDS:
        return None
    if one.standing is Standing.NOT_SHOWN:
        where = "paid here" if one.upper is not None else one.cause
        known = one.because is None or one.because == one.place or one.span.encloses(one.because)
        notes = () if known else (Note(where, one.because),)
        message, level, verdict = open_text(one), Level.INFORMATION, Verdict.GAVE_UP
        return Finding(CODE, verdict, level, one.span, message, (*notes, *launch_notes(context)), subject=one.text)
    message = broken_text(one)
    return Finding(CODE, Verdict.FAILS, Level.WARNING, one.span, message, launch_notes(context), subject=one.text)


CHECK = Check(CODE, "cost-contract", "a cost contract does not hold, or is not shown", Level.WARNING, find)
