"""Transitions split into cases in which every max(0, e) is e or 0, and what is known in each case.

In a case the inequality that a potential must satisfy is one between polynomials; `Case` holds what turns base functions
after the transition into those before it (`rewrites`) and the facts, polynomials >= 0, that may be multiplied and added up to
show it.  A split is on an affine f: f >= 0 in one half, -f - 1 >= 0 in the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from analysis_core.bounds.program import Affine, plus, times
from analysis_core.lp import rules
from analysis_core.lp.entailment import Facts, Proof, negated
from analysis_core.lp.invariants import Invariants
from analysis_core.lp.objective import LARGE
from analysis_core.lp.polynomials import (
    Atom,
    Ceil,
    Log,
    Max,
    Monomial,
    Number,
    Poly,
    degree,
    factor,
    image,
    name_of,
    poly_of,
    product,
    replaced,
)
from analysis_core.lp.rules import Rule
from analysis_core.lp.templates import Templates
from analysis_core.lp.transitions import System, Transition
from analysis_core.support.fuel import Fuel
from analysis_core.text.records import dataclass

_SPLITS = 4
_PRODUCTS = 500

_CASE = 30
"""Units of work for a case whose facts are asked about."""

_CASE_WITH_PRODUCTS = 60
"""Units for a case of a linear program, with its rows."""

_PRODUCT = 2
"""Units for each product of facts, with its column."""

_QUESTIONS = 2
"""Pairs of a fact and a base function that are asked about in a unit of work, before a case is described."""

_TOO_MANY = "the cases of its loops and branches are too many"

ONE = Affine(1)


@dataclass(frozen=True, slots=True)
class Applied:
    """A rule applied to its premises, with a proof for each of them."""

    rule: Rule
    proofs: tuple[Proof, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """`step`: the index in `steps`.  `splits`: what distinguishes the case, in order.  `known`: the affine facts that hold
    (parameters', the source's, the transition's, the splits);
    `contradiction`: why they cannot hold together, a proof of -1 >= 0: then nothing needs to be shown.  `rewrites` by the factor that they replace.  `facts`:
    polynomials >= 0, each an affine fact by its index in `known`, or a rule's conclusion."""

    step: int
    splits: tuple[Affine, ...]
    known: tuple[Affine, ...]
    rewrites: dict[str, Applied]
    facts: tuple[int | Applied, ...]
    source: dict[Monomial, Poly]
    target: dict[Monomial, Poly]
    products: tuple[tuple[tuple[int, ...], Poly], ...]
    contradiction: Proof | None = None


def steps_of(system: System) -> list[Transition]:
    """All transitions, and from each point one that stops there: no potential is ever negative."""
    stops = [Transition(p.index, None, (), {}, (), (), p.span) for p in system.points]
    return [*system.transitions, *stops]


def build_cases(
    system: System,
    invariants: Invariants,
    templates: Templates,
    with_products: bool = True,
    fuel: Fuel | None = None,
) -> list[Case]:
    """The cases of all transitions. `with_products`: each also has the products that a linear program may multiply and
    add up."""
    result: list[Case] = []
    products = _Products() if with_products else None
    for index, step in enumerate(steps_of(system)):
        for case in _cases_of(index, step, system, invariants, templates, products, fuel):
            if fuel is not None and with_products:
                fuel.spend(_CASE_WITH_PRODUCTS + _PRODUCT * len(case.products), _TOO_MANY)
            result.append(case)
    return result


def _cases_of(
    index: int,
    step: Transition,
    system: System,
    invariants: Invariants,
    templates: Templates,
    products: _Products | None,
    fuel: Fuel | None,
) -> Iterator[Case]:
    known = (*system.known, *invariants.at[step.source], *step.facts)
    before = _atoms_in(templates.monomials[step.source], templates)
    after = [] if step.target is None else _atoms_in(templates.monomials[step.target], templates)
    moved = {name_of(a): image(a, step.update) for a in after}
    facts = Facts(known)
    contradiction = _contradiction(facts, len(known) - len(step.facts))
    if contradiction is not None:
        yield Case(index, (), known, {}, (), {}, {}, (), contradiction)
        return
    todo: list[tuple[tuple[Affine, ...], Facts]] = [((), facts)]
    while todo:
        splits, facts = todo.pop()
        if fuel is not None and products is None:
            fuel.spend_spare(_CASE + len(facts.items) * (len(before) + len(moved)) // _QUESTIONS, _TOO_MANY)
        view = _View(facts, before, list(moved.values()))
        split = view.decide(may_split=len(splits) < _SPLITS)
        if split is None:
            yield _case(index, step, splits, view, moved, templates, products)
            continue
        for half in (negated(split), split):
            inner = facts.copy()
            inner.add(half)
            todo.append(((*splits, half), inner))


def _contradiction(facts: Facts, first: int) -> Proof | None:
    """A proof of -1 >= 0 from facts, one of the step's own (from `first` on) among them."""
    for index in range(first, len(facts.items)):
        proof = facts.proof(negated(facts.items[index]))
        if proof is not None:
            return (*proof, (index, 1))
    return None


def _atoms_in(monomials: Iterable[Monomial], templates: Templates) -> list[Atom]:
    names = sorted({f for m in monomials for f in m if f in templates.atoms})
    return [templates.atoms[name] for name in names]


class _View:
    """What is decided about base functions under given facts."""

    def __init__(self, facts: Facts, before: list[Atom], after: list[Atom]) -> None:
        self.facts = facts
        self.before = before
        self.after = after
        self.rewrites: dict[str, Applied] = {}
        self.extra: list[Applied] = []
        self.kept: dict[str, Atom] = {}

    def decide(self, may_split: bool) -> Affine | None:
        """An affine expression to split on, or None where everything is decided, as far as it has to be."""
        self.rewrites, self.extra, self.kept = {}, [], {}
        for atom in (*self.before, *self.after):
            split = self._decide(atom)
            if split is not None and may_split:
                return split
        self._describe()
        return None

    def _use(self, rule: Rule) -> Applied | None:
        proofs = []
        for premise in rule.premises:
            proof = self.facts.proof(premise)
            if proof is None:
                return None
            proofs.append(proof)
        return Applied(rule, tuple(proofs))

    def _decide(self, atom: Atom) -> Affine | None:
        """Rewrites the atom, keeps it as a factor, or asks for a split."""
        key = name_of(atom)
        if key in self.rewrites or key in self.kept:
            return None
        split: Affine | None = None
        if isinstance(atom, Ceil):
            # A shift says more than a zero: the quotient before was 1 then.
            split = self._shift(atom, key)
        elif isinstance(atom, Log):
            self._log_step(atom, key)
        if key in self.rewrites:
            return None
        applied = self._use(rules.zero(atom))
        if applied is None and isinstance(atom, Max):
            applied = self._use(rules.max_is(atom))
        if applied is not None:
            self.rewrites[key] = applied
            return None
        match atom:
            case Max(e):
                split = plus(e, times(-1, ONE))
            case Log(_, e, x):
                between = plus(e, times(-1, x))
                # After a step the rules compare with before; a split would lose that.
                undecided = atom in self.before and not self.facts.implies(between)
                if undecided and self.facts.implies(plus(x, Affine(-1))):
                    split = between
            case Ceil():
                pass
        self.kept[key] = atom
        return split

    def _shift(self, atom: Ceil, key: str) -> Affine | None:
        """ceil(e'/d) from ceil(e/d) where they differ by a multiple of d."""
        for other in self.before:
            if not isinstance(other, Ceil) or other.d != atom.d or name_of(other) not in self.kept or other == atom:
                continue
            k = _multiple(plus(other.e, times(-1, atom.e)), atom.d)
            if k is None:
                continue
            rule = rules.ceil_shift(atom, other, k)
            applied = self._use(rule)
            if applied is not None:
                self.rewrites[key] = applied
                return None
            if self.facts.implies(rule.premises[1]):
                return rule.premises[0]
        return None

    def _log_step(self, atom: Log, key: str) -> None:
        for other in self.before:
            if isinstance(other, Log) and name_of(other) in self.kept and other != atom and alike(atom, other):
                applied = self._use(rules.log_step(atom, other))
                if applied is not None:
                    self.rewrites[key] = applied
                    return

    def _describe(self) -> None:
        """Facts about the base functions that stay."""
        for atom in self.kept.values():
            self._tell(rules.non_negative(atom))
            match atom:
                case Max():
                    self._tell(rules.max_above(atom))
                    for other in self.before:
                        if isinstance(other, Max) and other != atom:
                            self._tell(rules.max_below(atom, other.e))
                            self._tell(rules.max_below(atom, plus(other.e, times(-1, ONE))))
                case Ceil():
                    self._tell(rules.ceil_positive(atom))
                    self._tell(rules.ceil_low(atom))
                    self._tell(rules.ceil_high(atom))
                    self._tell(rules.ceil_most(atom, 1))
                case Log():
                    self._tell(rules.log_positive(atom))
        for atom in self.after:
            if name_of(atom) in self.kept and atom not in self.before:
                self._relate(atom)

    def _relate(self, atom: Atom) -> None:
        """A base function after the step against its like before."""
        for other in self.before:
            if name_of(other) not in self.kept:
                continue
            match atom, other:
                case Ceil(), Ceil() if atom.d == other.d:
                    for k in (1, 0):
                        if self._tell(rules.ceil_falls(atom, other, k)):
                            break
                    for k in (0, 1):
                        if self._tell(rules.ceil_keeps(atom, other, k)):
                            break
                case Log(), Log() if alike(atom, other):
                    self._tell(rules.log_falls(atom, other))
                    self._tell(rules.log_keeps(atom, other))
                case _:
                    pass

    def _tell(self, rule: Rule) -> bool:
        applied = self._use(rule)
        if applied is not None:
            self.extra.append(applied)
        return applied is not None


def alike(atom: Log, other: Log) -> bool:
    """Whether rules can compare two logarithms: they have one base, and the same bound or the same argument."""
    return atom.base == other.base and (atom.x == other.x or atom.e == other.e)


def _multiple(difference: Affine, divisor: Affine) -> int | None:
    """k with difference = k * divisor."""
    if divisor.terms:
        name, c = divisor.terms[0]
        k = dict(difference.terms).get(name, 0) // c
    else:
        k = difference.constant // divisor.constant if divisor.constant else 0
    return k if times(k, divisor) == difference else None


# --- facts and their products -------------------------------------------------------------------------------------


def after_values(step: Transition, moved: dict[str, Atom], rewrites: dict[str, Applied]) -> dict[str, Poly]:
    """What each factor at the target is, in terms of factors at the source."""
    values: dict[str, Poly] = {var: poly_of(value) for var, value in step.update.items()}
    for name, atom in moved.items():
        key = name_of(atom)
        values[name] = rewrites[key].rule.value if key in rewrites else factor(key)
    return values


def _case(
    index: int,
    step: Transition,
    splits: tuple[Affine, ...],
    view: _View,
    moved: dict[str, Atom],
    templates: Templates,
    made: _Products | None,
) -> Case:
    before = {key: applied.rule.value for key, applied in view.rewrites.items()}
    after = after_values(step, moved, view.rewrites)
    source = {m: replaced(m, before) for m in templates.monomials[step.source]}
    target = {}
    if step.target is not None:
        target = {m: replaced(m, after) for m in templates.monomials[step.target]}
    highest = max((degree(p) for p in (*source.values(), *target.values())), default=0)
    names = {f for p in (*source.values(), *target.values()) for m in p for f in m}
    facts = tuple(_relevant(view, names))
    polys = fact_polys(facts, view.facts.items)
    products = () if made is None else tuple(made.of(polys, highest))
    return Case(index, splits, tuple(view.facts.items), view.rewrites, facts, source, target, products)


def fact_polys(facts: Iterable[int | Applied], known: Sequence[Affine]) -> list[Poly]:
    """The facts of a case as polynomials."""
    return [poly_of(known[f]) if isinstance(f, int) else f.rule.conclusion for f in facts]


def _relevant(view: _View, names: set[str]) -> Iterator[int | Applied]:
    """Facts that speak of what the inequality speaks of, without those that follow from others."""
    yield from view.extra
    items = view.facts.items
    related = set(names)
    size = -1
    while len(related) != size:
        size = len(related)
        for fact in items:
            own = {n for n, _ in fact.terms}
            if own & related and abs(fact.constant) < LARGE:
                related |= own
    indices: dict[Affine, int] = {}
    for index, fact in enumerate(items):
        if fact.terms and abs(fact.constant) < LARGE and dict(fact.terms).keys() <= related:
            indices.setdefault(fact, index)
    for fact in Facts(list(indices)).independent():
        yield indices[fact]


@dataclass(slots=True)
class _Product:
    """A product of facts, and those with one factor fact - k more, by (number of the fact, k) as one number."""

    poly: Poly
    longer: dict[int, _Product]


class _Products:
    """Products of facts.  The cases of one program know much the same, so each product is made once."""

    def __init__(self) -> None:
        self._numbers: dict[frozenset[tuple[Monomial, Number]], int] = {}
        self._one = _Product({(): 1}, {})

    def of(self, facts: list[Poly], highest: int) -> Iterator[tuple[tuple[int, ...], Poly]]:
        """Products of facts up to a degree, 1 first.  All values are integers, so where f occurs k times,
        f*(f - 1)*..*(f - k + 1) is >= 0 too, and says more."""
        degrees = [degree(f) for f in facts]
        numbers = [self._numbers.setdefault(frozenset(f.items()), len(self._numbers)) for f in facts]
        # Indices ascend, so what the last one occurs is all that it does.
        level: list[tuple[tuple[int, ...], int, _Product, int]] = [((), 0, self._one, 0)]
        count = 0
        while level:
            following: list[tuple[tuple[int, ...], int, _Product, int]] = []
            for indices, times_last, made, d in level:
                yield indices, made.poly
                count += 1
                if count > _PRODUCTS:
                    return
                last = indices[-1] if indices else -1
                for i in range(max(last, 0), len(facts)):
                    if d + degrees[i] <= highest:
                        by = times_last if i == last else 0
                        key = numbers[i] << 16 | by
                        longer = made.longer.get(key)
                        if longer is None:
                            longer = made.longer[key] = _Product(product(made.poly, fallen(facts[i], by)), {})
                        following.append(((*indices, i), by + 1, longer, d + degrees[i]))
            level = following


def fallen(fact: Poly, by: int) -> Poly:
    """The difference fact - by."""
    if by == 0:
        return fact
    result = dict(fact)
    value = result.get((), 0) - by
    if value:
        result[()] = value
    else:
        result.pop((), None)
    return result
