"""How often searches go round, where memory decides when they end, from what their variables are where they begin.

A search by a step that shrinks does until the step has come to rest, and once more.  That is no bound, for nothing in the text says that what is looked
for is found by then.  One that halves what is left of n elements does as often as n can be halved.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from analysis_core.domains.thread_value import Integer, Value, lane_bounds
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression, Symbol
from analysis_core.interp.core.term_expressions import expression_of_poly
from analysis_core.interp.core.trace import Looped
from analysis_core.ir.loop_info import LoopInfo
from analysis_core.ir.nodes import Kernel, VarId
from analysis_core.profile.idioms.searches import shrinking_steps

_ENTERED = re.compile(r"(?:after|upto)(\d+)$")

_MOST_HALVINGS = 64


def most_step_rounds(info: LoopInfo, executions: Iterable[Looped], kernel: Kernel) -> int | None:
    """The most rounds of a search by a step that shrinks, those executed one by one included; None for other loops."""
    steps = shrinking_steps(info)
    rounds = (found for node in executions for found in _step_rounds(steps, node, kernel)) if steps else ()
    return max(rounds, default=None)


def _step_rounds(steps: Mapping[VarId, tuple[int, int]], node: Looped, kernel: Kernel) -> Iterator[int]:
    for var, part in steps.items():
        start = node.entry.get(var)
        if isinstance(start, Integer):
            most = np.max(np.asarray(lane_bounds(start, kernel.variables[var].type)[1]))
            if 0 <= most < 1 << 31:
                yield _done(node) + rounds_to_rest(int(most), part) + 1


def _done(node: Looped) -> int:
    """The rounds that were executed one by one before those that the name of the length counts (`interp/loops/counting.py`)."""
    entered = _ENTERED.search(node.trips.name) if isinstance(node.trips, Symbol) else None
    return 0 if entered is None else int(entered[1])


def rounds_to_rest(start: int, part: tuple[int, int]) -> int:
    """How often a step s has to be replaced by (s + a) / d until it stays the same; `part`: a and d."""
    added, divisor = part
    for made in range(_MOST_HALVINGS):
        after = (start + added) // divisor
        if after == start:
            return made
        start = after
    return _MOST_HALVINGS


def extent_of(ends: tuple[VarId, ...], step: VarId | None, entry: Mapping[VarId, Value]) -> Expression | None:
    """How many elements lie between the two ends of a search where it begins, or are covered by its steps; None where
    no size says."""
    known = [_size(entry.get(end)) for end in ends]
    if len(known) == 2 and known[0] is not None and known[1] is not None:
        return ex.maximum(ex.subtract(known[0], known[1]), ex.subtract(known[1], known[0]))
    size = None if step is None else _size(entry.get(step))
    return None if size is None else ex.scale(2, size)


def _size(value: Value | None) -> Expression | None:
    return expression_of_poly(value.poly) if isinstance(value, Integer) else None
