"""What requests cost, told once more from the rules of the hardware: one row of 32 lanes per request."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


def distinct(values: Ints, valid: Bools) -> Ints:
    """Per row, how many different values are among the valid entries."""
    filler = np.where(valid, values, np.iinfo(np.int64).max)
    ordered = np.sort(filler, axis=1)
    fresh = np.ones_like(valid)
    fresh[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    return (fresh & (ordered != np.iinfo(np.int64).max)).sum(axis=1)


def sectors(addresses: Ints, active: Bools, width: int) -> Ints:
    """Distinct 32-byte sectors; an element may lie across two."""
    ends = np.concatenate([addresses >> 5, (addresses + width - 1) >> 5], axis=1)
    return distinct(ends, np.concatenate([active, active], axis=1))


def contention(addresses: Ints, active: Bools) -> Ints:
    """Most lanes on one address."""
    return np.array(
        [max(np.unique(a[m], return_counts=True)[1], default=0) for a, m in zip(addresses, active)], dtype=np.int64
    )


def wavefronts(addresses: Ints, active: Bools, width: int) -> Ints:
    """Passes through the banks: whole warp up to 4 bytes; halves for 8, quarters for 16, unless lanes pair up."""
    if width <= 4:
        return _passes(addresses, active, width)
    parts = 2 if width == 8 else 4
    apart = sum(_passes(a, m, width) for a, m in _split(addresses, active, parts))
    merged = sum(_passes(a, m, width) for a, m in _split(addresses, active, parts // 2))
    lanes = np.arange(32)
    together = np.zeros(len(addresses), dtype=bool)
    for bit in (1, 2):
        other = lanes ^ bit
        together |= (~active | ~active[:, other] | (addresses == addresses[:, other])).all(axis=1)
    return np.where(together, merged, apart)


def _split(addresses: Ints, active: Bools, parts: int) -> list[tuple[Ints, Bools]]:
    size = 32 // parts
    return [(addresses[:, i * size : (i + 1) * size], active[:, i * size : (i + 1) * size]) for i in range(parts)]


def _passes(addresses: Ints, active: Bools, width: int) -> Ints:
    """Most distinct words that one bank has to give."""
    steps = range(0, max(width, 1), 4) if width >= 4 else (0, width - 1)
    words = np.concatenate([(addresses + step) >> 2 for step in steps], axis=1)
    on = np.concatenate([active for _ in steps], axis=1)
    most = np.zeros(len(addresses), dtype=np.int64)
    for bank in range(32):
        here = on & (words % 32 == bank)
        if here.any():
            most = np.maximum(most, distinct(words, here))
    return most
