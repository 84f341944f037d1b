"""Representative sizes: what values symbols are taken to have where somebody has to weigh one cost against another.

A symbolic cost has no size of its own, so findings are ranked at stated sizes: integer parameters and unseen constants 1024 where nothing is seen of
them (`program/size_ranges.py`), iterations of data-dependent loops and what the host counts 32, the grid as many blocks as cover 1024 threads
along each axis (all configurable; `--set` values win).  A loop that waits for other threads (`profile/idioms/waits.py`) runs once.

How often a loop runs that data or the host decides is a guess (`Guess`): figures that only one guess makes are asked at others, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod

from analysis_core.bounds.bounds_walk import expressions
from analysis_core.expressions.conditions import names
from analysis_core.expressions.expression import Expression, Integer, Product, fold, safe_name, symbols
from analysis_core.ir.launch_site import SizeRange
from analysis_core.profile.access_profile import AccessProfile, KernelProfile
from analysis_core.profile.evidence import Estimate
from analysis_core.profile.line_shares import value_at
from analysis_core.profile.whole_loops import with_rests
from analysis_core.requests.facts import Divergence, KernelFacts, SymbolInfo
from analysis_core.support.derived import derived
from analysis_core.support.settings import Settings
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

FEW_ROUNDS = 4
"""Iterations of a loop of unknown length that has hardly any: degrees in a tree, records of a bucket, retries."""

MANY_TIMES = 16
"""How much larger than the representative size data may well be, where it says nothing: what runs once for each part of it that a block
takes has hardly any rounds at the representative size."""

_LARGEST = 1 << 24
"""A size that data has without anybody wondering: an image of 4096 rows and columns."""

_COUNT = re.compile(r"`[^`\[\]]*(\[\d+\][^`\[\]]*)*` is loaded from memory")
"""Of all that a loop may rest on, one number: `p->count`, `n[0]`."""

_TRIP = re.compile(r"T(\d+)([a-z]\d*)?")
"""What the iterations of a loop are called once lines are known: `T17`, and `T17b` of the second loop on that line."""

_MOST_SIZES = 4
"""Sizes that are named behind a number."""


@dataclass(frozen=True, slots=True)
class Guess:
    """Another guess about sizes of which nothing is known. `few`: loops of unknown length have few rounds, except
    those that were executed one by one and these (`many`: whole statements). `large`: sizes are large. `blocks`: there
    are fewer blocks, so that loops over the grid have rounds. `long`: counts in memory are as large as sizes. `small`:
    this one of several unrelated sizes is small."""

    few: bool = False
    many: frozenset[Span] = frozenset()
    large: bool = False
    blocks: bool = False
    long: bool = False
    small: str = ""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Representative values by symbol name, as they occur in expressions.  `cut`: the loops of which fewer rounds are taken to be made than
    were executed one by one, but those that may wait for other threads."""

    values: Mapping[str, int]
    cut: frozenset[str] = frozenset()

    @staticmethod
    def of(profile: KernelProfile, values: Mapping[str, int]) -> Sizes:
        """The sizes for a kernel, with these values."""
        trips = (info for info in profile.facts.symbols if info.kind == "trip" and info.span not in profile.waits)
        return Sizes(values, frozenset(info.source for info in trips if values.get(info.source, info.done) < info.done))

    def at(self, expression: Expression) -> int | None:
        """The value of a count at these sizes, at least 0; None where it has none."""
        whole = with_rests(expression, self.cut, in_full=False) if self.cut else expression
        return value_at(whole, self.values)

    def executions(self, times: Expression | None, settings: Settings) -> int:
        """How often something runs per warp at these sizes, at least 0; `representative_trips` if that is unknown or
        has no value there (a division by zero)."""
        value = None if times is None else self.at(times)
        return settings.representative_trips if value is None else value


@derived
def representative_sizes(profile: KernelProfile, settings: Settings) -> Sizes:
    """A value for every symbol of the facts' expressions, in the order in which the facts list them."""
    infos = symbol_infos(profile.facts)
    values: dict[str, int] = {}
    free: dict[str, None] = {}
    order = {info.source: number for number, info in enumerate(profile.facts.symbols)}
    for name in sorted(_symbols_of(profile), key=lambda name: (order.get(name, len(order)), name)):
        info = infos.get(name)
        kind = info.kind if info is not None else kind_by_name(name)
        spellings = [name, safe_name(name)] + ([info.source] if info is not None else [])
        chosen = next((settings.values[s] for s in spellings if s in settings.values), None)
        values[name] = chosen if chosen is not None else _size(name, kind, profile, settings)
        if chosen is None and kind == "parameter" and values[name] == settings.representative_size:
            free[name] = None
    for name, extent in ((name, extent) for name, one in profile.trips.items() for extent in one.halves):
        elements = None if extent is None else value_at(extent, values)
        if name in values and name not in settings.values:
            most = rounds_among(settings.representative_size if elements is None else elements)
            values[name] = min(values[name], most)
    return Sizes.of(profile, _apart(values, [name for name in free if name not in seen_names(profile)], profile))


