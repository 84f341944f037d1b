"""Potentials without a linear program, where every loop's trip count is known when it is entered.

A loop counts if its guard compares one counter with parameters, its body adds a constant to that counter once, at its top
level, and the counter's first value is known in parameters.  With T rounds left and a body that costs B, what is left to pay
at its head is B * T, and B * (T - 1) between the head and the counter's step: potentials of the same form as the templates',
with proofs that need no search.  They pass the same checker as all others; any program that does not fit is left to `solve`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from analysis_core.bounds.program import (
    Affine,
    Assign,
    Branch,
    Choose,
    CostProgram,
    Stmt,
    Tick,
    While,
    plus,
    put,
    times,
)
from analysis_core.lp.entailment import Facts
from analysis_core.lp.polynomials import (
    Atom,
    Ceil,
    Max,
    Monomial,
    Number,
    Poly,
    accumulate,
    combine,
    factor,
    image,
    name_of,
    product,
)
from analysis_core.lp.simplify import statements
from analysis_core.support.derived import derived
from analysis_core.text.records import dataclass

Values = dict[str, Affine | None]
"""What variables are, in parameters; None: not known."""


class DoesNotFit(Exception):
    """Raised where a program has no closed form; a linear program is solved then."""


@dataclass(frozen=True)  # no slots: all points before it share a term, and what it is made of is kept with it
class Term:
    """worth * (rounds left - passed): what a loop around a point still has to pay there.  `rounds` None: `worth` itself."""

    worth: Poly
    rounds: Atom | None
    passed: int

    @derived
    def factors(self) -> Sequence[Poly]:
        """Their product is the term."""
        if self.rounds is None:
            return [self.worth]
        return [self.worth, combine([(1, factor(name_of(self.rounds))), (-self.passed, {(): 1})])]

    @derived
    def poly(self) -> Mapping[Monomial, Number]:
        """The term as a polynomial."""
        result: Poly = {(): 1}
        for f in self.factors:
            result = product(result, f)
        return result


@dataclass(frozen=True, slots=True)
class ClosedForm:
    """`potentials`: per point (entry, then loops in the order of the program) its terms.  `atoms` by name."""

    potentials: tuple[tuple[Term, ...], ...]
    atoms: dict[str, Atom]


@dataclass(frozen=True, slots=True)
class _Loop:
    counter: str
    rounds: Atom
    at_start: Atom
    body: Poly


def closed_form(program: CostProgram, known: Sequence[Affine], metric: str, upper: bool) -> ClosedForm:
    """The potentials of one metric; raises DoesNotFit."""
    run = _Run(program, Facts(known), metric, upper)
    run.cost(program.body, {})
    entry = run.potential(program.body, ())
    heads = [run.heads[id(s)] for s in run.order]
    return ClosedForm((entry, *heads), run.atoms)


class _Run:
    """One metric's; `loops` and `heads` by the statement's identity."""

    def __init__(self, program: CostProgram, facts: Facts, metric: str, upper: bool) -> None:
        self._facts = facts
        self._metric = metric
        self._upper = upper
        self._parameters = {p.name for p in program.parameters}
        self.atoms: dict[str, Atom] = {}
        self.loops: dict[int, _Loop] = {}
        self.heads: dict[int, tuple[Term, ...]] = {}
        self.order: list[While] = []

    # --- forwards: what everything costs ------------------------------------------------------------------------

    def cost(self, block: tuple[Stmt, ...], values: Values) -> Poly:
        """The cost of a block in parameters; `values` become those after it."""
        total: Poly = {}
        for stmt in block:
            match stmt:
                case Tick():
                    accumulate(total, 1, self._tick(stmt))
                case Assign(var, value):
                    values[var] = self._known(value, values)
                case Choose(var):
                    values[var] = None
                case Branch():
                    accumulate(total, 1, self._branch(stmt, values))
                case While():
                    accumulate(total, 1, self._while(stmt, values))
        return total

    def _tick(self, tick: Tick) -> Poly:
        paid = sum(high if self._upper else low for metric, low, high in tick.costs if metric == self._metric)
        return {(): paid} if paid else {}

    def _known(self, value: Affine, values: Values) -> Affine | None:
        inner: dict[str, Affine] = {}
        for name, _ in value.terms:
            if name not in self._parameters:
                known = values.get(name)
                if known is None:
                    return None
                inner[name] = known
        return put(value, inner)

    def _branch(self, stmt: Branch, values: Values) -> Poly:
        """The greatest of the arms, or the least, where one of them surely is."""
        costs: list[Poly] = []
        after: list[Values] = []
        for arm in stmt.arms:
            own = dict(values)
            costs.append(self.cost(arm.body, own))
            after.append(own)
        if not costs:
            raise DoesNotFit
        for name in {n for own in after for n in own}:
            first = after[0].get(name)
            values[name] = first if all(own.get(name) == first for own in after) else None
        if any(arm.guard for arm in stmt.arms) and any(c != costs[0] for c in costs):
            raise DoesNotFit  # Which arm runs may depend on the counter; the linear program can use that.
        sign = 1 if self._upper else -1
        for best in costs:
            if all(k >= 0 for c in costs for k in combine([(sign, best), (-sign, c)]).values()):
                return best
        raise DoesNotFit

    def _while(self, stmt: While, values: Values) -> Poly:
        if len(stmt.guard) != 1 or stmt.may_stop or any(stmt is other for other in self.order):
            raise DoesNotFit
        self.order.append(stmt)
        left = plus(stmt.guard[0], Affine(1))
        counters = [n for n, _ in left.terms if n not in self._parameters]
        if len(counters) != 1:
            raise DoesNotFit
        (counter,) = counters
        rounds = self._rounds(left, _step(stmt.body, counter))
        start = self._known(left, values)
        if start is None:
            raise DoesNotFit
        for inner in statements(stmt.body):
            if isinstance(inner, Assign | Choose):
                values[inner.var] = None
        body = self.cost(stmt.body, dict(values))
        at_start = image(rounds, {counter: values_of(start, left, counter)})
        for atom in (rounds, at_start):
            self.atoms[name_of(atom)] = atom
        self.loops[id(stmt)] = _Loop(counter, rounds, at_start, body)
        return product(body, factor(name_of(at_start)))

    def _rounds(self, left: Affine, step: Affine) -> Atom:
        """By how much a round reduces what is left, which must be known to be positive."""
        change = plus(
            left,
            times(-1, put(left, {n: plus(Affine(0, ((n, 1),)), step) for n in _variables(left, self._parameters)})),
        )
        if not self._facts.implies(plus(change, Affine(-1))):
            raise DoesNotFit
        return Max(left) if change == Affine(1) else Ceil(left, change)

    # --- backwards: what is still to be paid --------------------------------------------------------------------

    def potential(self, block: tuple[Stmt, ...], after: tuple[Term, ...]) -> tuple[Term, ...]:
        """What must be left before a block; notes it for the loops inside."""
        for stmt in reversed(block):
            match stmt:
                case Tick():
                    after = (*after, Term(self._tick(stmt), None, 0))
                case Assign(var):
                    after = tuple(self._stepped(term, var) for term in after)
                case Branch(arms):
                    before = [self.potential(arm.body, after) for arm in arms]
                    sign = 1 if self._upper else -1
                    polys = [total(terms) for terms in before]
                    after = next(
                        terms
                        for terms, best in zip(before, polys)
                        if all(k >= 0 for p in polys for k in combine([(sign, best), (-sign, p)]).values())
                    )
                case While():
                    loop = self.loops[id(stmt)]
                    self.heads[id(stmt)] = (*after, Term(loop.body, loop.rounds, 0))
                    self.potential(stmt.body, self.heads[id(stmt)])
                    after = (*after, Term(loop.body, loop.at_start, 0))
                case Choose():
                    pass
        return after

    @staticmethod
    def _stepped(term: Term, var: str) -> Term:
        """Before its counter's step a loop has one round fewer left than its counter says."""
        if term.rounds is not None and any(n == var for n, _ in term.rounds.e.terms):
            return Term(term.worth, term.rounds, term.passed + 1)
        return term


