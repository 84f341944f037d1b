"""Loops: executed exactly while every thread's test is decided, the rest summarised in one abstract round.

Exact execution runs the rounds one after the other; threads may leave at different times, each with its own
environment.  The budget (`Settings.exact_iterations`, `Run.exact_left`, the deadline) ends it, and what is left is
summarised (summaries.py).  A do loop's first round is always executed as it stands; what remains is a while loop.
"""

from __future__ import annotations

import time

from analysis_core.domains import condition as cond
from analysis_core.domains import mask as masks
from analysis_core.domains import polynomial as pl
from analysis_core.domains.mask import Mask
from analysis_core.domains.shape import some
from analysis_core.domains.thread_value import Integer
from analysis_core.interp.core.liveness import Live
from analysis_core.interp.core.state import Environment, FrameKind, Inside, Run, join, without
from analysis_core.interp.core.trace import Node
from analysis_core.interp.core.transfer import evaluate
from analysis_core.interp.loops.probe import pass_loop
from analysis_core.interp.loops.rounds import End, Execute, loop_test, one_round, record_test
from analysis_core.interp.loops.summaries import mark_cut, summarise
from analysis_core.ir.nodes import Binary, Block, Const, Loop, LoopKind
from analysis_core.ir.walk import subexpressions
from analysis_core.support.facts import SUMMARISED, Cause, CauseKind
from analysis_core.syntax.read.annotation_tree import Misstatement
from analysis_core.text.records import dataclass

_MOST_EXITS = 8
"""Undecided exits (`if (data) break;`) after which exact rounds say no more than a summary: each one adds a condition
that every later value depends on."""


_OVERTIME = 1024
"""Statements beyond those of a kernel's exact loops that loops may have whose counters double or halve: they end within some rounds, and a
summary does not know which lanes go on at which stride."""


_MOST_BY_SIZE = 4
"""Rounds that are executed one by one in a loop that runs up to a parameter, where an assumption says that it is large."""


def execute_loop(run: Run, loop: Loop, execute: Execute) -> None:
    """Runs the loop for the present threads, leaving the environment and mask after it."""
    before, env, start, frame = run.mask, run.env, len(run.exits), len(run.frames)
    run.frames.append(FrameKind.LOOP)
    run.inside.append(Inside(loop, run.times, run.arithmetic.source.count, literals=len(before.literals)))
    ends: list[End] = []
    run.env = dict(env)
    if not run.recording:
        pass_loop(run, loop, execute, frame)
    elif not _run_exactly(run, loop, execute, ends, frame):
        run.inside[-1].summed = True
        summarise(run, loop, execute, ends, frame)
    run.inside.pop()
    run.frames.pop()
    run.exits[start:] = [e for e in run.exits[start:] if e.target != frame]
    if ends:
        run.env = _reconverge(run, before, ends, run.liveness.after[id(loop)])
    run.mask = without(before, run.exits[start:])


def _reconverge(run: Run, before: Mask, ends: list[End], live: Live) -> Environment:
    *earlier, (_, env) = ends
    for mask, end_env in reversed(earlier):
        if not mask.is_dead:
            env = join(run, masks.since(mask, before), end_env, env, live)
    return env


# --- exact execution --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Moment:
    """What a trial must leave as it was: the state at a test, and how many events there were.  `last`: the end of the trace,
    which grows where steps of one mask are added up."""

    mask: Mask
    env: Environment
    counts: tuple[int, int, int, int, int, int]
    executed: int
    last: tuple[Node, ...]

    @staticmethod
    def now(run: Run, ends: list[End]) -> _Moment:
        counts = (len(run.branches), len(run.accesses), len(run.unknowns), len(run.exits), len(ends), len(run.trace))
        return _Moment(run.mask, run.env, counts, len(run.executed), tuple(run.trace[-1:]))

    def restore(self, run: Run, ends: list[End]) -> None:
        """Memory may have been written since, so the epoch goes on."""
        run.mask, run.env = self.mask, self.env
        branches, accesses, unknowns, exits, left, nodes = self.counts
        del run.branches[branches:], run.accesses[accesses:], run.unknowns[unknowns:], run.trace[nodes:]
        run.trace[-1:] = self.last
        del run.exits[exits:], ends[left:], run.executed[self.executed :]


