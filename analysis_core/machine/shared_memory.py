"""Shared memory: wavefronts of one request of a warp (docs/hardware.md, "Shared memory").

**Rule.** 32 banks of 4 bytes; bank = word mod 32.  A request is served in *transaction groups*; within a group lanes on
the same word are served together (also for parts of a word), and the group takes as many wavefronts as the most
loaded bank holds distinct words.  A request's wavefronts are the sum over its groups; a group without active lane
costs nothing.

    width        groups                merging
    1, 2, 4      the whole warp        -
    8            2 half-warps          into one, if the warp's lanes pair up
    16           4 quarter-warps       the two quarters of each half, if the warp's lanes pair up

*Pair up*: for all active lanes i, lane i^1 is inactive or has the same address; or for all active i the same of i^2.

**Ideal.** The least wavefronts over all address patterns with the same mask, width and number d of distinct addresses.
No search is needed.  Let p be the larger of the numbers of pairs {i, i^1} and of pairs {i, i^2} with an active lane.

- Width <= 4: at most 32 addresses fit into 32 different banks, so 1.
- An unmerged group of 16 lanes x 8 bytes or 8 lanes x 16 bytes holds at most 32 words, which can be put on different
  banks; so it can cost 1 and not less: the number of groups with an active lane is attainable.
- Merging needs equal addresses within the pairs, so d <= p; and any 1 <= d <= p addresses can be given to the p
  pairs.  A merged group has at most 16 pairs (8 per half for 16 bytes) and so at most 32 words again: cost 1.  Hence
  with d <= p it is the number of merged groups with an active lane, which is never more than the unmerged number.

    lanes active          8 bytes, distinct / uniform     16 bytes, distinct / uniform
    all 32                2 / 1                           4 / 2
    lower 16              1 / 1                           2 / 1
    lower 8               1 / 1                           1 / 1
    one                   1 / 1                           1 / 1
    even lanes            1 / 1                           2 / 2

Odd widths (opaque structs) go with the next larger group; more than 16 bytes are moved 16 at a time.
Tested against an independent derivation, and the ideal against a search, in `tests/machine/`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from analysis_core.machine.sizes import BANKS as BANKS
from analysis_core.machine.sizes import WORD_BYTES as WORD_BYTES

LANES = 32

Addresses = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int64]

_NOWHERE = np.iinfo(np.int64).max


def wavefronts(addresses: Addresses, active: Mask, width: int) -> int:
    """Wavefronts of one request: byte addresses (32,), active lanes (32,), bytes per lane."""
    return int(wavefronts_many(addresses[np.newaxis], active[np.newaxis], width)[0])


def wavefronts_many(addresses: Addresses, active: Mask, width: int) -> Counts:
    """`wavefronts` for each row of `addresses` and `active` (n, 32)."""
    if width > 16:
        return wavefronts_many(addresses, active, 16) + wavefronts_many(addresses + 16, active, width - 16)
    if width <= 4:
        return _grouped(addresses, active, width, 1)
    split = 2 if width <= 8 else 4
    apart = _grouped(addresses, active, width, split)
    paired = pairs_up_many(addresses, active)
    if not paired.any():
        return apart
    return np.where(paired, _grouped(addresses, active, width, split // 2), apart)


def pairs_up_many(addresses: Addresses, active: Mask) -> Mask:
    """Whether the merging condition of wide accesses holds, for each row."""
    result = np.zeros(addresses.shape[0], dtype=bool)
    lanes = np.arange(addresses.shape[1])
    for bit in (1, 2):
        partner = lanes ^ bit
        fits = ~active | ~active[:, partner] | (addresses == addresses[:, partner])
        result |= fits.all(axis=1)
    return result


def ideal_wavefronts(active: Mask, width: int, distinct: int) -> int:
    """Least wavefronts of any request with this mask (32,), width in bytes and number of distinct addresses."""
    if not active.any():
        return 0
    if width > 16:
        return ideal_wavefronts(active, 16, distinct) + ideal_wavefronts(active, width - 16, distinct)
    if width <= 4:
        return 1
    pairs = max(_groups_in_use(active, 16), int((active | active[np.arange(LANES) ^ 2]).sum()) // 2)
    groups = 2 if width <= 8 else 4
    return _groups_in_use(active, groups // 2 if distinct <= pairs else groups)


def conflicts(actual: int, ideal: int) -> int:
    """Bank conflicts of a request: wavefronts beyond the ideal."""
    return max(0, actual - ideal)


def banks(addresses: Addresses) -> npt.NDArray[np.int64]:
    """The bank of each address's first byte."""
    return addresses // WORD_BYTES % BANKS


def _groups_in_use(active: Mask, groups: int) -> int:
    """How many of `groups` equal runs of lanes hold an active one."""
    return int(active.reshape(groups, LANES // groups).any(axis=1).sum())


def _grouped(addresses: Addresses, active: Mask, width: int, groups: int) -> Counts:
    """Sum over `groups` equal runs of lanes of the most distinct words on one bank, for each row."""
    requests, lanes = addresses.shape
    rows = requests * groups
    shape = (rows, lanes // groups)
    first = (addresses // WORD_BYTES).reshape(shape)
    last = ((addresses + (width - 1)) // WORD_BYTES).reshape(shape)
    on = active.reshape(shape)
    reach = 1 + int((last - first).max(initial=0))
    touched = [np.where(on & (first + k <= last), first + k, _NOWHERE) for k in range(reach)]
    words = np.sort(np.concatenate(touched, axis=1), axis=1)
    fresh = words != _NOWHERE
    fresh[:, 1:] &= words[:, 1:] != words[:, :-1]
    row, column = np.nonzero(fresh)
    slots = row * BANKS + words[row, column] % BANKS
    per_bank = np.bincount(slots, minlength=rows * BANKS).reshape(requests, groups, BANKS)
    return np.asarray(per_bank.max(axis=2).sum(axis=1), dtype=np.int64)
