"""Rounds of loops that no expression gives, counted by going through them at the sizes that findings speak of.

    for (int i = 0; i < ceil((double)n / 512); i++) ..        2 where n is 1024
    for (unsigned bit = 8; bit < part; bit <<= 1) ..          17 where launches pass 2^20 for `part`

Two warps of the first block are followed (lane_walk.py), with what launches pass, and where that is one parameter at most with the usual size for
what nobody knows: of several such, each may be anything beside the others.  Counted are the rounds of the lane that goes round longest, alike
wherever these lanes come to the loop, if they are fewer than loops of unknown length are taken to have; and more than one, which may as well be
that the size is too small for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from math import prod

import numpy as np

from analysis_core.ir.launch_site import SizeRange
from analysis_core.ir.nodes import BuiltinKind, Kernel, VarId
from analysis_core.ir.types import PointerType, ScalarKind, ScalarType
from analysis_core.machine.sizes import WARP
from analysis_core.profile.lane_numbers import Numbers, Places, Vector
from analysis_core.profile.lane_walk import LaneWalk
from analysis_core.program.launch import Launch
from analysis_core.support.settings import Settings
from analysis_core.text.span import Span

_APART = 40
"""Bits of an address within an array."""


def walked_rounds(
    kernel: Kernel, launch: Launch, ranges: Iterable[SizeRange], asked: Collection[Span], settings: Settings
) -> dict[Span, int]:
    """How many rounds the loops that are asked about make, counted by following the first block; by the whole
    statement."""
    if not asked:
        return {}
    walk = LaneWalk(kernel, _places(launch), 2 * WARP, frozenset(asked))
    walk.walk(_parameters(kernel, ranges, settings, walk.lanes))
    counted = ((loop, walk.rounds.get(loop)) for loop in asked)
    most = settings.representative_trips
    return {loop: rounds for loop, rounds in counted if rounds is not None and 1 < rounds < most}


def _places(launch: Launch) -> Places:
    """The first and the last warp of the first block; what is not stated of the grid is left out."""
    threads = prod(launch.block)
    last = (threads - 1) // WARP * WARP
    lanes = np.minimum(np.concatenate([np.arange(WARP), last + np.arange(WARP)]), threads - 1)
    found: dict[tuple[BuiltinKind, int], Vector] = {}
    for axis, (extent, blocks) in enumerate(zip(launch.block, launch.grid, strict=True)):
        found[BuiltinKind.THREAD_IDX, axis] = lanes // prod(launch.block[:axis]) % extent
        found[BuiltinKind.BLOCK_IDX, axis] = np.zeros_like(lanes)
        found[BuiltinKind.BLOCK_DIM, axis] = np.full_like(lanes, extent)
        if blocks is not None:
            found[BuiltinKind.GRID_DIM, axis] = np.full_like(lanes, blocks)
    return found


def _parameters(kernel: Kernel, ranges: Iterable[SizeRange], settings: Settings, lanes: int) -> Mapping[VarId, Numbers]:
    """What parameters are: arrays far apart, and as aligned as large ones are."""
    values = {one.name: one.least for one in ranges if one.least is not None and one.least == one.most}
    values |= settings.values
    found: dict[VarId, int] = {}
    open_: list[VarId] = []
    for place, number in enumerate(kernel.parameters, 1):
        one = kernel.variables[number]
        if isinstance(one.type, PointerType):
            found[number] = place << _APART
        elif isinstance(one.type, ScalarType) and one.type.kind is ScalarKind.INT:
            value = values.get(one.name)
            if value is None:
                open_.append(number)
            else:
                found[number] = value
    if len(open_) == 1:
        found[open_[0]] = settings.representative_size
    every = np.ones(lanes, dtype=bool)
    return {number: Numbers(np.full(lanes, value, dtype=np.int64), every) for number, value in found.items()}
