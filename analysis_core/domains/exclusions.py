"""Lanes that cannot run together, whatever the unknown is that their conditions ask about.

Of `lane == V` and `8*lane < V && V < 8*lane + 8` only one lane is true for each V that all lanes share.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from analysis_core.domains import condition as cond
from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Relation
from analysis_core.domains.polynomial import Monomial, Poly
from analysis_core.domains.shape import BoolVector, IntVector
from analysis_core.domains.symbol import SymbolKind
from analysis_core.text.records import dataclass

if TYPE_CHECKING:
    from analysis_core.domains.mask import Literal


@dataclass(frozen=True, slots=True, eq=False)
class Exclusion:
    """The lanes of `scope` run where `low < V < high` for one V that all lanes share. Lanes whose ranges of V have no
    value in common cannot run together."""

    scope: BoolVector
    low: IntVector
    high: IntVector


_NO_END = 1 << 62

_Shared = tuple[tuple[Monomial, int], ...]


def exclusions(literals: Sequence[Literal]) -> list[Exclusion]:
    """The groups of lanes that these literals keep from running together. Under `lane == V` only the lanes of one
    constant run; under `8*lane < V && V < 8*lane + 8` only one lane does, and so under `V <= 8*lane + 7` in the rounds
    of `for (i = 8*lane; i < V; i++)`."""
    found = []
    bounded: dict[_Shared, list[tuple[bool, Poly, BoolVector]]] = {}
    for entry in literals:
        atom = entry.atom
        if atom is None or atom.poly is None or not _is_family(atom.poly):
            continue
        if atom.relation is Relation.ZERO and entry.formula.positive:
            members = pl.coefficient_vector(atom.poly.constant, len(entry.scope))
            if not isinstance(atom.poly.constant, int):
                found.append(Exclusion(entry.scope, -members - 1, -members + 1))
            continue
        negative = cond.below_zero(entry.formula)
        if negative is not None:
            for known in (negative, _of_any_round(negative)):
                if known is not None:
                    shared, above = _shared(known)
                    bounded.setdefault(shared, []).append((above, known, entry.scope))
    both = (ends for ends in bounded.values() if len({above for above, _, _ in ends}) == 2)
    return found + [_between(ends) for ends in both]


def _is_family(poly: Poly) -> bool:
    """Whether the lanes differ in their constants only, and something is shared."""
    shared = [(m, c) for m, c in poly.terms.items() if m]
    return bool(shared) and all(isinstance(c, int) and pl.is_shared(m) for m, c in shared)


def _shared(negative: Poly) -> tuple[_Shared, bool]:
    """The part V that lanes share, with a positive coefficient first, and whether V + c < 0 bounds it from above; else it is
    -V + c < 0."""
    shared = tuple([(m, c) for m, c in negative.ordered if m and isinstance(c, int)])
    above = shared[0][1] > 0
    return (shared if above else tuple((m, -c) for m, c in shared)), above


def _of_any_round(negative: Poly) -> Poly | None:
    """What D < 0 says whatever round of a loop it is: D with the least that the counters of rounds add; None if it asks for none."""
    rounds = [m for m in negative.terms if len(m) == 1 and m[0].kind is SymbolKind.ITERATION]
    rest = Poly({m: c for m, c in negative.terms.items() if m not in rounds})
    least = 0
    for monomial in rounds:
        c = negative.terms[monomial]
        end = monomial[0].low if isinstance(c, int) and c > 0 else monomial[0].high
        if end is None or not isinstance(c, int):
            return None
        least += c * end
    if abs(least) >= _NO_END:
        return None  # counters of 64 bits go on to where sums wrap around
    return pl.add(rest, pl.constant(least)) if rounds and any(rest.terms) else None


def _between(ends: list[tuple[bool, Poly, BoolVector]]) -> Exclusion:
    """The range of V in which each lane runs."""
    size = len(ends[0][2])
    scope = np.zeros(size, dtype=bool)
    low, high = np.full(size, -_NO_END), np.full(size, _NO_END)
    for above, negative, own in ends:
        constants, scope = pl.coefficient_vector(negative.constant, size), scope | own
        if above:
            high = np.where(own, np.minimum(high, -constants), high)
        else:
            low = np.where(own, np.maximum(low, constants), low)
    return Exclusion(scope, low, high)
