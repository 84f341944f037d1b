"""The requests that compilers make of the accesses of straight-line code: fewer and wider ones than the source has.

Costs and bounds count the requests as the source has them (docs/hardware.md).  A finding that speaks of requests which are in no machine code
helps nobody, so findings go by what is found here, for each execution of an access:

  * it is *left out*: its element was loaded or stored before, by the lanes that load it, and no store since may be to it (whatever stands
    between, if these lanes have stored it: interp/core/just_stored.py); or it stores what is stored over before anything may read it;
  * it is *joined* with those beside it, which tile an aligned window of 4, 8 or 16 bytes: one request of that width is made instead.

What nvcc joins was read off its code.  Members of an aligned record (`float2`, `__align__(8)`), whose alignment the type says: no access
that may be to one of them stands in between; different members of one record type are never the same.  Elements of shared arrays of 4 or 8
bytes: nothing is stored to shared memory between loads, nothing else loaded or stored there between stores (of `a[0] = .., b[0] = .., a[1] = ..,
b[1] = ..` none are joined), and the array is known to lie at such addresses.  Of a window of four, three that are loaded are loaded as four.  Elements behind `float *` are never joined: nobody knows where
they begin, not even where the pointer was cast from `float4 *`.

All that holds within one stretch of straight-line code (straight_lines.py).  What a `__restrict__` pointer leads to, by which nobody writes, is still
known behind what lets other threads in: they do not write it either.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import gcd

from analysis_core.domains import polynomial as pl
from analysis_core.domains.congruence import known_residue
from analysis_core.domains.mask import Mask
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import some
from analysis_core.domains.symbol import Symbol, SymbolKind
from analysis_core.interp.core.events import AccessEvent, AccessKind, Events
from analysis_core.interp.core.roots import find_roots
from analysis_core.interp.core.trace import Accessed, Branched, Chosen, Looped, Node
from analysis_core.ir.layout import shared_alignment
from analysis_core.ir.nodes import AccessId, Cast, Const, Expr, Kernel, Load, LoopKind, PtrAdd, Store
from analysis_core.ir.straight_lines import StraightLines
from analysis_core.ir.types import ArrayType, PointerType, Space, StructType
from analysis_core.ir.walk import statements_of
from analysis_core.machine.shared_memory import WORD_BYTES
from analysis_core.text.span import Span
from analysis_core.traffic.addresses import covers, exclude, split_address

Made = Mapping[AccessEvent, AccessEvent | None]
"""What is made instead of an execution: a wider one, or nothing.  Others are made as they are."""

_WIDTHS = (16, 8, 4)
"""Bytes of a lane that one request may move."""

_MOST = 64
"""Accesses between two of one element, and those of a group, that are looked at."""

_MOST_GROUPS = 16
"""Groups of accesses that wait to be joined: each access is held against all of them."""

_MOST_EXECUTIONS = 8192

_COUNTED = (Space.GLOBAL, Space.SHARED, Space.UNKNOWN)


@dataclass(frozen=True, slots=True)
class _Member:
    """What an access moves of a record: `start` bytes behind its beginning, if that is known."""

    record: StructType
    start: int | None


@dataclass(frozen=True, slots=True, eq=False)
class _Op:
    """An execution, made (`event`) for one of the source.  `rest`: its address but for a constant of `offset` bytes."""

    source: AccessEvent
    event: AccessEvent
    rest: Hashable
    offset: int
    base: Symbol | None
    member: _Member | None

    @property
    def width(self) -> int:
        return self.event.access.width

    @property
    def element(self) -> Hashable:
        """Equal for executions that move the same bytes."""
        return (self.event.space, self.rest, self.offset, self.width, self.event.times)

    @property
    def is_load(self) -> bool:
        return self.event.kind is AccessKind.READ


@dataclass(frozen=True, slots=True, eq=False)
class _Frame:
    """A way in which executions may be joined: alike but for their places; `start`: where a window of `align` bytes begins."""

    key: Hashable
    align: int
    start: int
    last: bool  # only the last of four may be left out


@dataclass(slots=True)
class _Waiting:
    """Executions that may be joined.  `stores`: how many stores there were before the first of them."""

    frame: _Frame
    stores: int
    ops: list[_Op] = field(default_factory=list)


def made_requests(kernel: Kernel, events: Events, lines: StraightLines) -> Made:
    """What compilers make otherwise than the source has it.  `lines`: of this kernel."""
    if len(events.accesses) > _MOST_EXECUTIONS:
        return {}
    maker = _Maker(kernel, events, lines, dict(_members(kernel)), _Memory.of(kernel))
    maker.walk(events.trace)
    maker.forget()
    maker.part_what_some_rounds_join()
    return maker.made


@dataclass(frozen=True, slots=True)
class _Memory:
    """What is known of a kernel's memory.  `restrict`: names of pointers that alone lead to theirs, `constant`: of these, by which nobody writes;
    `shared`: by name, how arrays in shared memory are aligned."""

    restrict: frozenset[str]
    constant: frozenset[str]
    shared: Mapping[str, int]

    @staticmethod
    def of(kernel: Kernel) -> _Memory:
        roots = find_roots(kernel)
        restricted = [number for number in kernel.parameters if kernel.variables[number].is_restrict]
        objects = frozenset(found.name for found in kernel.objects)
        # An execution is known by the name of what it is of: those of arrays are none of a pointer.
        restrict = frozenset(kernel.variables[number].name for number in restricted) - objects
        written = frozenset(kernel.variables[number].name for number in restricted if roots.may_write(number))
        arrays = [found for found in kernel.objects if found.space is Space.SHARED]
        shared: dict[str, int] = {}
        for found in arrays:
            align = shared_alignment(found.type, (other.type for other in arrays))
            shared[found.name] = min(align, shared.get(found.name, align))
        return _Memory(restrict, restrict - written, shared)

    def may_alias(self, one: _Op, other: _Op) -> bool:
        """Whether both may be of one byte, as far as a compiler knows."""
        a, b = one.event, other.event
        if a.space is not b.space and Space.UNKNOWN not in (a.space, b.space):
            return False
        if one.rest == other.rest:
            return one.offset < other.offset + other.width and other.offset < one.offset + one.width
        if one.base is not None and other.base is not None and one.base is not other.base:
            if a.space is Space.SHARED or a.base in self.restrict or b.base in self.restrict:
                return False
        return not _are_other_members(one, other)


def _are_other_members(one: _Op, other: _Op) -> bool:
    """Whether they are different members of one type of records."""
    a, b = one.member, other.member
    if a is None or b is None or a.start is None or b.start is None or a.record.name != b.record.name:
        return False
    return a.start + one.width <= b.start or b.start + other.width <= a.start


@dataclass(slots=True)
class _Maker:
    """Goes through the executions in order.  `run`: those since a stretch of straight-line code began.  `known`: by element, for whom it
    is in a register, and how many stores there were before; `constant`: the same of what nobody writes; `pending`: the last store to it, and how many loads there were.  `windows`: what
    was joined; `rolled`: loops that are not unrolled."""

    kernel: Kernel
    events: Events
    lines: StraightLines
    members: Mapping[AccessId, _Member]
    memory: _Memory
    made: dict[AccessEvent, AccessEvent | None] = field(default_factory=dict)
    run: list[_Op] = field(default_factory=list)
    known: dict[Hashable, list[tuple[Mask, int]]] = field(default_factory=dict)
    constant: dict[Hashable, list[tuple[Mask, int]]] = field(default_factory=dict)
    pending: dict[Hashable, tuple[_Op, int]] = field(default_factory=dict)
    loads: list[_Op] = field(default_factory=list)
    stores: list[_Op] = field(default_factory=list)
    stretch: int | None = None
    windows: list[tuple[AccessEvent, ...]] = field(default_factory=list)
    rolled: set[Span] = field(default_factory=set)

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
            run = [op for op in self.run if self.made.get(op.source, op) is not None]
            self.run = []
            run = self._joined(run, _frame_of_record, self._between_members)
            self._joined(run, self._frame_of_shared, _between_words)

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
        op = _op(event, self.members.get(event.access.id))
        if self._load(op) if op.is_load else self._store(op):
            self.run.append(op)

    def _load(self, op: _Op) -> bool:
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

    def _keep(self, stores: Sequence[_Op], op: _Op) -> bool:
        """Whether an element stays what it was, in spite of these stores, for the threads that ask for it."""
        return len(stores) <= _MOST and not any(
            self.memory.may_alias(store, op) and not exclude(store.event.mask, op.event.mask) for store in stores
        )

    def _store(self, op: _Op) -> bool:
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

    # --- joining ---

    def _joined(
        self, run: Sequence[_Op], frame_of: Callable[[_Op], _Frame | None], ends: Callable[[_Op, Sequence[_Op]], bool]
    ) -> list[_Op]:
        """The executions of a stretch after joining, those joined where the first of them stands."""
        groups: dict[Hashable, _Waiting] = {}
        stored = (op for op in run if not op.is_load and op.event.space in (Space.SHARED, Space.UNKNOWN))
        turns = {op: turn for turn, op in enumerate(stored)}
        wide: dict[_Op, _Op | None] = {}
        stores: list[_Op] = []

        def close(key: Hashable) -> None:
            group = groups.pop(key)
            for first, others in _tiled(group.frame, group.ops, turns):
                wide.update(dict.fromkeys(others))
                wide.update(dict([first]))
                self.windows.append(tuple(op.source for op in (first[0], *others)))

        for op in run:
            for key in [key for key, group in groups.items() if ends(op, group.ops)]:
                close(key)
            frame = frame_of(op)
            if frame is not None:
                if op.is_load and frame.key in groups:
                    since = stores[groups[frame.key].stores :]
                    if any(self.memory.may_alias(store, op) for store in since):
                        close(frame.key)  # it cannot be loaded before what is stored to it
                groups.setdefault(frame.key, _Waiting(frame, len(stores))).ops.append(op)
                if len(groups[frame.key].ops) >= _MOST:
                    close(frame.key)
                elif len(groups) > _MOST_GROUPS:
                    close(next(iter(groups)))
            if not op.is_load:
                stores.append(op)
        for key in list(groups):
            close(key)
        for op, new in wide.items():
            self.made[op.source] = None if new is None else new.event
        return [new for op in run if (new := wide.get(op, op)) is not None]

    def part_what_some_rounds_join(self) -> None:
        """Undoes joins in loops that are not unrolled, unless every round makes them: `p[step * t]` and `p[step * t + step - 1]` are one piece
        of code, though the last step is 2."""
        while parted := self._parted():
            dropped = [window for window in self.windows if not parted.isdisjoint(window)]
            self.windows = [window for window in self.windows if parted.isdisjoint(window)]
            for event in (event for window in dropped for event in window):
                self.made.pop(event, None)

    def _parted(self) -> set[AccessEvent]:
        """What is joined with an access that is made alone in another round."""
        alone = {
            event.access.id
            for event in (self.events.accesses if self.windows and self.rolled else ())
            if event not in self.made and any(loop.encloses(event.access.span) for loop in self.rolled)
        }
        return {event for window in self.windows if any(e.access.id in alone for e in window) for event in window}

    def _between_members(self, op: _Op, group: Sequence[_Op]) -> bool:
        """Whether an access may be to one of the stores that wait to be joined: these are made where the last of them stands."""
        return not group[0].is_load and any(self.memory.may_alias(op, other) for other in group)

    def _frame_of_shared(self, op: _Op) -> _Frame | None:
        """The frame of a word of a shared array that lies at addresses which are known modulo a window's width."""
        event = op.event
        if event.space is not Space.SHARED or not WORD_BYTES <= op.width < _WIDTHS[0] or op.base is None:
            return None
        rest = Poly({m: c for m, c in event.address.poly.terms.items() if m != (op.base,)})
        for align in _WIDTHS:
            if op.width < align <= self.memory.shared.get(event.base, 1):
                residue = _residue(rest, event.mask, align)
                if residue is not None:
                    start = (op.offset - residue) % align
                    return _Frame((_alike(op), align, start), align, start, False)
        return None


