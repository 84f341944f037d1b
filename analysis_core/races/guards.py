"""What must hold for two threads to make two accesses: the literals of their masks, at these threads.

A literal of the block that one access waits for, and the other one's complement, cannot both hold where the threads share what
is compared.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from analysis_core.domains import condition as cond
from analysis_core.domains.condition import Condition
from analysis_core.domains.shape import WARP
from analysis_core.domains.symbol import SymbolKind
from analysis_core.races.cells import Meetings
from analysis_core.races.occurrences import Occurrence, is_ordered


def possible(one: Occurrence, other: Occurrence, met: Meetings) -> Meetings:
    """The meetings at which no literal of one access contradicts one of the other, and no barrier between them is sure."""
    if is_ordered(one, other):
        return met.where(np.zeros(len(met), dtype=bool))
    opposite = {entry.formula.negation.key: entry for entry in other.event.mask.literals}
    for entry in one.event.mask.literals:
        against = opposite.get(entry.key)
        if against is not None and one.shares(entry, other):
            met = met.where(~(entry.scope[met.first] & against.scope[met.second]))
    return met


def representatives(one: Occurrence, other: Occurrence, met: Meetings, count: int) -> Iterator[tuple[int, int, int]]:
    """Some of the meetings, threads that wait for nothing and threads of several warps first."""
    chosen = np.zeros(len(met), dtype=np.int64)
    chosen += 2 * ~(one.event.mask.must[met.first] & other.event.mask.must[met.second])
    chosen += met.first // WARP == met.second // WARP
    order = np.argsort(chosen, kind="stable")
    best = order[: int(np.count_nonzero(chosen == chosen[order[0]]))]
    places = np.unique(np.concatenate((np.linspace(0, len(best) - 1, count).astype(np.int64), [0])))
    rest = order[len(best) :][: count - len(places)]
    for n in (*best[places], *rest):
        yield int(met.first[n]), int(met.second[n]), int(met.bytes[n])


def awaited(one: Occurrence, thread: int) -> list[Condition]:
    """What this thread waits for to make the access."""
    return [entry.formula for entry in one.event.mask.literals if entry.scope[thread]]


def decided_by_data(formulas: list[Condition]) -> bool:
    """Whether contents of memory decide one of them."""
    return any(formula.data for formula in formulas)


def is_known(formulas: list[Condition]) -> bool:
    """Whether all that is compared is known, given parameters, the grid and rounds of loops."""
    kinds = {s.kind for formula in formulas for s in cond.symbols(formula)}
    lost = {SymbolKind.UNKNOWN, SymbolKind.CHOICE}
    return not kinds & lost and not any(cond.has_opaque(formula) for formula in formulas)
