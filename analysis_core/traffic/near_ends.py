"""Bounds that let the same lanes through but for a few at the end: of `2 * t < n` and `2 * t + 1 < n` the second leaves out one lane of all.

Code that gives each thread several elements asks of each of them whether it is there.  What such accesses do together they do for all
lanes but the last, so that they are fellows (shared_sectors.py).  Nothing sound rests on it.
"""

from __future__ import annotations

from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Condition, below_zero

_ENDS = 32
"""How far two bounds may lie apart: a warp's width."""


def lets_nearly_all(wanted: Condition, held: Condition) -> bool:
    """Whether a bound is another one but for a few elements less."""
    upper, lower = below_zero(wanted), below_zero(held)
    if upper is None or lower is None:
        return False
    apart = pl.subtract(upper, lower)
    return apart.is_constant and pl.total_bounds(apart)[1] <= _ENDS
