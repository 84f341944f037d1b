"""The abstract interpreter's entry: one kernel under one launch configuration -> Events.

    value   = thread-vector polynomial over symbols           domains/polynomial.py, thread_value.py, arithmetic.py
    state   = environment, mask, threads that left            state.py
    expr    -> value                                          transfer.py
    stmt    -> state -> state, events                         statements.py, memory.py, loops.py, summaries.py

Assumptions that a result rests on are collected as it is made.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from types import MappingProxyType

from analysis_core.domains.arithmetic import Arithmetic
from analysis_core.domains.earlier import Earlier
from analysis_core.domains.mask import Mask
from analysis_core.domains.shape import make_shape
from analysis_core.domains.symbol import SymbolSource
from analysis_core.interp.core.entry import enter
from analysis_core.interp.core.events import Events
from analysis_core.interp.core.liveness import Liveness
from analysis_core.interp.core.roots import Roots, find_roots
from analysis_core.interp.core.state import FrameKind, Run
from analysis_core.interp.core.static_loops import Statics
from analysis_core.interp.resume.rejoin import ROOM, agrees, is_ahead, later, moved, shifted, taken
from analysis_core.interp.resume.trail import (
    NO_REST,
    Checkpoint,
    Rest,
    Trail,
    comparable,
    copied,
    rest_of,
    resumed,
    spacing,
    turns_of,
)
from analysis_core.interp.statements import execute
from analysis_core.ir.nodes import Kernel
from analysis_core.program.launch import Launch
from analysis_core.support.fuel import INTERPRETING, STATEMENT, Fuel
from analysis_core.support.settings import Settings


def interpret(
    kernel: Kernel,
    launch: Launch,
    settings: Settings,
    block_at: tuple[int, int, int] | None = None,
    only: frozenset[int] | None = None,
) -> Events:
    """All events of the kernel for one block of the launch's shape, at any place of the grid or at the one given.  `only`: what operations of statements
    are counted of (ir/operations.py: within), None for all.

    Raises ValueError if the launch's block is no block (see `make_shape`)."""
    run = _entered(kernel, launch, settings, find_roots(kernel), Liveness.of(kernel), block_at, only)
    execute(run, kernel.body)
    return _events(run)


def interpret_again(kernel: Kernel, launch: Launch, settings: Settings, past: Trail | None) -> tuple[Events, Trail]:
    """The same events as `interpret` gives for any block, with the way to them.  `past`: that of a kernel that may begin alike."""
    roots, liveness = find_roots(kernel), Liveness.of(kernel)
    like = past if past is not None and comparable(past, kernel, launch, settings, roots) else None
    found = None if like is None else resumed(like, kernel, roots, liveness)
    checkpoints: list[Checkpoint] = []
    if like is None or found is None:
        run, done = _entered(kernel, launch, settings, roots, liveness, None), 0
    else:
        run, done = copied(found.state), found.done
        run.kernel, run.roots, run.liveness, run.deadline = kernel, roots, liveness, _deadline(settings)
        run.statics = Statics(kernel, roots)
        checkpoints = [c for c in like.checkpoints if c.done < done]
    rest = NO_REST if like is None else rest_of(like, kernel, roots, done)
    if past is not None:
        last = past.end.arithmetic
        run.arithmetic.earlier = Earlier(last.remembered, last.derivations, past.end.loads, turns_of(past))
    begun = found is not None  # Then there is room already.
    budget, step = run.exact_left, spacing(kernel.body)
    taken(run)
    while done < len(kernel.body):
        point = rest.checkpoints.get(done)
        if like is not None and point is not None and agrees(run, point.state, rest.spoken, rest.asked[done], like.end):
            return _rejoined(run, like, point, rest, checkpoints, launch, budget - run.exact_left)
        alone = not any(number >= done for number in rest.checkpoints)
        if (alone and not begun) or (point is not None and is_ahead(run, point.state)):
            run.arithmetic.source.count += ROOM
        begun = False
        start = copied(run)
        end = _next_stop(done, step, rest.checkpoints, len(kernel.body))
        execute(run, kernel.body[done:end])
        checkpoints.append(Checkpoint(done, start, taken(run)))
        done = end
    run.arithmetic.earlier = None  # Else each would hold the one before.
    return _events(run), Trail(kernel, launch, settings, roots, tuple(checkpoints), run, budget - run.exact_left)


