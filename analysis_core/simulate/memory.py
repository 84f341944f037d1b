"""The memory of a run: regions, bounds, and the bytes.

Every memory object and every array argument is a *region* with 2^36 bytes of addresses of its own, so that an index
that runs over the end of an array meets nothing else.  The bytes of all regions lie in one buffer; a region's `delta` leads
from addresses to the buffer, plus a block's or a thread's share for shared and local memory:

    byte = address + delta[region] + block * block_bytes   (SHARED)
                                   + lane * lane_bytes     (LOCAL)

Shared arrays have the offsets that their declarations give them, one after the other; regions of global and constant
memory start at addresses that are multiples of 256, as the allocator's do.  The lower 32 bits of an address in shared memory
tell its region, too (`generic`): programs keep such addresses in 32 bits, as instructions take them.

Which bytes were never written is kept beside them: for shared and local memory, and for arrays that were given without
contents.  Memory that the run does not touch stays untouched by the simulator too, so that it takes up no room.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from analysis_core.ir.types import Space
from analysis_core.simulate.representation import Array, Bools, Ints
from analysis_core.text.records import dataclass

REGION_BITS = 36
REGION_BYTES = 1 << REGION_BITS
ALIGNMENT = 256
_SHARED_BITS = 20
"""Of a shared address in 32 bits: those below the number of its region, which hold its offset in the memory of its block."""


def region_of(address: Any) -> Any:
    """The number of the region that an address (or each of many) belongs to, its surroundings included."""
    return (address + REGION_BYTES // 2) >> REGION_BITS


def generic(number: Any) -> Any:
    """An integer (or many) as the address that a cast makes of it: of 32 bits of a shared address the whole address."""
    number = np.asarray(number).astype(np.int64)
    is_shared = (number >= 1 << _SHARED_BITS) & (number < 1 << 32)
    region = (number + (1 << _SHARED_BITS - 2)) >> _SHARED_BITS
    return (number + (np.where(is_shared, region, 0) << REGION_BITS))[()]


@dataclass(frozen=True, slots=True)
class Region:
    """`base`: address of its first byte; `offset`: the same as an offset into its space's share of the buffer."""

    name: str
    space: Space
    base: int
    size: int
    offset: int
    written: bool  # holds defined contents from the start


@dataclass(frozen=True, slots=True)
class Place:
    """Where accesses go: the byte in the buffer for each lane; `region` if all are in one."""

    byte: Ints
    region: Region | None


