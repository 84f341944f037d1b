"""What is shown of a kernel's other block shapes: made by the advisor (advice/card.py), which knows nothing of editors."""

from __future__ import annotations

from analysis_core.report.findings.model import Edit
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


@dataclass(frozen=True, slots=True)
class OfferedShape:
    """A shape that can be had by these edits.  `refused`: why it is not to be had, None if it is."""

    title: str
    edits: tuple[Edit, ...]
    refused: str | None = None


@dataclass(frozen=True, slots=True)
class BlockShapes:
    """`name`, `launch`: where the kernel is named and launched; `card`: a part of the kernel's card, in Markdown; `offers`: the best first."""

    name: Span
    launch: Span | None
    card: str
    offers: tuple[OfferedShape, ...] = ()
