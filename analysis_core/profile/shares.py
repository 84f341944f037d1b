"""Shares: which part of a kernel's cost an access or a branch has, at representative sizes (docs/decisions/16-shares-at-seen-sizes.md).

A symbolic cost has no size of its own, so findings are ranked at stated sizes: integer parameters and unseen constants
1024 where nothing is seen of them (`program/size_ranges.py`), iterations of data-dependent loops and what the host counts 32, the grid
as many blocks as cover 1024 threads along each axis (all configurable; `--set` values win).  Messages say which sizes were used.  An
access whose number of executions is unknown counts as one in a data-dependent loop.  Of tests of which a run takes one side, a share is that
of a run that takes the side it is on (`run_totals`).

Costs are those of all warps of a block: what one warp of many does is a small part of what a kernel pays.  Where memory decides they
are what may be expected and not the worst: an access below conditions that data decides counts half for each of them
(`profile/branch_probability.py`), and lanes that pick words of shared memory pick them at random (`random_words`).

How often a loop runs that data or the host decides is a guess, and a share that only this guess makes is no evidence: rules ask that it
also holds where such loops run `FEW_ROUNDS` times (`Weights.least_shares`), and where a grid that is not stated has as many times fewer blocks
than would cover everything, so that loops over the grid have rounds; and that it holds where sizes are many times as large, for work as
large as gives each thread of a grid that is the same for all sizes its thousand rounds.  A share of
accesses also has to hold where a loop that ends at one count in memory runs as often as sizes say, and where one of several sizes is small.
A loop that waits for other threads (`profile/idioms/waits.py`) runs once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import prod

from analysis_core.expressions.conditions import holds
from analysis_core.expressions.expression import Expression, safe_name, symbol, symbols
from analysis_core.ir.choices import Sides
from analysis_core.ir.launch_site import is_assumed
from analysis_core.ir.types import Space
from analysis_core.machine.sizes import BANKS, SECTOR_BYTES, WARP, WORD_BYTES
from analysis_core.profile.access_profile import AccessProfile, BranchProfile, KernelProfile
from analysis_core.profile.line_shares import cost_of_branch, value_at
from analysis_core.profile.random_words import expected_wavefronts, groups
from analysis_core.profile.run_totals import RunTotals, exclude
from analysis_core.profile.sizes import (
    Guess,
    Sizes,
    grid_extent,
    kind_by_name,
    other_sizes,
    representative_sizes,
    seen_names,
    sizes_asked,
    symbol_infos,
)
from analysis_core.support.derived import derived
from analysis_core.support.settings import Settings
from analysis_core.text.records import dataclass

_MOST_SIZES = 6
"""Sizes that are made smaller in turn."""


def _free_sizes(profile: KernelProfile, sizes: Sizes, settings: Settings) -> tuple[str, ...]:
    """The sizes that nothing is known of and that say how often accesses are made, where there are several."""
    infos = symbol_infos(profile.facts)
    times = dict.fromkeys(access.fact.times for access in profile.accesses if access.fact.times is not None)
    asked = dict.fromkeys(name for one in times for name in symbols(one))
    known = seen_names(profile) | settings.values.keys()
    usual = (name for name in asked if sizes.values.get(name) == settings.representative_size and name not in known)
    kinds = {name: infos[name].kind if name in infos else kind_by_name(name) for name in usual}
    free = sorted(name for name, kind in kinds.items() if kind == "parameter")
    return tuple(free[:_MOST_SIZES]) if len(free) > 1 else ()


def costs_at(profile: KernelProfile, sizes: Sizes, settings: Settings) -> tuple[float, ...]:
    """What a block pays for each access at these sizes."""
    return tuple(cost_of_block(access, profile, sizes, settings) for access in profile.accesses)


def shares_at(profile: KernelProfile, sizes: Sizes, settings: Settings) -> tuple[float, ...]:
    """The part of all accesses to the same memory that each access is at these sizes."""
    return _weighed_accesses(profile, sizes, settings)[1]


@dataclass(frozen=True, slots=True)
class Weights:
    """Costs at representative sizes: per access (what the warps of a block pay) and per branch (executions of a warp),
    beside the facts they belong to, and what part of the kernel's total each is.  `least_shares`: of accesses, at most what
    it is where loops of unknown length have few rounds.  `totals`: of all accesses to a space."""

    sizes: Sizes
    accesses: tuple[float, ...]
    branches: tuple[int, ...]
    access_shares: tuple[float, ...]
    branch_shares: tuple[float, ...]
    least_shares: tuple[float, ...]
    totals: Mapping[Space, float]


@derived
def weigh(profile: KernelProfile, settings: Settings) -> Weights:
    """All costs of a kernel at representative sizes.

    An access has its share of the accesses to the same memory space (sectors and wavefronts are different metrics), a
    branch its share of the splits: executions times the part of them at which a warp splits or may split."""
    sizes = representative_sizes(profile, settings)
    costs, shares, totals = _weighed_accesses(profile, sizes, settings)
    executions = tuple(_executions(branch, sizes, settings) for branch in profile.branches)
    splits = tuple(_splits(b, profile, sizes, times) for times, b in zip(executions, profile.branches, strict=True))
    all_splits = sum(splits)
    least = shares
    for guess in _guesses(profile, sizes, settings):
        other, changed = other_sizes(profile, settings, guess)
        if other != sizes:
            least = tuple(map(min, least, _weighed_accesses(profile, other, changed)[1]))
    parts = tuple(_ratio(split, all_splits) for split in splits)
    return Weights(sizes, costs, executions, shares, parts, least, totals)


def _guesses(profile: KernelProfile, sizes: Sizes, settings: Settings) -> Iterator[Guess]:
    """What a share has to hold by; nothing where no access costs more than it has to, and nobody asks."""
    if all(access.fact.worst <= access.fact.ideal for access in profile.accesses):
        return
    yield from (Guess(few=True), Guess(blocks=True), Guess(long=True))
    if not is_assumed(profile.facts.source):  # Else nobody knows what of a large size is the block's.
        yield Guess(large=True, blocks=True)
    yield from (Guess(small=name) for name in _free_sizes(profile, sizes, settings))


def _weighed_accesses(
    profile: KernelProfile, sizes: Sizes, settings: Settings
) -> tuple[tuple[float, ...], tuple[float, ...], Mapping[Space, float]]:
    """What a block pays for each access at these sizes, its share of all accesses to that space, and what these pay."""
    costs = costs_at(profile, sizes, settings)
    totals: dict[Space, float] = {}
    paid: dict[Space, list[tuple[Sides, float]]] = {}
    for access, cost in zip(profile.accesses, costs):
        memory = Space.GLOBAL if access.traffic.likely else access.fact.space
        totals[memory] = totals.get(memory, 0) + cost
        paid.setdefault(memory, []).append((access.frequency.sides, cost))
    runs = {memory: RunTotals.of(each) for memory, each in paid.items()}
    shares = tuple(
        0.0
        if access.traffic.likely and access.fact.space is not Space.GLOBAL
        else _ratio(cost, runs[access.fact.space].at(access.frequency.sides))
        for access, cost in zip(profile.accesses, costs)
    )
    return costs, shares, totals


def cost_of_block(access: AccessProfile, profile: KernelProfile, sizes: Sizes, settings: Settings) -> float:
    """What the warps of a block may be expected to pay for an access at these sizes, on average over the blocks along an axis of which one executes it."""
    if access.fact.worst == 0 and not access.traffic.likely:
        return 0.0
    if access.frequency.one_block is not None:
        one = replace(access, frequency=replace(access.frequency, one_block=None))
        return cost_of_block(one, profile, sizes, settings) / grid_extent(access.frequency.one_block, profile, settings)
    requests = None if access.fact.block.executed is None else sizes.at(access.fact.block.executed)
    paid = None if access.fact.block.total is None else sizes.at(access.fact.block.total)
    if requests is None or paid is None:
        requests = (
            access.fact.requests * sizes.executions(access.fact.times, settings) * -(-prod(profile.facts.block) // WARP)
        )
        paid = access.fact.worst * requests
    if access.traffic.likely:
        return access.traffic.likely * requests / (1 << access.frequency.rarity)
    each = request_cost(access, sizes) if access.expected.usual is None else access.each
    likelier = (one for one in (expected_wavefronts(access), access.expected.inside) if one is not None)
    expected = min(paid, *(one * requests for one in (each, *likelier)))
    return expected / (1 << access.frequency.rarity + access.frequency.alternatives)


def requests_of_block(access: AccessProfile, profile: KernelProfile, sizes: Sizes, settings: Settings) -> float:
    """How many requests the warps of a block may be expected to make for an access at these sizes."""
    return cost_of_block(replace(access, traffic=replace(access.traffic, likely=1)), profile, sizes, settings)


def _splits(branch: BranchProfile, profile: KernelProfile, sizes: Sizes, executions: int) -> float:
    """How often a warp splits at a branch at these sizes: by the bounds, else its tests times the part that splits."""
    bound = cost_of_branch(profile.facts, branch.fact)
    value = None if bound is None else value_at(bound, sizes.values)
    return (executions * splitting_part(branch) if value is None else value) / (1 << branch.rarity)


def request_cost(access: AccessProfile, sizes: Sizes) -> int:
    """The cost of one request at these sizes: that of the first case that holds, what lanes can be apart, else `worst`."""
    if access.fact.variation.spread is not None:
        return _cost_of_spread(access, access.fact.variation.spread, sizes)
    if not access.fact.cases:  # of thousands of accesses, each of which would spell all names
        return access.fact.worst
    values = {safe_name(name): value for name, value in sizes.values.items()}
    return next((case.cost for case in access.fact.cases if holds(case.when, values)), access.fact.worst)


def _cost_of_spread(access: AccessProfile, spread: Expression, sizes: Sizes) -> int:
    """What a request costs whose lanes are no further apart than that: from the last byte of a sector on; in whole words."""
    apart = value_at(spread, sizes.values)
    if apart is None:
        return access.fact.worst
    if access.fact.space is Space.SHARED:
        words = -(-(apart + WORD_BYTES - 1) // WORD_BYTES)
        return min(access.fact.worst, int(groups(access.fact.bytes) * -(-words // BANKS)))
    return min(access.fact.worst, int((apart + SECTOR_BYTES - 2) // SECTOR_BYTES) + 1)


def access_times(profile: KernelProfile, like: AccessProfile) -> tuple[Expression | None, ...]:
    """What the share of `like` rests on: how often all accesses with the same metric happen, and the symbols that
    their cases ask for."""
    together = (access for access in profile.accesses if _are_weighed_together(access, like))
    fellows = [access for access in together if not exclude(access.frequency.sides, like.frequency.sides)]
    asked = sorted(sizes_asked(fellows, symbol_infos(profile.facts)))
    return (*(access.fact.times for access in fellows), *(symbol(name) for name in asked))


def _are_weighed_together(access: AccessProfile, like: AccessProfile) -> bool:
    return access.fact.space is like.fact.space or (like.fact.space is Space.GLOBAL and access.traffic.likely > 0)


def moved(profile: KernelProfile) -> str:
    """The name of the total that shares of global memory are parts of: "global traffic", "global and local traffic"."""
    return (
        "global and local traffic"
        if any(a.traffic.likely and a.fact.space is Space.LOCAL for a in profile.accesses)
        else "global traffic"
    )


def total_named(profile: KernelProfile, space: Space) -> str:
    """The name of the total that shares of a memory are parts of."""
    return moved(profile) if space is Space.GLOBAL else "shared-memory traffic"


def splitting_part(branch: BranchProfile) -> float:
    """The part (0 to 1) of a branch's tests at which the warp splits or is not known not to; 1 if nothing is known."""
    runs = branch.fact.runs
    return 1.0 if runs is None or runs.tests == 0 else min(1.0, runs.splitting / runs.tests)


def _executions(branch: BranchProfile, sizes: Sizes, settings: Settings) -> int:
    if branch.fact.divergence.value == "never":
        return 0
    return sizes.executions(branch.fact.times, settings)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0
