"""Whether a round's mask tells which lanes are still in a summarised loop.

Round k stands for all rounds.  Its mask says which lanes pass the test of round k, and nothing of rounds before.  That is
enough where a lane that fails the test once would fail it in every later round, or where the lanes of a warp leave
together.  Otherwise (`i != n`, a test of data, a `break` that some lanes take) the lanes of a round are any subset of those
that the mask allows: the loop is *ragged*.
"""

from __future__ import annotations

from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Condition, Relation
from analysis_core.domains.polynomial import Monomial, Poly
from analysis_core.domains.symbol import Level, Symbol


def stays_failed(condition: Condition, k: Symbol) -> bool:
    """Whether a lane that fails the test of round k would fail it in all later rounds too, or the lanes of each warp fail
    together.

    Symbols younger than the counter belong to the round."""
    if condition.is_decided or condition.level is not Level.LANE:
        return True
    if condition.parts:
        return all(stays_failed(part, k) for part in condition.parts)
    atom = condition.atom
    if atom is None or atom.level is not Level.LANE:
        return True
    if atom.poly is None or any(s.number > k.number for s in atom.poly.symbols()):
        return False
    if k not in atom.poly.symbols():
        return True
    step = _per_round(atom.poly, k)
    if step is None or atom.relation is not Relation.NEGATIVE:
        return False
    low, high = pl.total_bounds(step)
    return low >= 0 if condition.positive else high <= 0


def _per_round(poly: Poly, k: Symbol) -> Poly | None:
    """What the polynomial grows by per round, if it is linear in k."""
    step: dict[Monomial, pl.Coefficient] = {}
    for monomial, coefficient in poly.terms.items():
        power = monomial.count(k)
        if power > 1:
            return None
        if power:
            step[tuple(s for s in monomial if s is not k)] = coefficient
    return Poly(step)
