"""Bounds of a cost program: amortised analysis by linear programming.

The idea (Carbonneaux, Hoffmann, Shao, PLDI 2015; for kernels: Muller and Hoffmann, POPL 2021, section 4).  Give every state of
the program a *potential* phi >= 0, as if it were money in a purse, such that each step can be paid from the purse:

    phi(before) >= cost of the step + phi(after)                                                        (1)

Summed up over a run, all potentials but the first and the last cancel, so the run costs at most phi(entry).  With "<=" in (1)
and phi = 0 at the end, each run that ends costs at least phi(entry).  Costs never enter a proof but through (1).

So we need functions phi that satisfy (1).  We guess their form, a sum of base functions with unknown coefficients; (1) becomes
linear inequalities for the coefficients; a linear program finds the best.  An example, to be followed by hand:

    i = 0;  while (i < n) { tick 3; i += 32; }

 1. Points and transitions (`transitions`).  Points: the entry 0 and the loop head 1.  Transitions: 0 -> 1 with i := 0 for
    nothing; 1 -> 1 where n - i - 1 >= 0, with i := i + 32 for 3; and 1 -> end where i - n >= 0.
 2. Invariants (`invariants`): i >= 0 at 1.  Not needed here.
 3. Templates (`templates`).  The guard leaves n - i to go, and a round takes 32 of it: at the head we try
        phi(1) = a + b * C   with   C = ceil(max(0, n - i) / 32),
    and at the entry what that is worth when i is 0:   phi(0) = c + d * N,   N = ceil(max(0, n) / 32).
 4. Inequalities (`cases`).  What is C after a round?  By the axiom ceil-shift (`rules`) C - 1, since n - i - 32 > -32.
    Past the loop C = 0 by the axiom zero, since n - i <= 0.  So (1) says
        0 -> 1:    c + d*N >= a + b*N                      for all N >= 0
        1 -> 1:    a + b*C >= 3 + a + b*(C - 1)            for all C >= 1
        1 -> end:  a >= 0,    and no potential is negative:  a + b*C >= 0,  c + d*N >= 0.
 5. Linear constraints (`matrix`).  "For all C >= 1" is not linear in a and b.  But an inequality p >= 0 holds surely if p is a
    sum of known facts with multipliers >= 0, coefficient by coefficient (Farkas' lemma; with products of facts: Handelman's
    theorem).  In 1 -> 1 the difference is b - 3, which must equal l0 * 1 + l1 * (C - 1): compare coefficients of 1 and of
    C: b - 3 = l0 - l1 and 0 = l1.  In 0 -> 1: c - a = m0 and d - b = m1 with m0, m1 >= 0.  All linear.
 6. The best solution (`objective`, `solve`): least d first (it grows with n), then least c.  HiGHS finds d = b = 3, a = c = 0, all
    multipliers 0: the bound is 3*ceil(n/32) for n >= 0.  For the lower bound the same matrix with the signs of phi and of
    the costs changed (`matrix`) gives the same numbers: the bound is exact.
 7. The certificate (`exact`, `certify`).  The solver computes in floating point, so its answer is a hint: it is made exact in
    fractions, and every inequality is checked again term by term by a checker that uses the axioms only.  What does
    not pass is never shown.

Programs that fall apart, as loops in a row do, are bounded piece by piece (`pieces`); their potentials at the entry add up.

Products of base functions pay for nests: for (i < n) for (j < i) takes phi = r*(r - 1)/2 + r*i at the outer head, with r =
max(0, n - i): each outer round pays i rounds, and what is left of r*i as i grows by one pays for the later ones.  In each case of a
transition every max(0, e) is e or 0 (the transition is split until that is known), so that polynomials remain.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import field, replace

from analysis_core.bounds.program import CostProgram
from analysis_core.expressions.bounds import Reason
from analysis_core.expressions.expression import ZERO, Expression, symbol
from analysis_core.lp.answers import Reader
from analysis_core.lp.certify import Claim
from analysis_core.lp.level import Answer
from analysis_core.lp.no_bound import why_no_bound
from analysis_core.lp.pieces import pieces_of
from analysis_core.lp.polynomials import Poly, combine
from analysis_core.lp.simplify import simplified
from analysis_core.lp.solve import SolverFailure
from analysis_core.lp.study import Study
from analysis_core.lp.transitions import TooManyPaths
from analysis_core.support.fuel import UNITS_PER_SECOND, Fuel, OutOfFuel
from analysis_core.support.store import Store
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """`short_cut`: closed forms where trip counts are known.  `work`: the most for one bound, in units of `fuel`.
    `highest_degree`: the most factors of a product."""

    short_cut: bool = True
    work: int = 2 * UNITS_PER_SECOND
    highest_degree: int = 4


DEFAULT = Options()

_TOO_MANY_PATHS = 9_000
"""Units of work for finding out that a program has too many of them."""

_NO_WORK_LEFT = "the linear programs of other warps or metrics took all the work that a kernel may take"

_TRANSITION = 60
"""Units of work for what is found out about a transition once per program, of pieces that are alike in one of them."""


@dataclass(frozen=True, slots=True)
class Bound:
    """`method`: "closed form" or "lp".  `claims`: the certificates, one for each piece of the program; they have passed `certify.Checker`."""

    expression: Expression
    method: str
    claims: tuple[Claim, ...]

    @property
    def entry(self) -> Poly:
        """The potential at the entry."""
        return combine((1, claim.potentials[0]) for claim in self.claims)


@dataclass(frozen=True, slots=True)
class Inference:
    """`upper`: no run pays more; None, and `because` says why.  `lower`: no run that ends pays less; where there is no proof
    of anything better it is 0, and `lower_because` says why.  `solver_seconds`: spent in HiGHS for this metric."""

    metric: str
    upper: Bound | None
    lower: Expression
    lower_bound: Bound | None
    because: Reason | None
    lower_because: Reason | None
    solver_seconds: float


@dataclass(frozen=True, slots=True, eq=False)
class Memo:
    """What was found out about programs: studies of the pieces of each, or why there are none.  `alike`: all of them by shape."""

    studies: dict[CostProgram, tuple[Study, ...] | TooManyPaths] = field(default_factory=dict)
    alike: dict[Hashable, Study] = field(default_factory=dict)

    @property
    def solver_seconds(self) -> float:
        """Spent in HiGHS."""
        return sum(seconds(known) for known in self.studies.values() if not isinstance(known, TooManyPaths))


def seconds(studies: Iterable[Study]) -> float:
    """Spent in HiGHS for these programs."""
    return sum(study.solver_seconds for study in studies)


def infer(
    program: CostProgram,
    metric: str,
    options: Options = DEFAULT,
    memo: Memo | None = None,
    fuel: Fuel | None = None,
    store: Store | None = None,
    most: int | None = None,
) -> Inference:
    """Bounds of one metric.  `memo`: what was found out about programs, for the next metric, an equal program, or one that
    only pays other costs; `store`: linear programs for the next kernel, or the same after an edit.  `fuel`: of several inferences
    together, instead of the options' work; `most`: units of it for this one, beyond which all of it counts as used."""
    fuel, memo = fuel or Fuel.of(options.work), memo or Memo()
    key = studied(program)
    studies = memo.studies.get(key)
    if isinstance(studies, TooManyPaths):
        return _too_many(metric, studies)
    if fuel.left <= 0:
        return _nothing(metric, Reason(_NO_WORK_LEFT, None))
    try:
        with fuel.within(most):
            if studies is None:
                studies = memo.studies[key] = tuple(_studies(key, options, memo, fuel, store))
                steps = sum(len(study.system.transitions) for study in {study.key: study for study in studies}.values())
                fuel.spend(_TRANSITION * steps, "the paths between its loops are too many")
            if any(study.contradiction for study in studies):
                return _nothing(metric, Reason("the assumptions contradict each other", None))
            before = seconds(studies)
            upper = [study.answer(metric, True, fuel) for study in studies]
            lower = [study.answer(metric, False, fuel) for study in studies]
    except TooManyPaths as problem:
        fuel.left -= _TOO_MANY_PATHS
        memo.studies[key] = problem
        return _too_many(metric, problem)
    except SolverFailure as problem:
        return _nothing(metric, Reason(f"the solver failed: {problem}", None))
    except OutOfFuel as problem:
        first = next((s.first_loop for s in studies or () if s.first_loop is not None), None)
        return _nothing(metric, Reason(str(problem), first))
    reader = Reader.of(program, {name: atom for study in studies for name, atom in study.atoms.items()})
    up, down = _bound(reader, upper, True), _bound(reader, lower, False)
    if up is not None and down is not None and up.entry == down.entry:
        # Both at once: the potential is the cost, an integer that is not negative, however it is rounded.
        down = replace(down, expression=up.expression)
    return Inference(
        metric,
        up,
        down.expression if down is not None else ZERO,
        down,
        _why(studies, upper),
        _why(studies, lower),
        seconds(studies) - before,
    )


