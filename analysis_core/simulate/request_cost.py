"""What the requests of one access cost, for all warps of a chunk at once.

The rules are those of `machine/` (docs/hardware.md), told for many warps with few numpy operations: addresses of the active
lanes lie one after the other, warp by warp; within a warp they are put in order, so that distinct ones are counted by
comparing neighbours.  Accesses are aligned to their width of 1, 2, 4, 8 or 16 bytes, so each lies in one sector; the
rest goes to the functions of `machine/`, against which `tests/simulate` also checks these.
"""

from __future__ import annotations

import numpy as np

from analysis_core.machine.global_memory import SECTOR_BYTES, distinct_addresses_many, sectors_many
from analysis_core.machine.shared_memory import BANKS, WORD_BYTES, ideal_wavefronts, wavefronts_many
from analysis_core.simulate.lanes import Lanes
from analysis_core.simulate.representation import Bools, Ints
from analysis_core.text.records import dataclass

_SINGLE_SECTOR = frozenset({1, 2, 4, 8, 16, 32})


@dataclass(frozen=True, slots=True)
class RequestCosts:
    """One entry per warp with an active lane: sectors or wavefronts, and their ideal."""

    cost: Ints
    ideal: Ints


def global_costs(addresses: Ints, lanes: Lanes, width: int) -> RequestCosts:
    """Sectors of each warp's request; `addresses` has an entry per active lane."""
    if width in _SINGLE_SECTOR:
        ordered = _ordered(addresses, lanes)
        distinct = _changes(ordered, lanes)
        # One sector per element at most, and neighbours stay neighbours in the coarser order.
        cost = _changes(ordered // SECTOR_BYTES, lanes)
    else:
        padded = lanes.padded(addresses, 0)
        cost = sectors_many(padded, lanes.mask, width)
        distinct = distinct_addresses_many(padded, lanes.mask)
    return RequestCosts(cost, -(-distinct * width // SECTOR_BYTES))


def uniform_global_cost(address: int, width: int) -> tuple[int, int]:
    """Sectors and ideal of a request whose lanes all have the same address."""
    sectors = (address + width - 1) // SECTOR_BYTES - address // SECTOR_BYTES + 1
    return sectors, -(-width // SECTOR_BYTES)


def shared_costs(addresses: Ints, lanes: Lanes, width: int) -> RequestCosts:
    """Wavefronts of each warp's request."""
    rows = len(lanes.rows)
    if width > WORD_BYTES or WORD_BYTES % width:
        return _wide_shared_costs(addresses, lanes, width)
    words = _ordered(addresses, lanes) // WORD_BYTES
    fresh = _fresh(words, lanes)
    bank = words & (BANKS - 1)
    slots = lanes.rank * BANKS + bank
    if not fresh.all():
        slots = slots[fresh]
    per_bank = np.bincount(slots, minlength=rows * BANKS).reshape(rows, BANKS)
    return RequestCosts(per_bank.max(axis=1).astype(np.int64), np.ones(rows, dtype=np.int64))


def _wide_shared_costs(addresses: Ints, lanes: Lanes, width: int) -> RequestCosts:
    padded, mask = lanes.padded(addresses, 0), lanes.mask
    distinct = distinct_addresses_many(padded, mask)
    keys = np.column_stack([np.packbits(mask, axis=1).view(np.uint32)[:, 0].astype(np.int64), distinct])
    kinds, which = np.unique(keys, axis=0, return_inverse=True)
    representatives = [int(np.flatnonzero(which == kind)[0]) for kind in range(len(kinds))]
    ideals = np.array([ideal_wavefronts(mask[row], width, int(distinct[row])) for row in representatives])
    return RequestCosts(wavefronts_many(padded, mask, width), ideals[which].astype(np.int64))


def contention(addresses: Ints, lanes: Lanes) -> Ints:
    """Per warp the most active lanes on one address."""
    ordered = _ordered(addresses, lanes)
    fresh = np.flatnonzero(_fresh(ordered, lanes))
    runs = np.diff(fresh, append=len(ordered))
    of_row = np.searchsorted(fresh, lanes.starts)
    return np.asarray(np.maximum.reduceat(runs, of_row), dtype=np.int64)


def distinct_per_row(values: Ints, lanes: Lanes) -> Ints:
    """Different values among the active lanes of each warp."""
    return _changes(_ordered(values, lanes), lanes)


def _ordered(values: Ints, lanes: Lanes) -> Ints:
    """The values in ascending order within each warp."""
    if lanes.count < 2:
        return values
    falling = values[1:] < values[:-1]
    falling[lanes.starts[1:] - 1] = False
    if not falling.any():
        return values
    low, high = int(values.min()), int(values.max())
    reach = high - low + 1
    if reach * (len(lanes.rows) + 1) < 2**62:
        shift = lanes.rank * reach - low
        found: Ints = np.sort(values + shift) - shift
        return found
    order = np.lexsort((values, lanes.rank))
    return values[order]


def _fresh(ordered: Ints, lanes: Lanes) -> Bools:
    """Where a value differs from the one before it in its warp."""
    fresh = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=fresh[1:])
    fresh[lanes.starts] = True
    return fresh


def _changes(ordered: Ints, lanes: Lanes) -> Ints:
    return np.asarray(np.add.reduceat(_fresh(ordered, lanes), lanes.starts, dtype=np.int64))
