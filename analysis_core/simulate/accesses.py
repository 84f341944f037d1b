"""Loads, stores and atomics: where they go, what they cost, what is wrong with them.

For each execution by a set of lanes: addresses; lanes whose address is bad are reported and left out; the rest is counted
as one request per warp in the space that it goes to; then bytes move.  Within one statement all lanes act at once:
loads before stores come from the IR's order, and of stores to one place the last lane's wins, which is a race if
the values differ.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from analysis_core.ir.nodes import Access, Atomic, Expr, Load, Local, Store, VarId
from analysis_core.ir.operations import of_access
from analysis_core.ir.types import Space, StructType
from analysis_core.simulate import atomics
from analysis_core.simulate.expressions import Compiler, Evaluate, stopping, variable_representation
from analysis_core.simulate.faults import FaultKind
from analysis_core.simulate.lanes import WARP, Lanes
from analysis_core.simulate.machine import Machine
from analysis_core.simulate.memory import Region, spaces_of
from analysis_core.simulate.races import NOBODY, in_warp, overwritten
from analysis_core.simulate.representation import (
    Array,
    Bools,
    Ints,
    Representation,
    Unsupported,
    Vector,
    converted,
    loaded,
    representation,
    stored,
)
from analysis_core.simulate.request_cost import contention, global_costs, shared_costs, uniform_global_cost
from analysis_core.text.records import dataclass

Act = Callable[[Machine, Lanes], None]


@dataclass(frozen=True, slots=True)
class _Located:
    """The lanes whose address is good, their addresses and buffer positions; `tracked`: written bytes are known."""

    lanes: Lanes
    addresses: Ints
    byte: Ints
    spaces: tuple[tuple[Space, Lanes, Ints], ...]  # the parts by space, in case they differ
    tracked: bool
    keep: Bools | None  # which of the lanes asked for are left; None: all


def load(compiler: Compiler, stmt: Load) -> Act:
    """A load into one variable, or into one per component of a vector."""
    access, span = stmt.access, stmt.access.span
    address = compiler.expression(stmt.address, span)
    try:
        parts = _parts([variable_representation(compiler.kernel, var) for var in stmt.vars], access)
    except Unsupported as why:
        return _stop(why, access)

    def act(m: Machine, lanes: Lanes) -> None:
        found = _located(m, lanes, address(m, lanes), access, "reads")
        if found is None:
            for var, (kept, _) in zip(stmt.vars, parts):
                m.assign(var, kept.compute.type(0), lanes)
            return
        _count(m, found, access)
        m.traced("R", access, found.lanes, found.addresses)
        if found.tracked and not access.merges:
            _report_unwritten(m, found, access, parts)
        _race_of_load(m, found, access)
        for var, (kept, offset) in zip(stmt.vars, parts):
            at = (found.byte + offset) // kept.storage.itemsize if offset else found.byte // kept.storage.itemsize
            value = loaded(np.take(m.memory.view(kept.storage), at), kept)
            if found.keep is not None:
                everywhere = np.zeros(lanes.count, dtype=kept.compute)
                everywhere[found.keep] = value
                value = everywhere
            m.assign(var, value, lanes)

    return act


def store(compiler: Compiler, stmt: Store) -> Act:
    """A store of one value, or of one per component of a vector."""
    access, span = stmt.access, stmt.access.span
    address = compiler.expression(stmt.address, span)
    try:
        parts = _parts([representation(value.type) for value in stmt.values], access)
    except Unsupported as why:
        return _stop(why, access)
    values = [(compiler.expression(v, span), _copied(v)) for v in stmt.values]

    def act(m: Machine, lanes: Lanes) -> None:
        found = _located(m, lanes, address(m, lanes), access, "writes")
        if found is None:
            return
        _count(m, found, access)
        _race_of_store(m, found, access)
        told: list[tuple[int, Array]] = []
        for (value, copy), (kept, offset) in zip(values, parts):
            size = kept.storage.itemsize
            at = (found.byte + offset) // size
            missing = m.undefined(copy, found.lanes) if copy is not None else None
            if missing is not None and not found.tracked:
                text = f"`{access.text}` receives a value that was never set"
                m.fault(FaultKind.UNINITIALISED, access.span, found.lanes.numbers[missing], text)
            new = stored(_value(m, lanes, found, value, copy, kept), kept)
            view = m.memory.view(kept.storage)
            view[at] = new
            if found.tracked:
                unwritten = m.memory.unwritten(size)
                all_of_it = unwritten.dtype.type(-1 % (1 << (8 * size)))
                unwritten[at] = 0 if missing is None else np.where(missing, all_of_it, unwritten.dtype.type(0))
            _lost_stores(m, found, access, at, view, new)
            if m.trace is not None:
                told.append((offset, np.broadcast_to(new, (found.lanes.count,))))
        m.traced("W", access, found.lanes, found.addresses, tuple(told))

    return act


def _value(
    m: Machine, lanes: Lanes, found: _Located, value: Evaluate, copy: VarId | None, kept: Representation
) -> Vector:
    """What is stored; a variable that is only copied may be undefined."""
    if copy is not None:
        known = m.read(copy, found.lanes)
        return kept.compute.type(0) if known is None else known
    result = converted(value(m, lanes), kept)
    return result[found.keep] if found.keep is not None and isinstance(result, np.ndarray) else result


def atomic(compiler: Compiler, stmt: Atomic, wanted: bool) -> Act:
    """An atomic operation; `wanted`: its old value is read somewhere."""
    access, span = stmt.access, stmt.access.span
    if isinstance(access.type, StructType):
        return _stop(Unsupported("an atomic operation on a vector"), access)
    address = compiler.expression(stmt.address, span)
    args = [compiler.expression(arg, span) for arg in stmt.args]
    try:
        kept = representation(access.type)
        if kept.rounded:
            raise Unsupported("an atomic operation on a bfloat16")
    except Unsupported as why:
        return _stop(why, access)

    def act(m: Machine, lanes: Lanes) -> None:
        values = [lanes.spread(converted(arg(m, lanes), kept)) for arg in args]
        found = _located(m, lanes, address(m, lanes), access, "changes")
        old: Array | None = None
        if found is not None:
            _count(m, found, access)
            m.traced("A", access, found.lanes, found.addresses)
            m.contention[access.id] = max(m.contention[access.id], int(contention(found.addresses, found.lanes).max()))
            if found.keep is not None:
                values = [value[found.keep] for value in values]
            size = kept.storage.itemsize
            if found.tracked:
                _report_unwritten(m, found, access, [(kept, 0)])
                m.memory.unwritten(size)[found.byte // size] = 0
            old = atomics.perform(stmt.op, m.memory.view(kept.storage), found.byte // size, values, wanted)
        if stmt.var is not None and wanted:
            result = np.zeros(lanes.count, dtype=kept.compute)
            if old is not None and found is not None:
                result[slice(None) if found.keep is None else found.keep] = old
            m.assign(stmt.var, result, lanes)

    try:
        atomics.perform(
            stmt.op, np.zeros(1, kept.storage), np.zeros(1, np.int64), [np.zeros(1, kept.storage)] * len(args), True
        )
    except Unsupported as why:
        return _stop(why, access)
    return act


def _stop(why: Unsupported, access: Access) -> Act:
    stop = stopping(f"`{access.text}` is not simulated: {why}", access.span)

    def act(m: Machine, lanes: Lanes) -> None:
        stop(m, lanes)

    return act


def _copied(expr: Expr) -> VarId | None:
    """The variable of which the value is a mere copy."""
    return expr.var if isinstance(expr, Local) else None


def _parts(kept: list[Representation], access: Access) -> list[tuple[Representation, int]]:
    """The components of an access with their offsets in bytes."""
    parts, offset = [], 0
    for part in kept:
        parts.append((part, offset))
        offset += part.storage.itemsize
    if offset != access.width:
        raise Unsupported(f"an access of {access.width} bytes as {offset}")
    return parts


# --- where ----------------------------------------------------------------------------------------------------------


def _located(m: Machine, lanes: Lanes, address: Vector, access: Access, verb: str) -> _Located | None:
    """The good addresses; None if no lane has one."""
    addresses = lanes.spread(address)
    width = access.width
    unit = width & -width if width else 1
    region = m.memory.common_region(addresses, width)
    keep: Bools | None = None
    numbers: Ints | None = None
    if region is None:
        fits, numbers = m.memory.inside(addresses, width)
        if not fits.all():
            _report_outside(m, lanes, addresses, ~fits, access, verb)
            keep = fits
    if int(np.bitwise_or.reduce(addresses)) & (min(unit, 16) - 1):
        skewed = (addresses & (min(unit, 16) - 1)) != 0
        skewed = skewed if keep is None else skewed & keep
        if skewed.any():
            first = int(addresses[skewed][0])
            text = f"`{access.text}` {verb} {width} bytes at address {first % 256} modulo 256"
            m.fault(FaultKind.MISALIGNED, access.span, lanes.numbers[skewed], text)
            keep = ~skewed if keep is None else keep & ~skewed
    if keep is not None:
        if not keep.any():
            return None
        lanes, addresses = lanes.where(keep), addresses[keep]
        numbers = None if numbers is None else numbers[keep]
    if region is not None:
        byte = m.memory.bytes_in(region, addresses, lanes.take(m.block_of), lanes.numbers)
        spaces = ((region.space, lanes, addresses),)
        return _Located(lanes, addresses, byte, spaces, _is_tracked(region), keep)
    assert numbers is not None
    byte = m.memory.bytes_of(numbers, addresses, lanes.take(m.block_of), lanes.numbers)
    regions = [m.memory.regions[int(n) - 1] for n in np.unique(numbers)]
    tracked = any(_is_tracked(r) for r in regions)
    kinds = spaces_of(m.memory, numbers)
    if len(kinds) == 1:
        return _Located(lanes, addresses, byte, ((kinds[0], lanes, addresses),), tracked, keep)
    of_region = np.array([0, *(list(Space).index(r.space) for r in m.memory.regions)])
    space_of = of_region[numbers]
    split = []
    for kind in kinds:
        inside = space_of == list(Space).index(kind)
        split.append((kind, lanes.where(inside), addresses[inside]))
    return _Located(lanes, addresses, byte, tuple(split), tracked, keep)


def _is_tracked(region: Region) -> bool:
    return region.space in (Space.SHARED, Space.LOCAL) or not region.written


def _report_outside(m: Machine, lanes: Lanes, addresses: Ints, bad: Bools, access: Access, verb: str) -> None:
    first = int(addresses[bad][0])
    region = m.memory.region_at(first)
    if region is None:
        where = "through a null pointer" if 0 <= first < 1 << 32 else "at an address that belongs to nothing"
    elif first < region.base:
        where = f"{region.base - first} bytes before `{region.name}`"
    else:
        where = f"at byte {first - region.base} of `{region.name}`, which has {region.size}"
    text = f"`{access.text}` {verb} {access.width} bytes {where}"
    m.fault(FaultKind.OUT_OF_BOUNDS, access.span, lanes.numbers[bad], text)


def _report_unwritten(m: Machine, found: _Located, access: Access, parts: list[tuple[Representation, int]]) -> None:
    for kept, offset in parts:
        size = kept.storage.itemsize
        missing = np.take(m.memory.unwritten(size), (found.byte + offset) // size) != 0
        if missing.any():
            text = f"`{access.text}` was not written before"
            m.fault(FaultKind.UNINITIALISED, access.span, found.lanes.numbers[missing], text)
            return


# --- cost -----------------------------------------------------------------------------------------------------------


def _count(m: Machine, found: _Located, access: Access) -> None:
    """One request per warp and space."""
    meter = m.meter(access.id)
    counts = m.request.counted is None or access.id in m.request.counted
    for space, lanes, addresses in found.spaces:
        if meter.space is None:
            meter.space = space
        rows = len(lanes.rows)
        match space:
            case Space.GLOBAL:
                low = int(addresses[0])
                if (addresses == low).all():
                    one, best = uniform_global_cost(low, access.width)
                    cost, ideal = np.full(rows, one), np.full(rows, best)
                else:
                    costs = global_costs(addresses, lanes, access.width)
                    cost, ideal = costs.cost, costs.ideal
                if counts:
                    m.sectors[lanes.rows] += cost
                    m.excessive[lanes.rows] += np.maximum(cost - ideal, 0)
                m.wait(lanes.rows, cost, shared=False)
            case Space.SHARED:
                costs = shared_costs(addresses, lanes, access.width)
                cost, ideal = costs.cost, costs.ideal
                if counts:
                    m.wavefronts[lanes.rows] += cost
                    m.conflicts[lanes.rows] += np.maximum(cost - ideal, 0)
                m.wait(lanes.rows, cost, shared=True)
            case _:
                cost = ideal = np.zeros(rows, dtype=np.int64)
        meter.note(lanes.rows, lanes.active, cost, ideal)
        for name in m.operations if counts else ():
            m.operate(name, of_access(name, space, access.width), lanes)


# --- races ----------------------------------------------------------------------------------------------------------


def _shared_part(m: Machine, found: _Located) -> tuple[Lanes, Ints] | None:
    for space, lanes, _ in found.spaces:
        if space is Space.SHARED:
            if lanes is found.lanes:
                return lanes, found.byte
            return lanes, found.byte[np.isin(found.lanes.numbers, lanes.numbers)]
    return None


def _race_of_load(m: Machine, found: _Located, access: Access) -> None:
    shared = _shared_part(m, found)
    if shared is not None:
        lanes, byte = shared
        writer = m.races.load(byte, access.width, lanes)
        if writer is not None:
            _report_race(m, lanes, writer, access, "reads what {} wrote with no barrier between")


def _race_of_store(m: Machine, found: _Located, access: Access) -> None:
    shared = _shared_part(m, found)
    if shared is not None:
        lanes, byte = shared
        other = m.races.store(byte, access.width, lanes)
        if other is not None:
            _report_race(m, lanes, other, access, "writes what {} accessed with no barrier between")


def _report_race(m: Machine, lanes: Lanes, other: Array, access: Access, text: str) -> None:
    """`other`: for each lane who it races with."""
    within, somebody = in_warp(other, lanes.row_of), other != NOBODY
    for kind, chosen, whom in (
        (FaultKind.RACE_IN_WARP, within & somebody, "another lane of the warp"),
        (FaultKind.RACE_IN_BLOCK, ~within & somebody, "another warp of the block"),
    ):
        if chosen.any():
            m.fault(kind, access.span, lanes.numbers[chosen], f"`{access.text}` {text.format(whom)}")


def _lost_stores(m: Machine, found: _Located, access: Access, at: Ints, view: Array, new: Vector) -> None:
    """Stores of different values to one place by one statement."""
    bits = np.dtype(f"u{view.dtype.itemsize}")
    wanted = np.asarray(new).view(bits)
    lost = np.take(view, at).view(bits) != wanted
    if not lost.any():
        return
    winner = overwritten(at, found.lanes)
    lane = found.lanes.numbers
    warp = lane // WARP == winner // WARP
    block = lane // m.padded == winner // m.padded
    for kind, chosen, whom in (
        (FaultKind.RACE_IN_WARP, lost & warp, "another lane of the warp"),
        (FaultKind.RACE_IN_BLOCK, lost & ~warp & block, "another warp of the block"),
        (FaultKind.RACE_IN_GRID, lost & ~block, "another block"),
    ):
        if chosen.any():
            text = f"`{access.text}` is also written by {whom}, with another value"
            m.fault(kind, access.span, lane[chosen], text)
