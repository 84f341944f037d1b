"""Findings as text: the place and the message, the source line with carets, the lanes, related places.

a.cu:7:5: warning[WC101] uncoalesced-access: Uncoalesced load from `a`: each warp touches 32 sectors ..
      out[x*h + y] = v;
      ^^^^^^^^^^^^
      lane     0        8        16       24     31
      sector   ABCDEFGH IJKLMNOP QRSTUVWX YZabcdef
  note: a.cu:5:9: `x` follows threadIdx.x

After a file's findings, one line per kernel says what its most expensive warp pays.  On a terminal lines are wrapped at
words, and source lines cut, so that they keep within its columns; elsewhere a finding's first line stays one line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from analysis_core.cli.runner_commands import no_command
from analysis_core.cli.terminal import TAB, Style, printable, width
from analysis_core.profile.access_profile import AccessProfile
from analysis_core.report.checks.registry import name_of
from analysis_core.report.findings.model import FileReport, Finding, KernelReport
from analysis_core.report.kernel_line import kernel_text
from analysis_core.report.picture import picture_lines
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from analysis_core.syntax.lex.left_out_kernels import said
from analysis_core.text.line_index import LineIndex
from analysis_core.text.span import Span

_INDENT = "      "
_LONGEST = 110
"""Columns of source shown; longer lines are cut around the span."""
_NARROWEST = 40


def render_file(report: FileReport, sources: Sources, style: Style, settings: Settings) -> str:
    """All findings of a file, each followed by a blank line, and a line for each kernel with bounds; "" if there is
    neither."""
    findings = (finding_text(finding, report, sources, style) for finding in report.findings)
    return "".join(findings) + kernels_text(report, sources, style, settings)


def finding_text(finding: Finding, report: FileReport, sources: Sources, style: Style) -> str:
    """One finding, and a blank line."""
    return "\n".join(map(no_command, _finding(finding, report, sources, style))) + "\n\n"


def kernels_text(report: FileReport, sources: Sources, style: Style, settings: Settings) -> str:
    """A line for each kernel with bounds, and for those that conditionals leave out, and a blank line; "" without any."""
    lines = [line for kernel in report.kernels for line in _kernel(kernel, sources, style, settings)]
    lines += [printable(f"{report.path}: not read: {sentence}") for sentence in said(report.left_out)]
    return "\n".join([*map(no_command, lines), "\n"]) if lines else ""


def _finding(finding: Finding, report: FileReport, sources: Sources, style: Style) -> Iterator[str]:
    level, place = f"{finding.level.value}[{finding.check}]", place_text(finding.span, sources)
    head = f"{place}: {level} {name_of(finding.check)}:"
    first, *more = style.wrapped(f"{head} {printable(finding.message)}", _INDENT)
    yield first.replace(place, style.bold(place), 1).replace(level, style.level(finding.level.value, level), 1)
    yield from more
    shown = sources.is_shown(finding.span.file)
    lines = source_lines(finding.span, sources.index(finding.span.file), _room(style)) if shown else ()
    for number, line in enumerate(lines):
        yield (_INDENT + (style.mark(line) if number == 1 else line)).rstrip()
    if (access := access_of(finding, report)) is not None:
        for line in picture_lines(access.fact):
            # The lanes are columns, the rest is prose.
            is_lanes = line.startswith(("lane ", "sector ", "bank "))
            rows = [_INDENT + line] if is_lanes else style.wrapped(_INDENT + line, _INDENT)
            yield from map(style.dim, rows)
    for note in finding.notes:
        at = f"{place_text(note.span, sources)}: " if note.span is not None else ""
        yield from style.wrapped(f"  note: {at}{printable(note.message)}", _INDENT)
    for fix in finding.fixes:
        yield from style.wrapped(f"  fix: {printable(fix.title)}", _INDENT)


def _room(style: Style) -> int:
    """Columns for a source line."""
    return _LONGEST if style.columns is None else max(_NARROWEST, min(_LONGEST, style.columns - len(_INDENT)))


def _kernel(kernel: KernelReport, sources: Sources, style: Style, settings: Settings) -> Iterator[str]:
    """ "a.cu:4:17: transpose: 32 sectors (ideal), 124 bank conflicts, no splits per warp; ..": nothing without bounds."""
    text = kernel_text(kernel, settings)
    if text is not None:
        name, place = printable(kernel.instantiation or kernel.name), place_text(kernel.name_span, sources)
        first, *more = style.wrapped(f"{place}: {name}: {printable(text)}", _INDENT)
        yield first.replace(place, style.bold(place), 1)
        yield from more


def place_text(span: Span, sources: Sources) -> str:
    """ "path:line:column", counted from 1, columns in bytes."""
    line, column = sources.position(span)
    return f"{printable(span.file)}:{line}:{column}"


def access_of(finding: Finding, report: FileReport) -> AccessProfile | None:
    """The access that a finding is about, as the compiled kernel makes it: among those at its place, in all kernels
    and launches, one with the cost that is told, else the worst."""
    if finding.share is None:
        return None
    here = [
        access.made
        for kernel in report.kernels
        for launch in kernel.launches
        for access in launch.profile.accesses
        if access.fact.span == finding.span and access.fact.text == finding.subject
    ]
    return max(here, key=lambda access: (access.fact.worst == finding.worst, access.fact.worst), default=None)


def source_lines(span: Span, index: LineIndex, longest: int = _LONGEST) -> tuple[str, ...]:
    """The source line and a line of carets below the span's part on it; nothing for a span outside of the text."""
    if span.start > len(index.data) or (span.start == span.end == 0):
        return ()
    line = index.line_of(span.start)
    start, end = index.line_range(line)
    first, last = min(span.start, end), min(max(span.end, span.start + 1), end)
    before, marked, after = (
        _decoded(index.data[a:b]) for a, b in ((start, first), (first, max(first, last)), (max(first, last), end))
    )
    before = before.expandtabs(TAB)
    stop = before + marked
    marked = stop.expandtabs(TAB)[len(before) :]
    after = after.expandtabs(TAB)
    stripped = len(before) - len(before.lstrip())
    before = before[stripped:]
    before, marked, after = _cut(before, marked, after, longest)
    carets = " " * width(before) + "^" * max(1, width(marked))
    return before + marked + after, carets


def _cut(before: str, marked: str, after: str, longest: int) -> tuple[str, str, str]:
    """At most `longest` characters: first what stands before the span goes, then what stands after it."""
    if len(before) + len(marked) + len(after) <= longest:
        return before, marked, after
    marked = marked if len(marked) <= longest - 20 else marked[: longest - 23] + "..."
    room = longest - len(marked)
    if len(before) > room // 2 and len(before) + len(marked) > longest - 20:
        before = "..." + before[len(before) - max(0, room // 2 - 3) :]
    room = max(3, room - len(before))
    after = after if len(after) <= room else after[: room - 3] + "..."
    return before, marked, after


def _decoded(data: bytes) -> str:
    return printable(data.decode("utf-8", "surrogateescape"))


def summary(findings: Iterable[str], files: int, kernels: int) -> str:
    """ "3 warnings, 1 information in 12 kernels of 4 files"."""
    levels = list(findings)
    parts = [
        f"{count} {level}{'s' if count != 1 and level != 'information' else ''}"
        for level in ("error", "warning", "information", "hint")
        if (count := levels.count(level))
    ]
    what = ", ".join(parts) or "no findings"
    return f"{what} in {_count(kernels, 'kernel')} of {_count(files, 'file')}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'s' if number != 1 else ''}"
