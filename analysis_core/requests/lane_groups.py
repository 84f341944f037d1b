"""Lanes that go together, whatever memory holds: those that wait for one value at a test.

In a block of 16x16 threads `if (row[threadIdx.y] > 0)` lets sixteen lanes of a warp pass, or none, or all: nobody knows which rows pass,
but a row is whole.  So a side has sixteen lanes at least in a warp that splits, and leaves sixteen to the other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis_core.domains.alike_lanes import alike_lanes
from analysis_core.domains.condition import Atom, Condition
from analysis_core.domains.shape import WARP, BoolVector, IntVector
from analysis_core.domains.symbol import Level
from analysis_core.interp.core.events import BranchEvent


def group_sizes(event: BranchEvent) -> list[Sequence[int]] | None:
    """For each warp, how many of the lanes that may come to the test decide it together; None where each lane may
    decide by itself."""
    if event.iteration is not None or event.ragged or len(event.conditions) > 1:
        return None
    may = event.mask.may
    columns = _columns(event.conditions[0], may)
    for entry in event.mask.literals if columns is not None else ():
        more = _columns(entry.formula, entry.scope)
        if more is None:
            return None
        columns = [*columns, *more] if columns is not None else None
    return None if columns is None else [_sizes(columns, may, warp) for warp in range(len(may) // WARP)]


def lane_numbers(atom: Atom) -> IntVector | None:
    """A group number for each thread: threads of a warp with equal numbers decide the atom alike. None where each lane
    may decide by itself."""
    return atom.alike if atom.poly is None else alike_lanes(atom.poly)


def _columns(condition: Condition, lanes: BoolVector) -> list[IntVector] | None:
    """Numbers of threads: those of these lanes that have equal ones in each column find the same."""
    columns: list[IntVector] = []
    pending = [condition]
    while pending:
        part = pending.pop()
        pending.extend(part.parts)
        open_ = lanes & part.undecided
        columns.append(lanes * (1 + 2 * part.true.astype(np.int64) + part.false))
        if part.atom is None or part.atom.level is not Level.LANE or not open_.any():
            continue
        numbers = lane_numbers(part.atom)
        if numbers is None:
            return None
        columns.append(np.where(open_, numbers, -1))
    return columns


def _sizes(columns: Sequence[IntVector], may: BoolVector, warp: int) -> Sequence[int]:
    own = slice(warp * WARP, (warp + 1) * WARP)
    lanes = zip(*(column[own][may[own]].tolist() for column in columns), strict=True)
    counts: dict[tuple[int, ...], int] = {}
    for lane in lanes:
        counts[lane] = counts.get(lane, 0) + 1
    return list(counts.values())
