"""Shuffles and votes: values that come from other lanes of the warp.

A shuffle by constants permutes the thread vector: lane t gets the value of lane s(t), where s follows from the
operation and the segment width (CUDA programming guide, "Warp shuffle functions").  Only uniform symbols survive the
trip; a source that may be inactive gives an unknown value.  Reading one and the same lane gives a warp-uniform value
whatever the lanes held.
"""

from __future__ import annotations

from math import gcd
from types import MappingProxyType

import numpy as np

from analysis_core.domains import condition as cond
from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Condition
from analysis_core.domains.mask import Mask
from analysis_core.domains.shape import WARP, BoolVector, IntVector, every, some
from analysis_core.domains.symbol import Level
from analysis_core.domains.thread_value import Integer, Other, Value, lane_bounds, level_of
from analysis_core.interp.core import just_stored, memory
from analysis_core.interp.core.state import Run
from analysis_core.interp.core.transfer import evaluate
from analysis_core.ir.effects import OF_EACH_LANE
from analysis_core.ir.nodes import Shuffle, Vote
from analysis_core.ir.types import PointerType, Type
from analysis_core.support.facts import Cause, CauseKind

_OPERANDS = MappingProxyType({"activemask": 0, "clock": 0})
"""Arguments of a vote without its mask, where it is not 1."""


def execute_shuffle(run: Run, stmt: Shuffle) -> None:
    """Assigns each lane the value that its source lane has."""
    run.env = just_stored.forget(run.env)
    value, lane, width = (evaluate(run, e) for e in (stmt.value, stmt.lane, stmt.width))
    type_ = run.kernel.variables[stmt.var].type
    cause = Cause(CauseKind.DATA, "a value from another lane", stmt.span)
    segment = _number(width)
    one_source = stmt.op == "idx" and segment == WARP and level_of(lane) is not Level.LANE
    level = Level.WARP if one_source else Level.LANE
    unknown = memory.loaded_value(run, type_, level, cause)
    run.env[stmt.var] = unknown
    if isinstance(value, Other):
        data = value.data or isinstance(lane, Other)
        spread = level if value.level is Level.LANE else value.level
        run.env[stmt.var] = Other(spread, data, value.cause, value.origin, data and spread is Level.LANE)
        return
    if not isinstance(lane, Integer) or not lane.exact or not lane.poly.is_constant or segment is None:
        return
    size = run.arithmetic.shape.padded
    source = sources(stmt.op, pl.coefficient_vector(lane.poly.constant, size), segment, size)
    known = _runs_with(run.mask, source) & run.arithmetic.shape.real[source]
    if any(s.level is Level.LANE for s in value.poly.symbols()):
        plain = isinstance(unknown, Integer) and not isinstance(type_, PointerType)
        if plain and value.exact and every(known[run.mask.may]):
            run.env[stmt.var] = _within(run, value, type_, level, cause)
        return
    moved = pl.map_coefficients(value.poly, lambda c: c if isinstance(c, int) else c[source])
    if every(known[run.mask.may]):
        run.env[stmt.var] = Integer(moved, value.bits, None, stmt.span)
    elif isinstance(unknown, Integer):
        run.env[stmt.var] = Integer(pl.select(known, moved, unknown.poly), value.bits, None, stmt.span)


def _within(run: Run, value: Integer, type_: Type, level: Level, cause: Cause) -> Value:
    """What one of the lanes holds that take part: it lies where their values do, so that what is handed to and fro between lanes, as
    the places of what they sort, stays the numbers that it was."""
    low, high = (np.broadcast_to(end, run.mask.may.shape)[run.mask.may] for end in lane_bounds(value, type_))
    return run.arithmetic.unknown(level, type_, cause, float(low.min()), float(high.max()))


def sources(op: str, operand: IntVector, segment: int, size: int) -> IntVector:
    """The thread whose value each thread reads; `operand` is the lane, delta or mask, `segment` lanes share a width.

    The hardware takes five bits of the operand; an exclusive-or may lead into an earlier segment, not into a later one
    (PTX ISA, "shfl.sync")."""
    thread = np.arange(size, dtype=np.int64)
    operand = operand & (WARP - 1)
    first = thread // segment * segment
    place = thread % segment
    match op:
        case "idx":
            return first + operand % segment
        case "up":
            return np.where(place >= operand, thread - operand, thread)
        case "down":
            return np.where(place + operand < segment, thread + operand, thread)
        case _:
            other = thread ^ operand
            return np.where(other < first + segment, other, thread)


def _number(value: Value) -> int | None:
    """A constant power of two up to the warp's width."""
    if not isinstance(value, Integer) or not value.exact or not value.poly.is_constant:
        return None
    width = value.poly.constant
    return width if isinstance(width, int) and width in (1, 2, 4, 8, 16, 32) else None


def _runs_with(mask: Mask, source: IntVector) -> BoolVector:
    """Threads that run only together with the one that they read, of the same warp."""
    together = mask.may[source]
    for entry in mask.literals:
        waits = entry.scope[source]
        if some(waits & together):
            together = together & (~waits | (entry.scope & _follows(entry.formula, source)))
    return together


def _follows(formula: Condition, source: IntVector) -> BoolVector:
    """Where the condition holds of the thread that is read if it holds of the reader: `t / 4 < n` within four threads, and
    `t < n / 8 * 8` within eight."""
    if formula.level is not Level.LANE:
        return np.ones(len(source), dtype=np.bool_)
    below = cond.below_zero(formula)
    if below is None:
        return np.zeros(len(source), dtype=np.bool_)
    step, alike = 0, np.ones(len(source), dtype=np.bool_)
    first = pl.coefficient_vector(below.constant, len(source))
    for monomial, coefficient in below.terms.items():
        if not monomial:
            continue
        if not pl.is_shared(monomial):
            return np.zeros(len(source), dtype=np.bool_)
        if not isinstance(coefficient, int):
            step, alike = 1, alike & (coefficient == coefficient[source])
            continue
        modulus, residue = pl.congruence(monomial)
        step, first = gcd(step, coefficient * modulus), first + coefficient * residue
    first = first // max(step, 1)
    return alike & (first[source] <= first)


def execute_vote(run: Run, stmt: Vote) -> None:
    """The result of a vote is the same for all lanes of a warp (of the block, for the block-wide ones), but for those of `OF_EACH_LANE`.

    With a member mask of its own (the last argument where it is no constant), lanes of different masks vote apart."""
    run.env = just_stored.forget(run.env)
    level = Level.LANE if stmt.op in OF_EACH_LANE else Level.BLOCK if stmt.block else Level.WARP
    if len(stmt.args) > _OPERANDS.get(stmt.op, 1):
        level = Level(max(level, level_of(evaluate(run, stmt.args[-1]))))
    if any(level_of(evaluate(run, mask)) is Level.LANE for mask in stmt.args[1:]):
        level = Level.LANE  # lanes with different masks vote apart
    cause = Cause(CauseKind.DATA, "the result of a vote", stmt.span)
    run.env[stmt.var] = memory.loaded_value(run, run.kernel.variables[stmt.var].type, level, cause)
