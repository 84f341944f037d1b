"""Summaries of loops: all remaining rounds in one abstract round (DESIGN.md section 6).

1. *Probe.*  Every variable v that the loop changes is replaced by a fresh symbol h_v, and a round is run with
   recording off and inner loops skipped.  If v ends as h_v + c, with c free of anything made in the loop, then v has the
   closed form v0 + k*c, where k counts the rounds before the present one.
2. *Count.*  The test, read over the closed forms, gives the trip count (trips.py), or a named symbol stands for it.
3. *Round k.*  A round is run with closed forms for those variables, and fresh symbols of a sound level (levels.py) for
   the others; its events happen `times` the trip count.
4. *After.*  A closed form whose test stops it exactly keeps its value; anything else that the loop changed is a fresh
   symbol, as uniform as the values it may have had and as the conditions that decided when a thread left.

The probe is linear in the size of the loop because inner loops are only skipped there, so nests cost their size times
their depth (section 14, rule 10).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf

from analysis_core.cost import expression as ex
from analysis_core.cost.expression import Expression
from analysis_core.domains import mask as masks
from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Condition
from analysis_core.domains.mask import Mask
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import vector_level
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.domains.thread_value import (
    Integer,
    Other,
    Value,
    finite,
    fits,
    is_integral,
    is_signed,
    level_of,
    width,
)
from analysis_core.interp import memory
from analysis_core.interp.levels import changed_variables, loop_levels
from analysis_core.interp.raggedness import stays_failed
from analysis_core.interp.roots import has_barrier, stored_objects
from analysis_core.interp.rounds import End, Execute, loop_test, one_round, record_test
from analysis_core.interp.state import Environment, Exit, Run
from analysis_core.interp.trips import LinearTest, linear_tests, rounds_bound, trip_expression
from analysis_core.ir.nodes import Binary, Cast, Local, Loop, Unary, VarId
from analysis_core.ir.types import PointerType, Type
from analysis_core.ir.walk import expressions_of, statements, subexpressions
from analysis_core.support.facts import Cause, CauseKind


@dataclass(frozen=True, slots=True, eq=False)
class _Summary:
    """What is fixed before round k: the state at the first test, the variables that change, their steps per round."""

    loop: Loop
    mask: Mask
    env: Environment
    clock: int
    changed: frozenset[VarId]
    steps: dict[VarId, Poly]
    stores: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Count:
    """The counter of rounds, the test that bounds it if there is one, and the trip count."""

    k: Symbol
    test: LinearTest | None
    trips: Expression


def skip_loop(run: Run, loop: Loop) -> None:
    """Inside of a probe: all that matters is what the loop changes, and that it is not known."""
    _havoc(run, changed_variables((loop,)), {})
    run.epoch += 1
    memory.forget_cells(run)


def summarise(run: Run, loop: Loop, execute: Execute, ends: list[End], frame: int) -> None:
    """All remaining rounds at once, from the present mask and environment, which stand at a test."""
    stores = stored_objects((loop,))
    if stores:
        run.env = dict(run.env)
        memory.forget_cells(run)
    if stores or has_barrier((loop,)):
        run.epoch += 1  # what a round reads may have been written in the round before
    changed = changed_variables((loop,))
    clock = run.arithmetic.source.count
    summary = _Summary(loop, run.mask, run.env, clock, changed, {}, stores)
    steps = _probe(run, summary, execute, frame)
    summary = _Summary(loop, run.mask, run.env, clock, changed, steps, stores)
    count = _count(run, summary, execute)
    round_ends, level = _abstract_round(run, summary, count, execute, frame)
    run.env = _after(run, summary, count, round_ends, level)
    run.mask = summary.mask
    if stores:
        run.epoch += 1
    ends.append((summary.mask, run.env))


def _havoc(run: Run, variables: frozenset[VarId], levels: dict[VarId, Level]) -> None:
    """Each variable becomes a fresh symbol of its level (LANE where none is given)."""
    for var in sorted(variables):
        run.env[var] = _fresh(run, var, levels.get(var, Level.LANE), None)


def tested_variables(loop: Loop) -> frozenset[VarId]:
    """The variables that the loop's test reads."""
    read = [expr for stmt in statements(loop.test) for expr in expressions_of(stmt)]
    read += [] if loop.condition is None else [loop.condition]
    return frozenset(e.var for expr in read for e in subexpressions(expr) if isinstance(e, Local))


