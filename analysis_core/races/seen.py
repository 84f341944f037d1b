"""What goes wrong in runs of one block, which the simulator makes."""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.ir.nodes import Kernel
from analysis_core.machine.block_shape import Shape
from analysis_core.races.runs import ROUNDS, RUNS, argument
from analysis_core.simulate.arguments import LaunchRequest
from analysis_core.simulate.binding import BadArguments
from analysis_core.simulate.faults import Fault, FaultKind
from analysis_core.simulate.machine import Stopped
from analysis_core.simulate.run import simulate
from analysis_core.text.span import Span

_ODD = (37, True)
"""A run with sizes that no block is a divisor of."""


def faults_seen(kernel: Kernel, block: Shape) -> Mapping[tuple[FaultKind, Span], tuple[Fault, int]]:
    """The first fault of each kind and place, with the value of the sizes in that run."""
    found: dict[tuple[FaultKind, Span], tuple[Fault, int]] = {}
    for size, filled in (*RUNS, _ODD):
        arguments = {v.name: argument(v.type, None, size, filled) for v in kernel.variables if v.parameter}
        try:
            outcome = simulate(kernel, LaunchRequest(block, (1, 1, 1), arguments, rounds=ROUNDS))
        except (Stopped, BadArguments):
            continue
        for fault in outcome.faults:
            found.setdefault((fault.kind, fault.span), (fault, size))
    return found
