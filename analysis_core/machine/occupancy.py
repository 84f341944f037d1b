"""Occupancy: how many blocks of a launch a multiprocessor holds at once, and what limits them.

A block needs a place, its warps, registers for each warp and shared memory, each given out in steps; the scarcest decides (CUDA best
practices guide, "Calculating occupancy"; the formula is that of the toolkit's `cuda_occupancy.h`).  Registers are given to warps, and each
quarter of a multiprocessor has its own: 5 warps take as much room as 8 when a block is checked, which is why a block of 160 threads with
`65536 / 160` registers each is refused.

What is not counted: blocks that start together as a cluster, and what other kernels hold.
"""

from __future__ import annotations

from analysis_core.machine.description import Multiprocessor
from analysis_core.text.records import dataclass

WARP_THREADS = 32


@dataclass(frozen=True, slots=True)
class Occupancy:
    """`blocks`, `warps`: how many are resident on one multiprocessor, 0 where the launch is refused.  `share`: of the warps that there is room for.
    `limits`: what would have to grow for one block more, in this order: "warps", "blocks", "registers", "shared memory"."""

    blocks: int
    warps: int
    share: float
    limits: tuple[str, ...]


def occupancy(machine: Multiprocessor, threads: int, registers: int, shared_bytes: int) -> Occupancy:
    """Of blocks with so many threads (1 to 1,024), registers of one thread (0: not counted) and bytes of shared memory, static and dynamic."""
    warps = -(-threads // WARP_THREADS)
    room = {
        "warps": machine.warps // warps,
        "blocks": machine.blocks,
        "registers": _by_registers(machine, warps, registers),
        "shared memory": _by_shared_memory(machine, shared_bytes),
    }
    known = {name: most for name, most in room.items() if most is not None}
    blocks = min(known.values())
    resident = blocks * warps
    limits = tuple(name for name, most in known.items() if most == blocks)
    return Occupancy(blocks, resident, resident / machine.warps, limits)


def most_registers(machine: Multiprocessor, threads: int) -> int:
    """Of a thread, so that there is room for a block with so many threads (1 to 1,024)."""
    warps = _up(-(-threads // WARP_THREADS), machine.parts)
    of_warp = machine.registers // warps // machine.register_step * machine.register_step
    return min(machine.most_registers, of_warp // WARP_THREADS)


def _by_registers(machine: Multiprocessor, warps: int, registers: int) -> int | None:
    """The blocks that registers have room for; None if none are counted."""
    if not registers:
        return None
    of_warp = _up(registers * WARP_THREADS, machine.register_step)
    if registers > machine.most_registers or of_warp * _up(warps, machine.parts) > machine.registers:
        return 0
    of_part = machine.registers // machine.parts // of_warp
    return of_part * machine.parts // warps


def _by_shared_memory(machine: Multiprocessor, shared_bytes: int) -> int | None:
    """The blocks that shared memory has room for where all that can be is given to it; None if none is used."""
    taken = _up(shared_bytes + machine.reserved, machine.shared_step)
    if not taken:
        return None
    return machine.shared_bytes // taken if shared_bytes <= machine.block_bytes else 0


def _up(number: int, step: int) -> int:
    return -(-number // step) * step
