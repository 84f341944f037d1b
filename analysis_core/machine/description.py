"""The machine, per compute capability: numbers that the cost rules take, as data.

Sources: CUDA C++ Programming Guide, table "Technical Specifications per Compute Capability" (warp size, threads per
block, shared memory per block) and sections "Global Memory" and "Shared Memory" of the capabilities (32-byte
sectors, 128-byte lines, 32 banks of 4 bytes); the profiler's documentation of sectors and wavefronts.  The transaction
groups of wide shared accesses are measured facts of docs/hardware.md.  From 6.0 on all of this is the same on every
generation; below 6.0 the L1 path differs and no figures are given.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from analysis_core.text.records import dataclass

FIRST_SUPPORTED = (6, 0)

_SHARED_KIB_PER_BLOCK: Mapping[tuple[int, int], int] = {
    # The most that a block can opt in to; the static limit is 48 KiB everywhere.
    (6, 0): 48, (6, 1): 48, (6, 2): 48, (7, 0): 96, (7, 2): 96, (7, 5): 64, (8, 0): 163, (8, 6): 99, (8, 7): 163,
    (8, 9): 99, (9, 0): 227, (10, 0): 227, (10, 1): 227, (10, 3): 227, (11, 0): 227, (12, 0): 99, (12, 1): 99,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class TransactionGroups:
    """A shared access of up to `width` bytes per lane is served in `groups` runs of lanes, in `merged` ones where the
    lanes of the warp pair up (see `shared_memory`)."""

    width: int
    groups: int
    merged: int


@dataclass(frozen=True, slots=True)
class Machine:
    """Sizes in bytes; `version` is (major, minor)."""

    version: tuple[int, int]
    warp_size: int = 32
    sector_bytes: int = 32
    line_bytes: int = 128
    banks: int = 32
    bank_bytes: int = 4
    threads_per_block: int = 1024
    shared_bytes_per_block: int = 48 * 1024
    shared_groups: tuple[TransactionGroups, ...] = (
        TransactionGroups(4, 1, 1),
        TransactionGroups(8, 2, 1),
        TransactionGroups(16, 4, 2),
    )


@dataclass(frozen=True, slots=True)
class UnknownMachine:
    """A compute capability without a description, and why, as a sentence for the user."""

    asked: str
    reason: str


def describe(compute_capability: str) -> Machine | UnknownMachine:
    """The machine for "9.0", "90", "sm_90" or "sm_90a"."""
    text = compute_capability.strip().lower()
    match = re.fullmatch(r"(\d{1,2})\.(\d)", text) or re.fullmatch(r"(?:sm_|compute_)?(\d{1,2})(\d)[af]?", text)
    if match is None:
        return UnknownMachine(compute_capability, f"'{compute_capability}' is not a compute capability such as 9.0")
    version = (int(match[1]), int(match[2]))
    if version < FIRST_SUPPORTED:
        return UnknownMachine(compute_capability, f"compute capability {version[0]}.{version[1]} is older than 6.0")
    kib = _SHARED_KIB_PER_BLOCK.get(version)
    if kib is None:
        known = ", ".join(f"{major}.{minor}" for major, minor in _SHARED_KIB_PER_BLOCK)
        reason = f"compute capability {version[0]}.{version[1]} has no description; there are {known}"
        return UnknownMachine(compute_capability, reason)
    return Machine(version, shared_bytes_per_block=kib * 1024)
