"""What kernels would pay with other block shapes, for their cards and as actions; found once nothing else is to be done (idle.py).

It takes about a second a kernel, so one kernel is looked at for each text: that which the user looks at, else the first one that is launched.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from analysis_core.report.block_shapes import BlockShapes
from analysis_core.text.records import dataclass
from lsp_server.idle import Idle

if TYPE_CHECKING:
    from analysis_core.report.findings.model import KernelReport
    from analysis_core.text.span import Span
    from lsp_server.analyse import Job
    from lsp_server.answers import Answer
    from lsp_server.documents import Document
    from lsp_server.view import Known


@dataclass(frozen=True, slots=True)
class _Known:
    """`shapes`: by the place of a kernel's name; None while it is looked at, or could not be."""

    revision: int
    shapes: Mapping[Span, BlockShapes | None]


_NOTHING = _Known(-1, {})


class Shapes:
    """By URI, what is known of the block shapes of its kernels."""

    def __init__(self, idle: Idle) -> None:
        self._idle = idle
        self._known: dict[str, _Known] = {}
        self._at: dict[str, Span] = {}  # what was looked at last

    def forget(self, uri: str) -> None:
        """Forgets a document that was closed."""
        self._known.pop(uri, None)
        self._at.pop(uri, None)
        self._idle.forget(uri)

    def look(self, document: Document, known: Known, job: Job, at: int | None) -> None:
        """Looks at the kernel around a byte (None, or where there is none: at the first one of the file), unless that was done for this text."""
        uri = document.uri
        before = self._known.get(uri, _NOTHING)
        shapes = before.shapes if before.revision == known.revision else {}
        told = {name: one for name, one in shapes.items() if one is not None or name == self._at.get(uri)}
        here = [one for one in known.answer.report.kernels if one.span.file == job.path and not one.failure]
        chosen = next((one for one in here if at is not None and one.span.contains(at)), None)
        if chosen is None and not told:
            chosen = next((one for one in here if not one.guessed), None)
        if chosen is None or chosen.name_span in told or known.revision != document.revision:
            return
        self._at[uri] = chosen.name_span
        self._known[uri] = _Known(known.revision, {**told, chosen.name_span: None})
        asked = replace(job, shapes=chosen.name_span)
        self._idle.look(uri, asked, lambda answer: self._told(uri, known.revision, chosen, answer))

    def of(self, uri: str, revision: int) -> tuple[BlockShapes, ...]:
        """What is known of this text."""
        known = self._known.get(uri, _NOTHING)
        return tuple(one for one in known.shapes.values() if one is not None) if known.revision == revision else ()

    def card(self, uri: str, revision: int, name: Span) -> str:
        """What stands below the card of the kernel with that name."""
        return "".join(f"\n{one.card}" for one in self.of(uri, revision) if one.name == name and one.card)

    def _told(self, uri: str, revision: int, kernel: KernelReport, answer: Answer | None) -> None:
        known = self._known.get(uri, _NOTHING)
        if known.revision == revision and answer is not None:
            self._known[uri] = _Known(revision, {**known.shapes, kernel.name_span: answer.shapes})
