"""What one request costs: sectors or wavefronts, worst, best and ideal, with the case that decides between them.

The residues of the symbols that matter are enumerated together, at most `MOST_COMBINATIONS` of them.  For each combination
the lanes are laid out so that lanes whose distance is known keep it, and lanes in different *groups* (different
coefficients of a pitch) lie far apart:

    worst   the most over the combinations: distinct groups share nothing
    best    the least, where groups may coincide (a pitch may be 0), so only the largest group's own cost is sure
    ideal   what as many distinct elements need at best, for the worst combination

Active lanes only add cost (both cost functions are monotone in the set of active lanes), so the worst over all
sub-masks of an undecided mask is the cost of all lanes that may be active.

Beyond the limit, or for lanes that go their own ways, the worst is what as many lanes can cost at all, cut down to
what the range of the addresses allows.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from math import gcd

import numpy as np
import numpy.typing as npt

from analysis_core.domains.polynomial import Monomial, congruence, monomial_range
from analysis_core.domains.shape import WARP, BoolVector, IntVector, some, some_nonzero
from analysis_core.domains.symbol import SymbolKind
from analysis_core.ir.types import Space
from analysis_core.machine import global_memory, shared_memory
from analysis_core.requests.requests import Request
from analysis_core.text.records import dataclass

MOST_COMBINATIONS = 512
_ONE_INSTRUCTION = (1, 2, 4, 8, 16)
"""Widths in bytes that a lane loads or stores at once, from an address that is a multiple of the width (CUDA programming
guide, "Size and alignment requirement")."""

_FAR = 1 << 40  # a multiple of every period: groups at this distance share no sector and no word

Layouts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ResidueCosts:
    """`costs[r]` where `monomial` is r modulo `len(costs)`: one symbol alone decides what the request costs."""

    monomial: Monomial
    costs: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RequestCost:
    """`least_apart`: the least cost over the combinations when groups share nothing; equal to `ideal` for an access
    that is only misaligned.  `layout`: the lanes of the worst combination, (32,) bytes, None if lanes are scattered.
    `exact`: worst and best are the same, or `by_residue` tells which holds.  `contention`: most lanes on one address."""

    worst: int
    best: int
    ideal: int
    least_apart: int
    exact: bool
    by_residue: ResidueCosts | None
    layout: Layouts | None
    contention: int


def period_of(space: Space) -> int:
    """Bytes after which the cost pattern repeats."""
    return shared_memory.BANKS * shared_memory.WORD_BYTES if space is Space.SHARED else global_memory.SECTOR_BYTES


def turn_of(space: Space) -> int:
    """The bytes by which all lanes may move together without changing the cost: a sector, or a word of shared memory,
    since it does not matter which bank it is in."""
    return shared_memory.WORD_BYTES if space is Space.SHARED else global_memory.SECTOR_BYTES


def request_cost(request: Request, space: Space, width: int, atomic: bool = True) -> RequestCost:
    """The cost of one request in global (sectors), shared (wavefronts) or constant memory (distinct addresses);
    contention, which takes as long to find as the rest, of atomics only."""
    if some(request.scattered):
        return _scattered(request, space, width)
    choices = _choices(request, space, width)
    return _beyond(request, space, width) if choices is None else _enumerated(request, choices, space, width, atomic)


def layouts_of(request: Request, space: Space, width: int) -> tuple[Layouts, list[BoolVector]] | None:
    """The addresses of the lanes in every combination of residues, and the groups of lanes whose distance is not
    known, so that they might coincide. None if there are too many combinations. Not for scattered lanes."""
    choices = _choices(request, space, width)
    if choices is None:
        return None
    layouts, groups = _layouts(request, choices)
    return layouts[_possible(request, layouts, width)], groups


def layouts_by_group(request: Request, space: Space, width: int) -> Iterator[tuple[BoolVector, Layouts]]:
    """For each group of lanes at a known distance from each other, their addresses at every residue that the group can
    have."""
    period = 4 if space is Space.SHARED else request.period
    grain = gcd(request.step, period, *(int(c) * p.modulus for p in request.pitches for c in p.lanes))
    shifts = tuple(range(request.shift % grain, period, grain))
    found: dict[bytes, Layouts] = {}
    for lanes in _groups(request):
        own = request.relative[lanes]
        key = (own % (_grain(request, width) or 1)).tobytes()
        if key not in found:
            found[key] = np.array(_aligned_to(own, shifts, request, width), dtype=np.int64)[:, np.newaxis]
        yield lanes, request.relative + found[key]


def _enumerated(request: Request, choices: _Choices, space: Space, width: int, atomic: bool) -> RequestCost:
    """All combinations of residues, one by one."""
    layouts, groups = _layouts(request, choices)
    apart = _costs(layouts, request.active, space, width)
    if request.pitches and request.reach is not None:
        apart = np.minimum(apart, _most(request, space, width, request.reach))
    possible = _possible(request, layouts, width)
    worst = int(apart[possible].max())
    at = int(np.where(possible, apart, 0).argmax())
    apart = np.where(possible, apart, worst)  # so that no case tells of them
    if len(groups) > 1 and _never_meet(request, groups, width):
        groups = [request.active]
    largest = apart if len(groups) == 1 else _largest_group(layouts, groups, request.active, space, width)
    best = int(largest[possible].min())
    ideal = _ideal(layouts[at], request.active, space, width)
    by_residue = _by_residue(request, choices, apart) if worst != int(apart.min()) else None
    exact = worst == best or len(groups) == 1  # each combination of residues has its one cost
    contention = _contention(layouts[at], groups) if atomic else 0
    return RequestCost(worst, best, ideal, int(apart.min()), exact, by_residue, layouts[at], contention)


# --- enumeration ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Choices:
    """For the common shift and each pitch, the residues that it can take."""

    shifts: tuple[int, ...]
    pitches: tuple[tuple[int, ...], ...]

    @property
    def count(self) -> int:
        total = len(self.shifts)
        for values in self.pitches:
            total *= len(values)
        return total


def _choices(request: Request, space: Space, width: int) -> _Choices | None:
    period = request.period
    if space is Space.SHARED and request.shift % 4 == 0 and request.step % 4 == 0:
        shifts: tuple[int, ...] = (0,)  # whole words: the conflicts stay the same
    elif space is Space.SHARED:
        step = gcd(request.step, 4)
        shifts = tuple((request.shift % 4 + step * i) % 4 for i in range(4 // step))
    elif space is Space.CONSTANT:
        shifts = (0,)
    else:
        shifts = tuple((request.shift + request.step * i) % period for i in range(period // gcd(request.step, period)))
    shifts = _aligned(request, shifts, width)
    pitches = []
    for pitch in request.pitches:
        first = pitch.lanes[request.active.argmax()]
        common = gcd(int(np.gcd.reduce(np.abs(pitch.lanes - first))), int(first))
        count = period // gcd(period, common * pitch.modulus)
        pitches.append(tuple(pitch.residue + pitch.modulus * i for i in range(count)))
    choices = _Choices(shifts, tuple(pitches))
    return choices if choices.count <= MOST_COMBINATIONS else None


def _aligned(request: Request, shifts: tuple[int, ...], width: int) -> tuple[int, ...]:
    """The shifts that leave every lane aligned to its access, which the hardware demands; all of them where none does, or
    where pitches move the lanes too (`_possible`)."""
    return shifts if request.pitches else _aligned_to(request.relative[request.active], shifts, request, width)


def _aligned_to(lanes: IntVector, shifts: tuple[int, ...], request: Request, width: int) -> tuple[int, ...]:
    """The same for some lanes' addresses, whose pitches move them together."""
    if width not in _ONE_INSTRUCTION:
        return shifts
    grain = _grain(request, width)
    kept = tuple(shift for shift in shifts if not some_nonzero((lanes + shift) % grain))
    return kept or shifts


