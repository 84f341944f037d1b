"""The requests that compilers join to wider ones: accesses of straight-line code that tile an aligned window of 4, 8 or 16 bytes.

What nvcc joins is held against its machine code (tests/oracles).  Members of an aligned record (`float2`, `__align__(8)`), whose alignment the type says: no
access that may be to one of them stands in between.  Elements of shared arrays of 4 or 8 bytes: nothing is stored to shared memory between loads, nothing
else loaded or stored there between stores (of `a[0] = .., b[0] = .., a[1] = .., b[1] = ..` none are joined), and the array is known to lie at such
addresses.  Of a window of four, three that are loaded are loaded as four.  Elements behind `float *` are never joined: nobody knows where they begin, not
even where the pointer was cast from `float4 *`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from math import gcd

from analysis_core.domains import polynomial as pl
from analysis_core.domains.congruence import known_residue
from analysis_core.domains.mask import Mask
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import some
from analysis_core.interp.core.events import AccessEvent
from analysis_core.ir.types import Space
from analysis_core.machine.shared_memory import WORD_BYTES
from analysis_core.text.records import dataclass
from analysis_core.traffic.compiled_memory import Memory, Op

_WIDTHS = (16, 8, 4)
"""Bytes of a lane that one request may move."""

_MOST = 64
"""Accesses of a group that are looked at."""

_MOST_GROUPS = 16
"""Groups of accesses that wait to be joined: each access is held against all of them."""


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
    ops: list[Op] = field(default_factory=list)


@dataclass(slots=True)
class Joiner:
    """Joins the executions of stretches of straight-line code.  `made`: what is made instead of those that are joined; `windows`: what was joined."""

    memory: Memory
    made: dict[AccessEvent, AccessEvent | None]
    windows: list[tuple[AccessEvent, ...]] = field(default_factory=list)

    def join(self, run: Sequence[Op]) -> None:
        """Joins what is joined of a stretch: members of records, then words of shared memory."""
        run = self._joined(run, _frame_of_record, self._between_members)
        self._joined(run, self._frame_of_shared, _between_words)

    def _joined(
        self, run: Sequence[Op], frame_of: Callable[[Op], _Frame | None], ends: Callable[[Op, Sequence[Op]], bool]
    ) -> list[Op]:
        """The executions of a stretch after joining, those joined where the first of them stands."""
        groups: dict[Hashable, _Waiting] = {}
        stored = (op for op in run if not op.is_load and op.event.space in (Space.SHARED, Space.UNKNOWN))
        turns = {op: turn for turn, op in enumerate(stored)}
        wide: dict[Op, Op | None] = {}
        stores: list[Op] = []

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

    def _between_members(self, op: Op, group: Sequence[Op]) -> bool:
        """Whether an access may be to one of the stores that wait to be joined: these are made where the last of them stands."""
        return not group[0].is_load and any(self.memory.may_alias(op, other) for other in group)

    def _frame_of_shared(self, op: Op) -> _Frame | None:
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


def _alike(op: Op) -> Hashable:
    event = op.event
    return (event.kind, event.space, op.rest, event.mask.content, event.times, event.held)


def _frame_of_record(op: Op) -> _Frame | None:
    """The frame of a member of a record that is aligned to more than the member."""
    member = op.member
    if member is None or member.start is None:
        return None
    align = gcd(_WIDTHS[0], member.record.align)
    start = (op.offset - member.start) % align
    return None if align <= op.width else _Frame((_alike(op), member.record.name, align, start), align, start, True)


def _between_words(op: Op, group: Sequence[Op]) -> bool:
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


def _tiled(frame: _Frame, group: Sequence[Op], turns: Mapping[Op, int]) -> Iterator[tuple[tuple[Op, Op], list[Op]]]:
    """Those that tile windows: of each the first with what is made instead, and the others, instead of which nothing is made.  `turns`: of
    stores to shared memory, in which order they are."""
    left: dict[int, Op] = {}
    order: dict[Op, int] = {}
    for op in group:
        left.setdefault(op.offset, op)
        order[op] = len(order)
    for width in (w for w in _WIDTHS if w <= frame.align):
        windows: dict[int, list[Op]] = {}
        for offset in sorted(left):
            windows.setdefault((offset - frame.start) // width * width + frame.start, []).append(left[offset])
        for begin, members in windows.items():
            if _is_whole(begin, width, members, frame.last) and (frame.last or _in_turn(members, turns)):
                first = min(members, key=order.__getitem__)
                yield (first, _widened(first, begin, width)), [op for op in members if op is not first]
                for op in members:
                    del left[op.offset]


def _is_whole(begin: int, width: int, members: Sequence[Op], last: bool) -> bool:
    """Whether these move the whole window, or load three of its four parts."""
    if len(members) < 2:
        return False
    covered = {at for op in members for at in range(op.offset, op.offset + op.width)} & set(range(begin, begin + width))
    parts = {op.width for op in members}
    if len(covered) == width:
        return sum(op.width for op in members) == width
    three = members[0].is_load and parts == {width // 4} and len(members) == 3
    return three and (not last or begin + width - 1 not in covered)


def _in_turn(members: Sequence[Op], turns: Mapping[Op, int]) -> bool:
    """Whether these are loads, or stores that follow each other."""
    order = [turns[op] for op in members if op in turns]
    return not order or max(order) - min(order) < len(order)


def _widened(op: Op, begin: int, width: int) -> Op:
    """One request of the whole window."""
    event = op.event
    address = replace(event.address, poly=pl.add(event.address.poly, pl.constant(begin - op.offset)))
    made = replace(event, access=replace(event.access, width=width), address=address)
    return replace(op, event=made, offset=begin, member=None)
