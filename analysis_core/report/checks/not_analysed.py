"""WC900 not-analysed: a construct in a kernel is outside of the analysis, so figures leave it out.

One finding per reason, at its first place, with the other places as notes.  What depends on memory contents is no
such construct: it is analysed, and its cost says "up to".  A missing include alone is silent; the call of a function
that nobody declared is not, because its cost is missing from every figure.  A budget that ran out is WC904.  Also the form in which a bug of
warpcost itself reaches the user, without taking the other kernels along.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.report.check import Check, Context
from analysis_core.report.model import CheckId, Finding, Level, Note, Verdict
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.text.span import Span

CODE = CheckId("WC900")

SHOWN_PLACES = 5


def find(context: Context) -> Iterator[Finding]:
    """One finding per distinct reason."""
    places: dict[str, list[Span]] = {}
    found = [cause for cause in context.facts.unknowns if cause.kind is not CauseKind.ANALYSIS]
    for cause in (*context.kernel.unknowns, *found):
        if cause.kind is not CauseKind.DATA:
            span = cause.span or context.kernel.name_span
            known = places.setdefault(_sentence(cause), [])
            if span not in known:
                known.append(span)
    for reason, spans in places.items():
        more = [Note("here too", span) for span in spans[1:SHOWN_PLACES]]
        if len(spans) > SHOWN_PLACES:
            more.append(Note(f"and at {len(spans) - SHOWN_PLACES} more places"))
        yield Finding(CODE, Verdict.GAVE_UP, Level.INFORMATION, spans[0], reason, tuple(more))


def internal_error(place: Span, failure: str) -> Finding:
    """The finding for a kernel (or file) whose analysis failed through a bug of ours; `failure`: "ExceptionName: text"."""
    message = (
        f"not analysed: internal error in warpcost ({failure}); the rest is not affected; "
        "please report it with this text"
    )
    return Finding(CODE, Verdict.GAVE_UP, Level.INFORMATION, place, message)


def _sentence(cause: Cause) -> str:
    return f"not analysed: {cause.reason}"


CHECK = Check(CODE, "not-analysed", "a construct outside of the analysis, with its cause", Level.INFORMATION, find)
