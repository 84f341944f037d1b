"""What one round does to a variable, and the value that the variable has after k rounds.

The probe (probe.py) runs one round with each changed variable v at a fresh symbol h.  From the value that v has after it:

    after h                 step                 at the start of round k
    h + c, c invariant      Additive(c)          v0 + k*c
    v0                      Additive(0)          v0
    b*h, b >= 2             Growth(b)            v0 * b^k                    one symbol for b^k
    floor(h/d), v0 >= 0     Decay(d)             floor(v0 / d^k)             one symbol
    (h + c) mod m           Cycle(c, m)          (v0 + k*c) mod m            for v0 in [0, m)
    h ^ m, or c - h,        Alternation(v1)      v0, v1, v0, ..              one 0/1 symbol, the parity of k
      or the h of w, and w's after is h
    h + (what is bounded)   Drift                v0 + u*d                    d unknown, as far as k rounds can lead
      or c + (the same)                          c + u*d                     for c that both v0 and the value set back to are near

Any other variable is a fresh symbol of a sound level in each round (uniformity.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import gcd, inf

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.domains.thread_value import Integer, Value, lane_bounds, width
from analysis_core.interp.core.invariance import Invariants
from analysis_core.interp.core.state import Environment, Run
from analysis_core.ir.nodes import VarId
from analysis_core.ir.types import PointerType, Type
from analysis_core.support.facts import CauseKind
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class Additive:
    amount: Poly


@dataclass(frozen=True, slots=True)
class Growth:
    base: int


@dataclass(frozen=True, slots=True)
class Decay:
    divisor: int


@dataclass(frozen=True, slots=True)
class Cycle:
    amount: Poly
    modulus: int


@dataclass(frozen=True, slots=True, eq=False)
class Alternation:
    """A value that alternates from round to round; `other` is its value in odd rounds."""

    other: Integer


@dataclass(frozen=True, slots=True)
class Drift:
    """A value to which each round adds a multiple of `unit`, between `low` and `high` units, as uniform as `level`.
    `source`: a loaded value that the amount depends on, if there is one. `base`: a round may instead set the value to
    `back` units from there, as the value before the loop is; None where no round does."""

    unit: int
    low: float
    high: float
    level: Level
    source: Symbol | None
    base: Poly | None = None
    back: tuple[float, float] = (0.0, 0.0)


Step = Additive | Growth | Decay | Cycle | Alternation | Drift


def find_steps(
    run: Run,
    before: Environment,
    held: dict[VarId, Symbol],
    after: Environment,
    invariants: Invariants,
    counters: frozenset[VarId],
) -> dict[VarId, Step]:
    """The step of each held variable that has one.  `counters`: variables that the loop's test compares."""
    owners = {symbol: var for var, symbol in held.items()}
    steps: dict[VarId, Step] = {}
    for var, symbol in held.items():
        end, start = after.get(var), before[var]
        if isinstance(end, Integer) and isinstance(start, Integer):
            type_ = run.kernel.variables[var].type
            end = _before_narrowing(run, end, type_) if var in counters else end
            step = (
                _simple_step(run, end, symbol, start, type_, invariants)
                or _swapped(before, owners, held, after, var)
                or _drift(run, end, symbol, type_, owners)
                or _set_back(run, end, symbol, start, type_, invariants, owners)
            )
            if step is not None:
                steps[var] = step
    return steps


def _simple_step(run: Run, end: Integer, h: Symbol, start: Integer, type_: Type, invariants: Invariants) -> Step | None:
    """The forms that speak of the variable itself."""
    whole = _keeps_width(end, type_)
    if whole and end.bits == start.bits and pl.equal(end.poly, start.poly):
        return Additive(pl.ZERO)  # Set back to what it was before the loop, which knows of no round.
    difference = pl.subtract(end.poly, pl.of_symbol(h))
    if whole and invariants.holds(difference):
        return Additive(difference)
    factor = end.poly.terms.get((h,))
    if whole and len(end.poly.terms) == 1 and isinstance(factor, int) and factor >= 2:
        return Growth(factor)
    total = pl.add(end.poly, pl.of_symbol(h))
    if whole and end.exact and invariants.holds(total):
        other = pl.subtract(total, start.poly)
        return Alternation(Integer(other, start.bits, None, start.origin))
    return _function_step(run, end, h, start, type_)


