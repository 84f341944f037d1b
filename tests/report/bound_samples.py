"""Hand-made bounds: what is shown of them is tested without the computation that finds them."""

from __future__ import annotations

from fractions import Fraction

from analysis_core.expressions.bounds import (
    BoundCase,
    KernelBounds,
    LineCost,
    MetricBound,
    Reason,
    SumBound,
    WarpBound,
    WorkSpan,
)
from analysis_core.expressions.expression import ZERO, Expression, ceil_div, integer, multiply, scale, symbol
from tests.report.samples import span

W, H = symbol("w"), symbol("h")
WHEN = "w % 32 == 0 and h % 32 == 0"

BLOCKS = multiply(ceil_div(W, integer(32)), ceil_div(H, integer(32)))
"""The grid of a kernel that covers w x h in tiles of 32 x 32."""


def metric(
    name: str,
    upper: Expression | int,
    case: int | None = None,
    places: tuple[LineCost, ...] = (),
    ideal: int | None = None,
    warps: int = 8,
    per_launch: bool = True,
) -> MetricBound:
    """At most `upper`, and exactly `case` where `WHEN` holds; exactly `upper` if no case is given."""
    most = upper if not isinstance(upper, int) else integer(upper)
    exact = case is None
    least = most if case is None else integer(case)
    cases = () if case is None else (BoundCase(WHEN, integer(case), integer(case), True),)
    block = SumBound(scale(warps, most), scale(warps, least), exact, _scaled(cases, integer(warps)))
    blocks = scale(warps, BLOCKS)
    launch = SumBound(multiply(blocks, most), multiply(blocks, least), exact, _scaled(cases, blocks))
    if not per_launch:
        launch = SumBound(None, ZERO, False)
    warp = WarpBound(most, least, least, exact, cases, None, "closed form")
    return MetricBound(name, warp, block, launch, places, None if ideal is None else integer(ideal))


def _scaled(cases: tuple[BoundCase, ...], factor: Expression) -> tuple[BoundCase, ...]:
    return tuple(
        BoundCase(c.when, multiply(factor, c.upper or ZERO), multiply(factor, c.worst_lower), c.exact) for c in cases
    )


def withheld(name: str, reason: Reason | None = None) -> MetricBound:
    """No bound, for a reason with an annotation that would help."""
    because = reason or Reason("nothing bounds the loop", span(120), "//@ loop_bound 64")
    none = SumBound(None, ZERO, False)
    return MetricBound(name, WarpBound(None, ZERO, ZERO, False, (), because), none, none)


def transpose(per_launch: bool = True) -> KernelBounds:
    """The tiled transpose: `tile[32][32]`, block (32, 8)."""
    sectors = (LineCost(span(100), "in[(y + j)*w + x]", integer(20)), LineCost(span(300), "out[i]", integer(20)))
    conflicts = (LineCost(span(200), "tile[threadIdx.x][threadIdx.y + j]", integer(124)),)
    splits = (LineCost(span(400), "x < w", integer(8)),)
    metrics = (
        metric("sectors", 40, 32, sectors, ideal=32, per_launch=per_launch),
        metric("conflicts", 124, None, conflicts, per_launch=per_launch),
        metric("divergences", 8, 0, splits, per_launch=per_launch),
    )
    work_span = WorkSpan(scale(8, W), W, Fraction(4), scale(3, W))
    return KernelBounds({bound.metric: bound for bound in metrics}, work_span)
