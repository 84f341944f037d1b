"""One of two threads at its access: its address, what it waits for, and what its values are made of, as formulas of z3."""

from __future__ import annotations

from contextlib import suppress
from math import gcd
from typing import TYPE_CHECKING, Any

import numpy as np
import z3

from analysis_core.domains import condition as cond
from analysis_core.domains.condition import Atom, Relation
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Coefficient, Monomial, Poly
from analysis_core.domains.symbol import Symbol, SymbolKind
from analysis_core.domains.thread_value import Integer
from analysis_core.races.occurrences import GRID_EXTENT, Occurrence
from analysis_core.races.thread_formulas import Open, Thread

if TYPE_CHECKING:
    from analysis_core.races.formulas import Formulas


class Side:
    """One of the two threads at its access."""

    def __init__(self, formulas: Formulas, occurrence: Occurrence, thread: Thread, number: int) -> None:
        self._formulas, self.occurrence, self.thread, self.number = formulas, occurrence, thread, number
        self._lanes = occurrence.event.mask.may

    def poly(self, poly: Poly) -> Any:
        """The thread's value, a number or a formula. Raises `Open`."""
        return self._sum(dict(poly.terms))

    def _sum(self, terms: dict[Monomial, Coefficient]) -> Any:
        """The sum, with shared sizes factored out: of `row*w + col` the product of w and all of the row."""
        total: Any = 0
        while (wide := _widest(terms)) is not None:
            inner = {_without(m, wide): c for m, c in terms.items() if wide in m}
            terms = {m: c for m, c in terms.items() if wide not in m}
            common = gcd(*(int(np.gcd.reduce(np.atleast_1d(c))) for c in inner.values())) or 1
            rows = self._sum({m: c // common for m, c in inner.items()})
            total = total + common * self._formulas.product([self._formulas.unknown(self, wide), rows])
        for monomial, coefficient in terms.items():
            factors = [self._formulas.unknown(self, symbol) for symbol in monomial]
            if isinstance(coefficient, int):
                total = total + coefficient * self._formulas.product(factors)
            else:
                total = total + self._formulas.product([self.thread.vector(coefficient, self._lanes), *factors])
        return total

    def value(self, value: Integer) -> Any:
        if not value.exact:
            raise Open
        found = self.poly(self.occurrence.in_round(value.poly))
        return z3.IntVal(found, self._formulas.context) if isinstance(found, int) else found

    def waits(self) -> list[Any]:
        """What the thread waits for, as far as there are formulas for it."""
        found = []
        if not np.array_equal(self._lanes, self._formulas.shape.real):
            with suppress(Open):
                found.append(self.thread.inside(self._lanes))
        for entry in self.occurrence.event.mask.literals:
            with suppress(Open):
                found.append(z3.Implies(self.thread.inside(entry.scope), self.condition(entry.formula)))
        return found

    def condition(self, c: cond.Condition) -> Any:
        """The condition, or something weaker."""
        inner = self._formula(c)
        result = inner
        if bool(np.any(c.false & self._lanes)):
            with suppress(Open):
                result = z3.And(result, z3.Not(self.thread.inside(c.false)))
        if bool(np.any(c.true & self._lanes)):
            result = z3.Or(result, self.thread.inside(c.true))
        return result

    def _formula(self, c: cond.Condition) -> Any:
        if c.atom is not None:
            try:
                holds = self._atom(c.atom)
            except Open:
                self._formulas.data |= c.atom.data
                return z3.BoolVal(True, self._formulas.context)
            return holds if c.positive else z3.Not(holds)
        if not c.parts:
            return z3.BoolVal(False, self._formulas.context)
        return (z3.And if c.all_of else z3.Or)([self.condition(part) for part in c.parts], self._formulas.context)

    def _atom(self, atom: Atom) -> Any:
        if atom.poly is None:
            raise Open
        value = self.poly(self.occurrence.in_round(atom.poly))
        return value < 0 if atom.relation is Relation.NEGATIVE else value == 0

    def derived(self, derivation: Derivation) -> Any:
        """The result of the operation. Raises `Open`."""
        if derivation.settled is not None:
            raise Open
        op = derivation.op
        if op in ("choice", "blend"):
            raise Open
        a, b = (
            (self.value(operand) for operand in derivation.operands) if len(derivation.operands) == 2 else (None, None)
        )
        if a is None or b is None:
            raise Open
        match op:
            case "floor/" | "floor%":
                return _floored(a, b, op)
            case "min":
                return z3.If(a < b, a, b)
            case "max":
                return z3.If(a < b, b, a)
            case "/" | "%":
                quotient = z3.If(a >= 0, a / b, -((-a) / b))
                return quotient if op == "/" else a - b * quotient
            case ">>":
                return self._shifted(a, derivation.operands[1])
            case "&":
                return self._low_bits(a, derivation.operands[1])
            case _:
                raise Open

    def _shifted(self, a: Any, by: Integer) -> Any:
        count = by.poly.constant
        if not by.poly.is_constant or not isinstance(count, int) or not 0 <= count < 63:
            raise Open
        return a / z3.IntVal(1 << count, self._formulas.context)

    def _low_bits(self, a: Any, mask: Integer) -> Any:
        bits = mask.poly.constant
        if not mask.poly.is_constant or not isinstance(bits, int) or bits < 0 or bits & (bits + 1):
            raise Open
        return a % z3.IntVal(bits + 1, self._formulas.context)


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


def _floored(a: Any, b: Any, op: str) -> Any:
    """z3's division rounds down for positive divisors, which these have."""
    return a / b if op == "floor/" else a % b