def _before_narrowing(run: Run, end: Integer, type_: Type) -> Integer:
    """What is stored in a counter of a short type, before its conversion to that type: the same number, unless the
    counter wraps around, which it is shown or assumed not to do (closed_forms.py, counting.py)."""
    symbol = _only_symbol(end)
    derivation = None if symbol is None else run.arithmetic.derivations.get(symbol)
    if derivation is None or derivation.op != "narrow" or width(type_) >= 32:
        return end
    (value,) = derivation.operands
    return Integer(value.poly, None, None, value.origin)


def _keeps_width(value: Integer, type_: Type) -> bool:
    """Whether the value is right modulo the width of its variable: then the counter follows the closed form unless it
    wraps around, which counters of 32 bits and more are assumed not to do."""
    return value.bits is None or (32 <= width(type_) <= value.bits)


def _function_step(run: Run, end: Integer, h: Symbol, start: Integer, type_: Type) -> Step | None:
    """Quotients, remainders and exclusive or by a constant."""
    symbols = end.poly.symbols()
    derivation = run.arithmetic.derivations.get(next(iter(symbols))) if len(symbols) == 1 else None
    if derivation is None or len(derivation.operands) != 2 or not start.exact:
        return None
    if not pl.equal(end.poly, pl.of_symbol(next(iter(symbols)))):
        return None
    first, second = derivation.operands
    amount = second.poly.constant if second.poly.is_constant else None
    if not isinstance(amount, int) or not second.exact:
        return None
    low, high = (np.asarray(end) for end in lane_bounds(start, type_))
    itself = first.exact and pl.equal(first.poly, pl.of_symbol(h))
    match derivation.op:
        case "/" | "floor/" if itself and amount >= 2 and low.min() >= 0:
            return Decay(amount)
        case ">>" if itself and 1 <= amount < 63 and low.min() >= 0:
            return Decay(1 << amount)
        case "^" if itself and start.poly.is_constant:
            flipped = np.bitwise_xor(start.poly.constant, amount)
            return Alternation(run.arithmetic.constant(flipped, type_))
        case "%" | "floor%" if amount >= 1 and low.min() >= 0 and high.max() < amount:
            added = pl.subtract(first.poly, pl.of_symbol(h))
            greatest = int(np.max(np.asarray(added.constant))) + amount
            in_range = first.exact or ((first.bits or 0) >= 32 and greatest < 1 << 31)
            if added.is_constant and in_range and bool(np.all(np.asarray(added.constant) >= 0)):
                return Cycle(added, amount)
    return None


def _swapped(
    before: Environment, owners: dict[Symbol, VarId], held: dict[VarId, Symbol], after: Environment, var: VarId
) -> Alternation | None:
    """v gets w's value and w gets v's: the two take turns."""
    partner = owners.get(_only_symbol(after.get(var)) or held[var])
    if partner is None or partner == var:
        return None
    other = before[partner]
    if _only_symbol(after.get(partner)) is not held[var] or not isinstance(other, Integer):
        return None
    return Alternation(other)


def _only_symbol(value: Value | None) -> Symbol | None:
    """The symbol that the value is just equal to."""
    if not isinstance(value, Integer) or not value.exact or len(value.poly.terms) != 1:
        return None
    (monomial, coefficient) = next(iter(value.poly.terms.items()))
    return monomial[0] if len(monomial) == 1 and isinstance(coefficient, int) and coefficient == 1 else None


_MOST_WAYS = 8


def _drift(run: Run, end: Integer, h: Symbol, type_: Type, owners: dict[Symbol, VarId]) -> Drift | None:
    """h + amount, where the amount differs from round to round within bounds, and does not lead to another array."""
    amount = pl.subtract(end.poly, pl.of_symbol(h))
    if not _keeps_width(end, type_) or not _is_amount(run, amount, owners):
        return None
    return _drift_of(amount.symbols(), pl.total_bounds(amount), _unit(amount), type_, pl.level(amount))


