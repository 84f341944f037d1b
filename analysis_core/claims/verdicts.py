"""What is said of a claim of an annotation (`assert`, `ensures`, `requires`).

PROVED     it holds for every thread that comes there, whatever parameters and memory hold, as far as the assumptions go
REFUTED    a simulated run has broken it; or a launch in view passes what `requires` forbids
UNDECIDED  neither, with the cause
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum

from analysis_core.races.verdicts import Thread
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


class Standing(Enum):
    """From the loudest to the quietest."""

    REFUTED = "refuted"
    UNDECIDED = "undecided"
    PROVED = "proved"

    @property
    def rank(self) -> int:
        """0 for the loudest."""
        return list(Standing).index(self)


@dataclass(frozen=True, slots=True)
class Judged:
    """One claim under one launch: `word` "assert", "ensures" or "requires", `text` of its condition, `span` of the annotation.

    `how`: what a proof rests on beside the assumptions of the launch; `cause`: why it is undecided, `place`: where that lies.  `thread` and `values` of
    parameters and the grid: those that break it."""

    word: str
    text: str
    span: Span
    standing: Standing
    how: str = ""
    cause: str = ""
    place: Span | None = None
    thread: Thread | None = None
    values: Mapping[str, int] = field(default_factory=dict)
