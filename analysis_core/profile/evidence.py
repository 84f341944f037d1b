"""What a guess about a program is: how much, and how well it is founded."""

from __future__ import annotations

from enum import IntEnum

from analysis_core.expressions.expression import Expression
from analysis_core.text.records import dataclass


class Evidence(IntEnum):
    """How well a guess is founded, from the least to the most: only what is usual; a name in the text; the form of the
    text; a number that the program's text states; a proof for every launch."""

    DEFAULT = 0
    NAME = 1
    PATTERN = 2
    SEEN = 3
    PROVED = 4


@dataclass(frozen=True, slots=True)
class Estimate:
    """How many rounds a loop makes: at least `low`, at most `high` (None: nothing says). `halves`: each round halves
    what is left of so many elements, with None where no size says of how many. `because`: what was recognised, and
    `evidence` how well that is founded."""

    low: int = 0
    high: int | None = None
    halves: tuple[Expression | None, ...] = ()
    because: str = ""
    evidence: Evidence = Evidence.DEFAULT

    def likely(self, usual: int) -> int:
        """The rounds to reckon with, where loops of unknown length count as `usual` rounds."""
        return usual if self.high is None else max(self.low, min(self.high, usual))
