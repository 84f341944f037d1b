"""Accesses that waste alike: a cost that is spread over many places is still one cost.

Accesses of one array whose lanes stand to each other in the same way (a tile read at `[y][x]` and `[y + 1][x]`, the members of a
record) have one cause and one remedy: they are one finding, with the share of all.  So have gathers of one array that are made as often
as each other, and what several calls of one function do at one place of it.  A kernel that is written out by hand (64 rounds,
a table with its rows apart) spreads what it pays over so many accesses that none has a share worth a line.  So what is still below
the least share is put together by its array.  A group is shown at the access that stands for most of what is lost.

Groups that are worth a line each and have one index (`real[i]`, `imaginary[i]`) are one finding again, at the first of them; those below
conditions that data decides go with one of that index that every lane makes.  Nothing is shown at the `default` of a switch if it can
be shown elsewhere: programs often have values for all other arms only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from analysis_core.expressions.expression import ZERO, Expression, add
from analysis_core.ir.nodes import AccessId, Atomic, Kernel, Load, Store, Switch
from analysis_core.ir.types import Space
from analysis_core.ir.walk import statements, statements_of
from analysis_core.profile.access_profile import AccessProfile
from analysis_core.profile.kernel_context import Context
from analysis_core.profile.run_totals import of_one_run
from analysis_core.profile.sureness import may_be_cheap, rests_on_data
from analysis_core.report.findings.model import Note
from analysis_core.requests.facts import Pattern
from analysis_core.support.derived import derived
from analysis_core.support.spelling import in_a_row
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

SHOWN_ARRAYS = 3

LEAST_GAIN = 0.8
"""The part of the least share that the ideal pattern would save at least: what costs twice the ideal needs sixteen per cent of a kernel
to be worth a line, what costs many times as much ten."""

_Key = tuple[object, ...]
Weighed = tuple[AccessProfile, float, float]
"""An access with its share, and the least that it may be (`shares.Weights`)."""


@dataclass(frozen=True, slots=True)
class Alike:
    """Accesses that are one finding. `access`: the one to show; `share`: of it and all `others`, which are in source
    order; `least`: the least that the share may be."""

    access: AccessProfile
    share: float
    least: float
    others: tuple[AccessProfile, ...] = ()

    @property
    def gain(self) -> float:
        """The part of the kernel's cost (0 to 1) that the ideal pattern would save."""
        return self.least * self.access.wasted

    @property
    def times(self) -> Expression | None:
        """How often a warp makes the access that is shown, by all the calls that lead to it."""
        return (
            None
            if self.access.fact.times is None
            else add(*(one.fact.times or ZERO for one in (self.access, *self._again)))
        )

    @property
    def _again(self) -> tuple[AccessProfile, ...]:
        """The others that are the same place in the text, in another call of the function that it is in."""
        place = _place(self.access)
        return tuple(other for other in self.others if _place(other) == place and other.fact.times is not None)

    @property
    def text(self) -> str:
        """ "with 12 more accesses to `a`", "with 2 more accesses to `a` and `b`", "" for a single one."""
        places = {_place(other): other for other in reversed(self.others) if _place(other) != _place(self.access)}
        others = [other for other in self.others if places.get(_place(other)) is other]
        if not others:
            return ""
        more = f"{len(others)} more access{'es' if len(others) > 1 else ''}"
        names = [f"`{base}`" for base in dict.fromkeys(other.fact.base for other in others)]
        if len(names) > SHOWN_ARRAYS:
            names = [*names[: SHOWN_ARRAYS - 1], f"{len(names) - SHOWN_ARRAYS + 1} more arrays"]
        return f"with {more} to {in_a_row(names)}"

    @property
    def fellows(self) -> tuple[Span, ...]:
        """The places of the other accesses."""
        return tuple(
            dict.fromkeys(other.fact.span for other in self.others if other.fact.span != self.access.fact.span)
        )

    @property
    def notes(self) -> tuple[Note, ...]:
        """Where the other accesses are."""
        return Note.of_all("same pattern", self.fellows)


def weighed(context: Context) -> Iterator[Weighed]:
    """All accesses of a kernel, each with its share and the least that it may be."""
    weights = context.weights
    return zip(context.profile.accesses, weights.access_shares, weights.least_shares)


