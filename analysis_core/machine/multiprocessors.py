"""What one multiprocessor holds, by compute capability.

Sources: CUDA programming guide, "Technical specifications per compute capability"; the toolkit's `cuda_occupancy.h`, for the steps in which
things are given out; CCCL's `cuda::arch_traits`, for what the driver keeps of each block.  `tests/oracles/test_occupancy.py` holds the
table against both headers.
"""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.text.records import dataclass

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
