"""The decision tree of a case discussion (Chen, Moreno Maza, Paudel and Xie, "Comprehensive optimization of parametric kernels", algorithm 2).

    a counter is held against its resource:   accepted, and the next counter is asked
                                              refused, and a strategy that reduces it makes another variant, which is asked from the first counter on

Branches that cannot be taken are left out.  Where no strategy is left, all variants are asked once more before it is said that none fits, so that the leaves cover
everything; each choice is between a constraint and its negation, so that they are disjoint.  Both are proved once more of the cases that are told
(`cases_of`), which are leaves of one outcome put together where that takes constraints away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from analysis_core.case_discussion.constraints import Case, Constraint, Solver, never_larger
from analysis_core.expressions.expression import Expression
from analysis_core.text.records import dataclass

MOST_LEAVES = 64


class TooManyCases(Exception):
    """The tree grows beyond what anybody reads."""


@dataclass(frozen=True, slots=True)
class Variant:
    """`values`: of macros that are set to a number, by name; others are symbols.  `rewrites`: what else was done to the text."""

    values: tuple[tuple[str, int], ...]
    rewrites: tuple[str, ...] = ()

    def with_value(self, name: str, value: int) -> Variant:
        return Variant(tuple(sorted({**dict(self.values), name: value}.items())), self.rewrites)


@dataclass(frozen=True, slots=True)
class Strategy:
    """`kind`: granularity, cache or rewrite.  `macro` is set to `value`; of a rewrite it is its name."""

    kind: str
    macro: str
    value: int = 0

    @property
    def text(self) -> str:
        return self.macro if self.kind == "rewrite" else f"{self.macro}={self.value}"

    def applied(self, variant: Variant) -> Variant:
        if self.kind != "rewrite":
            return variant.with_value(self.macro, self.value)
        return variant if self.macro in variant.rewrites else Variant(variant.values, (*variant.rewrites, self.macro))


@dataclass(frozen=True, slots=True)
class Leaf:
    """`variant` None: none fits, and `lacking` is the resource that there is too little of.  `path`: what was decided on the way, in words."""

    variant: Variant | None
    case: tuple[Constraint, ...]
    path: tuple[str, ...]
    lacking: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """`strategy`: what is done where it is refused, None if nothing is left to do."""

    constraint: Constraint
    accepted: Node
    refused: Node
    strategy: Strategy | None = None


Node = Leaf | Choice

Counters = Callable[[Variant], Mapping[str, Expression]]
"""What a variant takes of each resource that counts, in the order in which they are asked."""


class Tree:
    """Builds the tree.  `limits`: the resources, symbols or numbers.  `solver` None: nothing is left out but what repeats itself."""

    def __init__(self, counters: Counters, limits: Mapping[str, Expression], solver: Solver | None) -> None:
        self.counters, self.limits, self.solver = counters, limits, solver
        self.leaves = 0

    def grow(self, root: Variant, strategies: Sequence[Strategy]) -> Node:
        self.seen: list[Variant] = []
        return self._variant(root, tuple(strategies), (), ())

    def _variant(
        self, variant: Variant, left: tuple[Strategy, ...], case: tuple[Constraint, ...], path: tuple[str, ...]
    ) -> Node:
        if variant not in self.seen:
            self.seen.append(variant)
        return self._asked(variant, left, case, path, list(self.counters(variant).items()))

    def _asked(
        self, variant: Variant, left: tuple[Strategy, ...], case: tuple[Constraint, ...], path: tuple[str, ...],
        queue: list[tuple[str, Expression]],
    ) -> Node:  # fmt: skip
        if not queue:
            return self._leaf(Leaf(variant, case, path))
        (resource, counter), *rest = queue
        fits = Constraint(counter, resource, self.limits[resource], True)
        yes, no = self._possible(case, fits), self._possible(case, fits.negated())
        if not no:
            return self._asked(variant, left, case, path, rest)
        there = (*case, fits.negated())
        strategy = next((s for s in left if self._reduces(s, variant, resource, counter)), None)
        if strategy is None:
            refused = self._last(there, (*path, f"{resource} refused"), resource, self.seen)
        else:
            remaining = tuple(s for s in left if s != strategy)
            refused = self._variant(strategy.applied(variant), remaining, there, (*path, strategy.text))
        if not yes:
            return refused
        accepted = self._asked(variant, left, (*case, fits), (*path, f"{resource} accepted"), rest)
        return Choice(fits, accepted, refused, strategy)

    def _reduces(self, strategy: Strategy, variant: Variant, resource: str, counter: Expression) -> bool:
        after = strategy.applied(variant)
        if after == variant:
            return False
        taken = self.counters(after).get(resource)
        return taken is not None and taken != counter and never_larger(taken, counter)

    def _last(
        self, case: tuple[Constraint, ...], path: tuple[str, ...], lacking: str, variants: Sequence[Variant]
    ) -> Node:
        """The variants that were met, each asked whether it fits after all."""
        for number, variant in enumerate(variants):
            fitting = tuple(
                Constraint(counter, resource, self.limits[resource], True)
                for resource, counter in self.counters(variant).items()
            )
            if self.solver is None or self.solver.is_impossible((*case, *fitting)):
                continue
            return self._chain(variant, fitting, case, path, lacking, variants[number + 1 :])
        return self._leaf(Leaf(None, case, path, lacking))

    def _chain(
        self, variant: Variant, fitting: tuple[Constraint, ...], case: tuple[Constraint, ...], path: tuple[str, ...], lacking: str,
        rest: Sequence[Variant],
    ) -> Node:  # fmt: skip
        if not fitting:
            return self._leaf(Leaf(variant, case, (*path, "back to another variant")))
        first, *more = fitting
        if not self._possible(case, first.negated()):
            return self._chain(variant, tuple(more), case, path, lacking, rest)
        refused = self._last((*case, first.negated()), path, lacking, rest)
        if not self._possible(case, first):
            return refused
        return Choice(first, self._chain(variant, tuple(more), (*case, first), path, lacking, rest), refused)

    def _possible(self, case: Case, one: Constraint) -> bool:
        if one.negated() in case:
            return False
        return self.solver is None or not self.solver.is_impossible((*case, one))

    def _leaf(self, leaf: Leaf) -> Leaf:
        self.leaves += 1
        if self.leaves > MOST_LEAVES:
            raise TooManyCases
        return leaf


def leaves_of(node: Node) -> Iterator[Leaf]:
    """From left to right: what is accepted first."""
    pending = [node]
    while pending:
        one = pending.pop()
        if isinstance(one, Leaf):
            yield one
        else:
            pending += [one.refused, one.accepted]


def cases_of(leaves: Sequence[Leaf], solver: Solver) -> list[Leaf]:
    """Leaves of one outcome put together: a constraint is dropped where what it kept out has the same outcome, and what the leaf then encloses is dropped, too.
    They stay disjoint."""
    cases, number = list(leaves), 0
    while number < len(cases):
        for constraint in cases[number].case:
            one = cases[number]
            wider = Leaf(one.variant, tuple(c for c in one.case if c != constraint), one.path, one.lacking)
            kept = _without_enclosed(wider, one, cases, solver)
            if kept is not None:
                number = sum(other is not one for other in kept[: kept.index(wider)])
                cases = kept
        number += 1
    return cases


def _without_enclosed(wider: Leaf, one: Leaf, cases: Sequence[Leaf], solver: Solver) -> list[Leaf] | None:
    """The cases with one that is wider in the place of `one`, without those that it encloses; None where it may not be so wide."""
    others = [c for c in cases if c is not one and (c.variant, c.lacking) == (one.variant, one.lacking)]
    if not solver.is_impossible(wider.case, [other.case for other in (one, *others)]):
        return None
    enclosed: list[int] = []
    for other in others:
        if all(solver.is_impossible((*other.case, c.negated())) for c in wider.case):
            enclosed.append(id(other))
        elif not solver.is_impossible((*other.case, *wider.case)):
            return None
    return [wider if other is one else other for other in cases if id(other) not in enclosed]


@dataclass(frozen=True, slots=True)
class Proofs:
    """What is shown of cases.  `overlaps`: pairs that are not shown to be disjoint."""

    disjoint: bool
    covering: bool
    overlaps: tuple[tuple[int, int], ...] = ()


def proofs_of(cases: Sequence[Leaf], solver: Solver) -> Proofs:
    overlaps = tuple(
        (n, m)
        for n, one in enumerate(cases)
        for m, other in enumerate(cases[:n])
        if not solver.is_impossible((*one.case, *other.case))
    )
    return Proofs(not overlaps, solver.is_impossible((), [one.case for one in cases]), overlaps)
