"""The probe: one round of a loop from symbols in place of its variables, to see what a round does to each.

Recording is off.  A loop inside of the probed one is passed by its own probe and trip count, without a round of its
own, so that a nest of loops costs its size times its depth.
"""

from __future__ import annotations

from dataclasses import replace

from analysis_core.domains import mask as masks
from analysis_core.domains import polynomial as pl
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.domains.thread_value import Integer, is_integral
from analysis_core.interp.core import memory
from analysis_core.interp.core.invariance import Invariants
from analysis_core.interp.core.liveness import is_live
from analysis_core.interp.core.state import Run
from analysis_core.interp.loops.after_loops import environment_after
from analysis_core.interp.loops.counter_starts import unwrapped_starts
from analysis_core.interp.loops.counting import count_rounds
from analysis_core.interp.loops.rounds import Execute, loop_test, one_round
from analysis_core.interp.loops.steps import find_steps
from analysis_core.interp.loops.summary import Summary, begin, fresh_value
from analysis_core.ir.nodes import Loop, LoopKind, VarId


def probe(run: Run, summary: Summary, execute: Execute, frame: int) -> tuple[Summary, Invariants]:
    """The summary with the step of each variable, and with the variables that the loop does not change."""
    start, recording = len(run.exits), run.recording
    run.recording, run.env = False, dict(summary.env)
    held: dict[VarId, Symbol] = {}
    for var in sorted(summary.changed):
        if isinstance(run.env.get(var), Integer):
            held[var] = run.arithmetic.source.fresh("h", Level.LANE, SymbolKind.UNKNOWN)
            run.env[var] = Integer(pl.of_symbol(held[var]))
        elif var in run.env:
            run.env[var] = fresh_value(run, var, Level.LANE, None)
    # What is held is younger than the clock, hence no invariant.
    invariants = Invariants(run, summary.clock, not summary.stores and not run.statics.loop(summary.loop).has_barrier)
    execute(run, summary.loop.test)
    run.mask = masks.assume(run.mask, loop_test(run, summary.loop))
    one_round(run, summary.loop, execute, [], frame)
    once = run.mask.is_dead
    steps = {} if once else find_steps(run, summary.env, held, run.env, invariants, summary.counters)
    del run.exits[start:]
    run.recording, run.mask, run.env = recording, summary.mask, summary.env
    return unwrapped_starts(run, replace(summary, steps=steps, once=once)), invariants


def pass_loop(run: Run, loop: Loop, execute: Execute, frame: int) -> None:
    """Runs a loop inside of a probe: its variables change, and no events are recorded."""
    static = run.statics.loop(loop)
    if loop.kind is LoopKind.DO or static.may_leave:
        for var in static.changed:
            run.env[var] = fresh_value(run, var, Level.LANE, None)
        memory.forget_written(run, loop)
        memory.forget_cells(run)
        run.epoch += 1
        return
    if _leaves_no_integer(run, loop):
        for var in static.changed:
            run.env[var] = fresh_value(run, var, Level.LANE, None)
        return
    run.rounds_done.pop(loop.whole, None)  # what an execution before this one has done says nothing here
    summary, invariants = probe(run, begin(run, loop), execute, frame)
    count = count_rounds(run, summary, execute, invariants)
    run.env = environment_after(run, summary, count, None, Level.LANE, execute)
    run.mask = summary.mask
    if summary.stores:
        run.epoch += 1


def _leaves_no_integer(run: Run, loop: Loop) -> bool:
    """Whether nothing that has a step comes out of the loop: it adds up floating-point values, say."""
    static, live = run.statics.loop(loop), run.liveness.after[id(loop)]
    if static.stores or static.has_barrier:
        return False
    return not any(is_live(live, var) and is_integral(run.kernel.variables[var].type) for var in static.changed)
