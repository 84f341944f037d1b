"""Memory of the concrete machine: endless arrays with random contents, one memory per sample.

An address is an int64; every array starts at a place of its own, far from the others, aligned as its space promises: those in shared
memory stand one behind the other, so what divides the sizes of all divides their places.
What was never stored is a function of the address and the sample: zeros, a constant, the element's number, small or
large random numbers.
"""

from __future__ import annotations

import random
from math import gcd, prod

import numpy as np
import numpy.typing as npt

from tests.properties.kernels.syntax import Array, CType, Element, Record

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_ROOM = 36  # bits of an array's room
_MODES = ("zeros", "four", "small", "small", "mixed", "full", "constant", "number", "permuted")


def alignment(element: Element) -> int:
    return element.align if isinstance(element, Record) else element.size


class Memory:
    """`view`: who shares stores, per lane (a sample; or a warp of it, whose stores no other warp ever sees)."""

    def __init__(self, arrays: tuple[Array, ...], samples: int, rng: random.Random) -> None:
        self.bases: dict[str, Ints] = {}
        self._seeds = np.array([rng.getrandbits(40) for _ in range(samples)], dtype=np.int64)
        self._modes = np.zeros((len(arrays) + 1, samples), dtype=np.int64)
        self._stored: dict[int, dict[tuple[int, int], float]] = {}
        self._own: dict[int, dict[int, float]] = {}
        whole = gcd(16, *(prod(a.extents) * a.element.size for a in arrays if a.space == "shared"))
        for number, array in enumerate(arrays, start=1):
            unit = 256 if array.space == "global" else alignment(array.element)
            unit = max(unit, whole) if array.space == "shared" else unit
            starts = [(number << _ROOM) + (1 << (_ROOM - 1)) + unit * rng.randrange(1 << 10) for _ in range(samples)]
            self.bases[array.name] = np.array(starts, dtype=np.int64)
            self._modes[number] = [rng.randrange(len(_MODES)) for _ in range(samples)]

    def load(self, addresses: Ints, type_: CType, sample: Ints, view: Ints, mask: Bools) -> npt.NDArray[np.generic]:
        """The values at the addresses; anything where the mask is off."""
        room = np.clip(addresses >> _ROOM, 0, len(self._modes) - 1)
        values = self._initial(addresses, type_, sample, room)
        for number in np.unique(room[mask]):
            stored = self._stored.get(int(number))
            if stored:
                for lane in np.flatnonzero(mask & (room == number)):
                    found = stored.get((int(view[lane]), int(addresses[lane])))
                    if found is not None:
                        values[lane] = found
        return values

    def store(self, addresses: Ints, values: npt.NDArray[np.generic], view: Ints, mask: Bools) -> None:
        """One of the lanes that write one place wins."""
        for lane in np.flatnonzero(mask):
            address = int(addresses[lane])
            self._stored.setdefault(address >> _ROOM, {})[int(view[lane]), address] = values[lane]
            self._own.setdefault(int(lane), {})[address] = values[lane]

    def is_lost(self, addresses: Ints, values: npt.NDArray[np.generic], mask: Bools) -> Bools:
        """The lanes that find something else than they have stored there since they last let others in."""
        lost = np.zeros(len(mask), dtype=bool)
        for lane in np.flatnonzero(mask) if self._own else ():
            own = self._own.get(int(lane), {}).get(int(addresses[lane]))
            lost[lane] = own is not None and own != values[lane]
        return lost

    def let_others_in(self, mask: Bools) -> None:
        """What others store may come to be seen by these lanes."""
        for lane in np.flatnonzero(mask):
            self._own.pop(int(lane), None)

    def _initial(self, addresses: Ints, type_: CType, sample: Ints, room: Ints) -> npt.NDArray[np.generic]:
        number = (addresses & ((1 << _ROOM) - 1)) // type_.size
        x = (addresses * 0x9E3779B1) ^ self._seeds[sample]
        x = (x ^ (x >> 29)) * 0x2545F491
        x = (x ^ (x >> 31)) & 0x7FFFFFFFFFFF
        mode = self._modes[room, sample]
        choices = [
            x * 0,
            x % 4,
            x % 40,
            x % 40,
            x % 256 - 40,
            x,
            self._seeds[sample] % 50,
            number % 512,
            number * 5 % 64,
        ]
        values = np.choose(mode, choices)
        if type_.floating:
            return (values % 1000).astype(np.float64)
        return reduce(values, type_)


def reduce(values: Ints, type_: CType) -> Ints:
    """A conversion to an integer type, modulo its width."""
    if type_.size == 8:
        return values & 0x7FFFFFFFFFFFFFFF if not type_.signed else values
    if type_.name == "bool":
        return (values != 0).astype(np.int64)
    low, high = type_.range
    return (values - low) % (high - low + 1) + low
