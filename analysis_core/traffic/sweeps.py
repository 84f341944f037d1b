"""Accesses by which the rounds of a loop go through memory without a gap: `for (i = t; i < n; i += blockDim.x) sum += row[i];`

Where such a row does not begin with a sector, each round of each warp touches one sector more than it needs, and that sector is the first of
what the next warp, or the next round, loads: the cache has it.  The requests are what they are; nothing is moved twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from analysis_core.domains.symbol import SymbolKind
from analysis_core.interp.core.events import AccessEvent, AccessKind

_ROUNDS = 3
"""Rounds that tell how a loop moves."""


def is_swept(group: Sequence[AccessEvent], threads: int) -> bool:
    """Whether all executions are such loads, of elements that lie side by side; `threads`: of the block."""
    if any(event.kind is not AccessKind.READ for event in group):
        return False
    row = threads * group[0].access.width
    return any(_goes_on(event, row) for event in group) or _follow(group, row)


def _goes_on(event: AccessEvent, row: int) -> bool:
    """Whether a round begins where the one before or after it ends: the block moves by as many bytes as it loads."""
    moved = (
        coefficient
        for monomial, coefficient in event.address.poly.ordered
        if len(monomial) == 1 and monomial[0].kind is SymbolKind.ITERATION and isinstance(coefficient, int)
    )
    return any(abs(step) == row for step in moved)


def _follow(group: Sequence[AccessEvent], row: int) -> bool:
    """The same of rounds that are gone through one by one."""
    starts = [_start(event) for event in group[:_ROUNDS]]
    return len(starts) == _ROUNDS and all(abs(a - b) == row for a, b in pairwise(starts))


def _start(event: AccessEvent) -> int:
    constant = event.address.poly.constant
    return constant if isinstance(constant, int) else int(constant[0])
