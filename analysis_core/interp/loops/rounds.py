"""One round of a loop: its test, its body with the threads that leave, its step.

Shared by exact execution (loops.py) and summaries (summaries.py).
"""

from __future__ import annotations

from collections.abc import Callable

from analysis_core.domains import condition as cond
from analysis_core.domains import mask as masks
from analysis_core.domains.condition import Condition
from analysis_core.domains.mask import Mask
from analysis_core.domains.symbol import Symbol
from analysis_core.interp.core.events import BranchEvent
from analysis_core.interp.core.state import Environment, ExitKind, Run, join, without
from analysis_core.interp.core.trace import Branched
from analysis_core.interp.core.transfer import evaluate_condition
from analysis_core.interp.loops.exit_tests import taken_apart
from analysis_core.ir.nodes import Block, Loop

Execute = Callable[[Run, Block], None]
End = tuple[Mask, Environment]


def loop_test(run: Run, loop: Loop) -> Condition:
    """The loop's condition for the present threads; `for (;;)` is always true."""
    if loop.condition is None:
        return cond.decided(run.arithmetic.shape.real | True)
    return masks.refine(run.mask, evaluate_condition(run, loop.condition))


def one_round(run: Run, loop: Loop, execute: Execute, ends: list[End], frame: int) -> None:
    """Body and step; threads that `break` go to `ends`, those that `continue` rejoin before the step."""
    before, start = run.mask, len(run.exits)
    if not before.is_dead:
        run.env = dict(run.env)
        execute(run, loop.body)
    own = [e for e in run.exits[start:] if e.target == frame]
    run.exits[start:] = [e for e in run.exits[start:] if e.target != frame]
    leaving = [e for e in own if e.kind is ExitKind.BREAK]
    ends.extend((e.mask, e.env) for e in leaving)
    continued = [e for e in own if e.kind is ExitKind.CONTINUE]
    if continued:
        env, fell = run.env, run.mask
        if fell.is_dead:
            env = continued.pop().env
        for entry in continued:
            env = join(run, masks.since(entry.mask, before), entry.env, env, run.liveness.round_end[id(loop)])
        run.env = dict(env)
    run.mask = without(before, [*run.exits[start:], *leaving])
    if not run.mask.is_dead:
        execute(run, loop.step)


def record_test(run: Run, loop: Loop, condition: Condition, k: Symbol | None, execution: int = 0) -> None:
    """Notes that the present threads test the loop's condition."""
    if run.recording and loop.condition is not None:
        run.count_steps(loop)
        run.trace.append(Branched(len(run.branches)))
        work = (run.statics.loop(loop).works,)
        apart = condition if k is None else taken_apart(run.arithmetic, condition)
        event = BranchEvent(
            loop.span, loop.whole, loop.kind, tuple(run.via), (condition,), run.mask, run.times, work, k, execution,
            exits=None if apart is condition else apart,
        )  # fmt: skip
        run.branches.append(event)
