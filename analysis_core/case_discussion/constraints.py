"""Constraints of a case: a counter fits into a resource, or it does not.

    2*B0*B1*S <= Z      accepted        Z < 2*B0*B1*S      refused

Counters are polynomials over program parameters, which are at least 1; resources are symbols of the machine, at least 0, or numbers.  What follows is
decided by a solver (z3) with each product of parameters as an unknown of its own, and with what is known of products: one that holds all factors of another
is at least as large.  So whatever it calls impossible is; what it calls possible is shown by values (`witness`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.text.records import dataclass

MACHINE: Mapping[str, str] = {
    "T": "threads of a block",
    "Z": "words of shared memory of a block",
    "R": "registers of a thread",
}
"""Resources by their symbols, in the order in which counters are held against them."""

_FACTORS = (1, 2, 4, 16, 64, 1024)


@dataclass(frozen=True, slots=True)
class Constraint:
    """`counter` <= `limit`, or `limit` < `counter` where it does not fit.  `resource`: a name of `MACHINE`."""

    counter: Expression
    resource: str
    limit: Expression
    fits: bool

    @property
    def text(self) -> str:
        counter, limit = ex.to_text(self.counter), ex.to_text(self.limit)
        return f"{counter} <= {limit}" if self.fits else f"{limit} < {counter}"

    def negated(self) -> Constraint:
        return Constraint(self.counter, self.resource, self.limit, not self.fits)

    def holds(self, values: Mapping[str, int]) -> bool:
        return (ex.evaluate(self.counter, values) <= ex.evaluate(self.limit, values)) is self.fits


Case = Sequence[Constraint]
"""All of them hold."""


class NoSolver(Exception):
    """z3 is not installed."""


class Solver:
    """What follows from constraints.  `machine`: the symbols that may be 0.  Raises `NoSolver` where there is none."""

    def __init__(self, machine: frozenset[str]) -> None:
        try:
            from analysis_core.races.session import Session
        except ImportError:
            raise NoSolver from None
        self.machine, self.asked = machine, 0
        self._session = Session()
        self._names: dict[tuple[str, ...], str] = {}

    def is_impossible(self, case: Case, neither: Sequence[Case] = ()) -> bool:
        """Whether nothing satisfies the case and none of the others."""
        said = [self._formula(one) for one in case]
        said += [_no("and", [self._formula(one) for one in other]) for other in neither]
        self.asked += 1
        return self._session.model([[*said, *self._facts()]], ()) is False

    def _formula(self, one: Constraint) -> str:
        counter, limit = self._sum(one.counter), self._sum(one.limit)
        return f"(<= {counter} {limit})" if one.fits else f"(< {limit} {counter})"

    def _sum(self, expression: Expression) -> str:
        terms = ["0", "0"]
        for coefficient, atoms in monomials(expression):
            number = str(coefficient) if coefficient >= 0 else f"(- {-coefficient})"
            terms.append(f"(* {number} {self._name(atoms)})" if atoms else number)
        return f"(+ {' '.join(terms)})"

    def _name(self, atoms: tuple[str, ...]) -> str:
        return self._names.setdefault(atoms, f"u{len(self._names)}")

    def _facts(self) -> Iterator[str]:
        for atoms, name in self._names.items():
            is_positive = not self.machine & set(atoms) and all(atom.isidentifier() for atom in atoms)
            yield f"(>= {name} {int(is_positive)})"
            if is_positive:
                yield from (f"(>= {name} {other})" for part, other in self._names.items() if _is_part(part, atoms))


def _no(word: str, formulas: Sequence[str]) -> str:
    return f"(not ({word} true {' '.join(formulas)}))"


def _is_part(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    return part != whole and all(part.count(atom) <= whole.count(atom) for atom in part)


def monomials(expression: Expression) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Numbers with the products that they multiply; what is no polynomial is an atom of its own, which need not be positive."""
    terms = expression.terms if isinstance(expression, ex.Sum) else (expression,)
    for term in terms:
        factors = term.factors if isinstance(term, ex.Product) else (term,)
        number, atoms = 1, []
        for factor in factors:
            if (value := ex.constant(factor)) is not None:
                number *= value
            else:
                atoms.append(ex.to_text(factor))
        yield number, tuple(sorted(atoms))


def never_larger(one: Expression, other: Expression) -> bool:
    """Whether a polynomial is at most another one where all parameters are at least 1, as far as its terms tell: each that is too much is made up for
    by one with as many factors."""
    left = {atoms: number for number, atoms in monomials(ex.subtract(other, one))}
    room = [[number, atoms] for atoms, number in left.items() if number > 0]
    for atoms, number in left.items():
        missing = -number
        for held in room:
            size, factors = held
            assert isinstance(size, int) and isinstance(factors, tuple)
            if (
                missing > 0
                and (factors == atoms or _is_part(atoms, factors))
                and all(f.isidentifier() for f in factors)
            ):
                taken = min(size, missing)
                missing -= taken
                held[0] = size - taken
        if missing > 0:
            return False
    return True


def witness(case: Case, present: Mapping[str, int], machine: frozenset[str]) -> dict[str, int] | None:
    """Values under which the case holds, near those of the text; None if none are found."""
    names = sorted(present)
    for factors in sorted(product(_FACTORS, repeat=min(len(names), 4)), key=sum):
        for base in (present, dict.fromkeys(names, 1)):
            values = {name: base[name] * factor for name, factor in zip(names, factors, strict=False)}
            values = {**base, **values}
            if (found := _with_machine(case, values, machine)) is not None:
                return found
    return None


def _with_machine(case: Case, values: Mapping[str, int], machine: frozenset[str]) -> dict[str, int] | None:
    """Values of the machine for these of the parameters: what is asked for, or just too little."""
    least: dict[str, int] = {}
    below: dict[str, int] = {}
    for one in case:
        if not isinstance(one.limit, ex.Symbol):
            if not one.holds(values):
                return None
            continue
        name, counter = one.limit.name, ex.evaluate(one.counter, values)
        if one.fits:
            least[name] = max(least.get(name, 0), counter)
        else:
            below[name] = min(below.get(name, counter), counter)
    found = {name: least.get(name, below.get(name, 1) - 1) for name in sorted(machine)}
    is_there = all(found[name] >= 0 and found[name] < below.get(name, found[name] + 1) for name in machine)
    return {**values, **found} if is_there else None
