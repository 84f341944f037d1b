"""The concrete block shape of one analysis run, and the thread vectors that follow from it.

Threads are numbered x first, then y, then z; 32 consecutive ones are a warp (CUDA programming guide, "Thread
hierarchy").  Vectors have one entry per thread, padded to whole warps: the padding repeats the last real thread, so
that it never destroys uniformity, and `real` tells it apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis_core.machine.sizes import WARP as WARP
from analysis_core.text.records import dataclass

IntVector = npt.NDArray[np.int64]
BoolVector = npt.NDArray[np.bool_]
FloatVector = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """`dims` in threads; `padded` entries per vector, a multiple of 32; `thread[axis]` is threadIdx along the axis."""

    dims: tuple[int, int, int]
    padded: int
    thread: tuple[IntVector, IntVector, IntVector]
    real: BoolVector

    @property
    def warps(self) -> int:
        return self.padded // WARP


def make_shape(dims: tuple[int, int, int]) -> Shape:
    """The vectors for a block of `dims` threads.  Raises ValueError for an empty block or more than 1024 threads."""
    x, y, z = dims
    count = x * y * z
    if min(dims) < 1 or count > 1024:
        raise ValueError(f"a block has 1 to 1024 threads, not {x}x{y}x{z}")
    padded = -(-count // WARP) * WARP
    number = np.minimum(np.arange(padded, dtype=np.int64), count - 1)
    thread = (number % x, number // x % y, number // (x * y))
    for vector in thread:
        vector.setflags(write=False)
    real = np.arange(padded) < count
    real.setflags(write=False)
    return Shape(dims, padded, thread, real)


def some(lanes: BoolVector) -> bool:
    """Whether any entry holds: a search in bytes takes a tenth of the time of numpy's `any` at a block's length."""
    return 1 in lanes.tobytes()


def some_nonzero(numbers: npt.NDArray[np.generic]) -> bool:
    """Whether any number is not 0."""
    return bool(np.count_nonzero(numbers))


def every(lanes: BoolVector) -> bool:
    """Whether all entries hold."""
    return 0 not in lanes.tobytes()


def warps_with(lanes: BoolVector) -> BoolVector:
    """Which warps have one of these lanes: (threads,) -> (warps,)."""
    found: BoolVector = np.packbits(lanes).view(np.uint32) != 0
    return found


def lanes_by_warp(lanes: BoolVector) -> list[int]:
    """The lanes of each warp as a number with bit t for lane t: set operations on them are those of whole numbers."""
    numbers: list[int] = np.packbits(lanes, bitorder="little").view(np.uint32).tolist()
    return numbers


def lanes_of_warps(numbers: Sequence[int]) -> BoolVector:
    """The lanes of each number as truth values, (n, 32): the inverse of `lanes_by_warp`."""
    sets = np.array(numbers, dtype=np.uint32).view(np.uint8).reshape(-1, WARP // 8)
    return np.unpackbits(sets, axis=1, bitorder="little").view(np.bool_)


def vector_level(vector: IntVector | BoolVector) -> int:
    """0 if all entries are equal, 1 if equal within each warp, 2 otherwise (the numbers of `Level`)."""
    first = vector[0]
    if every(vector == first):
        return 0
    rows = vector.reshape(-1, WARP)
    return 1 if every(rows == rows[:, :1]) else 2


def distinct_numbers(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Each number once, in order: `numpy.unique`, which loads all of masked arrays to do so, in as long as a small file is analysed."""
    ordered = np.sort(values, axis=None)
    if not len(ordered):
        return ordered
    return ordered[np.concatenate(([True], ordered[1:] != ordered[:-1]))]
