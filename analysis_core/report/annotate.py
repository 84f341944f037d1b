"""Edits that insert an annotation where it would help: above a loop, or above a kernel, at the indentation found there.

Nothing is offered where a comment line would change the meaning of the text: within a macro, or where another loop begins
before on the same line (the annotation is about the next loop).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analysis_core.expressions.bounds import CAP
from analysis_core.report.findings.figures import withheld
from analysis_core.report.findings.model import Edit, KernelReport
from analysis_core.text.line_index import LineIndex
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_LOOP = re.compile(rb"\b(for|while|do)\b")


@dataclass(frozen=True, slots=True)
class Proposal:
    """An annotation that may give a bound, or a better one.  `place`: what it is about; `edit` inserts it.  `metrics`: those
    without a bound now, for which it has to be tried whether they have one afterwards (checked_fixes.py)."""

    title: str
    place: Span
    edit: Edit
    metrics: tuple[str, ...] = ()


def proposals(kernel: KernelReport, index: LineIndex) -> Iterator[Proposal]:
    """What a user could state about a kernel in the text of `index`, each once."""
    seen: set[tuple[int, str]] = set()
    for annotation, place, title, metrics in _wanted(kernel):
        on_loop = annotation.startswith("//@ loop_bound")
        edit = annotation_edit(annotation, place if on_loop else kernel.span, index, on_loop)
        if edit is not None and place.file == kernel.span.file and (edit.span.start, annotation) not in seen:
            seen.add((edit.span.start, annotation))
            yield Proposal(title, place, edit, metrics)


def _wanted(kernel: KernelReport) -> Iterator[tuple[str, Span, str, tuple[str, ...]]]:
    """Annotations with the place that they are about, what to call them, and the metrics that lack a bound."""
    for launch in kernel.launches:
        for reason, metrics in withheld(launch.facts).items():
            if reason.annotation is not None:
                title = f"Insert `{reason.annotation}`: a bound on {', '.join(metrics)}"
                yield reason.annotation, reason.span or kernel.name_span, title, tuple(metrics)
        for info in launch.facts.symbols:
            if info.kind == "trip" and info.span is not None:
                yield CAP, info.span, f"Insert `{CAP}`: cap the iterations {info.source} of this loop", ()


def annotation_edit(annotation: str, place: Span, index: LineIndex, on_loop: bool) -> Edit | None:
    """The edit that puts the annotation on a line of its own above the place; None where it cannot stand."""
    data = index.data
    if place.end > len(data):
        return None
    line = index.line_of(place.start)
    start, end = index.line_range(line)
    above = data[slice(*index.line_range(line - 1))] if line > 1 else b""
    if data[start:end].rstrip().endswith(b"\\") or above.rstrip().endswith(b"\\"):
        return None
    before = data[start : place.start]
    if before.lstrip().startswith(b"#") or annotation.encode() in above:
        return None
    if on_loop and (_LOOP.search(before) or not _LOOP.match(data, place.start)):
        return None
    indent = data[start : start + len(before) - len(before.lstrip())].decode("utf-8", "replace")
    newline = "\r\n" if data[end : end + 2] == b"\r\n" else "\n"
    return Edit(Span(place.file, start, start), f"{indent}{annotation}{newline}")
