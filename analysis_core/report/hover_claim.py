"""The card of a claim: proved, with what the proof rests on, refuted by a thread, or undecided with the cause.

**proved** · `i < n`

Rests on the ranges and the arithmetic of its values.

Assumes: block 256 from main.cu:88
"""

from __future__ import annotations

from analysis_core.claims.verdicts import Judged, Standing
from analysis_core.report.findings.model import LaunchReport
from analysis_core.report.findings.race_words import thread_text, values_text
from analysis_core.report.findings.reasons import Where, assumes, quoted, wrapped


def hover_claim(claim: Judged, launch: LaunchReport, where: Where) -> str:
    """The card under one launch."""
    headline = f"**{claim.standing.value}** · {quoted(claim.text)}"
    paragraphs = [headline, wrapped([_told(claim, where)]), assumes(launch.facts, where)]
    return "\n\n".join(part for part in paragraphs if part) + "\n"


def _told(claim: Judged, where: Where) -> str:
    if claim.standing is Standing.PROVED:
        return f"Rests on this: {claim.how}."
    if claim.standing is Standing.UNDECIDED:
        place = "" if claim.place is None or claim.place == claim.span else f" ({where(claim.place)})"
        return f"Not known: {claim.cause}{place}."
    thread = f"{thread_text(claim.thread)} breaks it" if claim.thread is not None else "A launch breaks it"
    return f"{thread[:1].upper()}{thread[1:]}{values_text(claim.values.items())}."
