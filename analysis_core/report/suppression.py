"""`// warpcost: ignore[WC101]` on the line of a finding or on the line above silences that rule there.

Several codes are separated by commas; without brackets every rule is meant.  Comments are recognised by their text
(outside of string literals on the same line), so they work in files that the reader understands only in part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from analysis_core.report.checks.unused_suppression import CODE, unused
from analysis_core.report.model import Finding
from analysis_core.text.line_index import LineIndex
from analysis_core.text.span import FileId, Span

_COMMENT = re.compile(rb"//[ \t]*warpcost:[ \t]*ignore(?:\[([^\]\r\n]*)\])?")


@dataclass(frozen=True, slots=True)
class Suppression:
    """`line`, from 1, of the comment; `alone`: nothing else stands on that line, so the next line is meant too.
    `codes` empty: all rules."""

    line: int
    alone: bool
    codes: tuple[str, ...]
    span: Span

    def covers(self, code: str, line: int) -> bool:
        """Whether a finding of `code` on `line` is silenced."""
        if self.codes and code not in self.codes:
            return False
        return line == self.line or (self.alone and line == self.line + 1)


def suppressions_of(file: FileId, index: LineIndex) -> tuple[Suppression, ...]:
    """All suppression comments of a file, in order."""
    found = []
    for match in _COMMENT.finditer(index.data):
        line = index.line_of(match.start())
        before = index.data[index.line_range(line)[0] : match.start()]
        if before.count(b'"') % 2 == 1:
            continue
        codes = tuple(c.strip() for c in (match[1] or b"").decode("ascii", "replace").split(",") if c.strip())
        found.append(Suppression(line, not before.strip(), codes, Span(file, match.start(), match.end())))
    return tuple(found)


def apply(
    findings: Iterable[Finding], suppressions: tuple[Suppression, ...], index: LineIndex
) -> tuple[tuple[Finding, ...], frozenset[Suppression]]:
    """The findings that stay, and the suppressions that silenced one."""
    kept: list[Finding] = []
    used: set[Suppression] = set()
    for finding in findings:
        line = index.line_of(finding.span.start)
        hits = [s for s in suppressions if s.span.file == finding.span.file and s.covers(finding.check, line)]
        used.update(hits)
        if not hits:
            kept.append(finding)
    return tuple(kept), frozenset(used)


def unused_findings(
    suppressions: tuple[Suppression, ...], used: frozenset[Suppression], judged: Iterable[Span]
) -> tuple[Finding, ...]:
    """One finding per comment inside of a judged kernel's span that silenced nothing."""
    spans = tuple(judged)
    return tuple(
        unused(s.span, s.codes)
        for s in suppressions
        if s not in used and CODE not in s.codes and any(_inside(s.span, span) for span in spans)
    )


def _inside(inner: Span, outer: Span) -> bool:
    return inner.file == outer.file and outer.start <= inner.start and inner.end <= outer.end
