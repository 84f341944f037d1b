"""The card of a cost contract: it holds, with the certified bound, is violated by a run, or is not shown, with the cause.

**holds** · `sectors <= 8*ceil(n/256)`

A warp pays at most `8*ceil(n/256)` sectors.

Assumes: block 256 from main.cu:88
"""

from __future__ import annotations

from analysis_core.contracts.verdicts import Contracted, Standing
from analysis_core.report.findings.contract_words import broken_text, proved_text
from analysis_core.report.findings.model import LaunchReport
from analysis_core.report.findings.reasons import Where, assumes, quoted, wrapped


def hover_contract(one: Contracted, launch: LaunchReport, where: Where) -> str:
    """The card under one launch."""
    headline = f"**{one.standing.value}** · {quoted(one.text)}"
    paragraphs = [headline, wrapped([_told(one, where)]), assumes(launch.facts, where)]
    return "\n\n".join(part for part in paragraphs if part) + "\n"


def _told(one: Contracted, where: Where) -> str:
    if one.standing is Standing.HOLDS:
        condition = f" Where {quoted(one.when)} holds." if one.when else ""
        return f"{proved_text(one)}{condition}"
    if one.standing is Standing.VIOLATED:
        return f"{broken_text(one)}."
    place = "" if one.because is None or one.because == one.span else f" ({where(one.because)})"
    return f"Not known: {one.cause}{place}."
