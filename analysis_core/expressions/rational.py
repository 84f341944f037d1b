"""Expressions as sums of products with fractions for coefficients: what comparing and printing share.

An expression is integer, but `ceil(w/32)` is plainly w/32 where w is a multiple of 32, and a bound on it is a fraction
everywhere.  The atoms of a product are symbols, and quotients, extremes and logarithms taken whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import prod

from analysis_core.expressions.expression import (
    CeilDiv,
    Expression,
    FloorDiv,
    FloorLog,
    Integer,
    Maximum,
    Minimum,
    Modulo,
    Product,
    Sum,
    Symbol,
    fold,
    to_text,
)

Atoms = tuple[Expression, ...]
Rational = Mapping[Atoms, Fraction]
"""Product of atoms (ordered) -> coefficient, never 0."""

_MOST_TERMS = 64
"""Products of sums with more terms than that stay whole."""


def number(value: int | Fraction) -> Rational:
    return {(): Fraction(value)} if value else {}


def plus(*parts: Rational) -> Rational:
    """The sum, with like terms collected."""
    sums: dict[Atoms, Fraction] = {}
    for part in parts:
        for atoms, coefficient in part.items():
            sums[atoms] = sums.get(atoms, Fraction(0)) + coefficient
    return {atoms: coefficient for atoms, coefficient in sums.items() if coefficient}


def times(a: Rational, b: Rational) -> Rational:
    """The product."""
    return plus(*({ordered((*x, *y)): c * d} for x, c in a.items() for y, d in b.items()))


def scaled(factor: int | Fraction, a: Rational) -> Rational:
    return {atoms: factor * coefficient for atoms, coefficient in a.items()} if factor else {}


def ordered(atoms: Iterable[Expression]) -> Atoms:
    """Symbols before the rest, by text."""
    return tuple(sorted(atoms, key=lambda atom: (not isinstance(atom, Symbol), to_text(atom))))


def rational(expression: Expression, multiples: Mapping[str, int] | None = None) -> Rational:
    """The expression as a sum of products.  `multiples`: symbols that are multiples of a number, by which quotients come
    out even."""
    known = multiples or {}

    def combine(node: Expression, parts: tuple[Rational, ...]) -> Rational:
        match node:
            case Integer(value):
                return number(value)
            case Sum():
                return plus(*parts)
            case Product():
                if prod(len(part) for part in parts) > _MOST_TERMS:
                    return _whole(node)
                result = number(1)
                for part in parts:
                    result = times(result, part)
                return result
            case CeilDiv() | FloorDiv() | Modulo():
                return _quotient(node, parts[0], parts[1], known)
            case Symbol() | FloorLog() | Maximum() | Minimum():
                return _whole(node)

    return fold(expression, combine)


def _whole(node: Expression) -> Rational:
    return {(node,): Fraction(1)}


def _quotient(
    node: CeilDiv | FloorDiv | Modulo, dividend: Rational, divisor: Rational, known: Mapping[str, int]
) -> Rational:
    """A quotient that comes out even but for a constant, by a constant; else the node whole."""
    if set(divisor) != {()} or (d := divisor[()]).denominator != 1 or d <= 0:
        return _whole(node)
    even = {atoms: c for atoms, c in dividend.items() if atoms and _is_multiple(atoms, c, int(d), known)}
    rest = dividend.get((), Fraction(0))
    if len(even) + (() in dividend) != len(dividend) or rest.denominator != 1:
        return _whole(node)
    match node:
        case CeilDiv():
            return plus(scaled(1 / d, even), number(-(-rest // d)))
        case FloorDiv():
            return plus(scaled(1 / d, even), number(rest // d))
        case Modulo():
            return number(rest % d)


def _is_multiple(atoms: Atoms, coefficient: Fraction, divisor: int, known: Mapping[str, int]) -> bool:
    """Whether the term is a multiple of the divisor: all atoms are integers, some of them multiples of a number."""
    sure = coefficient * prod(known.get(atom.name, 1) for atom in atoms if isinstance(atom, Symbol))
    return (sure / divisor).denominator == 1
