"""Pointers that are null where a condition does not hold: `p = c ? &a[i] : 0; .. if (p) x = *p;`.

Such a pointer is x*(&a + 4*i) for a choice x of 0 or 1, of each lane's own where the condition is, and so lanes would seem to be
anywhere between 0 and the array.  No program reads what stands at 0 (a listed assumption: pointers stay inside of arrays), so whoever
accesses memory by it has x = 1.
"""

from __future__ import annotations

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.symbol import Symbol

_MOST_OFFSET = 4096
"""Bytes from 0 on in which no array lies: a member of what a null pointer would lead to."""


def without_null_arms(poly: Poly) -> Poly:
    """The address without the values that are null: threads that access memory by it do not have those."""
    for symbol in poly.symbols():
        if symbol.is_choice and _is_null_without(poly, symbol):
            poly = pl.substitute(poly, {symbol: pl.constant(1)})
    return poly


def _is_null_without(poly: Poly, choice: Symbol) -> bool:
    """Whether the lanes with this choice have nothing else, so that 0 makes them null."""
    lanes = np.zeros(1, dtype=bool)
    for monomial, coefficient in poly.terms.items():
        if choice in monomial:
            lanes = lanes | np.not_equal(coefficient, 0)
    for monomial, coefficient in poly.terms.items():
        if choice in monomial:
            continue
        own = np.where(lanes, coefficient, 0)
        if np.any(own != 0 if monomial else (own < 0) | (own >= _MOST_OFFSET)):
            return False
    return True
