"""Breaks of the lowering and of the simulator, for `mutations.py`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tests.bench.mutation import Mutation, Wrapper, constant

# --- lowering ---------------------------------------------------------------------------------------------------


def _steps_of_a_byte(original: Wrapper) -> Wrapper:
    from analysis_core.ir.nodes import Const, PtrAdd
    from analysis_core.ir.types import INT
    from analysis_core.lower.values import Value

    def wrong(ctx: Any, base: Any, pointer: Any, index: Any, backwards: bool) -> Any:
        moved = original(ctx, base, pointer, index, backwards)
        inner = moved.expr
        return Value(PtrAdd(inner.pointer, inner.index, Const(1, INT), inner.type), moved.type)

    return wrong


def _always_forwards(original: Wrapper) -> Wrapper:
    return lambda ctx, base, pointer, index, backwards: original(ctx, base, pointer, index, False)


def _packed(original: Wrapper) -> Wrapper:
    return lambda name, members, **options: original(name, members, **{**options, "packed": True})


def _no_tail(original: Wrapper) -> Wrapper:
    def wrong(*args: Any, **options: Any) -> Any:
        laid = original(*args, **options)
        return replace(laid, type=replace(laid.type, size=laid.data_size or 1))

    return wrong


def _zeroes_extended(original: Wrapper) -> Wrapper:
    from analysis_core.ir.types import ScalarKind, ScalarType

    def wrong(expr: Any, type: Any) -> Any:
        source = expr.type
        narrow = isinstance(source, ScalarType) and source.kind is ScalarKind.INT and source.signed
        if narrow and isinstance(type, ScalarType) and type.size > source.size:
            expr = original(expr, replace(source, signed=False, name=f"unsigned {source.name}"))
        return original(expr, type)

    return wrong


def _signed_wins(original: Wrapper) -> Wrapper:
    from analysis_core.ir.types import INT, UINT

    return lambda left, right: INT if original(left, right) == UINT else original(left, right)


def _always_prefix(original: Wrapper) -> Wrapper:
    return lambda ctx, expr, used: original(ctx, replace(expr, prefix=True), used)


def _last_label(original: Wrapper) -> Wrapper:
    def wrong(ctx: Any, body: Any, type: Any) -> Any:
        groups = original(ctx, body, type)
        return None if groups is None else [(labels[-1:], arm) for labels, arm in groups]

    return wrong


def _shifts_convert(original: Wrapper) -> Wrapper:
    from analysis_core.lower.objects import conversions

    def wrong(ctx: Any, op: str, left: Any, right: Any) -> Any:
        if op in ("<<", ">>"):
            common = conversions.arithmetic(left.type, right.type)
            left = replace(left, expr=conversions.cast(left.expr, common), type=common)
        return original(ctx, op, left, right)

    return wrong


# --- simulation -------------------------------------------------------------------------------------------------


def _logical_shift(original: Wrapper) -> Wrapper:
    def wrong(a: Any, b: Any) -> Any:
        return original(a.view(f"u{a.dtype.itemsize}"), b).view(a.dtype)

    return wrong


def _first_part(original: Wrapper) -> Wrapper:
    return lambda whole, parts: original(whole, [part for part in parts if part.count][:1])


def _at_half(original: Wrapper) -> Wrapper:
    return lambda addresses, lanes, width: original(addresses // 2, lanes, width)


def _leaves(original: Wrapper) -> Wrapper:
    def wrong(m: Any, lanes: Any) -> Any:
        going = original(m, lanes)
        frame = next(f for f in reversed(m.frames) if f.again)
        frame.left.append(frame.again.pop())
        return going

    return wrong


def _up_is_down(original: Wrapper) -> Wrapper:
    return lambda op, own, by, width: original({"up": "down", "down": "up"}.get(op, op), own, by, width)


def _all_at_once(original: Wrapper) -> Wrapper:
    def wrong(memory: Any, at: Any, values: Any) -> Any:
        old = memory[at].copy()
        original(memory, at, values)
        return old

    return wrong


def _saturates(original: Wrapper) -> Wrapper:
    def wrong(value: Any, target: Any) -> Any:
        if value.dtype.kind in "iu" and target.compute.kind in "iu":
            limits = np.iinfo(target.compute)
            inside = (value >= limits.min) & (value <= limits.max)
            return np.where(inside, original(value, target), target.compute.type(limits.max))[()]
        return original(value, target)

    return wrong


def _no_difference(original: Wrapper) -> Wrapper:
    return lambda truth, lanes: original(truth, lanes) * 0


def _reads_all(original: Wrapper) -> Wrapper:
    def wrong(self: Any, var: Any, value: Any, lanes: Any) -> None:
        original(self, var, value if isinstance(value, np.ndarray) else np.full(lanes.count, value), lanes)
        known = self.values[var]
        if isinstance(known, np.ndarray) and lanes.count < self.everyone.count:
            known[:] = known[lanes.numbers[0]]

    return wrong


LOWERING = (
    Mutation("pointer steps", "p + n moves by n bytes", "lower_operators._moved", _steps_of_a_byte),
    Mutation("backward steps", "p - n moves forwards", "lower_operators._moved", _always_forwards),
    Mutation("struct offsets", "members are not aligned", "lay_out", _packed),
    Mutation("struct stride", "records are not padded at their end", "lay_out", _no_tail),
    Mutation("sign extension", "narrow signed values are extended by zeros", "conversions.cast", _zeroes_extended),
    Mutation("usual conversions", "int wins against unsigned", "conversions.arithmetic", _signed_wins),
    Mutation("postfix", "x++ gives the new value", "lower_assignments.step", _always_prefix),
    Mutation("case labels", "only the last label of an arm counts", "lower_switch._groups", _last_label),
    Mutation("shift conversions", "shifts convert their left side", "lower_operators.scalars", _shifts_convert),
)

SIMULATION = (
    Mutation("quotient", "/ rounds towards minus infinity", "arithmetic.quotient", lambda _: np.floor_divide),
    Mutation("remainder", "% has the sign of the divisor", "arithmetic.remainder", lambda _: np.remainder),
    Mutation("signed >>", ">> of negative values shifts zeros in", "arithmetic.shifted_right", _logical_shift),
    Mutation("narrowing", "conversions saturate", "representation.converted", _saturates),
    Mutation("reconvergence", "only those that come first go on", "lanes.merged", _first_part),
    Mutation("inactive lanes", "an assignment reaches every lane", "Machine.assign", _reads_all),
    Mutation("continued lanes", "continue leaves the loop", "statements._continue", _leaves),
    Mutation("sectors", "sectors have 64 bytes", "global_costs", _at_half),
    Mutation("banks", "words have 8 bytes", "shared_costs", _at_half),
    Mutation("splits", "no warp splits", "statements._splits", _no_difference),
    Mutation("shuffle up", "up is down", "warp_primitives._source", _up_is_down),
    Mutation("old values", "atomics of a warp see one old value", "atomics._summed", _all_at_once),
    Mutation("barriers", "barriers order nothing", "Races.barrier", constant(None)),
    Mutation("out of bounds", "accesses out of bounds are not told", "_report_outside", constant(None)),
    Mutation("stale shared memory", "blocks see the last chunk's memory", "Memory.forget_blocks", constant(None)),
    Mutation("declared steps", "declarations cost as assignments do", "steps._within", constant(False)),
)

MUTATIONS = (
    *(replace(m, stage="lowering") for m in LOWERING),
    *(replace(m, stage="simulation") for m in SIMULATION),
)
