"""Comments that silence rules: on the line of a finding, on the line above it, or for a whole file.

    a[i * n] = x;   // warpcost: ignore[WC101]        this line
    // warpcost: ignore[WC101, bank-conflict]         alone on its line: the next line of code
    // warpcost: ignore-file[WC301]                   every line of the file

Rules are named by code or by name; without brackets every rule is meant; what follows is a remark.  `/* .. */` does as
well, for macros.  Comments are recognised by their text (outside of string literals on the same line), so they work in
files that the reader understands only in part.

Each code has to have something to do: one that silences nothing is reported (WC902), and so is what cannot be understood,
at its own place: a rule that there is not, a code without brackets, another word after `warpcost:`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from analysis_core.report.checks.unused_suppression import CODE, misspelt, unused
from analysis_core.report.findings.model import Finding
from analysis_core.support.sources import Sources
from analysis_core.support.spelling import did_you_mean
from analysis_core.text.line_index import LineIndex
from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId, Span

_COMMENT = re.compile(rb"(?://|/\*)[ \t]*warpcost[ \t]*:[ \t]*([A-Za-z_-]*)(?:\[([^\]\r\n]*)(\]?)|[ \t]+(\w[\w-]*))?")
_WORDS = re.compile(rb"[^,\s](?:[^,]*[^,\s])?")
_NO_CODE = re.compile(rb"[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/[ \t]*)*(?://.*)?$")


@dataclass(frozen=True, slots=True)
class Suppression:
    """A comment that silences rules on `line` (from 1). `target`: the line of code that it is about, its own unless it
    stands alone; None for the whole file. No `codes`: all rules."""

    line: int
    target: int | None
    codes: tuple[str, ...]
    span: Span

    def covers(self, code: str, line: int) -> bool:
        """Whether a finding of `code` on `line` is silenced."""
        return (not self.codes or code in self.codes) and self.target in (None, line)


@dataclass(frozen=True, slots=True)
class Suppressions:
    """What the comments of a file say, and what is wrong with them."""

    comments: tuple[Suppression, ...] = ()
    wrong: tuple[Finding, ...] = ()


Used = frozenset[tuple[Suppression, str]]
"""Comments with the codes that had something to do."""


def suppressions_of(file: FileId, index: LineIndex) -> Suppressions:
    """All suppression comments of a file, in order."""
    found: list[Suppression] = []
    wrong: list[Finding] = []
    for match in _COMMENT.finditer(index.data):
        line = index.line_of(match.start())
        before = index.data[index.line_range(line)[0] : match.start()]
        if before.count(b'"') % 2 == 1:
            continue
        problem = _not_understood(match)
        if problem is not None:
            wrong.append(misspelt(Span(file, *problem[0]), problem[1]))
            continue
        codes, unknown = _codes(match, file)
        wrong += unknown
        if match[2] is not None and not codes:
            continue
        target = None if match[1] == b"ignore-file" else line if before.strip() else _next_code(line, index)
        end = match.end(1) if match[2] is None else match.end(3)
        found.append(Suppression(line, target, codes, Span(file, match.start(), end)))
    return Suppressions(tuple(found), tuple(wrong))


def _not_understood(match: re.Match[bytes]) -> tuple[tuple[int, int], str] | None:
    """The place and the name of what is no suppression, if it is none."""
    from analysis_core.report.checks.registry import rule_of

    word = match[1].decode("ascii")
    if word not in ("ignore", "ignore-file"):
        what = f"`{word}`" if word else "this"
        return match.span(1 if word else 0), f"{what} is not understood: `ignore[..]` or `ignore-file[..]` is expected"
    if match[2] is not None and not match[3]:
        return match.span(2), "a `]` is missing after these rules"
    if match[4] is not None and rule_of(match[4].decode("ascii", "replace")) is not None:
        rule = match[4].decode("ascii", "replace")
        return match.span(4), f"rules stand in brackets: `{word}[{rule}]`; without them every rule is meant"
    return None


def _codes(match: re.Match[bytes], file: FileId) -> tuple[tuple[str, ...], list[Finding]]:
    """The codes in the brackets, and a finding for each word there that names no rule."""
    codes: list[str] = []
    wrong: list[Finding] = []
    if match[2] is None:
        return (), wrong
    from analysis_core.report.checks.registry import RULE_WORDS, rule_of  # All rules, which few texts need here.

    for word in _WORDS.finditer(match[2]):
        text = word[0].decode("utf-8", "replace")
        rule = rule_of(text)
        if rule is not None:
            codes.append(rule.code)
        else:
            start = match.start(2)
            reason = f"unknown rule `{text}`{did_you_mean(text, RULE_WORDS)}"
            wrong.append(misspelt(Span(file, start + word.start(), start + word.end()), reason))
    if not codes and not wrong:
        wrong.append(misspelt(Span(file, match.start(), match.end()), "no rule stands in these brackets"))
    return tuple(dict.fromkeys(codes)), wrong


def _next_code(line: int, index: LineIndex) -> int:
    """The next line with more than comments on it."""
    following = line + 1
    while following < index.line_count and _NO_CODE.match(index.data[slice(*index.line_range(following))]):
        following += 1
    return following


def apply(
    findings: Iterable[Finding], suppressions: Suppressions, index: LineIndex
) -> tuple[tuple[Finding, ...], Used]:
    """The findings that stay, and the suppressions that silenced one, with what they silenced."""
    kept: list[Finding] = []
    used: set[tuple[Suppression, str]] = set()
    for finding in findings:
        line = index.line_of(finding.span.start)
        hits = [s for s in suppressions.comments if s.span.file == finding.span.file and s.covers(finding.check, line)]
        used.update((hit, finding.check) for hit in hits)
        if not hits:
            kept.append(finding)
    return tuple(kept), frozenset(used)


def suppressions_in(path: str, findings: Iterable[Finding], sources: Sources) -> dict[FileId, Suppressions]:
    """Suppression comments of the file and of every header in which something was found."""
    places = {FileId(path), *(finding.span.file for finding in findings)}
    return {file: suppressions_of(file, sources.index(file)) for file in places}


def applied(
    findings: tuple[Finding, ...], suppressions: dict[FileId, Suppressions], sources: Sources
) -> tuple[tuple[Finding, ...], Used]:
    """As `apply`, for findings of several files."""
    kept: list[Finding] = []
    used: Used = frozenset()
    for finding in findings:
        file = finding.span.file
        stays, hit = apply((finding,), suppressions[file], sources.index(file))
        kept += stays
        used |= hit
    return tuple(kept), used


def unused_findings(suppressions: Suppressions, used: Used, judged: Iterable[Span]) -> tuple[Finding, ...]:
    """One finding per comment that has codes without anything to do, where that can be told: inside of kernels that were
    judged, and for the whole of a file that has some."""
    spans = tuple(judged)
    found = []
    for comment in suppressions.comments:
        told = any(_inside(comment.span, span) for span in spans) if comment.target is not None else bool(spans)
        if not told or CODE in comment.codes:
            continue
        idle = tuple(code for code in comment.codes if (comment, code) not in used)
        if idle or not any(comment == silencer for silencer, _ in used):
            found.append(unused(comment.span, idle, in_file=comment.target is None))
    return tuple(found)


def _inside(inner: Span, outer: Span) -> bool:
    return inner.file == outer.file and outer.start <= inner.start and inner.end <= outer.end
