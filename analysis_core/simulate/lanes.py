"""The active lanes of a chunk of blocks.

All threads of a chunk run together; lanes are numbered block by block, each block padded to whole warps, and 32
consecutive lanes are a warp (a *row*).  A mask is the ascending list of its lanes: every value is computed for these
only, so what inactive lanes would have computed never exists, and code that few lanes run costs little.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis_core.simulate.representation import Array, Bools, Ints, Vector
from analysis_core.support.derived import derived

WARP = 32


class Lanes:
    """A set of lanes.  `index`: ascending, None for all `size` lanes of the chunk.

    Invariant: never changed; what is derived from it is computed once."""

    def __init__(self, size: int, index: Ints | None = None) -> None:
        self.size = size
        self.index = index
        self.count = size if index is None else len(index)

    @derived
    def numbers(self) -> Ints:
        """The lanes, ascending."""
        return np.arange(self.size) if self.index is None else self.index

    @derived
    def row_of(self) -> Ints:
        """The warp of each active lane."""
        return self.numbers // WARP

    @derived
    def starts(self) -> Ints:
        """For each warp with an active lane, the position of its first one."""
        if self.index is None:
            return np.arange(0, self.size, WARP)
        fresh = np.ones(self.count, dtype=bool)
        fresh[1:] = self.row_of[1:] != self.row_of[:-1]
        return np.flatnonzero(fresh)

    @derived
    def rows(self) -> Ints:
        """The warps with an active lane, ascending."""
        found: Ints = self.row_of[self.starts]
        return found

    @derived
    def active(self) -> Ints:
        """How many lanes are active in each of `rows`."""
        return np.diff(self.starts, append=self.count)

    @derived
    def rank(self) -> Ints:
        """For each active lane the position of its warp in `rows`."""
        return np.repeat(np.arange(len(self.rows)), self.active)

    @derived
    def slots(self) -> Ints:
        """Where each active lane stands in an array of shape (rows, 32)."""
        return self.rank * WARP + self.numbers % WARP

    @derived
    def mask(self) -> Bools:
        """The active lanes as an array of shape (rows, 32)."""
        return self.padded(np.ones(self.count, dtype=bool), False)

    def take(self, values: Array) -> Array:
        """The active lanes' entries of an array over the whole chunk."""
        return values if self.index is None else values[self.index]

    def where(self, truth: Vector) -> Lanes:
        """The lanes for which it is true (one entry per active lane, or one for all)."""
        if not isinstance(truth, np.ndarray):
            return self if truth else Lanes(self.size, np.zeros(0, dtype=np.int64))
        if truth.all():
            return self
        return Lanes(self.size, np.flatnonzero(truth) if self.index is None else self.index[truth])

    def spread(self, value: Vector) -> Array:
        """A value as an array with one entry per active lane."""
        return value if isinstance(value, np.ndarray) else np.full(self.count, value)

    def per_row(self, truth: Vector) -> Ints:
        """In each of `rows`, for how many active lanes it is true."""
        if not isinstance(truth, np.ndarray):
            return self.active if truth else np.zeros(len(self.rows), dtype=np.int64)
        if self.count == 0:
            return np.zeros(0, dtype=np.int64)
        return np.asarray(np.add.reduceat(truth, self.starts, dtype=np.int64))

    def padded(self, values: Array, fill: object) -> npt.NDArray[Any]:
        """Values of the active lanes as an array of shape (rows, 32)."""
        if self.index is None:
            return values.reshape(-1, WARP)
        result = np.full(len(self.rows) * WARP, fill, dtype=values.dtype)
        result[self.slots] = values
        return result.reshape(-1, WARP)

    def without(self, other: Lanes) -> Lanes:
        """The lanes that are not in `other`."""
        if other.count == 0:
            return self
        present = np.zeros(self.size, dtype=bool)
        present[other.numbers] = True
        return self.where(~self.take(present))


def merged(whole: Lanes, parts: Sequence[Lanes]) -> Lanes:
    """Disjoint parts of `whole` put together; `whole` itself if they cover it."""
    filled = [part for part in parts if part.count]
    if sum(part.count for part in filled) == whole.count:
        return whole
    if len(filled) == 1:
        return filled[0]
    if not filled:
        return Lanes(whole.size, np.zeros(0, dtype=np.int64))
    return Lanes(whole.size, np.sort(np.concatenate([part.numbers for part in filled])))