_FEW = 2.0**20


def _set_back(
    run: Run,
    end: Integer,
    h: Symbol,
    start: Integer,
    type_: Type,
    invariants: Invariants,
    owners: dict[Symbol, VarId],
) -> Drift | None:
    """The same on some ways through the round, while others begin anew: at what is the same each time but for a few units."""
    ways = _ways(run, end.poly) if start.exact and end.exact else []
    moved = [pl.subtract(way, pl.of_symbol(h)) for way in ways if h in way.symbols()]
    anew = [way for way in ways if h not in way.symbols()]
    if not moved or not anew:
        return None
    base = Poly({m: c for m, c in anew[0].terms.items() if all(s.level is not Level.LANE for s in m)})
    back = [pl.subtract(way, base) for way in (start.poly, *anew)]
    if not invariants.holds(base) or not all(_is_amount(run, amount, owners) for amount in moved + back):
        return None
    first, last = _hull(back)
    if last - first > _FEW:  # anything, or what is one of all numbers, is no place to begin at
        return None
    unit = gcd(*map(_unit, moved + back))
    symbols = end.poly.symbols().union(*(amount.symbols() for amount in moved)) - {h}
    step = _drift_of(symbols, _hull(moved), unit, type_, Level.LANE)
    if step is None:
        return None
    ends = sorted((first / step.unit, last / step.unit))
    return replace(step, base=base, back=(ends[0], ends[1]))


def _drift_of(
    symbols: Iterable[Symbol], ends: tuple[float, float], unit: int, type_: Type, level: Level
) -> Drift | None:
    low, high = ends
    if (low == -inf and high == inf) or unit == 0:
        return None
    if low < 0 < high and not isinstance(type_, PointerType) and not (low > -inf and high < inf):
        return None
    loaded = (s for s in symbols if s.cause is not None and s.cause.kind is CauseKind.DATA)
    source = min(loaded, key=lambda s: (s.counted, s.number), default=None)
    if high <= 0:  # downwards is upwards by what is negative: what it adds up to has a least value
        low, high, unit = -high, -low, -unit
    return Drift(unit, low / abs(unit), high / abs(unit), level, source)


def _is_amount(run: Run, amount: Poly, owners: dict[Symbol, VarId]) -> bool:
    """Whether it speaks of no variable that the loop changes, leads to no other array, and is bounded on one side."""
    if any(s in owners or s.kind is SymbolKind.BASE or s in run.bases for s in amount.symbols()):
        return False
    return pl.total_bounds(amount) != (-inf, inf)


def _ways(run: Run, end: Poly) -> list[Poly]:
    """What a value is that lanes may come to by different ways, each of them; none if these are many."""
    ways, pending = [], [end]
    while pending:
        way = pending.pop()
        for symbol in sorted(way.symbols()):
            derivation = run.arithmetic.derivations.get(symbol)
            if derivation is not None and derivation.op == "blend" and all(v.exact for v in derivation.operands):
                pending += [pl.substitute(way, {symbol: v.poly}) for v in derivation.operands]
                break
        else:
            ways.append(way)
        if len(ways) + len(pending) > _MOST_WAYS:
            return []
    return ways


def _hull(amounts: list[Poly]) -> tuple[float, float]:
    ends = [pl.total_bounds(amount) for amount in amounts]
    return min(low for low, _ in ends), max(high for _, high in ends)


def _unit(amount: Poly) -> int:
    """The greatest number that the amount is known to be a multiple of."""
    unit = 0
    for monomial, coefficient in amount.terms.items():
        modulus, residue = pl.congruence(monomial) if monomial else (1, 0)
        share = gcd(modulus, residue) if monomial else 1
        unit = gcd(unit, share * int(np.gcd.reduce(np.abs(np.atleast_1d(np.asarray(coefficient))))))
    return unit
