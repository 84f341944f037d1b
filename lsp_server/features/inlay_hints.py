"""Remarks at the ends of lines: what an access, branch or loop loses, and on request what a kernel pays."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from analysis_core.report.findings.model import FileReport
from analysis_core.report.hints import LONGEST, hints
from analysis_core.report.statements import statement_start
from analysis_core.text.line_index import LineIndex
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span
from lsp_server.features.code_lens import lens_line, lens_places
from lsp_server.view import View

WIDTH = 100
"""Columns of a line with a kernel's hint; the hint may have LONGEST all the same, but is as short as can be where the code
alone is wider.  Editors break what is wider than their window."""


@dataclass(frozen=True, slots=True)
class Inlay:
    """`offset`: the end of the line where it stands; `about`: the byte of the text that was analysed whose card is its tooltip."""

    offset: int
    label: str
    about: int


def inlays(view: View, report: FileReport) -> Iterator[Inlay]:
    """The hints of the document; those of what was edited since it was analysed are left out."""
    path, text = view.document.path, view.known.index.data
    launches = (launch.profile for kernel in report.kernels for launch in kernel.launches)

    def statement(span: Span) -> tuple[str, int]:
        return span.file, statement_start(text, span.start) if span.file == path else span.start

    for hint in hints(launches, view.known.answer.settings, statement):
        if hint.span.file == path and view.is_whole(hint.span):
            yield Inlay(_line_end(view.document.index, view.now(hint.span)), hint.label, hint.span.start)


def kernel_inlays(view: View, report: FileReport, where: Callable[[Span], str], steps: bool) -> Iterator[Inlay]:
    """The code lens's text at the end of the line with the kernel's name, for editors that show no lenses: as much of it as
    fits beside the code."""
    path, index, settings = view.document.path, view.document.index, view.known.answer.settings
    for span in filter(view.is_whole, lens_places(path, report)):
        line = lens_line(path, report, settings, span.start, where, steps)
        if line is not None:
            end = _line_end(index, view.now(span))
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
