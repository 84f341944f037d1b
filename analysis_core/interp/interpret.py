"""The abstract interpreter's entry: one kernel under one launch configuration -> Events.

    value   = thread-vector polynomial over symbols           domains/polynomial.py, thread_value.py, arithmetic.py
    state   = environment, mask, threads that left            state.py
    expr    -> value                                          transfer.py
    stmt    -> state -> state, events                         statements.py, memory.py, loops.py, summaries.py

Assumptions that a result rests on are collected as it is made.
"""

from __future__ import annotations

import time
from types import MappingProxyType

from analysis_core.domains.arithmetic import Arithmetic
from analysis_core.domains.mask import Mask
from analysis_core.domains.shape import make_shape
from analysis_core.domains.symbol import SymbolSource
from analysis_core.interp.entry import enter
from analysis_core.interp.events import Events
from analysis_core.interp.roots import find_roots
from analysis_core.interp.state import FrameKind, Run
from analysis_core.interp.statements import execute
from analysis_core.interp.step_counts import step_events
from analysis_core.ir.launch import Launch
from analysis_core.ir.nodes import Kernel
from analysis_core.support.settings import Settings


def interpret(
    kernel: Kernel, launch: Launch, settings: Settings, block_at: tuple[int, int, int] | None = None
) -> Events:
    """All events of the kernel for one block of the launch's shape, at any place of the grid or at the one given.

    Raises ValueError if the launch's block is no block (see `make_shape`)."""
    shape = make_shape(launch.block)
    arithmetic = Arithmetic(shape, SymbolSource())
    run = Run(
        kernel=kernel,
        settings=settings,
        arithmetic=arithmetic,
        roots=find_roots(kernel),
        mask=Mask(shape.real),
        env={},
        exact_left=_exact_budget(settings),
        deadline=time.process_time() + _SLOWNESS * settings.kernel_seconds,
        block_at=block_at,
    )
    enter(run, launch)
    run.frames.append(FrameKind.FUNCTION)
    execute(run, kernel.body)
    return Events(
        shape,
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
        step_events(run.executed),
    )


_SLOWNESS = 5.0
"""Results must not depend on how busy a machine is: statements are counted, and the clock (of this process) is a last resort."""


def _exact_budget(settings: Settings) -> int:
    """Statements that exact loops may execute in all: fewer than iterations, because a statement costs some tens of
    microseconds and the budget of a kernel is a few tenths of a second."""
    return settings.exact_iterations * 3 // 4
