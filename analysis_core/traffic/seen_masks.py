"""Which threads run at the sizes that launches are seen to pass: for findings, and for nothing else.

    if (threadIdx.x < n) .. rows[threadIdx.x * pitch] ..          k<<<grid, 256>>>(rows, 9, pitch): nine lanes of one warp

A guard that compares with such a parameter holds back, at this one number, lanes that run at others.  What a request costs there, how
little it might cost, and how many warps make it, are asked of the lanes that are left.  What a whole block decides alike stays open: that
a size is small where a launch is seen says little of others (`null_arguments`).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Atom, Condition, Relation, atoms
from analysis_core.domains.mask import Literal, Mask
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import BoolVector, some
from analysis_core.domains.symbol import Level, Symbol

Values = Mapping[Symbol, Poly]


def mask_at(mask: Mask, values: Values) -> Mask:
    """The threads of the mask that may run at these values; the mask itself where these hold back nobody."""
    may = mask.may
    literals: list[Literal] = []
    for entry in mask.literals:
        true, false = _decided(entry.formula, values)
        may = may & ~(entry.scope & false)
        waiting = entry.scope & ~true
        literals.append(entry if not some(entry.scope & true) else Literal(entry.key, entry.formula, waiting))
    if not some(mask.may & ~may):
        return mask
    scopes = ((entry, entry.scope & may) for entry in literals)
    return Mask(may, tuple(Literal(entry.key, entry.formula, scope) for entry, scope in scopes if some(scope)))


def _decided(c: Condition, values: Values) -> tuple[BoolVector, BoolVector]:
    """The threads for which the condition is true at these values, and those for which it is false."""
    if c.atom is not None:
        true, false = _of_atom(c.atom, values, c.true.shape[0])
        if not c.positive:
            true, false = false, true
        return c.true | (true & ~c.false), c.false | (false & ~c.true)
    true, false = c.true, c.false
    if c.parts:
        parts = [_decided(part, values) for part in c.parts]
        if c.all_of:
            all_true = np.logical_and.reduce([one for one, _ in parts])
            any_false = np.logical_or.reduce([other for _, other in parts])
        else:
            all_true = np.logical_or.reduce([one for one, _ in parts])
            any_false = np.logical_and.reduce([other for _, other in parts])
        true, false = true | (all_true & ~false), false | (any_false & ~true)
    return true, false


def _of_atom(atom: Atom, values: Values, size: int) -> tuple[BoolVector, BoolVector]:
    nobody = np.zeros(size, dtype=bool)
    if not _is_asked(atom, values) or atom.poly is None:
        return nobody, nobody
    low, high = pl.bounds(pl.substitute(atom.poly, values))
    if atom.relation is Relation.NEGATIVE:
        return nobody | (np.asarray(high) < 0), nobody | (np.asarray(low) >= 0)
    zero = (np.asarray(low) == 0) & (np.asarray(high) == 0)
    return nobody | zero, nobody | (np.asarray(low) > 0) | (np.asarray(high) < 0)


def truth_at(condition: Condition, values: Values) -> bool | None:
    """Whether a condition holds for all threads at these values, None where they do not say so.  For flags, of which one value says what a launch is
    for, also where a whole block decides alike."""
    if some(condition.true | condition.false) or condition.atom is None or condition.atom.poly is None:
        return None
    atom, poly = condition.atom, condition.atom.poly
    if atom.relation is Relation.OPAQUE or not poly.symbols() <= values.keys():
        return None
    low, high = pl.bounds(pl.substitute(poly, values))
    if not np.all(np.asarray(low) == np.asarray(high)):
        return None
    holds = np.asarray(low) < 0 if atom.relation is Relation.NEGATIVE else np.asarray(low) == 0
    return bool(holds.all()) == condition.positive if bool(holds.all()) == bool(holds.any()) else None


def symbols_asked(mask: Mask, values: Values) -> frozenset[Symbol]:
    """Those of the values that conditions in the mask depend on."""
    asked = (atom for entry in mask.literals for atom in atoms(entry.formula) if _is_asked(atom, values))
    return frozenset(s for atom in asked if atom.poly is not None for s in atom.poly.symbols() if s in values)


def _is_asked(atom: Atom, values: Values) -> bool:
    """Whether threads of a block may differ by the value of one of these parameters."""
    if atom.poly is None or atom.relation is Relation.OPAQUE or atom.level not in (Level.WARP, Level.LANE):
        return False
    return not atom.poly.symbols().isdisjoint(values)
