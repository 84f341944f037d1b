"""Sides that a loop comes to in few of its rounds, because they ask its counter to be one number: `if (k == 2) { .. }`, the arms of
`switch (k)`.

A counter passes each number once, so that a warp comes to such a side as often as the loop is entered, and not in all its rounds.  The
number may be a size, or the counter of a loop around, but none that lanes of a warp differ by, each of which would have its own round.
"""

from __future__ import annotations

from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Atom, Condition, Relation
from analysis_core.domains.mask import Mask
from analysis_core.domains.shape import BoolVector, some
from analysis_core.domains.symbol import Level
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core.state import Inside, Run

_MOST_FACTOR = 1 << 31


def times_of_side(run: Run, mask: Mask, condition: Condition) -> Expression:
    """How often a warp comes to the side of a test on which the condition holds: an upper expression. `mask`: the
    threads that make the test."""
    inside = next((one for one in reversed(run.inside) if one.summed), None)
    if inside is None or inside.counter is None or condition.is_decided:
        return run.times
    lanes = mask.may & ~condition.false
    rounds = _rounds(condition, inside, lanes)
    if rounds is None:
        return run.times
    known, now = ex.constant(inside.outer), ex.constant(run.times)
    if known is not None and now is not None and known * rounds >= now:
        return run.times
    return ex.scale(rounds, inside.outer)


def _rounds(condition: Condition, inside: Inside, lanes: BoolVector) -> int | None:
    """In how many rounds of one entry the condition may hold for a lane of a warp; None if nothing says so."""
    if some(lanes & condition.true):
        return None
    if condition.atom is not None:
        return 1 if condition.positive and _is_one_round(condition.atom, inside) else None
    found = [_rounds(part, inside, lanes & ~part.false) for part in condition.parts]
    if condition.all_of:
        return min((rounds for rounds in found if rounds is not None), default=None)
    known = [rounds for rounds in found if rounds is not None]
    return sum(known) if found and len(known) == len(found) else None


def _is_one_round(atom: Atom, inside: Inside) -> bool:
    """Whether the counter is the only part of an equation that changes from round to round, and nothing in it differs in a warp."""
    if atom.relation is not Relation.ZERO or atom.poly is None or pl.level(atom.poly) is Level.LANE:
        return False
    counter = inside.counter
    factor = atom.poly.terms.get((counter,)) if counter is not None else None
    if not isinstance(factor, int) or not 0 < abs(factor) < _MOST_FACTOR:
        return False
    others = [s for monomial in atom.poly.terms if monomial != (counter,) for s in monomial]
    return all(s.number < inside.clock for s in others)
