"""All that is found out about races, barriers and lanes of one kernel under one launch.  Modules are imported by kernels that need them."""

from __future__ import annotations

from dataclasses import replace

from analysis_core.interp.core.events import Events
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import Space
from analysis_core.machine.block_shape import Shape
from analysis_core.races.lanes import absent_lanes
from analysis_core.races.verdicts import Outside, RaceReport


def race_report(kernel: Kernel, block: Shape, events: Events, guessed: bool) -> RaceReport:
    """`guessed`: nothing says that the block has this shape; then nothing is certain."""
    races = RaceReport()
    if any(one.space is Space.SHARED for one in kernel.objects):
        from analysis_core.races.barriers import orderings
        from analysis_core.races.decide import races_of

        races = replace(races_of(kernel, block, events, guessed), barriers=orderings(kernel, events))
    return races if guessed else _with_misuse(kernel, block, events, races)


def _with_misuse(kernel: Kernel, block: Shape, events: Events, races: RaceReport) -> RaceReport:
    """With accesses outside of arrays and absent lanes that a run has shown."""
    beyond: tuple[Outside, ...] = ()
    absent = tuple(absent_lanes(events))
    if kernel.objects:
        from analysis_core.races.outside import outside

        beyond = tuple(outside(kernel, events))
    if not beyond and not absent:
        return races
    from analysis_core.races.seen import seen

    beyond, absent = seen(kernel, block, beyond, absent)
    return replace(races, outside=beyond, absent=absent)
