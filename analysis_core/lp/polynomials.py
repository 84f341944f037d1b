"""Base functions and polynomials over them: what potentials are made of.

A *factor* is a name: of a variable, a parameter, a choice, or of a base function (an `Atom`), whose name spells it out
between braces ("max{n - i}"), so that no variable can be taken for one.  A monomial is an ordered tuple of factors, a polynomial
a dictionary from monomials to exact numbers without zeros.

    Max(e)          max(0, e)
    Ceil(e, d)      max(0, e) / d, rounded up                                   for d >= 1
    Log(c, e, x)    rounds of `while (x <= e) x *= c`, or of `while (x <= e) e /= c`:
                    floor_log(c, e // x) + 1, and 0 where e < x                 for x >= 1

All are integers and never negative.  `e` is affine over variables and parameters; so is `x`; `d` is a number or affine over
parameters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from analysis_core.bounds.program import Affine, put
from analysis_core.bounds.program_text import affine_text
from analysis_core.text.records import dataclass

Number = int | Fraction
Monomial = tuple[str, ...]
Poly = dict[Monomial, Number]

UNIT: Monomial = ()


@dataclass(frozen=True, slots=True)
class Max:
    e: Affine


@dataclass(frozen=True, slots=True)
class Ceil:
    e: Affine
    d: Affine


@dataclass(frozen=True, slots=True)
class Log:
    base: int
    e: Affine
    x: Affine


Atom = Max | Ceil | Log


def name_of(atom: Atom) -> str:
    """The factor that stands for a base function."""
    match atom:
        case Max(e):
            return f"max{{{affine_text(e)}}}"
        case Ceil(e, d):
            return f"ceil{{({affine_text(e)}) / ({affine_text(d)})}}"
        case Log(base, e, x):
            return f"log{base}{{({affine_text(e)}) / ({affine_text(x)})}}"


def image(atom: Atom, update: Mapping[str, Affine]) -> Atom:
    """The base function after an assignment, in terms of the values before it."""
    match atom:
        case Max(e):
            return Max(put(e, update))
        case Ceil(e, d):
            return Ceil(put(e, update), d)
        case Log(base, e, x):
            return Log(base, put(e, update), put(x, update))


def atom_names(atom: Atom) -> set[str]:
    """The variables and parameters in a base function."""
    match atom:
        case Max(e):
            return {n for n, _ in e.terms}
        case Ceil(e, d):
            return {n for n, _ in (*e.terms, *d.terms)}
        case Log(_, e, x):
            return {n for n, _ in (*e.terms, *x.terms)}


# --- arithmetic ---------------------------------------------------------------------------------------------------


def poly_of(a: Affine) -> Poly:
    result: Poly = {(name,): c for name, c in a.terms}
    if a.constant:
        result[UNIT] = a.constant
    return result


def factor(name: str) -> Poly:
    return {(name,): 1}


def accumulate(total: Poly, k: Number, p: Mapping[Monomial, Number]) -> None:
    """total += k * p, in place."""
    for m, c in p.items():
        value = total.get(m, 0) + k * c
        if value:
            total[m] = value
        else:
            total.pop(m, None)


def combine(parts: Iterable[tuple[Number, Mapping[Monomial, Number]]]) -> Poly:
    """The sum of k * p."""
    total: Poly = {}
    for k, p in parts:
        accumulate(total, k, p)
    return total


def product(p: Mapping[Monomial, Number], q: Mapping[Monomial, Number]) -> Poly:
    total: Poly = {}
    for m, a in p.items():
        for n, b in q.items():
            key: Monomial
            if len(m) == len(n) == 1:  # most are
                key = (*m, *n) if m <= n else (*n, *m)
            else:
                key = tuple(sorted(m + n)) if m and n else m or n
            value = total.get(key, 0) + a * b
            if value:
                total[key] = value
            else:
                total.pop(key, None)
    return total


def degree(p: Iterable[Monomial]) -> int:
    return max((len(m) for m in p), default=0)


def replaced(m: Monomial, values: Mapping[str, Poly]) -> Poly:
    """A monomial with some of its factors replaced by polynomials."""
    kept = tuple(f for f in m if f not in values)
    result: Poly = {kept: 1}
    if len(kept) != len(m):
        for f in m:
            if f in values:
                result = product(result, values[f])
    return result
