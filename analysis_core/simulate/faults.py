"""What went wrong while a kernel ran: the thread, the place, and how often.

A run goes on after a fault (a bad load gives 0, a bad store is dropped), so that one run shows them all; of each kind
and place the first thread is kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import Enum

from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


class FaultKind(Enum):
    OUT_OF_BOUNDS = "out of bounds"
    MISALIGNED = "misaligned address"
    UNINITIALISED = "uninitialised"
    RACE_IN_WARP = "race within a warp"
    RACE_IN_BLOCK = "race within a block"
    RACE_IN_GRID = "race between blocks"
    DIVERGENT_BARRIER = "divergent barrier"
    DIVISION_BY_ZERO = "division by zero"
    SIGNED_OVERFLOW = "signed overflow"
    SHIFT = "shift by the width or more"
    CONVERSION = "conversion out of range"
    FOREIGN_POINTER = "difference of unrelated pointers"
    INACTIVE_LANE = "value of an inactive lane"
    ABSENT_LANES = "named lanes are absent"
    BROKEN_CLAIM = "broken claim"


@dataclass(frozen=True, slots=True)
class Fault:
    """`thread` and `block` are those of the first thread; `count`: executions by threads that had it; `other`: another thread that the
    text names, of the same block or of `other_block`."""

    kind: FaultKind
    span: Span
    text: str
    block: tuple[int, int, int]
    thread: tuple[int, int, int]
    count: int
    other: tuple[int, int, int] | None = None
    other_block: tuple[int, int, int] | None = None


HARMLESS = frozenset({FaultKind.RACE_IN_WARP, FaultKind.SIGNED_OVERFLOW})
"""What C++ leaves undefined and compilers do as the simulator does."""


def undefined(faults: Iterable[Fault]) -> str:
    """What a run does that is left undefined and makes its result worth nothing; "" for nothing."""
    return next((fault.text for fault in faults if fault.kind not in HARMLESS), "")


class Faults:
    """Collects faults of a run, one per kind and place."""

    def __init__(self) -> None:
        self._found: dict[tuple[FaultKind, Span], Fault] = {}

    def add(self, fault: Fault) -> None:
        """Keeps the fault, or counts it to the one known."""
        key = (fault.kind, fault.span)
        known = self._found.get(key)
        self._found[key] = fault if known is None else replace(known, count=known.count + fault.count)

    def all(self) -> tuple[Fault, ...]:
        """In order of their first occurrence."""
        return tuple(self._found.values())