def _op(event: AccessEvent, member: _Member | None) -> _Op:
    bases = [m[0] for m in event.address.poly.terms if len(m) == 1 and m[0].kind is SymbolKind.BASE]
    return _Op(event, event, *split_address(event), bases[0] if len(bases) == 1 else None, member)


def _alike(op: _Op) -> Hashable:
    event = op.event
    return (event.kind, event.space, op.rest, event.mask.content, event.times, event.held)


def _frame_of_record(op: _Op) -> _Frame | None:
    """The frame of a member of a record that is aligned to more than the member."""
    member = op.member
    if member is None or member.start is None:
        return None
    align = gcd(_WIDTHS[0], member.record.align)
    start = (op.offset - member.start) % align
    return None if align <= op.width else _Frame((_alike(op), member.record.name, align, start), align, start, True)


def _between_words(op: _Op, group: Sequence[_Op]) -> bool:
    """Whether it is a store to shared memory between loads, or a load between stores."""
    if op.event.space not in (Space.SHARED, Space.UNKNOWN):
        return False
    return op.is_load is not group[0].is_load


def _residue(rest: Poly, mask: Mask, align: int) -> int | None:
    """The address modulo `align`, if that is one number for all threads."""
    residue = known_residue(rest, align)
    if residue is None or isinstance(residue, int):
        return residue
    lanes = residue[mask.may]
    return int(lanes[0]) if len(lanes) and not some(lanes != lanes[0]) else None


