"""All that is found out about one cost program: its graph, invariants, templates, cases, linear program, checker.

Everything but the right sides is shared by the metrics.  The degree of products grows from 1 until there is an upper bound.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from analysis_core.cost.program import Affine, CostProgram
from analysis_core.lp.budget import Budget
from analysis_core.lp.cases import Case, build_cases, steps_of
from analysis_core.lp.certify import Checker, Claim
from analysis_core.lp.entailment import Facts, negated
from analysis_core.lp.exact import ExactSolution, made_exact
from analysis_core.lp.invariants import Invariants, find_invariants
from analysis_core.lp.matrix import Matrix, build_matrix
from analysis_core.lp.objective import stages
from analysis_core.lp.polynomials import Atom, Number, Poly
from analysis_core.lp.short_cut import ShortCut
from analysis_core.lp.simplify import simplified
from analysis_core.lp.solve import Solver
from analysis_core.lp.templates import Templates, build_templates, loop_depth
from analysis_core.lp.transitions import System, build_system, shape
from analysis_core.text.span import Span


@dataclass(frozen=True, slots=True)
class Answer:
    """`claim` None: none was found, `status` says what the solver said ("infeasible", "unbounded", ...)."""

    claim: Claim | None
    status: str
    method: str = "lp"


class Study:
    """One program's; `answer` adds to what is known and remembers it.  Programs that differ only in what they pay (warps of
    one block, mostly) share facts, templates and linear programs; `others`: where to look for such."""

    def __init__(self, program: CostProgram, highest: int, short_cut: bool, others: Iterable[Study] = ()) -> None:
        for name in [p.name for p in program.parameters]:
            if "{" in name or name.startswith("?"):
                raise ValueError(f"a parameter may not be called {name}")
        self.program = simplified(program)
        self.highest = highest
        self.system: System = build_system(self.program)
        self.contradiction = contradictory(self.system.known)
        self.shape = shape(self.system)
        alike = next((study for study in others if study.shape == self.shape), None)
        self.invariants: Invariants = find_invariants(self.system) if alike is None else alike.invariants
        self.levels: dict[int, Level] = {} if alike is None else alike.levels
        self.short_cut = ShortCut(self.program, self.system, self.invariants) if short_cut else None
        self.atoms: dict[str, Atom] = {}
        self.solver_seconds = 0.0
        self._answers: dict[tuple[tuple[int, ...], bool], Answer] = {}
        self._degree = 1

    @property
    def depth(self) -> int:
        return max(1, min(self.highest, loop_depth(self.system)))

    @property
    def first_loop(self) -> Span | None:
        return next((p.span for p in self.system.points if p.is_loop), None)

    def level(self, degree: int, budget: Budget | None = None) -> Level:
        if degree not in self.levels:
            self.levels[degree] = Level(self.system, self.invariants, degree, budget)
        self.atoms.update(self.levels[degree].templates.atoms)
        return self.levels[degree]

    def answer(self, metric: str, upper: bool, budget: Budget) -> Answer:
        """The best bound of one metric; equal costs are solved once."""
        costs = tuple(t.cost(metric)[upper] for t in self.system.transitions)
        known = self._answers.get((costs, upper))
        if known is None:
            known = self._answers[costs, upper] = self._find(metric, costs, upper, budget)
        if known.claim is None or known.claim.metric == metric:
            return known
        claim = Claim(metric, upper, known.claim.potentials, known.claim.multipliers)
        return Answer(claim, known.status, known.method)

    def _find(self, metric: str, costs: tuple[int, ...], upper: bool, budget: Budget) -> Answer:
        if self.short_cut is not None:
            claim = self.short_cut.claim(metric, upper)
            if claim is not None:
                self.atoms.update(self.short_cut.atoms)
                return Answer(claim, "optimal", "closed form")
        answer = Answer(None, "infeasible")
        degrees = range(self._degree, self.depth + 1) if upper else (self._degree,)
        for degree in degrees:
            level = self.level(degree, budget)
            spent = level.seconds
            answer = level.solve(metric, costs, upper, budget, self.system)
            self.solver_seconds += level.seconds - spent
            if answer.claim is not None:
                if upper:
                    self._degree = degree
                break
        return answer


def contradictory(known: tuple[Affine, ...]) -> bool:
    """Whether no parameters satisfy the facts, as far as one can see."""
    facts = Facts(known)
    return any(facts.implies(negated(f)) for f in known) or any(not f.terms and f.constant < 0 for f in known)


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
        entry = self.templates.monomials[0]
        atoms = {f: self.templates.atoms[f] for m in entry for f in m if f in self.templates.atoms}
        self._stages = [
            {self.matrix.column_of[0, m]: w for m, w in weights.items()}
            for weights in stages(entry, atoms, system.names, system.known)
        ]

    @property
    def seconds(self) -> float:
        """Spent in the solver so far."""
        return self._solver.seconds

    def solve(self, metric: str, costs: tuple[int, ...], upper: bool, budget: Budget, system: System) -> Answer:
        """The best bound of one metric.  `system`: of the program that pays these costs."""
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
