"""WC900 not-analysed: constructs in a kernel are outside of the analysis, so figures leave them out.

One finding per kernel, at the first of their places; alike reasons are put together ("the type `A` (also `B`, `C`) is not
declared ..") and the others named after it, with places as notes.  What depends on memory contents is no such construct:
it is analysed, and its cost says "up to".  A missing include alone is silent; a name that it should have declared is not,
because what is done with it is missing from every figure.  A bound that is missing is told where an annotation would give
it (and among the notes, where there is a finding anyway).  A budget that ran out is WC904.  Also the form in which a
bug of warpcost itself reaches the user, without taking the other kernels along.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from analysis_core.profile.kernel_context import Context
from analysis_core.report.findings.check import Check
from analysis_core.report.findings.figures import withheld
from analysis_core.report.findings.model import CheckId, FileReport, Finding, Level, Note, Verdict
from analysis_core.report.findings.wording import sentences
from analysis_core.support.facts import CUT, Cause, CauseKind
from analysis_core.syntax.lex.conditional import UNCLOSED_IF
from analysis_core.text.span import FileId, Span

CODE = CheckId("WC900")

SHOWN_REASONS = 3
SHOWN_NAMES = 3
SHOWN_PLACES = 5

_KERNEL = b"__global__"
_NAME = re.compile(r"`[^`]*`|'[^']*'")


def find(context: Context) -> Iterator[Finding]:
    """At most one finding per kernel."""
    kernel = context.kernel
    found = [cause for cause in context.facts.unknowns if cause.kind is not CauseKind.ANALYSIS]
    causes = [cause for cause in dict.fromkeys((*kernel.unknowns, *found)) if cause.kind is not CauseKind.DATA]
    if not causes:
        yield from _without_bound(context)
        return
    alike = _alike(causes)
    groups = tuple(group for said, group in alike.items() if not _follows(said)) or tuple(alike.values())
    spans = tuple(dict.fromkeys(cause.span or kernel.name_span for group in groups for cause in group))
    first = next((span for span in spans if _inside(span, kernel.span)), kernel.name_span)
    message = "; ".join(_sentence(group) for group in groups[:SHOWN_REASONS])
    if len(groups) > SHOWN_REASONS:
        more = len(groups) - SHOWN_REASONS
        message += f"; and {more} more reason{'s' if more > 1 else ''}"
    said = message if message.startswith(CUT) else f"not analysed: {message}"
    message = sentences(said, "all costs of this kernel exclude it")
    notes = (*_notes(groups, first), *(note for note, _ in _missing_bounds(context)))
    yield Finding(CODE, Verdict.GAVE_UP, Level.INFORMATION, first, message, notes)


def _without_bound(context: Context) -> Iterator[Finding]:
    """Where an annotation would give a bound: what prevents it.  Without such an annotation there is nothing to do about
    it, and the kernel's card alone says so."""
    found = [(note, annotation) for note, annotation in _missing_bounds(context) if annotation is not None]
    if found:
        (first, annotation), *more = found
        span = context.kernel.name_span
        notes = (Note(f"{first.message}: `{annotation}` would help", first.span), *(note for note, _ in more))
        yield Finding(CODE, Verdict.GAVE_UP, Level.INFORMATION, span, first.message, notes)


def _missing_bounds(context: Context) -> list[tuple[Note, str | None]]:
    """What prevents bounds, where, and the annotation that would help."""
    return [
        (Note(f"no bound on {', '.join(metrics)}: {reason.text}", reason.span), reason.annotation)
        for reason, metrics in withheld(context.facts).items()
    ]


def internal_error(place: Span, failure: str) -> Finding:
    """The finding for a kernel (or file) whose analysis failed through a bug of ours; `failure`: "ExceptionName: text"."""
    message = f"internal error in warpcost ({failure}); the rest is not affected; please report it with this text"
    return Finding(CODE, Verdict.GAVE_UP, Level.INFORMATION, place, message)


