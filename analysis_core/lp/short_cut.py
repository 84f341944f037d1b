"""The closed forms' certificates: the same cases and the same checker as for linear programs, without solving one."""

from __future__ import annotations

from analysis_core.cost.program import Affine, CostProgram
from analysis_core.lp.cases import Case, build_cases, fact_polys, steps_of
from analysis_core.lp.certify import Checker, Claim
from analysis_core.lp.closed_form import ClosedForm, DoesNotFit, Multipliers, closed_form, proof_of_terms, total
from analysis_core.lp.invariants import Invariants
from analysis_core.lp.polynomials import Atom, Monomial, Poly, accumulate, replaced
from analysis_core.lp.templates import Templates
from analysis_core.lp.transitions import System


class ShortCut:
    """One program's closed forms; `claim` is None where there is none, or where it could not be certified."""

    def __init__(self, program: CostProgram, system: System, invariants: Invariants) -> None:
        self._program = program
        self._system = system
        self._invariants = invariants
        self._frames: dict[tuple[frozenset[Monomial], ...], _Frame] = {}
        self._open = all(p.is_loop or p.index == 0 for p in system.points)
        self.atoms: dict[str, Atom] = {}

    def claim(self, metric: str, upper: bool) -> Claim | None:
        if not self._open:
            return None
        try:
            form = closed_form(self._program, self._system.known, metric, upper)
        except DoesNotFit:
            # What prevents one metric's closed form is nearly always the program, not the metric.
            self._open = False
            return None
        frame = self._frame(form)
        claim = frame.claim(form, metric, upper)
        if claim is None or frame.checker.objects(claim) is not None:
            return None
        self.atoms.update(form.atoms)
        return claim

    def _frame(self, form: ClosedForm) -> _Frame:
        shape = tuple(frozenset(m for term in terms for m in term.poly()) for terms in form.potentials)
        for known, frame in self._frames.items():
            if all(a <= b for a, b in zip(shape, known)):
                return frame
        self._frames[shape] = _Frame(self._system, self._invariants, shape, form.atoms)
        return self._frames[shape]


class _Frame:
    """Cases for given monomials: shared by all metrics whose potentials are made of them."""

    def __init__(
        self,
        system: System,
        invariants: Invariants,
        shape: tuple[frozenset[Monomial], ...],
        atoms: dict[str, Atom],
    ) -> None:
        self._system = system
        self._steps = steps_of(system)
        templates = Templates(tuple(tuple(sorted(own)) for own in shape), dict(atoms))
        self.cases: list[Case] = build_cases(system, invariants, templates, with_products=False)
        self.checker = Checker(system, invariants, templates.atoms, self.cases)

    def claim(self, form: ClosedForm, metric: str, upper: bool) -> Claim | None:
        potentials = tuple(total(terms) for terms in form.potentials)
        multipliers: list[Multipliers | None] = []
        for case in self.cases:
            if case.contradiction is not None:
                multipliers.append(())
                continue
            facts = fact_polys(case.facts, case.known)
            affine: dict[int, Affine] = {i: case.known[f] for i, f in enumerate(case.facts) if isinstance(f, int)}
            if case.step >= len(self._system.transitions):
                own = self._stop(case, form, facts, affine) if upper else None
                if own is None and upper:
                    return None
            else:
                rest = self._difference(case, potentials, metric, upper)
                own = proof_of_terms([[rest]] if rest else [], facts, affine)
                if own is None:
                    return None
            multipliers.append(own)
        return Claim(metric, upper, potentials, tuple(multipliers))

    def _difference(self, case: Case, potentials: tuple[Poly, ...], metric: str, upper: bool) -> Poly:
        step = self._steps[case.step]
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

    def _stop(self, case: Case, form: ClosedForm, facts: list[Poly], affine: dict[int, Affine]) -> Multipliers | None:
        """No potential is negative, term by term."""
        before = {key: applied.rule.value for key, applied in case.rewrites.items()}
        terms: list[list[Poly]] = []
        for term in form.potentials[self._steps[case.step].source]:
            factors = [_rewritten(f, before) for f in term.factors()]
            if all(factors):
                terms.append(factors)
        return proof_of_terms(terms, facts, affine)


def _rewritten(f: Poly, values: dict[str, Poly]) -> Poly:
    result: Poly = {}
    for m, k in f.items():
        accumulate(result, k, replaced(m, values))
    return result