def _fresh(run: Run, var: VarId, level: Level, cause: Cause | None) -> Value:
    variable = run.kernel.variables[var]
    reason = f"`{variable.name}` changes in a loop in a way that has no closed form"
    why = cause or Cause(CauseKind.ANALYSIS, reason, variable.span)
    if isinstance(variable.type, PointerType):
        return Integer(
            pl.of_symbol(run.arithmetic.source.fresh(variable.name, level, SymbolKind.UNKNOWN, 0, cause=why))
        )
    return run.arithmetic.unknown(level, variable.type, why)


# --- 1. probe ---------------------------------------------------------------------------------------------------


def _probe(run: Run, summary: _Summary, execute: Execute, frame: int) -> dict[VarId, Poly]:
    """For each variable with a closed form, the invariant amount by which a round changes it."""
    start = len(run.exits)
    run.recording, run.env = False, dict(summary.env)
    held: dict[VarId, Symbol] = {}
    for var in sorted(summary.changed):
        if isinstance(run.env.get(var), Integer):
            held[var] = run.arithmetic.source.fresh("h", Level.LANE, SymbolKind.UNKNOWN)
            run.env[var] = Integer(pl.of_symbol(held[var]))
        elif var in run.env:
            run.env[var] = _fresh(run, var, Level.LANE, None)
    execute(run, summary.loop.test)
    run.mask = masks.assume(run.mask, loop_test(run, summary.loop))
    one_round(run, summary.loop, execute, [], frame)
    steps: dict[VarId, Poly] = {}
    for var, symbol in held.items():
        after = run.env.get(var)
        if isinstance(after, Integer) and _keeps_width(after, run.kernel.variables[var].type):
            step = pl.subtract(after.poly, pl.of_symbol(symbol))
            if all(s.number < summary.clock for s in step.symbols()):
                steps[var] = step
    del run.exits[start:]
    run.recording, run.mask, run.env = True, summary.mask, summary.env
    return steps


def _keeps_width(value: Integer, type_: Type) -> bool:
    """Whether the value is right modulo the width of its variable: then the counter follows the closed form unless it
    wraps around, which counters of 32 bits and more are assumed not to do."""
    return value.bits is None or (32 <= width(type_) <= value.bits)


# --- 2. count ---------------------------------------------------------------------------------------------------


def _closed_forms(run: Run, summary: _Summary, k: Symbol) -> None:
    """Sets every variable that has a closed form to v0 + k*c.

    Signed counters do not overflow (assumed); unsigned ones of 32 bits or more stay in range by their bounds or, if the
    loop's test reads them, are assumed not to wrap around; the others are right modulo 2^w."""
    tested = tested_variables(summary.loop)
    for var, step in summary.steps.items():
        value = summary.env[var]
        if not step.terms or not isinstance(value, Integer):
            continue
        variable = run.kernel.variables[var]
        poly = pl.add(value.poly, pl.multiply(pl.of_symbol(k), step))
        bits = value.bits
        if value.exact and not is_signed(variable.type) and not fits(poly, variable.type):
            if width(variable.type) < 32 or var not in tested:
                bits = width(variable.type)
            elif run.recording:
                run.assume_that(f"the loop counter `{variable.name}` does not wrap around", variable.span)
        run.env[var] = run.arithmetic.shorten(Integer(poly, bits, None, value.origin), variable.type)


def _count(run: Run, summary: _Summary, execute: Execute) -> _Count:
    """How often the loop runs, by its test over the closed forms with a provisional counter."""
    provisional = run.arithmetic.source.fresh("k", Level.BLOCK, SymbolKind.ITERATION, 0)
    run.recording, run.env = False, dict(summary.env)
    _havoc(run, frozenset(v for v in summary.changed if v not in summary.steps), {})
    _closed_forms(run, summary, provisional)
    execute(run, summary.loop.test)
    condition = loop_test(run, summary.loop)
    run.recording, run.mask, run.env = True, summary.mask, summary.env
    if summary.stores:
        run.epoch += 1  # nothing that was read in a trial round is known to be the same in round k
    lanes = summary.mask.may
    tests = [
        test
        for test in linear_tests(condition, provisional, lanes)
        if all(s.number < summary.clock for s in test.start.symbols() | test.step.symbols())
    ]
    best = min(tests, key=rounds_bound, default=None)
    bound = rounds_bound(best) if best is not None else inf
    _assume_no_wrap(run, summary, bound)
    known = [e for e in (trip_expression(test, run.trip_uppers, lanes) for test in tests) if e is not None]
    trips = ex.minimum(*known) if known else _named_trips(run, summary.loop)
    uniform = best is not None and pl.level(best.start) is Level.BLOCK and pl.level(best.step) is Level.BLOCK
    level = Level.BLOCK if uniform else Level.WARP
    k = run.arithmetic.source.fresh("k", level, SymbolKind.ITERATION, 0, finite(max(bound - 1, 0.0)))
    run.trip_uppers[k] = ex.subtract(trips, ex.integer(1))
    return _Count(k, best, trips)


