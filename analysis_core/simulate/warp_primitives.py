"""Shuffles and votes: what the lanes of a warp tell each other.

Semantics of `__shfl_*_sync` and of the votes (CUDA C++ Programming Guide, "Warp Shuffle Functions", "Warp Vote Functions",
"Warp Match Functions"; PTX ISA `shfl.sync` for the ends of segments).  Only the lanes that execute the primitive take part; the
value of another lane is not defined, and reading it is a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from analysis_core.ir.effects import MATRIX_VOTES
from analysis_core.ir.nodes import Const, Shuffle, Vote
from analysis_core.simulate import matrices
from analysis_core.simulate.expressions import Compiler, Evaluate, stopping, variable_representation
from analysis_core.simulate.faults import FaultKind
from analysis_core.simulate.lanes import WARP, Lanes
from analysis_core.simulate.machine import Machine
from analysis_core.simulate.representation import Array, Bools, Ints, Unsupported, Vector, converted
from analysis_core.text.span import Span

Act = Callable[[Machine, Lanes], None]


def shuffle(compiler: Compiler, stmt: Shuffle) -> Act:
    """A shuffle; a source lane beyond the segment gives a lane its own value."""
    value, lane, width = (compiler.expression(e, stmt.span) for e in (stmt.value, stmt.lane, stmt.width))
    kept = variable_representation(compiler.kernel, stmt.var)

    def act(m: Machine, lanes: Lanes) -> None:
        if stmt.whole:
            _all_come(m, lanes, stmt.span)
        own = lanes.numbers % WARP
        by = lanes.spread(lane(m, lanes)).astype(np.int64)
        extent = lanes.spread(width(m, lanes)).astype(np.int64)
        source = _source(stmt.op, own, by, np.where((extent >= 1) & (extent <= WARP), extent, WARP))
        offered = lanes.spread(converted(value(m, lanes), kept))
        table = lanes.padded(offered, 0).reshape(-1)
        at = lanes.rank * WARP + source
        there = lanes.mask.reshape(-1)[at]
        if not there.all():
            text = "the shuffle takes the value of a lane that does not take part"
            m.fault(FaultKind.INACTIVE_LANE, stmt.span, lanes.numbers[~there], text)
        m.assign(stmt.var, np.where(there, table[at], offered), lanes)

    return act


def _source(op: str, own: Ints, by: Ints, width: Ints) -> Ints:
    """The lane of the warp that a lane reads."""
    first = own // width * width
    match op:
        case "idx":
            return first + by % width
        case "up":
            return np.where(own - by >= first, own - by, own)
        case "down":
            return np.where(own + by < first + width, own + by, own)
        case "xor":
            target = own ^ (by % WARP)
            return np.where(target < first + width, target, own)
        case _:
            raise Unsupported(f"the shuffle `{op}`")


def vote(compiler: Compiler, stmt: Vote) -> Act:
    """A vote of the active lanes of each warp, or of each block."""
    args = [compiler.expression(arg, stmt.span) for arg in stmt.args]
    kept = variable_representation(compiler.kernel, stmt.var)
    if stmt.op in MATRIX_VOTES:
        move = matrices.moved(stmt.op, args, stmt.args[-1])
        return lambda m, lanes: m.assign(stmt.var, move(m, lanes), lanes)
    if stmt.block:
        count = _block_vote(stmt.op, args)
        return lambda m, lanes: m.assign(stmt.var, converted(count(m, lanes), kept), lanes)
    # A mask that is not constant is the last operand, after the value if there is one.
    wanted = 0 if stmt.op == "activemask" else 1
    mask = args[wanted] if len(args) > wanted and not isinstance(stmt.args[-1], Const) else None
    decide = _warp_vote(stmt.op, args[0] if wanted and args else None, stmt)

    def act(m: Machine, lanes: Lanes) -> None:
        if stmt.whole:
            _all_come(m, lanes, stmt.span)
        among = _bits(lanes.mask)[lanes.rank]
        if mask is not None:
            among = among & lanes.spread(mask(m, lanes)).astype(np.uint32)
        m.assign(stmt.var, converted(decide(m, lanes, among), kept), lanes)

    return act


def _all_come(m: Machine, lanes: Lanes, span: Span) -> None:
    """All lanes of a warp are named: those that have not left the kernel must come."""
    missing = m.alive.reshape(-1, WARP)[lanes.rows] & ~lanes.mask
    if missing.any():
        late = missing.any(axis=1)[lanes.rank]
        text = "lanes are named that do not come here"
        m.fault(FaultKind.ABSENT_LANES, span, lanes.numbers[late], text)


def _bits(truth: Bools) -> Array:
    """Each row of 32 truths as an integer, lane 0 the lowest bit."""
    return np.packbits(truth, axis=1, bitorder="little").view(np.uint32)[:, 0]


def _warp_vote(op: str, value: Evaluate | None, stmt: Vote) -> Callable[[Machine, Lanes, Array], Vector]:
    """The result for each lane, given the lanes that take part as bits."""
    if op == "clock":
        stop = stopping("not simulated: a clock", stmt.span)
        return lambda m, lanes, among: stop(m, lanes)
    if op == "elect":  # Which lane is elected is not told, but it is the same one each time: here the first.
        return lambda m, lanes, among: np.bitwise_count(~among & (among - np.uint32(1)))
    if op == "activemask" or value is None:
        return lambda m, lanes, among: among

    def said(m: Machine, lanes: Lanes) -> Array:
        truth = lanes.spread(np.not_equal(value(m, lanes), 0))
        bits: Array = _bits(lanes.padded(truth, False))[lanes.rank]
        return bits

    match op:
        case "ballot":
            return lambda m, lanes, among: said(m, lanes) & among
        case "any":
            return lambda m, lanes, among: (said(m, lanes) & among) != 0
        case "all":
            return lambda m, lanes, among: (~said(m, lanes) & among) == 0
        case "uni":
            return lambda m, lanes, among: ((said(m, lanes) & among) == 0) | ((~said(m, lanes) & among) == 0)
        case "match_any" | "match_all":
            return lambda m, lanes, among: _matching(lanes, lanes.spread(value(m, lanes)), among, op == "match_all")
        case _ if op.removeprefix("reduce_") in _REDUCTIONS:
            apply = _REDUCTIONS[op.removeprefix("reduce_")]
            return lambda m, lanes, among: _reduced(lanes, lanes.spread(value(m, lanes)), among, apply)
        case _:
            stop = stopping("not simulated: a reduction over a warp whose operation is not known", stmt.span)
            return lambda m, lanes, among: stop(m, lanes)


_REDUCTIONS: Mapping[str, np.ufunc] = MappingProxyType(
    {
        "add": np.add,
        "min": np.minimum,
        "max": np.maximum,
        "and": np.bitwise_and,
        "or": np.bitwise_or,
        "xor": np.bitwise_xor,
    }
)


def _reduced(lanes: Lanes, values: Array, among: Array, apply: np.ufunc) -> Array:
    """The values of the lanes that take part with each lane, put together in their order."""
    table = lanes.padded(values, 0)[lanes.rank]
    result, started = np.zeros_like(values), np.zeros(lanes.count, dtype=bool)
    for lane in range(WARP):
        there = (among >> np.uint32(lane) & np.uint32(1)).astype(bool)
        result = np.where(there, np.where(started, apply(result, table[:, lane]), table[:, lane]), result)
        started |= there
    return result


def _matching(lanes: Lanes, values: Array, among: Array, everyone: bool) -> Array:
    """The lanes with the same value, as bits; for `everyone` 0 unless all have it."""
    table, there = lanes.padded(values, 0), lanes.mask
    equal = np.zeros(lanes.count, dtype=np.uint32)
    for lane in range(WARP):
        same = there[lanes.rank, lane] & (table[lanes.rank, lane] == values)
        equal |= same.astype(np.uint32) << np.uint32(lane)
    equal &= among
    return np.where(equal == among, among, np.uint32(0)) if everyone else equal


def _block_vote(op: str, args: list[Evaluate]) -> Evaluate:
    """`__syncthreads_count`, `_and`, `_or`: over the threads of the block that are here."""

    def count(m: Machine, lanes: Lanes) -> Vector:
        truth = lanes.spread(np.not_equal(args[0](m, lanes), 0)) if args else np.zeros(lanes.count, dtype=bool)
        block = lanes.take(m.block_of)
        yes = np.bincount(block, weights=truth, minlength=m.size // m.padded).astype(np.int64)
        match op:
            case "any":
                return (yes > 0)[block]
            case "all":
                return (yes == np.bincount(block, minlength=len(yes)))[block]
            case _:
                return yes[block]

    return count
