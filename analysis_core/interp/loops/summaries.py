"""Summaries of loops: all remaining rounds in one abstract round (docs/decisions/06-loops.md).

1. *Probe* (probe.py).  A round is run with recording off from a fresh symbol for every variable that the loop changes;
   what it does to them gives their steps (steps.py), and the steps their closed forms in k, the number of rounds made
   before (closed_forms.py).
2. *Count* (counting.py, trips.py).  The tests, read over the closed forms, give the trip count, or a named symbol stands
   for it.
3. *Round k.*  A round is run from the closed forms, and from fresh symbols of a sound level (uniformity.py) for the other
   variables; its events happen `times` the trip count.
4. *After* (after_loops.py).  A closed form whose test stops it exactly keeps its value; anything else that the loop
   changed is as uniform as the values it may have had and as the conditions that decided when a thread left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from analysis_core.domains import mask as masks
from analysis_core.domains.condition import Condition
from analysis_core.domains.mask import Mask
from analysis_core.domains.shape import every, some, vector_level
from analysis_core.domains.symbol import Level
from analysis_core.domains.thread_value import Value, data_cause, is_data, is_integral, level_of
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core import just_stored
from analysis_core.interp.core.data_flow import Lanes, data_causes, is_count
from analysis_core.interp.core.state import Environment, Exit, Run, Turn
from analysis_core.interp.core.trace import Looped, Node
from analysis_core.interp.core.uniformity import Flow, loop_uniformity
from analysis_core.interp.loops.after_loops import Ways, environment_after
from analysis_core.interp.loops.counting import Count, count_rounds
from analysis_core.interp.loops.probe import probe
from analysis_core.interp.loops.raggedness import stays_failed
from analysis_core.interp.loops.round_facts import with_round_facts
from analysis_core.interp.loops.rounds import End, Execute, loop_test, one_round, record_test
from analysis_core.interp.loops.steps import Drift
from analysis_core.interp.loops.summary import Summary, begin, fresh_value, havoc, set_closed_forms
from analysis_core.ir.nodes import Binary, Block, Builtin, Cast, Const, Local, Loop, VarId
from analysis_core.ir.walk import subexpressions
from analysis_core.support.facts import Cause
from analysis_core.text.records import dataclass

_SIZED = ("+", "-", "*", "/", "%", ">>")
"""What is done with sizes.  Other operations mix bits: of a seed that all lanes share they make anything."""


def summarise(run: Run, loop: Loop, execute: Execute, ends: list[End], frame: int) -> None:
    """All remaining rounds at once, from the present mask and environment, which stand at a test."""
    summary, invariants = probe(run, begin(run, loop), execute, frame)
    levels = _levels(run, summary)
    summary = _levelled(summary, levels)
    count = count_rounds(run, summary, execute, invariants)
    ways, level = _abstract_round(run, summary, levels, count, execute, frame)
    run.env = environment_after(run, summary, count, ways, level, execute)
    run.mask = summary.mask
    if summary.stores:
        run.epoch += 1
    ends.append((summary.mask, run.env))


def _levelled(summary: Summary, levels: Mapping[VarId, Level]) -> Summary:
    """Amounts that differ from round to round differ between threads no more than the values do: the probe, which knows no
    levels, may have lost that in an inner loop."""
    steps = {
        var: replace(step, level=min(step.level, levels[var])) if isinstance(step, Drift) and var in levels else step
        for var, step in summary.steps.items()
    }
    return replace(summary, steps=steps)


def _abstract_round(
    run: Run, summary: Summary, levels: Mapping[VarId, Level], count: Count, execute: Execute, frame: int
) -> tuple[Ways, Level]:
    """Runs round k, recording its events; gives the states at its ends, and how uniformly threads leave."""
    run.env = dict(summary.env)
    causes = _causes(run, summary, levels)
    havoc(run, summary, levels, causes, _counted(run, summary, causes))
    set_closed_forms(run, summary, count.rounds)
    opening = dict(run.env)
    (counter,) = count.rounds.counter.symbols()
    run.inside[-1].counter = counter
    outer, turn, relations, start = run.times, run.turn, run.arithmetic.relations, len(run.exits)
    first_branch, first_access = len(run.branches), len(run.accesses)
    iterations = count.iterations(outer)
    run.times = tests = ex.add(iterations, outer)
    run.turn = None
    trace, test_trace, body_trace = run.trace, list[Node](), list[Node]()
    run.trace = test_trace
    execute(run, summary.loop.test)
    condition, at_test = loop_test(run, summary.loop), run.mask
    by_test, tested = run.env, (len(run.branches), len(run.accesses))
    branch = len(run.branches) if summary.loop.condition is not None else None
    record_test(run, summary.loop, condition, counter)
    run.times = iterations
    run.turn = None if count.lead else Turn(counter, count.series is None, count.rounds.movers().powers)
    staying = masks.assume(run.mask, condition)
    if run.arithmetic.earlier is not None:
        staying = run.arithmetic.earlier.staying(counter, run.mask, staying)
    run.mask = staying
    breaks: list[End] = []
    run.arithmetic.relations = with_round_facts(relations, count.rounds.holds, counter, run.arithmetic.derivations)
    run.trace, lead = body_trace, list[_Lead]()
    one_round(run, summary.loop, _led(summary.loop.body, count, execute, outer, lead), breaks, frame)
    run.times, run.turn, run.trace, run.arithmetic.relations = outer, turn, trace, relations
    _retime_test(run, summary.loop, first_branch, tests, outer)
    apart = _condition_level(masks.since(run.mask, staying), staying) is Level.LANE
    level, leaving = _condition_level(condition, at_test), [condition]
    if level is Level.LANE:
        _mark_tests(run, slice(first_branch, tested[0]), slice(first_access, tested[1]))
    _mark(run, count, first_access, first_branch, apart or not stays_failed(condition, counter))
    left = [entry.mask for entry in run.exits[start:]] + [mask for mask, _ in breaks]
    leaving += [masks.since(mask, summary.mask) for mask in left]
    level = Level(max([level, *(_condition_level(gone, summary.mask) for gone in leaving[1:])]))
    if _may_be_cut(run, count, leaving[1:]):
        mark_cut(run, first_access, first_branch)
    source = next((c.cause for c in leaving if c.data and not c.is_decided), None)
    leaves = bool(left) or count.limited
    run.trace.append(
        Looped(
            summary.loop.whole, counter, summary.mask, staying, count.rounds.holds, count.followed, count.trips,
            leaves, branch, tuple(test_trace), tuple(body_trace), lead[0].nodes if lead else 0,
            summary.loop, _variables(summary.env), levels, count.rounds.movers(),
            count.all if len(left) == (lead[0].exits - start if lead else 0) else (), lead[0].passed if lead else staying,
            summary.clock, level,
        )
    )  # fmt: skip
    for index in range(start, len(run.exits)):
        run.exits[index] = _blurred(run, summary, run.exits[index], level)
    return Ways(opening, by_test, (run.mask, run.env), tuple(breaks), source), level


def _mark(run: Run, count: Count, first_access: int, first_branch: int, ragged: bool) -> None:
    """Says of the events of round k how rounds differ.  `ragged`: lanes leave apart."""
    if ragged:
        run.branches[first_branch:] = [replace(event, ragged=True) for event in run.branches[first_branch:]]
        run.accesses[first_access:] = [replace(access, ragged=True) for access in run.accesses[first_access:]]
    if count.varies:
        run.accesses[first_access:] = [replace(e, varied=e.varied + 1) for e in run.accesses[first_access:]]
    if count.uneven:
        run.accesses[first_access:] = [replace(e, uneven=True) for e in run.accesses[first_access:]]


def _mark_tests(run: Run, branches: slice, accesses: slice) -> None:
    """Says of the events of a test, which the mask of the loop executes, that from its second round on lanes have left before it, though those of a
    round are the ones that pass its test."""
    run.branches[branches] = [replace(event, ragged=True) for event in run.branches[branches]]
    run.accesses[accesses] = [replace(event, ragged=True) for event in run.accesses[accesses]]


def _may_be_cut(run: Run, count: Count, exits: list[Condition]) -> bool:
    """Whether memory may end the loop before the rounds that are counted; a named count stands for the rounds that are made."""
    if count.limited or count.trips in map(ex.symbol, run.trips):
        return False
    return count.cut or any(gone.data and not gone.is_decided for gone in exits)


def mark_cut(run: Run, first_access: int, first_branch: int) -> None:
    """Marks the events from these numbers on: memory may have ended the loop before them."""
    run.accesses[first_access:] = [replace(access, cut=True) for access in run.accesses[first_access:]]
    run.branches[first_branch:] = [replace(event, cut=True) for event in run.branches[first_branch:]]


@dataclass(frozen=True, slots=True, eq=False)
class _Lead:
    """What the statements that lead up to the last counted `break` leave: so many nodes of the trace, exits of the run, and the threads that
    pass."""

    nodes: int
    exits: int
    passed: Mask


def _led(body: Block, count: Count, execute: Execute, outer: Expression, lead: list[_Lead]) -> Execute:
    """Executes the statements that lead up to the last counted `break` once more than those after it."""

    def run_body(run: Run, block: Block) -> None:
        if block is not body or not count.lead:
            execute(run, block)
            return
        iterations = run.times
        run.times = ex.add(iterations, outer)
        execute(run, body[: count.lead])
        lead.append(_Lead(len(run.trace), len(run.exits), run.mask))
        run.times = iterations
        execute(run, body[count.lead :])

    return run_body


def _levels(run: Run, summary: Summary) -> dict[VarId, Level]:
    flow = run.statics.loop(summary.loop).flow
    return loop_uniformity(flow, lambda var: _entry_level(summary.env, var), lambda axis: _axis_level(run, axis))


def _causes(run: Run, summary: Summary, levels: Mapping[VarId, Level]) -> dict[VarId, Cause]:
    """What of the memory makes variables what they are; of those that differ from lane to lane only where it differs, too."""

    def entry(var: VarId) -> Cause | None:
        value = summary.env.get(var)
        return None if value is None else data_cause(value)

    def own_entry(var: VarId) -> Cause | None:
        value = summary.env.get(var)
        return None if value is None or not run.arithmetic.is_own_data(value) else data_cause(value)

    def lane_entry(var: VarId) -> Cause | None:
        # Lanes that begin side by side behind a number that all load part by what guards their steps.
        return own_entry(var) if _entry_level(summary.env, var) is Level.LANE else None

    def differ(var: VarId) -> bool:
        level = levels.get(var)
        return (_entry_level(summary.env, var) if level is None else level) is Level.LANE

    static = run.statics.loop(summary.loop)
    causes = data_causes(static.sources, entry, Lanes(differ, lane_entry))
    sized = [var for var in causes if levels.get(var, Level.LANE) is Level.LANE and _is_sized(run, static.flow, var)]
    if not sized:
        return causes
    # What a load gives to all lanes alike is a size to each of them, as it is in straight-line code (`domains/own_data`).
    sources = tuple(s if s.data is None or differ(s.var) else replace(s, data=None) for s in static.sources)
    own = data_causes(sources, own_entry)
    return {var: cause for var, cause in causes.items() if var in own or var not in sized}


def _counted(run: Run, summary: Summary, causes: Mapping[VarId, Cause]) -> frozenset[VarId]:
    """Of the variables that memory makes what they are, those that are counted where conditions hold."""
    flow = run.statics.loop(summary.loop).flow

    def is_made(var: VarId) -> bool:
        value = summary.env.get(var)
        return value is not None and is_data(value)

    return frozenset(var for var in causes if not is_made(var) and is_count(flow, var))


def _is_sized(run: Run, flow: Flow, var: VarId) -> bool:
    """Whether the loop makes nothing for the variable but sums, which keep lanes apart as far as they are, products and what is
    done with sizes: what lanes differ by then comes from what they have of their own."""
    if not is_integral(run.kernel.variables[var].type):
        return False
    made = [source for a in flow.assignments if a.var == var for source in a.sources]
    return all(
        isinstance(e, (Local, Const, Builtin, Cast)) or (isinstance(e, Binary) and e.op in _SIZED)
        for source in made
        for e in subexpressions(source)
    )


def _retime_test(run: Run, loop: Loop, first: int, times: Expression, entered: Expression) -> None:
    """A loop tests once more than it iterates."""
    for index in range(first, len(run.branches)):
        e = run.branches[index]
        if e.span == loop.span and e.whole == loop.whole and e.kind == loop.kind:
            run.branches[index] = replace(e, times=times, entered=entered)


def _blurred(run: Run, summary: Summary, entry: Exit, level: Level) -> Exit:
    """A thread that left for good did so at some round: its condition, which speaks of round k, becomes one about which
    nothing is known but how uniform it is, on the lanes that can have left; so do the variables that the loop changes."""
    gone = masks.since(entry.mask, summary.mask)
    opaque = run.arithmetic.opaque_condition(level, gone.data, ())
    nobody = gone.true & False
    left = Condition(nobody, gone.false & summary.mask.may, opaque.atom)
    env = dict(just_stored.forget(entry.env))
    for var in sorted(summary.changed):
        if var in env:
            cause = gone.cause if gone.data else None
            env[var] = fresh_value(run, var, Level(max(level, level_of(env[var]))), data_cause(env[var]) or cause)
    return Exit(entry.target, entry.kind, masks.assume(summary.mask, left), env)


def _condition_level(condition: Condition, mask: Mask) -> Level:
    """How uniformly the threads of the mask decide the condition."""
    true, false = condition.true & mask.may, condition.false & mask.may
    if not every(true | false | ~mask.may):
        return condition.level
    return Level(vector_level(true)) if some(true) and some(false) else Level.BLOCK


def _variables(env: Environment) -> dict[VarId, Value]:
    """The variables of an environment, without the cells of objects."""
    return {key: value for key, value in env.items() if not isinstance(key, tuple)}


def _entry_level(env: Environment, var: VarId) -> Level:
    value = env.get(var)
    return Level.BLOCK if value is None else level_of(value)


def _axis_level(run: Run, axis: int) -> Level:
    return Level(vector_level(run.arithmetic.shape.thread[axis]))
