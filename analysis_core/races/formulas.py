"""Addresses and conditions of two threads as formulas of a solver, over integers.

A thread is a number, or unknown; then a vector over threads is a linear function of threadIdx, if it is one, and a set of
threads some ranges of their numbers.  A symbol is one unknown for both threads if they share it, else one for each.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING
from weakref import proxy

from analysis_core.domains.shape import WARP
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.domains.thread_value import Integer
from analysis_core.interp.core.events import Events
from analysis_core.interp.core.transfer import MOST_THREADS
from analysis_core.races.access_formulas import Side
from analysis_core.races.conditions import Comparison, Condition
from analysis_core.races.linear import (
    FALSE,
    TRUE,
    Linear,
    Range,
    at_least,
    below,
    both,
    either,
    equal,
    implied,
    is_within,
    minus,
    names_in,
    negated,
    number,
    plus,
    term,
    times,
    value_of,
)
from analysis_core.races.occurrences import BLOCK_INDEX, GRID_EXTENT, OWN
from analysis_core.races.pairs import Index
from analysis_core.races.smt import Answer, Question
from analysis_core.races.thread_formulas import Open, Thread
from analysis_core.races.verdicts import Scope

if TYPE_CHECKING:
    from analysis_core.races.session import Model, Session

_DEEPEST = 12
_AXES = "xyz"
_MOST_BLOCKS_YZ = 65535  # CUDA programming guide, technical specifications: gridDim.y and gridDim.z


class Formulas:
    """The unknowns of one question, and what is known of them."""

    def __init__(
        self, events: Events, question: Question, axes: frozenset[int], given: Condition, session: Session
    ) -> None:
        self._derivations, self.shape, self._relations = events.derivations, events.shape, events.relations
        self._question, self._given, self._session = question, given, session
        self._unknowns: dict[tuple[Symbol, object], str] = {}
        self._defined: set[str] = set()  # those whose values follow from others
        self._named: dict[str, str] = {}
        self._ranges: dict[str, Range] = {}
        self._facts: list[str] = []
        self._made: dict[object, Linear] = {}
        self._products: list[str] = []
        self._rows: list[tuple[Linear, list[Linear]]] = []
        self._depth = 0
        self._reached: set[str] = set()
        self._meeting: list[str] | None = None
        self._asked: list[str] = []
        self.data = False
        own = proxy(self)  # no cycle: what belongs to a question goes with it
        threads = [Thread(self.shape, known, own) for known in question.threads or (None, None)]
        self._sides = Side(own, question.one, threads[0], 0), Side(own, question.other, threads[1], 1)
        self._blocks = [{axis: self._block(axis) for axis in sorted(axes)} for _ in self._sides]

    def answer(self, differ: bool, under: Condition) -> Answer:
        """Whether the two threads can make their accesses, and meet if they are unknown; `differ`: and store different values; `under`: where
        this holds."""
        try:
            if self._meeting is None:
                self._meeting, self._asked = self._meet(), self._asked_besides()
            besides = [*self._asked, *(self._compared(one) for one in under)]
            besides += [self._differ()] if differ else []
        except Open:
            return Answer(None, lost=True, cause="an address is no linear function of the thread's numbers")
        if FALSE in self._meeting or FALSE in besides:
            return Answer(False)
        near, reached = _reachable(self._meeting, [*besides, *self._facts])
        far, _ = _reachable([one for one in besides if one not in near], self._facts)
        far = [one for one in dict.fromkeys([*besides, *far]) if one not in near and one != TRUE]
        self._reached = reached.union(*map(names_in, far))
        products = [one for one in self._products if not self._reached.isdisjoint(names_in(one))]
        self._reached.update(name for one in products for name in names_in(one))
        sizes = [] if under else [name for name in self._named.values() if name in self._reached]
        first = [*self._meeting, *near, *self._bounds(sorted(reached))]
        second = [*far, *self._bounds(sorted(self._reached - reached))]
        if (
            under and products
        ):  # What keeps the two apart mostly follows from what is linear of them; their meaning takes far longer.
            return Answer(False if self._session.model([first, second], sizes) is False else None)
        found = self._session.model([first, second, products] if products else [first, second], sizes)
        if found is False:
            return Answer(False)
        used = [(symbol.kind, name) for (symbol, _), name in self._unknowns.items() if name in self._reached]
        kinds = {kind for kind, name in used if kind is not SymbolKind.CHOICE or name not in self._defined}
        data = self.data or SymbolKind.DATA in kinds
        if found is None:
            return Answer(None, data=data, lost=True, cause="the solver does not decide it")
        lost = bool(kinds & {SymbolKind.UNKNOWN, SymbolKind.CHOICE})
        one, other = (self._valued(side.thread.number, found) for side in self._sides)
        return Answer(True, self._values(found), (one, other), self._places(found), data, lost)

    @property
    def told(self) -> int:
        """How many facts the solver was told."""
        return len(self._facts) + len(self._products)

    def _asked_besides(self) -> list[str]:
        """What else holds of the two. Raises `Open`."""
        found = []
        for side in self._sides:
            found += [*side.waits(), *self._related(side)]
        return found + [self._compared(one) for one in self._given]

    def _valued(self, one: Linear, model: Model) -> int:
        return sum(c * (model.get(name, 0) if name else 1) for name, c in one.items())

    def _values(self, model: Model) -> dict[str, int]:
        return {name: model.get(unknown, 0) for name, unknown in self._named.items() if unknown in self._reached}

    def _places(self, model: Model) -> tuple[Index, Index] | None:
        """The blocks of the two, if they are of two."""
        if self._question.apart is not Scope.GRID:
            return None
        one, other = (
            tuple(self._valued(own[axis], model) if axis in own else 0 for axis in range(3)) for own in self._blocks
        )
        return (one[0], one[1], one[2]), (other[0], other[1], other[2])

    def fresh(self, low: int | None = None, high: int | None = None) -> Linear:
        """An unknown between two numbers."""
        name = f"u{len(self._ranges)}"
        self._ranges[name] = (low, high)
        return {name: 1}

    def know(self, fact: str) -> None:
        """Notes what holds."""
        self._facts.append(fact)

    def _block(self, axis: int) -> Linear:
        """A thread's blockIdx along an axis."""
        at = self.fresh(0)
        if self._question.apart is Scope.GRID:
            self.know(below(at, self.size(f"{GRID_EXTENT}{_AXES[axis]}")))
        return at

    def size(self, name: str) -> Linear:
        """The parameter, or the extent of the grid, of this name."""
        known = self._named.get(name)
        if known is None:
            low, high = None, None
            if name.startswith(GRID_EXTENT):
                low, high = 1, MOST_THREADS // self.shape.dims[0] if name.endswith("x") else _MOST_BLOCKS_YZ
            (known,) = self.fresh(low, high)
            self._named[name] = known
        return {known: 1}

    def _meet(self) -> list[str]:
        """Different threads, or threads of different warps or blocks, touch one byte. Raises `Open`."""
        if self._question.threads is not None:
            return []
        one, other = self._sides
        distance = minus(other.poly(other.occurrence.address), one.poly(one.occurrence.address))
        if any(side.occurrence.event.address.bits is not None and side.occurrence.is_scattered for side in self._sides):
            distance = plus(distance, times(1 << 32, self.fresh()))
        low, high = -other.occurrence.event.access.width, one.occurrence.event.access.width
        if not is_within(distance, low + 1, high - 1, self._ranges):
            return [FALSE]
        return [self._apart(), below(number(low), distance), below(distance, number(high))]

    def _apart(self) -> str:
        one, other = (side.thread.number for side in self._sides)
        match self._question.apart:
            case Scope.WARP:
                return negated(equal(one, other))
            case Scope.BLOCK:
                return negated(f"(= (div {term(one)} {WARP}) (div {term(other)} {WARP}))")
            case Scope.GRID:
                mine, others = self._blocks
                return either(negated(equal(mine[axis], others[axis])) for axis in mine)

    def _differ(self) -> str:
        """Both store, and not the same. Raises `Open`."""
        stored = [side.occurrence.event.stored for side in self._sides]
        if not stored[0] or len(stored[0]) != len(stored[1]):
            raise Open
        unequal = []
        for mine, others in zip(*stored, strict=True):
            if not isinstance(mine, Integer) or not isinstance(others, Integer):
                raise Open
            unequal.append(negated(equal(self._sides[0].value(mine), self._sides[1].value(others))))
        return either(unequal)

    def _compared(self, one: Comparison) -> str:
        left = self.size(one.left)
        right = times(one.factor, self.size(one.right) if one.right else number(1))
        if one.op == "%":
            return f"(= (mod {term(left)} {one.factor}) 0)"
        return (
            at_least(left, right) if one.op == ">=" else at_least(right, left) if one.op == "<=" else equal(left, right)
        )

    def _related(self, side: Side) -> list[str]:
        """What is assumed of several sizes together."""
        found = []
        with suppress(Open):
            found += [at_least(side.poly(poly), {}) for poly in self._relations.nonnegative]
        with suppress(Open):
            found += [negated(equal(side.poly(poly), {})) for poly in self._relations.nonzero]
        return found

    def unknown(self, side: Side, symbol: Symbol) -> Linear:
        """The unknown that stands for a symbol in a thread."""
        if side.occurrence.across and symbol.name.startswith(BLOCK_INDEX):
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
            (known,) = self._made_for(symbol)
            self._unknowns[key] = known
            self._know(side, symbol, {known: 1})
        return {known: 1}

    def _made_for(self, symbol: Symbol) -> Linear:
        if symbol.kind is not SymbolKind.PARAMETER and symbol.kind is not SymbolKind.GRID:
            return self.fresh(symbol.low, symbol.high)
        made = self.size(symbol.name)
        (name,) = made
        low, high = self._ranges[name]
        self._ranges[name] = symbol.low if low is None else low, symbol.high if high is None else high
        return made

    def product(self, factors: list[Linear]) -> Linear:
        """The product as an unknown of its own, so that all else is linear; what it is made of is told the solver later."""
        known = [value_of(factor) for factor in factors]
        whole = 1
        for value in known:
            whole *= 1 if value is None else value
        varying = [factor for factor, value in zip(factors, known, strict=True) if value is None]
        if len(varying) < 2 or not whole:
            return times(whole, varying[0]) if varying else number(whole)
        key = tuple(sorted(tuple(sorted(factor.items())) for factor in varying))
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = self.fresh()
            self._relate(made, varying)
        return times(whole, made)

    def _relate(self, product: Linear, factors: list[Linear]) -> None:
        """What is linear of a product: its sign, and the row lemma: `w*r` and `w*s` are at least w apart where r and s differ."""
        zero, one = number(0), number(1)
        self._products.append(f"(= {term(product)} (* {' '.join(map(term, factors))}))")
        self.know(implied(both(at_least(factor, zero) for factor in factors), at_least(product, zero)))
        self.know(implied(either(equal(factor, zero) for factor in factors), equal(product, zero)))
        if len(factors) != 2:
            return
        for w, r in _orders(factors):
            self.know(implied(both([at_least(w, zero), at_least(r, one)]), at_least(product, w)))
            self.know(implied(both([at_least(w, zero), below(r, zero)]), at_least(times(-1, w), product)))
        for other, theirs in self._rows:
            for w, r, v, s in ((a, b, c, d) for a, b in _orders(factors) for c, d in _orders(theirs)):
                if w == v:
                    positive = at_least(w, zero)
                    self.know(implied(both([positive, below(s, r)]), at_least(product, plus(other, w))))
                    self.know(implied(both([positive, below(r, s)]), at_least(other, plus(product, w))))
                    self.know(implied(equal(r, s), equal(product, other)))
        self._rows.append((product, factors))

    def _know(self, side: Side, symbol: Symbol, unknown: Linear) -> None:
        if symbol.modulus > 1:
            self.know(equal(unknown, plus(times(symbol.modulus, self.fresh()), number(symbol.residue))))
        if symbol.values is not None:
            self.know(either(equal(unknown, number(value)) for value in symbol.values))
        if symbol.name.startswith(BLOCK_INDEX):
            self.know(below(unknown, self.size(symbol.name.replace(BLOCK_INDEX, GRID_EXTENT))))
        derivation = self._derivations.get(symbol)
        if derivation is not None and self._depth < _DEEPEST:
            self._depth += 1
            with suppress(Open):
                self.know(side.is_result(unknown, derivation))
                self._defined.update(unknown)
            self._depth -= 1

    def _bounds(self, names: Iterable[str]) -> list[str]:
        """What is known of these unknowns alone."""
        found = []
        for name in names:
            low, high = self._ranges[name]
            found += [at_least({name: 1}, number(low))] if low is not None else []
            found += [at_least(number(high), {name: 1})] if high is not None else []
        return found


def _reachable(wanted: Iterable[str], facts: Iterable[str]) -> tuple[list[str], set[str]]:
    """The facts that have a say in what is wanted, and the unknowns in all of it."""
    reached = {name for one in wanted for name in names_in(one)}
    pending = [(fact, names_in(fact)) for fact in facts if fact != TRUE]
    found: list[str] = []
    while True:
        near = [fact for fact, names in pending if not reached.isdisjoint(names)]
        if not near:
            return found, reached
        found += near
        left = []
        for fact, names in pending:
            if reached.isdisjoint(names):
                left.append((fact, names))
        for fact, names in pending:
            if fact in near:
                reached.update(names)
        pending = left


def _orders(factors: list[Linear]) -> tuple[tuple[Linear, Linear], tuple[Linear, Linear]]:
    one, other = factors
    return (one, other), (other, one)
