"""The machine, per compute capability: numbers that the cost rules take, as data.

Sources: CUDA C++ Programming Guide, table "Technical Specifications per Compute Capability" (warp size, threads per
block, shared memory per block) and sections "Global Memory" and "Shared Memory" of the capabilities (32-byte
sectors, 128-byte lines, 32 banks of 4 bytes); the profiler's documentation of sectors and wavefronts.  The transaction
groups of wide shared accesses are measured facts of docs/hardware.md.  From 6.0 on all of this is the same on every
generation; below 6.0 the L1 path differs and no figures are given.

What a multiprocessor holds is not: it is from the same table of the guide, with the steps in which things are given out from the toolkit's
`cuda_occupancy.h`, and what the driver keeps of each block from CCCL's `cuda::arch_traits` (`tests/oracles/test_occupancy.py`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from analysis_core.text.records import dataclass

FIRST_SUPPORTED = (6, 0)
KIB = 1024


@dataclass(frozen=True, slots=True)
class Multiprocessor:
    """`warps`, `blocks`: the most that are resident.  `shared_bytes`: what can be set aside as shared memory; the driver keeps `reserved` bytes of
    it for each block, and it is given out in multiples of `shared_step` bytes.

    `registers`: of 32 bits, of a multiprocessor and the most of a block, `most_registers` of a thread.  A warp is given multiples of
    `register_step`, from its one of `parts` that each have as many registers."""

    warps: int
    blocks: int
    shared_bytes: int
    reserved: int = KIB
    shared_step: int = 128
    registers: int = 64 * KIB
    most_registers: int = 255
    register_step: int = 256
    parts: int = 4

    @property
    def block_bytes(self) -> int:
        """The most shared memory of one block, in bytes, where it asks for it as it is launched."""
        return self.shared_bytes - self.reserved


MULTIPROCESSORS: Mapping[str, Multiprocessor] = {
    "7.0": Multiprocessor(64, 32, 96 * KIB, reserved=0, shared_step=256),
    "7.5": Multiprocessor(32, 16, 64 * KIB, reserved=0, shared_step=256),
    "8.0": Multiprocessor(64, 32, 164 * KIB),
    "8.6": Multiprocessor(48, 16, 100 * KIB),
    "8.7": Multiprocessor(48, 16, 164 * KIB),
    "8.9": Multiprocessor(48, 24, 100 * KIB),
    "9.0": Multiprocessor(64, 32, 228 * KIB),
    "10.0": Multiprocessor(64, 32, 228 * KIB),
    "10.3": Multiprocessor(64, 32, 228 * KIB),
    "11.0": Multiprocessor(48, 24, 228 * KIB),
    "12.0": Multiprocessor(48, 24, 100 * KIB),
    "12.1": Multiprocessor(48, 24, 100 * KIB),
}
"""Compute capability -> its multiprocessor."""


_BLOCK_BYTES: Mapping[tuple[int, int], int] = {
    # Of these no multiprocessor is described.
    (6, 0): 48 * KIB, (6, 1): 48 * KIB, (6, 2): 48 * KIB, (7, 2): 96 * KIB, (10, 1): 227 * KIB,
    **{(int(name[:-2]), int(name[-1])): one.block_bytes for name, one in MULTIPROCESSORS.items()},
}  # fmt: skip
"""The most shared memory that a block can opt in to; the static limit is 48 KiB everywhere."""


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
    bytes_ = _BLOCK_BYTES.get(version)
    if bytes_ is None:
        known = ", ".join(f"{major}.{minor}" for major, minor in sorted(_BLOCK_BYTES))
        reason = f"compute capability {version[0]}.{version[1]} has no description; there are {known}"
        return UnknownMachine(compute_capability, reason)
    return Machine(version, shared_bytes_per_block=bytes_)
