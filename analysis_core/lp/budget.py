"""What the bounds of one kernel may cost: counted work, so that results are the same on every machine, however busy it is.

A unit of work is about ten microseconds of a processor of 2020.  What is counted was measured: the cases of a linear program
and the products of facts in them, and the steps of the solver by the size of what they go over.  The clock (of
this process, whatever else the machine does) is a last resort against what nobody foresaw; it allows ten times what the work
should take.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import thread_time

UNITS_PER_SECOND = 100_000

_SLOWNESS = 10.0


class Exhausted(Exception):
    """The work is used up; the text says what took too much."""


@dataclass(slots=True)
class Budget:
    """`left`: units of work; `until`: of `thread_time`, in seconds."""

    left: int
    until: float

    @staticmethod
    def of(units: int) -> Budget:
        return Budget(units, thread_time() + max(1.0, _SLOWNESS * units / UNITS_PER_SECOND))

    def spend(self, units: int, what: str) -> None:
        """Counts work; raises Exhausted, with `what` was too large, if there is none left."""
        self.left -= units
        if self.left < 0:
            raise Exhausted(what)
        if thread_time() > self.until:
            raise Exhausted("no bound was found in the time that a kernel has")
