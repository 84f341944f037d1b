"""Trip counts of summarised loops as guards of a cost program, warp by warp (build_program.py)."""

from __future__ import annotations

from dataclasses import field
from math import isinf

import numpy as np

from analysis_core.bounds.program import Affine, Parameter, affine, plus, put
from analysis_core.bounds.slices import Slice
from analysis_core.domains import polynomial as pl
from analysis_core.domains.polynomial import Monomial, Poly
from analysis_core.domains.shape import WARP, BoolVector, some
from analysis_core.domains.symbol import Symbol
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core.events import Events
from analysis_core.interp.core.exact_expressions import exact_symbol, is_shown
from analysis_core.interp.core.known import Known
from analysis_core.interp.core.trace import Looped
from analysis_core.interp.core.trips import LinearTest, LoopTest, polynomials, trip_expression
from analysis_core.interp.loops.exact_trips import exact_trips
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class Guard:
    """The condition for another round: all `parts` are >= 0. `may_stop`: the loop may end earlier; `closed`: it lasts
    exactly that long, unless threads leave otherwise."""

    parts: tuple[Affine, ...]
    may_stop: bool
    closed: bool


@dataclass(slots=True, eq=False)
class TripParameters:
    """Makes the guards of one kernel's loops, and the parameters that they need."""

    known: Known
    counters: dict[Symbol, str]
    made: dict[str, Parameter] = field(default_factory=dict)
    names: dict[Expression, str] = field(default_factory=dict)
    facts: tuple[Affine, ...] = ()

    @staticmethod
    def of(events: Events) -> TripParameters:
        return TripParameters(Known(events.uppers, events.derivations), {})

    def enter(self, node: Looped) -> str:
        """Makes the loop's counter known to the guards of the loops inside; its name tells which loop of the kernel it is, and
        is the same after an edit elsewhere."""
        return self.counters.setdefault(node.counter, f"k{len(self.counters)}")

    def parameters(self) -> tuple[Parameter, ...]:
        return tuple(self.made.values())

    def guards(self, node: Looped, enters: BoolVector) -> tuple[Guard | None, ...]:
        """For each warp the condition for round k; None for warps that do not enter (`enters`: truth per warp)."""
        there = np.flatnonzero(enters).tolist()
        tests = node.all if node.sole is None else (node.sole, *node.all)
        alike = all(_is_one(poly) for test in tests for poly in polynomials(test))
        guards = dict.fromkeys(there, self._guard(node, there[0])) if alike and there else {}
        return tuple(
            None if not enters[warp] else guards.get(warp) or self._guard(node, warp) for warp in range(len(enters))
        )

    def shortened(self, guard: Guard, counter: str, piece: Slice) -> tuple[Guard, dict[str, Affine]] | None:
        """The guard of a loop over some of the rounds, and the counter of all rounds in terms of its counter; None
        where that is not affine."""
        trips, number = self._trips_of(guard, counter), ex.constant(piece.begin)
        if trips is None and (number is None or piece.most is not None):
            return None
        first = Affine(number) if number is not None else affine(0, {self._named(piece.begin, 0, None): 1})
        values = {counter: plus(first, Affine(0, ((counter, piece.step),)))}
        if trips is not None:
            return Guard((self._below(counter, piece.rounds(trips)),), guard.may_stop, guard.closed), values
        return Guard(tuple(put(part, values) for part in guard.parts), guard.may_stop, guard.closed), values

    def _trips_of(self, guard: Guard, counter: str) -> Expression | None:
        """T where the guard is k < T."""
        if len(guard.parts) != 1 or guard.parts[0].constant != -1:
            return None
        found = dict(guard.parts[0].terms)
        names = [name for name in found if name != counter]
        if found.get(counter) != -1 or len(names) != 1 or found[names[0]] != 1 or names[0] not in self.made:
            return None
        return self.made[names[0]].stands_for

    def _guard(self, node: Looped, warp: int) -> Guard:
        counter = self.counters[node.counter]
        row = slice(warp * WARP, (warp + 1) * WARP)
        lanes = np.zeros_like(node.before.may)
        lanes[row] = node.before.may[row]
        if node.sole is not None and node.lead == 0:
            exact = self._exact(node.sole, counter, lanes, row)
            if exact is not None:
                return Guard((exact,), node.leaves, True)
        told = [exact_trips(test, self.known, lanes) for test in node.all if _is_plain(test, lanes)]
        trips = [e for e in told if e is not None]
        if trips and len(trips) == len(node.all):
            return Guard((self._below(counter, ex.minimum(*trips)),), False, True)
        return Guard((self._below(counter, node.trips),), True, False)

    def _exact(self, test: LoopTest, counter: str, lanes: BoolVector, row: slice) -> Affine | None:
        """The guard that holds for as long as some lane of the warp goes on, and no longer."""
        polys = polynomials(test)
        symbols = {s for poly in polys for s in poly.symbols()}
        if not _is_plain(test, lanes):
            return None
        if all(map(is_shown, symbols)):
            trips = trip_expression(test, self.known, lanes)
        else:
            trips = exact_trips(test, self.known, lanes)
        if trips is not None:
            return self._below(counter, trips)
        if not isinstance(test, LinearTest) or not test.step.is_constant:
            return None
        start, step = test.start, test.step.constant
        if not isinstance(step, int):
            return None
        return self._affine(start, step, counter, lanes, row)

    def _affine(self, start: Poly, step: int, counter: str, lanes: BoolVector, row: slice) -> Affine | None:
        """-1 - A - k*B >= 0, for the lane with the least A."""
        terms: dict[str, int] = {counter: -step}
        for monomial, coefficient in start.terms.items():
            if not monomial:
                continue
            value = coefficient if isinstance(coefficient, int) else int(coefficient[lanes][0])
            name = self.monomial(monomial, lanes)
            if name is None:
                return None
            terms[name] = terms.get(name, 0) - value
        constant = start.constant
        least = constant if isinstance(constant, int) else int(constant[lanes].min())
        return affine(-1 - least, terms)

    def monomial(self, monomial: Monomial, lanes: BoolVector) -> str | None:
        """The name of a counter, or of a parameter that stands for a product."""
        if len(monomial) == 1 and monomial[0] in self.counters:
            return self.counters[monomial[0]]
        factors = [factor for s in monomial if (factor := exact_symbol(s, self.known, lanes)) is not None]
        if len(factors) < len(monomial):
            return None
        low, high = pl.monomial_range(monomial)
        ends = (None if isinf(end) else int(end) for end in (low, high))
        return self._named(ex.multiply(*factors), *ends)

    def _below(self, counter: str, trips: Expression) -> Affine:
        """k < T.  Numbers are parameters too: bounds of long loops are then no matter of large coefficients."""
        return affine(-1, {self._named(trips, 0, None): 1, counter: -1})

    def _named(self, expression: Expression, low: int | None, high: int | None) -> str:
        name = self.names.get(expression)
        if name is None:
            name = self.names[expression] = f"p{len(self.names)}"
            self.made[name] = Parameter(name, low, high, expression)
        return name


def _is_plain(test: LoopTest, lanes: BoolVector) -> bool:
    """Whether the lanes differ by numbers at most, and each round is nearer to the last one."""
    return all(_is_uniform(poly, lanes) for poly in polynomials(test)) and not getattr(test, "may_stand", False)


def _is_one(poly: Poly) -> bool:
    """Whether it is the same polynomial for all threads."""
    return all(isinstance(coefficient, int) for coefficient in poly.terms.values())


def _is_uniform(poly: Poly, lanes: BoolVector) -> bool:
    """Whether the lanes' coefficients are equal, but for the constants."""
    for monomial, coefficient in poly.terms.items():
        if monomial and not isinstance(coefficient, int):
            values = coefficient[lanes]
            if some(values != values[0]):
                return False
    return True
