"""What the bounds of one kernel may cost: counted work, so that results are the same on every machine, however busy it is.

A unit of work is about ten microseconds of a processor of 2020.  What is counted was measured: the cases of a linear program
and the products of facts in them, and the steps of the solver by the size of what they go over.  The clock (of
this process, whatever else the machine does) is a last resort against what nobody foresaw; it allows ten times what the work
should take.
"""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time
from typing import Generic, TypeVar

from analysis_core.text.records import dataclass

K = TypeVar("K")
T = TypeVar("T")

UNITS_PER_SECOND = 100_000

_SLOWNESS = 10.0


class Exhausted(Exception):
    """Raised when the work is used up; the text says what took too much."""


@dataclass(slots=True)
class Budget:
    """`left`: units of work; `until`: of `thread_time`, in seconds."""

    left: int
    until: float

    @staticmethod
    def of(units: int) -> Budget:
        return Budget(units, thread_time() + max(1.0, _SLOWNESS * units / UNITS_PER_SECOND))

    def spend(self, units: int, what: str) -> None:
        """Takes units of work. Raises Exhausted, saying that `what` was too large, if none is left."""
        self.left -= units
        if self.left < 0:
            raise Exhausted(what)
        if thread_time() > self.until:
            raise Exhausted("no bound was found in the time that a kernel has")


class Counted(Generic[K, T]):
    """Results of work, by what the work was about. Work that was done before is not done again but still counts, so
    that no result depends on what was asked before."""

    def __init__(self) -> None:
        self._done: dict[K, tuple[T, int]] = {}  # with the units that it took
        self._too_much: dict[K, tuple[int, str]] = {}  # units that were not enough, and what was too large

    def __len__(self) -> int:
        return len(self._done)

    def values(self) -> list[T]:
        """All results."""
        return [result for result, _ in self._done.values()]

    def get(self, key: K, make: Callable[[], T], budget: Budget) -> T:
        """The result for a key, which `make` computes at the first use and which costs budget each time. Raises what
        `make` raises."""
        done, too_much = self._done.get(key), self._too_much.get(key)
        if done is not None and done[1] <= budget.left:
            budget.spend(done[1], "it was found before")
            return done[0]
        if too_much is not None and budget.left <= too_much[0]:
            budget.spend(budget.left + 1, too_much[1])
        before = budget.left
        try:
            result = make()
        except Exhausted as error:
            if budget.left < 0:  # not by the clock
                self._too_much[key] = before, str(error)
            raise
        self._done[key] = result, before - budget.left
        return result
