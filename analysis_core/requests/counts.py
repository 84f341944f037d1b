"""Counts per warp that stand beside trip counts: which warp pays most.

An event happens `rows[w]` times in warp w for each value of an expression, e.g. 3 in warp 0 and 1 in the others, times n.
All of a site's events give one such row per expression.  The most expensive warp is the greatest of the warps' sums; warps
that another one meets or exceeds in every row need not be looked at, and nearly always one is left.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from analysis_core.domains.shape import BoolVector, IntVector
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression

_MOST_RIVALS = 4


def most_expensive(counts: Mapping[Expression, IntVector]) -> Expression:
    """An expression for the greatest sum of any warp, given expressions that are never negative. It is larger than
    that where too many warps compete."""
    if not counts:
        return ex.ZERO
    terms = list(counts)
    if len(terms) == 1:
        return ex.scale(int(counts[terms[0]].max()), terms[0])
    columns = np.unique(np.stack([counts[term] for term in terms]), axis=1)
    if columns.shape[1] > 1:
        columns = _rivals(columns)
    if columns.shape[1] > _MOST_RIVALS:
        columns = columns.max(axis=1)[:, np.newaxis]
    sums = [ex.add(*(ex.scale(int(n), term) for n, term in zip(column, terms, strict=True))) for column in columns.T]
    return ex.maximum(*sums)


def _rivals(columns: IntVector) -> IntVector:
    """The columns (all different) that no other one meets or exceeds in every row."""
    exceeded: BoolVector = np.asarray((columns[:, :, np.newaxis] <= columns[:, np.newaxis, :]).all(axis=0))
    np.fill_diagonal(exceeded, False)
    rivals: BoolVector = np.asarray(~exceeded.any(axis=1))
    return columns[:, rivals]