def _grain(request: Request, width: int) -> int:
    """What lanes' addresses are a multiple of."""
    return min(width, 4) if request.period > global_memory.SECTOR_BYTES else width


def _possible(request: Request, layouts: Layouts, width: int) -> BoolVector:
    """The combinations that leave every lane aligned to its access; all of them where none does, or where that is settled before
    (`_aligned`)."""
    every_one = np.ones(len(layouts), dtype=bool)
    if not request.pitches or width not in _ONE_INSTRUCTION:
        return every_one
    possible: BoolVector = (layouts[:, request.active] % _grain(request, width) == 0).all(axis=1)
    return possible if possible.any() else every_one


def _groups(request: Request) -> list[BoolVector]:
    """The active lanes by equal coefficients of all pitches, in the order of their first lanes."""
    if not request.pitches:
        return [request.active]
    groups = [request.active]
    for pitch in request.pitches:
        groups = [
            group & (pitch.lanes == coefficient)
            for group in groups
            for coefficient in dict.fromkeys(pitch.lanes[group].tolist())
        ]
    return sorted(groups, key=lambda group: int(group.argmax()))


def _never_meet(request: Request, groups: list[BoolVector], width: int) -> bool:
    """Whether no two groups can share a sector or a word: they lie in different arrays, or their one pitch is at least as
    wide as what a row holds, and a sector more."""
    if request.wraps:
        return False
    bases = [p for p in request.pitches if len(p.monomial) == 1 and p.monomial[0].kind is SymbolKind.BASE]
    pitches = [p for p in request.pitches if p not in bases]
    firsts = [int(lanes.argmax()) for lanes in groups]
    arrays = [tuple(int(p.lanes[lane]) for p in bases) for lane in firsts]
    if len(set(arrays)) == len(groups):
        return True
    if len(pitches) != 1:
        return False
    relative = request.relative[request.active]
    row = int(relative.max() - relative.min()) + width + global_memory.SECTOR_BYTES - 1
    for array in set(arrays):
        rows = sorted(int(pitches[0].lanes[lane]) for lane, own in zip(firsts, arrays, strict=True) if own == array)
        if any((high - low) * monomial_range(pitches[0].monomial)[0] < row for low, high in pairwise(rows)):
            return False
    return True


