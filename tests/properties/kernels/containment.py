"""Whether what a warp did lies in what the interpreter said of it: addresses in polynomials, decisions in conditions.

The contract is existential: for every executed request there must be one event of that access, whatever its round or
path, whose mask holds the lanes and whose address holds their values, for *some* values of the symbols that stand for
unknowns.  Symbols that the run knows (parameters, blockIdx, gridDim, base addresses) get their numbers; then for each
event, with R = address - known part and unknown monomials m with lane coefficients c:

    bounds      R lies in the interval sum of c*m's
    agreement   lanes without symbols of their own and with equal coefficients have equal R (modulo 2^bits)
    rank        over those lanes, R = C*M has a rational solution M
    congruence  R is what the congruences of the symbols allow
    solution    a single unknown symbol has an integer value within its range and congruence

Choices (0 or 1) that a warp makes alike are tried both ways.  Nothing of the engine's own arithmetic is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import gcd, inf

import numpy as np
import numpy.typing as npt

from analysis_core.domains.condition import Condition, Relation
from analysis_core.domains.polynomial import Monomial, Poly
from analysis_core.domains.symbol import Level, Symbol, SymbolKind

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_MOST_CHOICES = 4


@dataclass(frozen=True)
class Known:
    """What the run knows: numbers of symbols by name, for one block of one sample."""

    numbers: Mapping[str, int]

    def of(self, symbol: Symbol) -> int | None:
        """The symbol's number; None if it stands for something that the analysis does not know."""
        if symbol.kind in (SymbolKind.PARAMETER, SymbolKind.GRID, SymbolKind.BASE):
            return self.numbers.get(symbol.name)
        return None


def holds(poly: Poly, bits: int | None, warp: int, lanes: Bools, values: list[int], known: Known) -> bool:
    """Whether the values of the warp's lanes lie in the polynomial; `values` in the order of the lanes set."""
    terms, rest = _unknown_terms(poly, warp, lanes, values, known)
    choices = sorted({s for m in terms for s in m if s.is_choice and s.level is not Level.LANE})
    if len(choices) > _MOST_CHOICES:
        choices = []
    for taken in product((0, 1), repeat=len(choices)):
        chosen = dict(zip(choices, taken))
        if _fits(*_substituted(terms, rest, chosen), bits):
            return True
    return False


def truth(condition: Condition, warp: int, known: Known) -> list[bool | None]:
    """The condition's truth per lane of the warp; None where it rests on something unknown."""
    row = slice(32 * warp, 32 * warp + 32)
    formula: list[bool | None] = [None] * 32
    if condition.atom is not None and condition.atom.poly is not None:
        terms, rest = _unknown_terms(condition.atom.poly, warp, np.ones(32, dtype=bool), [0] * 32, known)
        if not terms:
            zero = condition.atom.relation is Relation.ZERO
            formula = [((r == 0) if zero else (r > 0)) is condition.positive for r in rest]
    elif condition.parts:
        parts = [truth(part, warp, known) for part in condition.parts]
        formula = [_connected([p[lane] for p in parts], condition.all_of) for lane in range(32)]
    true, false = condition.true[row], condition.false[row]
    return [True if t else False if f else said for t, f, said in zip(true.tolist(), false.tolist(), formula)]


def _connected(parts: list[bool | None], all_of: bool) -> bool | None:
    ends = (not all_of) in parts
    if ends:
        return not all_of
    return None if None in parts else all_of


def _signed(value: int) -> int:
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def _unknown_terms(
    poly: Poly, warp: int, lanes: Bools, values: list[int], known: Known
) -> tuple[dict[Monomial, list[int]], list[int]]:
    """The monomials of unknown symbols with the coefficients of the lanes, and values minus the known part."""
    at = np.flatnonzero(lanes) + 32 * warp
    rest = list(values)
    terms: dict[Monomial, list[int]] = {}
    for monomial, coefficient in poly.terms.items():
        column = [coefficient] * len(at) if isinstance(coefficient, int) else coefficient[at].tolist()
        factor, open_symbols = 1, []
        for symbol in monomial:
            number = known.of(symbol)
            if number is None:
                open_symbols.append(symbol)
            else:
                factor *= number
        key = tuple(open_symbols)
        column = [c * factor for c in column]
        if not key:
            rest = [r - c for r, c in zip(rest, column)]
        elif key in terms:
            terms[key] = [a + b for a, b in zip(terms[key], column)]
        else:
            terms[key] = column
    return {m: c for m, c in terms.items() if any(c)}, rest


