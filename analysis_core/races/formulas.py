"""Addresses and conditions of two threads as formulas of z3, over integers.

A thread is a number, or unknown; then a vector over threads is a linear function of threadIdx, if it is one, and a set of
threads some ranges of their numbers.  A symbol is one unknown for both threads if they share it, else one for each.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from math import prod
from typing import Any

import numpy as np
import z3

from analysis_core.domains.condition import Atom, Condition, Relation
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import WARP, BoolVector, IntVector, Shape
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.domains.thread_value import Integer
from analysis_core.races.occurrences import OWN, Occurrence
from analysis_core.races.smt import Answer

_MOST_RANGES = 40
_DEEPEST = 12


class _Open(Exception):
    """Something has no formula."""


class Thread:
    """One of the two: its coordinates as numbers or unknowns."""

    def __init__(self, name: str, shape: Shape, number: int | None) -> None:
        self._shape = shape
        self.known = number
        x, y, _ = shape.dims
        if number is None:
            self.at = [z3.Int(f"{name}.{axis}") if n > 1 else z3.IntVal(0) for axis, n in zip("xyz", shape.dims)]
        else:
            self.at = [z3.IntVal(int(axis[number])) for axis in shape.thread]
        self.number = self.at[0] + x * (self.at[1] + y * self.at[2])
        self.limits = [z3.And(at >= 0, at < n) for at, n in zip(self.at, shape.dims)] if number is None else []

    def vector(self, numbers: IntVector, lanes: BoolVector) -> Any:
        """The thread's entry. Raises `_Open` if it is no linear function of threadIdx on the lanes."""
        if self.known is not None:
            return z3.IntVal(int(numbers[self.known]))
        linear = _linear(numbers, lanes, self._shape)
        if linear is None:
            raise _Open
        *slopes, start = linear
        return sum((slope * at for slope, at in zip(slopes, self.at) if slope), z3.IntVal(start))

    def inside(self, lanes: BoolVector) -> Any:
        """Whether the thread is one of these. Raises `_Open` if they lie in too many ranges."""
        if self.known is not None:
            return z3.BoolVal(bool(lanes[self.known]))
        edges = np.flatnonzero(np.diff(np.concatenate(([0], (lanes & self._shape.real).astype(np.int8), [0]))))
        if len(edges) > 2 * _MOST_RANGES:
            raise _Open
        starts, ends = edges[::2], edges[1::2]
        return z3.Or([z3.And(self.number >= int(a), self.number < int(b)) for a, b in zip(starts, ends)])


def _linear(numbers: IntVector, lanes: BoolVector, shape: Shape) -> tuple[int, ...] | None:
    """Slopes along x, y and z and the start of a linear function that gives the numbers on the lanes."""
    chosen = np.flatnonzero(lanes)
    if not len(chosen):
        return (0, 0, 0, 0)
    rows = np.stack([*(axis[chosen] for axis in shape.thread), np.ones(len(chosen), dtype=np.int64)], axis=1)
    wanted = numbers[chosen]
    found, *_ = np.linalg.lstsq(rows.astype(float), wanted.astype(float), rcond=None)
    whole = np.rint(found).astype(np.int64)
    return tuple(int(n) for n in whole) if np.array_equal(rows @ whole, wanted) else None


