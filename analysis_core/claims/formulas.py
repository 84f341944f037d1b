"""One thread that comes to a claim, as formulas of z3 over integers: can it be there, and the claim not hold?

What cannot be said in formulas is left out, so that more is possible than is: "impossible" is always right, and what is possible is a
candidate.  A vector over threads is a linear function of threadIdx, if it is one, and a set of threads some ranges of their numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import z3

from analysis_core.domains import condition as cond
from analysis_core.domains.condition import Atom, Condition, Relation
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import BoolVector, IntVector
from analysis_core.domains.symbol import Symbol, SymbolKind
from analysis_core.domains.thread_value import Integer
from analysis_core.interp.core.events import ClaimEvent, Events
from analysis_core.text.records import dataclass

_WORK = 150_000
"""Units of the solver's own count for one question: some tenths of a second."""

WORK_OF_KERNEL = 1_000_000
"""The same for all claims of a kernel under one launch."""

_SMALL = (64, 1024, 1 << 16)
"""Sizes that counterexamples are asked for, the smallest first."""

_DEEPEST = 12
_MOST_RANGES = 40
_BLOCK_INDEX, _GRID_EXTENT = "blockIdx.", "gridDim."

z3.set_param("memory_max_size", 200)  # megabytes; beyond them it raises, and the question stays open


class _Open(Exception):
    """Something has no formula."""


@dataclass(frozen=True, slots=True)
class Broken:
    """Whether the claim can be broken, None if that is not known: by `thread` (its number), under these `values` of sizes and the grid. `inner`: memory
    or something unknown has a say in it."""

    possible: bool | None
    thread: int = 0
    values: tuple[tuple[str, int], ...] = ()
    inner: bool = False
    taken: int = 0


def broken(events: Events, event: ClaimEvent, work: int, passed: Mapping[str, tuple[int | None, int | None]]) -> Broken:
    """Asks the solver, in a context of its own: no answer depends on questions before.  `work`: how much it may do at most; `passed`: the least and
    the most that the launch passes for parameters; a counterexample keeps to that if it can."""
    asked = _Asked(events, event, min(work, _WORK), passed)
    try:
        found = asked.answer()
    except z3.Z3Exception:
        found = Broken(None)
    return replace(found, taken=asked.taken)


