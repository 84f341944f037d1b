"""The variables after a summarised loop, for the threads that have left it by its test or by `break`.

Threads that left by the test have made T rounds and executed the test once more; where the test stops them exactly, T is
known and so are the closed forms at T.  A thread that left by `break` did so somewhere within a round.  What is not known
is as uniform as the values it may have had and as the conditions that decided when a thread left.
"""

from __future__ import annotations

from analysis_core.domains import polynomial as pl
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.quotient_facts import is_never_negative
from analysis_core.domains.symbol import Level, SymbolKind
from analysis_core.domains.thread_value import Integer, Other, Value, data_cause, finite, is_integral, level_of
from analysis_core.interp.core.state import Environment, Run
from analysis_core.interp.core.trips import LinearTest
from analysis_core.interp.loops.closed_forms import Rounds, value_at
from analysis_core.interp.loops.counting import Count
from analysis_core.interp.loops.rounds import End, Execute
from analysis_core.interp.loops.summary import Summary, fresh_value
from analysis_core.ir.nodes import VarId
from analysis_core.ir.types import LONG
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """The states of round k: at its start, after the test, at its end, and at each `break`. `source`: the load that
    decides when a thread leaves, if one does."""

    opening: Environment
    by_test: Environment
    back: End
    breaks: tuple[End, ...]
    source: Cause | None = None


def environment_after(
    run: Run, summary: Summary, count: Count, ways: Ways | None, level: Level, execute: Execute
) -> Environment:
    """The environment after a loop, for all threads that entered it. `ways`: how threads leave round k, or None if
    nobody looked, and then there is no `break`; `level`: how uniformly threads leave."""
    env = dict(summary.env)
    if summary.stores:
        env = {key: value for key, value in env.items() if not (isinstance(key, tuple) and key[0] >= 0)}
    breaks = [] if ways is None else [end for end in ways.breaks if not end[0].is_dead]
    source = None if ways is None else ways.source
    rounds = _last_rounds(run, summary, count, level, source, exact=not breaks)
    for var in sorted(summary.changed):
        before, step = summary.env.get(var), summary.steps.get(var)
        if isinstance(before, Integer) and step is not None and (not breaks or _follows(ways, breaks, var)):
            if breaks:
                rounds = _last_rounds(run, summary, count, level, source, exact=False)  # at a `break`, each by its own
            env[var] = value_at(run, rounds, var, before, step, var in summary.tested)
            continue
        states = [] if ways is None else [ways.by_test, ways.back[1], *(end_env for _, end_env in breaks)]
        values = [v for v in (before, *(state.get(var) for state in states)) if v is not None]
        if values or ways is None:
            env[var] = _unknown_after(run, summary, var, values, level, source)
    if not breaks and summary.loop.test:
        env = _tested_once_more(run, summary, env, execute)
    return env


def _unknown_after(
    run: Run, summary: Summary, var: VarId, values: list[Value], level: Level, source: Cause | None
) -> Value:
    """Any value; one that comes from memory if a load decides what it is or when a thread leaves."""
    name, type_ = run.kernel.variables[var].name, run.kernel.variables[var].type
    loaded = next((cause for cause in map(data_cause, values) if cause is not None), source)
    cause = loaded or Cause(CauseKind.ANALYSIS, f"the value of `{name}` after the loop", summary.loop.span)
    reached = Level(max([level, *(level_of(v) for v in values)]))
    if not is_integral(type_):
        return Other(reached, loaded is not None, cause, own=loaded is not None and reached is Level.LANE)
    return fresh_value(run, var, reached, cause, loaded is not None and _are_counts(values))


def _are_counts(values: list[Value]) -> bool:
    """Whether all that memory decides in the values is counted."""
    found = {s for v in values if isinstance(v, Integer) for s in v.poly.symbols() if s.kind is SymbolKind.DATA}
    return bool(found) and all(symbol.counted for symbol in found)


def _tested_once_more(run: Run, summary: Summary, env: Environment, execute: Execute) -> Environment:
    """The effects of the test that fails; its costs were counted with the rounds."""
    recording, mask = run.recording, run.mask
    run.recording, run.mask, run.env = False, summary.mask, dict(env)
    execute(run, summary.loop.test)
    run.recording, run.mask = recording, mask
    return run.env


def _follows(ways: Ways | None, breaks: list[End], var: VarId) -> bool:
    """Whether every way out of round k has the variable as at the start of round k or of round k + 1."""
    if ways is None:
        return False
    back_mask, back = ways.back
    forms = [value.poly for value in (ways.opening.get(var),) if isinstance(value, Integer)]
    if not back_mask.is_dead:
        forms += [value.poly for value in (back.get(var),) if isinstance(value, Integer)]
    return all(
        isinstance(value := env.get(var), Integer) and any(pl.equal(value.poly, form) for form in forms)
        for env in (ways.by_test, *(env for _, env in breaks))
    )


def _last_rounds(run: Run, summary: Summary, count: Count, level: Level, source: Cause | None, exact: bool) -> Rounds:
    """How many rounds the threads have made when they leave."""
    most = count.rounds.most + 1
    total = _exact_rounds(run, count) if exact and count.sole is not None and count.lead == 0 else None
    fails = count.sole if exact else None
    if total is not None:
        return Rounds(total, Level(max(level, pl.level(total))), most, (), fails)
    reason = "how often the loop runs"
    cause = source or Cause(CauseKind.ANALYSIS, reason, summary.loop.span)
    kind = SymbolKind.UNKNOWN if source is None else SymbolKind.DATA
    counted = source is not None
    symbol = run.arithmetic.source.fresh("rounds", level, kind, 0, finite(most), cause=cause, counted=counted)
    return Rounds(pl.of_symbol(symbol), level, most, (), fails)


def _exact_rounds(run: Run, count: Count) -> Poly | None:
    """T = ceil(max(0, -A) / B) as a value of each thread, for a constant step B."""
    test = count.sole
    if not isinstance(test, LinearTest) or not test.step.is_constant:
        return None
    step = test.step.constant
    if not isinstance(step, int) or step < 1:
        return None
    length = pl.add(pl.negate(test.start), pl.constant(step - 1))
    value: Value = Integer(length)
    if pl.total_bounds(length)[0] < 0 and not is_never_negative(length, run.arithmetic.derivations):
        value = run.arithmetic.extreme("max", Integer(pl.negate(test.start)), Integer(pl.ZERO), LONG)
        if isinstance(value, Integer):
            value = Integer(pl.add(value.poly, pl.constant(step - 1)))
    if not isinstance(value, Integer) or not value.exact:
        return None
    if step > 1:
        value = run.arithmetic.floor("/", value, step, LONG)
    return value.poly if isinstance(value, Integer) and value.exact else None
