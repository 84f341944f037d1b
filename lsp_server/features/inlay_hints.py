"""Remarks at the ends of lines: what an access, branch or loop loses, and on request what a kernel pays."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from analysis_core.report.findings.model import FileReport
from analysis_core.report.hints import LONGEST, hints
from analysis_core.report.statements import statement_start
from analysis_core.support.settings import Settings
from analysis_core.text.line_index import LineIndex
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span
from lsp_server.features.code_lens import lens_line, lens_places

WIDTH = 100
"""Columns of a line with a kernel's hint; the hint may have LONGEST all the same, but is as short as can be where the code
alone is wider.  Editors break what is wider than their window."""


@dataclass(frozen=True, slots=True)
class Inlay:
    """`offset`: the end of the line where it stands; `about`: the byte whose card is its tooltip."""

    offset: int
    label: str
    about: int


def inlays(
    path: str, report: FileReport, settings: Settings, index: LineIndex, first: int, last: int
) -> tuple[Inlay, ...]:
    """The hints of the document that stand between two bytes."""
    launches = (launch.profile for kernel in report.kernels for launch in kernel.launches)

    def statement(span: Span) -> tuple[str, int]:
        return span.file, statement_start(index.data, span.start) if span.file == path else span.start

    found = (hint for hint in hints(launches, settings, statement) if hint.span.file == path)
    made = (Inlay(_line_end(index, hint.span), hint.label, hint.span.start) for hint in found)
    return tuple(inlay for inlay in made if first <= inlay.offset <= last)


def kernel_inlays(
    path: str, report: FileReport, settings: Settings, index: LineIndex, where: Callable[[Span], str], steps: bool
) -> Iterator[Inlay]:
    """The code lens's text at the end of the line with the kernel's name, for editors that show no lenses: as much of it as
    fits beside the code."""
    for span in lens_places(path, report):
        line = lens_line(path, report, settings, span.start, where, steps)
        if line is not None:
            end = _line_end(index, span)
            spellings = (line.title, *line.shorter)
            left = WIDTH - _width(index, end)
            room = max(LONGEST, left) if left > 0 else 0
            yield Inlay(end, next((text for text in spellings if len(text) <= room), spellings[-1]), span.start)


def _width(index: LineIndex, end: int) -> int:
    """How many columns a line takes up to a byte, with the space before a hint."""
    start, _ = index.line_range(index.line_of(max(0, end - 1)))
    return len(index.data[start:end].decode(errors="replace").expandtabs()) + 1


def _line_end(index: LineIndex, span: Span) -> int:
    """The end of the last line of a place, before the white space and the line break that close it."""
    start, end = index.line_range(index.line_of(max(span.start, min(span.end, len(index.data)) - 1)))
    return start + len(index.data[start:end].rstrip())
