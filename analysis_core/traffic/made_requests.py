"""The requests that compilers make of the accesses of straight-line code: fewer and wider ones than the source has.

Costs and bounds count the requests as the source has them (docs/hardware.md).  A finding that speaks of requests which are in no machine code
helps nobody, so findings go by what is found here, for each execution of an access:

  * it is *left out*: its element was loaded or stored before, by the lanes that load it, and no store since may be to it (whatever stands
    between, if these lanes have stored it: interp/core/just_stored.py); or it stores what is stored over before anything may read it;
  * it is *joined* with those beside it to one of 4, 8 or 16 bytes (joined_requests.py).

All that holds within one stretch of straight-line code (straight_lines.py).  What a `__restrict__` pointer leads to, by which nobody writes, is still
known behind what lets other threads in: they do not write it either.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import field

from analysis_core.domains.mask import Mask
from analysis_core.interp.core.events import AccessEvent, AccessKind, Events
from analysis_core.interp.core.trace import Accessed, Branched, Chosen, Looped, Node
from analysis_core.ir.nodes import AccessId, Kernel, LoopKind
from analysis_core.ir.straight_lines import StraightLines
from analysis_core.ir.types import Space
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span
from analysis_core.traffic.addresses import covers, exclude
from analysis_core.traffic.compiled_memory import Member, Memory, Op, members_of, op_of
from analysis_core.traffic.joined_requests import Joiner

Made = Mapping[AccessEvent, AccessEvent | None]
"""What is made instead of an execution: a wider one, or nothing.  Others are made as they are."""

_MOST = 64
"""Accesses between two of one element that are looked at."""

_MOST_EXECUTIONS = 8192

_COUNTED = (Space.GLOBAL, Space.SHARED, Space.UNKNOWN)


def made_requests(kernel: Kernel, events: Events, lines: StraightLines) -> Made:
    """What compilers make otherwise than the source has it.  `lines`: of this kernel."""
    if len(events.accesses) > _MOST_EXECUTIONS:
        return {}
    maker = _Maker(kernel, events, lines, dict(members_of(kernel)), Memory.of(kernel))
    maker.walk(events.trace)
    maker.forget()
    maker.part_what_some_rounds_join()
    return maker.made


@dataclass(slots=True)
class _Maker:
    """Goes through the executions in order.  `run`: those since a stretch of straight-line code began.  `known`: by element, for whom it
    is in a register, and how many stores there were before; `constant`: the same of what nobody writes; `pending`: the last store to it, and how many loads there were.  `rolled`: loops that are not unrolled."""

    kernel: Kernel
    events: Events
    lines: StraightLines
    members: Mapping[AccessId, Member]
    memory: Memory
    made: dict[AccessEvent, AccessEvent | None] = field(default_factory=dict)
    run: list[Op] = field(default_factory=list)
    known: dict[Hashable, list[tuple[Mask, int]]] = field(default_factory=dict)
    constant: dict[Hashable, list[tuple[Mask, int]]] = field(default_factory=dict)
    pending: dict[Hashable, tuple[Op, int]] = field(default_factory=dict)
    loads: list[Op] = field(default_factory=list)
    stores: list[Op] = field(default_factory=list)
    stretch: int | None = None
    joiner: Joiner = field(init=False)
    rolled: set[Span] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.joiner = Joiner(self.memory, self.made)

    def walk(self, nodes: Iterable[Node]) -> None:
        """Takes the executions of these nodes."""
        for node in nodes:
            match node:
                case Accessed(index=index):
                    self._take(self.events.accesses[index])
                case Branched(index=index):
                    branch = self.events.branches[index]
                    if not isinstance(branch.kind, LoopKind):
                        self._end(any(branch.work))
                    elif branch.whole not in self.lines.unrolled:
                        self.rolled.add(branch.whole)
                        self.forget()
                case Chosen(arms=arms):
                    for arm in arms:
                        self._end(bool(arm))
                        self.walk(arm)
                    self._end(any(arms))
                case Looped(test=test, body=body):
                    for part in (test, body):
                        self.forget()
                        self.walk(part)
                    self.forget()
                case _:
                    pass

    def forget(self) -> None:
        """Memory may be anything from here on, and places others than they were."""
        self._let_others_in()
        self.constant.clear()

    def _let_others_in(self) -> None:
        """Memory that somebody writes may be anything from here on."""
        self._end(True)
        for table in (self.known, self.pending):
            table.clear()
        self.loads, self.stores = [], []

    def _end(self, ends: bool) -> None:
        """The end of a stretch without branches."""
        if ends and self.run:
            self.joiner.join([op for op in self.run if self.made.get(op.source, op) is not None])
            self.run = []

    def _take(self, event: AccessEvent) -> None:
        stretch = self.lines.stretches.get(event.access.id)
        if stretch != self.stretch or stretch is None:
            self._let_others_in()
            self.stretch = stretch
        if event.space not in _COUNTED or event.access.volatile or event.kind is AccessKind.ATOMIC:
            return
        if event.own:
            self.made[event] = None
            return
        op = op_of(event, self.members.get(event.access.id))
        if self._load(op) if op.is_load else self._store(op):
            self.run.append(op)

    def _load(self, op: Op) -> bool:
        """Whether it is made."""
        mask, is_constant = op.event.mask, op.event.base in self.memory.constant
        earlier = (self.constant if is_constant else self.known).setdefault(op.element, [])
        if any(
            covers(before, mask) and (is_constant or self._keep(self.stores[since:], op)) for before, since in earlier
        ):
            self.made[op.source] = None
            return False
        earlier.append((mask, len(self.stores)))
        self.loads.append(op)
        return True

    def _keep(self, stores: Sequence[Op], op: Op) -> bool:
        """Whether an element stays what it was, in spite of these stores, for the threads that ask for it."""
        return len(stores) <= _MOST and not any(
            self.memory.may_alias(store, op) and not exclude(store.event.mask, op.event.mask) for store in stores
        )

    def _store(self, op: Op) -> bool:
        before, since = self.pending.get(op.element, (None, 0))
        counted = op.event.held is None or (before is not None and op.event.held == before.event.held)
        if (
            before is not None
            and counted
            and before.source not in self.made
            and covers(op.event.mask, before.event.mask)
        ):
            between = self.loads[since:]
            if len(between) <= _MOST and not any(self.memory.may_alias(before, load) for load in between):
                self.made[before.source] = None
        self.pending[op.element] = op, len(self.loads)
        self.stores.append(op)
        self.known[op.element] = [(op.event.mask, len(self.stores))]
        return True

    def part_what_some_rounds_join(self) -> None:
        """Undoes joins in loops that are not unrolled, unless every round makes them: `p[step * t]` and `p[step * t + step - 1]` are one piece
        of code, though the last step is 2."""
        while parted := self._parted():
            dropped = [window for window in self.joiner.windows if not parted.isdisjoint(window)]
            self.joiner.windows = [window for window in self.joiner.windows if parted.isdisjoint(window)]
            for event in (event for window in dropped for event in window):
                self.made.pop(event, None)

    def _parted(self) -> set[AccessEvent]:
        """What is joined with an access that is made alone in another round."""
        alone = {
            event.access.id
            for event in (self.events.accesses if self.joiner.windows and self.rolled else ())
            if event not in self.made and any(loop.encloses(event.access.span) for loop in self.rolled)
        }
        return {
            event for window in self.joiner.windows if any(e.access.id in alone for e in window) for event in window
        }
