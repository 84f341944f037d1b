"""Hoist: what every round of a loop loads from the same cell, and nobody writes, is loaded once before the loop.

    for (int i = 0; i < n; i++) a[i] = a[i] * scale[0];     ->     float scale_reg = scale[0]; ..  a[i] = a[i] * scale_reg;

The compiler may not know that nobody writes it, where pointers are not `__restrict__`; the analysis takes them for apart, as everywhere.
"""

from __future__ import annotations

from analysis_core.rewrite.actions.prefetch_register import kept, listed
from analysis_core.rewrite.core.action import Action
from analysis_core.rewrite.core.loops import loop_sites

ACTION = Action(
    "hoist",
    "loads before a loop what every round of it loads",
    frozenset(),
    loop_sites,
    kept(
        lambda place: not place.written,
        lambda places: f"Load {listed(places)} once, before the loop",
        "`{}` is written in the loop: it can be kept in a register (prefetch-register)",
    ),
)
