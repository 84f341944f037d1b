"""Transfer functions of statements: one environment per arm, joined where the threads reconverge.

Execution is abstract lock step: a statement is executed once for all threads that may be there.  An assignment
overwrites the variable for every thread of its arm; values of threads that are not there are discarded at the join.
"""

from __future__ import annotations

from typing import assert_never

import numpy as np

from analysis_core.domains import condition as cond
from analysis_core.domains import mask as masks
from analysis_core.domains.condition import Condition
from analysis_core.domains.mask import Mask
from analysis_core.domains.shape import every, some
from analysis_core.domains.symbol import Level
from analysis_core.domains.thread_value import Integer, Value, level_of
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core import just_stored, memory
from analysis_core.interp.core.events import BranchEvent, ClaimEvent
from analysis_core.interp.core.liveness import Live
from analysis_core.interp.core.state import Environment, ExitKind, FrameKind, Run, innermost, join, leave, without
from analysis_core.interp.core.trace import Branched, Chosen, Node
from analysis_core.interp.core.transfer import evaluate, evaluate_condition
from analysis_core.interp.core.warp_primitives import execute_shuffle, execute_vote
from analysis_core.interp.loops.loops import execute_loop
from analysis_core.interp.loops.single_rounds import times_of_side
from analysis_core.ir.nodes import (
    Assign,
    Atomic,
    Barrier,
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
    Loop,
    Return,
    Shuffle,
    Stmt,
    Store,
    Switch,
    UnknownStmt,
    Vote,
)
from analysis_core.support.facts import CONDENSED, Cause, CauseKind
from analysis_core.text.span import Span

_MOST_CLAIMED = 64
"""Executions of a claim that are kept of those that are not seen to hold: more than a solver is asked about."""

_LITERALS = 8
"""Conditions that threads wait for that make a statement of an exact loop, and all that is asked of it later, take once more as long."""


def execute(run: Run, block: Block) -> None:
    """Runs the statements for the threads of the present mask."""
    for stmt in block:
        if run.mask.is_dead:
            return
        _execute_one(run, stmt)


def _execute_one(run: Run, stmt: Stmt) -> None:
    run.exact_left -= 1 + len(run.mask.literals) // _LITERALS
    if not isinstance(stmt, Loop):
        run.count_steps(stmt)
    match stmt:
        case Assign():  # the most frequent first: cases are tried one after the other
            run.env[stmt.var] = _with_origin(run, evaluate(run, stmt.value), stmt)
        case Load():
            memory.load(run, stmt)
        case If():
            _execute_if(run, stmt)
        case Declare():
            pass  # What it costs was counted.
        case Store():
            memory.store(run, stmt)
        case Atomic():
            memory.atomic(run, stmt)
        case Loop():
            execute_loop(run, stmt, execute)
        case Switch():
            _execute_switch(run, stmt)
        case Break():
            _leave_to(run, (FrameKind.LOOP, FrameKind.SWITCH), ExitKind.BREAK)
        case Continue():
            _leave_to(run, (FrameKind.LOOP,), ExitKind.CONTINUE)
        case Return():
            _leave_to(run, (FrameKind.FUNCTION,), ExitKind.RETURN)
        case Inlined():
            _execute_inlined(run, stmt)
        case Barrier():
            memory.barrier(run, stmt)
        case Fence():
            memory.fence(run, stmt)
        case Shuffle():
            execute_shuffle(run, stmt)
        case Vote():
            execute_vote(run, stmt)
        case UnknownStmt():
            _execute_unknown(run, stmt)
        case Claim():
            _execute_claim(run, stmt)
        case _:
            assert_never(stmt)


def _with_origin(run: Run, value: Value, stmt: Assign) -> Value:
    """Remembers the statement that first made an integer differ between the lanes of a warp; the same object for the same
    value each time."""
    if isinstance(value, Integer) and value.origin is None and level_of(value) is Level.LANE:
        key = (id(stmt), id(value))
        known = run.applied.get(key)
        if known is not None:
            return known[0]
        origin = value
        value = Integer(value.poly, value.bits, value.condition, stmt.span)
        run.keep(key, value, origin)
    return value


def _leave_to(run: Run, kinds: tuple[FrameKind, ...], kind: ExitKind) -> None:
    target = innermost(run, kinds)
    if target is not None:
        leave(run, target, kind)


# --- if ---------------------------------------------------------------------------------------------------------


