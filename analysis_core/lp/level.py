"""The linear program of all systems of one shape, for products of up to so many factors, and what it gave.

Its matrix knows nothing of costs, which are its right side.  Each right side is solved from scratch: an answer that is remembered
is the one that would be found again.
"""

from __future__ import annotations

from dataclasses import dataclass

from analysis_core.lp.budget import Budget, Counted
from analysis_core.lp.cases import Case, build_cases, steps_of
from analysis_core.lp.certify import Checker, Claim
from analysis_core.lp.exact import ExactSolution, made_exact
from analysis_core.lp.invariants import Invariants
from analysis_core.lp.matrix import Matrix, build_matrix
from analysis_core.lp.objective import stages
from analysis_core.lp.polynomials import Number, Poly
from analysis_core.lp.solve import Solver
from analysis_core.lp.templates import Templates, build_templates
from analysis_core.lp.transitions import System


@dataclass(frozen=True, slots=True)
class Answer:
    """`claim` None: none was found, `status` says what the solver said ("infeasible", "unbounded", ...)."""

    claim: Claim | None
    status: str
    method: str = "lp"


class Level:
    """The linear program for products of up to `degree` factors."""

    def __init__(self, system: System, invariants: Invariants, degree: int, budget: Budget | None) -> None:
        self.templates: Templates = build_templates(system, invariants, degree)
        self.cases: list[Case] = build_cases(system, invariants, self.templates, budget=budget)
        self.steps = steps_of(system)
        self.matrix: Matrix = build_matrix(self.templates, self.cases, [(s.source, s.target) for s in self.steps])
        self.checker = Checker(system, invariants, self.templates.atoms, self.cases)
        self._stops = [case.step >= len(system.transitions) for case in self.cases]
        relaxed = [r for stop, rows in zip(self._stops, self.matrix.rows_of) if stop for r in range(*rows)]
        self._solver = Solver(self.matrix, relaxed)
        self._answers: Counted[tuple[tuple[int, ...], bool], Answer] = Counted()
        entry = self.templates.monomials[0]
        atoms = {f: self.templates.atoms[f] for m in entry for f in m if f in self.templates.atoms}
        self._stages = [
            {self.matrix.column_of[0, m]: w for m, w in weights.items()}
            for weights in stages(entry, atoms, system.names, system.known)
        ]

    @property
    def size(self) -> int:
        """Numbers that it holds, about."""
        answers = self.matrix.rows * len(self._answers)
        return self.matrix.rows + sum(map(len, self.matrix.coefficients)) + answers

    @property
    def seconds(self) -> float:
        """Spent in the solver so far."""
        return self._solver.seconds

    def solve(self, metric: str, costs: tuple[int, ...], upper: bool, budget: Budget, system: System) -> Answer:
        """The best bound of one metric, or of another that costs the same.  `system`: of the program that pays these costs."""
        return self._answers.get((costs, upper), lambda: self._solved(metric, costs, upper, budget, system), budget)

    def _solved(self, metric: str, costs: tuple[int, ...], upper: bool, budget: Budget, system: System) -> Answer:
        right: dict[int, Number] = {}
        for index, case in enumerate(self.cases):
            if not self._stops[index] and case.contradiction is None:
                cost = costs[case.step]
                right[self.matrix.unit_rows[index]] = cost if upper else -cost
        solution = self._solver.solve(right, upper, self._stages, budget)
        if solution.status != "optimal":
            return Answer(None, solution.status)
        skipped = [stop and not upper for stop in self._stops]
        exact = made_exact(self.matrix, solution.values, right, skipped)
        if exact is None:
            return Answer(None, "inexact")
        claim = self._claim(metric, upper, exact, skipped)
        objection = self.checker.objects(claim, system)
        return Answer(claim, "optimal") if objection is None else Answer(None, f"refuted: {objection}")

    def _claim(self, metric: str, upper: bool, exact: ExactSolution, skipped: list[bool]) -> Claim:
        potentials: list[Poly] = [{} for _ in self.templates.monomials]
        for (point, m), column in self.matrix.column_of.items():
            if column in exact.templates:
                potentials[point][m] = exact.templates[column] * (1 if upper else -1)
        multipliers = tuple(
            None if skip else tuple((case.products[i][0], k) for i, k in own)
            for case, own, skip in zip(self.cases, exact.multipliers, skipped)
        )
        return Claim(metric, upper, tuple(potentials), multipliers)