def _studies(program: CostProgram, options: Options, memo: Memo, fuel: Fuel, store: Store | None) -> Iterator[Study]:
    for piece in pieces_of(simplified(program)):
        yield Study(piece, options.highest_degree, options.short_cut, memo.alike, store, fuel)


def _bound(reader: Reader, answers: Sequence[Answer], upper: bool) -> Bound | None:
    """The sum of what the pieces pay; None if it is not known of one."""
    claims = tuple(answer.claim for answer in answers if answer.claim is not None)
    if len(claims) < len(answers):
        return None
    found = Bound(ZERO, "lp" if any(answer.method == "lp" for answer in answers) else "closed form", claims)
    return replace(found, expression=reader.expression(found.entry, upper))


def _why(studies: Sequence[Study], answers: Sequence[Answer]) -> Reason | None:
    """Why there is no bound, of the last piece that has none."""
    open_ones = [(study, answer.status) for study, answer in zip(studies, answers) if answer.claim is None]
    return why_no_bound(*open_ones[-1]) if open_ones else None


def studied(program: CostProgram) -> CostProgram:
    """The program as studies know it: parameters have numbers, whatever they stand for."""
    return replace(program, parameters=tuple(replace(p, stands_for=symbol(p.name)) for p in program.parameters))


def _too_many(metric: str, problem: TooManyPaths) -> Inference:
    return _nothing(metric, Reason("too many paths between loops", problem.span))


def _nothing(metric: str, reason: Reason) -> Inference:
    return Inference(metric, None, ZERO, None, reason, reason, 0.0)
