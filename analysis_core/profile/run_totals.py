"""What a run of a kernel pays, where tests that sizes decide have it take one of two sides (ir/choices.py).

A share of all that stands in the text is less than any run ever has: where one launch takes the one of two loops and another the other,
what is paid in a loop is a part of what a launch pays that takes it.  Of tests that have nothing to do with an access the dearer side
counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from analysis_core.ir.choices import Sides
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class RunTotals:
    """What one run pays. `paid`: on the sides of tests and further inside; `dearest`: on the dearer side of a test, by
    what stands around it and its number."""

    paid: Mapping[Sides, float]
    dearest: Mapping[tuple[Sides, int], float]

    @staticmethod
    def of(costs: Iterable[tuple[Sides, float]]) -> RunTotals:
        """The totals of these costs, by the sides that each stands on."""
        paid: dict[Sides, float] = {(): 0.0}
        for sides, cost in costs:
            for depth in range(len(sides)):
                paid.setdefault(sides[:depth], 0.0)
            paid[sides] = paid.get(sides, 0.0) + cost
        if len(paid) == 1:
            return RunTotals(paid, {})
        dearest: dict[tuple[Sides, int], float] = {}
        deepest = sorted(paid, key=len, reverse=True)
        for sides in deepest:
            paid[sides] += sum(dearer for (around, _), dearer in dearest.items() if around == sides)
            if sides:
                test = (sides[:-1], sides[-1][0])
                dearest[test] = max(dearest.get(test, 0.0), paid[sides])
        return RunTotals(paid, dearest)

    def at(self, sides: Sides) -> float:
        """What a run pays in all that comes to these sides."""
        more = (self.paid[sides[: k + 1]] - self.dearest[sides[:k], sides[k][0]] for k in range(len(sides)))
        return self.paid[()] + sum(more)


def of_one_run(costs: Iterable[tuple[Sides, float]]) -> float:
    """The most of these costs that one run pays."""
    return RunTotals.of(costs).at(())


def exclude(one: Sides, other: Sides) -> bool:
    """Whether no run comes to both."""
    taken = dict(one)
    return any(taken.get(test, side) != side for test, side in other)
