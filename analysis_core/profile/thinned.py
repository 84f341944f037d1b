"""What is left of the cost of a request where each of its lanes takes part with some probability, independently of the others.

Where either of two elements may be the greater one, half of the lanes of a warp exchange them (`profile/idioms/either_orders`): the warp makes its request,
of those lanes.  With p the probability of a lane:

- A sector that n lanes share is moved if one of them takes part, with the probability 1 - (1 - p)^n.  Eight lanes to a sector: hardly any
  sector is spared.  One lane to a sector: half of them are.
- A conflict of w ways on b banks, each word asked for by n lanes, costs as many wavefronts as the fullest bank has words left, of which each
  stays with the probability 1 - (1 - p)^n.  Two ways on 16 banks: one of the 16 pairs stays nearly always.
"""

from __future__ import annotations

from collections import Counter

from analysis_core.ir.types import Space
from analysis_core.machine.sizes import WARP
from analysis_core.profile.access_profile import AccessProfile
from analysis_core.profile.random_words import groups, most_picked


def part_left(access: AccessProfile) -> float:
    """The part (0 to 1) of the cost of its requests that an access keeps below the conditions that thin out its lanes."""
    if not access.frequency.thinned or access.fact.worst <= 0:
        return 1.0
    chance = 1 / (1 << access.frequency.thinned)
    lanes = _lanes(access)
    if access.fact.space is Space.SHARED:
        return _of_wavefronts(access, chance, lanes)
    if not lanes:
        return _some(chance, WARP / access.fact.worst)
    return sum(_some(chance, count) for count in lanes) / len(lanes)


def _some(chance: float, lanes: float) -> float:
    """How likely it is that one of so many lanes takes part."""
    return 1.0 - float((1 - chance) ** max(1.0, lanes))


def _lanes(access: AccessProfile) -> list[int]:
    """How many lanes of the dearest request are at each sector or bank; nothing where that is not known."""
    groups_of_lanes = () if access.fact.picture is None else access.fact.picture.group
    return list(Counter(group for group in groups_of_lanes if group is not None).values())


def _of_wavefronts(access: AccessProfile, chance: float, lanes: list[int]) -> float:
    """The same of shared memory.  A request of wide elements is served in groups of lanes, each of which keeps its part."""
    turns = groups(access.fact.bytes)
    ways = max(1, access.fact.worst // turns)
    in_turn = (sum(lanes) or WARP) / turns
    banks = max(1, min(len(lanes) or WARP, round(in_turn / ways)))
    return min(1.0, most_picked(_some(chance, in_turn / (banks * ways)), ways * banks, banks) / ways)