def rounds_among(elements: int) -> int:
    """How many rounds a search among so many elements makes if each halves what is left; a last round that few lanes
    make is not counted."""
    return max(1, (elements - 1).bit_length())


def seen_names(profile: KernelProfile) -> frozenset[str]:
    return frozenset(name for one in profile.ranges for name in (one.name, safe_name(one.name)))


_MOST_LOOPS = 256

_SMALLER = 32


def _apart(values: dict[str, int], free: Sequence[str], profile: KernelProfile) -> dict[str, int]:
    """The values, with those made smaller which only empty loops because others are the same: `for (i = k; i < n; i++)` is there to run.

    `free`: the names of sizes that nobody knows anything of.  A loop from one to another of them is empty at any one value of both."""
    loops = _rounds(profile, frozenset(free)) if len(free) > 1 else ()
    while empty := [one for one in loops if _is_empty(one, values, 1) and _is_empty(one, values, 2)]:
        asked = sorted({name for one in empty for name in symbols(one)} & set(free))
        less = {name: {**values, name: max(1, values[name] // _SMALLER)} for name in asked}
        left = {name: sum(_is_empty(one, less[name], 1) for one in loops) for name in asked}
        best = min(asked, key=lambda name: left[name])
        if left[best] >= sum(_is_empty(one, values, 1) for one in loops):
            break
        values, free = less[best], [name for name in free if name != best]
    return values


def _rounds(profile: KernelProfile, free: frozenset[str]) -> tuple[Expression, ...]:
    """How often things run that two sizes or more decide."""
    times = [access.fact.times for access in profile.accesses] + [branch.fact.times for branch in profile.branches]
    distinct = dict.fromkeys(one for one in times if one is not None and len(free & frozenset(symbols(one))) > 1)
    return tuple(distinct)[:_MOST_LOOPS]


def _is_empty(times: Expression, values: Mapping[str, int], scale: int) -> bool:
    """Whether something never runs where all sizes are so many times as large; or runs once, because one takes away what another gives."""
    value = value_at(times, {name: scale * value for name, value in values.items()})
    return value is not None and value <= _is_difference(times)


def _is_difference(times: Expression) -> bool:
    """Whether something is subtracted in it: `n - m + 1` rounds."""
    return fold(times, lambda node, below: any(below) or _is_taken_away(node))


def _is_taken_away(term: Expression) -> bool:
    factor = term.factors[0] if isinstance(term, Product) else None
    return isinstance(factor, Integer) and factor.value < 0


def other_sizes(profile: KernelProfile, settings: Settings, guess: Guess) -> tuple[Sizes, Settings]:
    """The sizes under another guess, and the settings that go with them."""
    trips = min(FEW_ROUNDS, settings.representative_trips) if guess.few else settings.representative_trips
    size = settings.representative_size * (MANY_TIMES if guess.large else 1)
    if guess.large and not guess.blocks:
        size = max(size, min(_LARGEST, _threads_stated(profile) * settings.representative_size))
    changed = replace(settings, representative_trips=trips, representative_size=size)
    values = dict(representative_sizes(profile, changed).values)
    for info in profile.facts.symbols:
        if info.kind == "trip" and values.get(info.source) == trips:
            more = settings.representative_trips if info.span in guess.many else trips + info.done
            values[info.source] = min(more, settings.representative_trips)
    if guess.blocks:
        fewer = MANY_TIMES if guess.large else FEW_ROUNDS
        values.update((name, max(1, values[name] // fewer)) for name in _guessed_extents(profile, settings))
    if guess.long:
        values.update((name, settings.representative_size) for name in _shared_rounds(profile, settings, values))
    if guess.small:
        values[guess.small] = max(1, values[guess.small] // _SMALLER)
    return Sizes.of(profile, values), changed


def _threads_stated(profile: KernelProfile) -> int:
    """The threads of several blocks whose number is the same for all sizes: whoever chose it expects many rounds over them.  0 of
    others; one block is what small data gets."""
    if profile.facts.grid is None or not all(one.isdigit() for one in profile.facts.grid):
        return 0
    blocks = prod(map(int, profile.facts.grid))
    return blocks * prod(profile.facts.block) if blocks > 1 else 0


def _shared_rounds(profile: KernelProfile, settings: Settings, values: Mapping[str, int]) -> Iterator[str]:
    """The lengths of loops that end at one count in memory for the whole grid, which might as well be a parameter."""
    counted = {
        b.fact.whole
        for b in profile.branches
        if b.fact.divergence is Divergence.NEVER
        and b.fact.why.cause is not None
        and _COUNT.match(b.fact.why.cause.reason)
    }
    for info in profile.facts.symbols:
        unknown = info.kind == "trip" and values.get(info.source) == settings.representative_trips
        if unknown and info.span in counted - profile.waits and info.source not in settings.values:
            yield info.source


def _guessed_extents(profile: KernelProfile, settings: Settings) -> tuple[str, ...]:
    """The extents of the grid that nobody states and that loops go round by."""
    given = profile.facts.grid or ("", "", "")
    guessed = {f"gridDim.{letter}" for letter, one in zip("xyz", given, strict=True) if not one.isdigit()}
    asked = guessed - settings.values.keys()
    times = (e for access in profile.accesses for e in (access.fact.times, access.fact.block.executed) if e is not None)
    return tuple(sorted({name for e in times for name in symbols(e) if name in asked})) if asked else ()


def symbol_infos(facts: KernelFacts) -> Mapping[str, SymbolInfo]:
    """What is known of a symbol by its name in expressions, which is its spelling in the source or its safe name."""
    return {name: info for info in facts.symbols for name in (info.name, info.source)}


def at_sizes(expressions: Iterable[Expression | None], sizes: Sizes, word: str = "if") -> str:
    """The sizes used, to be put behind a number: " if w = h = 1024, assuming 32 iterations of the loop at line 17"; "" if no symbol occurs."""
    asked = {name for e in expressions if e is not None for name in symbols(e)}
    used = [name for name in sizes.values if name in asked]
    groups: dict[tuple[bool, int], list[str]] = {}
    for name in used[:_MOST_SIZES]:
        groups.setdefault((kind_by_name(name) == "trip", sizes.values[name]), []).append(name)
    named = [f"{' = '.join(names)} = {value}" for (is_trip, value), names in groups.items() if not is_trip]
    trips = [
        f"{value} iteration{'' if value == 1 else 's'} of the {' and the '.join(map(loop_of, names))}"
        for (is_trip, value), names in groups.items()
        if is_trip
    ]
    parts = [f" {word} {', '.join(named)}"] if named else []
    parts += [f", assuming {' and '.join(trips)}"] if trips else []
    return "".join(parts) + (", .." if len(used) > _MOST_SIZES else "")


def loop_of(trip: str) -> str:
    """ "loop at line 17" of `T17`, "loop b at line 17" of `T17b`."""
    return _TRIP.sub(lambda found: f"loop {found[2] + ' ' if found[2] else ''}at line {found[1]}", trip)


def sizes_asked(accesses: Iterable[AccessProfile], infos: Mapping[str, SymbolInfo]) -> frozenset[str]:
    """The symbols that decide between cases, as spelled in expressions."""
    found = {name for access in accesses for case in access.fact.cases for name in names(case.when)}
    found |= {access.fact.variation.sizes.symbol for access in accesses if access.fact.variation.sizes is not None}
    found |= {
        name
        for access in accesses
        if access.fact.variation.spread is not None
        for name in symbols(access.fact.variation.spread)
    }
    found |= {name for access in accesses for name in access.traffic.seen}
    return frozenset(infos[name].source for name in found if name in infos)


@derived
def _symbols_of(profile: KernelProfile) -> frozenset[str]:
    times = [
        e
        for access in profile.accesses
        for e in (access.fact.times, access.fact.block.total, access.fact.block.executed)
    ]
    times += [branch.fact.times for branch in profile.branches]
    distinct = {id(one): one for one in times if one is not None}.values()
    named = frozenset(name for expression in distinct for name in symbols(expression))
    if profile.facts.bounds is not None:
        named = named.union(*(symbols(expression) for expression in expressions(profile.facts.bounds)))
    extents = (extent for one in profile.trips.values() for extent in one.halves if extent is not None)
    named = named.union(*map(symbols, extents))
    return named | sizes_asked(profile.accesses, symbol_infos(profile.facts))


def kind_by_name(name: str) -> str:
    """The kind of a symbol that the facts do not list, from the way such names are made."""
    if _TRIP.fullmatch(name):
        return "trip"
    return "grid" if name.startswith(("gridDim", "blockIdx")) else "parameter"


def _size(name: str, kind: str, profile: KernelProfile, settings: Settings) -> int:
    if kind == "trip":
        return profile.trips.get(name, Estimate()).likely(settings.representative_trips)
    if kind == "grid":
        axis = "xyz".find(name[-1:])
        if name.startswith("blockIdx") or axis < 0:
            return 0
        return grid_extent(axis, profile, settings)
    return size_within(settings, next((r for r in profile.ranges if safe_name(r.name) == safe_name(name)), None))


def grid_extent(axis: int, profile: KernelProfile, settings: Settings) -> int:
    """The blocks along an axis: as many as are stated, or as cover a size."""
    stated = None if profile.facts.grid is None else profile.facts.grid[axis]
    return int(stated) if stated is not None and stated.isdigit() else covering(profile.facts.block[axis], settings)


def covering(extent: int, settings: Settings) -> int:
    """The blocks with so many threads along an axis that cover a size; one of a single thread."""
    return max(1, -(-settings.representative_size // extent)) if extent > 1 else 1


def size_within(settings: Settings, seen: SizeRange | None) -> int:
    """The size that a parameter is taken to have within what is seen of it. One that a loop of the host counts is as
    small as data-dependent loops are short."""
    size = settings.representative_size
    if seen is None:
        return size
    if seen.step is not None:
        size = (seen.least or 0) + seen.step * max(1, settings.representative_trips // seen.step)
    size = size if seen.least is None else max(size, seen.least)
    return size if seen.most is None else min(size, seen.most)
