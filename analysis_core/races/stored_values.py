"""Whether two threads that write one cell leave the same value there: then their order does not matter."""

from __future__ import annotations

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.polynomial import coefficient_vector
from analysis_core.domains.shape import WARP, BoolVector
from analysis_core.domains.symbol import Level
from analysis_core.domains.thread_value import Integer, Value
from analysis_core.races.cells import Meetings
from analysis_core.races.occurrences import OWN, Occurrence


def surely_equal(one: Occurrence, other: Occurrence, met: Meetings) -> BoolVector:
    """At which meetings both threads are known to store the same."""
    nowhere = np.zeros(len(met), dtype=bool)
    mine, others = one.event.stored, other.event.stored
    if not mine or len(mine) != len(others) or one.event.access.width != other.event.access.width:
        return nowhere
    result = ~nowhere
    for value, against in zip(mine, others, strict=True):
        result &= _equal(one, value, other, against, met)
    return result


def _equal(one: Occurrence, value: Value, other: Occurrence, against: Value, met: Meetings) -> BoolVector:
    nowhere = np.zeros(len(met), dtype=bool)
    if isinstance(value, Integer) and isinstance(against, Integer):
        mine, others = one.in_round(value.poly), other.in_round(against.poly)
        used = mine.symbols() | others.symbols()  # also those that cancel: a lane's own is another one in each thread
        if any(s.level is Level.LANE or one.version(s) != other.version(s) or one.version(s) == OWN for s in used):
            return nowhere
        if any(not isinstance(c, int) for poly in (mine, others) for m, c in poly.terms.items() if m):
            return nowhere
        if any(m for m in pl.subtract(mine, others).terms):
            return nowhere
        size = len(one.event.mask.may)
        left, right = coefficient_vector(mine.constant, size), coefficient_vector(others.constant, size)
        same = np.asarray(left[met.first] == right[met.second])
        return same & _of_one_warp(met) if any(s.level is Level.WARP for s in used) else same
    if one is not other or value is not against or one.own is not None:
        return nowhere
    level = pl.level(value.poly) if isinstance(value, Integer) else value.level
    if level is Level.BLOCK:
        return ~nowhere
    return _of_one_warp(met) if level is Level.WARP else nowhere


def _of_one_warp(met: Meetings) -> BoolVector:
    return np.asarray(met.first // WARP == met.second // WARP)
