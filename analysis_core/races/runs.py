"""Runs in which the simulator is to show what was found.

Parameters that decide something have the values that were found, others some usual size; arrays hold numbers that differ, so that values that are
equal are so by what the kernel does.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import PointerType, ScalarKind, ScalarType
from analysis_core.machine.block_shape import Shape
from analysis_core.simulate.arguments import Argument, ArrayArgument, LaunchRequest
from analysis_core.simulate.binding import BadArguments
from analysis_core.simulate.faults import Fault, FaultKind
from analysis_core.simulate.machine import Stopped
from analysis_core.simulate.run import has_grid_barrier, simulate
from analysis_core.text.span import Span

RUNS = ((64, True), (1024, True), (64, False))
"""The runs that are tried: the value of all parameters that decide nothing, and whether arrays hold different numbers or zeros."""

ROUNDS = 2048
"""Rounds of all loops together that a run may make."""

STATEMENTS = 4096
"""Statements that a run may execute, each once for all of its threads: those in which threads met took 1,118 at most."""

_ODD = (37, True)
"""A run with sizes that no block divides."""

_ARRAY_BYTES = 1 << 18


def argument(type_: object, value: int | None, size: int, filled: bool) -> Argument:
    """An argument for a parameter of this type."""
    if isinstance(type_, PointerType):
        numbers = np.arange(_ARRAY_BYTES // 4, dtype=np.int32)
        return ArrayArgument(numbers * 7919 % 65521 + 1 if filled else numbers * 0)
    if isinstance(type_, ScalarType) and type_.kind is ScalarKind.INT:
        most = (1 << (8 * type_.size - type_.signed)) - 1
        return min(size, most) if value is None else value
    return 1 if isinstance(type_, ScalarType) and type_.kind is ScalarKind.BOOL else 1.0


def faults_seen(kernel: Kernel, block: Shape) -> Mapping[tuple[FaultKind, Span], tuple[Fault, int]]:
    """The first fault of each kind and place, with the value of the sizes in that run."""
    found: dict[tuple[FaultKind, Span], tuple[Fault, int]] = {}
    blocks = 2 if has_grid_barrier(kernel) else 1
    for size, filled in (*RUNS, _ODD):
        arguments = {v.name: argument(v.type, None, size, filled) for v in kernel.variables if v.parameter}
        try:
            outcome = simulate(kernel, LaunchRequest(block, (blocks, 1, 1), arguments, rounds=ROUNDS))
        except (Stopped, BadArguments):
            continue
        for fault in outcome.faults:
            found.setdefault((fault.kind, fault.span), (fault, size))
    return found