class AddressSpace:
    """The regions of a run, laid out one after the other."""

    def __init__(self) -> None:
        self.regions: list[Region] = []
        self._end = dict.fromkeys(Space, 0)

    def add(self, name: str, space: Space, size: int, align: int, written: bool) -> Region:
        """A new region of `size` bytes."""
        if size > REGION_BYTES // 4:
            raise MemoryError(f"`{name}` has {size} bytes")
        share = Space.GLOBAL if space is Space.CONSTANT else space
        start = -(-self._end[share] // align) * align
        number = len(self.regions) + 1
        # The address shows the offset modulo 256: what decides on sectors and banks; in shared memory all of it.
        base = (number << REGION_BITS) + start % ALIGNMENT
        if space is Space.SHARED:
            base = (number << REGION_BITS) + (number << _SHARED_BITS) + start
        region = Region(name, space, base, size, start, written)
        self._end[share] = start + size
        self.regions.append(region)
        return region

    def bytes_of(self, space: Space) -> int:
        """Bytes of all regions of a space, per block or thread for shared and local memory, rounded up to 16."""
        return -(-self._end[space] // 16) * 16


class Memory:
    """The buffer for one chunk of blocks.  Global memory keeps its bytes from chunk to chunk."""

    def __init__(self, space: AddressSpace, blocks: int, lanes: int) -> None:
        self.regions = tuple(space.regions)
        self.global_bytes = -(-space.bytes_of(Space.GLOBAL) // ALIGNMENT) * ALIGNMENT
        self.block_bytes = space.bytes_of(Space.SHARED)
        self.lane_bytes = space.bytes_of(Space.LOCAL)
        self.local_start = self.global_bytes + blocks * self.block_bytes
        total = self.local_start + lanes * self.lane_bytes + 16
        self._buffer = np.zeros(total, dtype=np.uint8)
        self._unwritten = np.zeros(total, dtype=np.uint8)
        self._views: dict[np.dtype[Any], Array] = {}
        self._unwritten_views: dict[int, Array] = {}
        self._size = np.zeros(len(self.regions) + 1, dtype=np.int64)
        self._first = np.zeros(len(self.regions) + 1, dtype=np.int64)
        self._delta = np.zeros(len(self.regions) + 1, dtype=np.int64)
        self._per_block = np.zeros(len(self.regions) + 1, dtype=np.int64)
        self._per_lane = np.zeros(len(self.regions) + 1, dtype=np.int64)
        for number, region in enumerate(self.regions, start=1):
            start = {Space.SHARED: self.global_bytes, Space.LOCAL: self.local_start}.get(region.space, 0)
            self._size[number] = region.size
            self._first[number] = region.base
            self._delta[number] = start + region.offset - region.base
            self._per_block[number] = self.block_bytes if region.space is Space.SHARED else 0
            self._per_lane[number] = self.lane_bytes if region.space is Space.LOCAL else 0
            if not region.written and region.space in (Space.GLOBAL, Space.CONSTANT):
                self._unwritten[region.offset : region.offset + region.size] = 255

    def view(self, dtype: np.dtype[Any]) -> Array:
        """The buffer as an array of `dtype`."""
        if dtype not in self._views:
            self._views[dtype] = self._buffer[: len(self._buffer) // 16 * 16].view(dtype)
        return self._views[dtype]

    def unwritten(self, size: int) -> Array:
        """Per element of `size` bytes: 0 if all of it was written, its bytes 255 where not."""
        if size not in self._unwritten_views:
            self._unwritten_views[size] = self._unwritten[: len(self._unwritten) // 16 * 16].view(f"u{size}")
        return self._unwritten_views[size]

    def contents(self, region: Region) -> Array:
        """The bytes of a global region, to be read or filled."""
        return self._buffer[region.offset : region.offset + region.size]

    def forget_blocks(self) -> None:
        """Shared and local memory of the next chunk: nothing is written yet."""
        self._unwritten[self.global_bytes :] = 255
        self._buffer[self.global_bytes :] = 0

    def region_at(self, address: int) -> Region | None:
        """The region that an address belongs to, its surroundings included; None for addresses near 0."""
        number = region_of(address)
        return self.regions[number - 1] if 1 <= number <= len(self.regions) else None

    def common_region(self, addresses: Ints, width: int) -> Region | None:
        """The region that all accesses lie in wholly, if there is one."""
        low, high = int(addresses.min()), int(addresses.max())
        number = low >> REGION_BITS
        if not 1 <= number <= len(self.regions):
            return None
        region = self.regions[number - 1]
        return region if region.base <= low and high + width <= region.base + region.size else None

    def inside(self, addresses: Ints, width: int) -> tuple[Bools, Ints]:
        """Which accesses lie wholly in a region, and in the region of which number (0 where in none)."""
        number = addresses >> REGION_BITS
        number = np.where((number >= 1) & (number <= len(self.regions)), number, 0)
        start = addresses - self._first[number]
        fits = (number > 0) & (start >= 0) & (start + width <= self._size[number])
        return fits, number

    def bytes_in(self, region: Region, addresses: Ints, blocks: Ints, lanes: Ints) -> Ints:
        """Buffer positions of addresses that lie in `region`."""
        number = region.base >> REGION_BITS
        moved: Ints = addresses + self._delta[number]
        match region.space:
            case Space.SHARED:
                moved += blocks * self.block_bytes
            case Space.LOCAL:
                moved += lanes * self.lane_bytes
            case Space.GLOBAL | Space.CONSTANT | Space.UNKNOWN:
                pass
        return moved

    def bytes_of(self, numbers: Ints, addresses: Ints, blocks: Ints, lanes: Ints) -> Ints:
        """Buffer positions of addresses in several regions."""
        shares = blocks * self._per_block[numbers] + lanes * self._per_lane[numbers]
        moved: Ints = addresses + self._delta[numbers] + shares
        return moved


def spaces_of(memory: Memory, numbers: Ints) -> Sequence[Space]:
    """The spaces that occur among regions of these numbers."""
    return list(dict.fromkeys(memory.regions[int(n) - 1].space for n in np.unique(numbers)))
