"""All that is found out about one cost program: its graph, invariants, templates, cases, linear program, checker.

Everything but the right sides is shared by the metrics, by the programs of one shape (shapes.py), and by analyses that follow each
other.  The degree of products grows from 1 until there is an upper bound.
"""

from __future__ import annotations

from collections.abc import Hashable, MutableMapping

from analysis_core.bounds.program import Affine, CostProgram
from analysis_core.lp.certify import Claim
from analysis_core.lp.entailment import Facts, negated
from analysis_core.lp.invariants import TOO_MANY, Invariants, find_invariants
from analysis_core.lp.level import Answer, Level
from analysis_core.lp.polynomials import Atom
from analysis_core.lp.shapes import SHAPES, Shape
from analysis_core.lp.short_cut import ShortCut
from analysis_core.lp.simplify import simplified
from analysis_core.lp.templates import loop_depth
from analysis_core.lp.transitions import System, build_system, shape
from analysis_core.support.fuel import UNITS_PER_SECOND, Fuel
from analysis_core.support.store import Store
from analysis_core.text.span import Span


class Study:
    """One program's; `answer` adds to what is known and remembers it.  Programs that differ only in what they pay (warps of
    one block, mostly) share facts, templates and linear programs; `alike`: where to look for such, in this analysis, `store`: in
    earlier ones."""

    def __init__(
        self,
        program: CostProgram,
        highest: int,
        short_cut: bool,
        alike: Alike | None = None,
        store: Store | None = None,
        fuel: Fuel | None = None,
    ) -> None:
        for name in [p.name for p in program.parameters]:
            if "{" in name or name.startswith("?"):
                raise ValueError(f"a parameter may not be called {name}")
        self.program = simplified(program)
        self.highest = highest
        self.system: System = build_system(self.program)
        self.contradiction = contradictory(self.system.known)
        self.key = shape(self.system)
        like = None if alike is None else alike.get(self.key)
        kept = None if like is not None or store is None else store.get(SHAPES, self.key)
        self.shape: Shape = like.shape if like is not None else kept or _shape(self.system, fuel)
        if kept is not None and fuel is not None:
            fuel.spend_spare(kept.units, TOO_MANY)
        self._store = store
        self._keep()
        self.invariants: Invariants = self.shape.invariants
        self.levels: dict[int, Level] = {} if like is None else like.levels
        self.short_cut = ShortCut(self.program, self.system, self.shape) if short_cut else None
        self.atoms: dict[str, Atom] = {}
        self.solver_seconds = 0.0
        self._answers: dict[tuple[tuple[int, ...], bool], Answer] = {}
        self._degree = 1
        if alike is not None:
            alike.setdefault(self.key, self)

    def _keep(self) -> None:
        if self._store is not None:
            self._store.put(SHAPES, self.key, self.shape)

    @property
    def depth(self) -> int:
        return max(1, min(self.highest, loop_depth(self.system)))

    @property
    def first_loop(self) -> Span | None:
        return next((p.span for p in self.system.points if p.is_loop), None)

    def level(self, degree: int, fuel: Fuel | None = None) -> Level:
        if degree not in self.levels:
            self.levels[degree] = self.shape.level(self.system, degree, fuel)
        self.atoms.update(self.levels[degree].templates.atoms)
        return self.levels[degree]

    def answer(self, metric: str, upper: bool, fuel: Fuel) -> Answer:
        """The best bound of one metric; equal costs are solved once."""
        costs = tuple(t.cost(metric)[upper] for t in self.system.transitions)
        known = self._answers.get((costs, upper))
        if known is None:
            known = self._answers[costs, upper] = self._find(metric, costs, upper, fuel)
            self._keep()
        if known.claim is None or known.claim.metric == metric:
            return known
        claim = Claim(metric, upper, known.claim.potentials, known.claim.multipliers)
        return Answer(claim, known.status, known.method)

    def _find(self, metric: str, costs: tuple[int, ...], upper: bool, fuel: Fuel) -> Answer:
        if self.short_cut is not None:
            claim = self.short_cut.claim(metric, upper, fuel)
            if claim is not None:
                self.atoms.update(self.short_cut.atoms)
                return Answer(claim, "optimal", "closed form")
        answer = Answer(None, "infeasible")
        degrees = range(self._degree, self.depth + 1) if upper else (self._degree,)
        for degree in degrees:
            level = self.level(degree, fuel)
            spent = level.seconds
            answer = level.solve(metric, costs, upper, fuel, self.system)
            self.solver_seconds += level.seconds - spent
            if answer.claim is not None:
                if upper:
                    self._degree = degree
                break
        return answer


Alike = MutableMapping[Hashable, Study]
"""By shape of a system, the first study of such a one."""


def _shape(system: System, fuel: Fuel | None) -> Shape:
    fuel = fuel or Fuel.of(2 * UNITS_PER_SECOND)
    before = fuel.rest
    return Shape(find_invariants(system, fuel), before - fuel.rest)


def contradictory(known: tuple[Affine, ...]) -> bool:
    """Whether no parameters satisfy the facts, as far as one can see."""
    facts = Facts(known)
    return any(facts.implies(negated(f)) for f in known) or any(not f.terms and f.constant < 0 for f in known)
