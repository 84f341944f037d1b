"""Potentials at the entry as expressions for people: over one common denominator, rounded the sound way.

Costs are integers, so an upper bound may be rounded down and a lower bound up.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm

from analysis_core.bounds.program import Affine, CostProgram
from analysis_core.expressions.expression import (
    ZERO,
    Expression,
    add,
    ceil_div,
    floor_div,
    floor_log,
    integer,
    maximum,
    multiply,
    scale,
)
from analysis_core.lp.entailment import Facts
from analysis_core.lp.polynomials import Atom, Ceil, Log, Max, Poly
from analysis_core.lp.transitions import known_facts
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class Reader:
    """What is needed to turn potentials into expressions: the meaning of base functions and parameters, and what is
    known of these."""

    atoms: Mapping[str, Atom]
    parameters: Mapping[str, Expression]
    facts: Facts

    @staticmethod
    def of(program: CostProgram, atoms: Mapping[str, Atom]) -> Reader:
        return Reader(atoms, {p.name: p.stands_for for p in program.parameters}, Facts(known_facts(program)))

    def expression(self, potential: Poly, upper: bool, certainly_positive: bool = False) -> Expression:
        """The bound; a lower one is no less than 0, which `certainly_positive` says already."""
        common = lcm(*(Fraction(k).denominator for k in potential.values())) if potential else 1
        terms = [scale(int(k * common), multiply(*(self._factor(f) for f in m))) for m, k in sorted(potential.items())]
        total = add(*terms)
        if common != 1:
            total = (floor_div if upper else ceil_div)(total, integer(common))
        if upper or certainly_positive or all(k >= 0 and all(map(self._is_positive, m)) for m, k in potential.items()):
            return total
        return maximum(ZERO, total)

    def _is_positive(self, name: str) -> bool:
        return name in self.atoms or self.facts.implies(Affine(0, ((name, 1),)))

    def _factor(self, name: str) -> Expression:
        match self.atoms.get(name):
            case None:
                return self.parameters[name]
            case Max(e):
                return self._at_least_zero(e)
            case Ceil(e, d):
                return ceil_div(self._at_least_zero(e), self._affine(d))
            case Log(base, e, x):
                quotient = self._affine(e)
                if x != Affine(1):
                    quotient = floor_div(quotient, self._affine(x))
                # Below 1 the logarithm is -1: no rounds.
                return add(integer(1), floor_log(base, quotient))

    def _affine(self, a: Affine) -> Expression:
        return add(integer(a.constant), *(scale(c, self.parameters[n]) for n, c in a.terms))

    def _at_least_zero(self, e: Affine) -> Expression:
        return self._affine(e) if self.facts.implies(e) else maximum(ZERO, self._affine(e))