def _assume_no_wrap(run: Run, summary: _Summary, bound: float) -> None:
    """The trip count was read off counters that do not wrap around: that must hold up to the last test, one step beyond
    the values that the rounds see."""
    last = run.arithmetic.source.fresh("k", Level.BLOCK, SymbolKind.ITERATION, 0, finite(bound))
    for var in sorted(tested_variables(summary.loop) & summary.steps.keys()):
        value, variable = summary.env[var], run.kernel.variables[var]
        if isinstance(value, Integer) and value.exact and not is_signed(variable.type):
            poly = pl.add(value.poly, pl.multiply(pl.of_symbol(last), summary.steps[var]))
            if not fits(poly, variable.type):
                run.assume_that(f"the loop counter `{variable.name}` does not wrap around", variable.span)


def _named_trips(run: Run, loop: Loop) -> Expression:
    """A trip count that depends on data: a symbol named after the loop's place, given its line when it is shown."""
    name = f"T@{loop.whole.start}"
    run.trips.setdefault(name, loop.whole)
    return ex.symbol(name)


# --- 3. round k -------------------------------------------------------------------------------------------------


def _abstract_round(
    run: Run, summary: _Summary, count: _Count, execute: Execute, frame: int
) -> tuple[list[End], Level]:
    """Runs round k, recording its events; gives the states at its ends (the first is the way back to the test), and
    how uniformly threads leave."""
    run.env = dict(summary.env)
    levels = loop_levels(
        summary.loop,
        lambda var: _entry_level(summary.env, var),
        lambda axis: _axis_level(run, axis),
        lambda address: memory.may_be_private(run, address),
    )
    _havoc(run, frozenset(v for v in summary.changed if v not in summary.steps and v in run.env), levels)
    _closed_forms(run, summary, count.k)
    outer, start, first_branch = run.times, len(run.exits), len(run.branches)
    run.times = ex.multiply(outer, count.trips)
    ends: list[End] = []
    execute(run, summary.loop.test)
    condition, at_test = loop_test(run, summary.loop), run.mask
    record_test(run, summary.loop, condition, count.k)
    run.mask = masks.assume(run.mask, condition)
    staying = run.mask
    one_round(run, summary.loop, execute, ends, frame)
    run.times = outer
    _retime_test(run, summary.loop, first_branch, ex.add(ex.multiply(outer, count.trips), outer), outer)
    if _condition_level(masks.since(run.mask, staying), staying) is Level.LANE or not stays_failed(condition, count.k):
        run.branches[first_branch:] = [replace(event, ragged=True) for event in run.branches[first_branch:]]
    level = _condition_level(condition, at_test)
    left = [entry.mask for entry in run.exits[start:]] + [mask for mask, _ in ends]
    for mask in left:
        level = Level(max(level, _condition_level(masks.since(mask, summary.mask), summary.mask)))
    for index in range(start, len(run.exits)):
        run.exits[index] = _blurred(run, summary, run.exits[index], level)
    return [(run.mask, run.env), *ends], level


def _retime_test(run: Run, loop: Loop, first: int, times: Expression, entered: Expression) -> None:
    """A loop tests once more than it iterates."""
    for index in range(first, len(run.branches)):
        e = run.branches[index]
        if e.span == loop.span and e.whole == loop.whole and e.kind == loop.kind:
            run.branches[index] = replace(e, times=times, entered=entered)


