"""WC904 budget-exceeded: a budget ran out in a kernel, and some of its figures are coarser for it.

The figures stay sound: `worst` is still an upper figure.  Quiet where nothing came of it: most loops that are too long
to be executed round by round have closed forms that are as good, and an access or branch of little weight is none the
reader looks for.  Conditions that count as unknown are told of always: no figure of an access shows that shares rest on them.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.profile.kernel_context import Context
from analysis_core.profile.sureness import is_our_limit
from analysis_core.report.findings.check import Check
from analysis_core.report.findings.model import CheckId, Finding, Level, Note, Verdict
from analysis_core.support.facts import CONDENSED, CauseKind
from analysis_core.text.span import Span

CODE = CheckId("WC904")


def find(context: Context) -> Iterator[Finding]:
    """At most one finding per kernel, at the first place where a budget ran out."""
    facts = context.facts
    coarse = [c for c in facts.unknowns if c.kind is CauseKind.ANALYSIS and c not in context.kernel.unknowns]
    if not any(cause.reason == CONDENSED for cause in coarse) and not (coarse and _hides_something(context)):
        return
    first, *more = coarse
    notes = tuple(Note(cause.reason, cause.span) for cause in more[:4])
    span = first.span or context.kernel.name_span
    message = f"Some figures of this kernel may be too high: {first.reason}"
    yield Finding(CODE, Verdict.GAVE_UP, Level.INFORMATION, span, message, notes)


def _hides_something(context: Context) -> bool:
    """Whether an access of weight has an upper figure only because the analysis knows no better."""
    shares = context.weights.access_shares
    return any(
        is_our_limit(access.fact) and access.fact.worst > access.fact.ideal and share >= context.settings.warning_share
        for access, share in zip(context.profile.accesses, shares, strict=True)
    )


def left_out(place: Span, how: str) -> Finding:
    """The finding for a kernel whose analysis ended its process, by its memory, its time or a crash."""
    message = f"this kernel is not analysed: {how}"
    return Finding(CODE, Verdict.GAVE_UP, Level.INFORMATION, place, message)


CHECK = Check(CODE, "budget-exceeded", "a budget ran out, so figures are coarser", Level.INFORMATION, find)
