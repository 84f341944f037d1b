"""Barriers of a part of a block: at which of them do which threads surely wait for each other?

A thread that comes to a barrier waits for the others of its group until each of them has come to *some* barrier of the same name: of the same
lanes, or of the same number.  So a group is believed at none of them unless all of it comes, or nobody, at each: else a thread at one
barrier may meet another one at the next.  A number must be waited for by as many threads as come to it, and by the same at all places.

A group that is the whole block makes the barrier one of the block.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import field

import numpy as np

from analysis_core.domains.shape import WARP, BoolVector, IntVector, every, some
from analysis_core.domains.symbol import Level
from analysis_core.interp.core.trace import Barred, Chosen, Looped, Node, Part
from analysis_core.ir.nodes import BarrierScope
from analysis_core.text.records import dataclass

_MOST_GROUPINGS = 16
"""Ways in which barriers part a block that are told apart in one kernel."""


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """`groupings`: in each of them threads of one number wait for each other, those of a negative one for nobody; `numbers`: which of them a
    barrier has; `whole`: barriers at which the block waits; `unknown`: those that may order threads in a way that is not known, and why."""

    groupings: tuple[IntVector, ...] = ()
    numbers: Mapping[Barred, int] = field(default_factory=dict)
    whole: frozenset[Barred] = frozenset()
    unknown: tuple[tuple[Barred, str], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """Threads that wait for each other at barriers of this `name`, and come there all or not at all if that is `sure`."""

    name: Hashable
    members: BoolVector
    sure: bool


def parts_of(nodes: Sequence[Node], real: BoolVector) -> Parts:
    """What is known of all barriers of a part of the block. `real`: the threads of the block."""
    barriers = list(_barriers(nodes, Level.BLOCK))
    if not barriers:
        return Parts()
    known: dict[Hashable, list[_Group]] = {}
    groups = {node: _kept(known, node.part, node.mask.may, apart) for node, apart in barriers}
    doubted = _doubted(groups)
    numbers: dict[Barred, int] = {}
    whole, unknown, groupings = list[Barred](), list[tuple[Barred, str]](), dict[bytes, IntVector]()
    for node, theirs in groups.items():
        grouping = np.full(len(real), -1)
        for place, group in enumerate(theirs):
            if group.name not in doubted:
                grouping[group.members] = place  # those of them that do not come have left
        if every((grouping == 0) == real):
            whole.append(node)
            continue
        key = grouping.tobytes()
        if key in groupings or len(groupings) < _MOST_GROUPINGS:
            groupings.setdefault(key, grouping)
            numbers[node] = list(groupings).index(key)
        if node not in numbers or some((grouping < 0) & node.mask.may):
            unknown.append((node, _why(node.part)))
    return Parts(tuple(groupings.values()), numbers, frozenset(whole), tuple(unknown))


def _why(part: Part | None) -> str:
    if part is None:
        return "who waits for whom there is not known"
    if part.count is None:
        return "some of those who wait for each other there may come alone"
    return "not just the threads that it waits for come to barriers of its number, all of them each time"


def _barriers(nodes: Sequence[Node], apart: Level) -> Iterator[tuple[Barred, Level]]:
    """Barriers of parts of the block. `apart`: how far apart threads may be that leave the loops around in different rounds."""
    for node in nodes:
        match node:
            case Barred(scope=scope) if not scope.is_whole:
                yield node, apart
            case Chosen(arms=arms):
                for arm in arms:
                    yield from _barriers(arm, apart)
            case Looped(test=test, body=body, leaving=leaving):
                yield from _barriers((*test, *body), max(apart, leaving))
            case _:
                pass


def _kept(known: dict[Hashable, list[_Group]], part: Part | None, may: BoolVector, apart: Level) -> list[_Group]:
    """The groups, found out once for barriers of one sort."""
    if part is None:
        return []
    counted = None if part.count is None else part.count.tobytes()
    key = (part.groups.tobytes(), part.split.tobytes(), counted, may.tobytes(), apart)
    if key not in known:
        known[key] = list(_groups(part, may, apart))
    return known[key]


def _groups(part: Part, may: BoolVector, apart: Level) -> Iterator[_Group]:
    """The groups of which some may come."""
    for number in np.unique(part.groups[may & (part.groups >= 0)]).tolist():
        members = part.groups == number
        first = int(np.argmax(members))
        near = first // WARP == (len(members) - 1 - int(np.argmax(members[::-1]))) // WARP
        sure = not some(part.split & members) and apart <= (Level.WARP if near else Level.BLOCK)
        if part.count is None:
            yield _Group(members.tobytes(), members, sure)
        else:
            waited = part.count[members]
            yield _Group(number, members, sure and bool(np.all(waited == np.count_nonzero(members))))


def _doubted(groups: Mapping[Barred, Sequence[_Group]]) -> set[Hashable]:
    """The names of groups that are not to be believed."""
    lost = {node.scope for node in groups if node.part is None}
    members: dict[Hashable, bytes] = {}
    found: set[Hashable] = set()
    for node, theirs in groups.items():
        for group in theirs:
            numbered = isinstance(group.name, int)
            same = members.setdefault(group.name, group.members.tobytes()) == group.members.tobytes()
            mixed = BarrierScope.PART in lost if numbered else node.scope is BarrierScope.WARP and node.scope in lost
            if not group.sure or not same or mixed:
                found.add(group.name)
    return found
