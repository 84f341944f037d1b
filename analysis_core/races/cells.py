"""The first rung: accesses whose addresses differ by known numbers meet where two threads have one cell.

One sort of all (cell, thread) pairs of an interval shows whether any cell has a writer and another thread.  Only where one has,
accesses are held against each other one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

import numpy as np

from analysis_core.domains.polynomial import Coefficient, Monomial, coefficient_vector
from analysis_core.domains.shape import WARP, IntVector, some
from analysis_core.domains.symbol import Level
from analysis_core.races.occurrences import OWN, Occurrence
from analysis_core.text.records import dataclass

_MOST_MEETINGS = 1 << 20
_MOST_NUMBERS, _MOST_VALUES = 1 << 15, 64
"""Numbers that an address takes beside multiples of one, and values of an unknown in it, that are looked at one by one."""

_HALF = 1 << 31


@dataclass(frozen=True, slots=True, eq=False)
class Meetings:
    """Threads `first` of one access and `second` of another one that meet, at byte `bytes` beyond what both share, one entry for each.
    `thinned`: there are more of them."""

    first: IntVector
    second: IntVector
    bytes: IntVector
    thinned: bool = False

    @property
    def across_warps(self) -> Meetings:
        """Those of threads of two warps."""
        return self.where(self.first // WARP != self.second // WARP)

    def where(self, chosen: np.ndarray) -> Meetings:
        return Meetings(self.first[chosen], self.second[chosen], self.bytes[chosen], self.thinned)

    def __len__(self) -> int:
        return len(self.first)


def constants(one: Occurrence) -> IntVector:
    """For each thread the part of the address that is a number, between -2^31 and 2^31: an array's elements are less apart
    (a listed assumption), and 32 bits of an address are right at least."""
    numbers = coefficient_vector(one.address.constant, len(one.event.mask.may))
    return (numbers + _HALF) % (2 * _HALF) - _HALF


def grain(group: Sequence[Occurrence]) -> int:
    """Bytes of the cells that all these accesses are made of: a power of two."""
    size = 16
    for one in group:
        numbers = constants(one)[one.event.mask.may]
        while size > 1 and (one.event.access.width % size or some(numbers % size != 0)):
            size //= 2
    return size


def entries(one: Occurrence, size: int) -> tuple[IntVector, IntVector]:
    """Cells and threads of an access, one entry for each cell of each thread."""
    threads = np.flatnonzero(one.event.mask.may)
    return _cells(one, constants(one)[threads], threads, size)


def _cells(one: Occurrence, numbers: IntVector, threads: IntVector, size: int) -> tuple[IntVector, IntVector]:
    cells = numbers // size
    width = max(1, one.event.access.width // size)
    if width > 1:
        cells = (cells[:, None] + np.arange(width)).ravel()
        threads = np.repeat(threads, width)
    return cells, threads


def runs(numbers: IntVector) -> IntVector:
    """Where equal numbers begin, of numbers in order."""
    return np.flatnonzero(np.concatenate(([True], numbers[1:] != numbers[:-1])))


def someone_meets(group: Sequence[Occurrence], size: int) -> bool:
    """Whether two threads have a cell in common that one of them writes."""
    found = [entries(one, size) for one in group]
    cells = np.concatenate([cells for cells, _ in found])
    threads = np.concatenate([threads for _, threads in found])
    writing = np.concatenate([np.full(len(c), one.writes) for one, (c, _) in zip(group, found, strict=True)])
    if not len(cells):
        return False
    order = np.lexsort((threads, cells))
    cells, threads, writing = cells[order], threads[order], writing[order]
    starts = runs(cells)
    least, most = np.minimum.reduceat(threads, starts), np.maximum.reduceat(threads, starts)
    written = np.logical_or.reduceat(writing, starts)
    return bool(np.any(written & (least != most)))


def meetings(one: Occurrence, other: Occurrence, size: int) -> Meetings:
    """All different threads that have a cell in common, or `_MOST_MEETINGS` of them; of one access each two threads once."""
    cells, threads = entries(one, size)
    there, others = entries(other, size)
    order = np.argsort(there, kind="stable")
    there, others = there[order], others[order]
    low, high = np.searchsorted(there, cells, "left"), np.searchsorted(there, cells, "right")
    counts = high - low
    thinned = int(counts.sum()) > _MOST_MEETINGS
    while int(counts.sum()) > _MOST_MEETINGS:  # every second, so that first and last threads stay
        counts, low, cells, threads = counts[::2], low[::2], cells[::2], threads[::2]
    first, where = np.repeat(threads, counts), np.repeat(cells, counts)
    offsets = np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts, counts)
    second = others[np.repeat(low, counts) + offsets]
    apart = first < second if one is other else first != second
    return Meetings(first[apart], second[apart], where[apart] * size, thinned)


def apart_by_remainder(one: Occurrence, other: Occurrence) -> bool:
    """Whether different threads have no byte in common whatever the unknowns in both addresses are: what these add is a multiple of a number,
    modulo which the cells differ.  Unknowns of few values, as counters of short loops are, take each of them."""
    mine, others = _spread(one, other), _spread(other, one)
    if mine is None or others is None:
        return False
    step = gcd(mine[1], others[1])
    sides = (one, mine[0]), (other, others[0])
    size = 16
    for side, (numbers, _) in sides:
        while size > 1 and (side.event.access.width % size or step % size or some(numbers % size != 0)):
            size //= 2
    found = [_cells(side, *entry, size) for side, entry in sides]
    cells = np.concatenate([cells for cells, _ in found])
    cells = cells % (step // size) if step else cells
    threads = np.concatenate([threads for _, threads in found])
    if not len(cells):
        return True
    second = np.arange(len(cells)) >= len(found[0][0])
    order = np.argsort(cells, kind="stable")
    cells, threads, second = cells[order], threads[order], second[order]
    starts = runs(cells)
    both = np.logical_or.reduceat(second, starts) & np.logical_or.reduceat(~second, starts)
    least, most = np.minimum.reduceat(threads, starts), np.maximum.reduceat(threads, starts)
    return not bool(np.any(both & (least != most)))


def _spread(side: Occurrence, against: Occurrence) -> tuple[tuple[IntVector, IntVector], int] | None:
    """Numbers and their threads that an address takes, but for what threads of both accesses share and for multiples of the last one. None if
    these are multiples of all numbers."""
    step = 0 if side.event.address.bits is None else 2 * _HALF
    threads = np.flatnonzero(side.event.mask.may)
    numbers = coefficient_vector(side.address.constant, len(side.event.mask.may))[threads]
    for monomial, coefficient in side.address.ordered:
        if not monomial or _is_shared(monomial, coefficient, side, against):
            continue
        values = _values_of(monomial)
        slopes = coefficient_vector(coefficient, len(side.event.mask.may))
        if values is None or len(values) * len(numbers) > _MOST_NUMBERS:
            step = gcd(step, int(np.gcd.reduce(np.atleast_1d(slopes))))
        else:
            numbers = (numbers[:, None] + slopes[threads][:, None] * values).ravel()
            threads = np.repeat(threads, len(values))
        if step == 1:
            return None
    return (numbers, threads), step


def _values_of(monomial: Monomial) -> IntVector | None:
    """All that the unknown may be; None if that are too many."""
    low, high = monomial[0].low, monomial[0].high
    if len(monomial) > 1 or low is None or high is None or high - low >= _MOST_VALUES:
        return None
    return np.arange(low, high + 1)


def _is_shared(monomial: Monomial, coefficient: Coefficient, side: Occurrence, against: Occurrence) -> bool:
    """Whether this part of an address is one for all threads of both accesses."""
    theirs = against.address.terms.get(monomial)
    if not isinstance(coefficient, int) or not isinstance(theirs, int) or coefficient != theirs:
        return False
    return all(
        symbol.level is Level.BLOCK and side.version_in_address(symbol) == against.version_in_address(symbol) != OWN
        for symbol in monomial
    )
