"""What makes a finding the same finding after an edit somewhere else: a name for it that survives shifted lines.

A fingerprint is a hash of the rule, the kernel around the place, the text of the line and of the subject there (without
white space and without a remark at the line's end), and the number of the finding among those that agree in all of that.
Line numbers, figures and shares are not in it: they change with code that stands elsewhere.  The path is kept beside it, so
that a file may be moved by whoever reads fingerprints.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from analysis_core.report.findings.model import FileReport, Finding
from analysis_core.support.sources import Sources
from analysis_core.text.span import Span

DIGITS = 16

_BLANK = re.compile(r"\s+")
_REMARK = re.compile(r"//.*$")

Place = tuple[Span, str, str]
"""What tells findings of one report apart: span, code, subject."""


def place_of(finding: Finding) -> Place:
    """The place of a finding, as `fingerprints` names it."""
    return finding.span, finding.check, finding.subject


def fingerprints(report: FileReport, sources: Sources) -> Mapping[Place, str]:
    """The fingerprint of every finding of a report, by its place."""
    seen: Counter[tuple[str, ...]] = Counter()
    found: dict[Place, str] = {}
    for place in sorted(set(map(place_of, _everything(report)))):
        span, code, subject = place
        traits = (code, span.file, kernel_around(span, report), _line(span, sources), _BLANK.sub("", subject))
        # The file tells places apart here, but is not hashed: two headers may hold the same line.
        found[place] = _hash((traits[0], *traits[2:], str(seen[traits])))
        seen[traits] += 1
    return found


def kernel_around(span: Span, report: FileReport) -> str:
    """The name of the kernel whose text holds a place; "" outside of kernels."""
    around = (k for k in report.kernels if k.span.file == span.file and k.span.start <= span.start < k.span.end)
    return next((kernel.name for kernel in around), "")


def _everything(report: FileReport) -> Iterator[Finding]:
    yield from report.findings
    for kernel in report.kernels:
        yield from kernel.findings


def _line(span: Span, sources: Sources) -> str:
    index = sources.index(span.file)
    return _BLANK.sub("", _REMARK.sub("", index.line_text(index.line_of(span.start))))


def _hash(traits: Iterable[str]) -> str:
    text = json.dumps(list(traits))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:DIGITS]
