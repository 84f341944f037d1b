"""The last element of each row, one row a lane: `image[i * rows + rows - 1]`, `scanned[i * 1024 + 1023]`.

Lanes stand a row apart, at the end of each.  That is a boundary of an array, or what a scan of blocks leaves for the next level: whoever filled
the rows had as many times more to do as they are long, and no layout brings the ends together but for another array.  A row is a size, or a number of
elements that is large.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis_core.domains.polynomial import Coefficient, Monomial
from analysis_core.domains.symbol import SymbolKind
from analysis_core.interp.core.events import AccessEvent

_LONG = 256
"""Elements of a row from which on its end is next to nothing of it."""

_BEFORE = 2
"""Elements at an end of a row: the last, and the one before it."""

_COUNTED = (SymbolKind.GRID, SymbolKind.ITERATION, SymbolKind.PARAMETER)


def are_row_ends(group: Sequence[AccessEvent]) -> bool:
    """Whether all executions of an access are at ends of rows."""
    return all(map(_is_row_end, group))


def _is_row_end(event: AccessEvent) -> bool:
    width = event.access.width
    terms = {
        m: c for m, c in event.address.poly.terms.items() if any(s.kind is not SymbolKind.BASE for s in m) or not m
    }
    at = terms.pop((), 0)
    if isinstance(at, int):
        return -_BEFORE * width <= at <= -width and _are_sized_rows(terms, width)
    return _are_long_rows(at, terms, width)


def _are_sized_rows(terms: dict[Monomial, Coefficient], width: int) -> bool:
    """Whether one parameter is how long rows are, and threads are in rows of their own, thread 0 of block 0 at the end of the first."""
    rows = [m for m in terms if len(m) == 1 and m[0].kind is SymbolKind.PARAMETER]
    if len(rows) != 1:
        return False
    own = terms[rows[0]]
    return not isinstance(own, int) and own[0] == width and all(rows[0][0] in m for m in terms)


def _are_long_rows(at: Coefficient, terms: dict[Monomial, Coefficient], width: int) -> bool:
    """The same of rows of a known length."""
    places = np.asarray(at)
    row = int(places[1] - places[0])
    if row < _LONG * width or np.any((places - places[0]) % row) or not row - _BEFORE * width <= int(places[0]) < row:
        return False
    whole = (isinstance(c, int) and c % row == 0 for c in terms.values())
    return all(whole) and all(symbol.kind in _COUNTED for monomial in terms for symbol in monomial)
