"""Programs without loops: what they cost is a number, and the sum over their ticks is its own certificate."""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.cost.program import Branch, Stmt, Tick, While


def straight_cost(body: Sequence[Stmt], metric: str) -> tuple[int, int] | None:
    """The least and the greatest cost of any run; None if there is a loop, or an arm that not every run may enter."""
    lower = upper = 0
    for stmt in body:
        match stmt:
            case Tick(costs):
                for name, least, most in costs:
                    if name == metric:
                        lower, upper = lower + least, upper + most
            case Branch(arms):
                found = [straight_cost(arm.body, metric) for arm in arms if not arm.guard]
                known = [pair for pair in found if pair is not None]
                if len(known) != len(arms) or not known:
                    return None
                lower += min(low for low, _ in known)
                upper += max(high for _, high in known)
            case While():
                return None
            case _:
                pass
    return lower, upper