class _Asked:
    """The unknowns of one question, and what is known of them."""

    def __init__(
        self, events: Events, event: ClaimEvent, work: int, passed: Mapping[str, tuple[int | None, int | None]]
    ) -> None:
        self._passed, self._work, self.taken = passed, work, 0
        self._events, self._event, self._shape = events, event, events.shape
        self._context = z3.Context()
        x, y, z = self._shape.dims
        self._at = [self._integer(f"threadIdx.{axis}") for axis in "xyz"]
        self._facts = [z3.And(at >= 0, at < n) for at, n in zip(self._at, (x, y, z), strict=True)]
        self._number = self._at[0] + x * (self._at[1] + y * self._at[2])
        self._unknowns: dict[Symbol, Any] = {}
        self._made: dict[tuple[int, ...], Any] = {}
        self._products: list[Any] = []
        self._depth = 0
        self._lanes = event.mask.may

    def answer(self) -> Broken:
        """Whether a thread can be there for which the claim does not hold."""
        wanted = [self._inside(self._lanes), *self._waits(), self._weakly(cond.negate(self._event.condition))]
        for symbol in self._events.parameters:
            self._unknown(symbol)
        wanted += self._related()
        model, sure = None, False
        for solver, more in self._solvers():
            solver.add(*wanted, *self._facts, *more)
            found = self._checked(solver)
            if found == z3.unsat:
                return Broken(False)
            if found == z3.sat:
                model, sure = self._smallest(solver), True
        return Broken(None) if not sure else self._told(model)

    def _solvers(self) -> Iterable[tuple[Any, list[Any]]]:
        """One to which products are unknowns of their own, and one that knows what they mean, if there are any."""
        for more in ([], self._products) if self._products else ([],):
            yield z3.Solver(ctx=self._context), more

    def _checked(self, solver: Any) -> Any:
        """The solver's answer, as long as there is work left."""
        if self.taken >= self._work:
            return z3.unknown
        before = _work_of(solver)
        solver.set("rlimit", self._work - self.taken)
        found = solver.check()
        self.taken += max(1, _work_of(solver) - before)
        return found

    def _told(self, model: Any) -> Broken:
        thread = _value(model, self._number)
        sizes = {s.name: _value(model, u) for s, u in self._unknowns.items() if s.kind in _NAMED}
        inner = self._event.condition.data or any(
            s.kind in (SymbolKind.DATA, SymbolKind.UNKNOWN, SymbolKind.CHOICE) for s in self._unknowns
        )
        return Broken(True, thread, tuple(sizes.items()), inner)

    def _smallest(self, solver: Any) -> Any:
        """A model of small sizes, if there is one."""
        model = solver.model()
        sizes = [u for s, u in self._unknowns.items() if s.kind in _NAMED]
        given = list(self._as_passed())
        for kept in (given, []) if given else ([],):
            for most in (*_SMALL, None):
                solver.push()
                solver.add(*kept, *(size <= most for size in sizes if most is not None))
                found = self._checked(solver)
                small = solver.model() if found == z3.sat else None
                solver.pop()
                if small is not None:
                    return small
        return model

    def _as_passed(self) -> Iterator[Any]:
        """That parameters are as the launch passes them."""
        for symbol, unknown in self._unknowns.items():
            least, most = self._passed.get(symbol.name, (None, None)) if symbol.kind in _NAMED else (None, None)
            if least is not None:
                yield unknown >= least
            if most is not None:
                yield unknown <= most

    # --- what the thread waits for ----------------------------------------------------------------------------------

    def _waits(self) -> list[Any]:
        found = []
        for entry in self._event.mask.literals:
            with suppress(_Open):
                found.append(z3.Or(z3.Not(self._inside(entry.scope)), self._weakly(entry.formula)))
        return found

    def _related(self) -> list[Any]:
        """What is assumed of several sizes together."""
        found = []
        for poly in self._events.relations.nonnegative:
            with suppress(_Open):
                found.append(self._poly(poly) >= 0)
        for poly in self._events.relations.nonzero:
            with suppress(_Open):
                found.append(self._poly(poly) != 0)
        return found

    def _weakly(self, c: Condition) -> Any:
        """The condition, or something weaker."""
        try:
            never = z3.Not(self._inside(c.false))
        except _Open:
            never = z3.BoolVal(True, self._context)
        if not bool(np.any(~c.false & ~c.true & self._shape.real)):
            return never
        try:
            return z3.And(never, z3.Or(self._inside(c.true), self._formula(c)))
        except _Open:
            return never

    def _formula(self, c: Condition) -> Any:
        """What the open lanes wait for, or something weaker. Raises `_Open`."""
        if c.atom is not None:
            holds = self._atom(c.atom)
            return holds if c.positive else z3.Not(holds)
        parts = [self._weakly(part) for part in c.parts]
        return (z3.And if c.all_of else z3.Or)(parts, self._context) if len(parts) > 1 else parts[0]

    def _atom(self, atom: Atom) -> Any:
        if atom.poly is None:
            raise _Open
        value = self._poly(atom.poly)
        return value < 0 if atom.relation is Relation.NEGATIVE else value == 0

    def _inside(self, lanes: BoolVector) -> Any:
        """Whether the thread is one of these. Raises `_Open` if they lie in too many ranges."""
        real = self._shape.real
        if np.array_equal(lanes & real, real):
            return z3.BoolVal(True, self._context)
        edges = np.flatnonzero(np.diff(np.concatenate(([0], (lanes & real).astype(np.int8), [0]))))
        if len(edges) > 2 * _MOST_RANGES:
            raise _Open
        ranges = [
            z3.And(self._number >= int(a), self._number < int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)
        ]
        return z3.Or([z3.BoolVal(False, self._context), *ranges])

    # --- values -----------------------------------------------------------------------------------------------------

    def _poly(self, poly: Poly) -> Any:
        """The thread's value. Raises `_Open`."""
        total = z3.IntVal(0, self._context)
        for monomial, coefficient in poly.terms.items():
            factors = [self._unknown(symbol) for symbol in monomial]
            if isinstance(coefficient, int):
                total = total + coefficient * self._product(factors)
            else:
                total = total + self._product([self._vector(coefficient), *factors])
        return total

    def _value_of(self, value: Integer) -> Any:
        if not value.exact:
            raise _Open
        return self._poly(value.poly)

    def _vector(self, numbers: IntVector) -> Any:
        """The thread's entry. Raises `_Open` if it is no linear function of threadIdx."""
        x, y, z = self._shape.dims
        start = int(numbers[0])
        slopes = [int(numbers[step]) - start if n > 1 else 0 for n, step in ((x, 1), (y, x), (z, x * y))]
        expected = np.full(len(numbers), start, dtype=np.int64)
        for slope, axis in zip(slopes, self._shape.thread, strict=True):
            expected += slope * axis
        if not np.array_equal(expected[self._lanes], numbers[self._lanes]):
            raise _Open
        return sum((slope * at for slope, at in zip(slopes, self._at) if slope), z3.IntVal(start, self._context))

    def _product(self, factors: list[Any]) -> Any:
        """The product as an unknown of its own, so that all else is linear."""
        if len(factors) < 2:
            return factors[0] if factors else z3.IntVal(1, self._context)
        key = tuple(sorted(factor.get_id() for factor in factors))
        known = self._made.get(key)
        if known is None:
            known = self._made[key] = self._integer(f"product#{len(self._made)}")
            whole = factors[0]
            for factor in factors[1:]:
                whole = whole * factor
            self._products.append(known == whole)
            self._facts += [
                z3.Implies(z3.And([factor >= 0 for factor in factors]), known >= 0),
                z3.Implies(z3.Or([factor == 0 for factor in factors]), known == 0),
                *(z3.Implies(z3.And([f >= 1 for f in factors]), known >= factor) for factor in factors),
            ]
        return known

    def _integer(self, name: str) -> Any:
        return z3.Int(name, self._context)

    def _unknown(self, symbol: Symbol) -> Any:
        known = self._unknowns.get(symbol)
        if known is None:
            known = self._unknowns[symbol] = self._integer(f"{symbol.name}#{symbol.number}")
            self._know(symbol, known)
        return known

    def _know(self, symbol: Symbol, unknown: Any) -> None:
        facts = self._facts
        if symbol.low is not None:
            facts.append(unknown >= symbol.low)
        if symbol.high is not None:
            facts.append(unknown <= symbol.high)
        if symbol.modulus > 1:
            facts.append(unknown == symbol.modulus * self._integer(f"{symbol.number}/") + symbol.residue)
        if symbol.values is not None:
            facts.append(z3.Or([unknown == value for value in symbol.values]))
        if symbol.name.startswith(_BLOCK_INDEX) and symbol.kind is SymbolKind.GRID:
            facts += [unknown < self._unknown(s) for s in self._extent(symbol.name.replace(_BLOCK_INDEX, _GRID_EXTENT))]
        derivation = self._events.derivations.get(symbol)
        if derivation is not None and self._depth < _DEEPEST:
            self._depth += 1
            with suppress(_Open):
                facts.append(unknown == self._derived(derivation))
            self._depth -= 1

    def _extent(self, name: str) -> list[Symbol]:
        return [s for s in self._events.parameters if s.name == name]

    def _derived(self, derivation: Derivation) -> Any:
        """The result of the operation. Raises `_Open`."""
        if derivation.settled is not None or len(derivation.operands) != 2:
            raise _Open
        a, b = (self._value_of(operand) for operand in derivation.operands)
        number = derivation.operands[1].poly
        constant = number.constant if number.is_constant and isinstance(number.constant, int) else None
        match derivation.op:
            case "floor/" | "floor%" if constant is not None and constant > 0:
                return a / b if derivation.op == "floor/" else a % b
            case "min":
                return z3.If(a < b, a, b)
            case "max":
                return z3.If(a < b, b, a)
            case "/" | "%" if constant is not None and constant > 0:
                quotient = z3.If(a >= 0, a / b, -((-a) / b))
                return quotient if derivation.op == "/" else a - b * quotient
            case ">>" if constant is not None and 0 <= constant < 63:
                return a / z3.IntVal(1 << constant, self._context)
            case "&" if constant is not None and constant >= 0 and constant & (constant + 1) == 0:
                return a % z3.IntVal(constant + 1, self._context)
            case _:
                raise _Open


def _work_of(solver: Any) -> int:
    """The solver's own count of its work so far."""
    statistics = solver.statistics()
    return int(statistics.get_key_value("rlimit count")) if "rlimit count" in statistics.keys() else 0  # noqa: SIM118


_NAMED = (SymbolKind.PARAMETER, SymbolKind.GRID)


def _value(model: Any, unknown: Any) -> int:
    return int(model.eval(unknown, model_completion=True).as_long())
