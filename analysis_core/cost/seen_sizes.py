"""What accesses cost at the sizes that launches are seen to pass: figures of findings, and of nothing else.

    int pitch = 128; .. k<<<grid, dim3(2, 128)>>>(p, pitch)       p[threadIdx.y * pitch + threadIdx.x]: 16 sectors

Bounds hold for every pitch, and so does the dearest request of facts: 32 sectors, at a pitch of 1.  Nobody who launches the
kernel with 128 meets it, so what a finding says is costed again with the number in place of the parameter.  Where launches in view
pass different numbers, or one that nobody knows, all values count as before.  Lanes that pick elements of an array which is allocated
with 20 bytes are all within two sectors.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from analysis_core.domains import polynomial as pl
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.symbol import Symbol, SymbolKind
from analysis_core.interp.events import AccessEvent
from analysis_core.ir.launch import Launch
from analysis_core.ir.launch_site import SizeRange
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import Space

_MOST_EVENTS = 1024
"""Executions of accesses of one kernel that are costed again."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The parameters with a seen value that addresses rest on, and the bytes that the array is allocated with."""

    names: tuple[str, ...]
    room: int | None


@dataclass(slots=True)
class SeenSizes:
    """`values`: what parameters are at every launch in view, as numbers that they are replaced by.  `rooms`: bytes of arrays by name.  `left`: executions that may still be costed again."""

    values: Mapping[Symbol, Poly]
    rooms: Mapping[str, int]
    left: int = _MOST_EVENTS

    @staticmethod
    def of(
        kernel: Kernel,
        parameters: Iterable[Symbol],
        launch: Launch,
        ranges: Iterable[SizeRange],
        stated: Container[str],
    ) -> SeenSizes:
        """Those of the kernel's parameters of which one value is seen, and that the settings do not state."""
        names = {kernel.variables[number].name for number in kernel.parameters}
        own = {name for name in names if name not in stated}
        seen = {one.name: one.least for one in ranges if one.least is not None and one.least == one.most}
        values = {
            s: pl.constant(value)
            for s in parameters
            if s.kind is SymbolKind.PARAMETER and s.name in own and (value := seen.get(s.name)) is not None
            if _admits(s, value)
        }
        return SeenSizes(values, dict(launch.rooms))

    def of_group(self, group: Sequence[AccessEvent]) -> Seen | None:
        """What is seen of what these executions rest on; None where that is nothing, or there is too much to look at."""
        if not (self.values or self.rooms) or len(group) > self.left:
            return None
        room = self.rooms.get(group[0].base) if group[0].space is Space.GLOBAL else None
        found = {s for event in group for s in event.address.poly.symbols() if s in self.values} if self.values else ()
        if not found and room is None:
            return None
        self.left -= len(group)
        return Seen(tuple(s.name for s in sorted(found)), room)

    def at(self, event: AccessEvent) -> AccessEvent:
        """The execution with these values."""
        poly = pl.substitute(event.address.poly, self.values) if self.values else event.address.poly
        room = self.rooms.get(event.base) if event.space is Space.GLOBAL else None
        extent = event.extent if room is None else min(room, event.extent or room)
        return replace(event, address=replace(event.address, poly=poly), extent=extent)


def _admits(symbol: Symbol, value: int) -> bool:
    low, high = symbol.ends
    return low <= value <= high and value % symbol.modulus == symbol.residue
