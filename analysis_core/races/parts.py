"""Barriers of a part of a block: at which of them do which threads surely wait for each other?

A thread that comes to a barrier waits for the others of its group until each of them has come to *some* barrier of the same name: of the same
lanes, of the same number, or at the same object.  So a group is believed at none of them unless all of it comes, or nobody, at each: else a thread at one
barrier may meet another one at the next.  A number must be waited for by as many threads as come to it, and by the same at all places.

A group that is the whole block makes the barrier one of the block.  Where it arrives first and waits later, in the same list of nodes and by turns,
what lies between is not ordered.  A barrier object waits for as many threads as it is made for, once, before a barrier of the block.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import field

import numpy as np

from analysis_core.domains import condition as cond
from analysis_core.domains.shape import WARP, BoolVector, IntVector, every, some
from analysis_core.domains.symbol import Level
from analysis_core.interp.core.trace import Barred, Chosen, Looped, Node, Part, walk
from analysis_core.ir.nodes import BarrierScope
from analysis_core.races.intervals import Unordered
from analysis_core.races.pipelines import Step, is_step, steps_of
from analysis_core.text.records import dataclass

_MOST_GROUPINGS = 16
"""Ways in which barriers part a block that are told apart in one kernel."""


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """`groupings`: in each of them threads of one number wait for each other, those of a negative one for nobody; `numbers`: which of them a
    barrier has; `whole`: barriers at which the block waits, each with where it has arrived, if that is before; `unknown`: those that may order threads in a way that is not known, and why; `steps`: those of a pipeline."""

    groupings: tuple[IntVector, ...] = ()
    numbers: Mapping[Barred, int] = field(default_factory=dict)
    whole: Mapping[Barred, Barred | None] = field(default_factory=dict)
    unknown: tuple[tuple[Barred, str], ...] = ()
    steps: Mapping[Barred, Step] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """Threads that wait for each other at barriers of this `name`, and come there all or not at all if that is `sure`."""

    name: Hashable
    members: BoolVector
    sure: bool


def parts_of(nodes: Sequence[Node], real: BoolVector) -> Parts:
    """What is known of all barriers of a part of the block. `real`: the threads of the block. Raises `Unordered`."""
    steps, unsure = steps_of(nodes, real)
    barriers = list(_barriers(nodes, Level.BLOCK))
    if not barriers:
        return Parts(unknown=unsure, steps=steps)
    made = _made(barriers)
    known: dict[Hashable, list[_Group]] = {}
    groups = {node: _kept(known, node, apart, made) for node, apart in barriers if not _makes(node)}
    turns = _Turns(groups)
    turns.follow(nodes, {}, {})
    doubted = _doubted(groups) | turns.broken
    numbers: dict[Barred, int] = {}
    whole: dict[Barred, Barred | None] = {}
    unknown: list[tuple[Barred, str]] = []
    groupings: dict[bytes, IntVector] = {}
    for node, theirs in groups.items():
        grouping = np.full(len(real), -1)
        for place, group in enumerate(theirs):
            if group.name not in doubted:
                grouping[group.members] = place  # those of them that do not come have left
        key, step = grouping.tobytes(), "sync" if node.part is None else node.part.step
        if every((grouping == 0) == real):
            if step != "arrive":
                whole[node] = turns.arrived.get(node)
            continue
        if step == "sync" and (key in groupings or len(groupings) < _MOST_GROUPINGS):
            groupings.setdefault(key, grouping)
            numbers[node] = list(groupings).index(key)
        if node not in numbers or some((grouping < 0) & node.mask.may):
            unknown.append((node, _why(node.part)))
    return Parts(tuple(groupings.values()), numbers, whole, (*unknown, *unsure), steps)


class _Turns:
    """Whether threads arrive and wait by turns, at objects that are made. `arrived`: for waits where they have arrived; `broken`: the names of groups
    that do not, or where that is not plain to see."""

    def __init__(self, groups: Mapping[Barred, Sequence[_Group]]) -> None:
        self._groups = groups
        self.arrived: dict[Barred, Barred] = {}
        self.broken: set[Hashable] = set()
        self._made_before: set[Hashable] = set()

    def follow(self, nodes: Sequence[Node], outer: dict[Hashable, Barred], ready: Mapping[Hashable, _Keys]) -> _Fresh:
        """Goes through a list of nodes; what is made in it that not all threads know of behind it. `outer`: arrivals that wait is due for around it, by name;
        `ready`: objects that all threads know of, with the conditions for that."""
        due: dict[Hashable, Barred] = {}
        fresh: _Fresh = {}
        ready = dict(ready)
        for node in nodes:
            match node:
                case Barred() if node.scope.is_whole:
                    if any(
                        isinstance(name, bytes) and of.scope is BarrierScope.PART for name, of in (outer | due).items()
                    ):
                        raise Unordered(
                            "threads come to a barrier of the block before they have waited for an earlier one",
                            node.span,
                        )
                    if node.whole:
                        ready |= {name: _both(keys, _keys(node)) for name, keys in fresh.items()}
                        fresh = {}
                case Barred() if _makes(node):
                    fresh |= self._made(node)
                case Barred():
                    for name in (group.name for group in self._groups.get(node, ())):
                        self._step(name, node, due, outer)
                        if isinstance(name, tuple) and not _holds(ready.get(name), node):
                            self.broken.add(name)
                case Chosen(arms=arms):
                    for arm in arms:
                        fresh |= self.follow(arm, outer | due, ready)
                case Looped(test=test, body=body):
                    self.follow(test, outer | due, ready)
                    self.follow(body, outer | due, ready)
                    self.broken |= {
                        _name(inner) for inner in walk((node,)) if isinstance(inner, Barred) and _makes(inner)
                    }
                case _:
                    pass
        self.broken |= due.keys()
        return fresh

    def _made(self, node: Barred) -> _Fresh:
        """An object is made once; else somebody may still wait at it."""
        name = _name(node)
        if name in self._made_before:
            self.broken.add(name)
        self._made_before.add(name)
        return {name: _keys(node)}

    def _step(
        self, name: Hashable, node: Barred, due: dict[Hashable, Barred], outer: Mapping[Hashable, Barred]
    ) -> None:
        before, part = due.pop(name, None), node.part
        if part is None or name in outer or (before is None) != (part.step in ("sync", "arrive")):
            self.broken.add(name)
        elif part.step == "arrive":
            due[name] = node
        elif before is not None:
            self.arrived[node] = before
            if not _is_awaited(before, node):
                self.broken.add(name)


_Keys = frozenset[Hashable] | None
"""Conditions of the block that must hold; None if they are not known."""

_Fresh = dict[Hashable, _Keys]


def _is_awaited(arrival: Barred, wait: Barred) -> bool:
    """Whether those who have arrived, and no others, wait for that."""
    conditions = [{entry.content for entry in node.mask.literals} for node in (arrival, wait)]
    same = every(arrival.mask.may == wait.mask.may) and conditions[0] == conditions[1]
    return same and arrival.part is not None and wait.part is not None and arrival.part.token == wait.part.token


def _keys(node: Barred) -> _Keys:
    """The conditions for threads to come."""
    whole = all(cond.open_level(entry.formula) is Level.BLOCK for entry in node.mask.literals)
    return frozenset(entry.key for entry in node.mask.literals) if whole and some(node.mask.may) else None


def _both(keys: _Keys, others: _Keys) -> _Keys:
    return None if keys is None or others is None else keys | others


def _holds(keys: _Keys, node: Barred) -> bool:
    return keys is not None and keys <= {entry.key for entry in node.mask.literals}


def _name(node: Barred) -> Hashable:
    return None if node.part is None else (node.part.object,)


def _makes(node: Barred) -> bool:
    return node.part is not None and node.part.step == "made"


def _made(barriers: Sequence[tuple[Barred, Level]]) -> Mapping[Hashable, int | None]:
    """For how many threads objects are made, by address; None if that is not known."""
    found: dict[Hashable, int | None] = {}
    for node, _ in barriers:
        part = node.part
        if part is not None and part.step == "made":
            counts = set() if part.count is None else set(part.count[node.mask.may].tolist())
            same = len(counts) == 1 and found.get(part.object, min(counts)) in counts
            found[part.object] = min(counts) if same else None
    return found


def _why(part: Part | None) -> str:
    if part is None:
        return "who waits for whom there is not known"
    if part.object is not None:
        return "it is not shown that just the threads it was made for come there, and arrive and wait by turns"
    if part.count is None:
        return "some of those who wait for each other there may come alone"
    return "it is not shown that just the threads it waits for come to barriers of its number, all of them each time"


def _barriers(nodes: Sequence[Node], apart: Level) -> Iterator[tuple[Barred, Level]]:
    """Barriers of parts of the block. `apart`: how far apart threads may be that leave the loops around in different rounds."""
    for node in nodes:
        match node:
            case Barred(scope=scope) if not scope.is_whole and not is_step(node):
                yield node, apart
            case Chosen(arms=arms):
                for arm in arms:
                    yield from _barriers(arm, apart)
            case Looped(test=test, body=body, leaving=leaving):
                yield from _barriers((*test, *body), max(apart, leaving))
            case _:
                pass


def _kept(
    known: dict[Hashable, list[_Group]], node: Barred, apart: Level, made: Mapping[Hashable, int | None]
) -> list[_Group]:
    """The groups, found out once for barriers of one sort."""
    part, may = node.part, node.mask.may
    if part is None:
        return []
    counted = None if part.count is None else part.count.tobytes()
    key = (part.groups.tobytes(), part.split.tobytes(), counted, part.object, may.tobytes(), apart)
    if key not in known:
        known[key] = list(_groups(part, may, apart, made))
    return known[key]


def _groups(part: Part, may: BoolVector, apart: Level, made: Mapping[Hashable, int | None]) -> Iterator[_Group]:
    """The groups of which some may come."""
    for number in np.unique(part.groups[may & (part.groups >= 0)]).tolist():
        members = part.groups == number
        first = int(np.argmax(members))
        near = first // WARP == (len(members) - 1 - int(np.argmax(members[::-1]))) // WARP
        sure = not some(part.split & members) and apart <= (Level.WARP if near else Level.BLOCK)
        if part.object is not None:
            yield _Group((part.object,), members, sure and made.get(part.object) == np.count_nonzero(members))
        elif part.count is None:
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
            of_lanes = isinstance(group.name, bytes)
            same = members.setdefault(group.name, group.members.tobytes()) == group.members.tobytes()
            mixed = node.scope in lost and (not of_lanes or node.scope is BarrierScope.WARP)
            if not group.sure or not same or mixed:
                found.add(group.name)
    return found