def _tiled(
    frame: _Frame, group: Sequence[_Op], turns: Mapping[_Op, int]
) -> Iterator[tuple[tuple[_Op, _Op], list[_Op]]]:
    """Those that tile windows: of each the first with what is made instead, and the others, instead of which nothing is made.  `turns`: of
    stores to shared memory, in which order they are."""
    left: dict[int, _Op] = {}
    order: dict[_Op, int] = {}
    for op in group:
        left.setdefault(op.offset, op)
        order[op] = len(order)
    for width in (w for w in _WIDTHS if w <= frame.align):
        windows: dict[int, list[_Op]] = {}
        for offset in sorted(left):
            windows.setdefault((offset - frame.start) // width * width + frame.start, []).append(left[offset])
        for begin, members in windows.items():
            if _is_whole(begin, width, members, frame.last) and (frame.last or _in_turn(members, turns)):
                first = min(members, key=order.__getitem__)
                yield (first, _widened(first, begin, width)), [op for op in members if op is not first]
                for op in members:
                    del left[op.offset]


def _is_whole(begin: int, width: int, members: Sequence[_Op], last: bool) -> bool:
    """Whether these move the whole window, or load three of its four parts."""
    if len(members) < 2:
        return False
    covered = {at for op in members for at in range(op.offset, op.offset + op.width)} & set(range(begin, begin + width))
    parts = {op.width for op in members}
    if len(covered) == width:
        return sum(op.width for op in members) == width
    three = members[0].is_load and parts == {width // 4} and len(members) == 3
    return three and (not last or begin + width - 1 not in covered)


def _in_turn(members: Sequence[_Op], turns: Mapping[_Op, int]) -> bool:
    """Whether these are loads, or stores that follow each other."""
    order = [turns[op] for op in members if op in turns]
    return not order or max(order) - min(order) < len(order)


def _widened(op: _Op, begin: int, width: int) -> _Op:
    """One request of the whole window."""
    event = op.event
    address = replace(event.address, poly=pl.add(event.address.poly, pl.constant(begin - op.offset)))
    made = replace(event, access=replace(event.access, width=width), address=address)
    return replace(op, event=made, offset=begin, member=None)


def _members(kernel: Kernel) -> Iterable[tuple[AccessId, _Member]]:
    """The accesses that move a part of a record."""
    for stmt in statements_of(kernel):
        if isinstance(stmt, (Load, Store)):
            member = _member(stmt.address)
            if member is not None:
                yield stmt.access.id, member


def _member(address: Expr) -> _Member | None:
    """The record that the address is in: what the pointer was to before it was one to the member."""
    steps: list[PtrAdd] = []
    while isinstance(address, (Cast, PtrAdd)):
        inner = address.operand if isinstance(address, Cast) else address.pointer
        if isinstance(address, PtrAdd):
            steps.append(address)
        target = inner.type.target if isinstance(inner.type, PointerType) else None
        while isinstance(target, ArrayType):
            target = target.element
        if isinstance(target, StructType):
            return _Member(target, _start(steps, target))
        address = inner
    return None


def _start(steps: Iterable[PtrAdd], record: StructType) -> int | None:
    """How far behind the beginning of a record these steps lead, from one that may be before it."""
    start = 0
    for step in steps:
        scale = int(step.scale.value) if isinstance(step.scale, Const) else 0
        if isinstance(step.index, Const):
            start += int(step.index.value) * scale
        elif scale % max(1, record.size) or not scale:
            return None
        start += step.offset
    return start % max(1, record.size)
