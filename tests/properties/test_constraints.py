"""Constraints on symbols against all small values: no solution is lost, and what is known of the rest holds."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from analysis_core.domains import polynomial as pl
from analysis_core.domains.constraints import Constraint, Range, Relation, add, congruence, extent, solve, start
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.relations import Relations, bounds, is_never_zero, lower_bounds
from analysis_core.domains.symbol import Level, Symbol, SymbolKind

LOW, HIGH = -2, 4
SYMBOLS = tuple(Symbol(i, name, Level.BLOCK, SymbolKind.PARAMETER, LOW, HIGH) for i, name in enumerate("xyz"))
MONOMIALS = [(), *((s,) for s in SYMBOLS), (SYMBOLS[0], SYMBOLS[1])]
ALL = tuple(product(range(LOW, HIGH + 1), repeat=3))

polys = st.dictionaries(st.sampled_from(MONOMIALS), st.integers(-4, 4).filter(bool), max_size=3).map(Poly)
constraints = st.builds(Constraint, st.sampled_from(list(Relation)), polys, st.integers(1, 8))


def value(poly: Poly, point: tuple[int, ...]) -> int:
    total = 0
    for monomial, c in poly.terms.items():
        assert isinstance(c, int)
        for symbol in monomial:
            c *= point[symbol.number]
        total += c
    return total


def holds(constraint: Constraint, point: tuple[int, ...]) -> bool:
    v = value(constraint.poly, point)
    match constraint.relation:
        case Relation.AT_LEAST_ZERO:
            return v >= 0
        case Relation.ZERO:
            return v == 0
        case Relation.NONZERO:
            return v != 0
        case Relation.DIVISIBLE:
            return v % constraint.modulus == 0


def inside(range_: Range, v: int) -> bool:
    return range_.low <= v <= range_.high and (v - range_.residue) % range_.modulus == 0


@given(st.lists(constraints, min_size=1, max_size=4))
def test_no_solution_is_lost(said: list[Constraint]) -> None:
    points = [p for p in ALL if all(holds(c, p) for c in said)]
    system = add(start({s: Range(LOW, HIGH) for s in SYMBOLS}), tuple(said))
    if system is None:
        assert not points
        return
    solution = solve(system, dict.fromkeys(SYMBOLS, 0))
    for point in points:
        for symbol, range_ in system.ranges.items():
            assert inside(range_, point[symbol.number])
        for symbol, poly in solution.defined.items():
            assert not poly.symbols() & solution.defined.keys()
            assert value(poly, point) == point[symbol.number]
        for poly in solution.relations.nonnegative:
            assert poly.symbols() <= solution.ranges.keys()
            assert value(poly, point) >= 0
        for poly in solution.relations.nonzero:
            assert value(poly, point) != 0


@given(polys)
def test_extent_and_congruence_hold(poly: Poly) -> None:
    ranges = {s: Range(LOW + s.number, HIGH, 2, (LOW + s.number) % 2) for s in SYMBOLS}
    low, high = extent(poly, ranges)
    modulus, residue = congruence(poly, ranges)
    for point in ALL:
        if all(inside(r, point[s.number]) for s, r in ranges.items()):
            v = value(poly, point)
            assert low <= v <= high
            assert v == residue if modulus == 0 else (v - residue) % modulus == 0


linear = st.dictionaries(st.sampled_from(MONOMIALS[:4]), st.integers(-4, 4).filter(bool), max_size=4).map(Poly)


@given(linear, st.lists(linear, max_size=3), st.lists(st.integers(-9, 9), min_size=4, max_size=4))
def test_bounds_by_relations_hold(poly: Poly, relations: list[Poly], lanes: list[int]) -> None:
    known = Relations(tuple(relations))
    poly = pl.add(poly, pl.constant(np.array(lanes, dtype=np.int64)))
    low, high = (np.broadcast_to(np.asarray(end), 4) for end in bounds(poly, known))
    constant = pl.coefficient_vector(poly.constant, 4)
    rest = Poly({m: c for m, c in poly.terms.items() if m})
    for point in ALL:
        if all(value(r, point) >= 0 for r in relations):
            values = constant + value(rest, point)
            assert (low <= values).all() and (values <= high).all()


def test_ranges_of_typical_assumptions() -> None:
    n, w, m = SYMBOLS
    wide = start({s: Range(0, 1 << 31) for s in SYMBOLS})
    of_n, of_w, of_m = map(pl.of_symbol, (n, w, m))
    aligned = add(wide, (Constraint(Relation.DIVISIBLE, of_n, 32), Constraint(Relation.NONZERO, of_n)))
    assert aligned is not None and aligned.ranges[n] == Range(32, 1 << 31, 32, 0)
    doubled = add(wide, (Constraint(Relation.ZERO, pl.subtract(of_n, pl.scale(of_m, 2))),))
    assert doubled is not None and doubled.ranges[n].modulus == 2
    assert pl.equal(solve(doubled, {n: 0, m: 0, w: 0}).defined[n], pl.scale(of_m, 2))
    # The later of two equal parameters is defined by the earlier one.
    same = add(wide, (Constraint(Relation.ZERO, pl.subtract(of_n, of_w)),))
    assert same is not None and list(solve(same, {n: 0, w: 0, m: 0}).defined) == [w]
    # x < y and y < x exclude each other although no range is empty.
    less = Constraint(Relation.AT_LEAST_ZERO, pl.add(pl.subtract(of_w, of_n), pl.constant(-1)))
    more = Constraint(Relation.AT_LEAST_ZERO, pl.add(pl.subtract(of_n, of_w), pl.constant(-1)))
    assert add(wide, (less,)) is not None and add(wide, (less, more)) is None


def test_a_bound_over_two_relations() -> None:
    """blocks of 16 over n = 16 * grid: 16*b + lane < n for every lane below 16."""
    b, g, n = (Symbol(i, name, Level.BLOCK, SymbolKind.PARAMETER, 0, None) for i, name in enumerate("bgn"))
    of_b, of_g, of_n = map(pl.of_symbol, (b, g, n))
    known = Relations(
        (pl.subtract(pl.subtract(of_g, of_b), pl.constant(1)), pl.subtract(of_n, pl.scale(of_g, 16))),
        (pl.subtract(of_n, of_b),),
    )
    lanes = np.array([0, 15, 16], dtype=np.int64)
    rest = pl.subtract(pl.subtract(of_n, pl.scale(of_b, 16)), pl.constant(lanes + 1))
    assert list(np.asarray(lower_bounds(rest, known))) == [15, 0, -1]
    assert is_never_zero(pl.subtract(of_b, of_n), known)
