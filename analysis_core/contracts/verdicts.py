"""What is said of a cost contract (`//@ expect`).

HOLDS      a certified bound keeps it for all launches that the assumptions allow
VIOLATED   a simulated run has broken it
NOT_SHOWN  neither, with what prevents it
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum

from analysis_core.expressions.expression import Expression
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


class Standing(Enum):
    """From the loudest to the quietest."""

    VIOLATED = "violated"
    NOT_SHOWN = "not shown"
    HOLDS = "holds"

    @property
    def rank(self) -> int:
        """0 for the loudest."""
        return list(Standing).index(self)


@dataclass(frozen=True, slots=True)
class Broken:
    """A run that breaks a contract: the integers that were passed, the grid, what was `paid` where `stated` was expected, and by whom: the `block`
    and the number of the `warp` in it, as far as the scope names them."""

    values: Mapping[str, int]
    grid: tuple[int, int, int]
    paid: int
    stated: int
    block: tuple[int, int, int] | None = None
    warp: int | None = None


@dataclass(frozen=True, slots=True)
class Contracted:
    """One contract under one launch: `text` as it is written, `span` of the annotation, `place` of the statement that it is about (None: the kernel).

    `upper`, `lower`: the certified bounds that it was held against, None where there is none or they were not asked for.  `cause`: why it is not
    shown, `because`: where that lies.  `assumptions`: what the bounds rest on beside what all facts of the kernel do."""

    metric: str
    scope: str
    text: str
    span: Span
    place: Span | None
    standing: Standing
    upper: Expression | None = None
    lower: Expression | None = None
    when: str = ""
    cause: str = ""
    because: Span | None = None
    broken: Broken | None = None
    assumptions: tuple[str, ...] = field(default=())
