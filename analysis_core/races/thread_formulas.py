"""A thread as numbers or unknowns of the solver: a vector over threads is a linear function of threadIdx, or one of a few along
its number, and a set of threads some ranges of their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from analysis_core.domains.shape import BoolVector, IntVector, Shape
from analysis_core.races.linear import (
    FALSE,
    TRUE,
    Linear,
    below,
    both,
    either,
    equal,
    implied,
    number,
    plus,
    times,
)

if TYPE_CHECKING:
    from analysis_core.races.formulas import Formulas

_MOST_RANGES = 40
_FEW_PIECES, _MOST_PIECES = 6, 24
_PERIODS = (2, 4, 8, 16, 32)
_NO_SLOPE = 1 << 62


class Open(Exception):
    """Something has no formula."""


class Thread:
    """One of the two: its coordinates as numbers or unknowns."""

    def __init__(self, shape: Shape, known: int | None, formulas: Formulas) -> None:
        self._shape, self.known, self._formulas = shape, known, formulas
        x, y, _ = shape.dims
        if known is None:
            self.at = [formulas.fresh(0, n - 1) if n > 1 else number(0) for n in shape.dims]
        else:
            self.at = [number(int(axis[known])) for axis in shape.thread]
        self.number = plus(self.at[0], times(x, self.at[1]), times(x * y, self.at[2]))
        self._pieces: dict[bytes, Linear] = {}
        self._remainders: dict[int, Linear] = {}

    def vector(self, numbers: IntVector, lanes: BoolVector) -> Linear:
        """The thread's entry. Raises `Open` if it is made of too many pieces on the lanes."""
        if self.known is not None:
            return number(int(numbers[self.known]))
        linear = _linear(numbers, lanes, self._shape)
        if linear is None:
            return self._of_pieces(numbers, lanes)
        *slopes, start = linear
        return plus(number(start), *(times(slope, at) for slope, at in zip(slopes, self.at, strict=True)))

    def _of_pieces(self, numbers: IntVector, lanes: BoolVector) -> Linear:
        """An unknown that is a linear function of the thread's number on each of some ranges, or for each of some remainders."""
        key = numbers.tobytes() + lanes.tobytes()
        if key not in self._pieces:
            chosen = np.flatnonzero(lanes)
            wanted = numbers[chosen]
            made = self._formulas.fresh(int(wanted.min()), int(wanted.max()))
            for here, value in self._cases(chosen, wanted):
                self._formulas.know(implied(here, equal(made, value)))
            self._pieces[key] = made
        return self._pieces[key]

    def _cases(self, chosen: IntVector, wanted: IntVector) -> list[tuple[str, Linear]]:
        """Where the numbers are which linear functions. Raises `Open` if there are many."""
        runs = _runs(chosen, wanted)
        if len(runs) > _FEW_PIECES:
            for period in _PERIODS:
                found = [_line(chosen[chosen % period == n], wanted[chosen % period == n]) for n in range(period)]
                if None not in found:
                    rest = self._remainder(period)
                    lines = [line for line in found if line is not None]
                    return [(equal(rest, number(n)), self._on(line)) for n, line in enumerate(lines)]
        if len(runs) > _MOST_PIECES:
            raise Open
        return [(self._between(first, last), self._on(line)) for first, last, line in runs]

    def _on(self, line: tuple[int, int]) -> Linear:
        slope, start = line
        return plus(number(start), times(slope, self.number))

    def _remainder(self, period: int) -> Linear:
        """The thread's number modulo the period."""
        if period not in self._remainders:
            rest = self._remainders[period] = self._formulas.fresh(0, period - 1)
            rows = self._formulas.fresh(0, None)
            self._formulas.know(equal(self.number, plus(times(period, rows), rest)))
        return self._remainders[period]

    def _between(self, first: int, last: int) -> str:
        return both([below(number(first - 1), self.number), below(self.number, number(last + 1))])

    def inside(self, lanes: BoolVector) -> str:
        """Whether the thread is one of these. Raises `Open` if they lie in too many ranges."""
        if self.known is not None:
            return TRUE if lanes[self.known] else FALSE
        real = self._shape.real
        chosen = lanes & real
        if np.array_equal(chosen, real):
            return TRUE
        edges = np.flatnonzero(np.diff(np.concatenate(([0], chosen.astype(np.int8), [0]))))
        if len(edges) > 2 * _MOST_RANGES:
            return self._by_remainder(chosen)
        return either(self._between(int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2], strict=True))

    def _by_remainder(self, chosen: BoolVector) -> str:
        """The threads as remainders of their numbers. Raises `Open`."""
        count = int(np.count_nonzero(self._shape.real))
        for period in _PERIODS:
            if count % period == 0:
                rows = chosen[:count].reshape(-1, period)
                if np.array_equal(rows, np.broadcast_to(rows[0], rows.shape)):
                    rest = self._remainder(period)
                    return either(equal(rest, number(int(n))) for n in np.flatnonzero(rows[0]))
        raise Open


def _runs(chosen: IntVector, wanted: IntVector) -> list[tuple[int, int, tuple[int, int]]]:
    """Ranges of threads, first and last, on which the numbers are on a line; not all of them, if they are too many."""
    steps, apart = np.diff(wanted), np.diff(chosen)
    slopes = np.where(steps % apart == 0, steps // apart, _NO_SLOPE) if len(apart) else steps
    found: list[tuple[int, int, tuple[int, int]]] = []
    first = 0
    while first < len(chosen) and len(found) <= _MOST_PIECES:
        last, slope = first, 0
        if first + 1 < len(chosen) and slopes[first] != _NO_SLOPE:
            slope = int(slopes[first])
            while last + 1 < len(chosen) and slopes[last] == slope:
                last += 1
        line = slope, int(wanted[first]) - slope * int(chosen[first])
        found.append((int(chosen[first]), int(chosen[last]), line))
        first = last + 1
    return found


def _line(chosen: IntVector, wanted: IntVector) -> tuple[int, int] | None:
    """The slope and the start of the line on which the numbers are; None if they are on none."""
    if not len(chosen):
        return 0, 0
    step = int(chosen[1] - chosen[0]) if len(chosen) > 1 else 1
    slope, rest = divmod(int(wanted[1] - wanted[0]), step) if len(chosen) > 1 else (0, 0)
    start = int(wanted[0]) - slope * int(chosen[0])
    return (slope, start) if not rest and np.array_equal(slope * chosen + start, wanted) else None


def _linear(numbers: IntVector, lanes: BoolVector, shape: Shape) -> tuple[int, ...] | None:
    """Slopes along x, y and z and the start of a linear function that gives the numbers on the lanes."""
    chosen = np.flatnonzero(lanes)
    if not len(chosen):
        return (0, 0, 0, 0)
    x, y, z = shape.dims
    if len(chosen) >= x * y * z:
        start = int(numbers[0])
        slopes = [int(numbers[step]) - start if n > 1 else 0 for n, step in ((x, 1), (y, x), (z, x * y))]
        expected = np.full(len(numbers), start)
        for slope, axis in zip(slopes, shape.thread, strict=True):
            expected += slope * axis
        return (*slopes, start) if np.array_equal(expected[lanes], numbers[lanes]) else None
    rows = np.stack([*(axis[chosen] for axis in shape.thread), np.ones(len(chosen), dtype=np.int64)], axis=1)
    wanted = numbers[chosen]
    found, *_ = np.linalg.lstsq(rows.astype(float), wanted.astype(float), rcond=None)
    whole = np.rint(found).astype(np.int64)
    return tuple(int(n) for n in whole) if np.array_equal(rows @ whole, wanted) else None
