"""How often searches go round, where memory decides when they end.

A search by a step that shrinks (profile/idioms/halved_steps.py) does until the step has come to rest, and once more.  That is no bound, for nothing in
the text says that what is looked for is found by then.  One that halves what is left of n elements (profile/idioms/probes.py, profile/idioms/searches.py) does as often as n can be halved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import numpy as np

from analysis_core.domains.thread_value import Integer, Value, lane_bounds
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.expressions.expression_nodes import Symbol
from analysis_core.interp.core.events import Events
from analysis_core.interp.core.term_expressions import expression_of_poly
from analysis_core.interp.core.trace import Looped, walk
from analysis_core.ir.effects import variables_in
from analysis_core.ir.loop_info import LoopInfo
from analysis_core.ir.nodes import Kernel, VarId
from analysis_core.profile.idioms.halved_steps import halved_steps, rounds_to_rest
from analysis_core.profile.idioms.probes import halved_step
from analysis_core.profile.idioms.searches import ends_of

_ENTERED = re.compile(r"(?:after|upto)(\d+)$")


def search_rounds(kernel: Kernel, events: Events) -> Mapping[str, int]:
    """By the name of a loop's length, all its rounds: those that are executed one by one, and those that are left where they are summarised."""
    found: dict[str, int] = {}
    for name, rounds in _searched(kernel, events):
        found[name] = max(rounds, found.get(name, 0))
    return found


def _searched(kernel: Kernel, events: Events) -> Iterator[tuple[str, int]]:
    for name, node in _named(events):
        for var, part in halved_steps(LoopInfo(node.loop)).items():
            start = node.entry.get(var)
            if isinstance(start, Integer):
                most = np.max(np.asarray(lane_bounds(start, kernel.variables[var].type)[1]))
                if 0 <= most < 1 << 31:
                    yield name, _done(name) + rounds_to_rest(int(most), part) + 1


def _done(name: str) -> int:
    """The rounds that were executed one by one before those that the name of a length counts (`interp/loops/counting.py`)."""
    entered = _ENTERED.search(name)
    return 0 if entered is None else int(entered[1])


def halving_loops(events: Events) -> Mapping[str, Expression | None]:
    """By the name of its length, of how many elements a loop halves what is left; None where no size says."""
    found: dict[str, Expression | None] = {}
    for name, node in _named(events):
        info = LoopInfo(node.loop)
        ends, step = ends_of(info), _condition_step(info)
        if ends or step is not None:
            extent = extent_of(ends, step, node.entry)
            found[name] = extent if found.get(name, extent) == extent else None
    return found


def _condition_step(info: LoopInfo) -> VarId | None:
    """The number that each round halves, and that alone ends the loop."""
    asked = info.loop.condition
    step = None if asked is None else halved_step(info)
    return step if asked is not None and step is not None and variables_in(asked) == {step} else None


def extent_of(ends: tuple[VarId, ...], step: VarId | None, entry: Mapping[VarId, Value]) -> Expression | None:
    """How many elements lie between two ends where the loop begins, or in steps that are halves of each other; None where no size says."""
    known = [_size(entry.get(end)) for end in ends]
    if len(known) == 2 and known[0] is not None and known[1] is not None:
        return ex.maximum(ex.subtract(known[0], known[1]), ex.subtract(known[1], known[0]))
    size = None if step is None else _size(entry.get(step))
    return None if size is None else ex.scale(2, size)


def _size(value: Value | None) -> Expression | None:
    return expression_of_poly(value.poly) if isinstance(value, Integer) else None


def _named(events: Events) -> Iterator[tuple[str, Looped]]:
    named = {name for name, _ in events.trips}
    for node in walk(events.trace):
        if isinstance(node, Looped) and isinstance(node.trips, Symbol) and node.trips.name in named:
            yield node.trips.name, node
