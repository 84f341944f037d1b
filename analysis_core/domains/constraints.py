"""From constraints on symbols to their ranges, their definitions and what remains between them.

A constraint says of an integer polynomial P that P >= 0, P == 0, P != 0, or that m divides P.  A `System` holds
constraints on block-uniform symbols whose present ranges (interval and congruence) it sharpens until nothing changes:

    c*x + R >= 0      x >= ceil(-max(R) / c)  for c > 0,  x <= floor(max(R) / -c)  for c < 0
    c*x + R == 0      both, and c*x = -R modulo whatever R is known by
    m | c*x + R       c*x = -R modulo m and what R is known by: one residue class of x modulo m' / gcd(c, m')

which is the reduced product of intervals and congruences (Granger 1989).  An empty range is a contradiction.  At the
end (`solve`) equations define symbols by others, as in `wB == wA` or `n == 2*m`, and inequalities between several
symbols are handed on as relations (relations.py).

Ends of ranges are Python integers or infinite, so nothing is rounded.  Tested by tests/properties/test_constraints.py
against all small values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from enum import Enum
from math import gcd

from analysis_core.domains import polynomial as pl
from analysis_core.domains.polynomial import Monomial, Poly
from analysis_core.domains.relations import NONE, Relations, lower_bounds, rewrite
from analysis_core.domains.symbol import Symbol
from analysis_core.text.records import dataclass

_ROUNDS = 24
"""Sharpening ends after so many rounds; what is missing then is precision, and at worst a contradiction unseen."""

End = int | float  # a float only where infinite


class Relation(Enum):
    AT_LEAST_ZERO = ">= 0"
    ZERO = "== 0"
    NONZERO = "!= 0"
    DIVISIBLE = "% m == 0"


@dataclass(frozen=True, slots=True, eq=False)
class Constraint:
    """`modulus` m for DIVISIBLE.  The polynomial has plain integers as coefficients."""

    relation: Relation
    poly: Poly
    modulus: int = 0


@dataclass(frozen=True, slots=True)
class Range:
    """low <= x <= high and x = residue (mod modulus).  Invariant of `System`: both ends are of the residue class."""

    low: End
    high: End
    modulus: int = 1
    residue: int = 0


@dataclass(frozen=True, slots=True)
class System:
    """The ranges of all symbols, and the constraints they satisfy."""

    ranges: Mapping[Symbol, Range]
    constraints: tuple[Constraint, ...] = ()


@dataclass(frozen=True, slots=True)
class Solution:
    """`ranges` of the symbols that stay; `defined`: the others, as polynomials of those; `relations` between them."""

    ranges: Mapping[Symbol, Range]
    defined: Mapping[Symbol, Poly] = field(default_factory=dict)
    relations: Relations = NONE


def start(ranges: Mapping[Symbol, Range]) -> System:
    return System(dict(ranges))


def extended(system: System, symbol: Symbol, range_: Range) -> System:
    """The system with a further symbol."""
    return replace(system, ranges={**system.ranges, symbol: range_})


def add(system: System, constraints: tuple[Constraint, ...]) -> System | None:
    """The system with further constraints; None if nothing satisfies them all (as far as that is seen)."""
    together = (*system.constraints, *constraints)
    ranges = dict(system.ranges)
    for _ in range(_ROUNDS):
        before = dict(ranges)
        if not all(_sharpen(ranges, constraint) for constraint in together):
            return None
        if ranges == before:
            break
    if _contradictory(ranges, together, constraints):
        return None
    return System(ranges, together)


def either(system: System, ways: Sequence[tuple[Constraint, ...]]) -> System | None:
    """The system where at least one group of constraints holds: of each symbol the least range that holds those of all ways.
    None if nothing satisfies any of them."""
    possible = [found for way in ways if (found := add(system, way)) is not None]
    if not possible:
        return None
    ranges = {symbol: _joined([found.ranges[symbol] for found in possible]) for symbol in system.ranges}
    return System(ranges, system.constraints)


def _joined(ranges: Sequence[Range]) -> Range:
    """The least interval and residue class that hold all of them."""
    first = ranges[0]
    modulus = gcd(*(r.modulus for r in ranges), *(r.residue - first.residue for r in ranges))
    fixed = [r.low for r in ranges if r.low == r.high and not isinstance(r.low, float)]
    if len(fixed) == len(ranges):  # numbers: whatever residue they have in common
        modulus = gcd(*(n - fixed[0] for n in fixed)) or first.modulus
        return Range(min(fixed), max(fixed), modulus, fixed[0] % modulus)
    return Range(min(r.low for r in ranges), max(r.high for r in ranges), modulus, first.residue % modulus)


# --- sharpening ---------------------------------------------------------------------------------------------------


def _sharpen(ranges: dict[Symbol, Range], constraint: Constraint) -> bool:
    """Applies one constraint to every symbol in it; False if it cannot hold."""
    poly = constraint.poly
    low, high = extent(poly, ranges)
    match constraint.relation:
        case Relation.AT_LEAST_ZERO:
            return high >= 0 and _at_least_zero(ranges, poly)
        case Relation.ZERO:
            if low > 0 or high < 0:
                return False
            return (
                _at_least_zero(ranges, poly) and _at_least_zero(ranges, pl.negate(poly)) and _congruent(ranges, poly, 0)
            )
        case Relation.NONZERO:
            return not (low == high == 0) and _nonzero(ranges, poly)
        case Relation.DIVISIBLE:
            return _congruent(ranges, poly, constraint.modulus)


def _linear(poly: Poly) -> list[tuple[Symbol, int, Poly]]:
    """Each symbol that occurs in one monomial only, alone: the symbol, its coefficient, the rest."""
    found = []
    for monomial, c in poly.terms.items():
        if len(monomial) == 1 and isinstance(c, int) and sum(monomial[0] in m for m in poly.terms) == 1:
            found.append((monomial[0], c, Poly({m: other for m, other in poly.terms.items() if m != monomial})))
    return found


def _at_least_zero(ranges: dict[Symbol, Range], poly: Poly) -> bool:
    for symbol, c, rest in _linear(poly):
        _, most = extent(rest, ranges)
        if isinstance(most, float):
            continue
        present = ranges[symbol]
        if c > 0:
            changed = replace(present, low=max(present.low, -(most // c)))
        else:
            changed = replace(present, high=min(present.high, most // -c))
        if not _set(ranges, symbol, changed):
            return False
    return True


def _nonzero(ranges: dict[Symbol, Range], poly: Poly) -> bool:
    """c*x + r != 0 for a number r: a range loses an end."""
    for symbol, c, rest in _linear(poly):
        low, high = extent(rest, ranges)
        if low != high or isinstance(low, float) or low % c:
            continue
        value, present = -low // c, ranges[symbol]
        if present.low == value:
            present = replace(present, low=value + 1)
        if present.high == value:
            present = replace(present, high=value - 1)
        if not _set(ranges, symbol, present):
            return False
    return True


def _congruent(ranges: dict[Symbol, Range], poly: Poly, modulus: int) -> bool:
    """P = 0 modulo `modulus` (0: exactly): a residue class for each symbol that occurs alone."""
    step, residue = congruence(poly, ranges)
    common = gcd(step, modulus)
    if (residue % common if common else residue) != 0:
        return False
    for symbol, c, rest in _linear(poly):
        step, residue = congruence(rest, ranges)
        common = gcd(step, modulus)
        if common < 2:
            continue
        shared = gcd(c, common)
        if residue % shared:
            return False
        own = common // shared
        if own > 1 and not _set(
            ranges, symbol, _met(ranges[symbol], own, -(residue // shared) * pow(c // shared, -1, own))
        ):
            return False
    return True


def _met(present: Range, modulus: int, residue: int) -> Range:
    """The range within a further residue class (Chinese remainders); an empty one where they exclude each other."""
    shared = gcd(present.modulus, modulus)
    if (residue - present.residue) % shared:
        return Range(1, 0)
    together = present.modulus // shared * modulus
    other = modulus // shared
    steps = (residue - present.residue) // shared * pow(present.modulus // shared, -1, other) if other > 1 else 0
    return replace(present, modulus=together, residue=(present.residue + steps * present.modulus) % together)


def _set(ranges: dict[Symbol, Range], symbol: Symbol, changed: Range) -> bool:
    """Enters a range, its ends moved into its residue class; False if it is empty."""
    low, high, m = changed.low, changed.high, changed.modulus
    if isinstance(low, int):
        low += (changed.residue - low) % m
    if isinstance(high, int):
        high -= (high - changed.residue) % m
    ranges[symbol] = Range(low, high, m, changed.residue)
    return low <= high


# --- questions ----------------------------------------------------------------------------------------------------


def extent(poly: Poly, ranges: Mapping[Symbol, Range]) -> tuple[End, End]:
    """The least and greatest value of a polynomial over the ranges, monomial by monomial."""
    low: End = 0
    high: End = 0
    for monomial, c in poly.terms.items():
        assert isinstance(c, int)
        first, second = _monomial_extent(monomial, ranges)
        ends = (_product(c, first), _product(c, second))
        low, high = low + min(ends), high + max(ends)
    return low, high


def _monomial_extent(monomial: Monomial, ranges: Mapping[Symbol, Range]) -> tuple[End, End]:
    low: End = 1
    high: End = 1
    for symbol in monomial:
        corners = [_product(a, b) for a in (low, high) for b in (ranges[symbol].low, ranges[symbol].high)]
        low, high = min(corners), max(corners)
    if len(monomial) == 2 and monomial[0] is monomial[1]:
        low = max(low, 0)
    return low, high


def _product(a: End, b: End) -> End:
    return 0 if a == 0 or b == 0 else a * b


def congruence(poly: Poly, ranges: Mapping[Symbol, Range]) -> tuple[int, int]:
    """(modulus, residue) of a polynomial; modulus 0: exactly the residue."""
    modulus = residue = 0
    for monomial, c in poly.terms.items():
        assert isinstance(c, int)
        m, r = 0, c
        for symbol in monomial:
            present = ranges[symbol]
            sm, sr = present.modulus, present.residue
            if present.low == present.high and isinstance(present.low, int):
                sm, sr = 0, present.low
            m, r = gcd(m * sm, gcd(m * sr, r * sm)), r * sr
            r = r % m if m else r
        modulus, residue = gcd(modulus, m), residue + r
    return modulus, residue % modulus if modulus else residue


def _contradictory(
    ranges: Mapping[Symbol, Range], together: tuple[Constraint, ...], added: tuple[Constraint, ...]
) -> bool:
    """Whether a constraint that was added and the others that order several symbols exclude each other, as n < m and
    m < n do."""
    ordered = [p for c in together for p in _ordering(c) if len(p.terms) > 1]
    if len(ordered) < 2:
        return False
    _, moved = _concrete(ranges)
    relations = Relations(tuple(rewrite(p, moved) for p in ordered))
    opposites = (pl.add(pl.negate(rewrite(p, moved)), pl.constant(-1)) for c in added for p in _ordering(c))
    return any(float(lower_bounds(p, relations)) >= 0 for p in opposites)


def _concrete(ranges: Mapping[Symbol, Range]) -> tuple[list[Symbol], dict[Monomial, Poly]]:
    """Symbols that carry the present ranges themselves, in place of those of the system."""
    fresh = [with_range(symbol, range_) for symbol, range_ in ranges.items()]
    return fresh, {(old,): pl.of_symbol(new) for old, new in zip(ranges, fresh, strict=True)}


def with_range(symbol: Symbol, range_: Range) -> Symbol:
    """The symbol anew with another range."""
    low = range_.low if isinstance(range_.low, int) else None
    high = range_.high if isinstance(range_.high, int) else None
    return replace(symbol, low=low, high=high, modulus=range_.modulus, residue=range_.residue)


def _ordering(constraint: Constraint) -> tuple[Poly, ...]:
    """The polynomials that a constraint says are not negative."""
    match constraint.relation:
        case Relation.AT_LEAST_ZERO:
            return (constraint.poly,)
        case Relation.ZERO:
            return (constraint.poly, pl.negate(constraint.poly))
        case Relation.NONZERO | Relation.DIVISIBLE:
            return ()


# --- the solution -------------------------------------------------------------------------------------------------


def solve(system: System, rank: Mapping[Symbol, int]) -> Solution:
    """Definitions, ranges and relations.  `rank`: equations define the symbols of high rank by those of low rank, of
    equals the younger; a symbol without a rank is never defined by others."""
    constraints = list(system.constraints)
    defined: dict[Symbol, Poly] = {}
    while (found := _equation(constraints, rank)) is not None:
        symbol, poly, used = found
        value: dict[Monomial, Poly] = {(symbol,): poly}
        defined = {s: rewrite(p, value) for s, p in defined.items()}
        defined[symbol] = poly
        bounds = _bounds_of(symbol, system.ranges[symbol], system.ranges)
        others = [c for c in constraints if c is not used]
        constraints = [replace(c, poly=rewrite(c.poly, value)) for c in (*others, *bounds)]
    left = {s: r for s, r in system.ranges.items() if s not in defined}
    ordered = [p for c in constraints for p in _ordering(c)]
    kept = {p.key(): p for p in (_tightened(p, left) for p in ordered) if extent(p, left)[0] < 0}
    nonzero = tuple(c.poly for c in constraints if c.relation is Relation.NONZERO and not c.poly.is_constant)
    return Solution(left, defined, Relations(tuple(kept.values()), nonzero))


def _equation(constraints: list[Constraint], rank: Mapping[Symbol, int]) -> tuple[Symbol, Poly, Constraint] | None:
    """The first equation that defines a symbol, the symbol, and what it is."""
    for constraint in constraints:
        if constraint.relation is not Relation.ZERO:
            continue
        candidates = [(s, c, rest) for s, c, rest in _linear(constraint.poly) if abs(c) == 1 and s in rank]
        if candidates:
            symbol, c, rest = max(candidates, key=lambda found: (rank[found[0]], found[0].number))
            return symbol, pl.scale(rest, -c), constraint
    return None


def _bounds_of(symbol: Symbol, range_: Range, ranges: Mapping[Symbol, Range]) -> list[Constraint]:
    """What the range of a symbol says, to be said of what defines it."""
    found = []
    x = pl.of_symbol(symbol)
    if isinstance(range_.low, int):
        found.append(Constraint(Relation.AT_LEAST_ZERO, pl.add(x, pl.constant(-range_.low))))
    if isinstance(range_.high, int):
        found.append(Constraint(Relation.AT_LEAST_ZERO, pl.subtract(pl.constant(range_.high), x)))
    return found


def _tightened(poly: Poly, ranges: Mapping[Symbol, Range]) -> Poly:
    """P >= 0 for a P that is known to be r modulo m says P >= r: what is sure beyond 0 is taken off the constant."""
    modulus, residue = congruence(poly, ranges)
    return pl.add(poly, pl.constant(-residue)) if modulus > 1 and residue else poly
