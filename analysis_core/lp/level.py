"""The linear program of all systems of one shape, for products of up to so many factors, and what it gave.

Its matrix knows nothing of costs, which are its right side.  Each right side is solved from scratch: an answer that is remembered
is the one that would be found again.

Costs that fill the solver's doubles leave it no digits for the rest: whether it has an answer that can be made exact is then its
version's luck.  Such costs are asked for once more in larger units, rounded away from what has to be proved (up for an upper bound); what
they are too large by is a multiple of the fact 1, which every case has.
"""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.lp.cases import Case, build_cases, steps_of
from analysis_core.lp.certify import Checker, Claim
from analysis_core.lp.counted import Counted
from analysis_core.lp.exact import ExactSolution, made_exact
from analysis_core.lp.invariants import Invariants
from analysis_core.lp.matrix import Matrix, build_matrix
from analysis_core.lp.objective import stages
from analysis_core.lp.polynomials import Poly
from analysis_core.lp.solve import Solver
from analysis_core.lp.templates import Templates, build_templates
from analysis_core.lp.transitions import System
from analysis_core.support.fuel import Fuel
from analysis_core.text.records import dataclass

_EXACT_BITS = 40
"""Costs below this power of two leave a double, which has 53 bits, digits for the coefficients and multipliers beside them."""

_ROUNDED_BITS = 26


@dataclass(frozen=True, slots=True)
class Answer:
    """`claim` None: none was found, `status` says what the solver said ("infeasible", "unbounded", ...)."""

    claim: Claim | None
    status: str
    method: str = "lp"


class Level:
    """The linear program for products of up to `degree` factors."""

    def __init__(self, system: System, invariants: Invariants, degree: int, fuel: Fuel | None) -> None:
        self.templates: Templates = build_templates(system, invariants, degree)
        self.cases: list[Case] = build_cases(system, invariants, self.templates, fuel=fuel)
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

    def solve(self, metric: str, costs: tuple[int, ...], upper: bool, fuel: Fuel, system: System) -> Answer:
        """The best bound of a metric. Metrics with equal costs share the answer. `system`: that of the program which
        pays these costs."""
        return self._answers.get((costs, upper), lambda: self._solved(metric, costs, upper, fuel, system), fuel)

    def _solved(self, metric: str, costs: tuple[int, ...], upper: bool, fuel: Fuel, system: System) -> Answer:
        right = {
            self.matrix.unit_rows[index]: costs[case.step] if upper else -costs[case.step]
            for index, case in enumerate(self.cases)
            if not self._stops[index] and case.contradiction is None
        }
        skipped = [stop and not upper for stop in self._stops]
        bits = max((abs(cost).bit_length() for cost in right.values()), default=0)
        exact, status = self._exact(right, upper, skipped, fuel)
        if exact is None and bits > _EXACT_BITS:
            exact, status = self._in_units(right, 1 << (bits - _ROUNDED_BITS), upper, skipped, fuel)
        if exact is None:
            return Answer(None, status)
        claim = self._claim(metric, upper, exact, skipped)
        objection = self.checker.objects(claim, system)
        return Answer(claim, "optimal") if objection is None else Answer(None, f"refuted: {objection}")

    def _exact(
        self, right: Mapping[int, int], upper: bool, skipped: list[bool], fuel: Fuel
    ) -> tuple[ExactSolution | None, str]:
        solution = self._solver.solve(right, upper, self._stages, fuel)
        if solution.status != "optimal":
            return None, solution.status
        exact = made_exact(self.matrix, solution.values, right, skipped)
        return exact, "inexact" if exact is None else "optimal"

    def _in_units(
        self, right: Mapping[int, int], unit: int, upper: bool, skipped: list[bool], fuel: Fuel
    ) -> tuple[ExactSolution | None, str]:
        """A solution of costs that are multiples of a unit, no better than the right side."""
        rounded = {row: -(-cost // unit) for row, cost in right.items()}
        exact, status = self._exact(rounded, upper, skipped, fuel)
        if exact is None:
            return None, status
        multipliers = []
        for index, (case, own) in enumerate(zip(self.cases, exact.multipliers, strict=True)):
            row = self.matrix.unit_rows[index]
            scaled = {i: k * unit for i, k in own}
            if not skipped[index] and (spare := rounded.get(row, 0) * unit - right.get(row, 0)):
                one = next((i for i, (facts, _) in enumerate(case.products) if not facts), None)
                if one is None:
                    return None, "inexact"
                scaled[one] = scaled.get(one, 0) + spare
            multipliers.append(tuple(sorted(scaled.items())))
        return ExactSolution({c: k * unit for c, k in exact.templates.items()}, tuple(multipliers)), status

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
