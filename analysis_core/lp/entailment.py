"""Whether affine facts imply an affine goal, with the proof: goal = constant >= 0 + sum of multiplier * fact (Farkas).

A depth-first search that cancels one name after the other; facts of cost programs are few and short, so it is complete for
nearly all that occurs and costs microseconds, where a linear program would cost half a millisecond.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd

from analysis_core.bounds.program import Affine, affine
from analysis_core.lp.polynomials import Number

Proof = tuple[tuple[int, Number], ...]
"""(index of a fact, positive multiplier)."""

_DEPTH = 6
_STEPS = 120


class Facts:
    """Affine facts `>= 0`, indexed by the names in them."""

    def __init__(self, facts: Sequence[Affine] = ()) -> None:
        self.items: list[Affine] = []
        self._by_name: dict[tuple[str, bool], list[tuple[int, int]]] = {}
        self._known: dict[Affine, Proof | None] = {}
        for fact in facts:
            self.add(fact)

    def add(self, fact: Affine) -> None:
        index = len(self.items)
        self.items.append(fact)
        self._known = {}
        for name, c in fact.terms:
            self._by_name.setdefault((name, c > 0), []).append((index, c))

    def copy(self) -> Facts:
        other = Facts()
        other.items = list(self.items)
        other._by_name = {key: list(value) for key, value in self._by_name.items()}
        return other

    def independent(self) -> list[Affine]:
        """The facts that do not follow from others that are kept, looking at the longest first, then at the weakest."""
        kept = dict.fromkeys(range(len(self.items)))
        facts = self.copy()
        for index in sorted(kept, key=lambda i: (-len(self.items[i].terms), -self.items[i].constant)):
            fact = self.items[index]
            places = [(facts._by_name[name, c > 0], (index, c)) for name, c in fact.terms]
            at = [entries.index(entry) for entries, entry in places]
            for entries, entry in places:
                entries.remove(entry)
            facts._known = {}
            if facts.implies(fact):
                del kept[index]
            else:
                for (entries, entry), place in zip(places, at, strict=True):
                    entries.insert(place, entry)
        return [self.items[index] for index in kept]

    def proof(self, goal: Affine) -> Proof | None:
        """Why `goal >= 0`, or None where the search finds no reason."""
        if not goal.terms:
            return () if goal.constant >= 0 else None
        if goal not in self._known:
            self._known[goal] = self._search(dict(goal.terms), goal.constant)
        return self._known[goal]

    def implies(self, goal: Affine) -> bool:
        return self.proof(goal) is not None

    def _search(self, terms: dict[str, Number], constant: Number) -> Proof | None:
        steps = [_STEPS]
        for depth in (1, 2, 3, _DEPTH):
            found = self._cancel(terms, constant, depth, steps)
            if found is not None:
                return _merged(found)
            if steps[0] <= 0:
                break
        return None

    def _cancel(
        self, terms: dict[str, Number], constant: Number, depth: int, steps: list[int]
    ) -> list[tuple[int, Number]] | None:
        if not terms:
            return [] if constant >= 0 else None
        if depth == 0 or steps[0] <= 0:
            return None
        steps[0] -= 1
        name, entries = self._scarcest(terms)
        mine = terms[name]
        for index, c in entries:
            factor = mine // c if type(mine) is int and mine % c == 0 else Fraction(mine) / c
            fact = self.items[index]
            if depth == 1:  # It must cancel all that is left.
                if (
                    len(terms) == len(fact.terms)
                    and constant >= factor * fact.constant
                    and _is_multiple(terms, factor, fact)
                ):
                    return [(index, factor)]
                continue
            rest = dict(terms)
            for other, k in fact.terms:
                value = rest.get(other, 0) - factor * k
                if value:
                    rest[other] = value
                else:
                    rest.pop(other, None)
            found = self._cancel(rest, constant - factor * fact.constant, depth - 1, steps)
            if found is not None:
                return [(index, factor), *found]
        return None

    def _scarcest(self, terms: dict[str, Number]) -> tuple[str, Sequence[tuple[int, int]]]:
        """The name that the fewest facts can cancel, the first of the alphabet among equals, and these facts."""
        known = self._by_name
        fewest, best = "", None
        for name, c in terms.items():
            entries = known.get((name, c > 0), ())
            if best is None or len(entries) < len(best) or (len(entries) == len(best) and name < fewest):
                fewest, best = name, entries
        return fewest, best or ()


def _is_multiple(terms: dict[str, Number], factor: Number, fact: Affine) -> bool:
    """Whether the terms are those of factor * fact, which has as many."""
    return all(terms.get(name, 0) == factor * k for name, k in fact.terms)


def _merged(found: list[tuple[int, Number]]) -> Proof:
    total: dict[int, Number] = {}
    for index, factor in found:
        total[index] = total.get(index, 0) + factor
    return tuple(sorted(total.items()))


def proves(facts: Sequence[Affine], proof: Proof, goal: Affine) -> bool:
    """Checks a proof: all multipliers are positive and what remains of the goal is a constant >= 0."""
    rest: dict[str, Number] = dict(goal.terms)
    constant: Number = goal.constant
    for index, factor in proof:
        if factor < 0 or not 0 <= index < len(facts):
            return False
        constant -= factor * facts[index].constant
        for name, c in facts[index].terms:
            rest[name] = rest.get(name, 0) - factor * c
    return constant >= 0 and not any(rest.values())


def negated(fact: Affine) -> Affine:
    """The integers where `fact >= 0` is wrong: -fact - 1 >= 0."""
    return Affine(-fact.constant - 1, tuple((n, -c) for n, c in fact.terms))


def tightened(fact: Affine) -> Affine:
    """Divided by the common divisor of its coefficients; the constant is rounded down, since all values are integers."""
    g = gcd(*(c for _, c in fact.terms)) if fact.terms else 1
    if g <= 1:
        return fact
    return affine(fact.constant // g, ((n, c // g) for n, c in fact.terms))