def _blurred(run: Run, summary: _Summary, entry: Exit, level: Level) -> Exit:
    """A thread that left for good did so at some round: its condition, which speaks of round k, becomes one about which
    nothing is known, on the lanes that can have left; so do the variables that the loop changes."""
    gone = masks.since(entry.mask, summary.mask)
    opaque = run.arithmetic.opaque_condition(Level.LANE, gone.data, ())
    nobody = gone.true & False
    left = Condition(nobody, gone.false & summary.mask.may, opaque.atom)
    env = dict(entry.env)
    for var in summary.changed:
        if var in env:
            env[var] = _fresh(run, var, Level(max(level, level_of(env[var]))), None)
    return Exit(entry.target, entry.kind, masks.assume(summary.mask, left), env)


def _condition_level(condition: Condition, mask: Mask) -> Level:
    """How uniformly the threads of the mask decide the condition."""
    true, false = condition.true & mask.may, condition.false & mask.may
    if not (true | false | ~mask.may).all():
        return condition.level
    return Level(vector_level(true)) if true.any() and false.any() else Level.BLOCK


def _entry_level(env: Environment, var: VarId) -> Level:
    value = env.get(var)
    return Level.BLOCK if value is None else level_of(value)


def _axis_level(run: Run, axis: int) -> Level:
    return Level(vector_level(run.arithmetic.shape.thread[axis]))


# --- 4. after ---------------------------------------------------------------------------------------------------


def _after(run: Run, summary: _Summary, count: _Count, ends: list[End], exit_level: Level) -> Environment:
    """The environment of the threads that have left the loop by its test or by `break`."""
    env = dict(summary.env)
    if summary.stores:
        env = {key: value for key, value in env.items() if not (isinstance(key, tuple) and key[0] >= 0)}
    escapes = len(ends) > 1
    for var in sorted(summary.changed):
        before = summary.env.get(var)
        values = [v for v in (before, *(end_env.get(var) for _, end_env in ends)) if v is not None]
        if not values:
            continue
        step = summary.steps.get(var)
        if isinstance(before, Integer) and step is not None and _follows(before, step, count.k, ends, var):
            env[var] = _at_exit(run, summary, count, var, before, step, exit_level, escapes)
            continue
        name = run.kernel.variables[var].name
        cause = Cause(CauseKind.ANALYSIS, f"the value of `{name}` after the loop", summary.loop.span)
        level = Level(max(exit_level, *(level_of(v) for v in values)))
        if not is_integral(run.kernel.variables[var].type):
            data = any(isinstance(v, Other) and v.data for v in values)
            env[var] = Other(level, data, cause)
        else:
            env[var] = _fresh(run, var, level, cause)
    return env


def _follows(before: Integer, step: Poly, k: Symbol, ends: list[End], var: VarId) -> bool:
    """Whether every way out of round k has the variable at its closed form for round k or k + 1."""
    now = pl.add(before.poly, pl.multiply(pl.of_symbol(k), step))
    then = pl.add(now, step)
    for mask, env in ends:
        value = env.get(var)
        if mask.is_dead:
            continue
        if not isinstance(value, Integer) or not (pl.equal(value.poly, now) or pl.equal(value.poly, then)):
            return False
    return True


def _at_exit(
    run: Run, summary: _Summary, count: _Count, var: VarId, before: Integer, step: Poly, level: Level, escapes: bool
) -> Value:
    """v0 + T*c where the test stops the counter exactly, else v0 + (some number of rounds)*c."""
    if not step.terms:
        return before
    test = count.test
    if test is not None and not escapes and pl.equal(test.step, pl.constant(1)):
        if pl.total_bounds(test.start)[1] <= 0 and _sole_test(summary, count):
            return Integer(pl.subtract(before.poly, pl.multiply(test.start, step)), before.bits, None, before.origin)
    name = run.kernel.variables[var].name
    cause = Cause(CauseKind.ANALYSIS, f"the value of `{name}` after the loop", summary.loop.span)
    rounds = run.arithmetic.source.fresh("rounds", level, SymbolKind.UNKNOWN, 0, cause=cause)
    poly = pl.add(before.poly, pl.multiply(pl.of_symbol(rounds), step))
    return Integer(poly, before.bits, None, before.origin)


def _sole_test(summary: _Summary, count: _Count) -> bool:
    """Whether the loop's condition is just the one comparison, so that its failure is the only way out."""
    condition = summary.loop.condition
    while isinstance(condition, (Cast, Unary)):
        condition = condition.operand
    return isinstance(condition, Binary) and condition.op in ("<", "<=", ">", ">=", "!=")
