"""How many lanes idle beside a side that memory decides, as far as the text tells: half of them, where nothing is known.

Fewer do where nearly all lanes may be expected to take a side, where neighbours agree, or where those that idle have nothing left to do: a
loop that counts no rounds, and in which the block meets, goes on until all are done (`while (true) { __syncthreads(); if (!done) .. }`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from analysis_core.ir.loop_info import loops_of
from analysis_core.ir.nodes import If, Kernel, Loop, LoopKind
from analysis_core.ir.once import once
from analysis_core.profile.idioms.equalities import usual_sides
from analysis_core.profile.idioms.flag_orders import flag_orders
from analysis_core.profile.idioms.searches import begun_alike
from analysis_core.text.span import Span

_HALF = 0.5

_UNUSUAL = 1 / 6
"""The part of the lanes for which a number is the very one of many that it is asked to be (profile/guards.py)."""

_PARTED = 0.5
"""The part of the rounds of a search in which lanes are no more at one place: where they look for neighbours in what is sorted, the last log2
of how far these are apart; else all but the first five."""


@dataclass(frozen=True, slots=True)
class SidesByData:
    """By condition, the side that is usual, or both (None); conditions of which lanes that they leave out are done; those in searches that
    lanes begin at one place."""

    usual: Mapping[Span, int | None]
    done: frozenset[Span]
    searching: frozenset[Span]

    @staticmethod
    @once
    def of(kernel: Kernel) -> SidesByData:
        """All of a kernel."""
        usual = {**dict.fromkeys(flag_orders(kernel)), **usual_sides(kernel)}
        return SidesByData(usual, _left_by_all(kernel), begun_alike(kernel))

    def idle(self, condition: Span, side: int) -> float:
        """The part of the lanes that idle while the others run the side."""
        if condition in self.done:
            return 0.0
        return _UNUSUAL if self.usual.get(condition, 1 - side) in (side, None) else _HALF

    def parting(self, condition: Span) -> float:
        """The part of the tests at which lanes may part."""
        return _PARTED if condition in self.searching else 1.0


def _left_by_all(kernel: Kernel) -> frozenset[Span]:
    """The conditions inside of loops that count no rounds and in which the block meets."""
    waiting = (info for info in loops_of(kernel) if info.meets and not _counts(info.loop))
    return frozenset(inner.span for info in waiting for inner in info.inside if isinstance(inner, If))


def _counts(loop: Loop) -> bool:
    return loop.kind is LoopKind.FOR and loop.condition is not None
