"""The last element of each row, one row a lane: `image[i * rows + rows - 1]`, `scanned[i * 1024 + 1023]`.

Lanes stand a row apart, at the end of each.  That is a boundary of an array, or what a scan of blocks leaves for the next level: whoever filled
the rows had as many times more to do as they are long, and no layout brings the ends together but for another array.  A row is a size, or a number of
elements that is large.  `in[i * stride]` by itself says nothing of rows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis_core.domains.polynomial import Coefficient, Monomial
from analysis_core.domains.symbol import Symbol, SymbolKind
from analysis_core.interp.core.events import AccessEvent

_LONG = 256
"""Elements of a row from which on its end is next to nothing of it."""

_BEFORE = 2
"""Elements at an end of a row: the last, and the one before it."""


def are_row_ends(group: Sequence[AccessEvent]) -> bool:
    """Whether all executions of an access are at ends of rows."""
    return all(map(_is_row_end, group))


def _is_row_end(event: AccessEvent) -> bool:
    width = event.access.width
    terms = {m: c for m, c in event.address.poly.terms.items() if not _is_base(m)}
    at = terms.pop((), 0)
    if isinstance(at, int):
        return -_BEFORE * width <= at <= -width and _is_of_sized_rows(terms, width)
    return _is_of_long_rows(at, terms, width)


def _is_of_sized_rows(terms: dict[Monomial, Coefficient], width: int) -> bool:
    """Whether one parameter is how long rows are, in elements of `width` bytes, thread 0 of block 0 is in the first of them, and threads are in rows
    of their own."""
    rows = [m for m in terms if len(m) == 1 and m[0].kind is SymbolKind.PARAMETER]
    if len(rows) != 1:
        return False
    own, size = terms[rows[0]], rows[0][0]
    if isinstance(own, int) or own[0] != width:
        return False
    return all(size in m for m in terms)


def _is_of_long_rows(at: Coefficient, terms: dict[Monomial, Coefficient], width: int) -> bool:
    """The same of rows of a known length."""
    places = np.asarray(at)
    row = int(places[1] - places[0])
    if row < _LONG * width or np.any((places - places[0]) % row):
        return False
    ends = range(row - _BEFORE * width, row)
    return int(places[0]) in ends and all(
        isinstance(c, int) and c % row == 0 and _moves_on(m) for m, c in terms.items()
    )


def _moves_on(monomial: Monomial) -> bool:
    return all(_is_counted(symbol) for symbol in monomial)


def _is_counted(symbol: Symbol) -> bool:
    return symbol.kind in (SymbolKind.GRID, SymbolKind.ITERATION, SymbolKind.PARAMETER)


def _is_base(monomial: Monomial) -> bool:
    return bool(monomial) and all(symbol.kind is SymbolKind.BASE for symbol in monomial)
