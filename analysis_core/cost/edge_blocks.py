"""Accesses that only the blocks at one index along an axis of the grid execute: `if (column == n - 1) ..` with a row of blocks.

The costs per request are right, but there is one such block among as many as the axis has: nothing that a kernel pays depends on
it.  A block that is told by a small number (`if (blockIdx.x == 1)`) may be one of few, each with a work of its own.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from analysis_core.domains.condition import Condition, Relation
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.symbol import SymbolKind
from analysis_core.interp.events import AccessEvent

_MANY = 32
"""Blocks along an axis from which one of them is a share below every threshold of a finding."""


_SIZES = (SymbolKind.PARAMETER, SymbolKind.GRID)


def is_at_edge(group: Iterable[AccessEvent]) -> bool:
    """Whether every execution needs one index of the block along some axis, which is none of the first."""
    return all(any(_holds_once(literal.formula) for literal in event.mask.literals) for event in group)


def _holds_once(c: Condition) -> bool:
    """Whether it can be true of one index along an axis alone."""
    if c.atom is not None:
        return c.positive and c.atom.relation is Relation.ZERO and c.atom.poly is not None and _tells_far(c.atom.poly)
    return bool(c.parts) and (any if c.all_of else all)(_holds_once(part) for part in c.parts)


def _tells_far(difference: Poly) -> bool:
    """Whether D = 0 tells the block's index, by a size or by a great number."""
    own = [
        (m, c)
        for m, c in difference.terms.items()
        if len(m) == 1 and m[0].kind is SymbolKind.GRID and m[0].name.startswith("blockIdx")
    ]
    if len(own) != 1 or not isinstance(own[0][1], int):
        return False
    rest = {m: c for m, c in difference.terms.items() if m != own[0][0]}
    if not all(s.kind in _SIZES and s is not own[0][0][0] for m in rest for s in m):
        return False  # another index for each lane or each round
    return any(m for m in rest) or bool(np.abs(np.asarray(rest.get((), 0))).min() >= _MANY * abs(own[0][1]))
