"""Whether the first block of the grid can be told more about than any block.

Lower bounds of the most expensive warp come from an interpretation of the first block, where blockIdx is 0.  It takes as
long as that of any block, and mostly finds the same: `i < n` is as open as `tid < n` where nothing is known of n, and a
multiple of a sector does not move a request.  It may find more only where

- a test is decided for more lanes when 0 is put in for blockIdx,
- an access surely costs more when 0 is put in for blockIdx (it decides where in a sector a request begins),
- blockIdx decides how long a loop runs,
- a value that is no polynomial, or one that is not exact, is made from blockIdx.

What holds of any block holds of the first, so a wrong "no" would cost precision, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from analysis_core.domains import condition as cond
from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Condition, Relation
from analysis_core.domains.congruence import never_zero
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Coefficient, Monomial, Poly
from analysis_core.domains.shape import BoolVector, some
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.domains.thread_value import Integer
from analysis_core.interp.core.events import AccessEvent, Events
from analysis_core.interp.core.trace import Looped, walk
from analysis_core.interp.core.trips import polynomials
from analysis_core.requests.access_cost import period_of
from analysis_core.requests.event_costs import EventCosts, Requests


def tells_more(events: Events, costs: EventCosts) -> bool:
    """Whether lower bounds of the first block may exceed those of any block, where parameters are free."""
    search = _Search(events.derivations, costs)
    return (
        any(search.in_loop(node) for node in walk(events.trace) if isinstance(node, Looped))
        or any(search.in_address(event) for event in events.accesses)
        or any(search.in_condition(c, lanes) for c, lanes in _conditions(events))
    )


def _conditions(events: Events) -> Iterable[tuple[Condition, BoolVector]]:
    """Tests and what holds back lanes, each with the lanes that it is about."""
    seen: set[int] = set()
    for mask in [*(branch.mask for branch in events.branches), *(access.mask for access in events.accesses)]:
        for entry in mask.literals:
            if id(entry) not in seen:
                seen.add(id(entry))
                yield entry.formula, entry.scope
    for event in events.branches:
        yield from ((condition, event.mask.may) for condition in event.conditions)


class _Search:
    """For blockIdx in what events say."""

    def __init__(self, derivations: Mapping[Symbol, Derivation], costs: EventCosts) -> None:
        self._derivations = derivations
        self._costs = costs
        self._known: dict[Symbol, bool] = {}
        self._literals: dict[int, tuple[Condition, BoolVector]] = {}

    def in_loop(self, loop: Looped) -> bool:
        """Whether the number of rounds may depend on blockIdx."""
        deciding = [poly for test in loop.tests for poly in polynomials(test)]
        if loop.sole is None:  # a program reads the loop off the source, from the values at its entry (loop_program.py)
            values = (value for value in loop.entry.values() if isinstance(value, Integer))
            deciding += [value.poly for value in values if pl.level(value.poly) is not Level.LANE]
        return any(map(self._mentions, deciding))

    def in_address(self, event: AccessEvent) -> bool:
        """Whether the request may surely cost more in the first block than in any."""
        address, period = event.address, period_of(event.space)
        touched = [s for s in address.poly.symbols() if self._is_touched(s)]
        if not all(map(_is_block, touched)):
            return True
        moving = [(m, c) for m, c in address.poly.terms.items() if any(s in touched for s in m)]
        if not moving or (address.bits is None and all(_keeps_place(m, c, period) for m, c in moving)):
            return False
        if event.mask.literals:
            return True  # some of its lanes may surely run, and cost more there than anywhere
        there = replace(event, address=replace(address, poly=_at_first(address.poly), bits=None))
        return _sure(self._costs.requests(there)) != _sure(self._costs.requests(event))

    def in_condition(self, condition: Condition, lanes: BoolVector) -> bool:
        """Whether more of the lanes may be decided in the first block."""
        if condition.atom is None:
            return any(self.in_condition(part, lanes) for part in condition.parts)
        atom = condition.atom
        if atom.poly is None:
            compared = () if atom.compared is None else (atom.compared.left.poly, atom.compared.right.poly)
            return any(map(self._mentions, compared))
        if not self._mentions(atom.poly):
            return False
        if not all(_is_block(s) for s in atom.poly.symbols() if self._is_touched(s)):
            return True
        known = self._literals.get(id(condition))
        if known is None:
            known = self._literals[id(condition)] = condition, _decided(atom.poly, atom.relation, len(lanes))
        return some(known[1] & condition.undecided & lanes)

    def _mentions(self, poly: Poly) -> bool:
        return any(map(self._is_touched, poly.symbols()))

    def _is_touched(self, symbol: Symbol) -> bool:
        """Whether the symbol is blockIdx, or may be made from it."""
        pending = [symbol]
        while pending:
            top = pending[-1]
            if top in self._known:
                pending.pop()
                continue
            inputs = self._inputs(top)
            missing = [s for s in inputs if s not in self._known]
            if missing:
                pending.extend(missing)
                continue
            own = _is_block(top) or (top.kind is SymbolKind.UNKNOWN and top not in self._derivations)
            self._known[pending.pop()] = own or any(self._known[s] for s in inputs)
        return self._known[symbol]

    def _inputs(self, symbol: Symbol) -> set[Symbol]:
        derivation = self._derivations.get(symbol)
        if derivation is None:
            return set()
        used = {s for value in derivation.operands for s in value.poly.symbols()}
        return used | (cond.symbols(derivation.condition) if derivation.condition is not None else set())


def _is_block(symbol: Symbol) -> bool:
    return symbol.kind is SymbolKind.GRID and symbol.name.startswith("blockIdx.")


def _at_first(poly: Poly) -> Poly:
    """The value where blockIdx is 0."""
    return pl.substitute(poly, {s: pl.ZERO for s in poly.symbols() if _is_block(s)})


def _keeps_place(monomial: Monomial, coefficient: Coefficient, period: int) -> bool:
    """Whether the term is a multiple of the hardware's pattern for all lanes."""
    modulus, residue = pl.congruence(monomial)
    return isinstance(coefficient, int) and not (coefficient * modulus % period or coefficient * residue % period)


def _sure(requests: Requests) -> list[tuple[tuple[int, ...], bytes, int, int]]:
    """What decides what each warp surely pays."""
    return [
        (tuple(warps), request.scattered.tobytes(), cost.best, cost.ideal) for warps, request, cost in requests.costed
    ]


def _decided(poly: Poly, relation: Relation, size: int) -> BoolVector:
    """The lanes for which the atom is decided where blockIdx is 0."""
    there = _at_first(poly)
    low, high = (np.broadcast_to(np.asarray(end), size) for end in pl.bounds(there))
    if relation is Relation.NEGATIVE:
        return np.asarray((high < 0) | (low >= 0))
    return np.asarray(((low == 0) & (high == 0)) | (low > 0) | (high < 0) | never_zero(there, size))
