"""The last rung: two threads as unknowns of a solver (z3, over integers), which is imported when it is asked first.

Every answer counts work, not time (`rlimit`).  What cannot be said in formulas is left open: then more is possible than is,
so that "impossible" is always right, and what is possible is only a candidate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from typing import TYPE_CHECKING

from analysis_core.interp.core.events import Events
from analysis_core.races.conditions import Condition
from analysis_core.races.occurrences import Occurrence
from analysis_core.races.pairs import Index
from analysis_core.races.verdicts import Scope
from analysis_core.support.fuel import FACT, FOLLOWING_QUERY, QUERY
from analysis_core.text.records import dataclass

if TYPE_CHECKING:
    from z3 import Context

    from analysis_core.races.formulas import Formulas

_WORK = 60_000
"""Units of the solver's own count for one query: some hundredths of a second; half as many where products are known for what they are,
which mostly takes all of them in vain."""


_WORK_OF_UNIT = 12
"""Its own units in one of the kernel's account."""


@dataclass(frozen=True, slots=True)
class Answer:
    """`possible`: None if it is not known. `values`: of parameters and the grid where it is; `threads`: the two; `blocks`: theirs, if they are
    of two; `data`: contents of memory have a say in it, `lost`: something unknown has."""

    possible: bool | None
    values: dict[str, int] = field(default_factory=dict)
    threads: tuple[int, int] | None = None
    blocks: tuple[Index, Index] | None = None
    data: bool = False
    lost: bool = False
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """Whether two threads can make these accesses: `apart` says how far they are from each other at least.

    `threads`: their numbers, and nothing is asked about where they touch; `differ`: they are to store different values; `under`: what holds
    besides."""

    one: Occurrence
    other: Occurrence
    apart: Scope = Scope.WARP
    threads: tuple[int, int] | None = None
    differ: bool = False
    under: Condition = ()


class Solver:
    """Answers questions about two threads, which are paid for; after `most` of them it answers no more. What it is asked elsewhere has no say in its
    answers, for it has a context of its own. `axes`: along which blocks differ; `given`: what holds
    for all of them."""

    def __init__(
        self,
        events: Events,
        most: int,
        pay: Callable[[int], None],
        axes: frozenset[int] = frozenset(),
        given: Condition = (),
    ) -> None:
        self._events, self._left, self._pay, self._axes, self._given = events, most, pay, axes, given
        self._last: tuple[Question, Formulas] | None = None
        self._context: Context | None = None

    def ask(self, question: Question) -> Answer:
        """Whether it is possible."""
        self._left -= 1
        if self._left < 0:
            return Answer(None, cause="the kernel has too many pairs to ask a solver about")
        try:
            from z3 import Context

            from analysis_core.races.formulas import Formulas
        except ImportError:
            return Answer(None, cause="there is no solver: z3 is not installed")
        bare = replace(question, differ=False, under=())
        is_new = self._last is None or self._last[0] != bare
        self._pay(QUERY if is_new else FOLLOWING_QUERY)
        if self._last is None or is_new:
            self._context = self._context or Context()
            self._last = bare, Formulas(self._events, bare, self._axes, self._given, self._context)
        formulas = self._last[1]
        before = formulas.taken
        answer = formulas.answer(_WORK, question.differ, question.under)
        self._pay((formulas.taken - before) // _WORK_OF_UNIT + (formulas.told * FACT if is_new else 0))
        return answer
