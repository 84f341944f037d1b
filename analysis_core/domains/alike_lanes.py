"""Lanes whose values are the same, though nobody knows which: what they load from one address.

In a block of 8x4 threads the eight lanes of a row load one element of `row[threadIdx.y]`, and the addresses that are made of it are four in
a warp, not 32.  Lanes are numbered so that those with equal numbers have equal values; the numbers of different warps say nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import WARP, IntVector
from analysis_core.domains.symbol import Level
from analysis_core.domains.thread_value import Integer, Value, level_of


def alike_lanes(poly: Poly) -> IntVector | None:
    """A group number for each thread: threads of a warp with equal numbers have the same value. None where every lane
    of the first warp has a value of its own."""
    columns: list[IntVector] = []
    for monomial, coefficient in poly.terms.items():
        if not isinstance(coefficient, int):
            columns.append(coefficient)
        for symbol in monomial:
            if symbol.level is Level.LANE:
                if symbol.alike is None:
                    return None
                columns.append(symbol.alike)
    return joined_lanes(columns)


def joined_lanes(columns: Sequence[IntVector]) -> IntVector | None:
    """A group number for each thread: threads with equal numbers have equal entries in all columns. None without
    columns, or where every lane of the first warp is alone in its group."""
    if not columns:
        return None
    if len(columns) == 1:
        numbers = columns[0]
        return numbers if len(set(numbers[:WARP].tolist())) < WARP else None
    if len(set(zip(*(column[:WARP].tolist() for column in columns), strict=True))) == WARP:
        return None
    _, numbers = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
    return np.asarray(numbers, dtype=np.int64).reshape(-1)


def alike_values(values: Iterable[Value]) -> IntVector | None:
    """A group number for each thread: threads of a warp with equal numbers agree on all of the values. None where
    `joined_lanes` gives none."""
    columns: list[IntVector] = []
    for value in values:
        numbers = alike_lanes(value.poly) if isinstance(value, Integer) else value.alike
        if numbers is not None and not any(numbers is known for known in columns):
            columns.append(numbers)
        elif numbers is None and level_of(value) is Level.LANE:
            return None
    return joined_lanes(columns)


def same_lanes(one: IntVector | None, other: IntVector | None) -> bool:
    """Whether two groupings of the threads (`alike_lanes`) are the same."""
    if one is None or other is None:
        return one is other
    return one is other or np.array_equal(one, other)
