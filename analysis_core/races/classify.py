"""What a pair that may meet comes to: do both store the same, does memory decide, which sizes keep the threads apart, and what does the launch
say of these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from analysis_core.domains import condition as cond
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Monomial
from analysis_core.domains.shape import Shape
from analysis_core.domains.symbol import Symbol, SymbolKind
from analysis_core.domains.thread_value import Integer
from analysis_core.interp.core.events import Events
from analysis_core.races.conditions import Comparison, Condition, candidates, holds, of_parameters
from analysis_core.races.occurrences import BLOCK_INDEX, GRID_EXTENT, OWN, Occurrence
from analysis_core.races.pairs import PASSED, Collected, Context, Found
from analysis_core.races.smt import Answer, Question, Solver
from analysis_core.races.verdicts import Scope, Verdict

_FEW_BLOCKS = 64
"""Blocks along an axis: a race that needs more of them is one of some grids only."""

_MOST_CONDITIONS = 12
"""Conditions that the solver is asked about for one pair."""


class Classifier:
    """Asks the solver at most `queries` times, and decides what a possible meeting is."""

    def __init__(self, events: Events, queries: int, context: Context, collected: Collected) -> None:
        grid = tuple(
            Comparison(f"{GRID_EXTENT}{axis}", "==", extent)
            for axis, extent in zip("xyz", context.grid, strict=True)
            if extent is not None
        )
        self._solver = Solver(events, queries, collected, context.axes, grid)
        self._given = of_parameters(context.ranges)
        self._events, self._context = events, context
        self._shape: Shape = events.shape
        self._found: list[Condition] = []

    def ask(self, one: Occurrence, other: Occurrence, apart: Scope) -> tuple[Question, Answer]:
        """Whether any two threads, so far apart at least, meet in the two accesses."""
        question = Question(one, other, apart)
        return question, self._solver.ask(question)

    def both(self, one: Occurrence, first: int, other: Occurrence, second: int) -> Answer:
        """Whether these two threads can make their accesses in one run."""
        return self._solver.ask(Question(one, other, threads=(first, second)))

    def classified(self, question: Question, answer: Answer, scope: Scope) -> Found:
        """The verdict on the pair of the question, which the answer calls possible, for threads of this scope."""
        one, other = question.one, question.other
        if _is_compared(one) and _is_compared(other):
            differing = self._solver.ask(replace(question, differ=True))
            if differing.possible is False:
                return _found(Verdict.BENIGN, question, answer, scope)
            if differing.possible:  # A run shows whether they do, whatever the values are made from.
                answer = replace(differing, data=answer.data, lost=answer.lost, cause=answer.cause)
        if answer.data and not answer.lost:
            return _found(Verdict.DATA, question, answer, scope)
        if one.passed and not answer.lost:
            return _found(Verdict.CONDITIONAL, question, answer, scope, PASSED)
        deciding = deciding_sizes(one, other, self._events.derivations)
        pitches = [name for name in deciding if not name.startswith((BLOCK_INDEX, GRID_EXTENT))]
        condition = self._condition(question, answer, pitches, scope) if deciding or not answer.lost else None
        if condition is None and answer.lost:
            return _found(Verdict.UNDECIDED, question, answer, scope, answer.cause or "something in it is not known")
        if condition is None:
            if scope is Scope.GRID:
                answer, deciding = self._with_few_blocks(question, answer, deciding, pitches)
            told = " and ".join(f"`{name}`" for name in deciding)
            verdict = Verdict.CONDITIONAL if deciding else Verdict.CERTAIN
            return _found(verdict, question, answer, scope, f"{told} decide" if deciding else "")
        return self._under_the_launch(question, answer, scope, condition)

    def _with_few_blocks(
        self, question: Question, answer: Answer, deciding: list[str], pitches: list[str]
    ) -> tuple[Answer, list[str]]:
        """The answer, and the sizes that decide: the grid's extents are none of them where few blocks meet as well. A grid of millions whose
        extent wraps around is none that a launch has."""
        extents = [name for name in deciding if name.startswith(GRID_EXTENT)]
        if pitches or all(answer.values.get(name, 0) <= _FEW_BLOCKS for name in extents):
            return answer, pitches
        few = tuple(Comparison(name, "<=", _FEW_BLOCKS) for name in extents)
        found = self._solver.ask(replace(question, under=few))
        return (found, []) if found.possible and not found.lost and not found.data else (answer, extents)

    def _condition(self, question: Question, answer: Answer, pitches: Sequence[str], scope: Scope) -> Condition | None:
        """The weakest comparison of sizes under which the two do not meet, nor two lanes of one warp in them."""
        context = self._context
        if question.apart is Scope.BLOCK:
            question = replace(question, apart=Scope.WARP)
        axes = context.axes if scope is Scope.GRID else frozenset[int]()
        guards = _guards(question.one, question.other) - {*pitches} if context.single else set[str]()
        single = context.single if axes else frozenset[int]()
        met, left = [answer.values], _MOST_CONDITIONS
        tried = candidates(pitches, sorted(guards), self._shape.dims, sorted(axes), sorted(single))
        for condition in (*self._found, *tried):
            if any(holds(condition, values) is not False for values in met):
                continue
            left -= 1
            if left < 0:
                break
            found = self._solver.ask(replace(question, under=condition))
            if found.possible is False:
                if condition not in self._found:
                    self._found.append(condition)
                return condition
            if found.possible:
                met.append(found.values)
        return None

    def _under_the_launch(self, question: Question, answer: Answer, scope: Scope, condition: Condition) -> Found:
        given = self._given
        names = {name for one in condition for name in one.names}
        if any(one.names & names for one in given):
            here = self._solver.ask(replace(question, under=given))
            if here.possible is False:
                return _found(Verdict.ABSENT, question, answer, scope, "", condition, True)
            fixed = {one.left: one.factor for one in given if one.op == "==" and not one.right}
            sure = here.possible and not here.lost and not here.data
            if sure and holds(condition, {**here.values, **fixed}) is False and names <= fixed.keys():
                return _found(Verdict.CERTAIN, question, here, scope, "", condition, False)
        return _found(Verdict.CONDITIONAL, question, answer, scope, "sizes decide", condition)


def _found(
    verdict: Verdict,
    question: Question,
    answer: Answer,
    scope: Scope,
    cause: str = "",
    condition: Condition = (),
    holds: bool | None = None,
) -> Found:
    found = Found(verdict, question.one, question.other, answer.threads, 0, cause, answer.values, scope, answer.blocks)
    found.condition, found.holds = condition, holds
    return found


def _is_compared(one: Occurrence) -> bool:
    """Whether it stores what has a formula."""
    return bool(one.event.stored) and all(isinstance(value, Integer) and value.exact for value in one.event.stored)


def _guards(one: Occurrence, other: Occurrence) -> set[str]:
    """Parameters that the two are compared with on their way."""
    return {
        symbol.name
        for occurrence in (one, other)
        for entry in occurrence.event.mask.literals
        for symbol in cond.symbols(entry.formula)
        if symbol.kind is SymbolKind.PARAMETER
    }


_SIZES = frozenset({SymbolKind.PARAMETER, SymbolKind.GRID})


def deciding_sizes(one: Occurrence, other: Occurrence, derivations: Mapping[Symbol, Derivation]) -> list[str]:
    """The names of parameters, and of the grid, that do not cancel out of the distance."""
    mine, others = one.address.terms, other.address.terms
    left = [m for m in {**mine, **others} if m and not _cancels(m, one, other)]
    used = _made_from((symbol for monomial in left for symbol in monomial), derivations)
    return sorted(symbol.name for symbol in used if symbol.kind in _SIZES)


def _cancels(monomial: Monomial, one: Occurrence, other: Occurrence) -> bool:
    mine, others = one.address.terms.get(monomial), other.address.terms.get(monomial)
    if not isinstance(mine, int) or not isinstance(others, int) or mine != others:
        return False
    return all(one.version_in_address(s) == other.version_in_address(s) != OWN for s in monomial)


def _made_from(symbols: Iterable[Symbol], derivations: Mapping[Symbol, Derivation]) -> set[Symbol]:
    """The symbols, and those that they are derived from."""
    found: set[Symbol] = set()
    pending = list(symbols)
    while pending:
        symbol = pending.pop()
        if symbol in found:
            continue
        found.add(symbol)
        derivation = derivations.get(symbol)
        if derivation is not None:
            pending += [s for operand in derivation.operands for s in operand.poly.symbols()]
            pending += [] if derivation.condition is None else cond.symbols(derivation.condition)
    return found
