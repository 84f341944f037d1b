"""IR statements as closures: what runs takes the active lanes and returns those that go on.

Lanes that `break`, `continue` or `return` are kept in the frame of the construct that they leave, and come back when it
ends: that is where a warp reconverges.  A warp splits at a test whose active lanes do not all agree (docs/hardware.md,
"Divergence"); `&&`, `||` and `?:` are no splits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

import numpy as np

from analysis_core.ir.nodes import (
    Assign,
    Atomic,
    Barrier,
    BarrierScope,
    Block,
    Break,
    Claim,
    Continue,
    Declare,
    Fence,
    If,
    IfKind,
    Inlined,
    Load,
    Local,
    Loop,
    LoopKind,
    Return,
    Shuffle,
    Stmt,
    Store,
    Switch,
    UnknownStmt,
    VarId,
    Vote,
)
from analysis_core.simulate import accesses, warp_primitives, wraps
from analysis_core.simulate.expressions import Compiler, Evaluate, stopping, variable_representation
from analysis_core.simulate.faults import FaultKind
from analysis_core.simulate.lanes import WARP, Lanes, merged
from analysis_core.simulate.machine import Frame, FrameKind, Machine, Meeting, Spent, Stopped
from analysis_core.simulate.representation import Bools, Ints, Representation, Unsupported, Vector, converted
from analysis_core.simulate.request_cost import distinct_per_row
from analysis_core.simulate.weights import NONE, Weight
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

Act = Callable[[Machine, Lanes], None]
Run = Callable[[Machine, Lanes], Lanes]


@dataclass(frozen=True, slots=True)
class Context:
    """`read`: variables that some expression reads; `inlined`: the call whose body is being compiled;
    `wraps`: whether updates that wrap around are noted."""

    compiler: Compiler
    read: frozenset[VarId]
    inlined: Span | None = None
    wraps: bool = False

    def weight(self, stmt: Stmt) -> Weight:
        return self.compiler.weights.of_statement(stmt, self.inlined)


@dataclass(frozen=True, slots=True)
class _Segment:
    """Statements without control flow, and the one with it that ends them (if any)."""

    weight: Weight
    acts: tuple[Act, ...]
    control: Run | None


def block(ctx: Context, stmts: Block, extra: Weight = NONE) -> Run:
    """A list of statements; `extra` is counted at its start."""
    segments = tuple(_segments(ctx, stmts, extra))

    def run(m: Machine, lanes: Lanes) -> Lanes:
        for segment in segments:
            m.step(segment.weight, lanes)
            m.lane_statements += len(segment.acts) * lanes.count
            m.statements_left -= len(segment.acts)
            if m.statements_left < 0:
                raise Spent(f"the run takes more than {m.request.statements} statements", None)
            for act in segment.acts:
                act(m, lanes)
            if segment.control is not None:
                lanes = segment.control(m, lanes)
                if lanes.count == 0:
                    break
        return lanes

    return run


def _segments(ctx: Context, stmts: Block, extra: Weight) -> list[_Segment]:
    found: list[_Segment] = []
    weight, acts = extra, list[Act]()
    for stmt in stmts:
        control = _control(ctx, stmt)
        if control is None:
            weight += ctx.weight(stmt)
            acts.append(_act(ctx, stmt))
            continue
        found.append(_Segment(weight, tuple(acts), control))
        weight, acts = NONE, []
    if acts or weight != NONE:
        found.append(_Segment(weight, tuple(acts), None))
    return found


# --- statements without control flow --------------------------------------------------------------------------------


def _act(ctx: Context, stmt: Stmt) -> Act:
    try:
        return _made(ctx, stmt)
    except Unsupported as why:
        reason = str(why)
        stop = stopping(f"not simulated: {reason}", _place(stmt))
        return lambda m, lanes: _stop(stop(m, lanes))


def _stop(_: Vector) -> None:
    """Never reached: the argument stops the run."""


def _place(stmt: Stmt) -> Span:
    return stmt.access.span if isinstance(stmt, Load | Store | Atomic) else stmt.span


def _made(ctx: Context, stmt: Stmt) -> Act:
    match stmt:
        case Declare() | Fence():
            return lambda m, lanes: None
        case Assign():
            return _assign(ctx, stmt)
        case Load():
            return accesses.load(ctx.compiler, stmt)
        case Store():
            return accesses.store(ctx.compiler, stmt)
        case Atomic():
            return accesses.atomic(ctx.compiler, stmt, stmt.var is not None and stmt.var in ctx.read)
        case Barrier(scope=BarrierScope.PART | BarrierScope.CLUSTER):
            return _barrier_of_a_part(ctx.compiler, stmt)
        case Barrier():
            return _barrier(stmt)
        case Shuffle():
            return warp_primitives.shuffle(ctx.compiler, stmt)
        case Vote():
            return warp_primitives.vote(ctx.compiler, stmt)
        case UnknownStmt(cause=cause, span=span):
            stop = stopping(cause.reason, span, cause)
            return lambda m, lanes: _stop(stop(m, lanes))
        case If() | Loop() | Switch() | Break() | Continue() | Return() | Inlined() | Claim():
            raise AssertionError("control flow is compiled by _control")
        case _:
            assert_never(stmt)


def _assign(ctx: Context, stmt: Assign) -> Act:
    value = ctx.compiler.expression(stmt.value, stmt.span)
    kept = variable_representation(ctx.compiler.kernel, stmt.var)
    var = stmt.var
    if ctx.wraps and (watch := wraps.watch(ctx.compiler, stmt)) is not None:
        return _watched(watch, value, kept, var)
    if not isinstance(stmt.value, Local):
        return lambda m, lanes: m.assign(var, converted(value(m, lanes), kept), lanes)
    source = stmt.value.var

    def copy(m: Machine, lanes: Lanes) -> None:
        missing = m.undefined(source, lanes)
        if missing is None:
            m.assign(var, converted(value(m, lanes), kept), lanes)
            return
        # A copy of what has no value is no use of it: the parts of a struct are copied whether they are used or not.
        there = lanes.where(~missing)
        if there.count:
            m.assign(var, converted(value(m, there), kept), there)
        m.forget(var, lanes.where(missing))

    return copy


def _watched(watch: wraps.Watch, value: Evaluate, kept: Representation, var: VarId) -> Act:
    def assign(m: Machine, lanes: Lanes) -> None:
        new = converted(value(m, lanes), kept)
        watch(m, lanes, new)
        m.assign(var, new, lanes)

    return assign


def _barrier(stmt: Barrier) -> Act:
    """A barrier must be reached by all threads of its block, or of the grid, that have not left the kernel."""
    whole = "grid" if stmt.scope is BarrierScope.GRID else "block"

    def meet(m: Machine, lanes: Lanes) -> None:
        m.come(stmt.scope, lanes)
        m.meet(lanes, stmt.scope is BarrierScope.GRID)
        if lanes.count == np.count_nonzero(m.alive):
            m.races.barrier(lanes, of_block=True)
            return
        missing = m.everyone.where(m.everyone.take(m.alive)).without(lanes)
        late = np.isin(missing.numbers // m.padded, lanes.numbers // m.padded) | (stmt.scope is BarrierScope.GRID)
        waiting = np.isin(lanes.numbers // m.padded, missing.numbers[late] // m.padded)
        waiting |= stmt.scope is BarrierScope.GRID and late.any()
        if late.any():
            absent = int(missing.numbers[late][0])
            beside, thread = m.place_of(absent)
            who = f"thread {thread} of block {beside}" if whole == "grid" else f"thread {thread}"
            text = f"`{stmt.text}` is reached by a part of the {whole}; {who} does not come"
            m.fault(FaultKind.DIVERGENT_BARRIER, stmt.span, lanes.where(waiting).numbers, text, absent)
        m.races.barrier(lanes.where(~waiting), of_block=True)
        m.races.partial_barrier(lanes.where(waiting))

    def meet_in_warp(m: Machine, lanes: Lanes) -> None:
        tile = stmt.tile or WARP
        for n in range(WARP // tile):
            m.come(stmt.scope, lanes if tile == WARP else lanes.where(lanes.numbers % WARP // tile == n))
        # A part of a warp may meet on purpose.
        coming = np.count_nonzero(m.alive.reshape(-1, WARP), axis=1)
        whole = (lanes.active == coming[lanes.rows])[lanes.rank]
        m.races.barrier(lanes.where(whole), of_block=False)
        m.races.partial_barrier(lanes.where(~whole))

    return meet_in_warp if stmt.scope is BarrierScope.WARP else meet


def _barrier_of_a_part(compiler: Compiler, stmt: Barrier) -> Act:
    """Those of one tile, or of one number, wait for each other, if they are as many as are waited for; so do those who wait at an object."""
    number, count, place, token = (
        None if expr is None else compiler.expression(expr, stmt.span)
        for expr in (stmt.number, stmt.count, stmt.object, stmt.token)
    )

    if stmt.step == "binds":  # copies are done at once
        return lambda m, lanes: None

    def numbers(of: Evaluate | None, m: Machine, lanes: Lanes) -> Ints:
        value = 0 if of is None else of(m, lanes)
        return np.broadcast_to(np.asarray(value).astype(np.int64), lanes.count)

    def meet_at_object(m: Machine, lanes: Lanes) -> None:
        given = (numbers(one, m, lanes) for one in (place, count, token))
        m.come(stmt.scope, lanes, Meeting(stmt.step, *given))
        if stmt.step in ("sync", "wait", "consume", "acquire"):
            m.races.partial_barrier(lanes)

    def meet(m: Machine, lanes: Lanes) -> None:
        block, thread = lanes.numbers // m.padded, lanes.numbers % m.padded
        if stmt.tile:
            groups, waited = thread // stmt.tile, np.full(lanes.count, stmt.tile)
        elif number is not None and count is not None:
            groups, waited = (np.broadcast_to(np.asarray(of(m, lanes)), lanes.count) for of in (number, count))
        else:
            groups, waited = np.zeros(lanes.count, dtype=np.int64), np.full(lanes.count, -1)
        for who in sorted(set(zip(block.tolist(), groups.tolist(), strict=True))):
            chosen = (block == who[0]) & (groups == who[1])
            if stmt.tile or waited[chosen][0] in (-1, np.count_nonzero(chosen)):
                m.come(stmt.scope, lanes.where(chosen))
                m.races.partial_barrier(lanes.where(chosen))

    return meet if place is None and stmt.step == "sync" else meet_at_object


# --- control flow ---------------------------------------------------------------------------------------------------


def _control(ctx: Context, stmt: Stmt) -> Run | None:
    """How a statement with control flow runs; None for the others."""
    match stmt:
        case If():
            return _if(ctx, stmt)
        case Loop():
            return _loop(ctx, stmt)
        case Switch():
            return _switch(ctx, stmt)
        case Break():
            return _leave((FrameKind.LOOP, FrameKind.SWITCH))
        case Continue():
            return _continue
        case Return():
            return _return(ctx.weight(stmt))
        case Inlined():
            return _inlined(ctx, stmt)
        case Claim():
            return _claim(ctx, stmt)
        case _:
            return None


def _note(m: Machine, test: tuple[Span, str], lanes: Lanes, splits: Ints, counts: bool) -> None:
    """One execution of a test; `splits` per warp."""
    m.branch(*test).note(lanes.rows, lanes.active, splits, splits)
    if counts and splits.any() and (m.request.counted is None or test in m.request.counted):
        m.divergences[lanes.rows] += splits


def _splits(truth: Vector, lanes: Lanes) -> Ints:
    """1 for each warp whose lanes do not agree."""
    yes = lanes.per_row(truth)
    return ((yes > 0) & (yes < lanes.active)).astype(np.int64)


def _if(ctx: Context, stmt: If) -> Run:
    condition = ctx.compiler.expression(stmt.condition, stmt.span)
    then, otherwise = block(ctx, stmt.then), block(ctx, stmt.otherwise)
    weight, splitting = ctx.weight(stmt), stmt.kind is IfKind.IF

    def run(m: Machine, lanes: Lanes) -> Lanes:
        m.step(weight, lanes)
        m.lane_statements += lanes.count
        truth = condition(m, lanes)
        _note(m, (stmt.span, stmt.kind.value), lanes, _splits(truth, lanes), splitting)
        chosen = lanes.where(truth)
        if chosen is lanes:
            return then(m, lanes)
        if chosen.count == 0:
            return otherwise(m, lanes)
        rest = lanes.where(np.logical_not(truth))
        return merged(lanes, [then(m, chosen), otherwise(m, rest)])

    return run


def _loop(ctx: Context, stmt: Loop) -> Run:
    condition = None if stmt.condition is None else ctx.compiler.expression(stmt.condition, stmt.span)
    test, body, step = block(ctx, stmt.test), block(ctx, stmt.body), block(ctx, stmt.step)
    weight, first = ctx.weight(stmt), stmt.kind is not LoopKind.DO

    def tested(m: Machine, lanes: Lanes, frame: Frame) -> Lanes:
        lanes = test(m, lanes)
        if lanes.count == 0 or condition is None:
            return lanes
        m.step(weight, lanes)
        m.lane_statements += lanes.count
        truth = condition(m, lanes)
        _note(m, (stmt.span, "loop"), lanes, _splits(truth, lanes), True)
        going = lanes.where(truth)
        if going is not lanes:
            frame.left.append(lanes.where(np.logical_not(truth)))
        return going

    def run(m: Machine, lanes: Lanes) -> Lanes:
        frame = Frame(FrameKind.LOOP)
        m.frames.append(frame)
        going = tested(m, lanes, frame) if first else lanes
        rounds = 0
        while going.count:
            rounds += 1
            m.rounds_left -= 1
            if m.rounds_left < 0:
                raise Stopped(f"the loop does not end within {m.request.rounds} rounds in lock step", stmt.span)
            frame.again.clear()
            on = body(m, going)
            going = merged(going, [on, *frame.again]) if frame.again else on
            if going.count:
                going = step(m, going)
            if going.count:
                going = tested(m, going, frame)
        m.frames.pop()
        m.rounds[stmt.whole] = max(rounds, m.rounds.get(stmt.whole, 0))
        return merged(lanes, frame.left)

    return run


def _switch(ctx: Context, stmt: Switch) -> Run:
    selector = ctx.compiler.expression(stmt.selector, stmt.span)
    bodies = [block(ctx, arm.body) for arm in stmt.arms]
    labels = [(label, number) for number, arm in enumerate(stmt.arms) for label in arm.labels]
    default = next((number for label, number in labels if label is None), len(bodies))
    weight = ctx.weight(stmt)

    def run(m: Machine, lanes: Lanes) -> Lanes:
        m.step(weight, lanes)
        m.lane_statements += lanes.count
        value = lanes.spread(selector(m, lanes))
        target = np.full(lanes.count, default, dtype=np.int64)
        for label, number in labels:
            if label is not None:
                target[value == label] = number
        _note(m, (stmt.span, "switch"), lanes, distinct_per_row(target, lanes) - 1, True)
        frame = Frame(FrameKind.SWITCH)
        m.frames.append(frame)
        falling = lanes.where(np.zeros(lanes.count, dtype=bool))
        for number, body in enumerate(bodies):
            entering = merged(lanes, [falling, lanes.where(target == number)])
            falling = body(m, entering) if entering.count else entering
        m.frames.pop()
        return merged(lanes, [falling, lanes.where(target == len(bodies)), *frame.left])

    return run


def _leave(kinds: tuple[FrameKind, ...]) -> Run:
    def run(m: Machine, lanes: Lanes) -> Lanes:
        _innermost(m, kinds).left.append(lanes)
        return _none(lanes)

    return run


def _continue(m: Machine, lanes: Lanes) -> Lanes:
    _innermost(m, (FrameKind.LOOP,)).again.append(lanes)
    return _none(lanes)


def _return(weight: Weight) -> Run:
    def run(m: Machine, lanes: Lanes) -> Lanes:
        m.step(weight, lanes)
        m.lane_statements += lanes.count
        for frame in reversed(m.frames):
            if frame.kind is FrameKind.FUNCTION:
                frame.left.append(lanes)
                return _none(lanes)
        m.alive[lanes.numbers] = False
        return _none(lanes)

    return run


def _innermost(m: Machine, kinds: tuple[FrameKind, ...]) -> Frame:
    return next(frame for frame in reversed(m.frames) if frame.kind in kinds)


def _none(lanes: Lanes) -> Lanes:
    nobody: Bools = np.zeros(lanes.count, dtype=bool)
    return lanes.where(nobody)


def _inlined(ctx: Context, stmt: Inlined) -> Run:
    body = block(replace(ctx, inlined=stmt.span), stmt.body, ctx.weight(stmt))

    def run(m: Machine, lanes: Lanes) -> Lanes:
        frame = Frame(FrameKind.FUNCTION)
        m.frames.append(frame)
        on = body(m, lanes)
        m.frames.pop()
        return merged(lanes, [on, *frame.left])

    return run


def _claim(ctx: Context, stmt: Claim) -> Run:
    """A claim that does not hold is a fault; what is read for it is an access of the run like others."""
    setup = block(ctx, stmt.setup)
    if stmt.condition is None:
        return setup
    condition = ctx.compiler.expression(stmt.condition, stmt.span)
    text = f"`{stmt.text}` does not hold"

    def run(m: Machine, lanes: Lanes) -> Lanes:
        lanes = setup(m, lanes)
        broken = lanes.where(np.logical_not(lanes.spread(condition(m, lanes))))
        if broken.count:
            m.fault(FaultKind.BROKEN_CLAIM, stmt.span, broken.numbers, text)
        return lanes

    return run
