"""From an interpretation to cost programs: one per class of warps that behave alike (DESIGN.md section 7).

The trace is walked once for all warps of the block; every tick is a vector with one entry per warp, and warps with equal
columns are one class.

**What is certain.**  `upper` ticks hold for every set of lanes that masks allow.  A `lower` tick is paid only if the event
surely happens with just the lanes of its mask: relative to a `base` mask, all of whose lanes are known to run in the warps
`sure`, an event is *settled* in a warp if no literal that was added since holds back a lane of it.  Where some lanes are not
held back, sectors and wavefronts are at least those of these lanes: they grow with the lanes.  On the way into an arm
that a warp enters as a whole, or into a round that it makes as a whole, the base moves on.

**Loops.**  A summarised loop counts k from 0 while k < T.  Where T depends on parameters only it is a parameter of the
program, standing for its expression; where it depends on the counters of enclosing loops (triangular nests) the guard is
the test itself, -1 - A - k*B >= 0.  Anything else is an upper figure, and the loop `may_stop` before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from analysis_core.cost.event_costs import Costs, EventCosts
from analysis_core.cost.loop_nests import LoopNests, LoopReadings
from analysis_core.cost.metric import Metric
from analysis_core.cost.program import (
    Affine,
    Arm,
    Assign,
    Branch,
    CostProgram,
    Parameter,
    Stmt,
    Tick,
    While,
    affine,
    numbered,
)
from analysis_core.cost.trip_parameters import Guard, TripParameters
from analysis_core.cost.warp_costs import WarpCosts
from analysis_core.domains.mask import Mask
from analysis_core.domains.shape import WARP, BoolVector, IntVector, some, some_nonzero, warps_with
from analysis_core.interp.events import Events
from analysis_core.interp.trace import Accessed, Branched, Chosen, Looped, Node, Stepped
from analysis_core.ir.nodes import Kernel
from analysis_core.support.facts import Assumption
from analysis_core.text.span import Span

Place = tuple[Span | None, str]
"""Where something costs, and its text."""


@dataclass(frozen=True, slots=True)
class WarpClass:
    """Warps of the block that pay alike.  `other`: a second program of them, in which loops without closed form are what the
    source says; both bound what the warps pay.  `assumptions`: what `other` rests on."""

    warps: tuple[int, ...]
    program: CostProgram
    other: CostProgram | None
    assumptions: tuple[Assumption, ...]


@dataclass(slots=True, eq=False)
class _Block:
    """Straight-line code: ticks per place and metric, and what is not straight."""

    ticks: dict[tuple[Place, Metric], Costs] = field(default_factory=dict)
    parts: list[_Arms | _Rounds] = field(default_factory=list)

    def pay(self, place: Place, metric: Metric, lower: IntVector, upper: IntVector) -> None:
        if not some_nonzero(upper):
            return
        known = self.ticks.get((place, metric))
        if known is not None:
            lower, upper = known.lower + lower, known.upper + upper
        self.ticks[place, metric] = Costs(lower, upper)


@dataclass(frozen=True, slots=True, eq=False)
class _Arms:
    """Of warps in `where`, each runs one of the arms that `possible[i]` allows it."""

    where: BoolVector
    possible: tuple[BoolVector, ...]
    arms: tuple[_Block, ...]
    span: Span | None


@dataclass(frozen=True, slots=True, eq=False)
class _Rounds:
    """`counter`: the name of k.  `guards`: per warp, how it goes on to round k (None: it never enters).  `sure`: warps that surely
    enter whole."""

    counter: str
    guards: tuple[Guard | None, ...]
    body: _Block
    node: Looped
    sure: BoolVector


@dataclass(frozen=True, slots=True, eq=False)
class _Reach:
    """Of a mask: the lanes that surely run, the warps in which all of them do, those in which one does at least, and those in
    which some do but perhaps not all."""

    running: BoolVector
    sure: BoolVector
    reached: BoolVector
    partly: BoolVector


@dataclass(frozen=True, slots=True, eq=False)
class _Base:
    """All lanes of `mask` run in the warps `sure`.  `some`: a mask, and warps in which one of its lanes runs at least, though
    it is not known which.  `known`: what was found out of masks, most of which come again with the next statement."""

    mask: Mask
    sure: BoolVector
    some: tuple[Mask, BoolVector] | None = None
    known: dict[Mask, _Reach] = field(default_factory=dict)

    def reach(self, mask: Mask) -> _Reach:
        """How surely the mask's lanes run."""
        found = self.known.get(mask)
        if found is None:
            found = self.known[mask] = self._reach(mask)
        return found

    def _reach(self, mask: Mask) -> _Reach:
        running = self.running(mask)
        sure = self.sure & ~warps_with(mask.may & ~running)
        here = reached = warps_with(running)
        if self.some is not None:
            runs, warps = self.some
            reached = here | (_Base(runs, warps).settled(mask) & ~warps_with(runs.may & ~mask.may))
        return _Reach(running, sure, reached, here & ~sure)

    def running(self, mask: Mask) -> BoolVector:
        """The lanes of `mask` that surely run."""
        same, known = {id(entry) for entry in self.mask.literals}, {entry.content for entry in self.mask.literals}
        open_lanes = np.zeros_like(mask.may)
        for entry in mask.literals:
            if id(entry) not in same and entry.content not in known:
                open_lanes = open_lanes | entry.scope
        return np.asarray(np.repeat(self.sure, WARP) & mask.may & ~open_lanes)

    def reached(self, mask: Mask) -> BoolVector:
        """The warps in which some lane of `mask` surely runs."""
        return self.reach(mask).reached

    def settled(self, mask: Mask) -> BoolVector:
        """The warps in which all lanes of `mask` surely run."""
        return self.reach(mask).sure