def _layouts(request: Request, choices: _Choices) -> tuple[Layouts, list[BoolVector]]:
    """(combinations, 32) byte addresses, groups `_FAR` apart, in the order of `product(shifts, *pitches)`."""
    groups = _groups(request)
    if not choices.pitches:
        shifts = np.array(choices.shifts, dtype=np.int64)[:, np.newaxis]
        return request.relative + shifts, groups
    far = np.zeros(WARP, dtype=np.int64)
    for number, lanes in enumerate(groups):
        far[lanes] = number * _FAR
    values = np.array(list(product(choices.shifts, *choices.pitches)), dtype=np.int64)
    coefficients = np.stack([np.ones(WARP, dtype=np.int64), *(p.lanes % request.period for p in request.pitches)])
    residues = values @ coefficients % request.period
    return far + request.relative + residues, groups


def _costs(layouts: Layouts, active: BoolVector, space: Space, width: int) -> Layouts:
    return costs_of_sets(layouts, active[np.newaxis], space, width)  # one for all rows


def costs_of_sets(layouts: Layouts, active: BoolVector, space: Space, width: int) -> Layouts:
    """What each row of addresses costs with the row of lanes that are active."""
    match space:
        case Space.SHARED:
            return shared_memory.wavefronts_many(layouts, np.broadcast_to(active, layouts.shape), width)
        case Space.CONSTANT:
            return global_memory.distinct_addresses_many(layouts, active)
        case _:
            return global_memory.sectors_many(layouts, active, width)


def _largest_group(layouts: Layouts, groups: list[BoolVector], active: BoolVector, space: Space, width: int) -> Layouts:
    """Per combination, what the group with the most lanes costs by itself: all others may coincide with it."""
    largest = groups[0] if len(groups) == 1 else max(groups, key=np.count_nonzero)
    return _costs(layouts, largest & active, space, width)


def _ideal(layout: Layouts, active: BoolVector, space: Space, width: int) -> int:
    distinct = global_memory.distinct_addresses(layout, active)
    match space:
        case Space.SHARED:
            return shared_memory.ideal_wavefronts(active, width, distinct)
        case Space.CONSTANT:
            return 1
        case _:
            return global_memory.ideal_sectors(distinct, width)


def _contention(layout: Layouts, groups: list[BoolVector]) -> int:
    """The most lanes on one address: groups may coincide (a pitch may be 0)."""
    return sum(global_memory.contention(layout, lanes) for lanes in groups)


# --- cases ------------------------------------------------------------------------------------------------------


def _by_residue(request: Request, choices: _Choices, costs: Layouts) -> ResidueCosts | None:
    """The cost as a function of one symbol's residue, if no other symbol matters."""
    varying = [i for i, values in enumerate((choices.shifts, *choices.pitches)) if len(values) > 1]
    if len(varying) != 1:
        return None
    most = int(costs.max())
    values = (choices.shifts, *choices.pitches)[varying[0]]
    if varying[0] > 0:
        pitch = request.pitches[varying[0] - 1]
        modulus = len(values) * pitch.modulus
        known = {v % modulus: int(cost) for v, cost in zip(values, costs, strict=True)}
        return ResidueCosts(pitch.monomial, tuple(known.get(r, most) for r in range(modulus)))
    if len(request.shift_terms) != 1:
        return None
    monomial, scale = request.shift_terms[0]
    modulus, start = congruence(monomial)
    period = shared_memory.WORD_BYTES if request.period > global_memory.SECTOR_BYTES else request.period
    by_shift = {v % period: int(cost) for v, cost in zip(values, costs, strict=True)}
    size = period // gcd(period, scale)
    shifts = [(request.shift + scale * (r - start)) % period for r in range(size)]
    return ResidueCosts(monomial, tuple(by_shift.get(shift, most) for shift in shifts))


