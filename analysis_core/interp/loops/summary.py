"""What is fixed before round k of a summarised loop, and how an environment is made ready for a round."""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.domains import polynomial as pl
from analysis_core.domains.mask import Mask
from analysis_core.domains.symbol import Level, SymbolKind
from analysis_core.domains.thread_value import Integer, Value, integer_range, is_integral
from analysis_core.interp.core import memory
from analysis_core.interp.core.liveness import is_live
from analysis_core.interp.core.state import Environment, Run
from analysis_core.interp.loops.closed_forms import Rounds, value_at
from analysis_core.interp.loops.steps import Step
from analysis_core.ir.nodes import Loop, VarId
from analysis_core.ir.types import PointerType
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """What is known of a loop that is summarised: the state at its first test, the variables that change and how each
    of them does, and which of them the tests read. `counters`: those that a condition compares by order. `clock`:
    symbols younger than that were made in the loop. `once`: no thread makes a second round."""

    loop: Loop
    mask: Mask
    env: Environment
    clock: int
    changed: frozenset[VarId]
    stores: bool
    tested: frozenset[VarId]
    counters: frozenset[VarId]
    steps: dict[VarId, Step]
    once: bool = False


def begin(run: Run, loop: Loop) -> Summary:
    """Forgets what the loop may change in memory; nothing is known of steps yet."""
    memory.forget_written(run, loop)
    clock, static = run.arithmetic.source.count, run.statics.loop(loop)
    # What each round assigns before it reads it, and nobody reads afterwards, is no concern of a summary.
    live = run.liveness.head[id(loop)]
    changed = frozenset(var for var in static.changed if is_live(live, var))
    passing = frozenset(static.changed) - changed
    env = {key: value for key, value in run.env.items() if key not in passing}
    return Summary(loop, run.mask, env, clock, changed, static.stores, static.tested, static.counters, {})


def set_closed_forms(run: Run, summary: Summary, rounds: Rounds) -> None:
    """Sets every variable that has a step to its value at the start of the round."""
    for var in sorted(summary.steps):
        value = summary.env[var]
        assert isinstance(value, Integer)
        run.env[var] = value_at(run, rounds, var, value, summary.steps[var], var in summary.tested)


def havoc(
    run: Run,
    summary: Summary,
    levels: Mapping[VarId, Level],
    causes: Mapping[VarId, Cause],
    counted: frozenset[VarId] = frozenset(),
) -> None:
    """Gives each changed variable without a step a fresh symbol of its uniformity (LANE where none is given), which
    comes from memory where a cause says so. `counted`: memory decides how often something was counted, as in `Symbol`.
    """
    for var in sorted(summary.changed):
        if var not in summary.steps and var in run.env:
            run.env[var] = fresh_value(run, var, levels.get(var, Level.LANE), causes.get(var), var in counted)


def fresh_value(run: Run, var: VarId, level: Level, cause: Cause | None, counted: bool = False) -> Value:
    """A fresh value of the variable's type. `counted` as in `Symbol`."""
    variable = run.kernel.variables[var]
    reason = f"`{variable.name}` changes in a loop in a way that has no closed form"
    why = cause or Cause(CauseKind.ANALYSIS, reason, variable.span)
    if isinstance(variable.type, PointerType):
        kind = SymbolKind.DATA if why.kind is CauseKind.DATA else SymbolKind.UNKNOWN
        return Integer(pl.of_symbol(run.arithmetic.source.fresh(variable.name, level, kind, 0, cause=why)))
    if counted and is_integral(variable.type) and why.kind is CauseKind.DATA:
        low, high = integer_range(variable.type)
        symbol = run.arithmetic.source.fresh("?", level, SymbolKind.DATA, low, high, cause=why, counted=True)
        return Integer(pl.of_symbol(symbol))
    return run.arithmetic.unknown(level, variable.type, why)
