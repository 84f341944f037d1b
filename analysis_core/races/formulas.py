"""Addresses and conditions of two threads as formulas of z3, over integers.

A thread is a number, or unknown; then a vector over threads is a linear function of threadIdx, if it is one, and a set of
threads some ranges of their numbers.  A symbol is one unknown for both threads if they share it, else one for each.
"""

from __future__ import annotations

from contextlib import suppress
from math import prod
from typing import Any
from weakref import proxy

import z3

from analysis_core.domains.shape import WARP
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.domains.thread_value import Integer
from analysis_core.interp.core.events import Events
from analysis_core.interp.core.transfer import MOST_THREADS
from analysis_core.races.access_formulas import Side
from analysis_core.races.conditions import Comparison, Condition
from analysis_core.races.occurrences import BLOCK_INDEX, GRID_EXTENT, OWN
from analysis_core.races.pairs import Index
from analysis_core.races.smt import Answer, Question
from analysis_core.races.thread_formulas import Open, Thread
from analysis_core.races.verdicts import Scope

_DEEPEST = 12
_SMALL = (64, 1024, 1 << 16)
"""Sizes that witnesses are asked for, the smallest first."""

_AXES = "xyz"
_MOST_BLOCKS_YZ = 65535  # CUDA programming guide, technical specifications: gridDim.y and gridDim.z


z3.set_param("memory_max_size", 200)  # megabytes; beyond them it raises, and the question stays open


