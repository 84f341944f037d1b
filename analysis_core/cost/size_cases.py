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

from collections.abc import Iterator, Sequence

import numpy as np

from analysis_core.cost.facts import SizeCases
from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Atom, Relation
from analysis_core.domains.mask import Mask
from analysis_core.domains.polynomial import Coefficient, Monomial, Poly
from analysis_core.domains.shape import WARP, BoolVector, IntVector, some
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.interp.events import AccessEvent
from analysis_core.ir.types import Space
from analysis_core.machine import global_memory
from analysis_core.machine.global_memory import SECTOR_BYTES

LARGEST = 64
"""The greatest size that is put in: 64 elements of a byte are two sectors."""

_BITS = 32
"""Addresses that are right modulo 2^32 or more are right for lanes less than 2^31 bytes apart (thread_value.py)."""

_MOST_EVENTS = 4
_MOST_ROWS = 1 << 14
"""Requests that are counted for one access: some milliseconds."""


def size_cases(events: Sequence[AccessEvent], pitch: Monomial, worst: int) -> SizeCases | None:
    """`events`: the executions of one access that differ; `pitch`: the monomial at which its lanes are apart."""
    if len(pitch) != 1 or pitch[0].kind is not SymbolKind.PARAMETER or not 0 < len(events) <= _MOST_EVENTS:
        return None
    size = pitch[0]
    if any(event.space is not Space.GLOBAL or (event.address.bits or _BITS) < _BITS for event in events):
        return None
    values = [v for v in range(max(1, size.low or 0), min(LARGEST, size.high or LARGEST) + 1) if _admits(size, v)]
    costs: dict[int, int] = {}
    # The least and the greatest first: where the one costs `worst`, or the other does not, there is no story.
    for value in dict.fromkeys((*values[:1], *values[-1:], *values)):
        found = [_cost(event, size, value) for event in events]
        known = [cost for cost in found if cost is not None]
        if len(known) < len(found) or max(known) > worst:
            return None
        if max(known) == worst if value == values[0] else max(known) < worst and value == LARGEST:
            return None
        costs[value] = max(known)
    return _story(size, dict(sorted(costs.items())), worst)


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


def _cost(event: AccessEvent, size: Symbol, value: int) -> int | None:
    """The most sectors of one request where the symbol has the value; None if lanes are still apart by a symbol."""
    poly = _put_in(event.address.poly, size, value)
    active = _active(event.mask, size, value)
    layouts: list[IntVector] = []
    masks: list[BoolVector] = []
    for rows, lanes in _layouts(poly, active):
        if rows is None or len(rows) > _MOST_ROWS or int(np.abs(rows).max()) >= 1 << (_BITS - 1):
            return None
        layouts.append(rows)
        masks.append(np.broadcast_to(lanes, rows.shape))
    if not layouts:
        return 0
    costs = global_memory.sectors_many(np.concatenate(layouts), np.concatenate(masks), event.access.width)
    return int(costs.max())


def _layouts(poly: Poly, active: BoolVector) -> Iterator[tuple[IntVector | None, BoolVector]]:
    """Per distinct warp: its lanes' bytes for every residue of what they share, (residues, 32), and who is active."""
    lanes = active.reshape(-1, WARP)
    warps = np.flatnonzero(lanes.any(axis=1))
    lanes = lanes[warps]
    first = (np.arange(len(warps)), lanes.argmax(axis=1))
    constants = pl.coefficient_vector(poly.constant, len(active)).reshape(-1, WARP)[warps]
    shift = constants[first]
    relative = np.where(lanes, constants - shift[:, np.newaxis], 0)
    step = np.full(len(warps), SECTOR_BYTES, dtype=np.int64)
    for monomial, coefficient in poly.terms.items():
        if not monomial:
            continue
        rows = pl.coefficient_vector(coefficient, len(active)).reshape(-1, WARP)[warps]
        common = rows[first]
        if any(s.level is Level.LANE for s in monomial) or some(lanes & (rows != common[:, np.newaxis])):
            yield None, lanes[0]
            return
        modulus, residue = pl.congruence(monomial)
        shift = shift + common % SECTOR_BYTES * (residue % SECTOR_BYTES)
        step = np.gcd(step, common % SECTOR_BYTES * (modulus % SECTOR_BYTES))
    shift = shift % SECTOR_BYTES
    alike = np.concatenate([lanes, relative, shift[:, np.newaxis], step[:, np.newaxis]], axis=1)
    distinct = {row.tobytes(): number for number, row in enumerate(alike)}
    for number in distinct.values():
        shifts = (shift[number] + np.arange(0, SECTOR_BYTES, step[number], dtype=np.int64)) % SECTOR_BYTES
        yield relative[number] + shifts[:, np.newaxis], lanes[number]


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
