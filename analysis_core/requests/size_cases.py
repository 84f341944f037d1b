"""How the cost of rows at a symbolic pitch grows with the pitch: "32 when h >= 8, fewer below, 4 when h == 1".

The residue cases of `cases.py` say nothing here: what decides is not the residue of the pitch but its size, because small
pitches put several rows into one sector.  So every value from 0 to `LARGEST` is put in for the symbol, one by one, in the
address and in the conditions of the mask (where `y < h`, h = 1 leaves one value of y), and the costs are counted as for any
request: the most over all warps and all residues that the other symbols can take.

The costs found are upper figures, as `worst` is.  A threshold is told only if all values from it to `LARGEST` cost exactly
`worst`, and all below cost less; beyond `LARGEST` the cost is `worst` at most.  A symbol that stands in more than the
pitch (or pitches of several symbols) tells no such story, and None is the answer.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Atom, Relation
from analysis_core.domains.mask import Mask
from analysis_core.domains.polynomial import Coefficient, Monomial, Poly
from analysis_core.domains.shape import WARP, BoolVector, IntVector, some
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.interp.core.events import AccessEvent
from analysis_core.ir.types import Space
from analysis_core.machine import global_memory
from analysis_core.machine.global_memory import SECTOR_BYTES
from analysis_core.requests.facts import SizeCases

LARGEST = 64
"""The greatest size that is put in: 64 elements of a byte are two sectors."""

_BITS = 32
"""Addresses that are right modulo 2^32 or more are right for lanes less than 2^31 bytes apart (thread_value.py)."""

_MOST_EVENTS = 4
_AT_ONCE = 16
"""Values that are put in together: of a block of 1,024 threads, 128 kB per symbol."""

_MOST_COEFFICIENT = 1 << 48
"""Sums of coefficients below it fit into 64 bits."""


def size_cases(events: Sequence[AccessEvent], pitch: Monomial, worst: int) -> SizeCases | None:
    """How the cost of an access grows with the size in its pitch. `events`: the different executions of the access;
    `pitch`: the monomial by which its lanes are apart."""
    if len(pitch) != 1 or pitch[0].kind is not SymbolKind.PARAMETER or not 0 < len(events) <= _MOST_EVENTS:
        return None
    size = pitch[0]
    if any(event.space is not Space.GLOBAL or (event.address.bits or _BITS) < _BITS for event in events):
        return None
    values = [v for v in range(max(1, size.low or 0), min(LARGEST, size.high or LARGEST) + 1) if _admits(size, v)]
    if not values:
        return None
    # The least and the greatest first: where the one costs `worst`, or the other does not, there is no story.
    ends = _most_of(events, size, [*values[:1], *values[-1:]])
    if ends is None or ends[0] >= worst or (ends[1] < worst and values[-1] == LARGEST):
        return None
    costs = _most_of(events, size, values)
    return None if costs is None else _story(size, dict(zip(values, costs, strict=True)), worst)


def _most_of(events: Sequence[AccessEvent], size: Symbol, values: Sequence[int]) -> list[int] | None:
    """For each value, what one of the executions costs at most."""
    found: list[int] = []
    for start in range(0, len(values), _AT_ONCE):
        each = [_costs(event, size, values[start : start + _AT_ONCE]) for event in events]
        known = [costs for costs in each if costs is not None]
        if len(known) < len(each):
            return None
        found += map(max, zip(*known, strict=True))
    return found


def _admits(symbol: Symbol, value: int) -> bool:
    return value % symbol.modulus == symbol.residue


def _story(size: Symbol, costs: dict[int, int], worst: int) -> SizeCases | None:
    """The threshold from which on every value costs `worst`, if all values below cost less."""
    below = [value for value, cost in costs.items() if cost < worst]
    if not below or any(cost > worst for cost in costs.values()):
        return None
    threshold = max(below) + 1
    if threshold > LARGEST or any(costs[value] == worst for value in costs if value < threshold):
        return None
    value = min(below, key=lambda v: (costs[v], v))
    return SizeCases(size.name, worst, threshold, costs[value], value)


def _costs(event: AccessEvent, size: Symbol, values: Sequence[int]) -> list[int] | None:
    """For each value of the symbol, the most sectors of one request; None if lanes are still apart by a symbol."""
    active = np.stack([_active(event.mask, size, value) for value in values])
    put = _put_in_all(event.address.poly, size, values, active.shape[1])
    if put is None:
        return None
    lanes = active.reshape(-1, WARP)
    here = np.flatnonzero(lanes.any(axis=1))  # a row for each value and each warp that runs
    if not len(here):
        return [0] * len(values)
    lanes = lanes[here]
    first = (np.arange(len(here)), lanes.argmax(axis=1))
    constants = put.pop((), np.zeros_like(active, dtype=np.int64)).reshape(-1, WARP)[here]
    shift = constants[first]
    relative = np.where(lanes, constants - shift[:, np.newaxis], 0)
    step = np.full(len(here), SECTOR_BYTES, dtype=np.int64)
    for monomial, coefficients in put.items():
        rows = coefficients.reshape(-1, WARP)[here]
        common = rows[first]
        if any(s.level is Level.LANE for s in monomial) or some(lanes & (rows != common[:, np.newaxis])):
            return None
        modulus, residue = pl.congruence(monomial)
        shift = shift + common % SECTOR_BYTES * (residue % SECTOR_BYTES)
        step = np.gcd(step, common % SECTOR_BYTES * (modulus % SECTOR_BYTES))
    if int(np.abs(relative).max()) >= (1 << (_BITS - 1)) - SECTOR_BYTES:
        return None
    alike = np.concatenate([lanes, relative, (shift % SECTOR_BYTES)[:, np.newaxis], step[:, np.newaxis]], axis=1)
    found = np.zeros(len(values), dtype=np.int64)
    np.maximum.at(found, here // (active.shape[1] // WARP), _most_of_rows(alike, event.access.width))
    costs: list[int] = found.tolist()
    return costs


def _most_of_rows(alike: IntVector, width: int) -> IntVector:
    """The most sectors of each row, over all that its lanes may share; rows that come again are counted once.  A row: 32 numbers
    that say who runs, 32 lanes' bytes, and what they share, a number and the step between what it may be besides."""
    size = alike.itemsize * alike.shape[1]
    data = alike.tobytes()
    numbers: dict[bytes, int] = {}
    at = [numbers.setdefault(data[i : i + size], len(numbers)) for i in range(0, len(data), size)]
    distinct = np.frombuffer(b"".join(numbers), dtype=alike.dtype).reshape(-1, alike.shape[1])
    lanes, relative, shift, step = distinct[:, :WARP] != 0, distinct[:, WARP:-2], distinct[:, -2], distinct[:, -1]
    times = SECTOR_BYTES // step
    starts = np.cumsum(times) - times
    row = np.repeat(np.arange(len(distinct)), times)
    shifts = (shift[row] + (np.arange(len(row)) - starts[row]) * step[row]) % SECTOR_BYTES
    layouts = relative[row] + shifts[:, np.newaxis].astype(np.int64)
    costs = global_memory.sectors_many(layouts, lanes[row], width)
    most: IntVector = np.maximum.reduceat(costs, starts)[at]
    return most


