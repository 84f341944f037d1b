"""Neighbours side by side but for a step that some of them take: an index that wraps around, `i + m - (i + m >= n ? n : 0)`.

Where it is not known which lanes take the step, each could be by itself, for all that is proved; but it is the same step for all, so
that they lie in two rows, and never where memory sends them.
"""

from __future__ import annotations

import numpy as np

from analysis_core.domains.shape import WARP, every
from analysis_core.domains.symbol import Level, SymbolKind
from analysis_core.interp.events import AccessEvent


def is_in_pieces(event: AccessEvent) -> bool:
    """Whether the lanes of each warp lie side by side but for what a choice adds to their addresses."""
    poly = event.address.poly
    for monomial, coefficient in poly.terms.items():
        own = [symbol for symbol in monomial if symbol.level is Level.LANE]
        if monomial and not (isinstance(coefficient, int) and all(s.kind is SymbolKind.CHOICE for s in own)):
            return False
    places = poly.constant
    if isinstance(places, int) or len(places) % WARP:
        return False
    steps = np.diff(places.reshape(-1, WARP), axis=1)
    return every((steps >= 0) & (steps <= event.access.width))
