"""From an interpretation to cost programs: one per class of warps that behave alike (docs/decisions/07-cost-programs-and-certificates.md).

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
from dataclasses import field, replace

import numpy as np

from analysis_core.bounds.block_costs import Arms, Block, Rounds
from analysis_core.bounds.block_phases import phases_of
from analysis_core.bounds.class_program import program_of
from analysis_core.bounds.loop_nests import LoopNests, LoopReadings
from analysis_core.bounds.program import Assign, Branch, CostProgram, Parameter, Stmt, While, numbered
from analysis_core.bounds.slices import Decided, decided_by, plain
from analysis_core.bounds.trip_parameters import TripParameters
from analysis_core.bounds.warp_costs import WarpCosts
from analysis_core.domains.mask import Mask
from analysis_core.domains.shape import WARP, BoolVector, IntVector, some, some_nonzero, warps_with
from analysis_core.expressions.metric import Metric
from analysis_core.interp.core.events import AccessEvent, BranchEvent, Events
from analysis_core.interp.core.exact_expressions import exact_expression
from analysis_core.interp.core.trace import Accessed, Awaited, Barred, Branched, Chosen, Looped, Node, Stepped, walk
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import Space
from analysis_core.machine.latencies import LATENCIES
from analysis_core.machine.sizes import is_of_threads
from analysis_core.requests.event_costs import EventCosts
from analysis_core.support.facts import Assumption
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


@dataclass(frozen=True, slots=True)
class WarpClass:
    """Warps of the block that pay alike.  `other`: a second program of them, in which loops without closed form are what the
    source says; both bound what the warps pay.  `assumptions`: what `other` rests on."""

    warps: tuple[int, ...]
    program: CostProgram
    other: CostProgram | None
    assumptions: tuple[Assumption, ...]


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
    return BlockPrograms.of(kernel, events, found, readings).classes()


@dataclass(frozen=True, slots=True, eq=False)
class BlockPrograms:
    """What the warps of a block pay, from which cost programs are read off."""

    block: Block
    warps: int
    costs: WarpCosts
    trips: TripParameters
    readings: LoopReadings

    @staticmethod
    def of(
        kernel: Kernel,
        events: Events,
        found: EventCosts | None = None,
        readings: LoopReadings | None = None,
        part: Span | None = None,
    ) -> BlockPrograms:
        """`part`: of nothing but what stands in this text, or is called from there."""
        costs = WarpCosts(events, found or EventCosts.of(events))
        trips = TripParameters.of(events)
        everybody = Mask(events.shape.real)
        whole = warps_with(everybody.may)
        block = _Walk(events, costs, trips, part).block(events.trace, _Base(everybody, whole))
        return BlockPrograms(block, len(whole), costs, trips, readings or LoopReadings(kernel))

    def classes(self) -> tuple[WarpClass, ...]:
        """The classes of warps that pay alike, the class of the first warp first, as `warp_classes` gives them."""
        classes: dict[tuple[Stmt, ...], list[int]] = {}
        for warp in range(self.warps):
            classes.setdefault(program_of(self.block, (warp,), None, self.trips), []).append(warp)
        return tuple(self._class(body, tuple(warps)) for body, warps in classes.items())

    def phases(self) -> tuple[tuple[CostProgram, ...], ...]:
        """For each phase between barriers the programs, in latencies, of which every warp runs one (block_phases.py)."""
        found = phases_of(self.block, self.warps)
        return tuple(tuple(self._program(body) for body in bodies) for bodies in found)

    def _class(self, body: tuple[Stmt, ...], warps: tuple[int, ...]) -> WarpClass:
        nests = LoopNests(self.readings, self.costs, self.trips)
        other = program_of(self.block, warps, nests, self.trips)
        second = None if other == body else self._program(other)
        return WarpClass(warps, self._program(body), second, tuple(nests.assumptions.values()))

    def _program(self, body: tuple[Stmt, ...]) -> CostProgram:
        body = plain(body)
        return numbered(CostProgram(_used(self.trips.parameters(), body), body, self.trips.facts))


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
    part: Span | None = None

    def counts(self, event: AccessEvent | BranchEvent) -> bool:
        """Whether what an event costs is paid for here."""
        if self.part is None:
            return True
        span, via = (event.span, event.via) if isinstance(event, BranchEvent) else (event.access.span, event.access.via)
        return any(self.part.encloses(one) for one in (span, *via))

    def block(self, nodes: Sequence[Node], base: _Base) -> Block:
        result = Block()
        self.extend(result, nodes, base)
        return result

    def extend(self, block: Block, nodes: Sequence[Node], base: _Base) -> None:
        for node in nodes:
            match node:
                case Accessed(index):
                    self._access(block, index, base)
                case Branched(index):
                    self._branch(block, index, base)
                case Stepped(mask, least, most, operations):
                    if self.part is None:
                        here, sure = warps_with(mask.may), base.reach(mask).reached
                        upper = most * here.astype(np.int64)
                        block.pay((None, ""), Metric.STEPS, least * sure.astype(np.int64), upper)
                        block.wait(LATENCIES.step * upper)
                    for name, low, high in operations:
                        self._operation(block, name, mask, base, low, high)
                case Barred(scope=scope):
                    if scope.is_whole:
                        block.cut()
                case Awaited():
                    pass
                case Chosen():
                    self._choice(block, node, base)
                case Looped():
                    self._loop(block, node, base)

    def _operation(self, block: Block, name: str, mask: Mask, base: _Base, low: int, high: int) -> None:
        """Ticks of an operation that the threads of `mask` do: of each thread, or once of a warp."""
        if is_of_threads(name):
            block.pay((None, ""), name, low * _lanes(base.reach(mask).running), high * _lanes(mask.may))
        else:
            block.pay((None, ""), name, low * base.reach(mask).reached, high * warps_with(mask.may))

    def _access(self, block: Block, index: int, base: _Base) -> None:
        event = self.events.accesses[index]
        if not self.counts(event):
            return
        for name, number in self.events.operations_of(event):
            self._operation(block, name, event.mask, base, number, number)
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
            block.wait(LATENCIES.of_requests(found.upper, event.space is Space.SHARED))

    def _branch(self, block: Block, index: int, base: _Base) -> None:
        event = self.events.branches[index]
        if event.iteration is None and self.counts(event):
            splits = self.costs.branch(index).splits
            sure = (
                self.costs.sure_splits(index, base.mask)
                if some_nonzero(splits.upper) and some(base.sure)
                else splits.lower
            )
            block.pay((event.span, ""), Metric.DIVERGENCES, sure * base.sure, splits.upper)

    def _choice(self, block: Block, node: Chosen, base: _Base) -> None:
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
            decided = self._decided(node)
            block.add_part(Arms(apart, possible, arms, span, decided), any(arm.barred for arm in arms))
        if some(~apart & np.any(possible, axis=0)):
            inner = Block()
            both = self._surely_both(node, base)
            for nodes, entry in zip(node.arms, node.entries, strict=True):
                self.extend(inner, nodes, base if both is None else replace(base, some=(entry, both)))
            block.add(inner, ~apart)

    def _decided(self, node: Chosen) -> Decided | None:
        """In which rounds of a loop each side of an `if` is run."""
        conditions = self.events.branches[node.branch].conditions if node.branch is not None else ()
        lanes = node.before.may
        if len(node.arms) != 2 or len(conditions) != 1 or some(lanes & ~conditions[0].undecided):
            return None
        return decided_by(
            conditions[0],
            self.trips.counters,
            self.events.derivations,
            lambda poly: exact_expression(poly, self.trips.known, lanes),
        )

    def _surely_both(self, node: Chosen, base: _Base) -> BoolVector | None:
        """The warps that surely run both arms of an `if`."""
        if node.branch is None or len(node.arms) != 2 or not some(base.sure):
            return None
        if len(self.events.branches[node.branch].conditions) > 1:
            return None
        both = np.asarray((self.costs.sure_splits(node.branch, base.mask) > 0) & base.sure)
        return both if some(both) else None

    def _loop(self, block: Block, node: Looped, base: _Base) -> None:
        counter = self.trips.enter(node)
        barred = any(isinstance(inner, Barred) and inner.scope.is_whole for inner in walk(node.body))
        if barred:
            block.cut()
        here = warps_with(node.before.may)
        sure = base.settled(node.before)
        self.extend(block, node.test, base)
        self.extend(block, node.body[: node.lead], _Base(node.before, base.sure & False))
        whole = here
        if node.branch is not None:
            found = self.costs.branch(node.branch)
            event = self.events.branches[node.branch]
            if self.counts(event):
                block.pay((event.span, ""), Metric.DIVERGENCES, 0 * found.splits.upper, found.splits.upper)
            whole = found.whole
        body = self._round(node, base, sure, whole)
        block.add_part(Rounds(counter, self.trips.guards(node, here), body, node, sure), barred)

    def _round(self, node: Looped, base: _Base, sure: BoolVector, whole: BoolVector) -> Block:
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
        body = Block()
        if lead:
            body.add(self.block([_passed(inner) for inner in lead], staying), whole)
            body.add(self.block(lead, staying), ~whole)
        self.extend(body, node.body[len(lead) :], passed if lead else staying)
        self.extend(body, node.test, staying)
        return body


def _lanes(lanes: BoolVector) -> IntVector:
    """How many of each warp there are."""
    return np.asarray(lanes.reshape(-1, WARP).sum(axis=1, dtype=np.int64))


def _passed(node: Node) -> Node:
    """A branch by which nobody leaves."""
    return replace(node, arms=((), *node.arms[1:])) if isinstance(node, Chosen) else node
