"""From what sizes on the first warp, or the first block, is whole.

A guard holds lanes back for small sizes only: `if (i + 256 < n)` with i = 512*blockIdx.x + tid lets lane l of the first
block run where n > l + 256.  So the first warp is whole from n >= 288 on, and the first block of 256 threads from 512 on.  What the
bounds cost there is the case that is worth looking at (bound_cases.py); a smaller n would leave the guard open.

These sizes are suggestions: a case is only as true as the interpretation that assumes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from analysis_core.domains.condition import Atom, Relation, atoms
from analysis_core.domains.polynomial import Coefficient, Poly
from analysis_core.domains.shape import IntVector
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.interp.core.events import Events

_MOST = 1 << 20
"""Greatest size that is suggested: beyond it a guard compares with something else than a thread's place."""


def is_size(symbol: Symbol) -> bool:
    """Whether it is a parameter that the user may choose."""
    return symbol.kind is SymbolKind.PARAMETER and symbol.low != symbol.high


def lane_sizes(events: Events) -> set[str]:
    """Integer parameters that decide which lanes of a warp run."""
    return {
        symbol.name
        for atom in _lane_atoms(events)
        if atom.poly is not None
        for symbol in atom.poly.symbols()
        if is_size(symbol)
    }


def least_sizes(events: Events, lanes: int) -> Mapping[str, int]:
    """For sizes that guards compare with a thread's place, the least at which the first `lanes` threads of the first block all
    pass."""
    found: dict[str, int] = {}
    for atom in _lane_atoms(events):
        least = None if atom.poly is None or atom.relation is not Relation.NEGATIVE else _least(atom.poly)
        if least is not None:
            symbol, needed = least
            most = int(np.atleast_1d(needed)[:lanes].max())
            if most <= _MOST:
                found[symbol.name] = max(most, found.get(symbol.name, 1))
    return found


def _lane_atoms(events: Events) -> Iterator[Atom]:
    tests: Iterable[Atom] = (a for event in events.branches for c in event.conditions for a in atoms(c))
    return (atom for atom in tests if atom.level is Level.LANE and not atom.data)


def _least(poly: Poly) -> tuple[Symbol, Coefficient] | None:
    """Of D = c*s + r with a size s: the least s for which D < 0 is decided by s being large; r is taken where blockIdx is 0."""
    place: Coefficient = 0
    factor: tuple[Symbol, int] | None = None
    for monomial, coefficient in poly.terms.items():
        if not monomial:
            place = coefficient
        elif len(monomial) == 1 and is_size(monomial[0]) and factor is None and isinstance(coefficient, int):
            factor = monomial[0], coefficient
        elif not any(s.kind is SymbolKind.GRID and s.name.startswith("blockIdx.") for s in monomial):
            return None
    if factor is None:
        return None
    symbol, times = factor
    return symbol, _from(place, times)


def _from(place: Coefficient, times: int) -> Coefficient:
    """D < 0 holds from s > r/-c on where c < 0, and fails from s >= -r/c on where c > 0."""
    values: IntVector = np.asarray(place)
    return values // -times + 1 if times < 0 else -(values // times)