def together(waste: Collection[Weighed], least_share: float, kernel: Kernel) -> Iterator[Alike]:
    """Groups of accesses: by array and arrangement of lanes where such a group has at least this share, else by array.
    `waste`: the accesses that a rule would report, with their shares. Accesses that memory decides are kept apart from
    certain ones; accesses that waste nothing because of others are left out."""
    small: dict[_Key, list[Weighed]] = {}
    by_lanes: dict[_Key, list[Weighed]] = {}
    gathered = _gathered([one[0] for one in waste if one[0].fact.base != "?"])
    places: dict[_Key, int] = {}
    for one in waste:
        access = one[0]
        if access.fact.base == "?":
            yield Alike(*one)
        else:
            by_data = may_be_cheap(access.fact)
            lanes = gathered.get((access.fact.base, access.lanes), access.lanes) if by_data else access.lanes
            lanes = places.setdefault(_place(access), lanes)
            alike = (access.fact.base, by_data, lanes, _active_lanes(access))
            by_lanes.setdefault(alike, []).append(one)
    aside = _of_default_arms(kernel) if len(waste) > 1 else frozenset()
    for key, group in by_lanes.items():
        if of_one_run((access.frequency.sides, least) for access, _, least in group) >= least_share:
            yield _told(_carrying(group, least_share), aside)
        else:
            small.setdefault(key[:2], []).extend(group)
    yield from (_told(group, aside) for group in small.values())


def _carrying(group: list[Weighed], least_share: float) -> list[Weighed]:
    """The group without what stands below conditions that data decides in loops of unknown length, if the others are worth a line without it:
    how much it adds is a guess of how often a loop comes there, and where it stands is no place to tell what all lanes do."""
    sure = [one for one in group if not _is_guessed(one)]
    told = [(access, least) for access, _, least in sure if access.frequency.rarity == 0]
    worth = (
        of_one_run((access.frequency.sides, least) for access, least in told) >= least_share
        and of_one_run((access.frequency.sides, least * access.wasted) for access, least in told)
        >= LEAST_GAIN * least_share
    )
    return sure if worth else group


def _is_guessed(one: Weighed) -> bool:
    """Whether memory may leave the access out in some of its rounds, and its share is a smaller one if the rounds are few."""
    access, share, least = one
    return access.frequency.rarity > 0 and least < share


@derived
def _of_default_arms(kernel: Kernel) -> frozenset[AccessId]:
    """The accesses of arms that only `default` leads to, where there are others."""
    arms = (
        arm
        for stmt in statements_of(kernel)
        if isinstance(stmt, Switch) and len(stmt.arms) > 1
        for arm in stmt.arms
        if arm.labels == (None,)
    )
    made = (stmt for arm in arms for stmt in statements(arm.body) if isinstance(stmt, (Load, Store, Atomic)))
    return frozenset(kernel.plain_number(stmt.access.id) for stmt in made)


def by_index(found: Iterable[Alike]) -> Iterator[Alike]:
    """The groups, with those joined that pick elements by one index, equally often and at one cost: parts of a number
    in arrays of their own are one gather. A group below conditions on data joins one without."""
    same: dict[_Key, list[Alike]] = {}
    for number, one in enumerate(found):
        access = one.access
        index = _index(access)
        key = (number if index is None else -1, index, access.fact.times, access.fact.worst, _active_lanes(access))
        same.setdefault(key, []).append(one)
    for fellows in same.values():
        certain = min(one.access.frequency.rarity for one in fellows) == 0
        groups: dict[int, list[Alike]] = {}
        for one in fellows:
            groups.setdefault(0 if certain else one.access.frequency.rarity, []).append(one)
        yield from (group[0] if len(group) == 1 else _of_one_index(group) for group in groups.values())


def _index(access: AccessProfile) -> tuple[int, str] | None:
    """What an access has in common with those of other arrays by the same index.  Where memory takes lanes apart that is enough; where a
    known stride does, it may be that of an array's own records, unless the text after the array is the same, too."""
    subscript = access.fact.text.find("[")
    if not access.index or access.fact.base == "?" or (subscript < 0 and not rests_on_data(access.fact)):
        return None
    return access.index, "" if rests_on_data(access.fact) else access.fact.text[subscript:]


