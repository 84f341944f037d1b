"""The checker: whether potentials bound the cost of a program, in exact arithmetic, without trust in how they were found.

What it relies on: the graph of the program (`transitions`), the table of axioms (`rules`), the arithmetic of polynomials, and

    Theorem.  Let I(p) be facts that hold whenever p is reached, and phi(p) a function of the state at each point p, 0 at the end.
    If phi(s) - cost - phi(t) >= 0 for each transition from s to t taken in a state of I(s), and phi(p) >= 0 in I(p), then no run
    pays more than phi(entry), be it finite or not.  If phi(s) - cost - phi(t) <= 0 for each, no run that ends pays less.

    Proof: the sum of the inequalities along the run telescopes.

It checks that I is inductive, that the cases of each transition cover it, that every rewriting is an instance of an axiom whose
premises are proved, and that each inequality's polynomial is, term by term, a non-negative combination of products of facts.
A product that holds a fact k times stands for f*(f - 1)*..*(f - k + 1): all values are integers.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.bounds.program import Affine, put
from analysis_core.lp.cases import Applied, Case, steps_of
from analysis_core.lp.entailment import negated, proves
from analysis_core.lp.invariants import Invariants
from analysis_core.lp.polynomials import (
    Atom,
    Monomial,
    Number,
    Poly,
    accumulate,
    atom_names,
    factor,
    image,
    name_of,
    poly_of,
    product,
    replaced,
)
from analysis_core.lp.rules import is_instance
from analysis_core.lp.transitions import System, shape
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class Claim:
    """`potentials` per point.  `multipliers`: per case ((indices of facts, number), ...); None where the case is left out, as
    stops may be for lower bounds."""

    metric: str
    upper: bool
    potentials: tuple[Poly, ...]
    multipliers: tuple[tuple[tuple[tuple[int, ...], Number], ...] | None, ...]


class Checker:
    """Checks what all claims about one program share once, in the constructor: `objection` is None, or what is wrong."""

    def __init__(self, system: System, invariants: Invariants, atoms: dict[str, Atom], cases: Sequence[Case]) -> None:
        self._system = system
        self._steps = steps_of(system)
        self._cases = cases
        self._atoms = atoms
        self._facts: list[list[Poly]] = []
        self._before: list[dict[str, Poly]] = []
        self._after: list[dict[str, Poly]] = []
        self._products: list[dict[tuple[int, ...], Poly]] = [{} for _ in cases]
        self._moved: list[tuple[dict[Monomial, Poly], dict[Monomial, Poly]]] = [({}, {}) for _ in cases]
        self.objection = self._invariants(invariants) or self._coverage() or self._structure(invariants)

    # --- once per program ---------------------------------------------------------------------------------------

    def _invariants(self, invariants: Invariants) -> str | None:
        """Nothing is claimed at the entry, and each fact follows along each transition."""
        if invariants.at[0] or len(invariants.proofs) != len(self._system.transitions):
            return "facts at the entry"
        for t, proofs in zip(self._system.transitions, invariants.proofs):
            if t.target is None:
                continue
            known = (*self._system.known, *invariants.at[t.source], *t.facts)
            goals = invariants.at[t.target]
            if len(goals) != len(proofs):
                return "a fact without proof"
            for goal, proof in zip(goals, proofs):
                if not proves(known, proof, put(goal, t.update)):
                    return "an invariant that does not follow"
        return None

    def _coverage(self) -> str | None:
        paths: list[list[tuple[Affine, ...]]] = [[] for _ in self._steps]
        for case in self._cases:
            paths[case.step].append(case.splits)
        return None if all(map(covered, paths)) else "cases that leave something out"

    def _structure(self, invariants: Invariants) -> str | None:
        """Known facts are what they claim, and rules are instances with proofs."""
        if any(name != name_of(atom) for name, atom in self._atoms.items()):
            return "a base function under another's name"
        moved = [{name: name_of(image(atom, s.update)) for name, atom in self._atoms.items()} for s in self._steps]
        for case in self._cases:
            step = self._steps[case.step]
            if case.known != (*self._system.known, *invariants.at[step.source], *step.facts, *case.splits):
                return "unknown facts"
            if case.contradiction is not None and not proves(case.known, case.contradiction, Affine(-1)):
                return "a contradiction that is none"
            rewrites: dict[str, Poly] = {}
            for key, applied in case.rewrites.items():
                if not applied.rule.equal or applied.rule.left != key or not self._proved(case, applied):
                    return "a rewriting that is not proved"
                rewrites[key] = applied.rule.value
            facts: list[Poly] = []
            for fact in case.facts:
                if isinstance(fact, int):
                    facts.append(poly_of(case.known[fact]))
                elif fact.rule.equal or not self._proved(case, fact):
                    return "a fact that is not proved"
                else:
                    facts.append(fact.rule.conclusion)
            after: dict[str, Poly] = {var: poly_of(value) for var, value in step.update.items()}
            for name, key in moved[case.step].items():
                after[name] = rewrites.get(key) or (factor(key) if key not in rewrites else {})
            self._facts.append(facts)
            self._before.append(rewrites)
            self._after.append(after)
        return None

    @staticmethod
    def _proved(case: Case, applied: Applied) -> bool:
        premises = applied.rule.premises
        return (
            is_instance(applied.rule)
            and len(premises) == len(applied.proofs)
            and all(proves(case.known, proof, goal) for proof, goal in zip(applied.proofs, premises))
        )

    # --- per claim ----------------------------------------------------------------------------------------------

    def objects(self, claim: Claim, system: System | None = None) -> str | None:
        """What is wrong with a claim, or None.  `system`: of another program, which differs in what it pays only."""
        if self.objection is not None:
            return self.objection
        if system is not None and system is not self._system and shape(system) != shape(self._system):
            return "another program"
        steps = self._steps if system is None else steps_of(system)
        if len(claim.potentials) != len(self._system.points) or len(claim.multipliers) != len(self._cases):
            return "parts are missing"
        for m in claim.potentials[0]:
            for f in m:
                names = atom_names(self._atoms[f]) if f in self._atoms else {f}
                if not names <= self._system.names:
                    return "the entry's potential depends on variables"
        for index, case in enumerate(self._cases):
            if case.contradiction is not None:
                continue
            own = claim.multipliers[index]
            stops = case.step >= len(self._system.transitions)
            if own is None:
                if claim.upper or not stops:
                    return "a case without proof"
            elif not self._holds(index, case, claim, own, steps[case.step].cost(claim.metric)):
                return f"the inequality of case {index} is not proved"
        return None

    def _holds(
        self,
        index: int,
        case: Case,
        claim: Claim,
        multipliers: Sequence[tuple[tuple[int, ...], Number]],
        cost: tuple[int, int],
    ) -> bool:
        """Whether (phi(source) - cost - phi(target)) * sign is the combination of products."""
        step = self._steps[case.step]
        sign = 1 if claim.upper else -1
        before, after = self._moved[index]
        rest: Poly = {}
        for m, k in claim.potentials[step.source].items():
            if m not in before:
                before[m] = replaced(m, self._before[index])
            accumulate(rest, sign * k, before[m])
        if step.target is not None:
            for m, k in claim.potentials[step.target].items():
                if m not in after:
                    after[m] = replaced(m, self._after[index])
                accumulate(rest, -sign * k, after[m])
        low, high = cost
        accumulate(rest, -sign * (high if claim.upper else low), {(): 1})
        for indices, number in multipliers:
            if number < 0:
                return False
            accumulate(rest, -number, self._product(index, indices))
        return not rest

    def _product(self, index: int, indices: tuple[int, ...]) -> Poly:
        found = self._products[index].get(indices)
        if found is None:
            found = {(): 1}
            for position, i in enumerate(indices):
                one_less = dict(self._facts[index][i])
                accumulate(one_less, -indices[:position].count(i), {(): 1})
                found = product(found, one_less)
            self._products[index][indices] = found
        return found


def covered(paths: Sequence[tuple[Affine, ...]]) -> bool:
    """Whether the halves that the paths stand for leave no integers out."""
    if any(not path for path in paths):
        return True
    if not paths:
        return False
    first = paths[0][0]
    yes = [path[1:] for path in paths if path[0] == first]
    no = [path[1:] for path in paths if path[0] == negated(first)]
    return covered(yes) and covered(no)