class Formulas:
    """The unknowns of one question, and what is known of them."""

    def __init__(self, derivations: Mapping[Symbol, Derivation], shape: Shape) -> None:
        self._derivations, self.shape = derivations, shape
        self._unknowns: dict[tuple[Symbol, object], Any] = {}
        self._facts: list[Any] = []
        self._made: dict[tuple[int, ...], Any] = {}
        self._products: list[Any] = []
        self._rows: list[tuple[Any, list[Any]]] = []
        self._depth = 0

    def answer(
        self, one: Occurrence, other: Occurrence, first: int | None, second: int | None, across: bool, work: int
    ) -> Answer:
        """Whether the two threads can make their accesses, and meet if they are unknown."""
        threads = Thread("a", self.shape, first), Thread("b", self.shape, second)
        sides = Side(self, one, threads[0], 0), Side(self, other, threads[1], 1)
        wanted = []
        if first is None:
            try:
                wanted = self._meet(sides, across)
            except _Open:
                return Answer(None, lost=True, cause="an address is no linear function of the thread's numbers")
        for side in sides:
            wanted += [*side.thread.limits, *side.waits()]
        model = self._model(wanted, work)
        if model is False:
            return Answer(False)
        data = any(s.kind is SymbolKind.DATA for s, _ in self._unknowns)
        lost = any(s.kind in (SymbolKind.UNKNOWN, SymbolKind.CHOICE) for s, _ in self._unknowns)
        if model is None:
            return Answer(None, data=data, lost=True, cause="the solver does not decide it")
        met = None
        if first is None:
            one_number, other_number = (_number(model, thread.number) for thread in threads)
            met = one_number, other_number
        return Answer(True, self._values(model), met, data, lost)

    def _model(self, wanted: list[Any], work: int) -> Any:
        """Values under which all holds; False if there are none, None if the solver does not know. First all products are unknowns of
        their own; if their meanings are too much for the solver, values without them are a candidate still."""
        try:
            return self._solved(wanted, work)
        except z3.Z3Exception:  # It is out of memory, or was told too much.
            return None

    def _solved(self, wanted: list[Any], work: int) -> Any:
        solver = z3.Solver()
        solver.set("rlimit", work)
        solver.add(*wanted, *self._facts)
        result = solver.check()
        if result != z3.sat:
            return False if result == z3.unsat else None
        linear = solver.model()
        if not self._products:
            return linear
        solver.add(*self._products)
        result = solver.check()
        if result == z3.unsat:
            return False
        return solver.model() if result == z3.sat else linear

    def _values(self, model: Any) -> dict[str, int]:
        named = (SymbolKind.PARAMETER, SymbolKind.GRID)
        return {
            symbol.name: _number(model, unknown)
            for (symbol, _), unknown in self._unknowns.items()
            if symbol.kind in named
        }

    def _meet(self, sides: tuple[Side, Side], across: bool) -> list[Any]:
        """Different threads, or threads of different warps, touch one byte."""
        one, other = sides
        distance = other.poly(other.occurrence.address) - one.poly(one.occurrence.address)
        if any(side.occurrence.event.address.bits is not None for side in sides):
            distance = distance + (1 << 32) * z3.Int("wraps")
        low, high = -other.occurrence.event.access.width, one.occurrence.event.access.width
        apart = one.thread.number != other.thread.number
        if across:
            apart = one.thread.number / WARP != other.thread.number / WARP
        return [apart, distance > low, distance < high]

    def unknown(self, side: Side, symbol: Symbol) -> Any:
        """The unknown that stands for a symbol in a thread."""
        version = side.occurrence.version_in_address(symbol)
        who: object = (side.number, version) if version == OWN or symbol.level is Level.LANE else version
        if symbol.level is Level.WARP and version != OWN:
            who = (side.number, version)
        key = (symbol, who)
        known = self._unknowns.get(key)
        if known is None:
            known = self._unknowns[key] = z3.Int(f"{symbol.name}#{len(self._unknowns)}")
            self._know(side, symbol, known)
        return known

    def product(self, factors: list[Any]) -> Any:
        """The product as an unknown of its own, so that all else is linear; what it is made of is told the solver later."""
        varying = [factor for factor in factors if not z3.is_int_value(z3.simplify(factor))]
        number = prod(z3.simplify(factor).as_long() for factor in factors if z3.is_int_value(z3.simplify(factor)))
        if len(varying) < 2:
            return number * varying[0] if varying else z3.IntVal(number)
        key = tuple(sorted(factor.get_id() for factor in varying))
        known = self._made.get(key)
        if known is None:
            known = z3.Int(f"product#{len(self._made)}")
            self._relate(known, varying)
            self._made[key] = known
        return number * known

    def _relate(self, product: Any, factors: list[Any]) -> None:
        """What is linear of a product: its sign, and the row lemma: `w*r` and `w*s` are at least w apart where r and s differ."""
        whole = factors[0]
        for factor in factors[1:]:
            whole = whole * factor
        self._products.append(product == whole)
        self._facts.append(z3.Implies(z3.And([factor >= 0 for factor in factors]), product >= 0))
        self._facts.append(z3.Implies(z3.Or([factor == 0 for factor in factors]), product == 0))
        if len(factors) != 2:
            return
        for other, theirs in self._rows:
            for w, r, v, s in ((a, b, c, d) for a, b in _orders(factors) for c, d in _orders(theirs)):
                if w.eq(v):
                    self._facts += [
                        z3.Implies(z3.And(w >= 0, r > s), product >= other + w),
                        z3.Implies(z3.And(w >= 0, s > r), other >= product + w),
                        z3.Implies(r == s, product == other),
                    ]
        self._rows.append((product, factors))

    def _know(self, side: Side, symbol: Symbol, unknown: Any) -> None:
        facts = self._facts
        if symbol.low is not None:
            facts.append(unknown >= symbol.low)
        if symbol.high is not None:
            facts.append(unknown <= symbol.high)
        if symbol.modulus > 1:
            facts.append(unknown == symbol.modulus * z3.Int(f"{unknown}/") + symbol.residue)
        if symbol.values is not None:
            facts.append(z3.Or([unknown == value for value in symbol.values]))
        if symbol.name.startswith("blockIdx."):
            extent = z3.Int(symbol.name.replace("blockIdx", "gridDim") + "#")
            facts.append(unknown < extent)
        derivation = self._derivations.get(symbol)
        if derivation is not None and self._depth < _DEEPEST:
            self._depth += 1
            with suppress(_Open):
                facts.append(unknown == side.derived(derivation))
            self._depth -= 1


