"""Data races in shared memory, and between the lanes of one statement.

Two accesses of one place by different threads, at least one a write and not both atomic, race unless a barrier that
both threads take lies between them.  Lock step is no barrier: since compute capability 7.0 only `__syncwarp` and block
barriers order the lanes of a warp (docs/hardware.md, "Divergence").  The run itself takes all warps of a block through the code
in lock step, which is one legal order among many; where threads race, the result depends on that order, so the race is
told.

For every cell of shared memory (as wide as the kernel's narrowest access) the last writer and the readers since then are
remembered with the time, which advances at every barrier.  Readers are one lane, several lanes of one warp, or lanes of
several warps; that is all that a later write must know.  Atomic accesses take no part.

A barrier that only a part of the block (or of a warp) takes orders those who take it, and nobody else; these *partial*
barriers are remembered with their lanes.

Who did something is a lane, or `several(w)` for lanes of warp w, `WARPS` for lanes of several warps, `NOBODY`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from analysis_core.simulate.lanes import WARP, Lanes
from analysis_core.simulate.memory import Memory
from analysis_core.simulate.representation import Array, Bools, Ints

NOBODY = -1
WARPS = -(1 << 30)


def several(row: Ints) -> Ints:
    """Stands for more than one lane of each of these warps; never a lane's number or `NOBODY`."""
    return -2 - row


def in_warp(who: Array, row: Ints) -> Bools:
    """Whether the lanes recorded in `who` all belong to warp `row`."""
    return np.asarray(np.where(who >= 0, who // WARP, -2 - who) == row)


class Races:
    """The remembered accesses to the shared memory of a chunk's blocks; `cell` in bytes."""

    def __init__(self, memory: Memory, blocks: int, padded: int, cell: int) -> None:
        self._start = memory.global_bytes
        self._cell = cell
        self._cells = blocks * memory.block_bytes // cell
        self._blocks, self._padded = blocks, padded
        self.restart()

    def restart(self) -> None:
        """Forgets all accesses."""
        self._writer = np.full(self._cells, NOBODY, dtype=np.int32)
        self._written = np.zeros(self._cells, dtype=np.int32)
        self._reader = np.full(self._cells, NOBODY, dtype=np.int32)
        self._read = np.zeros(self._cells, dtype=np.int32)
        self._now = 1
        self._last_write = 0
        self._block_barrier = np.zeros(self._blocks, dtype=np.int32)
        self._warp_barrier = np.zeros(self._blocks * self._padded // WARP, dtype=np.int32)
        self._partial: dict[bytes, tuple[int, Bools]] = {}

    def barrier(self, lanes: Lanes, of_block: bool) -> None:
        """Notes that these lanes have met at a barrier of their block, or of their warp."""
        if not lanes.count:
            return
        self._now += 1
        if of_block:
            self._block_barrier[np.unique(lanes.numbers // self._padded)] = self._now
        else:
            self._warp_barrier[lanes.rows] = self._now

    def partial_barrier(self, lanes: Lanes) -> None:
        """Notes that these lanes have met while others of their block or warp did not come."""
        if not lanes.count:
            return
        self._now += 1
        present = np.zeros(self._blocks * self._padded, dtype=bool)
        present[lanes.numbers] = True
        # The last meeting of the same lanes orders all that earlier ones did.
        self._partial[present.tobytes()] = (self._now, present)

    def load(self, byte: Ints, width: int, lanes: Lanes) -> Array | None:
        """Notes reads of `width` bytes at buffer positions.  For each the lane that wrote there with no barrier between,
        `NOBODY` for none; None if there is none at all."""
        return self._over_cells(self._load, byte, width, lanes)

    def store(self, byte: Ints, width: int, lanes: Lanes) -> Array | None:
        """Notes writes.  For each who accessed the place with no barrier between, as for `load`."""
        return self._over_cells(self._store, byte, width, lanes)

    def _over_cells(
        self, note: Callable[[Ints, Lanes], Array | None], byte: Ints, width: int, lanes: Lanes
    ) -> Array | None:
        first = (byte - self._start) // self._cell
        other = note(first, lanes)
        for further in range(1, -(-width // self._cell)):
            also = note(first + further, lanes)
            if other is None or also is None:
                other = also if other is None else other
            else:
                other = np.where(other == NOBODY, also, other)
        return other

    def _load(self, cell: Ints, lanes: Lanes) -> Array | None:
        since = self.since(lanes)
        other = None
        if self._last_write >= int(since.min()):
            writer = self._writer[cell]
            other = _only(self._unordered(writer, self._written[cell], lanes, since), writer)
        self._note_readers(cell, lanes, since)
        return other

    def _store(self, cell: Ints, lanes: Lanes) -> Array | None:
        since = self.since(lanes)
        reader = self._reader[cell]
        other = _only(self._unordered(reader, self._read[cell], lanes, since), reader)
        if self._last_write >= int(since.min()):
            writer = self._writer[cell]
            written = _only(self._unordered(writer, self._written[cell], lanes, since), writer)
            if written is not None:
                other = written if other is None else np.where(other == NOBODY, written, other)
        self._writer[cell] = lanes.numbers
        self._written[cell] = self._now
        self._last_write = self._now
        return other

    def since(self, lanes: Lanes) -> Array:
        """For each lane the time of its block's last barrier."""
        times: Array = self._block_barrier[lanes.numbers // self._padded]
        return times

    def _unordered(self, who: Array, when: Array, lanes: Lanes, since: Array) -> Bools:
        """Whether somebody else did it and no barrier lies between."""
        row = lanes.row_of
        recent: Bools = (who != NOBODY) & (when >= since)
        if not recent.any():
            return recent
        recent &= who != lanes.numbers
        recent &= ~in_warp(who, row) | (when >= self._warp_barrier[row])
        for time, present in self._partial.values() if recent.any() else ():
            recent &= ~((when < time) & present[lanes.numbers] & _all_present(who, present))
        return recent

    def _note_readers(self, cell: Ints, lanes: Lanes, since: Array) -> None:
        row = lanes.row_of
        old, when = self._reader[cell], self._read[cell]
        further = self._unordered(old, when, lanes, since)
        self._reader[cell] = lanes.numbers
        self._read[cell] = self._now
        # Of the lanes that read one cell in this statement the last is remembered now; the others make it several.
        kept = self._reader[cell]
        beside = kept != lanes.numbers
        shared = beside | further
        if not shared.any():
            return
        same = in_warp(kept, row) & (~further | in_warp(old, row))
        self._reader[cell[shared & same]] = several(row[shared & same])
        self._reader[cell[shared & ~same]] = WARPS


def _all_present(who: Array, present: Bools) -> Bools:
    """Whether all of those who did something are present; of lanes of several warps it is not known."""
    rows = np.asarray(present.reshape(-1, WARP).all(axis=1))
    one = present[np.maximum(who, 0)]
    of_warp = rows[np.clip(-2 - who, 0, len(rows) - 1)]
    return np.where(who >= 0, one, (who > WARPS) & of_warp)


def _only(unordered: Bools, who: Array) -> Array | None:
    return np.where(unordered, who, NOBODY) if unordered.any() else None


def overwritten(position: Ints, lanes: Lanes) -> Ints:
    """For stores of one statement to buffer positions, the lane whose value stays at each."""
    order = np.argsort(position, kind="stable")
    ordered = position[order]
    last = np.append(ordered[1:] != ordered[:-1], True)
    group = np.cumsum(np.append(True, last[:-1])) - 1
    result = np.empty(len(position), dtype=np.int64)
    result[order] = lanes.numbers[order][last][group]
    return result