def _execute_if(run: Run, stmt: If) -> None:
    condition = masks.refine(run.mask, evaluate_condition(run, stmt.condition))
    work = run.statics.works(stmt, (stmt.then, stmt.otherwise))
    record_branch(run, stmt.span, stmt.whole, stmt.kind, (condition,), work)
    before, env, start, epoch = run.mask, run.env, len(run.exits), run.epoch
    branch, outer = len(run.branches) - 1 if run.recording else None, run.trace
    then_trace: list[Node] = []
    else_trace: list[Node] = []
    run.trace = then_trace
    opposite = cond.negate(condition)
    entries = masks.assume(before, condition), masks.assume(before, opposite)
    then_mask, then_env = _arm(run, entries[0], env, stmt.then, times_of_side(run, before, condition))
    run.trace = else_trace
    else_mask, else_env = _arm(run, entries[1], env, stmt.otherwise, times_of_side(run, before, opposite))
    run.trace = outer
    if then_trace or else_trace:
        run.trace.append(Chosen(branch, before, entries, (tuple(then_trace), tuple(else_trace))))
    run.mask = without(before, run.exits[start:])
    around = run.inside[-1].literals if run.inside else 0  # loops look at what their rounds add
    if run.mask.is_crowded(around):
        _condense(run, stmt, around)
    run.epoch += run.epoch != epoch  # what one arm read, the other may have changed
    if then_mask.is_dead:
        run.env = else_env
    elif else_mask.is_dead:
        run.env = then_env
    else:
        run.env = join(run, condition, then_env, else_env, run.liveness.after[id(stmt)])


def _condense(run: Run, stmt: If, around: int) -> None:
    """Forgets why threads left, but for the last reasons, and those for which they wait around the loop."""
    run.mask = masks.condensed(run.mask, run.arithmetic.source.unique(), around)
    if not any(cause.reason == CONDENSED for cause in run.coarse):
        run.coarse.append(Cause(CauseKind.ANALYSIS, CONDENSED, stmt.span))


def _arm(run: Run, entry: Mask, env: Environment, block: Block, times: Expression) -> tuple[Mask, Environment]:
    """Runs a side that its threads come to so many times at most."""
    run.mask = entry
    run.env = env if not block else dict(env)
    before, turn = run.times, run.turn
    if times is not before:
        run.times, run.turn = times, None
    execute(run, block)
    run.times, run.turn = before, turn
    return run.mask, run.env


def record_branch(
    run: Run,
    span: Span,
    whole: Span,
    kind: object,
    conditions: tuple[Condition, ...],
    work: tuple[bool, ...],
) -> None:
    """Notes that the present threads decide a branch."""
    if run.recording:
        assert isinstance(kind, (IfKind, str))
        run.trace.append(Branched(len(run.branches)))
        run.branches.append(BranchEvent(span, whole, kind, tuple(run.via), conditions, run.mask, run.times, work))


# --- switch -----------------------------------------------------------------------------------------------------


def _execute_switch(run: Run, stmt: Switch) -> None:
    before, env, start, frame, epoch = run.mask, run.env, len(run.exits), len(run.frames), run.epoch
    entries, passed = _entries(run, stmt, evaluate(run, stmt.selector))
    targets = (*entries, *passed)
    work = run.statics.works(stmt, tuple(arm.body for arm in stmt.arms))
    record_branch(run, stmt.span, stmt.whole, "switch", targets, work)
    run.frames.append(FrameKind.SWITCH)
    fall_mask, fall_env = Mask(before.may & False), env
    branch, outer, falling = len(run.branches) - 1 if run.recording else None, run.trace, False
    arms: list[tuple[Mask, tuple[Node, ...]]] = []
    for arm, entry in zip(stmt.arms, entries, strict=True):
        falls = masks.since(fall_mask, before)
        reached = cond.disjunction(entry, falls)
        entered = masks.assume(before, reached)
        entry_env = env if fall_mask.is_dead else join(run, falls, fall_env, env)
        falling = falling or not fall_mask.is_dead
        run.trace = []
        fall_mask, fall_env = _arm(run, entered, entry_env, arm.body, times_of_side(run, before, reached))
        arms.append((entered, tuple(run.trace)))
    run.frames.pop()
    run.trace = outer
    run.trace += _switched(branch, before, [*arms, *((masks.assume(before, c), ()) for c in passed)], falling)
    run.epoch += run.epoch != epoch
    ends = [(e.mask, e.env) for e in run.exits[start:] if e.target == frame]
    ends.append((fall_mask, fall_env))
    run.exits[start:] = [e for e in run.exits[start:] if e.target != frame]
    run.env = reconverge(run, before, env, ends, run.liveness.after[id(stmt)])
    run.mask = without(before, run.exits[start:])


