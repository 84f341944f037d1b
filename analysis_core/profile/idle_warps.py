"""Which part of a launch's warps comes to what at the numbers that it passes.

    walk<<<rows * columns / 256, 256>>>(p, columns);        if (i < columns) ..: one warp of `rows` has anything to do

A launch has more warps than work where its host counts otherwise than the kernel, or where one thread does it all.  Warps that leave at once are
cheap, but each has to be launched.  So a few lanes of many that are spread over the grid are followed (profile/lane_walk.py), with the parameters that
launches tell.  Who may come to an access, for all that these say, counts as coming.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from analysis_core.ir.launch_site import made_launches
from analysis_core.ir.nodes import AccessId, Kernel, VarId
from analysis_core.ir.types import Space
from analysis_core.machine.sizes import WARP
from analysis_core.profile.access_profile import AccessProfile, KernelProfile
from analysis_core.profile.sizes import grid_extent, representative_sizes, size_within
from analysis_core.support.settings import Settings
from analysis_core.text.span import Span

_MEMORY = (Space.GLOBAL, Space.SHARED)

_MOST_BLOCKS = (2**31 - 1, 2**16 - 1, 2**16 - 1)
"""Extents of a grid (CUDA programming guide, technical specifications)."""

SAMPLES = 64
"""Warps that are followed."""


def coming_parts(kernel: Kernel, profile: KernelProfile, settings: Settings) -> Mapping[AccessId | Span, float]:
    """The part of all warps that comes to each access, and to each condition; a 64th at least, and all where none of those that are followed does."""
    return profile.once("coming", settings, lambda: _coming_parts(kernel, profile, settings))


def _coming_parts(kernel: Kernel, profile: KernelProfile, settings: Settings) -> Mapping[AccessId | Span, float]:
    from analysis_core.profile.coming_warps import coming_warps  # with numpy, which only the worker loads

    grid, values = _grid(kernel, profile, settings), _values(kernel, profile, settings)
    # What is launched with no block at all, or with more than devices take, is looked at as if it ran.
    grid = tuple(min(max(1, extent), most) for extent, most in zip(grid, _MOST_BLOCKS, strict=True))
    return coming_warps(kernel, profile.facts.block, grid, values, SAMPLES)


def most_done(profile: KernelProfile, settings: Settings) -> int:
    """How often a warp that comes everywhere does what it does most often."""
    return max((often for _, often in _times(profile, settings)), default=0)


def busiest_part(kernel: Kernel, profile: KernelProfile, settings: Settings) -> tuple[float, float]:
    """How often a warp does what all warps together do most often, divided by how many there are; and the part of them that does anything."""
    times = _times(profile, settings)
    if not times:
        return 1.0, 1.0
    parts = coming_parts(kernel, profile, settings)
    busy = [
        (max((parts.get(number, 0.0) for number in access.fact.ids), default=0.0), often) for access, often in times
    ]
    return max(part * often for part, often in busy), max(part for part, _ in busy)


def evenly_often(kernel: Kernel, profile: KernelProfile, settings: Settings) -> float:
    """How often each warp would do what all of them together do most often, if all did as much: loops that one thread of many goes through
    are nothing beside those of all."""
    sizes, parts = representative_sizes(profile, settings), coming_parts(kernel, profile, settings)
    most = max(
        (sizes.executions(b.fact.times, settings) * parts.get(b.fact.span, 1.0) for b in profile.branches), default=0.0
    )
    return max(most, busiest_part(kernel, profile, settings)[0], 1 / SAMPLES)


def _times(profile: KernelProfile, settings: Settings) -> list[tuple[AccessProfile, int]]:
    """The accesses of memory that other threads see, with how often a warp that comes there makes each."""
    sizes = representative_sizes(profile, settings)
    return [
        (access, sizes.executions(access.fact.times, settings))
        for access in profile.accesses
        if access.fact.space in _MEMORY
    ]


def _grid(kernel: Kernel, profile: KernelProfile, settings: Settings) -> tuple[int, ...]:
    """The blocks along each axis: what the launch says, what it is run with, or as many as usual sizes need."""
    site = next((one for one in made_launches(kernel.launches) if one.span == profile.facts.launch_span), None)
    stated = site.grid if site is not None else (None, None, None)
    if site is not None and stated.count(None) == 1 and site.profile.warps is not None:
        others = prod(extent for extent in stated if extent is not None) * -(-prod(profile.facts.block) // WARP)
        return tuple(max(1, site.profile.warps // (others or 1)) if extent is None else extent for extent in stated)
    usual = (grid_extent(axis, profile, settings) for axis in range(3))
    return tuple(one if extent is None else extent for extent, one in zip(stated, usual, strict=True))


def _values(kernel: Kernel, profile: KernelProfile, settings: Settings) -> dict[VarId, int]:
    """The parameters of which something is seen, as sizes are taken for."""
    found: dict[VarId, int] = {}
    seen = {one.name: one for one in profile.ranges}
    for number in kernel.parameters:
        name = kernel.variables[number].name
        value = settings.values.get(name, size_within(settings, seen[name]) if name in seen else None)
        if value is not None:
            found[number] = value
    return found