def unreadable(path: str, failure: str) -> FileReport:
    """The report of a file of which nothing is known through a bug of ours."""
    place = Span(FileId(path), 0, 0)
    cause = Cause(CauseKind.READER, f"internal error in warpcost ({failure})", place)
    return FileReport(path, (), (internal_error(place, failure),), problems=(cause,), failure=failure)


def not_read(path: str, problems: Iterable[Cause], text: bytes, kernels: Sequence[Span]) -> Iterator[Finding]:
    """What is said of a file that was not read at all, and of text that was not and hides a kernel: a list of kernels that is
    too short must not look like a clean file.  `kernels`: those that were found in the text."""
    whole = Span(FileId(path), 0, 0)
    found = sorted((kernel.start, kernel.end) for kernel in kernels if kernel.file == whole.file)
    said: set[int] = set()
    for problem in problems:
        span = problem.span
        if span == whole:
            yield Finding(CODE, Verdict.GAVE_UP, Level.INFORMATION, whole, f"not analysed: {problem.reason}")
        elif span is not None and span.file == whole.file:
            lost = set(_lost_kernels(text, problem, span, found)) - said
            said |= lost
            if lost:
                place = Span(span.file, min(lost), min(lost) + len(_KERNEL))
                yield Finding(CODE, Verdict.GAVE_UP, Level.INFORMATION, place, f"kernel not analysed: {problem.reason}")


def _lost_kernels(text: bytes, problem: Cause, span: Span, found: Sequence[tuple[int, int]]) -> Iterator[int]:
    """Where kernels begin, in the lines of a problem, that were not found.  An `#if` without end takes all that follows."""
    start = text.rfind(b"\n", 0, span.start) + 1
    end = len(text) if problem.reason == UNCLOSED_IF else max(span.end, text.find(b"\n", max(span.start, span.end - 1)))
    at = text.find(_KERNEL, start, end)
    while at >= 0:
        after = bisect_right(found, (at, len(text)))
        if after == 0 or found[after - 1][1] <= at:
            yield at
        at = text.find(_KERNEL, at + 1, end)


def _alike(causes: Iterable[Cause]) -> dict[str, list[Cause]]:
    """Causes by what they say apart from the names in it."""
    groups: dict[str, list[Cause]] = {}
    for cause in causes:
        groups.setdefault(_NAME.sub("`", cause.reason), []).append(cause)
    return groups


def _follows(said: str) -> bool:
    """Whether a reason only repeats that another one left something unknown."""
    return said.endswith(": its type is not known") or said.startswith("result of ")


def _sentence(group: list[Cause]) -> str:
    """ "the type `A` (also `B`, `C` and 4 more) is not declared in this file or its includes"."""
    reason = group[0].reason
    names = dict.fromkeys(match[0] for cause in group if (match := _NAME.search(cause.reason)) is not None)
    place = _NAME.search(reason)
    if place is None or len(names) < 2:
        return f"{reason} ({len(group)} places)" if len(group) > 1 else reason
    others = [name for name in names if name != place[0]]
    listed = ", ".join(others[:SHOWN_NAMES])
    more = f" and {len(others) - SHOWN_NAMES} more" if len(others) > SHOWN_NAMES else ""
    return f"{reason[: place.end()]} (also {listed}{more}){reason[place.end() :]}"


def _notes(groups: tuple[list[Cause], ...], first: Span) -> tuple[Note, ...]:
    """Where else: a place of each reason first, then further ones."""
    in_turn = sorted(
        ((number, cause) for group in groups for number, cause in enumerate(group)), key=lambda pair: pair[0]
    )
    places = {cause.span: cause for _, cause in reversed(in_turn) if cause.span is not None and cause.span != first}
    notes = [Note(cause.reason, span) for span, cause in reversed(places.items())]
    if len(notes) <= SHOWN_PLACES:
        return tuple(notes)
    return (*notes[:SHOWN_PLACES], Note(f"and at {len(notes) - SHOWN_PLACES} more places"))


def _inside(inner: Span, outer: Span) -> bool:
    return inner.file == outer.file and outer.start <= inner.start and inner.end <= outer.end


CHECK = Check(CODE, "not-analysed", "a construct outside of the analysis, with its cause", Level.INFORMATION, find)