def _put_in_all(poly: Poly, size: Symbol, values: Sequence[int], threads: int) -> dict[Monomial, IntVector] | None:
    """The coefficients (values, threads) of the polynomial with each number in place of the symbol; None if they are too large."""
    parts: dict[Monomial, IntVector] = {}
    for monomial, coefficient in poly.terms.items():
        rest = tuple(s for s in monomial if s is not size)
        powers = np.array(values, dtype=np.int64) ** (len(monomial) - len(rest))
        most = abs(coefficient) if isinstance(coefficient, int) else int(np.abs(coefficient).max())
        if most * int(powers.max()) >= _MOST_COEFFICIENT:
            return None
        own = pl.coefficient_vector(coefficient, threads) * powers[:, np.newaxis]
        parts[rest] = parts[rest] + own if rest in parts else own
    return parts


def _put_in(poly: Poly, size: Symbol, value: int) -> Poly:
    """The polynomial with a number in place of the symbol."""
    if not any(size in monomial for monomial in poly.terms):
        return poly
    parts: dict[Monomial, Coefficient] = {}
    for monomial, coefficient in poly.terms.items():
        rest = tuple(s for s in monomial if s is not size)
        factor = value ** (len(monomial) - len(rest))
        parts[rest] = parts.get(rest, 0) + coefficient * factor
    return pl.map_coefficients(Poly(parts), lambda c: c)


def _active(mask: Mask, size: Symbol, value: int) -> BoolVector:
    """The lanes that may run where the symbol has the value: a condition that cannot hold then excludes its lanes."""
    may = mask.may
    for entry in mask.literals:
        atom = entry.atom
        if atom is not None and atom.poly is not None:
            may = may & ~(entry.scope & _fails(atom, entry.formula.positive, size, value))
    return may


def _fails(atom: Atom, positive: bool, size: Symbol, value: int) -> BoolVector | bool:
    """The lanes for which the literal is false for every value of the other symbols."""
    assert atom.poly is not None
    if not any(size in monomial for monomial in atom.poly.terms):
        return False
    low, high = pl.bounds(_put_in(atom.poly, size, value))
    match atom.relation:
        case Relation.NEGATIVE:
            return np.asarray(low >= 0) if positive else np.asarray(high < 0)
        case Relation.ZERO:
            return np.asarray((low > 0) | (high < 0)) if positive else False
        case _:
            return False
