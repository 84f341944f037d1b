"""What each place contributes to operations that the settings ask for (ir/operations.py): per place the most expensive warp."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from analysis_core.domains.mask import Mask
from analysis_core.domains.shape import WARP, IntVector, warps_with
from analysis_core.expressions.bounds import LineCost
from analysis_core.expressions.expression import ZERO, Expression
from analysis_core.interp.core.events import Events
from analysis_core.ir.nodes import Atomic, Load, Store
from analysis_core.ir.operations import Operations
from analysis_core.machine.sizes import is_of_threads
from analysis_core.requests.counts import most_expensive
from analysis_core.text.span import Span

_Costs = dict[tuple[Span, str], dict[Expression, IntVector]]


def operation_places(events: Events) -> Mapping[str, tuple[LineCost, ...]]:
    """Of each operation the places that cost some of it, in order of first execution."""
    operations = Operations(events.counted)
    found: dict[str, _Costs] = {name: {} for name in events.counted}

    def pay(name: str, place: tuple[Span, str], times: Expression, mask: Mask, number: int) -> None:
        per_place = found[name].setdefault(place, {})
        lanes = mask.may.reshape(-1, WARP).sum(axis=1) if is_of_threads(name) else warps_with(mask.may)
        per_place[times] = per_place.get(times, np.zeros(len(lanes), np.int64)) + number * lanes

    for stmt, _, mask, times in events.executed:
        span = stmt.access.span if isinstance(stmt, Load | Store | Atomic) else stmt.span
        for name, _, most in operations.of_statement(stmt):
            pay(name, (span, ""), times, mask, most)
    for event in events.accesses:
        for name, number in events.operations_of(event):
            pay(name, (event.access.span, event.access.text), event.times, event.mask, number)
    return {name: tuple(_costs(costs)) for name, costs in found.items()}


def _costs(costs: _Costs) -> list[LineCost]:
    every = [LineCost(span, text, most_expensive(per_place)) for (span, text), per_place in costs.items()]
    return [place for place in every if place.cost != ZERO]
