"""Global memory: what one request of a warp moves between L1 and L2 (docs/hardware.md, "Global memory").

One warp instruction is one request.  Its *sectors* are the distinct 32-byte sectors that its active lanes touch, loads
and stores alike; its *lines* are the same with 128 bytes.  *Ideal* is what the same number of distinct elements would
take if they lay side by side from a sector's start; *excessive* is the difference (the profiler's
`memory_l2_theoretical_sectors_global`, `.._ideal` and `derived__..._excessive`).

Addresses are bytes, 64-bit integers, one per lane; only their differences and their value modulo 128 matter, so a
base that is known to be aligned may stand for 0.  The functions ending in `_many` take arrays of shape (n, lanes) and
give n counts; the others take one request.  Lanes that are not active touch nothing, whatever their address.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from analysis_core.machine.sizes import LINE_BYTES as LINE_BYTES
from analysis_core.machine.sizes import SECTOR_BYTES as SECTOR_BYTES

Addresses = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int64]

_NOWHERE = np.iinfo(np.int64).max
"""Stands for "no sector": no sector number of a 64-bit address is as large."""


def sectors(addresses: Addresses, active: Mask, width: int) -> int:
    """Distinct 32-byte sectors of one request in which each active lane moves `width` bytes from its address."""
    return int(sectors_many(addresses[np.newaxis], active[np.newaxis], width)[0])


def sectors_many(addresses: Addresses, active: Mask, width: int) -> Counts:
    """`sectors` for each row of `addresses` and `active` (n, lanes)."""
    return _blocks_many(addresses, active, width, SECTOR_BYTES)


def lines(addresses: Addresses, active: Mask, width: int) -> int:
    """Distinct 128-byte cache lines of one request."""
    return int(lines_many(addresses[np.newaxis], active[np.newaxis], width)[0])


def lines_many(addresses: Addresses, active: Mask, width: int) -> Counts:
    """`lines` for each row."""
    return _blocks_many(addresses, active, width, LINE_BYTES)


def distinct_addresses(addresses: Addresses, active: Mask) -> int:
    """Different addresses among the active lanes: the elements that `ideal_sectors` wants, and the number of passes
    that a load from constant memory takes."""
    return int(distinct_addresses_many(addresses[np.newaxis], active[np.newaxis])[0])


def distinct_addresses_many(addresses: Addresses, active: Mask) -> Counts:
    """`distinct_addresses` for each row."""
    return _distinct(np.where(active, addresses, _NOWHERE))


def ideal_sectors(distinct: int, width: int) -> int:
    """Sectors of `distinct` elements of `width` bytes laid side by side: 4 for 32 floats, 1 for one address."""
    return -(-distinct * width // SECTOR_BYTES)


def excessive_sectors(actual: int, distinct: int, width: int) -> int:
    """Actual minus ideal sectors; 0 where overlapping elements need even less than the ideal."""
    return max(0, actual - ideal_sectors(distinct, width))


def contention(addresses: Addresses, active: Mask) -> int:
    """Most active lanes of one atomic request on one address, which the hardware serves one after another."""
    if not active.any():
        return 0
    _, counts = np.unique(addresses[active], return_counts=True)
    return int(counts.max())


def _blocks_many(addresses: Addresses, active: Mask, width: int, size: int) -> Counts:
    """Distinct aligned blocks of `size` bytes touched in each row."""
    first = addresses // size
    last = first if width == 1 else (addresses + (width - 1)) // size
    # A lane touches at most this many blocks; one for aligned elements of up to 16 bytes.
    reach = 1 + int((last - first).max(initial=0))
    if reach == 1:
        return _distinct(np.where(active, first, _NOWHERE))
    touched = [np.where(active & (first + k <= last), first + k, _NOWHERE) for k in range(reach)]
    return _distinct(np.concatenate(touched, axis=1))


def _distinct(values: Addresses) -> Counts:
    """Different values other than `_NOWHERE` in each row."""
    if values.shape[1] == 0:
        return np.zeros(values.shape[0], dtype=np.int64)
    values.sort(axis=1)
    fresh = values != _NOWHERE
    fresh[:, 1:] &= values[:, 1:] != values[:, :-1]
    return np.asarray(np.add.reduce(fresh, axis=1, dtype=np.int64))
