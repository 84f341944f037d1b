"""A loop's test with its comparisons against minima and maxima taken apart: when lanes leave can then be read off.

`i < min(first + chunk, n)` compares with a value that has no polynomial; `i < first + chunk && i < n` says the same with two
that have one.
"""

from __future__ import annotations

from analysis_core.domains import condition as cond
from analysis_core.domains import polynomial as pl
from analysis_core.domains.arithmetic import Arithmetic
from analysis_core.domains.condition import Condition, Relation
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.symbol import Level, Symbol
from analysis_core.domains.thread_value import Integer
from analysis_core.ir.types import LONG

_DEEPEST = 4
"""Minima of maxima that are followed."""


def taken_apart(arithmetic: Arithmetic, condition: Condition, depth: int = 0) -> Condition:
    """The same condition without minima and maxima, where these can be written as comparisons of their operands."""
    if depth > _DEEPEST or condition.is_decided:
        return condition
    if condition.parts:
        parts = tuple(taken_apart(arithmetic, part, depth) for part in condition.parts)
        if all(new is old for new, old in zip(parts, condition.parts, strict=True)):
            return condition
        return Condition(condition.true, condition.false, None, True, parts, condition.all_of)
    atom = condition.atom
    if atom is None or atom.poly is None or atom.relation is not Relation.NEGATIVE:
        return condition
    own = (s for s in sorted(atom.poly.symbols()) if s.level is Level.LANE and s in arithmetic.derivations)
    extreme, op = next(((s, op) for s in own if (op := _extreme_of(arithmetic.derivations[s])) is not None), (None, ""))
    sides = None if extreme is None else _sides(atom.poly, extreme, arithmetic.derivations[extreme])
    if sides is None:
        return condition
    factor, (first, second) = sides
    compared = [arithmetic.compare("<", Integer(side), Integer(pl.ZERO), LONG) for side in (first, second)]
    both = (op == "max") is (factor > 0)
    found = cond.conjunction(*compared) if both else cond.disjunction(*compared)
    found = found if condition.positive else cond.negate(found)
    apart = taken_apart(arithmetic, found, depth + 1)
    true, false = condition.true | (apart.true & ~condition.false), condition.false | (apart.false & ~condition.true)
    return Condition(true, false, apart.atom, apart.positive, apart.parts, apart.all_of)


def _extreme_of(d: Derivation) -> str | None:
    """ "min" or "max", where the value is that of its operands; so is `P < 0 ? a : b` where a - b is P or P + 1, -P or -P - 1."""
    if not all(operand.exact for operand in d.operands):
        return None
    if d.op in ("min", "max"):
        return d.op
    atom = None if d.condition is None else d.condition.atom
    if d.op != "blend" or d.condition is None or atom is None or atom.poly is None:
        return None
    if atom.relation is not Relation.NEGATIVE:
        return None
    a, b = d.operands if d.condition.positive else d.operands[::-1]
    difference = pl.subtract(a.poly, b.poly)
    for op, left, few in (
        ("min", pl.subtract(difference, atom.poly), (0, 1)),
        ("max", pl.add(difference, atom.poly), (0, -1)),
    ):
        if left.is_constant and isinstance(left.constant, int) and left.constant in few:
            return op
    return None


def _sides(poly: Poly, symbol: Symbol, derivation: Derivation) -> tuple[int, tuple[Poly, Poly]] | None:
    """Of `factor * extreme + rest`: the factor, and the same with each operand in the extreme's place."""
    factor = poly.terms.get((symbol,))
    whole = pl.of_symbol(symbol)
    if derivation.settled is not None:
        waiting, settled = derivation.settled
        whole = pl.select(waiting, whole, settled)
        own = whole.terms.get((symbol,))
        if not isinstance(own, int):
            return None
    if not isinstance(factor, int):
        return None
    rest = pl.subtract(poly, pl.scale(whole, factor))
    if symbol in rest.symbols():
        return None
    first, second = (pl.add(rest, pl.scale(operand.poly, factor)) for operand in derivation.operands)
    return factor, (first, second)
