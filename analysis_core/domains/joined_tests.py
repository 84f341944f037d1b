"""Tests of numbers that were joined before: what they ask is what the joins asked.

    int ok = 0; if (t == n) ok = 1; if (ok) ..       asks t == n
    if ((t == n) + (t == m) == 1) ..                 asks for one of them without the other

A number that took one of two values under a condition is a symbol with that condition (`Derivation`: "choice", "blend").  Where each lane's
test is decided once it is known which of them it took, the test is told by the conditions: lanes that cannot run together are known again, and
tests of one thing have one formula.  Conditions that memory decides stay with the number: nothing is known of these that it does not say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis_core.domains import condition as cond
from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Condition, Relation
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.residue_checks import residue_check
from analysis_core.domains.shape import every, some
from analysis_core.domains.signs import by_sign, of_all
from analysis_core.domains.symbol import Level, Symbol

if TYPE_CHECKING:
    from analysis_core.domains.arithmetic import Arithmetic

_MOST_JOINS = 4
"""Joins that one test looks through."""


def taken_apart(arithmetic: Arithmetic, difference: Poly, relation: Relation) -> Condition | None:
    """`difference < 0` (or == 0) as tests of the values that it was joined from, or of a dividend in place of a
    remainder. None where these do not decide it."""
    checked = residue_check(arithmetic, difference, relation)
    return checked if checked is not None else _joined_test(arithmetic, difference, relation)


def _joined_test(arithmetic: Arithmetic, difference: Poly, relation: Relation) -> Condition | None:
    own = [s for s in difference.symbols() if s.level is Level.LANE]
    if not own or len(own) > _MOST_JOINS or any(_join(arithmetic, s) is None for s in own):
        return None
    return _told(arithmetic, difference, relation, _MOST_JOINS)


def _join(arithmetic: Arithmetic, symbol: Symbol) -> Derivation | None:
    """How the symbol was joined, under a condition that memory does not decide."""
    derivation = arithmetic.derivations.get(symbol)
    if derivation is None or derivation.condition is None or derivation.condition.data:
        return None
    exact = all(v.exact for v in derivation.operands)
    return derivation if exact and derivation.op in ("choice", "blend") else None


def _told(arithmetic: Arithmetic, difference: Poly, relation: Relation, most: int) -> Condition | None:
    size = arithmetic.shape.padded
    low, high = pl.bounds(difference)
    true, false = (of_all(holds, size) for holds in by_sign(low, high, relation))
    if every(true | false):
        return Condition(true, false)
    symbol = max((s for s in difference.symbols() if s.level is Level.LANE), default=None)  # joins rest on older ones
    join = None if symbol is None or most == 0 else _join(arithmetic, symbol)
    if symbol is None or join is None or join.condition is None:
        return None
    values = [pl.constant(1), pl.ZERO] if join.op == "choice" else [v.poly for v in join.operands]
    taken, other = (_told(arithmetic, pl.substitute(difference, {symbol: v}), relation, most - 1) for v in values)
    if taken is None or other is None:
        return None
    return _either(cond.formula(join.condition), taken, other)


def _either(condition: Condition, taken: Condition, other: Condition) -> Condition:
    """`condition ? taken : other`."""
    alike = taken.true & other.true
    first = cond.conjunction(condition, taken) if some(~taken.false & ~alike) else cond.decided(alike & ~alike)
    second = (
        cond.conjunction(cond.negate(condition), other) if some(~other.false & ~alike) else cond.decided(alike & ~alike)
    )
    found = cond.disjunction(first, second)
    return cond.disjunction(cond.decided(alike), found) if some(alike) else found