def warp_classes(
    kernel: Kernel, events: Events, found: EventCosts | None = None, readings: LoopReadings | None = None
) -> tuple[WarpClass, ...]:
    """The cost programs of the block's warps, the class of the first warp first.  `found`: what is known of the events;
    `readings`: of the kernel's loops, from other interpretations too."""
    readings = readings or LoopReadings(kernel)
    costs = WarpCosts(events, found or EventCosts.of(events))
    trips = TripParameters.of(events)
    everybody = Mask(events.shape.real)
    whole = warps_with(everybody.may)
    block = _Walk(events, costs, trips).block(events.trace, _Base(everybody, whole))
    classes: dict[tuple[Stmt, ...], list[int]] = {}
    for warp in range(len(whole)):
        classes.setdefault(_of_warps(block, (warp,), None), []).append(warp)

    def program(body: tuple[Stmt, ...]) -> CostProgram:
        return numbered(CostProgram(_used(trips.parameters(), body), body, trips.facts))

    def warp_class(body: tuple[Stmt, ...], warps: tuple[int, ...]) -> WarpClass:
        nests = LoopNests(readings, costs, trips)
        other = _of_warps(block, warps, nests)
        second = None if other == body else program(other)
        return WarpClass(warps, program(body), second, tuple(nests.assumptions.values()))

    return tuple(warp_class(body, tuple(warps)) for body, warps in classes.items())


def _used(parameters: Sequence[Parameter], body: tuple[Stmt, ...]) -> tuple[Parameter, ...]:
    names = set(_names(body))
    return tuple(p for p in parameters if p.name in names)


def _names(body: tuple[Stmt, ...]) -> list[str]:
    found: list[str] = []
    for stmt in body:
        match stmt:
            case Assign(value=value):
                found += [name for name, _ in value.terms]
            case While(guard, inner):
                found += [name for part in guard for name, _ in part.terms] + _names(inner)
            case Branch(arms):
                for arm in arms:
                    found += [name for part in arm.guard for name, _ in part.terms] + _names(arm.body)
            case _:
                pass
    return found


