"""Accesses outside of arrays, lanes that are named and absent, and barriers to which a part of the block comes: what a run has shown of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analysis_core.interp.core.events import Events
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import ScalarType
from analysis_core.machine.block_shape import Shape
from analysis_core.races.divergent import UNSEEN, divergences
from analysis_core.races.lanes import absent_lanes
from analysis_core.races.outside import outside
from analysis_core.races.verdicts import Divergence, RaceReport, Thread, Verdict

if TYPE_CHECKING:
    from analysis_core.simulate.faults import Fault


def with_misuse(kernel: Kernel, block: Shape, events: Events, races: RaceReport) -> RaceReport:
    """The report with them."""
    beyond, absent, parted = (
        tuple(outside(kernel, events)),
        tuple(absent_lanes(events)),
        tuple(divergences(kernel, events)),
    )
    if not beyond and not absent and all(one.cause != UNSEEN for one in parted):
        return replace(races, divergences=parted)
    from analysis_core.races.runs import faults_seen
    from analysis_core.simulate.faults import FaultKind

    faults = faults_seen(kernel, block)
    seen = ((one, faults.get((FaultKind.DIVERGENT_BARRIER, one.barrier))) for one in parted)
    return replace(
        races,
        outside=tuple(one for one in beyond if (FaultKind.OUT_OF_BOUNDS, one.place.span) in faults),
        absent=tuple(one for one in absent if (FaultKind.ABSENT_LANES, one.span) in faults),
        divergences=tuple(_shown(one, kernel, found) if one.cause == UNSEEN and found else one for one, found in seen),
    )


def _shown(one: Divergence, kernel: Kernel, seen: tuple[Fault, int]) -> Divergence:
    """A barrier that a run has shown to be parted, with its threads."""
    fault, size = seen
    absent = None if fault.other is None else Thread(fault.other_block or fault.block, fault.other)
    values = {v.name: size for v in kernel.variables if v.parameter and isinstance(v.type, ScalarType)}
    return replace(
        one, verdict=Verdict.CERTAIN, cause="", thread=Thread(fault.block, fault.thread), absent=absent, values=values
    )