def values_of(start: Affine, left: Affine, counter: str) -> Affine:
    """The counter's value where `left` is `start`."""
    c = dict(left.terms)[counter]
    rest = plus(start, times(-1, Affine(left.constant, tuple(t for t in left.terms if t[0] != counter))))
    if abs(c) != 1:
        raise DoesNotFit
    return times(c, rest)


def _variables(e: Affine, parameters: set[str]) -> list[str]:
    return [n for n, _ in e.terms if n not in parameters]


def _step(body: tuple[Stmt, ...], counter: str) -> Affine:
    """What the body adds to the counter, in one assignment at its top level."""
    changes = [s for s in statements(body) if isinstance(s, Assign | Choose) and s.var == counter]
    if len(changes) != 1 or changes[0] not in body or not isinstance(changes[0], Assign):
        raise DoesNotFit
    step = plus(changes[0].value, times(-1, Affine(0, ((counter, 1),))))
    if any(n == counter for n, _ in step.terms):
        raise DoesNotFit
    return step


def total(terms: Sequence[Term]) -> Poly:
    """The potential as a polynomial."""
    return combine([(1, term.poly) for term in terms])


# --- proofs -------------------------------------------------------------------------------------------------------

Multipliers = tuple[tuple[tuple[int, ...], Number], ...]


