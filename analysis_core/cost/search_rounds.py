"""How often a search by a step that shrinks (ir/halved_steps.py) goes round, where memory decides when it ends: until the step has
come to rest, and once more.  That is no bound, for nothing in the text says that what is looked for is found by then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from analysis_core.cost.expression_nodes import Symbol
from analysis_core.domains.thread_value import Integer, lane_bounds
from analysis_core.interp.events import Events
from analysis_core.interp.trace import Looped, walk
from analysis_core.ir.halved_steps import halved_steps, rounds_to_rest
from analysis_core.ir.nodes import Kernel


def search_rounds(kernel: Kernel, events: Events) -> Mapping[str, int]:
    """By the name of a loop's length, the rounds that are left of it where they are summarised."""
    found: dict[str, int] = {}
    for name, rounds in _searched(kernel, events):
        found[name] = max(rounds, found.get(name, 0))
    return found


def _searched(kernel: Kernel, events: Events) -> Iterator[tuple[str, int]]:
    named = {name for name, _ in events.trips}
    for node in walk(events.trace):
        if not isinstance(node, Looped) or not isinstance(node.trips, Symbol) or node.trips.name not in named:
            continue
        for var, part in halved_steps(node.loop).items():
            start = node.entry.get(var)
            if isinstance(start, Integer):
                most = np.max(np.asarray(lane_bounds(start, kernel.variables[var].type)[1]))
                if 0 <= most < 1 << 31:
                    yield node.trips.name, rounds_to_rest(int(most), part) + 1
