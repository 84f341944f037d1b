"""A thread that is said to break a claim, run by the simulator: it is shown if it does, in a run in which nothing undefined happens."""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.ir.nodes import Kernel
from analysis_core.machine.block_shape import Shape
from analysis_core.races.runs import ROUNDS, argument
from analysis_core.races.verdicts import Thread
from analysis_core.simulate.arguments import LaunchRequest
from analysis_core.simulate.binding import BadArguments
from analysis_core.simulate.faults import FaultKind
from analysis_core.simulate.machine import Stopped
from analysis_core.simulate.run import simulate
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_OTHER_SIZES = 64
"""The value of parameters that have no say in it."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The thread that broke the claim, and the integers that were passed."""

    thread: Thread
    values: Mapping[str, int]


def shown(kernel: Kernel, block: Shape, claim: Span, values: Mapping[str, int]) -> Shown | str:
    """The first thread that breaks the claim under these values of parameters and the grid, or why there is none. `kernel`: with claims."""
    own = [values.get(f"blockIdx.{axis}", 0) for axis in "xyz"]
    x, y, z = (max(values.get(f"gridDim.{axis}", 1), at + 1) for axis, at in zip("xyz", own, strict=True))
    arguments = {
        v.name: argument(v.type, values.get(v.name), _OTHER_SIZES, True) for v in kernel.variables if v.parameter
    }
    number = own[0] + x * (own[1] + y * own[2])
    request = LaunchRequest(block, (x, y, z), arguments, rounds=ROUNDS, blocks=(number,), overflow=True)
    try:
        outcome = simulate(kernel, request)
    except Stopped as why:
        return f"a counterexample cannot be replayed: {why.reason}"
    except BadArguments as why:
        return f"a counterexample cannot be replayed: {why}"
    for fault in outcome.faults:
        if fault.kind is FaultKind.BROKEN_CLAIM and fault.span == claim:
            return Shown(Thread(fault.block, fault.thread), {n: v for n, v in arguments.items() if isinstance(v, int)})
        if fault.kind not in (FaultKind.BROKEN_CLAIM, FaultKind.RACE_IN_WARP):
            return f"the run that may break it does something undefined before: {fault.text}"
    return "no run showed a counterexample"
