"""Which shapes are offered: the best ones that a run of the simulator finds nothing against."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from analysis_core.advice.advisor import Advice, Row
from analysis_core.advice.knobs import Variants
from analysis_core.advice.trials import Trial, trial
from analysis_core.text.records import dataclass

OFFERED = 4
_TRIED = 12

_CLEARLY = Fraction(19, 20)
"""Of the present score: below, what the last block of the data leaves over makes no difference."""


@dataclass(frozen=True, slots=True)
class Offer:
    """`trial.same` False: the shape is refused, and why; None: nothing could be run."""

    row: Row
    trial: Trial


def offers(advice: Advice, variants: Variants, capability: str) -> Iterator[Offer]:
    """Shapes that score clearly better than the present one, the best first, each tried: until `OFFERED` of them are not refused."""
    found, left = advice.found, OFFERED
    if found is None or not advice.rows:
        return
    present = advice.rows[0].score(capability)
    for row in advice.ranked(capability)[:_TRIED]:
        score = row.score(capability)
        if left == 0 or (present is not None and score is not None and not score < _CLEARLY * present):
            return
        if row is advice.rows[0]:
            continue
        other = variants.turned(found, row.edits)
        tried = Trial(None, "it is not launched") if other is None else trial(found, other, variants.account)
        left -= tried.same is not False
        yield Offer(row, tried)
