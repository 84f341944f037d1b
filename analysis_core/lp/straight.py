"""Programs whose cost is a number: without loops, or without anything to pay.  The sum over their ticks is its own certificate."""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.bounds.program import Branch, Stmt, Tick, While


def straight_cost(body: Sequence[Stmt], metric: str) -> tuple[int, int] | None:
    """The least and the greatest cost of any run; None if there is a loop that pays, or an arm that not every run may enter."""
    lower = upper = 0
    for stmt in body:
        match stmt:
            case Tick(costs):
                for name, least, most in costs:
                    if name == metric:
                        lower, upper = lower + least, upper + most
            case Branch(arms):
                if not _pays((stmt,), metric):
                    continue
                found = [straight_cost(arm.body, metric) for arm in arms if not arm.guard]
                known = [pair for pair in found if pair is not None]
                if len(known) != len(arms) or not known:
                    return None
                lower += min(low for low, _ in known)
                upper += max(high for _, high in known)
            case While():
                if _pays((stmt,), metric):
                    return None
            case _:
                pass
    return lower, upper


def _pays(body: Sequence[Stmt], metric: str) -> bool:
    """Whether there is a tick of the metric anywhere."""
    pending: list[Stmt] = [*body]
    while pending:
        stmt = pending.pop()
        match stmt:
            case Tick(costs):
                if any(name == metric and most for name, _, most in costs):
                    return True
            case Branch(arms):
                pending += [inner for arm in arms for inner in arm.body]
            case While(body=inner_body):
                pending += inner_body
            case _:
                pass
    return False
