"""A thread as numbers or unknowns of z3: a vector over threads is a linear function of threadIdx, if it is one, and a set of threads some
ranges of their numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import z3

from analysis_core.domains.shape import BoolVector, IntVector, Shape

_MOST_RANGES = 40


class Open(Exception):
    """Something has no formula."""


class Thread:
    """One of the two: its coordinates as numbers or unknowns."""

    def __init__(self, name: str, shape: Shape, number: int | None, context: z3.Context) -> None:
        self._shape, self.context = shape, context
        self.known = number
        x, y, _ = shape.dims
        if number is None:
            self.at = [
                z3.Int(f"{name}.{axis}", context) if n > 1 else z3.IntVal(0, context)
                for axis, n in zip("xyz", shape.dims)
            ]
        else:
            self.at = [z3.IntVal(int(axis[number]), context) for axis in shape.thread]
        self.number = self.at[0] + x * (self.at[1] + y * self.at[2])
        self.limits = [z3.And(at >= 0, at < n) for at, n in zip(self.at, shape.dims)] if number is None else []

    def vector(self, numbers: IntVector, lanes: BoolVector) -> Any:
        """The thread's entry. Raises `Open` if it is no linear function of threadIdx on the lanes."""
        if self.known is not None:
            return int(numbers[self.known])
        linear = _linear(numbers, lanes, self._shape)
        if linear is None:
            raise Open
        *slopes, start = linear
        return sum((slope * at for slope, at in zip(slopes, self.at) if slope), start)

    def inside(self, lanes: BoolVector) -> Any:
        """Whether the thread is one of these. Raises `Open` if they lie in too many ranges."""
        if self.known is not None:
            return z3.BoolVal(bool(lanes[self.known]), self.context)
        edges = np.flatnonzero(np.diff(np.concatenate(([0], (lanes & self._shape.real).astype(np.int8), [0]))))
        if len(edges) > 2 * _MOST_RANGES:
            raise Open
        starts, ends = edges[::2], edges[1::2]
        ranges = [z3.And(self.number >= int(a), self.number < int(b)) for a, b in zip(starts, ends)]
        return z3.Or(ranges, self.context)


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
