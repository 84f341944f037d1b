"""What a reader sees of branches and of the places of bounds: conditions as spelled, heads of statements, lines.

The analysis knows offsets and no text, so these are put in where the text is known, once per launch.  The head of a branch is what one would point at:
`if (i < n)`, `for (int i = 0; i < n; i++)`; the body is not part of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analysis_core.expressions.bounds import MetricBound
from analysis_core.expressions.metric import Metric
from analysis_core.ir.nodes import IfKind, LoopKind
from analysis_core.profile.access_profile import KernelProfile
from analysis_core.report.findings.model import Finding, Note
from analysis_core.report.line_costs import by_line, one_line
from analysis_core.requests.facts import BranchFact, Spelled
from analysis_core.support.sources import Sources
from analysis_core.support.spelling import in_a_row
from analysis_core.text.span import Span

SHOWN_LINES = 8
"""Lines that a remark about several places lists."""

_FARTHEST = 400
"""Bytes after the condition within which the closing parenthesis of the head is sought."""


def with_texts(profile: KernelProfile, sources: Sources) -> KernelProfile:
    """The profile with the texts of all branches and of the places of bounds filled in."""
    branches = tuple(replace(one, fact=_with_text(one.fact, sources)) for one in profile.branches)
    facts = replace(profile.facts, branches=tuple(one.fact for one in branches))
    if facts.bounds is not None:
        metrics = {name: _with_place_texts(bound, sources) for name, bound in facts.bounds.metrics.items()}
        facts = replace(facts, bounds=replace(facts.bounds, metrics=metrics))
    return replace(profile, facts=facts, branches=branches)


def with_lines(finding: Finding, sources: Sources) -> Finding:
    """The finding whose remarks about several places say their lines: "same pattern at lines 97, 106 and 108"."""
    notes = tuple(
        Note(f"{note.message} {_lines(note.places, sources)}", note.span) if note.places else note
        for note in finding.notes
    )
    return finding if notes == finding.notes else replace(finding, notes=notes)


def _lines(places: Sequence[Span], sources: Sources) -> str:
    lines = list(dict.fromkeys(str(sources.line(place)) for place in places))
    more = len(lines) - SHOWN_LINES
    said = [*lines[:SHOWN_LINES], f"{more} more"] if more > 1 else lines
    return f"at line{'s' * (len(said) > 1)} {in_a_row(said)}"


def _with_text(branch: BranchFact, sources: Sources) -> BranchFact:
    return replace(branch, spelled=Spelled(one_line(sources.text(branch.span)), _head(branch, sources)))


def _head(branch: BranchFact, sources: Sources) -> Span:
    """From the keyword to the closing parenthesis; the condition alone where the text has no such shape (a macro), or
    where a reader would not look for more (`&&`, `?:`, the end of a do loop)."""
    span, whole = branch.span, branch.whole
    plain = branch.kind in (IfKind.IF, LoopKind.FOR, LoopKind.WHILE, "switch")
    if whole is None or not plain or whole.file != span.file or not whole.start <= span.start <= span.end <= whole.end:
        return span
    data = sources.index(span.file).data
    before = data[whole.start : span.start]
    closing = _closing(data[span.end : min(whole.end, span.end + _FARTHEST)])
    if b"(" not in before or b"{" in before or closing is None:
        return span
    return Span(span.file, whole.start, span.end + closing)


def _closing(data: bytes) -> int | None:
    """The offset after the first `)` that closes nothing opened in `data`; None if there is none before a brace."""
    depth = 0
    for offset, byte in enumerate(data):
        if byte == ord("("):
            depth += 1
        elif byte == ord(")"):
            if not depth:
                return offset + 1
            depth -= 1
        elif byte in b"{}":
            return None
    return None


def _with_place_texts(bound: MetricBound, sources: Sources) -> MetricBound:
    places = bound.places
    if bound.metric == Metric.STEPS.value:
        places = by_line(places, sources)
    elif bound.metric == Metric.DIVERGENCES.value:
        places = tuple(replace(place, text=one_line(sources.text(place.span))) for place in places)
    else:
        named = tuple(place for place in places if place.text)
        places = (*named, *by_line((place for place in places if not place.text), sources))
    return replace(bound, places=places)
