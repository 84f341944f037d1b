"""The last rung: two threads as unknowns of a solver (z3, over integers), which is imported when it is asked first.

Every answer counts work, not time (`rlimit`).  What cannot be said in formulas is left open: then more is possible than is,
so that "impossible" is always right, and what is possible is only a candidate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from analysis_core.domains.derivation import Derivation
from analysis_core.domains.shape import Shape
from analysis_core.domains.symbol import Symbol
from analysis_core.races.occurrences import Occurrence
from analysis_core.text.records import dataclass

_WORK = 150_000
"""Units of the solver's own count for one query: some hundredths of a second."""


@dataclass(frozen=True, slots=True)
class Answer:
    """`possible`: None if it is not known. `values`: of parameters and the grid where it is; `threads`: the two; `data`: contents
    of memory have a say in it, `lost`: something unknown has."""

    possible: bool | None
    values: dict[str, int] = field(default_factory=dict)
    threads: tuple[int, int] | None = None
    data: bool = False
    lost: bool = False
    cause: str = ""


class Solver:
    """Answers questions about two threads of one block; after `most` of them it answers no more."""

    def __init__(self, derivations: Mapping[Symbol, Derivation], shape: Shape, most: int) -> None:
        self._derivations, self._shape, self._left = derivations, shape, most

    def threads(self, one: Occurrence, first: int, other: Occurrence, second: int) -> Answer:
        """Whether both threads can make their accesses, in one run."""
        return self._asked(one, other, first, second, False)

    def pair(self, one: Occurrence, other: Occurrence, across: bool) -> Answer:
        """Whether any two threads can meet; `across`: of different warps."""
        return self._asked(one, other, None, None, across)

    def _asked(self, one: Occurrence, other: Occurrence, first: int | None, second: int | None, across: bool) -> Answer:
        self._left -= 1
        if self._left < 0:
            return Answer(None, cause="the kernel has too many pairs to ask a solver about")
        try:
            from analysis_core.races.formulas import Formulas
        except ImportError:
            return Answer(None, cause="there is no solver: z3 is not installed")
        return Formulas(self._derivations, self._shape).answer(one, other, first, second, across, _WORK)
