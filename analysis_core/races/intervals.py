"""Barrier intervals: sets of accesses between which no barrier lies, from the trace of one kernel.

    straight line       a barrier ends an interval
    a choice            arms one behind the other; if one holds a barrier, each is walked for itself
    a loop without one  once; its rounds are each thread's own
    a deferred access   stays open beyond barriers until its thread waits for it
    a loop with one     the first round behind what stands before; this round; the next behind what this one leaves
    steps of a pipeline end what lies before old arrivals only: rounds are walked until nothing is left

Between the threads of two blocks only barriers of the grid count.

A barrier must be reached by all threads of the block that have not left, and a loop with one must be left by all in the same
round; else `Unordered` says where not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from analysis_core.domains import condition as cond
from analysis_core.domains.mask import Literal, Mask, implies
from analysis_core.domains.symbol import Level
from analysis_core.interp.core.events import Events
from analysis_core.interp.core.trace import (
    UNCOUNTED,
    Accessed,
    Awaited,
    Barred,
    Branched,
    Chosen,
    Looped,
    Node,
    Stepped,
    walk,
)
from analysis_core.ir.nodes import BarrierScope, Block, Continue, If, Inlined, Loop, Switch
from analysis_core.ir.types import Space
from analysis_core.races.occurrences import FIRST, NEXT, THIS, Clock, Occurrence, Passed, Turn
from analysis_core.races.verdicts import Scope
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

if TYPE_CHECKING:
    from analysis_core.races.pipelines import Step

Interval = Sequence[Occurrence]
_MOST_ROUNDS = 6
"""Rounds of a loop that are walked, until all that one of them leaves is waited for."""

_MOST_NODES = 200_000
"""Nodes of the trace that are walked, those of loops with barriers several times."""


class Unordered(Exception):
    """The accesses cannot be put into intervals: `reason` says why, `span` where."""

    def __init__(self, reason: str, span: Span | None = None) -> None:
        super().__init__(reason)
        self.reason, self.span = reason, span


@dataclass(frozen=True, slots=True, eq=False)
class _Where:
    """`turns` and `own` as in `Occurrence`. `context`: the threads of the innermost side of a branch, or loop, around;
    `together`: it is one of those that are put one behind the other."""

    turns: tuple[Turn, ...] = ()
    own: int | None = None
    context: Mask | None = None
    together: bool = False


class Intervals:
    """Walks a trace and hands each interval to `emit`, with how many accesses at its beginning were held against each other before."""

    def __init__(
        self, events: Events, space: Space, emit: Callable[[Interval, int], None], scope: Scope = Scope.BLOCK
    ) -> None:
        self._events, self._space, self._emit, self._scope = events, space, emit, scope
        self._left = _MOST_NODES
        self._numbers: Mapping[Barred, int] = {}
        self._whole: Mapping[Barred, Barred | None] = {}
        self._steps: Mapping[Barred, Step] = {}
        self._arrived: dict[Barred | None, int] = {}
        self._waited = Clock()
        self._counted = all(not isinstance(node, Awaited) or node.left != UNCOUNTED for node in walk(events.trace))
        if any(isinstance(node, Barred) and not node.scope.is_whole for node in walk(events.trace)):
            from analysis_core.races.parts import parts_of

            parts = parts_of(events.trace, events.shape.real)
            self._numbers, self._whole = parts.numbers, parts.whole
            self._steps = parts.steps if scope is Scope.BLOCK else {}
            self._waited = Clock(parts.groupings, (0,) * len(parts.groupings))

    def walk(self) -> None:
        """Raises `Unordered`."""
        self._side(self._events.trace, [], _Where())

    def _side(self, nodes: Sequence[Node], before: Interval, where: _Where) -> list[Occurrence]:
        """The accesses behind the last barrier on a way of its own, all of them held against each other."""
        open_, settled = self._nodes(nodes, before, where)
        self._emit(open_, settled)
        return open_

    def _nodes(self, nodes: Sequence[Node], before: Interval, where: _Where) -> tuple[list[Occurrence], int]:
        """The accesses behind the last barrier, given those before the nodes that no barrier follows; and how many of them are held
        against each other, if those before are."""
        open_, settled = list(before), len(before)
        for node in nodes:
            self._left -= 1
            if self._left < 0:
                raise Unordered("it is too long")
            match node:
                case Accessed(index):
                    event = self._events.accesses[index]
                    if event.space in (self._space, Space.UNKNOWN):
                        across = self._scope is Scope.GRID
                        pending = 0 if event.access.deferred else None
                        place = Occurrence(
                            index,
                            event,
                            where.own,
                            where.turns,
                            self._waited,
                            self._left,
                            across=across,
                            pending=pending,
                        )
                        open_.append(place)
                case Awaited(left=left) if left is None or left == -1 or self._counted:
                    open_ = [_awaited(occurrence, node, where, self._waited, self._left) for occurrence in open_]
                case Barred() if node in self._numbers:
                    self._waited = self._waited.after(self._numbers[node])
                case Barred() if node in self._steps:
                    step = self._steps[node]
                    if step.left is not None:
                        self._emit(open_, settled)
                    open_ = [behind for occurrence in open_ if (behind := step.behind(occurrence)) is not None]
                    settled = len(open_) if step.left is not None else settled
                case Barred() if not self._orders(node):
                    self._arrived[node] = self._left
                case Barred():
                    self._emit(open_, settled)
                    arrived = self._arrived.get(self._whole.get(node), self._left)
                    later = [occurrence for occurrence in open_ if occurrence.place < arrived]
                    open_ = [*self._barrier(node, [o for o in open_ if o.place > arrived], where), *later]
                    settled = len(open_)
                case Chosen() | Looped() if self._waits((node,)):
                    self._emit(open_, settled)
                    open_ = (
                        self._choice(node, open_, where) if isinstance(node, Chosen) else self._loop(node, open_, where)
                    )
                    settled = len(open_)
                case Chosen() | Looped():
                    open_ = self._together(node, open_, where)
                case Branched() | Stepped() | Awaited():
                    pass
        return open_, settled

    def _together(self, node: Chosen | Looped, open_: Interval, where: _Where) -> list[Occurrence]:
        """Sides one behind the other, and any round of a loop, without a barrier in them."""
        waited, found = self._waited, list(open_)
        where = replace(where, together=True)
        if isinstance(node, Looped):
            within = replace(where, own=node.clock if where.own is None else where.own)
            found, _ = self._nodes((*node.test, *node.body), found, within)
            self._waited = waited
        else:
            for arm, entry in zip(node.arms, node.entries, strict=True):
                if not entry.is_dead:
                    found, _ = self._nodes(arm, found, replace(where, context=entry))
                    self._waited = waited
        return found

    def _barrier(self, node: Barred, open_: Interval, where: _Where) -> list[Occurrence]:
        """Behind a barrier that a `break`, `continue` or `return` may lead past, accesses stay open for those who take it."""
        if not node.whole and node not in self._whole:
            raise Unordered("not all threads of a block may come to a barrier", node.span)
        needed = _beyond(node.mask, where.context)
        under_way = [one for one in open_ if one.pending is not None and not _waits_for(node, one)]
        overdue = [replace(one, passed=(), overdue=True) for one in under_way]
        if not needed:
            return overdue
        passed = Passed(needed, len(where.turns))
        rest = (occurrence for occurrence in open_ if occurrence not in under_way)
        return [*overdue, *(replace(occurrence, passed=(*occurrence.passed, passed)) for occurrence in rest)]

    def _choice(self, node: Chosen, open_: Interval, where: _Where) -> list[Occurrence]:
        waited, ways = self._waited, list[_Way]()
        for arm, entry in zip(node.arms, node.entries, strict=True):
            if not entry.is_dead:
                ways.append((self._side(arm, open_, replace(where, context=entry)), entry))
                self._waited = waited
        return _joined([_open_beside(way, open_, ways, where) for way in ways])

    def _loop(self, node: Looped, open_: Interval, where: _Where) -> list[Occurrence]:
        waited, nodes = self._waited, (*node.test, *node.body)
        if any(inner in self._steps for inner in walk(nodes) if isinstance(inner, Barred)):
            return self._carried(node, open_, where)
        if node.leaving is not Level.BLOCK:
            raise Unordered("threads may leave a loop with a barrier in different rounds", node.loop.span)
        goes_on = has_continue(node.loop)
        if not self._surely_waits(nodes, node.staying, goes_on):
            raise Unordered("a loop may go round without the barrier in it", node.loop.span)
        first = self._turned(where, node, FIRST)
        early, passing = self._side(nodes, open_, first), self._side(node.test, open_, first)
        left, depth = [passing, early], len(first.turns)
        for phase in (0,) if node.movers.parity is None else (0, 1):
            this, next_ = (self._turned(where, node, when, phase) for when in (THIS, NEXT))
            late = self._side(nodes, [], this)
            on = [o for o in late if goes_on or all(barrier.depth != depth for barrier in o.passed)]
            lasting = [_in_any_round(o, where, node) for o in _deferred(self._side(nodes, on, next_), this)]
            for still in (lasting, _deferred(early, where)):
                if still:
                    self._side(nodes, still, this)
            left += [late, self._side(node.test, on, next_), lasting]
        self._waited = waited
        return _joined(left)

    def _carried(self, node: Looped, open_: Interval, where: _Where) -> list[Occurrence]:
        """A loop with steps of a pipeline: rounds are walked until nothing is open that was made before the first one, or in this one."""
        waited, nodes, depth = self._waited, (*node.test, *node.body), len(where.turns)
        left: list[Sequence[Occurrence]] = []

        def follow(since: Interval, whens: Iterable[int], phase: int, mine: _Where | None) -> None:
            for when in whens:
                round_ = self._turned(where, node, when, phase)
                left.append(self._side(node.test, since, round_))
                behind = self._side(nodes, since, round_)
                since = [o for o in behind if (o.turns[: depth + 1] == (mine or round_).turns) is (mine is not None)]
                left.append(since)
                if not since:
                    return
            raise Unordered("what is done in a loop may be waited for more rounds later than are looked at", node.span)

        follow(open_, range(FIRST, FIRST - _MOST_ROUNDS, -1), 0, None)
        for phase in (0,) if node.movers.parity is None else (0, 1):
            this = self._turned(where, node, THIS, phase)
            left.append(self._side(nodes, [], this))
            follow(left[-1], range(NEXT, NEXT + _MOST_ROUNDS), phase, this)
        self._waited = waited
        return _joined(left)

    def _turned(self, where: _Where, node: Looped, when: int, phase: int = 0) -> _Where:
        turn = Turn(node.movers, node.clock, when, phase)
        return replace(where, turns=(*where.turns, turn), context=node.staying)

    def _orders(self, node: Node) -> bool:
        """Whether it is a barrier that all wait at between which races are looked for."""
        if self._scope is Scope.GRID:
            return isinstance(node, Barred) and node.scope is BarrierScope.GRID
        return isinstance(node, Barred) and (node.scope.is_whole or node in self._whole or node in self._steps)

    def _waits(self, nodes: Sequence[Node]) -> bool:
        return any(self._orders(node) for node in walk(nodes))

    def _surely_waits(self, nodes: Sequence[Node], context: Mask, goes_on: bool) -> bool:
        """Whether a barrier lies on every way through the nodes, that out of the loop aside. `goes_on`: a `continue` may lead past some."""
        for node in nodes:
            if isinstance(node, Chosen):
                sides = zip(node.arms, node.entries, strict=True)
                if all(entry.is_dead or self._surely_waits(arm, entry, goes_on) for arm, entry in sides):
                    return True
            elif isinstance(node, Barred) and self._orders(node) and not (goes_on and _beyond(node.mask, context)):
                return True
        return False


def _in_any_round(occurrence: Occurrence, where: _Where, loop: Looped) -> Occurrence:
    """What is deferred beyond the next round, as an access in a round that other threads know nothing of."""
    return replace(occurrence, own=loop.clock if occurrence.own is None else occurrence.own, turns=where.turns)


def _deferred(open_: Interval, where: _Where) -> list[Occurrence]:
    """Those that were made in this round and are still under way."""
    return [o for o in open_ if o.pending is not None and o.turns == where.turns]


def _waits_for(barrier: Barred, occurrence: Occurrence) -> bool:
    """Whether all are done with the copy behind an object, and it is bound to that."""
    return occurrence.bound is not None and barrier.part is not None and barrier.part.object == occurrence.bound


def _awaited(occurrence: Occurrence, node: Awaited, where: _Where, waited: Clock, left: int) -> Occurrence:
    """The access behind a commit or a wait, to which its thread surely comes, else as it was: what is done is as if it were made there.
    `waited`: how many barriers of the warp lie before; `left`: how many nodes are left to be walked."""
    same_round = occurrence.turns == where.turns and occurrence.own == where.own
    if occurrence.pending is None or (where.together and not same_round):
        return occurrence
    made = occurrence.event.mask
    known = () if where.context is None or where.together else where.context.literals
    if not implies(Mask(made.may, (*known, *made.literals) if same_round else known), node.mask):
        return occurrence
    if node.object is not None:
        return occurrence if occurrence.bound == node.object else replace(occurrence, bound=node.object, place=left)
    if node.left is None:
        return replace(occurrence, pending=occurrence.pending + 1)
    if occurrence.pending > node.left:
        return replace(occurrence, pending=None, overdue=False, waited=waited)
    return occurrence


def _beyond(mask: Mask, context: Mask | None) -> tuple[Literal, ...]:
    """What the block has found to be here, beyond what it has found on its way to the innermost side or loop around."""
    known = set() if context is None else {entry.content for entry in context.literals}
    return tuple(
        entry for entry in mask.literals if entry.content not in known and cond.open_level(entry.formula) is Level.BLOCK
    )


_Way = tuple[list[Occurrence], Mask]
"""The accesses that are open behind a side of a branch, and the threads that take it."""


def _open_beside(way: _Way, before: Interval, ways: Sequence[_Way], where: _Where) -> list[Occurrence]:
    """The accesses that are open behind one side; those from before the branch only if the block takes no side on which a barrier closes them."""
    earlier = {occurrence.key for occurrence in before}
    closing = [
        (Passed(_beyond(entry, where.context), len(where.turns)), {occurrence.key for occurrence in open_})
        for open_, entry in ways
    ]
    found = []
    for occurrence in way[0]:
        passed = [by for by, left in closing if occurrence.key in earlier and occurrence.key not in left]
        found.append(replace(occurrence, passed=(*occurrence.passed, *passed)) if passed else occurrence)
    return found


def _joined(ways: Sequence[Sequence[Occurrence]]) -> list[Occurrence]:
    """The accesses of several ways, each once, in order."""
    return sorted({o.key: o for way in ways for o in way}.values(), key=lambda o: -o.place)


def has_continue(loop: Loop) -> bool:
    """Whether a `continue` of this loop, and of no loop in it, stands in its body."""
    return _continues(loop.body)


def _continues(block: Block) -> bool:
    for stmt in block:
        match stmt:
            case Continue():
                return True
            case If(then=then, otherwise=otherwise) if _continues(then) or _continues(otherwise):
                return True
            case Switch(arms=arms) if any(_continues(arm.body) for arm in arms):
                return True
            case Inlined(body=body) if _continues(body):
                return True
            case _:
                pass
    return False
