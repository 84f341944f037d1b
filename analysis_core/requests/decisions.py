"""Decisions: into which cases to split so that a derived symbol becomes a polynomial (see case_split.py).

Each function takes a derivation whose operands have been computed in the present case, and gives alternatives that cover
all values of the symbols (None: no decision would help).  They replace one symbol by a polynomial over a fresh one:

    residue     P = c[t] + U modulo d:  U = g*U' with g = gcd(coefficients, d);  U' = (d/g)*q + r, solved for a symbol s
                of U' that stands alone with a coefficient prime to d/g; else s = m*q + r for one symbol after the other
    threshold   c[t] + V < 0 (or == 0):  V = -v, with v between two neighbouring constants, solved in the same way
    quotient    (c[t] + U) / n over a spread of S:  n = 1 .. S;  else at most one step within the warp, at p in 1 .. S,
                where n = R + p for the remainder R of the first lane, or nowhere
    value       a symbol of few values takes each of them

Over-approximation: what the replaced symbol was bounded by is kept only through the bounds of the polynomial that was
solved for, so infeasible cases may be costed, which makes the worst no smaller.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import gcd, inf, isfinite

import numpy as np

from analysis_core.domains import condition as cond
from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Condition, Relation
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Coefficient, Poly
from analysis_core.domains.shape import WARP, BoolVector, IntVector, distinct_numbers, some
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.domains.thread_value import finite
from analysis_core.requests.case_run import WARP_NAME, Alternative, CaseRun, Quotient

_MOST_RESIDUES = 128
_MOST_VALUES = 33
_MOST_SPREAD = 64
_EXACT_FLOAT = 2.0**52


def decide(run: CaseRun, symbol: Symbol) -> list[Alternative] | None:
    """The cases that settle `symbol`, a lane's own value that was derived in this case."""
    derivation = run.arithmetic.derivations.get(symbol)
    if derivation is None:
        return None
    inner = _innermost(run, derivation)
    if inner is not None:
        return decide(run, inner)
    if any(s.level is Level.LANE for s in _used(derivation)):
        return None  # it has a value for each lane that could not be derived again: no case says what they are
    choice = _innermost_choice(run, derivation)
    if choice is not None:
        chosen = run.arithmetic.derivations[choice].condition
        made = None if chosen is None else _of_condition(run, chosen)
        return made or [Alternative({choice: pl.constant(v)}) for v in (0, 1)]
    operands = [v.poly for v in derivation.operands]
    if not all(v.exact for v in derivation.operands) and derivation.op not in ("&", "|", "^"):
        return None  # bits are those of the value modulo 2^w, whatever wraps around
    match derivation.op:
        case "/" | "%" if operands[1].is_constant and some(run.sign(operands[0], Relation.NEGATIVE).undecided):
            everywhere = np.ones(WARP, dtype=bool)
            return thresholds(run, operands[0], Relation.NEGATIVE, everywhere) or _values(run, operands)
        case "floor/" | "floor%" | "/" | "%" if operands[1].is_constant and isinstance(operands[1].constant, int):
            return residues(run, operands[0], abs(operands[1].constant)) or _values(run, operands)
        case "/" | "%":
            return quotients(run, operands[0], operands[1]) or _values(run, operands)
        case "&" | "|" | "^":
            return _values(run, operands) or _low_bits(run, operands)
        case "choice" | "blend":
            assert derivation.condition is not None
            return _of_condition(run, derivation.condition)
        case "min" | "max":
            difference = pl.subtract(operands[0], operands[1])
            return _values(run, _derived_in(run, difference)) or thresholds(
                run, difference, Relation.NEGATIVE, np.ones(WARP, dtype=bool)
            )
        case "<<" | ">>":
            return _values(run, operands) or residues(run, operands[0], _power(operands[1]))
        case _:
            return _values(run, operands)


def _innermost(run: CaseRun, derivation: Derivation) -> Symbol | None:
    """A lane's own symbol among the operands: it is settled first."""
    used = _used(derivation)
    return min((s for s in used if s.level is Level.LANE and s in run.arithmetic.derivations), default=None)


def _innermost_choice(run: CaseRun, derivation: Derivation) -> Symbol | None:
    """A common value that depends on which way a condition went: the condition is decided first, which says more than
    the choice alone."""
    used = _used(derivation)
    found = (s for s in used if s.is_choice and s.level is not Level.LANE and s in run.arithmetic.derivations)
    return min(found, default=None)


