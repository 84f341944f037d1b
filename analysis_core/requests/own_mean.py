"""What a request costs a block on average, where the executions of a warp differ: of a triangle that shrinks, the first round is the worst.  Of a tree
over the block (`if (tid < d)`) whole warps have only the rounds in which they take part.

Where the number of the block decides what a request costs, as where it begins in a sector, such a mean is over blocks, too.

Only of executions whose numbers are known in relation to each other: all of them happen as often as each other, or so many times each, or so
many times in each round of a loop of any length.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from math import lcm

import numpy as np

from analysis_core.domains.shape import FloatVector
from analysis_core.domains.symbol import SymbolKind
from analysis_core.expressions.expression import Expression, Integer, Product, Sum, constant, scale
from analysis_core.requests.access_cost import RequestCost
from analysis_core.requests.facts import OwnMean
from analysis_core.requests.requests import Request

Costed = Sequence[tuple[Sequence[int], Request, RequestCost]]

_FEWER = 0.9
"""The part of the worst from which on a mean says nothing that the worst does not."""

_MOST = 2**900
"""Executions (of nests of many loops) from which on sums of costs are no floating-point numbers any more."""


def own_mean(executions: Sequence[tuple[Hashable, Expression]], made: Mapping[Hashable, Costed]) -> OwnMean | None:
    """The mean cost over the executions of all warps. None where the executions of the dearest warp hardly differ, or
    it is not known how often each happens. `executions`: the kind of each execution and how often it happens; `made`:
    the requests of each kind, at their worst."""
    numbers = _multiples(tuple(dict.fromkeys(often for _, often in executions)))
    if numbers is None:
        return None
    weights: dict[Hashable, int] = {}
    for key, often in executions:
        weights[key] = weights.get(key, 0) + numbers[often]
    if max(weights.values(), default=0) > _MOST:
        return None
    sums = _by_warp([(float(weight), made[key]) for key, weight in weights.items() if weight > 0])
    if sums is None:
        return None
    requests, paid, ideal, most, worst = sums
    dear = int(most.argmax())
    if not requests[dear] or most[dear] > _FEWER * worst.max() * requests[dear]:
        return None
    return OwnMean(int(requests.sum()), float(paid.sum()), int(ideal.sum()))


def _multiples(times: Sequence[Expression]) -> Mapping[Expression, int] | None:
    """Of what is a number times one and the same, these numbers: 1 and 17 of `T9` and `17 * T9`, which are executions of one loop around
    several calls.  None where they have different names in them."""
    first = times[0]
    if len(times) == 1:
        return {first: 1}
    numbers = {often: number for often in times if (number := constant(often)) is not None}
    if numbers:
        return numbers if len(numbers) == len(times) else None
    ratios = {often: Fraction(_leading(often), _leading(first)) for often in times}
    if any(scale(ratio.denominator, often) != scale(ratio.numerator, first) for often, ratio in ratios.items()):
        return None
    whole = lcm(*(ratio.denominator for ratio in ratios.values()))
    return {often: int(ratio * whole) for often, ratio in ratios.items()}


def _leading(times: Expression) -> int:
    """The number that its first term is multiplied by; not 0."""
    match times:
        case Sum((first, *_)):
            return _leading(first)
        case Integer(value) | Product((Integer(value), *_)):
            return value or 1
        case _:
            return 1


def _by_warp(kinds: Sequence[tuple[float, Costed]]) -> FloatVector | None:
    """By warp, its requests, what they cost on average over blocks, would at the ideal, and do at most, and the worst of them; None where lanes of a warp make several in
    one execution, or nobody knows which warps make which."""
    most = max((max(warps, default=-1) for _, made in kinds for warps, _, _ in made), default=-1)
    sums = np.zeros((5, most + 1))
    for weight, made in kinds:
        seen: set[int] = set()
        for warps, _, cost in made:
            if not warps or not seen.isdisjoint(warps):
                return None
            seen.update(warps)
            rows = np.array(warps)
            sums[:4, rows] += weight * np.array([[1], [_over_blocks(cost)], [cost.ideal], [cost.worst]])
            sums[4, rows] = np.maximum(sums[4, rows], cost.worst)
    return sums if most >= 0 else None


def _over_blocks(cost: RequestCost) -> float:
    """What the request costs: on average, if the number of the block along an axis decides it and nothing else does, else at its worst."""
    known = cost.by_residue
    if known is None or len(known.monomial) != 1:
        return cost.worst
    (symbol,) = known.monomial
    is_block = symbol.kind is SymbolKind.GRID and symbol.name.startswith("blockIdx")
    return sum(known.costs) / len(known.costs) if is_block else cost.worst