def _run_exactly(run: Run, loop: Loop, execute: Execute, ends: list[End], frame: int) -> bool:
    """Rounds with decided tests.  True when all threads have left; else the present mask and environment stand at a
    test, and the rest is to be summarised."""
    tested = loop.kind is not LoopKind.DO
    literals = len(run.mask.literals)
    rounds, execution = 0, len(run.branches) + 1
    limited = loop.whole in run.loop_limits
    least = -min(_OVERTIME, run.settings.exact_iterations) if run.statics.loop(loop).is_of_powers else 0
    endless = bool(run.statics.loop(loop).leading_exits) and (
        loop.condition is None or isinstance(loop.condition, Const)
    )
    later: tuple[int, int] | None = None
    while not run.mask.is_dead:
        moment = _Moment.now(run, ends)
        if later is None and any(entry.formula.data for entry in run.mask.literals[literals:]):
            later = len(run.accesses), len(run.branches)
        run.inside[-1].later = rounds > 0
        if tested:
            run.env = dict(run.env)
            execute(run, loop.test)
            condition = loop_test(run, loop)
            tangled = len(run.mask.literals) > literals + (0 if limited else _MOST_EXITS)
            spent = rounds >= run.settings.exact_iterations or run.exact_left < least or run.is_heavy() or _crowded(run)
            over = tangled or spent or _late(run, rounds)
            known = rounds == _MOST_BY_SIZE and not limited and not spent and _rests_on_sizes(run, loop)
            stays = some(condition.true & run.mask.may)
            if some(condition.undecided & run.mask.may) or ((over or known) and stays):
                if over and not limited:
                    _note_budget(run, loop)
                moment.restore(run, ends)
                run.rounds_done[loop.whole] = rounds
                run.inside[-1].left_open = bool(ends) or len(run.mask.literals) > literals
                return False
            if stays and run.recording:
                _held_against_limit(run, loop, rounds)
            record_test(run, loop, condition, None, execution)
            leaving = masks.assume(run.mask, cond.negate(condition))
            if not leaving.is_dead:
                ends.append((leaving, run.env))
            run.mask = masks.assume(run.mask, condition)
        first = endless and rounds == 0
        one_round(run, loop, _until_open(run, loop, execute, literals) if first else execute, ends, frame)
        if first and len(run.mask.literals) > literals:
            moment.restore(run, ends)  # `for (;;) { if (c) break; ..` with c undecided: no round is like the first
            run.rounds_done[loop.whole] = 0
            return False
        tested = True
        rounds += 1
    if later is not None:
        mark_cut(run, *later)
    return True


def _until_open(run: Run, loop: Loop, execute: Execute, literals: int) -> Execute:
    """Executes the body no further than to the last of the `if (c) break;` that it begins with, if one of them is undecided."""
    lead = run.statics.loop(loop).leading_exits[-1] + 1

    def run_body(run: Run, block: Block) -> None:
        whole = block is not loop.body
        execute(run, block if whole else block[:lead])
        if not whole and len(run.mask.literals) <= literals:
            execute(run, block[lead:])

    return run_body


def _held_against_limit(run: Run, loop: Loop, rounds: int) -> None:
    """Rejects a stated bound of iterations that surely is exceeded."""
    limit = run.loop_limits.get(loop.whole)
    if limit is not None and limit.most == rounds:
        reason = f"the loop goes round more than {'once' if rounds == 1 else f'{rounds} times'}"
        run.rejected.append(Misstatement(reason, limit.span))


def _rests_on_sizes(run: Run, loop: Loop) -> bool:
    """Whether the test compares values whose difference is no number: threads stay only because sizes are known to be large,
    and one of the rounds to come is the first in which that is open."""
    for expr in subexpressions(loop.condition) if loop.condition is not None else ():
        if isinstance(expr, Binary) and expr.op in ("<", "<=", ">", ">=", "!="):
            sides = [evaluate(run, side) for side in (expr.left, expr.right)]
            if all(isinstance(side, Integer) for side in sides):
                left, right = (side.poly for side in sides if isinstance(side, Integer))
                if not pl.subtract(left, right).is_constant:
                    return True
    return False


def _late(run: Run, rounds: int) -> bool:
    """Whether the time budget is spent; asked now and then, since the clock costs more than a statement."""
    return rounds % 16 == 15 and time.thread_time() > run.deadline


def _crowded(run: Run) -> bool:
    """Whether the kernel has so many symbols that rounds one by one make everything after them slow."""
    return run.arithmetic.source.count > run.settings.kernel_symbols


def _note_budget(run: Run, loop: Loop) -> None:
    run.coarse.append(Cause(CauseKind.ANALYSIS, SUMMARISED, loop.span))