def _used(derivation: Derivation) -> set[Symbol]:
    used = {s for v in derivation.operands for s in v.poly.symbols()}
    return used if derivation.condition is None else used | cond.symbols(derivation.condition)


def _of_condition(run: CaseRun, condition: Condition) -> list[Alternative] | None:
    """The first atom of the formula that can be decided."""
    for atom in cond.atoms(condition):
        if atom.poly is not None and any(s.level is not Level.LANE for s in atom.poly.symbols()):
            found = _values(run, _derived_in(run, atom.poly))
            if found is None:
                found = thresholds(run, atom.poly, atom.relation, condition.undecided)
            if found is None:
                found = _values(run, [atom.poly])
            if found is not None:
                return found
    return None


def _derived_in(run: CaseRun, poly: Poly) -> list[Poly]:
    """The symbols in it that are functions of others, such as how often `n - 1` wraps around: a threshold is not solved
    for what they depend on."""
    return [pl.of_symbol(s) for s in sorted(poly.symbols()) if s in run.arithmetic.derivations]


# --- residues -----------------------------------------------------------------------------------------------------


def residues(run: CaseRun, dividend: Poly, d: int) -> list[Alternative] | None:
    """The cases by the residue modulo d of the part of the dividend that the lanes share."""
    if d < 2:
        return None
    terms = {m: c for m, c in dividend.terms.items() if m and not _is_multiple(c, pl.congruence(m)[0], d)}
    if not terms:
        return None
    if all(isinstance(c, int) for c in terms.values()):
        g = gcd(d, *(c for c in terms.values() if isinstance(c, int)))
        uniform = Poly({m: c // g for m, c in terms.items() if isinstance(c, int)})
        few = any(True for _ in _values_of(uniform.symbols()))
        if d // g > _MOST_RESIDUES:
            return None
        if len(terms) > 1 and not few and d // g > 1 and (alone := _alone(run, uniform, d // g)) is not None:
            return list(_solved(run, uniform, alone, d // g))
    symbol = min((s for m in terms for s in m), key=_range)
    common = gcd(d, *(int(v) for m, c in terms.items() if symbol in m for v in distinct_numbers(np.asarray(c))))
    return _residues_of(run, symbol, d // common)


def _is_multiple(coefficient: Coefficient, modulus: int, d: int) -> bool:
    """Whether the coefficient of every lane, times the modulus, is a multiple of d, however large these numbers are."""
    numbers = [coefficient] if isinstance(coefficient, int) else coefficient.tolist()
    return all(number * modulus % d == 0 for number in numbers)


def _residues_of(run: CaseRun, symbol: Symbol, m: int) -> list[Alternative] | None:
    """symbol = step*q + r, for the residues that its congruence and its range allow."""
    values = possible_values(symbol)
    if values is not None and len(values) <= m:
        return [Alternative({symbol: pl.constant(v)}) for v in values]
    step = m * symbol.modulus // gcd(m, symbol.modulus)
    if step // symbol.modulus > _MOST_RESIDUES:
        return None
    found = []
    for r in range(symbol.residue, step, symbol.modulus):
        low = None if symbol.low is None else -((r - symbol.low) // step)
        high = None if symbol.high is None else (symbol.high - r) // step
        if low is not None and high is not None and low > high:
            continue
        q = run.fresh.symbol(("residue", symbol, step), f"{symbol.name}/{step}", symbol.level, low, high)
        value = pl.add(pl.scale(pl.of_symbol(q), step), pl.constant(r))
        found.append(Alternative({symbol: value}, residue=(symbol, step, r)))
    return found


def _solved(run: CaseRun, uniform: Poly, alone: Symbol, m: int) -> Iterator[Alternative]:
    """uniform = k*s + rest is r modulo m just if  s = m*q + (r - rest)/k  modulo m, for each r."""
    coefficient = uniform.terms[(alone,)]
    assert isinstance(coefficient, int)
    rest = _without(uniform, alone)
    inverse = pow(coefficient, -1, m) if abs(coefficient) != 1 else coefficient
    low, high = (finite(end) if abs(end) < _EXACT_FLOAT else None for end in pl.total_bounds(uniform))
    for r in range(m):
        first = last = None
        if coefficient == 1:  # then q is the quotient of the whole, and has its bounds
            first = None if low is None else -((r - low) // m)
            last = None if high is None else (high - r) // m
            if first is not None and last is not None and first > last:
                continue
        q = run.fresh.symbol(("solved", uniform.key(), m), "q", pl.level(uniform), first, last)
        value = pl.scale(pl.subtract(pl.constant(r), rest), inverse)
        yield Alternative({alone: pl.add(pl.scale(pl.of_symbol(q), m), value)})


def _alone(run: CaseRun, uniform: Poly, m: int = 0) -> Symbol | None:
    """A symbol that occurs once, by itself, with a coefficient that can be divided by (modulo m): parameters last, since
    cases are told by them."""
    found = [
        monomial[0]
        for monomial, c in uniform.terms.items()
        if len(monomial) == 1 and isinstance(c, int) and gcd(c, m) == 1
    ]
    usable = [s for s in found if sum(run.depends(other, s) for monomial in uniform.terms for other in monomial) == 1]
    return min(usable, key=lambda s: (s.kind is SymbolKind.PARAMETER, s.number), default=None)


def _without(equation: Poly, symbol: Symbol) -> Poly:
    return Poly({m: c for m, c in equation.terms.items() if m != (symbol,)})


def _solve(equation: Poly, symbol: Symbol, value: Poly) -> Poly:
    """The symbol, from  equation = value, where its coefficient is 1 or -1."""
    return pl.scale(pl.subtract(value, _without(equation, symbol)), equation.terms[(symbol,)])


# --- thresholds ---------------------------------------------------------------------------------------------------


def thresholds(run: CaseRun, difference: Poly, relation: Relation, lanes: BoolVector) -> list[Alternative] | None:
    """The cases by where the value that the lanes share lies among the lanes' constants."""
    constants = pl.coefficient_vector(difference.constant, WARP)
    rest = {m: c for m, c in difference.terms.items() if m}
    if not rest or any(not isinstance(c, int) or any(s.level is Level.LANE for s in m) for m, c in rest.items()):
        return None
    if relation is Relation.OPAQUE:
        return None
    g = gcd(*(c for c in rest.values() if isinstance(c, int)))
    uniform = Poly({m: c // g for m, c in rest.items() if isinstance(c, int)})
    low, high = (-end for end in reversed(pl.total_bounds(uniform)))  # of v = -uniform
    found = []
    alone = _alone(run, uniform)
    everywhere = np.ones(WARP, dtype=bool)
    for first, last in _positions(constants, lanes if alone is not None else everywhere, relation, g):
        first, last = max(first, low), min(last, high)
        if first > last:
            continue
        if alone is None:
            truth = _truth(constants, relation, g, first, last)
            if truth is None:
                return None
            found.append(Alternative(truth_key=(relation, difference.key()), truth=truth))
            continue
        ends = (int(first) if isfinite(first) else None, int(last) if isfinite(last) else None)
        if ends[0] is not None and ends[0] == ends[1]:
            v = pl.constant(ends[0])
        else:
            symbol = run.fresh.symbol(("threshold", uniform.key()), "v", pl.level(uniform), *ends)
            v = pl.of_symbol(symbol)
        found.append(Alternative({alone: _solve(uniform, alone, pl.negate(v))}))
    return found if len(found) > 1 else None  # one case only decides nothing


def _positions(constants: IntVector, lanes: BoolVector, relation: Relation, g: int) -> Iterator[tuple[float, float]]:
    """The ranges of v within which no lane's answer changes, where the test is  c < g*v  or  c == g*v."""
    cuts = distinct_numbers(constants[lanes]).tolist()
    if relation is Relation.ZERO:
        before: float = -inf
        for c in cuts:
            if c % g:
                continue
            yield before, c // g - 1
            yield c // g, c // g
            before = c // g + 1
        yield before, inf
        return
    before = -inf
    for c in cuts:  # c < g*v from v = c // g + 1 on
        yield before, c // g
        before = c // g + 1
    yield before, inf


def _truth(constants: IntVector, relation: Relation, g: int, first: float, last: float) -> BoolVector | None:
    """The answer of every lane, which is the same for all v of the range."""
    v = first if isfinite(first) else last
    if not isfinite(v):
        return np.zeros(WARP, dtype=bool) if relation is Relation.ZERO else None
    return constants < g * int(v) if relation is Relation.NEGATIVE else constants == g * int(v)


# --- quotients ----------------------------------------------------------------------------------------------------


def quotients(run: CaseRun, dividend: Poly, divisor: Poly) -> list[Alternative] | None:
    """The cases of (c[t] + U) / n for a symbol n: n is 1 .. S, or the quotient steps up at most once within the warp."""
    symbol = next(iter(divisor.symbols()), None)
    if symbol is None or not pl.equal(divisor, pl.of_symbol(symbol)) or symbol.level is Level.LANE:
        return None
    rest = Poly({m: c for m, c in dividend.terms.items() if m})
    if any(not isinstance(c, int) or any(s.level is Level.LANE for s in m) for m, c in rest.terms.items()):
        return None
    if symbol in rest.symbols() or pl.total_bounds(dividend)[0] < 0 or symbol.low is None or symbol.low < 0:
        return None
    constants = pl.coefficient_vector(dividend.constant, WARP)
    least, spread = int(constants.min()), int(constants.max() - constants.min())
    if spread > _MOST_SPREAD:
        return None
    most = spread if symbol.high is None else min(spread, symbol.high)
    small = range(max(1, symbol.low), most + 1)
    found = [Alternative({symbol: pl.constant(n)}) for n in small if n % symbol.modulus == symbol.residue]
    if symbol.high is not None and symbol.high <= spread:
        return found
    first = pl.add(rest, pl.constant(least))
    key = ("quotient", dividend.key(), symbol)
    level = Level(max(pl.level(first), symbol.level))
    quotient = run.fresh.symbol((*key, "q"), "row", level, 0, None)
    product = pl.multiply(pl.of_symbol(quotient), divisor)
    whole = Quotient(first, divisor, quotient, pl.subtract(first, product), None, spread)
    found.append(Alternative(quotient=whole))
    for p in range(1, spread + 1):
        remainder = run.fresh.symbol((*key, "r"), "column", level, max(0, spread + 1 - p), None)
        replaced = {symbol: pl.add(pl.of_symbol(remainder), pl.constant(p))}
        step = Quotient(first, divisor, quotient, pl.of_symbol(remainder), p, spread)
        found.append(Alternative(replaced, quotient=step))
    return found


# --- values -------------------------------------------------------------------------------------------------------


def possible_values(symbol: Symbol) -> tuple[int, ...] | None:
    """The values of the symbol, where they are few."""
    if symbol.values is not None:
        return symbol.values
    if symbol.low is None or symbol.high is None or symbol.high - symbol.low >= _MOST_VALUES:
        return None
    return tuple(v for v in range(symbol.low, symbol.high + 1) if v % symbol.modulus == symbol.residue)


def _values_of(symbols: Iterable[Symbol]) -> Iterator[Symbol]:
    """The common symbols of few values, oldest first."""
    for s in sorted(symbols):
        if (
            s.level is not Level.LANE
            and s.name != WARP_NAME
            and (values := possible_values(s)) is not None
            and len(values) <= _MOST_VALUES
        ):
            yield s


def _values(run: CaseRun, operands: list[Poly]) -> list[Alternative] | None:
    """Each value of a common symbol that has few."""
    symbol = next(_values_of({s for poly in operands for s in poly.symbols()}), None)
    if symbol is None:
        return None
    return [Alternative({symbol: pl.constant(v)}) for v in possible_values(symbol) or ()]


def _range(symbol: Symbol) -> tuple[float, int]:
    wide = inf if symbol.low is None or symbol.high is None else symbol.high - symbol.low
    return (len(symbol.values) if symbol.values is not None else wide, symbol.number)


def _low_bits(run: CaseRun, operands: list[Poly]) -> list[Alternative] | None:
    """The low bits of the operands, as many as the lanes' constants differ in: 7 and 8 differ in four."""
    varying = 1
    for poly in operands:
        constants = pl.coefficient_vector(poly.constant, WARP)
        varying |= int(np.bitwise_or.reduce(np.bitwise_xor(constants, constants[0])))
    if varying < 0:
        return None
    m = 1 << varying.bit_length()
    for poly in operands:
        found = residues(run, poly, m)
        if found is not None:
            return found
    return None


def _power(amount: Poly) -> int:
    c = amount.constant if amount.is_constant else 0
    return 1 << c if isinstance(c, int) and 0 < c < 16 else 0
