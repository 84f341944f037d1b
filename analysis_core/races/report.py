"""All that is found out about races and barriers of one kernel under one launch."""

from __future__ import annotations

from dataclasses import replace

from analysis_core.interp.core.events import Events
from analysis_core.ir.nodes import Kernel
from analysis_core.machine.block_shape import Shape
from analysis_core.races.barriers import orderings
from analysis_core.races.decide import races_of
from analysis_core.races.verdicts import RaceReport


def race_report(kernel: Kernel, block: Shape, events: Events, guessed: bool) -> RaceReport:
    """`guessed`: nothing says that the block has this shape."""
    return replace(races_of(kernel, block, events, guessed), barriers=orderings(kernel, events))