class Formulas:
    """The unknowns of one question, and what is known of them."""

    def __init__(
        self, events: Events, question: Question, axes: frozenset[int], given: Condition, context: z3.Context
    ) -> None:
        self.context = context
        self._derivations, self.shape = events.derivations, events.shape
        self._question, self._given = question, given
        self._unknowns: dict[tuple[Symbol, object], Any] = {}
        self._named: dict[str, Any] = {}
        self._facts: list[Any] = []
        self._made: dict[tuple[int, ...], Any] = {}
        self._products: list[Any] = []
        self._rows: list[tuple[Any, list[Any]]] = []
        self._depth = 0
        self.data = False
        self.taken = 0
        first, second = question.threads or (None, None)
        threads = Thread("a", self.shape, first, context), Thread("b", self.shape, second, context)
        own = proxy(self)  # no cycle: solvers are large, and go with the question
        self._sides = Side(own, question.one, threads[0], 0), Side(own, question.other, threads[1], 1)
        self._blocks = [
            {axis: self._block(f"{who}.block.{_AXES[axis]}", axis) for axis in sorted(axes)} for who in "ab"
        ]
        self._relations = events.relations
        self._solvers: tuple[Any, ...] | None = None
        self._told = 0, 0

    def answer(self, work: int, differ: bool, under: Condition) -> Answer:
        """Whether the two threads can make their accesses, and meet if they are unknown; `differ`: and store different values; `under`: where
        this holds."""
        try:
            if self._solvers is None:
                self._solvers = self._asked(work)
            wanted = [self._compared(one) for one in under]
            wanted += [self._differ()] if differ else []
        except Open:
            return Answer(None, lost=True, cause="an address is no linear function of the thread's numbers")
        except z3.Z3Exception:
            return Answer(None, cause="the solver does not decide it")
        model = self._model(wanted)
        if model is False:
            return Answer(False)
        data = self.data or any(s.kind is SymbolKind.DATA for s, _ in self._unknowns)
        lost = any(s.kind in (SymbolKind.UNKNOWN, SymbolKind.CHOICE) for s, _ in self._unknowns)
        if model is None:
            return Answer(None, data=data, lost=True, cause="the solver does not decide it")
        met = tuple(_number(model, side.thread.number) for side in self._sides)
        return Answer(True, self._values(model), (met[0], met[1]), self._places(model), data, lost)

    @property
    def told(self) -> int:
        """How many facts the solvers were told."""
        return sum(self._told)

    def _asked(self, work: int) -> tuple[Any, ...]:
        """A solver to which all products are unknowns of their own, and one that knows what they mean, if there are any. Raises `Open`."""
        wanted = self._meet() if self._question.threads is None else []
        for side in self._sides:
            wanted += [*side.thread.limits, *side.waits(), *self._related(side)]
        wanted += [self._compared(one) for one in self._given]
        solvers = tuple(z3.Solver(ctx=self.context) for _ in range(2 if self._products else 1))
        for solver in solvers:
            solver.set("rlimit", work)
            solver.add(*wanted, *self._facts)
        if self._products:
            solvers[-1].set("rlimit", work // 2)
            solvers[-1].add(*self._products)
        self._told = len(self._facts), len(self._products)
        return solvers

    def _model(self, wanted: list[Any]) -> Any:
        """Values under which all holds; False if there are none, None if the solver does not know.  If the meanings of products are too much for
        the solver, values without them are a candidate still."""
        assert self._solvers is not None
        facts, products = self._told
        wanted = [*wanted, *self._facts[facts:]]
        candidate = None
        for solver in self._solvers:
            try:
                solver.push()
                solver.add(*wanted, *(self._products[products:] if solver is self._solvers[-1] else ()))
                result = self._checked(solver)
                if result == z3.unsat:
                    return False
                if result != z3.sat:
                    return candidate
                candidate = solver.model()
                if solver is self._solvers[-1]:
                    return self._smallest(solver, candidate)
            except z3.Z3Exception:  # It is out of memory, or was told too much.
                return candidate
            finally:
                solver.pop()
        return candidate

    def _checked(self, solver: Any) -> Any:
        """The solver's answer; what it took is kept."""
        before = _work_of(solver)
        result = solver.check()
        self.taken += max(0, _work_of(solver) - before)
        return result

    def _smallest(self, solver: Any, model: Any) -> Any:
        """A model of small sizes, if there is one."""
        sizes = [*self._named.values()]
        for most in _SMALL if sizes else ():
            if all(_number(model, size) <= most for size in sizes):
                return model
            solver.push()
            solver.add(*(size <= most for size in sizes))
            found = solver.model() if self._checked(solver) == z3.sat else None
            solver.pop()
            if found is not None:
                return found
        return model

    def _values(self, model: Any) -> dict[str, int]:
        return {name: _number(model, unknown) for name, unknown in self._named.items()}

    def _places(self, model: Any) -> tuple[Index, Index] | None:
        """The blocks of the two, if they are of two."""
        if self._question.apart is not Scope.GRID:
            return None
        one, other = (
            tuple(_number(model, own[axis]) if axis in own else 0 for axis in range(3)) for own in self._blocks
        )
        return (one[0], one[1], one[2]), (other[0], other[1], other[2])

    def integer(self, name: str) -> Any:
        """An unknown."""
        return z3.Int(name, self.context)

    def _block(self, name: str, axis: int) -> Any:
        """A thread's blockIdx along an axis."""
        at = self.integer(name)
        if self._question.apart is Scope.GRID:
            self._facts += [at >= 0, at < self.size(f"{GRID_EXTENT}{_AXES[axis]}")]
        return at

    def size(self, name: str) -> Any:
        """The parameter, or the extent of the grid, of this name."""
        known = self._named.get(name)
        if known is None:
            known = self._named[name] = self.integer(name)
            if name.startswith(GRID_EXTENT):
                most = MOST_THREADS // self.shape.dims[0] if name.endswith("x") else _MOST_BLOCKS_YZ
                self._facts += [known >= 1, known <= most]
        return known

    def _meet(self) -> list[Any]:
        """Different threads, or threads of different warps or blocks, touch one byte."""
        one, other = self._sides
        distance = other.poly(other.occurrence.address) - one.poly(one.occurrence.address)
        if any(side.occurrence.event.address.bits is not None and side.occurrence.is_scattered for side in self._sides):
            distance = distance + (1 << 32) * self.integer("wraps")
        low, high = -other.occurrence.event.access.width, one.occurrence.event.access.width
        return [self._apart(), distance > low, distance < high]

    def _apart(self) -> Any:
        one, other = (side.thread.number for side in self._sides)
        match self._question.apart:
            case Scope.WARP:
                return one != other
            case Scope.BLOCK:
                return one / WARP != other / WARP
            case Scope.GRID:
                mine, others = self._blocks
                return z3.Or([mine[axis] != others[axis] for axis in mine], self.context)

    def _differ(self) -> Any:
        """Both store, and not the same. Raises `Open`."""
        stored = [side.occurrence.event.stored for side in self._sides]
        if not stored[0] or len(stored[0]) != len(stored[1]):
            raise Open
        unequal = []
        for mine, others in zip(*stored, strict=True):
            if not isinstance(mine, Integer) or not isinstance(others, Integer):
                raise Open
            unequal.append(self._sides[0].value(mine) != self._sides[1].value(others))
        return z3.Or(unequal, self.context)

    def _compared(self, one: Comparison) -> Any:
        left, number = (
            self.size(one.left),
            one.factor * (self.size(one.right) if one.right else z3.IntVal(1, self.context)),
        )
        if one.op == "%":
            return left % one.factor == 0
        return left >= number if one.op == ">=" else left <= number if one.op == "<=" else left == number

    def _related(self, side: Side) -> list[Any]:
        """What is assumed of several sizes together."""
        found = []
        for relation, most in ((self._relations.nonnegative, None), (self._relations.nonzero, 0)):
            for poly in relation:
                with suppress(Open):
                    value = side.poly(poly)
                    found.append(value >= 0 if most is None else value != 0)
        return found

    def unknown(self, side: Side, symbol: Symbol) -> Any:
        """The unknown that stands for a symbol in a thread."""
        across = side.occurrence.across
        if across and symbol.name.startswith(BLOCK_INDEX):
            own = self._blocks[side.number].get(_AXES.index(symbol.name[-1]))
            if own is not None:
                return own
        version = side.occurrence.version_in_address(symbol)
        who: object = (side.number, version) if version == OWN or symbol.level is Level.LANE else version
        if symbol.level is Level.WARP and version != OWN:
            who = (side.number, version)
        key = (symbol, who)
        known = self._unknowns.get(key)
        if known is None:
            if symbol.kind is SymbolKind.PARAMETER or symbol.kind is SymbolKind.GRID:
                known = self.size(symbol.name)
            else:
                known = self.integer(f"{symbol.name}#{len(self._unknowns)}")
            self._unknowns[key] = known
            self._know(side, symbol, known)
        return known

    def product(self, factors: list[Any]) -> Any:
        """The product as an unknown of its own, so that all else is linear; what it is made of is told the solver later."""
        varying = [factor for factor in factors if not isinstance(factor, int)]
        number = prod(factor for factor in factors if isinstance(factor, int))
        if len(varying) < 2:
            return number * varying[0] if varying else number
        key = tuple(sorted(factor.get_id() for factor in varying))
        known = self._made.get(key)
        if known is None:
            known = self.integer(f"product#{len(self._made)}")
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
        for w, r in _orders(factors):
            self._facts += [
                z3.Implies(z3.And(w >= 0, r >= 1), product >= w),
                z3.Implies(z3.And(w >= 0, r <= -1), product <= -w),
            ]
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
            facts.append(unknown == symbol.modulus * self.integer(f"{unknown}/") + symbol.residue)
        if symbol.values is not None:
            facts.append(z3.Or([unknown == value for value in symbol.values], self.context))
        if symbol.name.startswith(BLOCK_INDEX):
            facts.append(unknown < self.size(symbol.name.replace(BLOCK_INDEX, GRID_EXTENT)))
        derivation = self._derivations.get(symbol)
        if derivation is not None and self._depth < _DEEPEST:
            self._depth += 1
            with suppress(Open):
                facts.append(unknown == side.derived(derivation))
            self._depth -= 1


def _work_of(solver: Any) -> int:
    """The solver's own count of its work so far."""
    statistics = solver.statistics()
    return int(statistics.get_key_value("rlimit count")) if "rlimit count" in statistics.keys() else 0  # noqa: SIM118


def _number(model: Any, unknown: Any) -> int:
    return int(model.eval(unknown, model_completion=True).as_long())


def _orders(factors: list[Any]) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    one, other = factors
    return (one, other), (other, one)