def _next_stop(done: int, step: int, points: Collection[int], last: int) -> int:
    """The next statement to stop at: those of the earlier interpretation from the first of them on."""
    ahead = [point for point in points if point > done]
    if points and done >= min(points):
        return min(ahead, default=last)
    return min(done + step, last, *ahead)


def _rejoined(
    run: Run, past: Trail, point: Checkpoint, rest: Rest, before: list[Checkpoint], launch: Launch, executed: int
) -> tuple[Events, Trail]:
    """The events and the way of an interpretation that has come back to an earlier one."""
    now, then = copied(run), point.state
    by, further = now.epoch - then.epoch, moved(now, then)
    behind = [
        Checkpoint(done, later(now, then, c.state, further), shifted(c.asked, by))
        for done, c in rest.checkpoints.items()
        if c.done >= point.done
    ]
    end = later(now, then, past.end, further)
    trail = Trail(run.kernel, launch, past.settings, run.roots, (*before, *behind), end, executed)
    return _events(end), trail


def _entered(
    kernel: Kernel,
    launch: Launch,
    settings: Settings,
    roots: Roots,
    liveness: Liveness,
    block_at: tuple[int, int, int] | None,
    only: frozenset[int] | None = None,
) -> Run:
    """The state before the first statement."""
    shape = make_shape(launch.block)
    run = Run(
        kernel=kernel,
        settings=settings,
        arithmetic=Arithmetic(shape, SymbolSource()),
        roots=roots,
        statics=Statics(kernel, roots),
        mask=Mask(shape.real),
        env={},
        liveness=liveness,
        exact_left=_exact_budget(launch, settings),
        deadline=_deadline(settings),
        block_at=block_at,
    )
    if settings.metrics:
        from analysis_core.ir.operations import Operations, asked_by

        run.counted = asked_by(settings.metrics)
        run.operations = Operations(run.counted, only).of_statement if run.counted else None
    enter(run, launch)
    run.frames.append(FrameKind.FUNCTION)
    return run


def _events(run: Run) -> Events:
    arithmetic = run.arithmetic
    return Events(
        arithmetic.shape,
        tuple(run.accesses),
        tuple(run.branches),
        tuple(run.parameters),
        tuple(run.trips.items()),
        tuple(run.unknowns),
        tuple(run.assumptions.values()),
        tuple(dict.fromkeys(run.coarse)),
        MappingProxyType(arithmetic.derivations),
        arithmetic.source.count,
        tuple(dict.fromkeys(run.rejected)),
        tuple(run.trace),
        MappingProxyType(run.trip_uppers),
        run.grid,
        tuple(run.executed),
        frozenset(run.counters),
        arithmetic.relations,
        tuple(run.claims),
        run.extents,
        run.counted,
    )


def _deadline(settings: Settings) -> float:
    return time.thread_time() + _SLOWNESS * settings.kernel_seconds


_SLOWNESS = 5.0
"""Results must not depend on how busy a machine is: statements are counted, and the clock (of this thread) is a last resort."""


def _exact_budget(launch: Launch, settings: Settings) -> int:
    """Statements that exact loops may execute in all: fewer than iterations, because a statement costs some tens of
    microseconds and the budget of a kernel is a few tenths of a second; launches of one kernel share its account."""
    granted = Fuel.of_kernel(INTERPRETING, settings).left // STATEMENT // launch.among
    return min(settings.exact_iterations * 3 // 4, granted)
