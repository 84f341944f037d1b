"""All that is found out about races, barriers and lanes of one kernel under one launch."""

from __future__ import annotations

from dataclasses import replace

from analysis_core.interp.core.events import Events
from analysis_core.ir.nodes import Kernel
from analysis_core.machine.block_shape import Shape
from analysis_core.races.barriers import orderings
from analysis_core.races.decide import races_of
from analysis_core.races.lanes import absent_lanes
from analysis_core.races.outside import outside
from analysis_core.races.runs import ROUNDS, RUNS, argument
from analysis_core.races.verdicts import AbsentLanes, Outside, RaceReport
from analysis_core.simulate.arguments import LaunchRequest
from analysis_core.simulate.binding import BadArguments
from analysis_core.simulate.faults import FaultKind
from analysis_core.simulate.machine import Stopped
from analysis_core.simulate.run import simulate
from analysis_core.text.span import Span


def race_report(kernel: Kernel, block: Shape, events: Events, guessed: bool) -> RaceReport:
    """`guessed`: nothing says that the block has this shape; then nothing is certain."""
    races = replace(races_of(kernel, block, events, guessed), barriers=orderings(kernel, events))
    if guessed:
        return races
    beyond, absent = _seen(kernel, block, tuple(outside(kernel, events)), tuple(absent_lanes(events)))
    return replace(races, outside=beyond, absent=absent)


def _seen(
    kernel: Kernel, block: Shape, beyond: tuple[Outside, ...], absent: tuple[AbsentLanes, ...]
) -> tuple[tuple[Outside, ...], tuple[AbsentLanes, ...]]:
    """Those that a run of one block shows."""
    if not beyond and not absent:
        return (), ()
    faults: set[tuple[FaultKind, Span]] = set()
    for size, filled in RUNS:
        arguments = {v.name: argument(v.type, None, size, filled) for v in kernel.variables if v.parameter}
        try:
            outcome = simulate(kernel, LaunchRequest(block, (1, 1, 1), arguments, rounds=ROUNDS))
        except (Stopped, BadArguments):
            continue
        faults |= {(fault.kind, fault.span) for fault in outcome.faults}
    return (
        tuple(one for one in beyond if (FaultKind.OUT_OF_BOUNDS, one.place.span) in faults),
        tuple(one for one in absent if (FaultKind.ABSENT_LANES, one.span) in faults),
    )
