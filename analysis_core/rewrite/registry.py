"""All refactorings, in the order in which `warpcost refactor --list` and menus have those of equal gain."""

from __future__ import annotations

from analysis_core.rewrite.actions import (
    fuse,
    grid_stride,
    hoist,
    linearise,
    linearise_columns,
    merge,
    padding,
    prefetch_register,
    prefetch_shared,
    sequential_addressing,
    shuffle_reduction,
    soa,
    swap_axes,
    swizzle,
    tile_inter,
    tile_intra,
    tile_shared,
    transpose_tile,
    unroll,
    vectorise,
)
from analysis_core.rewrite.core.action import Action

ACTIONS: tuple[Action, ...] = (
    unroll.ACTION,
    tile_intra.ACTION,
    tile_inter.ACTION,
    grid_stride.ACTION,
    merge.ACTION,
    prefetch_register.ACTION,
    hoist.ACTION,
    tile_shared.ACTION,
    prefetch_shared.ACTION,
    transpose_tile.ACTION,
    padding.ACTION,
    swizzle.ACTION,
    soa.ACTION,
    swap_axes.ACTION,
    linearise_columns.ACTION,
    linearise.ACTION,
    sequential_addressing.ACTION,
    shuffle_reduction.ACTION,
    vectorise.ACTION,
    fuse.ACTION,
)


def action_named(name: str) -> Action | None:
    return next((one for one in ACTIONS if one.name == name), None)
