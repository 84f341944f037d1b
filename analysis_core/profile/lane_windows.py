"""Lanes that go through windows of their own, one after the other: in each round few of them run together.

    for (int i = max(0, 96 * t - first); i <= min(31, 96 * t + 100 - first); i++) out[2 * t] += ..        first in steps of 32

A lane is there while `first` is in its window, and the next lane's window begins 96 further on.  A summary knows of each lane that it may run
in the round, and a request costs what all of them would; that is a bound, and no figure to tell.  What holds for lane i and what holds for
lane j in one round are two inequalities, in which what they share (`first`) cancels if they are added: if the sum cannot hold, the two do
not run together.  So no more do than follow a first one, that may run with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import below_zero
from analysis_core.domains.mask import Mask
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import WARP, BoolVector, some
from analysis_core.interp.core.events import AccessEvent, Events
from analysis_core.interp.core.extremes import alternatives
from analysis_core.interp.core.known import Known

_MOST_PARTS = 8
"""Inequalities of one execution that are added to each other."""


def most_together(group: Sequence[AccessEvent], events: Events) -> int | None:
    """How many lanes of a warp run together at most, in all executions of an access; None if all may."""
    known = Known(events.uppers, events.derivations)
    masks = {id(event.mask): event.mask for event in group}
    most = 0
    for mask in masks.values():
        most = max(most, _together(mask, known))
        if most == WARP:
            return None
    return most


def _together(mask: Mask, known: Known) -> int:
    parts = [part for part in _required(mask, known) if not isinstance(part.constant, int)]
    if len(parts) < 2 or len(parts) > _MOST_PARTS:
        return WARP
    rows = mask.may.reshape(-1, WARP)
    apart = np.zeros((len(rows), WARP, WARP), dtype=bool)
    for one in parts:
        for other in parts:
            apart |= _never_both(one, other, len(mask.may))
    beside: BoolVector = ~(apart | apart.transpose(0, 2, 1)) & rows[:, :, np.newaxis] & rows[:, np.newaxis, :]
    return int(np.triu(beside).sum(axis=2).max())


def _required(mask: Mask, known: Known) -> Iterator[Poly]:
    """What is negative for all lanes that run, one number for each lane and terms that they share: where a minimum is asked for, that of
    each operand."""
    whole = [literal.formula for literal in mask.literals if not some(mask.may & ~literal.scope)]
    pending = [poly for formula in whole if (poly := below_zero(formula)) is not None]
    steps = _MOST_PARTS * 2
    while pending and steps:
        poly, steps = pending.pop(), steps - 1
        chosen = alternatives(pl.scale(poly, -1), known)
        if chosen is not None:
            pending += [pl.scale(one, -1) for one in chosen]
        elif all(not m or (isinstance(c, int) and pl.is_shared(m)) for m, c in poly.terms.items()):
            yield poly


def _never_both(one: Poly, other: Poly, size: int) -> BoolVector:
    """By warp, lane and lane: whether what the one has to meet and what the other has to exclude each other."""
    shared = pl.subtract(pl.add(one, other), pl.constant(pl.add(one, other).constant))
    least = pl.total_bounds(shared)[0]
    first, second = (pl.coefficient_vector(p.constant, size).reshape(-1, WARP) for p in (one, other))
    total: BoolVector = first[:, :, np.newaxis].astype(np.float64) + second[:, np.newaxis, :] + least >= 0
    return total
