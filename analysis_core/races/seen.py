"""Which of the accesses outside of arrays, and of the absent lanes, a run of one block shows."""

from __future__ import annotations

from analysis_core.ir.nodes import Kernel
from analysis_core.machine.block_shape import Shape
from analysis_core.races.runs import ROUNDS, RUNS, argument
from analysis_core.races.verdicts import AbsentLanes, Outside
from analysis_core.simulate.arguments import LaunchRequest
from analysis_core.simulate.binding import BadArguments
from analysis_core.simulate.faults import FaultKind
from analysis_core.simulate.machine import Stopped
from analysis_core.simulate.run import simulate
from analysis_core.text.span import Span


def seen(
    kernel: Kernel, block: Shape, beyond: tuple[Outside, ...], absent: tuple[AbsentLanes, ...]
) -> tuple[tuple[Outside, ...], tuple[AbsentLanes, ...]]:
    """Those that the simulator meets."""
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
