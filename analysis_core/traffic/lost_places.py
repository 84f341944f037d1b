"""What accesses to memory that is not known may be expected to cost: members of a record whose header is missing.

    sums[n * i] = graph.weight[i];          // nobody declares `graph`

Bounds say nothing of them and no finding is about them.  They are a part of the kernel's traffic all the same, beside which others are
weighed.  A pointer that is not known is taken to be one of all lanes, and the index says how these stand to each other; where even that
is lost, the cost lies between the best and the worst, by factors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isqrt

from analysis_core.domains import polynomial as pl
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.symbol import SymbolKind
from analysis_core.interp.core.events import AccessEvent
from analysis_core.ir.types import Space
from analysis_core.requests.facts import AccessFact


def likely_sectors(
    fact: AccessFact, group: Sequence[AccessEvent], costed: Callable[[list[AccessEvent]], AccessFact]
) -> int:
    """The sectors of a request of an access whose memory is not known; 0 of others."""
    if fact.space is not Space.UNKNOWN or fact.worst == 0:
        return 0
    placed = [poly for event in group if (poly := _without_pointer(event.address.poly)) is not None]
    if len(placed) < len(group):
        return isqrt(fact.worst * max(1, fact.ideal))
    events = [
        replace(event, space=Space.GLOBAL, address=replace(event.address, poly=poly))
        for event, poly in zip(group, placed, strict=True)
    ]
    return costed(events).worst


def _without_pointer(poly: Poly) -> Poly | None:
    """The address less the pointer that is not known; None where there is no such, or where nothing else is."""
    lost = [m for m, c in poly.terms.items() if len(m) == 1 and m[0].kind is SymbolKind.UNKNOWN and _is_one(c)]
    if len(lost) != 1 or len(poly.terms) == 1:
        return None
    return pl.subtract(poly, pl.of_symbol(lost[0][0]))


def _is_one(coefficient: pl.Coefficient) -> bool:
    return isinstance(coefficient, int) and coefficient == 1
