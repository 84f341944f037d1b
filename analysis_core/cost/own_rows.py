"""Rows that each lane goes through by itself, from where memory says: `for (k = first[t]; k < first[t + 1]; k++) value[k]`.

Where one row ends the next begins, so that neighbouring lanes are as far apart as rows are long, whatever memory holds: of rows of a
sector and more each lane has a sector of its own.  That is more than that memory may scatter what lanes load.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.cost.counters import step_of
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.interp.events import AccessEvent
from analysis_core.machine.sizes import SECTOR_BYTES
from analysis_core.support.facts import CauseKind


def are_own_rows(group: Sequence[AccessEvent]) -> bool:
    """Whether some execution is a round of such a loop, which goes on for a sector at least as far as is known."""
    return any(map(_is_of_own_row, group))


def _is_of_own_row(event: AccessEvent) -> bool:
    counters: list[Symbol] = []
    begins = False
    if not isinstance(event.address.poly.constant, int):
        return False
    for monomial, coefficient in event.address.poly.terms.items():
        step = abs(step_of(coefficient))
        if any(s.kind is SymbolKind.ITERATION for s in monomial):
            # What counts rounds begins at 0; a power or a quotient of a step is no round's number.
            if len(monomial) != 1 or step != event.access.width or monomial[0].low != 0:
                return False
            counters.append(monomial[0])
        elif len(monomial) == 1 and monomial[0].level is Level.LANE and step == event.access.width:
            begins = begins or (monomial[0].cause is not None and monomial[0].cause.kind is CauseKind.DATA)
    if not begins or len(counters) != 1:
        return False
    most = counters[0].high
    return most is None or (most + 1) * event.access.width >= SECTOR_BYTES
