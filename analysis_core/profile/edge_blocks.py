"""Accesses that only the blocks at one index along an axis of the grid execute: `if (column == n - 1) ..` with a row of blocks.

The costs per request are right, but there is one such block among as many as the axis has: nothing that a kernel pays depends on
it.  A block that is told by a small number (`if (blockIdx.x == 1)`) may be one of few, each with a work of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from analysis_core.domains.condition import Condition, Relation
from analysis_core.domains.polynomial import Coefficient, Monomial, Poly
from analysis_core.domains.symbol import Symbol, SymbolKind
from analysis_core.interp.core.events import AccessEvent

_MANY = 32
"""Blocks along an axis from which one of them is a share below every threshold of a finding."""


_SIZES = (SymbolKind.PARAMETER, SymbolKind.GRID)
_AXES = {"blockIdx.x": 0, "blockIdx.y": 1, "blockIdx.z": 2}


def is_at_edge(group: Iterable[AccessEvent]) -> bool:
    """Whether every execution needs one index of the block along some axis, which is none of the first."""
    return all(any(_holds_once(literal.formula) for literal in event.mask.literals) for event in group)


def axis_of_one_block(group: Iterable[AccessEvent]) -> int | None:
    """The axis along which every execution needs one certain index of the block, whichever it is: `if (row == 0)` with
    `row = 4 * blockIdx.y + threadIdx.y`. None if there is none, or a size tells it. A sum over the grid counts such an
    access once for each row of blocks along the axis."""
    each = [{axis for literal in event.mask.literals for axis in _axes_told(literal.formula)} for event in group]
    axes = set.intersection(*each) if each else set()
    return min(axes) if axes else None


def _axes_told(c: Condition) -> Iterator[int]:
    """The axes along which one index alone meets a condition."""
    if c.atom is not None:
        is_told = c.positive and c.atom.relation is Relation.ZERO and c.atom.poly is not None
        axis = _axis_told(c.atom.poly) if is_told and c.atom.poly is not None else None
        if axis is not None:
            yield axis
    elif c.all_of:
        for part in c.parts:
            yield from _axes_told(part)


def _axis_told(difference: Poly) -> int | None:
    """The axis of the block's index, if D = 0 tells it and all lanes the same."""
    found = _with_index(difference)
    if found is None:
        return None
    index, step, rest = found
    apart = np.asarray(rest.get((), 0))
    same = not any(rest.keys() - {()}) and np.ptp(apart) < abs(
        step
    )  # what the last block does is often what others do elsewhere
    return _AXES.get(index.name) if same else None


def _holds_once(c: Condition) -> bool:
    """Whether it can be true of one index along an axis alone."""
    if c.atom is not None:
        return c.positive and c.atom.relation is Relation.ZERO and c.atom.poly is not None and _tells_far(c.atom.poly)
    return bool(c.parts) and (any if c.all_of else all)(_holds_once(part) for part in c.parts)


def _tells_far(difference: Poly) -> bool:
    """Whether D = 0 tells the block's index, by a size or by a great number."""
    found = _with_index(difference)
    if found is None:
        return False
    _, step, rest = found
    return any(m for m in rest) or bool(np.abs(np.asarray(rest.get((), 0))).min() >= _MANY * abs(step))


def _with_index(difference: Poly) -> tuple[Symbol, int, dict[Monomial, Coefficient]] | None:
    """The block's index in D, its coefficient, and the rest of D, which is made of sizes; None where it is something else."""
    own = [
        (m, c)
        for m, c in difference.terms.items()
        if len(m) == 1 and m[0].kind is SymbolKind.GRID and m[0].name.startswith("blockIdx")
    ]
    if len(own) != 1 or not isinstance(own[0][1], int):
        return None
    rest = {m: c for m, c in difference.terms.items() if m != own[0][0]}
    if not all(s.kind in _SIZES and s is not own[0][0][0] for m in rest for s in m):
        return None  # another index for each lane or each round
    return own[0][0][0], own[0][1], rest
