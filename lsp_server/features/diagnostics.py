"""Findings of a report as what an editor underlines, still in byte offsets."""

from __future__ import annotations

from dataclasses import replace

from analysis_core.report.findings.model import FileReport, Finding, Level
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

UNNECESSARY = frozenset({"WC902"})
"""Rules about text that may be deleted: editors fade it out."""


@dataclass(frozen=True, slots=True)
class Squiggle:
    """One underlined place; `related` are further places with a remark each."""

    code: str
    level: Level
    span: Span
    message: str
    related: tuple[tuple[Span, str], ...]
    unnecessary: bool


NOT_ANALYSED = "WC900"


def squiggles(path: str, report: FileReport) -> tuple[Squiggle, ...]:
    """The findings that lie in the document itself; those in headers appear when the header is opened.  What is not analysed is
    one row: where it is first, with the other places behind."""
    found = [_squiggle(finding) for finding in report.findings if finding.span.file == path]
    unread = [one for one in found if one.code == NOT_ANALYSED and one.level is Level.INFORMATION]
    if len(unread) < 2:
        return tuple(found)
    first, *others = sorted(unread, key=lambda one: one.span.start)
    more = tuple((one.span, one.message) for one in others)
    text = f"{first.message}\nand {len(more)} more place{'s' * (len(more) > 1)} of this file"
    whole = replace(first, message=text, related=(*first.related, *more))
    return tuple(whole if one is first else one for one in found if one is first or one not in others)


def _squiggle(finding: Finding) -> Squiggle:
    remarks = [note.message for note in finding.notes if note.span is None]
    related = tuple((note.span, note.message) for note in finding.notes if note.span is not None)
    message = "\n".join((finding.message, *remarks))
    return Squiggle(finding.check, finding.level, finding.span, message, related, finding.check in UNNECESSARY)
