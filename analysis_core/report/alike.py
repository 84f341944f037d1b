"""Accesses that waste alike: a cost that is spread over many places is still one cost.

A kernel that is written out by hand (64 rounds, a record copied member by member) spreads what it pays over so many
accesses that none has a share worth a line.  So those below the least share are put together by their array: one finding
for all of them, at the one that wastes most, with the share of all.  Accesses with a share of their own are left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from analysis_core.cost.facts import AccessFact
from analysis_core.report.check import rests_on_data
from analysis_core.report.model import Note

SHOWN_PLACES = 3


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
    """The accesses with at least this share one by one, the others by their array.

    `waste`: accesses that a rule would report, with their shares.  What memory decides is kept apart from what is certain.
    Accesses that are made with others (`spared`) are never shown: what they are counted for is those others' cost."""
    small: dict[tuple[str, bool], list[tuple[AccessFact, float]]] = {}
    for access, share in waste:
        if share >= least_share or access.base == "?":
            if not access.spared:
                yield Alike(access, share)
        else:
            small.setdefault((access.base, rests_on_data(access)), []).append((access, share))
    for group in small.values():
        group.sort(key=lambda pair: (pair[0].span.file, pair[0].span.start))
        told = [access for access, _ in group if not access.spared]
        if not told:
            continue
        worst = max(told, key=lambda access: access.worst - access.ideal)
        others = tuple(access for access, _ in group if access is not worst)
        yield Alike(worst, sum(share for _, share in group), others)