def _of_one_index(group: list[Alike]) -> Alike:
    """One finding for all, at the first of those that cost as the one that loses most does, of those that are made most often."""
    group = sorted(group, key=lambda one: (one.access.fact.span.file, one.access.fact.span.start))
    rarity = min(one.access.frequency.rarity for one in group)
    often = [one for one in group if one.access.frequency.rarity == rarity]
    dear = max(often, key=lambda one: one.gain).access
    cost = (dear.fact.worst, dear.fact.ideal)
    shown = next(one.access for one in often if (one.access.fact.worst, one.access.fact.ideal) == cost)
    every = [access for one in group for access in (one.access, *one.others) if access is not shown]
    others = tuple(sorted(every, key=lambda access: (access.fact.span.file, access.fact.span.start)))
    told = of_one_run((one.access.frequency.sides, one.share) for one in group)
    return Alike(shown, told, of_one_run((one.access.frequency.sides, one.least) for one in group), others)


def _fetches(access: AccessProfile) -> _Key:
    """Where memory says how lanes stand: elements of one array that are fetched as often as each other are parts of one thing (four
    corners of a cell, two ends of an edge).  Not in shared memory, where each has banks of its own."""
    anywhere = access.fact.space is Space.GLOBAL and access.fact.pattern in (Pattern.SCATTERED, Pattern.UNKNOWN)
    return (access.fact.base, access.frequency.rarity, access.fact.times if anywhere else access.lanes, anywhere)


def _gathered(accesses: Collection[AccessProfile]) -> dict[tuple[str, int], int]:
    """By array and the way that lanes stand in, a number that all have in common that are fetched along with it, or with what is: a store at
    one end of an edge, which few lanes do, goes with the loads of both."""
    number: dict[tuple[str, int], int] = {}
    first: dict[_Key, int] = {}
    for access in (one for one in accesses if may_be_cheap(one.fact)):
        own = number.setdefault((access.fact.base, access.lanes), access.lanes)
        other = first.setdefault(_fetches(access), own)
        if own != other:
            low, high = sorted((own, other))
            number.update({key: low for key, value in number.items() if value == high and key[0] == access.fact.base})
            first.update({key: low for key, value in first.items() if value == high and key[0] == access.fact.base})
    return number


def _place(access: AccessProfile) -> _Key:
    """One place in the text: what several calls of a function make there at one cost has one remedy, whatever each of them passes."""
    sure = not (access.frequency.rarity or access.frequency.alternatives)
    return (
        access.fact.base,
        access.fact.span,
        access.fact.text,
        access.fact.rw,
        access.fact.worst,
        access.fact.ideal,
        access.fact.requests,
        sure,
    )


def _active_lanes(access: AccessProfile) -> int:
    """The lanes of the dearest request: where others run there is another cause, a branch."""
    if access.fact.picture is not None:
        return sum(group is not None for group in access.fact.picture.group)
    return 0 if access.fact.open is None else sum(access.fact.open.active)


def _told(group: list[Weighed], aside: frozenset[AccessId]) -> Alike:
    """One finding for all, at the one that loses most of those that cost alike and together lose most: nine members of a record
    say more than the narrowest of them.  `aside`: accesses that others are shown before."""
    group = sorted(group, key=lambda one: (one[0].fact.span.file, one[0].fact.span.start))
    classes: dict[tuple[int, int, int], list[Weighed]] = {}
    for one in [one for one in group if aside.isdisjoint(one[0].fact.ids)] or group:
        access = one[0]
        classes.setdefault((access.fact.worst, access.fact.ideal, access.fact.bytes), []).append(one)
    lost = {cost: round(sum(map(_lost, alike)), 6) for cost, alike in classes.items()}
    most = classes[max(classes, key=lambda cost: (lost[cost], cost[0] - cost[1]))]
    shown = max(most, key=lambda one: (round(_lost(one), 6), one[0].wasted))[0]
    others = tuple(access for access, _, _ in group if access is not shown)
    told = of_one_run((access.frequency.sides, share) for access, share, _ in group)
    return Alike(shown, told, of_one_run((access.frequency.sides, least) for access, _, least in group), others)


def _lost(one: Weighed) -> float:
    """The part of the kernel's cost that the ideal would save."""
    access, share, _ = one
    return share * access.wasted
