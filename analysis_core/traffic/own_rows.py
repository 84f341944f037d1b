"""Rows that each lane goes through by itself, from where memory says: `for (k = first[t]; k < first[t + 1]; k++) value[k]`.

Where one row ends the next begins, so that neighbouring lanes are as far apart as rows are long, whatever memory holds: of rows of a
sector and more each lane has a sector of its own.  That is more than that memory may scatter what lanes load.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.interp.core.events import AccessEvent
from analysis_core.machine.sizes import SECTOR_BYTES
from analysis_core.requests.counters import step_of
from analysis_core.support.facts import CauseKind


def are_own_rows(group: Sequence[AccessEvent]) -> bool:
    """Whether some execution is a round of such a loop, which goes on for a sector at least as far as is known."""
    return any(map(_is_of_own_row, group))


def counter_of(event: AccessEvent) -> tuple[Symbol, int] | None:
    """The number of the round of the only loop that an address moves in, and the bytes from one round to the next."""
    terms = event.address.poly.terms.items()
    moving = [(m, c) for m, c in terms if any(s.kind is SymbolKind.ITERATION for s in m)]
    if len(moving) != 1:
        return None
    monomial, coefficient = moving[0]
    # What counts rounds begins at 0; a power or a quotient of a step is no round's number.
    return (monomial[0], step_of(coefficient)) if len(monomial) == 1 and monomial[0].low == 0 else None


def _is_of_own_row(event: AccessEvent) -> bool:
    poly, width, counted = event.address.poly, event.access.width, counter_of(event)
    if counted is None or abs(counted[1]) != width or not isinstance(poly.constant, int):
        return False
    begins = (m[0] for m, c in poly.terms.items() if len(m) == 1 and abs(step_of(c)) == width)
    if not any(s.level is Level.LANE and _is_by_data(s) for s in begins if s is not counted[0]):
        return False
    most = counted[0].high
    return most is None or (most + 1) * width >= SECTOR_BYTES


def _is_by_data(symbol: Symbol) -> bool:
    return symbol.cause is not None and symbol.cause.kind is CauseKind.DATA
