"""Other block shapes as actions: launch, macros and `__launch_bounds__` edited together, and the command that shows all of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from analysis_core.report.block_shapes import BlockShapes
from analysis_core.report.findings.model import FileReport
from analysis_core.text.line_index import LineIndex
from analysis_core.text.span import Span
from lsp_server.features.code_actions import Action

COMPARE = "warpcost.openShapes"
"""A command of clients: the table of a kernel's block shapes [uri, line from 1]."""


def shape_actions(
    path: str,
    report: FileReport,
    index: LineIndex,
    first: int,
    last: int,
    known: Sequence[BlockShapes],
    uri: str,
    commands: Collection[str],
) -> Iterator[Action]:
    """Those for a selection on a kernel's name, or on one of its launches.  `known`: the shapes that were found for this text."""

    def is_at(span: Span | None) -> bool:
        return span is not None and span.file == path and span.start <= last and first <= span.end

    for shapes in known:
        if is_at(shapes.name) or is_at(shapes.launch):
            for offer in shapes.offers:
                if all(edit.span.file == path for edit in offer.edits):
                    yield Action(offer.title, offer.edits if offer.refused is None else (), refused=offer.refused)
    for name in dict.fromkeys(one.name_span for one in report.kernels if not one.guessed):
        if is_at(name) and COMPARE in commands:
            yield Action("Compare block shapes", command=(COMPARE, (uri, index.line_of(name.start))))