class Side:
    """One of the two threads at its access."""

    def __init__(self, formulas: Formulas, occurrence: Occurrence, thread: Thread, number: int) -> None:
        self._formulas, self.occurrence, self.thread, self.number = formulas, occurrence, thread, number
        self._lanes = occurrence.event.mask.may

    def poly(self, poly: Poly) -> Any:
        """The thread's value. Raises `_Open`."""
        total: Any = z3.IntVal(0)
        for monomial, coefficient in poly.terms.items():
            factors = [self._formulas.unknown(self, symbol) for symbol in monomial]
            if isinstance(coefficient, int):
                total = total + coefficient * self._formulas.product(factors)
            else:
                total = total + self._formulas.product([self.thread.vector(coefficient, self._lanes), *factors])
        return total

    def value(self, value: Integer) -> Any:
        if not value.exact:
            raise _Open
        return self.poly(self.occurrence.in_round(value.poly))

    def waits(self) -> list[Any]:
        """What the thread waits for, as far as there are formulas for it."""
        found = []
        if not np.array_equal(self._lanes, self._formulas.shape.real):
            with suppress(_Open):
                found.append(self.thread.inside(self._lanes))
        for entry in self.occurrence.event.mask.literals:
            with suppress(_Open):
                found.append(z3.Implies(self.thread.inside(entry.scope), self.condition(entry.formula)))
        return found

    def condition(self, c: Condition) -> Any:
        """The condition, or something weaker."""
        inner = self._formula(c)
        result = inner
        if bool(np.any(c.false & self._lanes)):
            with suppress(_Open):
                result = z3.And(result, z3.Not(self.thread.inside(c.false)))
        if bool(np.any(c.true & self._lanes)):
            result = z3.Or(result, self.thread.inside(c.true))
        return result

    def _formula(self, c: Condition) -> Any:
        if c.atom is not None:
            try:
                holds = self._atom(c.atom)
            except _Open:
                return z3.BoolVal(True)
            return holds if c.positive else z3.Not(holds)
        if not c.parts:
            return z3.BoolVal(False)
        return (z3.And if c.all_of else z3.Or)([self.condition(part) for part in c.parts])

    def _atom(self, atom: Atom) -> Any:
        if atom.poly is None:
            raise _Open
        value = self.poly(self.occurrence.in_round(atom.poly))
        return value < 0 if atom.relation is Relation.NEGATIVE else value == 0

    def derived(self, derivation: Derivation) -> Any:
        """The result of the operation. Raises `_Open`."""
        if derivation.settled is not None:
            raise _Open
        op = derivation.op
        if op in ("choice", "blend"):
            raise _Open
        a, b = (
            (self.value(operand) for operand in derivation.operands) if len(derivation.operands) == 2 else (None, None)
        )
        if a is None or b is None:
            raise _Open
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
                raise _Open

    def _shifted(self, a: Any, by: Integer) -> Any:
        count = by.poly.constant
        if not by.poly.is_constant or not isinstance(count, int) or not 0 <= count < 63:
            raise _Open
        return a / z3.IntVal(1 << count)

    def _low_bits(self, a: Any, mask: Integer) -> Any:
        bits = mask.poly.constant
        if not mask.poly.is_constant or not isinstance(bits, int) or bits < 0 or bits & (bits + 1):
            raise _Open
        return a % z3.IntVal(bits + 1)


def _number(model: Any, unknown: Any) -> int:
    return int(model.eval(unknown, model_completion=True).as_long())


def _orders(factors: list[Any]) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    one, other = factors
    return (one, other), (other, one)


def _floored(a: Any, b: Any, op: str) -> Any:
    """z3's division rounds down for positive divisors, which these have."""
    return a / b if op == "floor/" else a % b
