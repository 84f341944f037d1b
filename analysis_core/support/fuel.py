"""How much work one kernel, and one file, may take: counted, so that results are the same on every machine, however busy it is.

Each stage is granted an account (`Fuel`) and spends from it before it works.  Past it the stage ends with a coarser answer that says where
and why: the rest of a kernel is one unknown statement, a loop is summarised, there is no bound.  Work that is remembered from an earlier
analysis is spent all the same.  A unit is about ten microseconds of a processor of 2020; what stages spend for what they do was measured.

The clock (of this thread, whatever else the machine does) is a last resort against what nobody foresaw; it allows ten times what the work
should take.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field
from time import thread_time

from analysis_core.support.settings import Settings
from analysis_core.text.records import dataclass

UNITS_PER_SECOND = 100_000

READING = 100_000
"""Units that macros and files included again may take while a file is read, one for each token made, beside what its text brings along."""

OF_TEXT = 4
"""Units that each byte of a file brings along when it is read first: generated code makes so much of it by macros."""

BODY = 50_000
"""Units that a function's body may take while it is read, one for each token."""

MENDING = 200_000
"""Units that may be taken to find out which repair of a broken text leaves the least wrong, one for each token of the items that it changes."""

LOWERING = 0.6
"""The part of a kernel's work that its expressions, types and statements may take, each as often as it is lowered, with what later stages
do with each access."""

ACCESS = 20
"""Units for an access of a kernel: it is interpreted, costed and told of."""

BRANCH = 60
"""Units for a branch of a kernel: which threads go where is found out, told, and held against each access behind it."""

INLINED = 30
"""Units for a call that is inlined, whose body is a scope of its own in every stage."""

LAUNCHES = 1.0
"""The part, of one kernel's work, that the host's code of a file may take while its launches are looked for."""

LAUNCH = 100
"""Units for a launch, which is compared with others and brings sizes along."""

WHOLE_KERNELS = 128
"""Kernels of a file that are analysed with their bounds: a small one takes some 2,500 units, of which bounds are two thirds.  Libraries make a
hundred kernels of some templates."""

REPEATED_KERNELS = 200
"""Kernels of a file from which on those are left out whose text was analysed before: files included again and templates make any number
of kernels from one text, others are paid by their text."""

STATED = 64
"""Conditions stated of a kernel that are used: each is held against all others, in each interpretation."""

INTERPRETING = 0.6
"""The part of a kernel's work that its launches together may take for loops whose rounds are executed one by one."""

STATEMENT = 20
"""Units for a statement that is executed there, with what later stages do with it."""

FURTHER = 0.5
"""The part of a kernel's work that it may take to be analysed once more: at other launches, at other common blocks."""

FOLLOWED = 30
"""Units for an access or branch that is interpreted and costed there, each time that it is executed one by one."""

BOUNDS = 1.2
"""The part of a kernel's work that the bounds of one interpretation may take."""

ONE_BOUND = 0.5
"""The part that one of them may take, for warps of one class: what takes more is hardly ever found, and the others take as much."""

RACES = 25_000
"""Units that looking for data races in a kernel may take, all its launches together; what its barriers are for takes a third as much more."""

QUERY, FOLLOWING_QUERY, FACT = 40, 20, 1
"""Units for a question to the solver, for another one about the same two accesses, and for each fact that it is told."""

_SLOWNESS = 10.0
_BETWEEN_LOOKS = 8192


class OutOfFuel(Exception):
    """Raised when an account is used up; the text says what took too much."""


@dataclass(slots=True)
class Fuel:
    """`left`: units of work; `until`: of `thread_time`, in seconds; `spare`: units beyond `left` for what is small in nearly all kernels."""

    left: int
    until: float
    spare: int = 0
    _look: int = field(init=False)  # when so few are left, the clock is looked at again

    def __post_init__(self) -> None:
        self._look = self.left

    @staticmethod
    def of_kernel(part: float, settings: Settings) -> Fuel:
        """A part of the work that the settings allow for a kernel."""
        return Fuel.of(round(settings.kernel_seconds * part * UNITS_PER_SECOND))

    @staticmethod
    def of_reading(part: float, settings: Settings) -> Fuel:
        """The same for what is read of a kernel: less time than usual makes figures coarser, but leaves out no statement."""
        return Fuel.of(round(max(settings.kernel_seconds, Settings().kernel_seconds) * part * UNITS_PER_SECOND))

    @staticmethod
    def of(units: int) -> Fuel:
        """An account of so many units, opened now."""
        return Fuel(units, thread_time() + max(1.0, _SLOWNESS * units / UNITS_PER_SECOND))

    def grant(self, units: int) -> None:
        """Adds units, for work that was not foreseen when the account was opened."""
        self.left += units
        self._look += units
        self.until += _SLOWNESS * units / UNITS_PER_SECOND

    def spend(self, units: int, what: str) -> None:
        """Takes units of work. Raises `OutOfFuel`, saying that `what` was too much, if none is left."""
        self.left -= units
        if self.left < 0:
            raise OutOfFuel(what)
        if self.left <= self._look:
            self._look = self.left - _BETWEEN_LOOKS
            if self.is_late():
                raise OutOfFuel("the time that a kernel has is over")

    @contextmanager
    def within(self, most: int | None) -> Iterator[None]:
        """Lets no more than `most` units be spent inside; where they do not last, all beyond them count as used, too."""
        held = 0 if most is None else max(0, self.left - most)
        self.left -= held
        self._look -= held
        try:
            yield
        except OutOfFuel:
            held = 0
            raise
        finally:
            self.left += held
            self._look += held

    def spend_spare(self, units: int, what: str) -> None:
        """The same, from what is spare as long as there is some."""
        taken = min(units, self.spare)
        self.spare -= taken
        self.spend(units - taken, what)

    @property
    def rest(self) -> int:
        """Units that are left in all."""
        return self.left + self.spare

    def is_late(self) -> bool:
        """Whether the clock says that the work takes far longer than it should."""
        return thread_time() > self.until