def _substituted(
    terms: dict[Monomial, list[int]], rest: list[int], chosen: dict[Symbol, int]
) -> tuple[dict[Monomial, list[int]], list[int]]:
    if not chosen:
        return terms, rest
    found: dict[Monomial, list[int]] = {}
    for monomial, column in terms.items():
        if any(chosen.get(s) == 0 for s in monomial):
            continue
        key = tuple(s for s in monomial if s not in chosen)
        if not key:
            rest = [r - c for r, c in zip(rest, column)]
        else:
            found[key] = [a + b for a, b in zip(found[key], column)] if key in found else column
    return {m: c for m, c in found.items() if any(c)}, rest


def _fits(terms: dict[Monomial, list[int]], rest: list[int], bits: int | None) -> bool:
    ring = 1 << (64 if bits is None else bits)
    if not terms:
        return all(r % ring == 0 for r in rest)
    if bits is None:
        rest = [_signed(r) for r in rest]
    own = [any(c[i] and any(s.level is Level.LANE for s in m) for m, c in terms.items()) for i in range(len(rest))]
    common = [i for i in range(len(rest)) if not own[i]]
    columns = list(terms.values())
    if not _agree(columns, rest, common, ring) or not _congruent(terms, rest, ring):
        return False
    if bits is not None:
        return True
    return _in_bounds(terms, rest) and _solvable(columns, rest, common) and _single_solution(terms, rest, common)


def _agree(columns: list[list[int]], rest: list[int], common: list[int], ring: int) -> bool:
    seen: dict[tuple[int, ...], int] = {}
    for i in common:
        key = tuple(c[i] % ring for c in columns)
        if seen.setdefault(key, rest[i] % ring) != rest[i] % ring:
            return False
    return True


def _congruence(monomial: Monomial) -> tuple[int, int]:
    """(step, residue): the product is residue plus a multiple of step."""
    step, residue = 0, 1
    for s in monomial:
        step = gcd(step * s.modulus, gcd(step * s.residue, s.modulus * residue))
        residue *= s.residue
    return step, residue


def _congruent(terms: dict[Monomial, list[int]], rest: list[int], ring: int) -> bool:
    known = [(_congruence(m), c) for m, c in terms.items()]
    for i, r in enumerate(rest):
        step = ring
        for (modulus, residue), column in known:
            step = gcd(step, column[i] * modulus)
            r -= column[i] * residue
        if r % step:
            return False
    return True


def _range(monomial: Monomial) -> tuple[float, float]:
    low: float = 1
    high: float = 1
    for s in monomial:
        ends = (-inf if s.low is None else s.low, inf if s.high is None else s.high)
        corners = [0 if a == 0 or b == 0 else a * b for a in (low, high) for b in ends]
        low, high = min(corners), max(corners)
    return low, high


def _in_bounds(terms: dict[Monomial, list[int]], rest: list[int]) -> bool:
    ranges = {m: _range(m) for m in terms}
    for i, r in enumerate(rest):
        low: float = 0
        high: float = 0
        for m, column in terms.items():
            ends = [0 if column[i] == 0 or end == 0 else column[i] * end for end in ranges[m]]
            low, high = low + min(ends), high + max(ends)
        if not low <= r <= high:
            return False
    return True


def _solvable(columns: list[list[int]], rest: list[int], common: list[int]) -> bool:
    """Whether the rows (coefficients | R) of the lanes have a rational solution, by elimination."""
    rows = {(*(c[i] for c in columns), rest[i]) for i in common}
    left = [[Fraction(v) for v in row] for row in rows]
    for column in range(len(columns)):
        pivot = next((row for row in left if row[column]), None)
        if pivot is None:
            continue
        left = [
            row if not row[column] else [a - b * row[column] / pivot[column] for a, b in zip(row, pivot)]
            for row in left
            if row is not pivot
        ]
    return all(not row[-1] for row in left)


def _single_solution(terms: dict[Monomial, list[int]], rest: list[int], common: list[int]) -> bool:
    """One unknown symbol: its value is known, so all that is said of it can be checked."""
    if len(terms) > 1 or len(next(iter(terms))) > 1:
        return True
    ((symbol,), column) = next(iter(terms.items()))
    found = set()
    for i, r in enumerate(rest):
        if not column[i]:
            if r:
                return False
            continue
        if r % column[i]:
            return False
        value = r // column[i]
        if (symbol.low is not None and value < symbol.low) or (symbol.high is not None and value > symbol.high):
            return False
        if value % symbol.modulus != symbol.residue:
            return False
        if i in common:
            found.add(value)
    return len(found) <= 1
