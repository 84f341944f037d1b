"""What "the least bound" means: coefficients of the highest degree first, then the next.

Far out in a direction u of the parameters (sizes t*u for growing t) every base function is a polynomial in t, and ceilings
are half a step above their quotient on average; so every monomial of the entry's template has a coefficient for each degree of t
(and of log t).  Stage by stage the sum of these over a few directions is minimised, the highest degree first; the last stage
compares values at sizes that are not large.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from analysis_core.bounds.program import Affine
from analysis_core.lp.polynomials import Atom, Ceil, Log, Max, Monomial

Degree = tuple[int, int]
"""Powers of t and of log t."""

Growth = dict[Degree, float]

LARGE = 1 << 16
"""Ends of ranges from here on count as none: they are what a type allows, and would spoil the solver's numbers."""

_SIZES = ((97, 13, 1.0), (5, 3, 0.5), (1, 0, 0.2), (0, 0, 0.1))
"""(size of the first parameter, difference to the next, weight) for the last stage."""


def stages(
    monomials: Sequence[Monomial], atoms: Mapping[str, Atom], names: Iterable[str], known: Sequence[Affine]
) -> list[dict[Monomial, float]]:
    """The objectives in their order; each gives weights to the entry's monomials."""
    parameters = sorted(names)
    by_degree: dict[Degree, dict[Monomial, float]] = {}
    for u, base in _directions(parameters, known):
        growth = {name: _growth(atom, u, base) for name, atom in atoms.items()}
        growth.update({p: {(1, 0): u[p], (0, 0): base[p]} for p in parameters})
        for m in monomials:
            for d, weight in _product_growth(m, growth).items():
                if abs(weight) > 1e-12:
                    own = by_degree.setdefault(d, {})
                    own[m] = own.get(m, 0.0) + weight
    result = [by_degree[d] for d in sorted(by_degree, reverse=True)]
    weights: dict[Monomial, float] = {}
    for size, step, importance in _SIZES:
        for values in _points(parameters, known, size, step):
            found = {m: _value(m, atoms, values) for m in monomials}
            scale = importance / max(1.0, *map(abs, found.values()))
            for m, value in found.items():
                weights[m] = weights.get(m, 0.0) + scale * value
    result.append(weights)
    return result


def _directions(parameters: list[str], known: Sequence[Affine]) -> list[tuple[dict[str, float], dict[str, float]]]:
    """A few directions in which parameters can go on for ever, and where they start: those with two ends stay in between."""
    ends: dict[str, list[int]] = {p: [] for p in parameters}
    for f in known:
        if len(f.terms) == 1 and abs(f.constant) < LARGE and abs(f.terms[0][1]) == 1:
            ends[f.terms[0][0]].append(f.terms[0][1])
    fixed = {p for p in parameters if {1, -1} <= set(ends[p])}
    up = {p: 0.0 if p in fixed else 1.0 + 0.17 * i for i, p in enumerate(parameters)}
    down = {p: 0.0 if p in fixed else 1.0 + 0.17 * (len(parameters) - i) for i, p in enumerate(parameters)}
    found = [up, down]
    signed = [p for p in parameters if 1 not in ends[p]]
    if signed:
        found.append({p: -up[p] if p in signed else up[p] for p in parameters})
        found.extend({q: -up[q] if q == p else up[q] for q in parameters} for p in signed[:4] if len(signed) > 1)
    homogeneous = [(f, 0) for f in known if f.terms and abs(f.constant) < LARGE]
    starts = _points(parameters, known, 3, 1)
    base = {p: starts[0][p] if starts and p in fixed else 0.0 for p in parameters}
    return [(u, base) for u in (_repaired(u, homogeneous) for u in found) if u is not None]


def _points(parameters: list[str], known: Sequence[Affine], base: int, step: int) -> list[dict[str, float]]:
    start = {p: float(base + step * i) for i, p in enumerate(parameters)}
    other = {p: float(base + step * (len(parameters) - i)) for i, p in enumerate(parameters)}
    facts = [(f, f.constant) for f in known if f.terms]
    found = (_repaired(u, facts) for u in (start, other))
    return [{p: float(round(v)) for p, v in u.items()} for u in found if u is not None]


def _repaired(u: dict[str, float], facts: Iterable[tuple[Affine, int]]) -> dict[str, float] | None:
    """The vector moved onto the facts' side where it violates them (relaxation), or None."""
    facts = list(facts)
    for _ in range(40):
        moved = False
        for fact, constant in facts:
            value = constant + sum(c * u[n] for n, c in fact.terms)
            if value < -1e-9:
                norm = sum(c * c for _, c in fact.terms)
                for n, c in fact.terms:
                    u[n] -= c * value / norm
                moved = True
        if not moved:
            return u
    return u if all(c + sum(k * u[n] for n, k in f.terms) >= -1e-3 for f, c in facts) else None


def _line(e: Affine, u: Mapping[str, float], base: Mapping[str, float]) -> tuple[float, float]:
    """Slope and constant of `e` along a direction."""
    return sum(c * u[n] for n, c in e.terms), e.constant + sum(c * base[n] for n, c in e.terms)


def _growth(atom: Atom, u: Mapping[str, float], base: Mapping[str, float]) -> Growth:
    slope, rest = _line(atom.e, u, base)
    if slope < -1e-9:
        return {}
    if abs(slope) <= 1e-9:
        slope, rest = 0.0, max(0.0, rest)
    match atom:
        case Max():
            return {(1, 0): slope, (0, 0): rest}
        case Ceil(_, d):
            size, least = _line(d, u, base)
            if size > 1e-9:
                return {(0, 0): slope / size + 0.5}
            least = max(1.0, least)
            return {(1, 0): slope / least, (0, 0): (rest + (least - 1) / 2) / least}
        case Log():
            return {(0, 1): 1.0} if slope else {(0, 0): 1.0}


def _product_growth(m: Monomial, growth: Mapping[str, Growth]) -> Growth:
    total: Growth = {(0, 0): 1.0}
    for f in m:
        following: Growth = {}
        for (a, b), x in total.items():
            for (c, d), y in growth[f].items():
                following[a + c, b + d] = following.get((a + c, b + d), 0.0) + x * y
        total = following
    return total


def _value(m: Monomial, atoms: Mapping[str, Atom], values: Mapping[str, float]) -> float:
    result = 1.0
    for f in m:
        result *= _atom_value(atoms[f], values) if f in atoms else values[f]
    return result


def _atom_value(atom: Atom, values: Mapping[str, float]) -> float:
    def at(e: Affine) -> int:
        return round(e.constant + sum(c * values[n] for n, c in e.terms))

    match atom:
        case Max(e):
            return float(max(0, at(e)))
        case Ceil(e, d):
            return float(-(-max(0, at(e)) // max(1, at(d))))
        case Log(base, e, x):
            rounds, power = 0, max(1, at(x))
            while power <= at(e):
                rounds, power = rounds + 1, power * base
            return float(rounds)
