"""One of two threads at its access: its address, what it waits for, and what its values are made of, as formulas of a solver."""

from __future__ import annotations

from contextlib import suppress
from math import gcd
from typing import TYPE_CHECKING

import numpy as np

from analysis_core.domains import condition as cond
from analysis_core.domains.condition import Atom, Relation
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Coefficient, Monomial, Poly
from analysis_core.domains.symbol import Symbol, SymbolKind
from analysis_core.domains.thread_value import Integer
from analysis_core.races import linear
from analysis_core.races.linear import (
    FALSE,
    TRUE,
    Linear,
    both,
    either,
    equal,
    implied,
    negated,
    plus,
    term,
    times,
)
from analysis_core.races.occurrences import GRID_EXTENT, Occurrence
from analysis_core.races.thread_formulas import Open, Thread

if TYPE_CHECKING:
    from analysis_core.races.formulas import Formulas


class Side:
    """One of the two threads at its access."""

    def __init__(self, formulas: Formulas, occurrence: Occurrence, thread: Thread, number: int) -> None:
        self._formulas, self.occurrence, self.thread, self.number = formulas, occurrence, thread, number
        self._lanes = occurrence.event.mask.may

    def poly(self, poly: Poly) -> Linear:
        """The thread's value. Raises `Open`."""
        return self._sum(dict(poly.terms))

    def _sum(self, terms: dict[Monomial, Coefficient]) -> Linear:
        """The sum, with shared sizes factored out: of `row*w + col` the product of w and all of the row."""
        parts: list[Linear] = []
        while (wide := _widest(terms)) is not None:
            inner = {_without(m, wide): c for m, c in terms.items() if wide in m}
            terms = {m: c for m, c in terms.items() if wide not in m}
            common = gcd(*(int(np.gcd.reduce(np.atleast_1d(c))) for c in inner.values())) or 1
            rows = self._sum({m: c // common for m, c in inner.items()})
            parts.append(times(common, self._formulas.product([self._formulas.unknown(self, wide), rows])))
        for monomial, coefficient in terms.items():
            factors = [self._formulas.unknown(self, symbol) for symbol in monomial]
            if isinstance(coefficient, int):
                parts.append(times(coefficient, self._formulas.product(factors)))
            else:
                parts.append(self._formulas.product([self.thread.vector(coefficient, self._lanes), *factors]))
        return plus(*parts)

    def value(self, value: Integer) -> Linear:
        """The thread's value. Raises `Open`."""
        if not value.exact:
            raise Open
        return self.poly(self.occurrence.in_round(value.poly))

    def waits(self) -> list[str]:
        """What the thread waits for, as far as there are formulas for it."""
        found = []
        with suppress(Open):
            found.append(self.thread.inside(self._lanes))
        for entry in self.occurrence.event.mask.literals:
            with suppress(Open):
                found.append(implied(self.thread.inside(entry.scope | ~self._lanes), self.condition(entry.formula)))
        return found

    def condition(self, c: cond.Condition) -> str:
        """The condition, or something weaker."""
        result = self._formula(c)
        if bool(np.any(c.false & self._lanes)):
            with suppress(Open):
                result = both([result, negated(self.thread.inside(c.false))])
        if bool(np.any(c.true & self._lanes)):
            result = either([result, self.thread.inside(c.true)])
        return result

    def _formula(self, c: cond.Condition) -> str:
        if c.atom is not None:
            try:
                holds = self._atom(c.atom)
            except Open:
                self._formulas.data |= c.atom.data
                return TRUE
            return holds if c.positive else negated(holds)
        if not c.parts:
            return FALSE
        return (both if c.all_of else either)([self.condition(part) for part in c.parts])

    def _atom(self, atom: Atom) -> str:
        if atom.poly is None:
            raise Open
        value = self.poly(self.occurrence.in_round(atom.poly))
        return linear.below(value, {}) if atom.relation is Relation.NEGATIVE else equal(value, {})

    def _exactly(self, c: cond.Condition) -> str:
        """The condition itself. Raises `Open`."""
        if c.atom is not None:
            holds = self._atom(c.atom)
            result = holds if c.positive else negated(holds)
        else:
            result = (both if c.all_of else either)([self._exactly(part) for part in c.parts]) if c.parts else FALSE
        result = both([result, negated(self.thread.inside(c.false))])
        return either([result, self.thread.inside(c.true)])

    def is_result(self, unknown: Linear, derivation: Derivation) -> str:
        """That the unknown is the result of the operation. Raises `Open`."""
        found = f"(= {term(unknown)} {self._result(derivation)})"
        if derivation.settled is None:
            return found
        lanes, elsewhere = derivation.settled
        here = self.thread.inside(lanes)
        return both([implied(here, found), either([here, equal(unknown, self.poly(elsewhere))])])

    def _result(self, derivation: Derivation) -> str:
        """The result of the operation, as a term. Raises `Open`."""
        if derivation.condition is not None and derivation.op in ("choice", "blend"):
            chosen = [linear.number(1), linear.number(0)]
            if derivation.op == "blend":
                chosen = [self.value(operand) for operand in derivation.operands]
            return f"(ite {self._exactly(derivation.condition)} {term(chosen[0])} {term(chosen[1])})"
        if len(derivation.operands) != 2:
            raise Open
        op = derivation.op
        a, b = (self.value(operand) for operand in derivation.operands)
        match op:
            case "floor/" | "floor%":  # z3's division rounds down for positive divisors, which these have
                return f"({'div' if op == 'floor/' else 'mod'} {term(a)} {term(b)})"
            case "min" | "max":
                least, most = (a, b) if op == "min" else (b, a)
                return f"(ite {linear.below(a, b)} {term(least)} {term(most)})"
            case "/" | "%":
                quotient = f"(ite {linear.at_least(a, {})} (div {term(a)} {term(b)}) (- (div (- {term(a)}) {term(b)})))"
                return quotient if op == "/" else f"(- {term(a)} (* {term(b)} {quotient}))"
            case ">>":
                return f"(div {term(a)} {1 << _small(b)})"
            case "&":
                bits = linear.value_of(b)
                if bits is None or bits < 0 or bits & (bits + 1):
                    raise Open
                return f"(mod {term(a)} {bits + 1})"
            case _:
                raise Open


def _small(by: Linear) -> int:
    """The number of bits. Raises `Open`."""
    count = linear.value_of(by)
    if count is None or not 0 <= count < 63:
        raise Open
    return count


def _widest(terms: dict[Monomial, Coefficient]) -> Symbol | None:
    """The size that most of the products have in them; None if there is none."""
    counts: dict[Symbol, int] = {}
    for monomial, coefficient in terms.items():
        if len(monomial) > 1 or not isinstance(coefficient, int):
            for symbol in set(monomial):
                if symbol.kind is SymbolKind.PARAMETER or symbol.name.startswith(GRID_EXTENT):
                    counts[symbol] = counts.get(symbol, 0) + 1
    return min(counts, key=lambda symbol: (-counts[symbol], symbol.number), default=None)


def _without(monomial: Monomial, symbol: Symbol) -> Monomial:
    """The product without one of these factors."""
    place = monomial.index(symbol)
    return (*monomial[:place], *monomial[place + 1 :])
