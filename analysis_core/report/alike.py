"""Accesses that waste alike: a cost that is spread over many places is still one cost.

Accesses of one array whose lanes stand to each other in the same way (a tile read at `[y][x]` and `[y + 1][x]`, the members of a
record) have one cause and one remedy: they are one finding, with the share of all.  A kernel that is written out by hand (64 rounds,
a table with its rows apart) spreads what it pays over so many accesses that none has a share worth a line.  So what is still below
the least share is put together by its array.  A group is shown at the access that stands for most of what is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from analysis_core.cost.facts import AccessFact
from analysis_core.report.check import rests_on_data
from analysis_core.report.model import Note

SHOWN_PLACES = 3

_Key = tuple[object, ...]
_Weighed = tuple[AccessFact, float]
"""An access with its share."""


@dataclass(frozen=True, slots=True)
class Alike:
    """`access`: the one to show.  `share`: of it and all `others`, which are in source order."""

    access: AccessFact
    share: float
    others: tuple[AccessFact, ...] = ()

    @property
    def text(self) -> str:
        """ "with 12 more accesses of `a`", "" for a single one."""
        if not self.others:
            return ""
        more = f"{len(self.others)} more access{'es' if len(self.others) > 1 else ''}"
        return f"with {more} of `{self.access.base}`"

    @property
    def notes(self) -> tuple[Note, ...]:
        """Where the first of the others stand."""
        spans = dict.fromkeys(other.span for other in self.others if other.span != self.access.span)
        return tuple(Note("alike", span) for span in list(spans)[:SHOWN_PLACES])


def together(waste: Iterable[tuple[AccessFact, float]], least_share: float) -> Iterator[Alike]:
    """The accesses by array and lanes where such a group has at least this share, the others by their array.

    `waste`: accesses that a rule would report, with their shares.  What memory decides is kept apart from what is certain.
    Accesses that waste nothing because of others (`spared`) are none of them."""
    small: dict[_Key, list[_Weighed]] = {}
    by_lanes: dict[_Key, list[_Weighed]] = {}
    for access, share in waste:
        if access.spared:
            continue
        if access.base == "?":
            yield Alike(access, share)
        else:
            alike = (access.base, rests_on_data(access), access.lanes, _active_lanes(access))
            by_lanes.setdefault(alike, []).append((access, share))
    for key, group in by_lanes.items():
        if sum(share for _, share in group) >= least_share:
            yield _told(group)
        else:
            small.setdefault(key[:2], []).extend(group)
    yield from map(_told, small.values())


def _active_lanes(access: AccessFact) -> int:
    """The lanes of the dearest request: where others run there is another cause, a branch."""
    if access.picture is not None:
        return sum(group is not None for group in access.picture.group)
    return 0 if access.open is None else sum(access.open.active)


def _told(group: list[_Weighed]) -> Alike:
    """One finding for all, at the one that loses most of those that cost alike and together lose most: nine members of a record
    say more than the narrowest of them."""
    group = sorted(group, key=lambda pair: (pair[0].span.file, pair[0].span.start))
    classes: dict[tuple[int, int, int], list[_Weighed]] = {}
    for access, share in group:
        classes.setdefault((access.worst, access.ideal, access.bytes), []).append((access, share))
    lost = {cost: round(sum(map(_lost, alike)), 6) for cost, alike in classes.items()}
    most = classes[max(classes, key=lambda cost: (lost[cost], cost[0] - cost[1]))]
    shown = max(most, key=_lost)[0]
    others = tuple(access for access, _ in group if access is not shown)
    return Alike(shown, sum(share for _, share in group), others)


def _lost(weighed: _Weighed) -> float:
    """The part of the kernel's cost that the ideal would save."""
    access, share = weighed
    return share * access.wasted
