"""The closed forms' certificates: the same cases and the same checker as for linear programs, without solving one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis_core.bounds.program import CostProgram
from analysis_core.lp.cases import Case, build_cases, fact_polys, steps_of
from analysis_core.lp.certify import Checker, Claim
from analysis_core.lp.closed_form import ClosedForm, DoesNotFit, Known, Multipliers, closed_form, proof_of_terms, total
from analysis_core.lp.invariants import Invariants
from analysis_core.lp.polynomials import Atom, Monomial, Poly, accumulate, replaced
from analysis_core.lp.templates import Templates
from analysis_core.lp.transitions import System, Transition
from analysis_core.support.fuel import Fuel

if TYPE_CHECKING:  # shapes hold frames
    from analysis_core.lp.shapes import Shape


class ShortCut:
    """One program's closed forms; `claim` is None where there is none, or where it could not be certified.  `shape`: where the cases
    are kept for programs that pay something else."""

    def __init__(self, program: CostProgram, system: System, shape: Shape) -> None:
        self._program = program
        self._system = system
        self._shape = shape
        self._steps = steps_of(system)
        self._frames: dict[tuple[frozenset[Monomial], ...], Frame] = {}
        self._open = all(p.is_loop or p.index == 0 for p in system.points)
        self.atoms: dict[str, Atom] = {}

    def claim(self, metric: str, upper: bool, fuel: Fuel) -> Claim | None:
        if not self._open:
            return None
        try:
            form = closed_form(self._program, self._system.known, metric, upper)
        except DoesNotFit:
            # What prevents one metric's closed form is nearly always the program, not the metric.
            self._open = False
            return None
        frame = self._frame(form, fuel)
        claim = frame.claim(form, metric, upper, self._steps)
        if claim is None or frame.checker.objects(claim, self._system) is not None:
            return None
        self.atoms.update(form.atoms)
        return claim

    def _frame(self, form: ClosedForm, fuel: Fuel) -> Frame:
        """The cases of the first metric whose potentials have these monomials as well: which one that is rests on this program alone,
        so that nothing rests on what is kept."""
        potentials = tuple(frozenset(m for term in terms for m in term.poly) for terms in form.potentials)
        for known, frame in self._frames.items():
            if all(a <= b for a, b in zip(potentials, known)):
                return frame
        self._frames[potentials] = self._shape.frame(self._system, potentials, form.atoms, fuel)
        return self._frames[potentials]


class Frame:
    """Cases for given monomials: shared by all metrics whose potentials are made of them."""

    def __init__(
        self,
        system: System,
        invariants: Invariants,
        potentials: tuple[frozenset[Monomial], ...],
        atoms: dict[str, Atom],
        fuel: Fuel,
    ) -> None:
        before = fuel.rest
        self._running = len(system.transitions)
        templates = Templates(tuple(tuple(sorted(own)) for own in potentials), dict(atoms))
        self.cases: list[Case] = build_cases(system, invariants, templates, with_products=False, fuel=fuel)
        self.units = before - fuel.rest
        self.checker = Checker(system, invariants, templates.atoms, self.cases)
        self._known = [_known(case) for case in self.cases]

    @property
    def size(self) -> int:
        """Numbers that it holds, about."""
        return sum(len(c.known) + len(c.facts) + len(c.source) + len(c.target) for c in self.cases)

    def claim(self, form: ClosedForm, metric: str, upper: bool, steps: list[Transition]) -> Claim | None:
        """The certificate for one metric of a program.  `steps`: its transitions, with what they pay."""
        potentials = tuple(total(terms) for terms in form.potentials)
        multipliers: list[Multipliers | None] = []
        for case, known in zip(self.cases, self._known, strict=True):
            if case.contradiction is not None:
                multipliers.append(())
                continue
            step = steps[case.step]
            if case.step >= self._running:
                own = _stop(case, step, form, known) if upper else None
                if own is None and upper:
                    return None
            else:
                rest = _difference(case, step, potentials, metric, upper)
                own = proof_of_terms([[rest]] if rest else [], known)
                if own is None:
                    return None
            multipliers.append(own)
        return Claim(metric, upper, potentials, tuple(multipliers))


def _known(case: Case) -> Known:
    affine = {i: case.known[f] for i, f in enumerate(case.facts) if isinstance(f, int)}
    return Known(fact_polys(case.facts, case.known), affine)


def _difference(case: Case, step: Transition, potentials: tuple[Poly, ...], metric: str, upper: bool) -> Poly:
    sign = 1 if upper else -1
    low, high = step.cost(metric)
    rest: Poly = {}
    accumulate(rest, -sign * (high if upper else low), {(): 1})
    for m, k in potentials[step.source].items():
        accumulate(rest, sign * k, case.source[m])
    if step.target is not None:
        for m, k in potentials[step.target].items():
            accumulate(rest, -sign * k, case.target[m])
    return rest


def _stop(case: Case, step: Transition, form: ClosedForm, known: Known) -> Multipliers | None:
    """No potential is negative, term by term."""
    before = {key: applied.rule.value for key, applied in case.rewrites.items()}
    terms: list[list[Poly]] = []
    for term in form.potentials[step.source]:
        factors = [_rewritten(f, before) for f in term.factors]
        if all(factors):
            terms.append(factors)
    return proof_of_terms(terms, known)


def _rewritten(f: Poly, values: dict[str, Poly]) -> Poly:
    result: Poly = {}
    for m, k in f.items():
        accumulate(result, k, replaced(m, values))
    return result