def _switched(branch: int | None, before: Mask, arms: list[tuple[Mask, tuple[Node, ...]]], falling: bool) -> list[Node]:
    """Arms of which each thread runs one; where control falls through to the next arm, all of them in order."""
    if falling:
        return [node for _, nodes in arms for node in nodes]
    if not any(nodes for _, nodes in arms):
        return []
    return [Chosen(branch, before, tuple(mask for mask, _ in arms), tuple(nodes for _, nodes in arms))]


def _entries(run: Run, stmt: Switch, selector: Value) -> tuple[list[Condition], list[Condition]]:
    """For each arm, the condition under which control jumps to it; and that of passing by, if there is no `default`."""
    arithmetic = run.arithmetic
    nobody = np.zeros(arithmetic.shape.padded, dtype=bool)
    matched = cond.decided(nobody)
    entries: list[Condition | None] = []
    for arm in stmt.arms:
        entry = cond.decided(nobody)
        for label in arm.labels:
            if label is not None:
                constant = arithmetic.constant(label, stmt.selector.type)
                entry = cond.disjunction(entry, arithmetic.compare("==", selector, constant, stmt.selector.type))
        matched = cond.disjunction(matched, entry)
        entries.append(
            entry if None not in arm.labels else None if not some(entry.true) and not some(entry.undecided) else entry
        )
    default = cond.negate(matched)
    result = []
    for arm, found in zip(stmt.arms, entries, strict=True):
        if None in arm.labels:
            result.append(default if found is None else cond.disjunction(found, default))
        else:
            assert found is not None
            result.append(found)
    passed = [] if any(None in arm.labels for arm in stmt.arms) else [default]
    return [masks.refine(run.mask, e) for e in result], [masks.refine(run.mask, e) for e in passed]


def reconverge(
    run: Run, before: Mask, env: Environment, ends: list[tuple[Mask, Environment]], live: Live
) -> Environment:
    """The environment of all threads of `before` after a construct that they left by one of `ends`, or passed by.  `live`:
    the variables that are read after it."""
    for mask, end_env in reversed(ends):
        if mask.is_dead:
            continue
        condition = masks.since(mask, before)
        env = dict(end_env) if every(condition.true) else join(run, condition, end_env, env, live)
    return env


# --- calls ------------------------------------------------------------------------------------------------------


def _execute_inlined(run: Run, stmt: Inlined) -> None:
    before, start, frame = run.mask, len(run.exits), len(run.frames)
    run.frames.append(FrameKind.FUNCTION)
    run.via.append(stmt.span)
    execute(run, stmt.body)
    run.via.pop()
    run.frames.pop()
    ends = [(e.mask, e.env) for e in run.exits[start:] if e.target == frame]
    last = run.env
    if run.mask.is_dead and ends:
        last = ends.pop()[1]
    run.exits[start:] = [e for e in run.exits[start:] if e.target != frame]
    run.env = reconverge(run, before, last, ends, run.liveness.after[id(stmt)])
    run.mask = without(before, run.exits[start:])


# --- claims -----------------------------------------------------------------------------------------------------


def _execute_claim(run: Run, stmt: Claim) -> None:
    """Notes what is claimed.  What is read for it costs nothing and is no access of the kernel."""
    recording, run.recording = run.recording, False
    execute(run, stmt.setup)
    run.recording = recording
    if recording and stmt.condition is not None:
        condition = masks.refine(run.mask, evaluate_condition(run, stmt.condition))
        open_, before = some(run.mask.may & ~condition.true), run.claimed.get(stmt.span, 0)
        if before < (_MOST_CLAIMED if open_ else 1):  # more of one claim than that are not decided anyway
            run.claims.append(ClaimEvent(stmt, condition, run.mask))
        run.claimed[stmt.span] = before + open_ if before else 1


# --- unknown code ------------------------------------------------------------------------------------------------


def _execute_unknown(run: Run, stmt: UnknownStmt) -> None:
    """Forgets what the statement can reach, and notes that costs may be missing."""
    if run.recording:
        run.unknowns.append(stmt.cause)
    run.env = just_stored.forget(run.env)
    for var in stmt.changes:
        run.env[var] = run.arithmetic.unknown(Level.LANE, run.kernel.variables[var].type, stmt.cause)
    if stmt.memory:
        memory.forget_all(run)
    if stmt.leaves:
        stays = run.arithmetic.opaque_condition(Level.LANE, False, ())
        run.mask = masks.assume(run.mask, stays)
