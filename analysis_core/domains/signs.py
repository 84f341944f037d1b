"""Truth values of comparisons, read off the ends between which a difference lies."""

from __future__ import annotations

import numpy as np

from analysis_core.domains.condition import Relation
from analysis_core.domains.polynomial import End
from analysis_core.domains.shape import BoolVector


def of_all(holds: BoolVector | bool, size: int) -> BoolVector:
    """A truth value per thread, of one that each thread has or that all share."""
    if isinstance(holds, np.ndarray):
        return holds
    return np.ones(size, dtype=bool) if holds else np.zeros(size, dtype=bool)


def by_sign(low: End, high: End, relation: Relation) -> tuple[BoolVector | bool, BoolVector | bool]:
    """The threads for which a difference with these bounds certainly is negative (or zero), and those for which it
    certainly is not."""
    if relation is Relation.NEGATIVE:
        return high < 0, low >= 0
    return (low == 0) & (high == 0), (low > 0) | (high < 0)