class Known:
    """What may be used in one case: `facts`, polynomials >= 0, and `affine`, those of them that are affine, by index."""

    def __init__(self, facts: Sequence[Poly], affine: Mapping[int, Affine]) -> None:
        self.facts = facts
        self.search = Facts(list(affine.values()))
        self.positions = list(affine)


def proof_of_terms(terms: Sequence[Sequence[Poly]], known: Known) -> Multipliers | None:
    """Multipliers for a sum of products of factors, each a non-negative combination of facts; None where one is not."""
    found: dict[tuple[int, ...], Number] = {}
    for factors in terms:
        combination: dict[tuple[int, ...], Number] = {(): 1}
        for f in factors:
            own = _combination(f, known.facts, known.search, known.positions)
            if own is None:
                return None
            combination = _multiplied(combination, own)
        for indices, k in combination.items():
            found[indices] = found.get(indices, 0) + k
    return tuple((indices, k) for indices, k in found.items() if k)


def _combination(
    f: Poly, facts: Sequence[Poly], search: Facts, positions: Sequence[int]
) -> dict[tuple[int, ...], Number] | None:
    """A polynomial from facts: a fact itself, something affine that follows, or monomials of such factors."""
    for index, fact in enumerate(facts):
        if fact == f:
            return {(index,): 1}
    if all(len(m) <= 1 for m in f) and all("{" not in n for m in f for n in m):
        goal = Affine(int(f.get((), 0)), tuple(sorted((m[0], int(k)) for m, k in f.items() if m)))
        proof = search.proof(goal)
        if proof is None:
            return None
        result: dict[tuple[int, ...], Number] = {(positions[i],): k for i, k in proof}
        rest = goal.constant - sum(k * search.items[i].constant for i, k in proof)
        return {**result, (): rest} if rest else result
    if len(f) == 1 and next(iter(f)) and len(next(iter(f))) == 1 and next(iter(f.values())) == 1:
        return None
    total_of: dict[tuple[int, ...], Number] = {}
    for m, k in f.items():
        if k < 0:
            return None
        part: dict[tuple[int, ...], Number] = {(): k}
        for name in m:
            own = _combination({(name,): 1}, facts, search, positions)
            if own is None:
                return None
            part = _multiplied(part, own)
        for indices, x in part.items():
            total_of[indices] = total_of.get(indices, 0) + x
    return total_of


def _multiplied(a: dict[tuple[int, ...], Number], b: dict[tuple[int, ...], Number]) -> dict[tuple[int, ...], Number]:
    """The product of two combinations; a fact times itself is f*(f - 1) + f."""
    result: dict[tuple[int, ...], Number] = {}
    for x, k in a.items():
        for y, x_times in b.items():
            options: list[tuple[int, ...]] = [tuple(sorted(x + y))]
            if set(x) & set(y):
                if len(x) != 1 or len(y) != 1:
                    continue  # Too rare to be worth it: what is missing makes the checker refuse.
                options.append(x)
            for indices in options:
                result[indices] = result.get(indices, 0) + k * x_times
    return result
