"""Cases for several symbols at once: "4 when w % 8 == 0 and w >= 16", "4 when nx % 8 == 0 and offset % 8 == 0".

Where one symbol's residue decides the cost, its table gives the case (cases.py).  Where several monomials do, as in
`in[i + j*nx + k*nx*ny]`, or where rows at a pitch may share sectors, the useful answer is the sufficient one: the sizes
divisible by as little as it takes, and no smaller than it takes for rows to lie apart.  It is found by asking: the
parameters are replaced by m*s + t, and the requests are costed again; so a case is as sound as any cost.

"6 when w >= 32", of an index that is taken apart by sizes (`int x = i % w, y = i / w;  .. in[y * pitch + x]`): of rows that are shorter than a
warp several end among its lanes, in more cases than can be looked at where the parts are taken apart again, and mostly for a cost that nobody
pays.  Where rows are no shorter at most one ends there: it is asked what the access costs then.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from math import lcm

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.polynomial import Monomial, Poly
from analysis_core.domains.shape import WARP, distinct_numbers
from analysis_core.domains.symbol import Symbol, SymbolKind
from analysis_core.expressions.expression import safe_name
from analysis_core.interp.core.events import AccessEvent
from analysis_core.ir.types import Space
from analysis_core.requests.access_cost import RequestCost, period_of, request_cost
from analysis_core.requests.event_costs import EventCosts
from analysis_core.requests.excess import opening
from analysis_core.requests.facts import CostCase, SizeCases
from analysis_core.requests.requests import Request, cost_key, event_key, requests
from analysis_core.requests.size_cases import size_cases
from analysis_core.text.records import dataclass

MOST_EVENTS = 8
"""Different executions of one access that are costed again."""

_MOST_SYMBOLS = 4
_GREATEST = 32
_MODULI = (16, 8, 4, 2, 1)


@dataclass(frozen=True, slots=True)
class _Sizes:
    """s % modulus == 0 and s >= least, for each symbol."""

    modulus: dict[Symbol, int]
    least: dict[Symbol, int]


@dataclass(frozen=True, slots=True)
class Recosted:
    """The executions that one case took of the budget, which was `before` at its beginning."""

    before: int
    taken: int


class DivisibleCases:
    """Asks what accesses of one kernel cost where parameters are divisible; `budget`: executions still to be costed."""

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self._quotients: dict[tuple[Symbol, int, int], Symbol] = {}
        self._costs: dict[Hashable, RequestCost] = {}
        self._executions: dict[Hashable, tuple[int, bool]] = {}
        self._sizes: dict[Hashable, SizeCases | None] = {}

    @property
    def left(self) -> int:
        """What is left of the budget; below 0, a case was given up."""
        return self._budget

    def replay(self, taken: Recosted) -> bool:
        """Counts what a remembered case took, as if it were found now. False, and nothing is counted, if the case
        could be another one here."""
        gave_up = taken.taken > taken.before
        if (self._budget != taken.before) if gave_up and taken.taken else (taken.taken > self._budget >= 0):
            return False
        if self._budget < 0 and taken.before >= 0 and taken.taken:
            return False
        self._budget -= taken.taken
        return True

    def case(self, events: Sequence[AccessEvent], worst: int, exact: bool) -> CostCase | None:
        """The cost of one access in the case that parameters are divisible and large enough. It is given if it is less
        than the worst, or if it is certain there and not in general (`exact` False). None if there is no such case, or
        too much to look at."""
        every = {s for event in events for s in event.address.poly.symbols() if s.kind is SymbolKind.PARAMETER}
        symbols = sorted(s for s in every if s.residue == 0 and s.low is not None and s.low >= 0)
        if not symbols or len(symbols) > _MOST_SYMBOLS or len(events) > MOST_EVENTS:
            return None
        sizes = _Sizes(dict.fromkeys(symbols, _GREATEST), _rows_apart(events, symbols))
        target = self._cost(events, sizes)
        if target is None or target[0] > worst or (target[0] == worst and (exact or not target[1])):
            return None
        when = list(_conditions(self._relaxed(events, sizes, target)))
        return CostCase(" and ".join(when), target[0]) if when else None

    def by_pitch(self, events: Sequence[AccessEvent], pitch: Monomial, worst: int) -> SizeCases | None:
        """How the cost of one access grows with the size in its pitch; accesses of other lines and arrays often ask for the same."""
        asked = (
            (event.space, event.access.width, event_key(event, period_of(event.space)), opening(event))
            for event in events
        )
        key = (pitch, worst, *asked)
        if key not in self._sizes:
            self._sizes[key] = size_cases(events, pitch, worst)
        return self._sizes[key]

    def _cost(self, events: Sequence[AccessEvent], sizes: _Sizes) -> tuple[int, bool] | None:
        """The worst cost under the condition and whether every request costs one known number; None past the budget."""
        self._budget -= len(events)
        if self._budget < 0:
            return None
        results = [self._of_execution(self._with_sizes(event, sizes)) for event in events]
        return max(worst for worst, _ in results), all(certain for _, certain in results)

    def _of_execution(self, event: AccessEvent) -> tuple[int, bool]:
        """The same of one execution; those of other arrays and lines often ask for the same."""
        period = period_of(event.space)
        key = cost_key(event, period) or (event.space, event.access.width, event.extent, event_key(event, period))
        found = self._executions.get(key)
        if found is None:
            costs = [self._of_request(r, event.space, event.access.width) for _, r in requests(event, period)]
            found = max(cost.worst for cost in costs), all(cost.worst == cost.best for cost in costs)
            self._executions[key] = found
        return found

    def _of_request(self, request: Request, space: Space, width: int) -> RequestCost:
        key = (space, width, request.key())
        if key not in self._costs:
            self._costs[key] = request_cost(request, space, width, atomic=False)
        return self._costs[key]

    def _relaxed(self, events: Sequence[AccessEvent], sizes: _Sizes, target: tuple[int, bool]) -> _Sizes:
        """As little as gives the same: each symbol's bound and modulus lowered in turn."""
        for symbol in sizes.modulus:
            if symbol in sizes.least:
                without = _Sizes(sizes.modulus, {s: t for s, t in sizes.least.items() if s is not symbol})
                if self._cost(events, without) == target:
                    sizes = without
            for modulus in _MODULI:
                lower = _Sizes({**sizes.modulus, symbol: modulus}, sizes.least)
                if self._cost(events, lower) != target:
                    break  # what is not enough stays so
                sizes = lower
        return sizes

    def _with_sizes(self, event: AccessEvent, sizes: _Sizes) -> AccessEvent:
        """The execution under the condition: s = step*q with q >= least/step."""
        values: dict[Symbol, Poly] = {}
        for symbol, modulus in sizes.modulus.items():
            step = lcm(modulus, symbol.modulus)
            least = -(-max(sizes.least.get(symbol, 0), symbol.low or 0) // step)
            key = (symbol, step, least)
            if key not in self._quotients:
                self._quotients[key] = replace(symbol, low=least, high=None, modulus=1, residue=0, values=None)
            values[symbol] = pl.scale(pl.of_symbol(self._quotients[key]), step)
        poly = pl.substitute(event.address.poly, values)
        return replace(event, address=replace(event.address, poly=poly))


def _conditions(sizes: _Sizes) -> Iterable[str]:
    for symbol, modulus in sizes.modulus.items():
        name = safe_name(symbol.name)
        if symbol.modulus % modulus:
            yield f"{name} % {modulus} == 0"
        if sizes.least.get(symbol, 0) > (symbol.low or 0):
            yield f"{name} >= {sizes.least[symbol]}"


def _rows_apart(events: Sequence[AccessEvent], symbols: Sequence[Symbol]) -> dict[Symbol, int]:
    """For each parameter that is the pitch of rows by itself, from what value on different rows share nothing."""
    least: dict[Symbol, int] = {}
    for event in events:
        for _, request in requests(event, period_of(event.space)):
            lanes = request.relative[request.active]
            row = int(lanes.max() - lanes.min()) + event.access.width + 31
            for pitch in request.pitches:
                steps = np.diff(distinct_numbers(pitch.lanes[request.active]))
                if len(pitch.monomial) == 1 and pitch.monomial[0] in symbols and len(steps):
                    needed = -(-row // int(steps.min()))
                    least[pitch.monomial[0]] = max(least.get(pitch.monomial[0], 0), needed)
    return least


# --- rows -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class LongRows:
    """What an access costs at most under the condition `when`, and a request that costs so much there."""

    when: str
    event: AccessEvent
    request: Request
    cost: RequestCost


def long_rows(events: Sequence[AccessEvent], costs: EventCosts) -> LongRows | None:
    """What one access costs where rows are no shorter than a warp.  None where no lengths of rows decide, or there is too much to look
    at."""
    lengths = {event: costs.splitter.row_lengths(event.address.poly) for event in events}
    rows = sorted(frozenset[Symbol]().union(*lengths.values()))
    if not rows or len(events) > MOST_EVENTS:
        return None
    when = " and ".join(f"{safe_name(symbol.name)} >= {WARP}" for symbol in rows)
    found: LongRows | None = None
    for event in events:
        taken = costs.in_long_rows(event, lengths[event])
        if not taken:
            return None
        _, request, cost = max(taken, key=lambda one: one[2].worst)
        if found is None or cost.worst > found.cost.worst:
            found = LongRows(when, event, request, cost)
    return found
