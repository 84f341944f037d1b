"""Accesses that waste nothing because of others around them.

The requests are counted as the source has them (HARDWARE.md); but an access is not worth a word where the machine makes none of
its own, or wastes nothing in it:

  * it loads what was loaded before, wherever it runs, and nothing was written in between;
  * with its neighbours it moves a whole record of at most one sector that is aligned as a whole (`float4`, `double2`):
    `p[i].x + p[i].y` is one load of 8 bytes, and lanes whose records touch waste nothing;
  * with loads beside it, it uses the sectors that it fetches (shared_sectors.py).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

import numpy as np

from analysis_core.cost.shared_sectors import covers, loads_without_waste
from analysis_core.domains import polynomial as pl
from analysis_core.domains.mask import Mask
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import WARP
from analysis_core.interp.events import AccessEvent, AccessKind, Events
from analysis_core.ir.layout import size_of
from analysis_core.ir.nodes import AccessId, Atomic, Cast, Expr, Kernel, Load, PtrAdd, Store
from analysis_core.ir.types import ArrayType, PointerType, Space, StructType
from analysis_core.ir.walk import statements
from analysis_core.machine.global_memory import SECTOR_BYTES
from analysis_core.machine.shared_memory import BANKS, WORD_BYTES

_WIDEST = 16
"""Bytes of the widest request of a lane."""

_MOST_STORES = 16
"""Stores between two loads that are looked at."""


def made_with_others(kernel: Kernel, events: Events, looked_at: Collection[AccessId]) -> dict[AccessEvent, float]:
    """Executions of these accesses that are no request of their own: by event the cost (sectors, wavefronts) up to which
    nothing is wasted."""
    if not looked_at:
        return {}
    records = {id: record for id, record in _records(kernel) if id in looked_at}
    found = dict.fromkeys(_loaded_again(events.accesses, looked_at), inf)
    found.update(dict.fromkeys(loads_without_waste(events.accesses, looked_at), inf))
    for event, record in _moved_whole(events.accesses, records):
        found.setdefault(event, _of_full_warp(record, event.space))
    return found


def _of_full_warp(record: StructType, space: Space) -> float:
    """What 32 lanes pay for a record each that lie side by side: sectors, or wavefronts of 128 bytes."""
    size = size_of(record) or 0
    return size * WARP / (BANKS * WORD_BYTES if space is Space.SHARED else SECTOR_BYTES)


def _loaded_again(accesses: Sequence[AccessEvent], looked_at: Collection[AccessId]) -> list[AccessEvent]:
    """Loads of an element that was loaded where they run, and not written since."""
    loaded: dict[Hashable, dict[Hashable, tuple[Mask, int]]] = {}  # by element, then by mask: the last time
    written: list[AccessEvent] = []
    found: list[AccessEvent] = []
    for event in accesses:
        if event.kind is not AccessKind.READ:
            written += [] if event.space is Space.LOCAL else [event]
        elif event.access.id in looked_at and not event.access.volatile:
            key = (event.space, event.address.poly.key(), event.address.bits, event.access.width, event.times)
            earlier = loaded.setdefault(key, {})
            fresh = [(mask, since) for mask, since in earlier.values() if len(written) - since <= _MOST_STORES]
            if any(covers(mask, event.mask) and _keep(written[since:], event) for mask, since in fresh):
                found.append(event)
            else:
                earlier[event.mask.content] = event.mask, len(written)
    return found


def _keep(written: Sequence[AccessEvent], event: AccessEvent) -> bool:
    """Whether no thread that loads has made one of these stores, as far as they may be to what it loads: not in a side that it
    did not take, nor in another space."""
    near = (w for w in written if Space.UNKNOWN in (w.space, event.space) or w.space is event.space)
    return all(_exclude(w.mask, event.mask) for w in near)


def _exclude(mask: Mask, other: Mask) -> bool:
    """Whether no thread is in both masks, as their literals show."""
    both = mask.may & other.may
    for literal in mask.literals:
        opposite = literal.formula.negation.key
        for against in other.literals:
            if against.key == opposite:
                both = both & ~(literal.scope & against.scope)
    return not bool(np.any(both))


@dataclass(slots=True)
class _Run:
    """Accesses of one kind to one record that follow each other, and the bytes of it that they move."""

    record: StructType
    events: list[AccessEvent] = field(default_factory=list)
    bytes: set[int] = field(default_factory=set)


def _moved_whole(
    accesses: Sequence[AccessEvent], records: Mapping[AccessId, StructType]
) -> list[tuple[AccessEvent, StructType]]:
    """Accesses to members of a record that is moved whole by them and their neighbours."""
    found: list[tuple[AccessEvent, StructType]] = []
    runs: dict[tuple[Space, AccessKind], dict[Hashable, _Run]] = {}

    def end(space: Space, kind: AccessKind) -> None:
        for run in runs.pop((space, kind), {}).values():
            if len(run.bytes) == size_of(run.record):
                found.extend((event, run.record) for event in run.events)

    for event in accesses:
        # A load may be of what a store before it wrote, and a store may be to what was to be loaded.
        end(event.space, AccessKind.WRITE if event.kind is AccessKind.READ else AccessKind.READ)
        record = records.get(event.access.id)
        if record is None or event.kind is AccessKind.ATOMIC or not _is_aligned(record) or event.access.volatile:
            continue
        if event.access.width >= min(record.size, _WIDEST):
            continue  # a request as wide as any
        start, offset = _record_of(event.address.poly, size_of(record) or 1)
        key = (start.key(), event.address.bits, event.times, event.mask.may.tobytes(), _contents(event.mask))
        run = runs.setdefault((event.space, event.kind), {}).setdefault(key, _Run(record))
        run.events.append(event)
        run.bytes.update(range(offset, offset + event.access.width))
    for space, kind in list(runs):
        end(space, kind)
    return found


def _contents(mask: Mask) -> Hashable:
    return tuple(literal.content for literal in mask.literals)


def _is_aligned(record: StructType) -> bool:
    """Whether one request may move the record, or 16 bytes of it; all of it lies in one sector."""
    size = size_of(record)
    return size is not None and size <= SECTOR_BYTES and record.align >= min(size, _WIDEST)


def _record_of(address: Poly, size: int) -> tuple[Poly, int]:
    """The address of the record that a member lies in, and where it lies; records are `size` bytes apart."""
    constant = address.terms.get((), 0)
    offset = int(constant if isinstance(constant, int) else constant[0]) % size
    return pl.subtract(address, pl.constant(offset)), offset


def _records(kernel: Kernel) -> Iterator[tuple[AccessId, StructType]]:
    """The accesses that move a member of a record, with the record."""
    for stmt in statements(kernel.body):
        if isinstance(stmt, (Load, Store, Atomic)):
            record = _record(stmt.address)
            if record is not None:
                yield stmt.access.id, record


def _record(address: Expr) -> StructType | None:
    """The record that the address is a member of: what the pointer was to before it was one to the member."""
    while isinstance(address, (Cast, PtrAdd)):
        inner = address.operand if isinstance(address, Cast) else address.pointer
        target = inner.type.target if isinstance(inner.type, PointerType) else None
        while isinstance(target, ArrayType):
            target = target.element
        if isinstance(target, StructType):
            return target
        address = inner
    return None