# --- what cannot be enumerated ----------------------------------------------------------------------------------


def sectors_per_lane(request: Request, width: int) -> int:
    """The most sectors that one lane's element touches: 1 if it is aligned to its size, else one more. Widths that one
    instruction moves are aligned unless it is known that they are not."""
    grain = gcd(request.grain, request.period)
    if width in _ONE_INSTRUCTION:
        grain = gcd(grain, width)
        return 2 if some_nonzero((request.relative + request.shift)[request.active] % grain) else 1
    aligned = grain % min(width, 32) == 0 and request.shift % min(width, 32) == 0
    aligned = aligned and not some_nonzero(request.relative % min(width, 32))
    return -(-width // 32) if aligned else (width + 30) // 32 + 1


def _most(request: Request, space: Space, width: int, reach: int | None) -> int:
    """What the active lanes can cost at most, anywhere within `reach` bytes."""
    lanes = int(request.active.sum())
    if space is Space.CONSTANT:
        return lanes if reach is None else min(lanes, reach)
    if space is Space.SHARED:
        far = np.arange(WARP, dtype=np.int64)[np.newaxis] * _FAR + _banks_of_lanes(request, width)
        most = int(_costs(far, request.active, space, width).max())
        if width < 4 and _crosses_words(request, width):
            most *= 2
        if reach is None:
            return most
        word = shared_memory.WORD_BYTES
        begin = word - 1 if request.reach_from is None else request.reach_from % word
        words = ((begin if width % word else 0) + reach - 1) // word + 1
        groups = shared_memory.ideal_wavefronts(request.active, width, lanes)
        return min(most, groups * -(-words // shared_memory.BANKS))
    most = lanes * sectors_per_lane(request, width)
    if reach is None:
        return most
    begin = 31 if request.reach_from is None else request.reach_from % 32
    return min(most, (begin + reach - 1) // 32 + 1)


def _banks_of_lanes(request: Request, width: int) -> Layouts:
    """(offsets, 32) bytes that tell the lanes' banks as far as they are known, whatever row each lane is in: lanes that may meet in a bank
    are given the same.

    What the lanes' own symbols add is a multiple of `rows` bytes, so a lane's place modulo that is known: lanes of other places have
    other banks, and those of one place may all have one.  Where words begin is not known of bytes."""
    turn = gcd(request.rows, request.period)
    begins = sorted({(request.shift + request.step * i) % shared_memory.WORD_BYTES for i in range(4)})
    places = request.relative + np.array(begins, dtype=np.int64)[:, np.newaxis]
    if request.pitches or (turn < request.period and turn <= width):
        return np.zeros((1, WARP), dtype=np.int64)
    if turn == request.period:
        return places
    places %= turn
    # An element that lies across two places would meet the lanes of both.
    return places if not some_nonzero(places[:, request.active] % width) else np.zeros((1, WARP), dtype=np.int64)


def _crosses_words(request: Request, width: int) -> bool:
    return bool(gcd(request.grain, 4) % width) or bool(request.shift % width)


def _least(request: Request, space: Space, width: int) -> int:
    """All lanes on one address: the least that they can cost."""
    together = np.zeros(WARP, dtype=np.int64)
    return int(_costs(together[np.newaxis], request.active, space, width)[0])


def _scattered(request: Request, space: Space, width: int) -> RequestCost:
    worst = _most(request, space, width, request.reach)
    worst = worst if request.most is None else min(worst, request.most)
    best = min(worst, _least(request, space, width))
    lanes = int(request.active.sum())
    spread = np.arange(WARP, dtype=np.int64) * max(width, 1)
    ideal = min(worst, _ideal(spread, request.active, space, width))
    return RequestCost(worst, best, ideal, best, worst == best, None, None, lanes)


def _beyond(request: Request, space: Space, width: int) -> RequestCost:
    """Too many combinations: each group by itself at its own worst residue, and nothing shared."""
    worst = 0
    best = 0
    known: dict[tuple[bytes, bytes], tuple[int, int]] = {}  # groups of one lane are mostly alike
    for lanes, layouts in layouts_by_group(request, space, width):
        key = layouts[:, lanes].tobytes(), b"" if lanes.sum() == 1 else lanes.tobytes()
        if key not in known:
            costs = _costs(layouts, lanes, space, width)
            known[key] = int(costs.max()), int(costs.min())
        worst += known[key][0]
        best = max(best, known[key][1])
    worst = min(worst, _most(request, space, width, None))
    spread = np.arange(WARP, dtype=np.int64) * max(width, 1)
    ideal = min(worst, _ideal(spread, request.active, space, width))
    return RequestCost(worst, best, ideal, best, worst == best, None, None, int(request.active.sum()))
