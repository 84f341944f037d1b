"""Which part of a launch's warps comes to each access and each condition, by following a few of them that are spread over the grid (lane_walk.py).

Who may come somewhere, for all that the numbers of the launch say, counts as coming.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

import numpy as np

from analysis_core.ir.nodes import AccessId, BuiltinKind, Kernel, VarId
from analysis_core.machine.sizes import WARP
from analysis_core.profile.lane_numbers import Numbers, Places, Vector
from analysis_core.profile.lane_walk import LaneWalk
from analysis_core.text.span import Span


def coming_warps(
    kernel: Kernel, block: tuple[int, int, int], grid: tuple[int, ...], values: Mapping[VarId, int], samples: int
) -> Mapping[AccessId | Span, float]:
    """The part of all warps that comes to each access, and to each condition; all where none of those that are followed does.  `values`: of parameters;
    `samples`: the warps that are followed, beside the first one."""
    warps = _warps(prod(grid), -(-prod(block) // WARP), samples)
    walk = LaneWalk(kernel, _places(warps, block, grid), len(warps) * WARP)
    every = np.ones(walk.lanes, dtype=bool)
    given = {var: Numbers(np.full(walk.lanes, value, dtype=np.int64), every) for var, value in values.items()}
    walk.walk(given)
    found: dict[AccessId | Span, float] = {}
    for number, came in walk.came.items():
        each = came.reshape(-1, WARP).sum(axis=1) > 0
        known, begun = int(each[1:].sum()), bool(each[0])
        found[number] = max(known, begun) / (len(warps) - 1) if known or begun else 1.0
    return found


_MOST_WARPS = 2**48
"""Of more warps than any device runs in a day, these are looked at, so that their numbers stay machine integers."""


def _warps(blocks: int, each: int, samples: int) -> Vector:
    """The first warp, and of all of them as many as are followed, equally far apart."""
    every = min(blocks * each, _MOST_WARPS)
    chosen = np.arange(every) if every <= samples else (2 * np.arange(samples) + 1) * every // (2 * samples)
    return np.concatenate([np.zeros(1, dtype=np.int64), chosen])


def _places(warps: Vector, block: tuple[int, int, int], grid: tuple[int, ...]) -> Places:
    """Where the lanes of these warps stand, those beyond the end of a block beside its last thread."""
    each = -(-prod(block) // WARP)
    blocks = np.repeat(warps // each, WARP)
    threads = np.repeat(warps % each * WARP, WARP) + np.tile(np.arange(WARP), len(warps))
    threads = np.minimum(threads, prod(block) - 1)
    found: dict[tuple[BuiltinKind, int], Vector] = {}
    for axis in range(3):
        found[BuiltinKind.THREAD_IDX, axis] = threads // prod(block[:axis]) % block[axis]
        found[BuiltinKind.BLOCK_IDX, axis] = blocks // prod(grid[:axis]) % grid[axis]
        found[BuiltinKind.BLOCK_DIM, axis] = np.full_like(threads, block[axis])
        found[BuiltinKind.GRID_DIM, axis] = np.full_like(threads, grid[axis])
    return found