# --- the walk -----------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _Walk:
    events: Events
    costs: WarpCosts
    trips: TripParameters

    def block(self, nodes: Sequence[Node], base: _Base) -> _Block:
        result = _Block()
        self.extend(result, nodes, base)
        return result

    def extend(self, block: _Block, nodes: Sequence[Node], base: _Base) -> None:
        for node in nodes:
            match node:
                case Accessed(index):
                    self._access(block, index, base)
                case Branched(index):
                    self._branch(block, index, base)
                case Stepped(mask, least, most):
                    here, sure = warps_with(mask.may), base.reach(mask).reached
                    block.pay((None, ""), Metric.STEPS, least * sure.astype(np.int64), most * here.astype(np.int64))
                case Chosen():
                    self._choice(block, node, base)
                case Looped():
                    self._loop(block, node, base)

    def _access(self, block: _Block, index: int, base: _Base) -> None:
        event = self.events.accesses[index]
        reach = base.reach(event.mask)
        place = (event.access.span, event.access.text)
        for metric, found in self.costs.access(index).items():
            lower = found.lower * reach.sure
            if metric not in (Metric.SECTORS, Metric.WAVEFRONTS):
                block.pay(place, metric, lower, found.upper)
                continue
            if some(reach.partly):
                lower = lower + self.costs.of_lanes(index, reach.running) * reach.partly
            # Any lane that runs pays for a request, and that for one sector or wavefront.
            lower = np.maximum(lower, (found.upper > 0) & reach.reached)
            block.pay(place, metric, lower, found.upper)
            block.pay(place, Metric.STEPS, lower, found.upper)

    def _branch(self, block: _Block, index: int, base: _Base) -> None:
        event = self.events.branches[index]
        if event.iteration is None:
            splits = self.costs.branch(index).splits
            sure = (
                self.costs.sure_splits(index, base.mask)
                if some_nonzero(splits.upper) and some(base.sure)
                else splits.lower
            )
            block.pay((event.span, ""), Metric.DIVERGENCES, sure * base.sure, splits.upper)

    def _choice(self, block: _Block, node: Chosen, base: _Base) -> None:
        possible = tuple(warps_with(entry.may) for entry in node.entries)
        several = np.sum(possible, axis=0) > 1
        whole = self.costs.branch(node.branch).whole if node.branch is not None else ~several
        apart = np.asarray(several & whole)
        if some(apart):
            sure = base.settled(node.before) & apart
            arms = tuple(
                self.block(nodes, _Base(entry, sure)) for nodes, entry in zip(node.arms, node.entries, strict=True)
            )
            span = self.events.branches[node.branch].span if node.branch is not None else None
            block.parts.append(_Arms(apart, possible, arms, span))
        if some(~apart & np.any(possible, axis=0)):
            inner = _Block()
            both = self._surely_both(node, base)
            for nodes, entry in zip(node.arms, node.entries, strict=True):
                self.extend(inner, nodes, base if both is None else replace(base, some=(entry, both)))
            _add(block, inner, ~apart)

    def _surely_both(self, node: Chosen, base: _Base) -> BoolVector | None:
        """The warps that surely run both arms of an `if`."""
        if node.branch is None or len(node.arms) != 2 or not some(base.sure):
            return None
        if len(self.events.branches[node.branch].conditions) > 1:
            return None
        both = np.asarray((self.costs.sure_splits(node.branch, base.mask) > 0) & base.sure)
        return both if some(both) else None

    def _loop(self, block: _Block, node: Looped, base: _Base) -> None:
        counter = self.trips.enter(node)
        here = warps_with(node.before.may)
        sure = base.settled(node.before)
        self.extend(block, node.test, base)
        self.extend(block, node.body[: node.lead], _Base(node.before, base.sure & False))
        whole = here
        if node.branch is not None:
            found = self.costs.branch(node.branch)
            event = self.events.branches[node.branch]
            block.pay((event.span, ""), Metric.DIVERGENCES, 0 * found.splits.upper, found.splits.upper)
            whole = found.whole
        body = self._round(node, base, sure, whole)
        block.parts.append(_Rounds(counter, self.trips.guards(node, here), body, node, sure))

    def _round(self, node: Looped, base: _Base, sure: BoolVector, whole: BoolVector) -> _Block:
        """What a round costs that runs to its end.  `whole`: the warps that the test never divides.  Where all lanes of a warp leave together,
        nobody has left in such a round by the first `lead` nodes."""
        lead = node.body[: node.lead] if node.all else ()
        for inner in lead:
            if isinstance(inner, Branched):
                whole = whole & self.costs.branch(inner.index).whole
        whole = whole & (bool(node.all) or not node.leaves)
        reached = base.some and base.reached(node.before) & whole
        staying, passed = (
            _Base(mask, sure & whole, None if reached is None else (mask, reached))
            for mask in (node.staying, node.passed or node.staying)
        )
        body = _Block()
        if lead:
            _add(body, self.block([_passed(inner) for inner in lead], staying), whole)
            _add(body, self.block(lead, staying), ~whole)
        self.extend(body, node.body[len(lead) :], passed if lead else staying)
        self.extend(body, node.test, staying)
        return body


