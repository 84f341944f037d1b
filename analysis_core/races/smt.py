"""The last rung: two threads as unknowns of a solver (z3, over integers), which is imported when it is asked first.

Every answer counts work, not time (`rlimit`).  What cannot be said in formulas is left open: then more is possible than is,
so that "impossible" is always right, and what is possible is only a candidate.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING

from analysis_core.interp.core.events import Events
from analysis_core.races.conditions import Condition
from analysis_core.races.occurrences import Occurrence
from analysis_core.races.pairs import Collected, Index
from analysis_core.races.verdicts import Scope
from analysis_core.support.fuel import FACT, FOLLOWING_QUERY, QUERY
from analysis_core.text.records import dataclass

if TYPE_CHECKING:
    from analysis_core.races.formulas import Formulas

_WORK_OF_UNIT = 25
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
    """Answers questions about two threads, which are paid for; after `most` of them it answers no more. `axes`: along which blocks differ;
    `given`: what holds for all of them."""

    def __init__(
        self,
        events: Events,
        most: int,
        collected: Collected,
        axes: frozenset[int] = frozenset(),
        given: Condition = (),
    ) -> None:
        self._events, self._left, self._axes, self._given = events, most, axes, given
        self._collected = collected
        self._last: tuple[Question, Formulas] | None = None

    def ask(self, question: Question) -> Answer:
        """Whether it is possible."""
        self._left -= 1
        if self._left < 0:
            return Answer(None, cause="the kernel has too many pairs to ask a solver about")
        try:
            from analysis_core.races.formulas import Formulas
            from analysis_core.races.session import Session
        except ImportError:
            return Answer(None, cause="there is no solver: z3 is not installed")
        session = self._collected.session = self._collected.session or Session()
        bare = replace(question, differ=False, under=())
        is_new = self._last is None or self._last[0] != bare
        self._collected.pay(QUERY if is_new else FOLLOWING_QUERY)
        if self._last is None or is_new:
            self._last = bare, Formulas(self._events, bare, self._axes, self._given, session)
        formulas = self._last[1]
        before = session.taken
        answer = formulas.answer(question.differ, question.under)
        self._collected.pay(max(0, session.taken - before) // _WORK_OF_UNIT + (formulas.told * FACT if is_new else 0))
        return answer
