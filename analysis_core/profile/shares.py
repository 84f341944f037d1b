"""Shares: which part of a kernel's cost an access or a branch has, at representative sizes (DESIGN.md, section 9).

A symbolic cost has no size of its own, so findings are ranked at stated sizes: integer parameters and unseen constants
1024 where nothing is seen of them (`program/size_ranges.py`), iterations of data-dependent loops and what the host counts 32, the grid
as many blocks as cover 1024 threads along each axis (all configurable; `--set` values win).  Messages say which sizes were used.  An
access whose number of executions is unknown counts as one in a data-dependent loop.  Of tests of which a run takes one side, a share is that
of a run that takes the side it is on (`run_totals`).

Costs are those of all warps of a block: what one warp of many does is a small part of what a kernel pays.  Where memory decides they
are what may be expected and not the worst: an access below conditions that data decides counts half for each of them
(`profile/guards.py`), and lanes that pick words of shared memory pick them at random (`random_words`).

How often a loop runs that data or the host decides is a guess, and a share that only this guess makes is no evidence: rules ask that it
also holds where such loops run `FEW_ROUNDS` times (`Weights.least_shares`), and where a grid that is not stated has as many times fewer blocks
than would cover everything, so that loops over the grid have rounds; and that it holds where sizes are many times as large, for work as
large as gives each thread of a grid that is the same for all sizes its thousand rounds.  A share of
accesses also has to hold where a loop that ends at one count in memory runs as often as sizes say, and where one of several sizes is small.
A loop that waits for other threads (`profile/idioms/waits.py`) runs once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from analysis_core.bounds.bounds_walk import expressions
from analysis_core.expressions.conditions import holds, names
from analysis_core.expressions.expression import Expression, Integer, Product, fold, safe_name, symbol, symbols
from analysis_core.ir.choices import Sides
from analysis_core.ir.launch_site import SizeRange, is_assumed
from analysis_core.ir.types import Space
from analysis_core.machine.sizes import BANKS, SECTOR_BYTES, WARP, WORD_BYTES
from analysis_core.profile.line_shares import cost_of_branch, value_at
from analysis_core.profile.random_words import expected_wavefronts, groups
from analysis_core.profile.run_totals import RunTotals, exclude
from analysis_core.profile.thinned import part_left
from analysis_core.profile.whole_loops import with_rests
from analysis_core.requests.facts import AccessFact, BranchFact, Divergence, KernelFacts, Searched, SymbolInfo
from analysis_core.support.settings import Settings
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

_MOST_SIZES = 6
"""Sizes that are made smaller in turn."""


@dataclass(frozen=True, slots=True)
class Guess:
    """What else may be thought of sizes that nothing is known of.  `few`: loops of unknown length have few rounds, beside those
    that were executed one by one, but for these (`many`: whole statements); `large`: sizes are large; `blocks`: there are fewer of them, so that loops over the grid have rounds, or with
    large sizes no more than usual; `long`: counts in memory are what sizes are; `small`: of sizes that have nothing to do with each other,
    this one is."""

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
    def of(facts: KernelFacts, values: Mapping[str, int]) -> Sizes:
        """These values, for a kernel."""
        trips = (info for info in facts.symbols if info.kind == "trip" and info.span not in facts.waits)
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


def representative_sizes(facts: KernelFacts, settings: Settings) -> Sizes:
    """A value for every symbol of the facts' expressions, in the order in which the facts list them."""
    return facts.once("sizes", settings, lambda: _representative_sizes(facts, settings))


def _representative_sizes(facts: KernelFacts, settings: Settings) -> Sizes:
    infos = symbol_infos(facts)
    values: dict[str, int] = {}
    free: dict[str, None] = {}
    order = {info.source: number for number, info in enumerate(facts.symbols)}
    for name in sorted(_symbols_of(facts), key=lambda name: (order.get(name, len(order)), name)):
        info = infos.get(name)
        kind = info.kind if info is not None else kind_by_name(name)
        spellings = [name, safe_name(name)] + ([info.source] if info is not None else [])
        chosen = next((settings.values[s] for s in spellings if s in settings.values), None)
        if chosen is None and info is not None and info.span in facts.waits and kind == "trip":
            chosen = 1
        values[name] = chosen if chosen is not None else _size(name, kind, facts, settings)
        if chosen is None and kind == "parameter" and values[name] == settings.representative_size:
            free[name] = None
    for name, extent in facts.halving:
        elements = None if extent is None else value_at(extent, values)
        if name in values and name not in settings.values:
            most = rounds_among(settings.representative_size if elements is None else elements)
            values[name] = min(values[name], most)
    return Sizes.of(facts, _apart(values, [name for name in free if name not in _seen_names(facts)], facts))