def _passed(node: Node) -> Node:
    """A branch by which nobody leaves."""
    return replace(node, arms=((), *node.arms[1:])) if isinstance(node, Chosen) else node


def _add(block: _Block, inner: _Block, where: BoolVector) -> None:
    """The inner block's costs, for the warps of `where`."""
    for (place, metric), costs in inner.ticks.items():
        block.pay(place, metric, costs.lower * where, costs.upper * where)
    for part in inner.parts:
        match part:
            case _Arms(rows, possible, arms, span):
                block.parts.append(_Arms(rows & where, possible, arms, span))
            case _Rounds(counter, guards, body, node, sure):
                kept = tuple(g if w else None for g, w in zip(guards, where.tolist(), strict=True))
                block.parts.append(_Rounds(counter, kept, body, node, sure))


# --- one class ----------------------------------------------------------------------------------------------------


def _of_warps(block: _Block, warps: Sequence[int], nests: LoopNests | None) -> tuple[Stmt, ...]:
    """The program of warps that pay alike; with `nests`, loops without closed form are as the source says, where that
    promises something."""
    warp = warps[0]
    ticks: dict[Place, list[tuple[str, int, int]]] = {}
    for (place, metric), costs in block.ticks.items():
        if costs.upper[warp]:
            ticks.setdefault(place, []).append((metric.value, int(costs.lower[warp]), int(costs.upper[warp])))
    stmts: list[Stmt] = [Tick(tuple(costs), span, text) for (span, text), costs in ticks.items()]
    for part in block.parts:
        match part:
            case _Arms(where, possible, arms, span) if where[warp]:
                bodies = [_of_warps(arm, warps, nests) for arm, rows in zip(arms, possible, strict=True) if rows[warp]]
                if any(bodies):
                    stmts.append(Branch(tuple(Arm((), body) for body in bodies), span))
            case _Rounds() if (guard := part.guards[warp]) is not None:
                stmts += _loop_of_warps(part, guard, warps, nests)
            case _:
                pass
    return tuple(stmts)


def _loop_of_warps(part: _Rounds, guard: Guard, warps: Sequence[int], nests: LoopNests | None) -> tuple[Stmt, ...]:
    if nests is not None and not _is_closed(part, guard, warps[0]):
        own = nests.program(part.node, warps, all(bool(part.sure[w]) for w in warps))
        if own is not None:
            return own
    inner = _of_warps(part.body, warps, nests)
    if not inner:
        return ()
    one_more = Assign(part.counter, affine(1, {part.counter: 1}))
    return Assign(part.counter, Affine(0)), While(guard.parts, (*inner, one_more), part.node.span, guard.may_stop)


def _is_closed(part: _Rounds, guard: Guard, warp: int) -> bool:
    """Whether the trip counts of the loop and of those inside of it are known."""
    pending: list[_Block] = [part.body]
    if not guard.closed:
        return False
    while pending:
        for inner in pending.pop().parts:
            match inner:
                case _Arms(where, _, arms, _) if where[warp]:
                    pending.extend(arms)
                case _Rounds(_, guards, body, _, _) if (found := guards[warp]) is not None:
                    if not found.closed:
                        return False
                    pending.append(body)
                case _:
                    pass
    return True
