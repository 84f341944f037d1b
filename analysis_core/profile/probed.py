"""What a request may be expected to cost in a search that all lanes begin at one place (profile/idioms/probes.py).

A search among n elements takes ceil(log2 n) rounds.  In round d, from 0 on, it looks at one of p = min(2^d, n) places, which lie
n / p elements apart.  Each is a sector of its own until they are so near to each other that they share sectors, of which the array has n * pitch / 32.
Of p places, or so many sectors, of which each of 32 lanes with random keys is as likely at any,

    p * (1 - (1 - 1/p)^32)

are met, and a request costs the mean over the rounds: of 1024 floats 16.0 sectors, of a million 24.2.  What is found at a place and leads
elsewhere is a sector for each place that is met.

Where neighbours look for neighbours (profile/idioms/search_keys.py), the keys of a warp lie among s elements: 32, if both lists are as dense.  Of the places
1 + (s - 1) * p / n are near these, in no more than 1 + s * pitch / 32 sectors: lanes stay together until what is left is as short as that.

What such a search found rises from lane to lane: places that are made of it, and of the lane's number, lie among as many elements as these add up to.

Lanes that go on step by step, each from a place of its own (profile/steered.py), are anywhere among as many elements as lie between these places.

In shared memory the p places lie, for an n that is a power of two, in few banks in the first rounds: of 128 words the second round looks at
two words of one bank, the third at four.  For other n they lie in any.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from analysis_core.ir.types import Space
from analysis_core.machine.sizes import BANKS, SECTOR_BYTES, WORD_BYTES
from analysis_core.profile.access_profile import AccessProfile, Found, KernelProfile, Searched
from analysis_core.profile.line_shares import value_at
from analysis_core.profile.random_words import fullest_bank, groups
from analysis_core.profile.sizes import Sizes, representative_sizes, rounds_among
from analysis_core.support.settings import Settings


def with_expected(profile: KernelProfile, settings: Settings) -> KernelProfile:
    """The profile in which requests of searches have the cost that they have on average."""
    if all(access.expected.searched is None for access in profile.accesses):
        return profile
    sizes = representative_sizes(profile, settings)
    return replace(profile, accesses=tuple(_expected(access, sizes, settings) for access in profile.accesses))


def _expected(access: AccessProfile, sizes: Sizes, settings: Settings) -> AccessProfile:
    cost = expected_cost(access, sizes, settings)
    return access if cost is None else replace(access, expected=replace(access.expected, usual=cost))


def expected_cost(access: AccessProfile, sizes: Sizes, settings: Settings) -> float | None:
    """The sectors or wavefronts of a request on average; None of accesses that are in no such search."""
    found = access.expected.searched
    if found is None or access.fact.open is None:
        return None
    if isinstance(found, Found):
        return min(access.fact.worst, _within(access, found, sum(access.fact.open.active)))
    elements, lanes = _elements(found, sizes, settings), sum(access.fact.open.active)
    if access.fact.space is Space.SHARED:
        return min(access.fact.worst, mean_wavefronts(found, elements, lanes, access.fact.bytes))
    return min(access.fact.worst, mean_sectors(found, elements, lanes))


def mean_sectors(found: Searched, elements: int, lanes: int) -> float:
    """The sectors of a request on average over the rounds of a search among so many elements."""
    return _mean([_sectors(found, places, elements, lanes) for places in _places(elements)])


def mean_wavefronts(found: Searched, elements: int, lanes: int, width: int) -> float:
    """The wavefronts of a request on average over the rounds of a search among so many elements of `width` bytes."""
    return _mean([_wavefronts(found, places, elements, lanes, width) for places in _places(elements)])


def _places(elements: int) -> Iterator[int]:
    """In how many places lanes may be, round by round."""
    return (min(1 << depth, elements) for depth in range(rounds_among(elements)))


def _mean(each: Sequence[float]) -> float:
    return sum(each) / len(each)


def _within(access: AccessProfile, found: Found, lanes: int) -> float:
    """What a request costs whose lanes lie all over so many bytes."""
    if access.fact.space is not Space.SHARED:
        return 1 + found.reach / SECTOR_BYTES
    turns, width = groups(access.fact.bytes), max(WORD_BYTES, access.fact.bytes)
    if found.stepped:
        words = max(1, found.reach // width // turns)
        return turns * fullest_bank(-(-lanes // turns), words, BANKS * WORD_BYTES // width)
    return max(turns, found.reach / (BANKS * WORD_BYTES))


def _elements(found: Searched, sizes: Sizes, settings: Settings) -> int:
    """How many elements are searched: as many as a size says, or as can be told apart in the rounds that are made."""
    if found.rounds is not None:
        return 1 << max(0, found.rounds - 1)
    size = None if found.extent is None else value_at(found.extent, sizes.values)
    return max(1, settings.representative_size if size is None else size)


def _sectors(found: Searched, places: int, elements: int, lanes: int) -> float:
    """The sectors of a request in a round of so many places."""
    near = _near(found, places, elements)
    met = _met(near, lanes)
    if found.pitch is None:
        return met
    met = min(met, _met(max(1, elements * found.pitch / SECTOR_BYTES), lanes))
    return met if found.span is None else min(met, 1 + found.span * found.pitch / SECTOR_BYTES)


def _near(found: Searched, places: int, elements: int) -> float:
    """At how many of the places lanes may be that look for what is among a few elements."""
    return places if found.span is None else min(places, 1 + (found.span - 1) * places / elements)


def _met(places: float, lanes: int) -> float:
    """How many of the places some lane is at, if each is as likely at any."""
    return places * (1 - (1 - 1 / places) ** lanes)


def _wavefronts(found: Searched, places: int, elements: int, lanes: int, width: int) -> float:
    """The wavefronts of a request in a round of so many places."""
    turns = groups(width)
    banks = BANKS * WORD_BYTES // max(WORD_BYTES, width)
    apart = elements // places
    used = max(1, banks // apart) if elements & (elements - 1) == 0 else banks
    met = fullest_bank(-(-lanes // turns), places, used)
    if found.span is not None:
        met = min(met, max(1.0, _near(found, places, elements) / used))
    return turns * met