def rounds_among(elements: int) -> int:
    """How many rounds a search among so many elements takes that halves what is left of them in each, but for a last one that few lanes make."""
    return max(1, (elements - 1).bit_length())


def _seen_names(facts: KernelFacts) -> frozenset[str]:
    return frozenset(name for one in facts.ranges for name in (one.name, safe_name(one.name)))


_MOST_LOOPS = 256
_SMALLER = 32


def _apart(values: dict[str, int], free: Sequence[str], facts: KernelFacts) -> dict[str, int]:
    """The values, with those made smaller which only empty loops because others are the same: `for (i = k; i < n; i++)` is there to run.

    `free`: the names of sizes that nobody knows anything of.  A loop from one to another of them is empty at any one value of both."""
    loops = _rounds(facts, frozenset(free)) if len(free) > 1 else ()
    while empty := [one for one in loops if _is_empty(one, values, 1) and _is_empty(one, values, 2)]:
        asked = sorted({name for one in empty for name in symbols(one)} & set(free))
        less = {name: {**values, name: max(1, values[name] // _SMALLER)} for name in asked}
        left = {name: sum(_is_empty(one, less[name], 1) for one in loops) for name in asked}
        best = min(asked, key=lambda name: left[name])
        if left[best] >= sum(_is_empty(one, values, 1) for one in loops):
            break
        values, free = less[best], [name for name in free if name != best]
    return values


def _rounds(facts: KernelFacts, free: frozenset[str]) -> tuple[Expression, ...]:
    """How often things run that two sizes or more decide."""
    times = [access.times for access in facts.accesses] + [branch.times for branch in facts.branches]
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


def other_sizes(facts: KernelFacts, settings: Settings, guess: Guess) -> tuple[Sizes, Settings]:
    """The sizes by another guess, and the settings that go with them."""
    trips = min(FEW_ROUNDS, settings.representative_trips) if guess.few else settings.representative_trips
    size = settings.representative_size * (MANY_TIMES if guess.large else 1)
    if guess.large and not guess.blocks:
        size = max(size, min(_LARGEST, _threads_stated(facts) * settings.representative_size))
    changed = replace(settings, representative_trips=trips, representative_size=size)
    values = dict(_representative_sizes(facts, changed).values)
    for info in facts.symbols:
        if info.kind == "trip" and values.get(info.source) == trips:
            more = settings.representative_trips if info.span in guess.many else trips + info.done
            values[info.source] = min(more, settings.representative_trips)
    if guess.blocks:
        fewer = MANY_TIMES if guess.large else FEW_ROUNDS
        values.update((name, max(1, values[name] // fewer)) for name in _guessed_extents(facts, settings))
    if guess.long:
        values.update((name, settings.representative_size) for name in _shared_rounds(facts, settings, values))
    if guess.small:
        values[guess.small] = max(1, values[guess.small] // _SMALLER)
    return Sizes.of(facts, values), changed


def _threads_stated(facts: KernelFacts) -> int:
    """The threads of several blocks whose number is the same for all sizes: whoever chose it expects many rounds over them.  0 of
    others; one block is what small data gets."""
    if facts.grid is None or not all(one.isdigit() for one in facts.grid):
        return 0
    blocks = prod(map(int, facts.grid))
    return blocks * prod(facts.block) if blocks > 1 else 0


def _shared_rounds(facts: KernelFacts, settings: Settings, values: Mapping[str, int]) -> Iterator[str]:
    """The lengths of loops that end at one count in memory for the whole grid, which might as well be a parameter."""
    counted = {
        b.whole
        for b in facts.branches
        if b.divergence is Divergence.NEVER and b.cause is not None and _COUNT.match(b.cause.reason)
    }
    for info in facts.symbols:
        unknown = info.kind == "trip" and values.get(info.source) == settings.representative_trips
        if unknown and info.span in counted - facts.waits and info.source not in settings.values:
            yield info.source


def _free_sizes(facts: KernelFacts, sizes: Sizes, settings: Settings) -> tuple[str, ...]:
    """The sizes that nothing is known of and that say how often accesses are made, where there are several."""
    infos = symbol_infos(facts)
    times = dict.fromkeys(access.times for access in facts.accesses if access.times is not None)
    asked = dict.fromkeys(name for one in times for name in symbols(one))
    known = _seen_names(facts) | settings.values.keys()
    usual = (name for name in asked if sizes.values.get(name) == settings.representative_size and name not in known)
    kinds = {name: infos[name].kind if name in infos else kind_by_name(name) for name in usual}
    free = sorted(name for name, kind in kinds.items() if kind == "parameter")
    return tuple(free[:_MOST_SIZES]) if len(free) > 1 else ()


def _guessed_extents(facts: KernelFacts, settings: Settings) -> tuple[str, ...]:
    """The extents of the grid that nobody states and that loops go round by."""
    given = facts.grid or ("", "", "")
    guessed = {f"gridDim.{letter}" for letter, one in zip("xyz", given, strict=True) if not one.isdigit()}
    asked = guessed - settings.values.keys()
    times = (e for access in facts.accesses for e in (access.times, access.executed) if e is not None)
    return tuple(sorted({name for e in times for name in symbols(e) if name in asked})) if asked else ()


def costs_at(facts: KernelFacts, sizes: Sizes, settings: Settings) -> tuple[float, ...]:
    """What a block pays for each access at these sizes."""
    return tuple(_cost_of_block(access, facts, sizes, settings) for access in facts.accesses)


def shares_at(facts: KernelFacts, sizes: Sizes, settings: Settings) -> tuple[float, ...]:
    """The part of all accesses to the same memory that each access is at these sizes."""
    return _weighed_accesses(facts, sizes, settings)[1]


def symbol_infos(facts: KernelFacts) -> Mapping[str, SymbolInfo]:
    """What is known of a symbol by its name in expressions, which is its spelling in the source or its safe name."""
    return {name: info for info in facts.symbols for name in (info.name, info.source)}


def sizes_text(expressions: Iterable[Expression | None], sizes: Sizes) -> str:
    """The sizes used, for a message: "w = h = 1024, T17 = 32"; "" if no symbol occurs.  At most four symbols."""
    asked = {name for e in expressions if e is not None for name in symbols(e)}
    used = [name for name in sizes.values if name in asked]
    groups: dict[int, list[str]] = {}
    for name in used[:4]:
        groups.setdefault(sizes.values[name], []).append(name)
    text = ", ".join(f"{' = '.join(names)} = {value}" for value, names in groups.items())
    return f"{text}, .." if len(used) > 4 else text


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


def weigh(facts: KernelFacts, settings: Settings) -> Weights:
    """All costs of a kernel at representative sizes.

    An access has its share of the accesses to the same memory space (sectors and wavefronts are different metrics), a
    branch its share of the splits: executions times the part of them at which a warp splits or may split."""
    return facts.once("weights", settings, lambda: _weighed(facts, settings))


def _weighed(facts: KernelFacts, settings: Settings) -> Weights:
    sizes = representative_sizes(facts, settings)
    costs, shares, totals = _weighed_accesses(facts, sizes, settings)
    executions = tuple(_executions(branch, sizes, settings) for branch in facts.branches)
    splits = tuple(_splits(b, facts, sizes, times) for times, b in zip(executions, facts.branches, strict=True))
    all_splits = sum(splits)
    least = shares
    for guess in _guesses(facts, sizes, settings):
        other, changed = other_sizes(facts, settings, guess)
        if other != sizes:
            least = tuple(map(min, least, _weighed_accesses(facts, other, changed)[1]))
    parts = tuple(_ratio(split, all_splits) for split in splits)
    return Weights(sizes, costs, executions, shares, parts, least, totals)


def _guesses(facts: KernelFacts, sizes: Sizes, settings: Settings) -> Iterator[Guess]:
    """What a share has to hold by; nothing where no access costs more than it has to, and nobody asks."""
    if all(access.worst <= access.ideal for access in facts.accesses):
        return
    yield from (Guess(few=True), Guess(blocks=True), Guess(long=True))
    if not is_assumed(facts.source):  # Else nobody knows what of a large size is the block's.
        yield Guess(large=True, blocks=True)
    yield from (Guess(small=name) for name in _free_sizes(facts, sizes, settings))


def _weighed_accesses(
    facts: KernelFacts, sizes: Sizes, settings: Settings
) -> tuple[tuple[float, ...], tuple[float, ...], Mapping[Space, float]]:
    """What a block pays for each access at these sizes, its share of all accesses to that space, and what these pay."""
    costs = costs_at(facts, sizes, settings)
    totals: dict[Space, float] = {}
    paid: dict[Space, list[tuple[Sides, float]]] = {}
    for access, cost in zip(facts.accesses, costs):
        memory = Space.GLOBAL if access.likely else access.space
        totals[memory] = totals.get(memory, 0) + cost
        paid.setdefault(memory, []).append((access.sides, cost))
    runs = {memory: RunTotals.of(each) for memory, each in paid.items()}
    shares = tuple(
        0.0 if access.likely and access.space is not Space.GLOBAL else _ratio(cost, runs[access.space].at(access.sides))
        for access, cost in zip(facts.accesses, costs)
    )
    return costs, shares, totals


def _cost_of_block(access: AccessFact, facts: KernelFacts, sizes: Sizes, settings: Settings) -> float:
    """What the warps of a block may be expected to pay for an access at these sizes, on average over the blocks along an axis of which one executes it."""
    if access.worst == 0 and not access.likely:
        return 0.0
    if access.one_block is not None:
        one = replace(access, one_block=None)
        return _cost_of_block(one, facts, sizes, settings) / grid_extent(access.one_block, facts, settings)
    requests = None if access.executed is None else sizes.at(access.executed)
    paid = None if access.total is None else sizes.at(access.total)
    if requests is None or paid is None:
        requests = access.requests * sizes.executions(access.times, settings) * -(-prod(facts.block) // WARP)
        paid = access.worst * requests
    if access.likely:
        return access.likely * requests / (1 << access.rarity)
    each = request_cost(access, sizes) if access.usual is None else access.each
    likelier = (one for one in (expected_wavefronts(access), access.inside) if one is not None)
    expected = min(paid, *(one * requests for one in (each, *likelier)))
    return expected * part_left(access) / (1 << access.rarity - access.thinned + access.varied)


def _splits(branch: BranchFact, facts: KernelFacts, sizes: Sizes, executions: int) -> float:
    """How often a warp splits at a branch at these sizes: by the bounds, else its tests times the part that splits."""
    bound = cost_of_branch(facts, branch)
    value = None if bound is None else value_at(bound, sizes.values)
    return (executions * splitting_part(branch) if value is None else value) / (1 << branch.rarity)


def request_cost(access: AccessFact, sizes: Sizes) -> int:
    """The cost of one request at these sizes: that of the first case that holds, what lanes can be apart, else `worst`."""
    if access.spread is not None:
        return _cost_of_spread(access, access.spread, sizes)
    if not access.cases:  # of thousands of accesses, each of which would spell all names
        return access.worst
    values = {safe_name(name): value for name, value in sizes.values.items()}
    return next((case.cost for case in access.cases if holds(case.when, values)), access.worst)


def _cost_of_spread(access: AccessFact, spread: Expression, sizes: Sizes) -> int:
    """What a request costs whose lanes are no further apart than that: from the last byte of a sector on; in whole words."""
    apart = value_at(spread, sizes.values)
    if apart is None:
        return access.worst
    if access.space is Space.SHARED:
        words = -(-(apart + WORD_BYTES - 1) // WORD_BYTES)
        return min(access.worst, int(groups(access.bytes) * -(-words // BANKS)))
    return min(access.worst, int((apart + SECTOR_BYTES - 2) // SECTOR_BYTES) + 1)


def is_near(access: AccessFact, sizes: Sizes) -> bool:
    """Whether lanes that go their own ways in a loop are still together at these sizes: at less than twice the ideal."""
    return access.spread is not None and request_cost(access, sizes) < 2 * access.ideal + (access.ideal <= 1)


def access_times(facts: KernelFacts, like: AccessFact) -> tuple[Expression | None, ...]:
    """What the share of `like` was computed from: for all accesses that share its metric, how often they happen and the symbols
    that their cases ask for."""
    together = (access for access in facts.accesses if _are_weighed_together(access, like))
    fellows = [access for access in together if not exclude(access.sides, like.sides)]
    asked = sorted(_asked(fellows, symbol_infos(facts)))
    return (*(access.times for access in fellows), *(symbol(name) for name in asked))


def _are_weighed_together(access: AccessFact, like: AccessFact) -> bool:
    return access.space is like.space or (like.space is Space.GLOBAL and access.likely > 0)


def moved(facts: KernelFacts) -> str:
    """What shares of global memory are shares of."""
    return "global and local sectors" if any(a.likely and a.space is Space.LOCAL for a in facts.accesses) else "sectors"


def _asked(accesses: Iterable[AccessFact], infos: Mapping[str, SymbolInfo]) -> frozenset[str]:
    """The symbols that decide between cases, as spelled in expressions."""
    found = {name for access in accesses for case in access.cases for name in names(case.when)}
    found |= {access.sizes.symbol for access in accesses if access.sizes is not None}
    found |= {name for access in accesses if access.spread is not None for name in symbols(access.spread)}
    found |= {name for access in accesses for name in access.seen}
    extents = (access.searched.extent for access in accesses if isinstance(access.searched, Searched))
    found |= {name for extent in extents if extent is not None for name in symbols(extent)}
    return frozenset(infos[name].source for name in found if name in infos)


def splitting_part(branch: BranchFact) -> float:
    """The part (0 to 1) of a branch's tests at which the warp splits or is not known not to; 1 if nothing is known."""
    runs = branch.runs
    return 1.0 if runs is None or runs.tests == 0 else min(1.0, runs.splitting / runs.tests)


def _executions(branch: BranchFact, sizes: Sizes, settings: Settings) -> int:
    if branch.divergence.value == "never":
        return 0
    return sizes.executions(branch.times, settings)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0


def _symbols_of(facts: KernelFacts) -> frozenset[str]:
    return facts.once("symbols", None, lambda: _all_symbols(facts))


def _all_symbols(facts: KernelFacts) -> frozenset[str]:
    times = [e for access in facts.accesses for e in (access.times, access.total, access.executed)]
    times += [branch.times for branch in facts.branches]
    distinct = {id(one): one for one in times if one is not None}.values()
    named = frozenset(name for expression in distinct for name in symbols(expression))
    if facts.bounds is not None:
        named = named.union(*(symbols(expression) for expression in expressions(facts.bounds)))
    named = named.union(*(symbols(extent) for _, extent in facts.halving if extent is not None))
    return named | _asked(facts.accesses, symbol_infos(facts))


def kind_by_name(name: str) -> str:
    """The kind of a symbol that the facts do not list, from the way such names are made."""
    if name.startswith("T") and name[1:].isdigit():
        return "trip"
    return "grid" if name.startswith(("gridDim", "blockIdx")) else "parameter"


def _size(name: str, kind: str, facts: KernelFacts, settings: Settings) -> int:
    if kind == "trip":
        seen = next((one for one in facts.ranges if one.name == name), None)
        if seen is None or seen.most is None:
            return settings.representative_trips
        return seen.most if seen.least == seen.most else min(seen.most, settings.representative_trips)
    if kind == "grid":
        axis = "xyz".find(name[-1:])
        if name.startswith("blockIdx") or axis < 0:
            return 0
        return grid_extent(axis, facts, settings)
    return size_within(settings, next((r for r in facts.ranges if safe_name(r.name) == safe_name(name)), None))


def grid_extent(axis: int, facts: KernelFacts, settings: Settings) -> int:
    """The blocks along an axis: as many as are stated, or as cover a size."""
    if facts.grid is not None and facts.grid[axis].isdigit():
        return int(facts.grid[axis])
    return max(1, -(-settings.representative_size // facts.block[axis])) if facts.block[axis] > 1 else 1


def size_within(settings: Settings, seen: SizeRange | None) -> int:
    """The size that a parameter is taken to have: what a loop of the host counts, as data-dependent loops do."""
    size = settings.representative_size
    if seen is None:
        return size
    if seen.step is not None:
        size = (seen.least or 0) + seen.step * max(1, settings.representative_trips // seen.step)
    size = size if seen.least is None else max(size, seen.least)
    return size if seen.most is None else min(size, seen.most)
