"""How far apart the lanes of a warp are at most, where their addresses are functions of values that they share.

Clamped coordinates are the case in point.  `in[min(max(y, 0), h - 1) * w + min(max(x, 0), w - 1)]` has no polynomial, and splitting
into cases takes one for each place where a border may cut the warp, in both directions.  But `min` and `max` never
move two values apart, so that lanes of one row stay as near as they were before they were clamped:

    |min(a, b) - min(a', b')| <= max(|a - a'|, |b - b'|)          the same for max
    |a / d - a' / d|          <= ceil(|a - a'| / d)               for a constant d > 0, and for shifts
    |(P < 0 ? a : b) - (..)'| <= min(|a - a'|, |b - b'|) + |P - P'| + r   where a - b = P + r or -P + r, across the border
    f(a, ..) = f(a', ..)                                          for any f of equal operands, and for what is loaded from one address

Distances are those of integers, so only exact values count.  A request costs no more than its clusters do, one by one: a
cluster of lanes within `reach` bytes touches no more sectors than any run of so many bytes, and no more words per bank.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

import numpy as np
import numpy.typing as npt

from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Condition, Relation
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Coefficient, Monomial, Poly
from analysis_core.domains.shape import WARP, BoolVector, distinct_numbers
from analysis_core.domains.symbol import Level, Symbol
from analysis_core.domains.thread_value import Integer
from analysis_core.ir.types import Space
from analysis_core.machine import global_memory, shared_memory

Distances = npt.NDArray[np.float64]
"""(warps, 32, 32): no two lanes are further apart; infinite where nothing is known."""

_MOST = float(1 << 40)
"""Greater distances count as unknown; below, floats are exact."""

_DEEPEST = 8
"""Derivations inside of derivations that are followed."""


class Nearness:
    """Bounds of the distances between lanes in one interpretation; those of symbols are remembered."""

    def __init__(self, derivations: Mapping[Symbol, Derivation]) -> None:
        self._derivations = derivations
        self._known: dict[Symbol, Distances] = {}

    def of(self, poly: Poly, size: int, depth: int = 0) -> Distances:
        """Bounds of the distances between any two lanes in an exact value, for a block of `size` threads."""
        total = np.zeros((size // WARP, WARP, WARP))
        while (found := self._own(poly)) is not None:
            monomial, symbol = found
            whole, factor = self._whole(symbol), _factor(poly, monomial, symbol, self._derivations)
            if factor is None or whole is None or depth > _DEEPEST:
                return _unknown(total)
            rest = _without(monomial, symbol)
            most = max(abs(end) for end in pl.monomial_range(rest)) if rest else 1.0
            total = total + _times(abs(factor) * most, self._of_symbol(symbol, size, depth))
            poly = pl.subtract(poly, pl.multiply(whole, Poly({rest: factor})))
        for monomial, coefficient in poly.terms.items():
            if isinstance(coefficient, int):
                continue
            most = max(abs(end) for end in pl.monomial_range(monomial)) if monomial else 1.0
            total = total + _times(most, _apart(coefficient))
        return np.where(total > _MOST, inf, total)

    def _own(self, poly: Poly) -> tuple[Monomial, Symbol] | None:
        """A monomial with a symbol of the lanes' own."""
        for monomial in poly.terms:
            for symbol in monomial:
                if symbol.level is Level.LANE:
                    return monomial, symbol
        return None

    def _whole(self, symbol: Symbol) -> Poly | None:
        """The value that the symbol stands for where it is not settled, on all lanes; None for what is no function."""
        derivation = self._derivations.get(symbol)
        if derivation is None:
            return None if symbol.alike is None else pl.of_symbol(symbol)
        if derivation.settled is None:
            return pl.of_symbol(symbol)
        waiting, settled = derivation.settled
        return pl.select(waiting, pl.of_symbol(symbol), settled)

    def _of_symbol(self, symbol: Symbol, size: int, depth: int) -> Distances:
        known = self._known.get(symbol)
        if known is None:
            d = self._derivations.get(symbol)
            known = self._known[symbol] = _of_alike(symbol) if d is None else self._derived(d, size, depth)
        return known

    def _derived(self, d: Derivation, size: int, depth: int) -> Distances:
        """The distances of what the operation gives on all lanes."""
        parts = [self._of_operand(v, size, depth) for v in d.operands]
        nothing = np.zeros((size // WARP, WARP, WARP))
        alike = self._alike(d.condition, size, depth)
        itself = np.broadcast_to(np.eye(WARP, dtype=bool), nothing.shape)
        same = itself | np.logical_and.reduce([part == 0 for part in parts] + [alike])
        match d.op, parts:
            case (("min" | "max"), [a, b]):
                apart = np.maximum(a, b)
            case (("/" | "floor/"), [a, _]) if (divisor := _constant(d.operands[1])) > 0:
                apart = np.ceil(a / divisor)
            case (">>", [a, _]) if 0 <= (amount := _constant(d.operands[1])) < 40:
                apart = np.ceil(a / (1 << amount))
            case ("blend", [a, b]) if d.condition is not None:
                apart = np.where(alike, np.maximum(a, b), np.minimum(a, b) + self._across(d, size, depth))
            case _:
                apart = _unknown(nothing)
        return np.where(same, 0.0, np.where(apart > _MOST, inf, apart))

    def _of_operand(self, value: Integer, size: int, depth: int) -> Distances:
        if not value.exact:
            return _unknown(np.zeros((size // WARP, WARP, WARP)))
        return self.of(value.poly, size, depth + 1)

    def _across(self, d: Derivation, size: int, depth: int) -> Distances | float:
        """What a pair of lanes on both sides of `P < 0` adds: |P - P'| + |r|, for arms that differ by P + r or r - P."""
        assert d.condition is not None
        atom, (a, b) = d.condition.atom, d.operands
        if atom is None or atom.poly is None or atom.relation is not Relation.NEGATIVE:
            return inf
        for sign in (1, -1):
            left = pl.subtract(pl.subtract(a.poly, b.poly), pl.scale(atom.poly, sign))
            if left.is_constant:
                most = int(np.abs(pl.coefficient_vector(left.constant, size)).max())
                return self.of(atom.poly, size, depth + 1) + most
        return inf

    def _alike(self, condition: Condition | None, size: int, depth: int) -> npt.NDArray[np.bool_]:
        """The pairs of lanes that surely find the same."""
        shape = (size // WARP, WARP, WARP)
        if condition is None:
            return np.ones(shape, dtype=bool)
        if condition.parts:
            parts = [self._alike(part, size, depth) for part in condition.parts]
            waiting = np.logical_and.reduce(parts)
        elif condition.atom is None or condition.atom.poly is None:
            waiting = np.full(shape, condition.atom is not None and condition.atom.level is not Level.LANE)
        else:
            waiting = self.of(condition.atom.poly, size, depth + 1) == 0
        kinds = 2 * condition.true.astype(np.int64) + condition.false
        equal = _apart(kinds) == 0
        open_ = condition.undecided.reshape(-1, WARP)
        return np.asarray(equal & (waiting | ~open_[:, :, np.newaxis]))


def most_of_clusters(distances: npt.NDArray[np.float64], active: BoolVector, space: Space, width: int, one: int) -> int:
    """The most sectors or wavefronts of one warp's active lanes. `distances`: the greatest distance of any two lanes,
    (32, 32) in bytes; `one`: sectors of one element."""
    lanes = np.flatnonzero(active)
    known = distances[np.ix_(lanes, lanes)]
    if np.count_nonzero(np.isfinite(known)) <= len(lanes):  # Nobody is near to anybody else.
        return len(lanes) * _of_run(width, 1, space, width, one)
    known = _by_ways(known)
    total = 0
    for cluster in _clusters(known, _link(space)):
        reach = int(known[np.ix_(cluster, cluster)].max()) + width
        total += _of_run(reach, len(cluster), space, width, one)
    return total


def _by_ways(distances: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """No two lanes are further apart than any way from one to the other over further lanes is long."""
    for over in range(len(distances)):
        distances = np.minimum(distances, distances[:, over, np.newaxis] + distances[over])
    return distances


def _of_run(reach: int, lanes: int, space: Space, width: int, one: int) -> int:
    """What lanes within `reach` bytes cost at most."""
    if space is Space.SHARED:
        words = -(-reach // shared_memory.WORD_BYTES) if width == shared_memory.WORD_BYTES else (reach + 2) // 4 + 1
        return min(lanes, -(-words // shared_memory.BANKS))
    size = global_memory.SECTOR_BYTES
    begin = size - width if one == 1 and width <= size else size - 1
    return min(lanes * one, (begin + reach - 1) // size + 1)


def _link(space: Space) -> int:
    """Lanes nearer than this are put together: that costs no more than apart."""
    return shared_memory.BANKS * shared_memory.WORD_BYTES if space is Space.SHARED else global_memory.SECTOR_BYTES


def _clusters(distances: npt.NDArray[np.float64], link: int) -> list[list[int]]:
    """The lanes, put together where a chain of near ones joins them."""
    left = set(range(len(distances)))
    found: list[list[int]] = []
    while left:
        cluster, pending = [], [left.pop()]
        while pending:
            lane = pending.pop()
            cluster.append(lane)
            near = {other for other in left if distances[lane, other] <= link}
            left -= near
            pending.extend(near)
        found.append(cluster)
    return found


def _factor(poly: Poly, monomial: Monomial, symbol: Symbol, known: Mapping[Symbol, Derivation]) -> int | None:
    """The number k of k * symbol * rest, where the coefficient is k on the lanes that wait for the symbol and 0 elsewhere."""
    coefficient = poly.terms[monomial]
    derivation = known.get(symbol)
    if any(s.level is Level.LANE for s in _without(monomial, symbol)):
        return None
    if derivation is None:
        return coefficient if isinstance(coefficient, int) and symbol.alike is not None else None
    if derivation.settled is None or derivation.settled[0].all():
        return coefficient if isinstance(coefficient, int) else None
    waiting = derivation.settled[0]
    if isinstance(coefficient, int) or (coefficient[~waiting] != 0).any():
        return None
    values = distinct_numbers(coefficient[waiting])
    return int(values[0]) if len(values) == 1 and abs(int(values[0])) < _MOST else None


def _without(monomial: Monomial, symbol: Symbol) -> Monomial:
    rest = list(monomial)
    rest.remove(symbol)
    return tuple(rest)


def _constant(value: Integer) -> int:
    """The operand, where it is one number; else -1."""
    number = value.poly.constant
    return number if value.exact and value.poly.is_constant and isinstance(number, int) else -1


def _of_alike(symbol: Symbol) -> Distances:
    """None between lanes that hold one value for certain."""
    assert symbol.alike is not None
    return np.where(_apart(symbol.alike) == 0, 0.0, inf)


def _apart(coefficient: Coefficient) -> Distances:
    """|c - c'| for all pairs of lanes of each warp; unknown where numbers are so large that differences might wrap around."""
    assert not isinstance(coefficient, int)
    rows = coefficient.reshape(-1, WARP)
    found = np.abs(rows[:, :, np.newaxis] - rows[:, np.newaxis, :]).astype(np.float64)
    return found if np.abs(rows).max() < _MOST else _unknown(found)


def _unknown(like: Distances) -> Distances:
    """Infinite but for a lane and itself."""
    result = np.full(like.shape, inf)
    result[:, np.arange(WARP), np.arange(WARP)] = 0.0
    return result


def _times(factor: float, distances: Distances) -> Distances:
    """The product, where 0 times infinity is 0."""
    with np.errstate(invalid="ignore"):
        return np.where(distances == 0, 0.0, factor * distances)
