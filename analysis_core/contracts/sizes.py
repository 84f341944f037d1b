"""What conditions say of single sizes, and whether one cost is at most another under them.

From the parts of a conjunction these are read: `n % 32 == 0`, `n >= 32`, `n <= 64`, `n == 64` and `w == 2*h`.  What is not read is not used, which
costs proofs and nothing else.  Where all sizes that occur have few values, each is gone through.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from itertools import product
from math import lcm, prod

from analysis_core.expressions import expression as ex
from analysis_core.expressions.compare import at_most
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core.term_expressions import expression_of
from analysis_core.syntax.read.annotation_tree import Binary, Call, Name, Number, Term, Unary, conjuncts
from analysis_core.text.records import dataclass

_MOST_VALUES = 600
"""Combinations of sizes that are gone through one by one."""

_LARGE = 1 << 20
"""Greater ends are those of types."""

_SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}

Names = Mapping[str, Expression]
"""By name as written in a term: what it is worth, over safe names."""


@dataclass(slots=True)
class Sizes:
    """By safe name: what each is at least, at most, and a multiple of; `worth`: those that are given by others."""

    least: dict[str, int] = field(default_factory=dict)
    most: dict[str, int] = field(default_factory=dict)
    multiples: dict[str, int] = field(default_factory=dict)
    worth: dict[str, Expression] = field(default_factory=dict)

    def learn(self, condition: Term, names: Names) -> None:
        """Adds what a condition says."""
        for part in conjuncts(condition):
            if isinstance(part, Binary) and part.op in _SWAPPED:
                left, right = (expression_of(side, names.get) for side in (part.left, part.right))
                if left is not None and right is not None:
                    self._compare(part.op, left, right)

    def _compare(self, op: str, left: Expression, right: Expression) -> None:
        if not isinstance(left, ex.Symbol | ex.Modulo):
            op, left, right = _SWAPPED[op], right, left
        number = ex.constant(right)
        match left:
            case ex.Modulo(ex.Symbol(name), divisor) if op == "==" and number == 0:
                self.multiples[name] = lcm(self.multiples.get(name, 1), ex.constant(divisor) or 1)
            case ex.Symbol(name) if op == "==" and name not in ex.symbols(right):
                self.worth.setdefault(name, right)
            case ex.Symbol(name) if op in (">", ">=") and number is not None:
                self.least[name] = max(self.least.get(name, 0), number + (op == ">"))
            case ex.Symbol(name) if op in ("<", "<=") and number is not None:
                self.most[name] = min(self.most.get(name, number), number - (op == "<"))
            case _:
                pass

    def within(self, name: str, least: int | None, most: int | None, multiple: int) -> None:
        """Adds what is known of one size."""
        if least is not None and least > 0:
            self.least[name] = max(self.least.get(name, 0), least)
        if most is not None and most < _LARGE:
            self.most[name] = min(self.most.get(name, most), most)
        if multiple > 1:
            self.multiples[name] = lcm(self.multiples.get(name, 1), multiple)

    def put(self, expression: Expression) -> Expression:
        """The expression with what is given by others put in."""
        for _ in range(3):
            if not ex.symbols(expression) & self.worth.keys():
                break
            expression = ex.substitute(expression, self.worth)
        return expression

    def at_most(self, a: Expression, b: Expression) -> bool | None:
        """Whether a <= b wherever the conditions hold; False with a counterexample among sizes that may not keep all of them."""
        a, b = self.put(a), self.put(b)
        found = at_most(a, b, self.least, self.multiples)
        if found:
            return True
        every = self._every(sorted(ex.symbols(a) | ex.symbols(b)))
        if every is None:
            return found
        try:
            return all(ex.evaluate(a, point) <= ex.evaluate(b, point) for point in every)
        except ZeroDivisionError:
            return found

    def _every(self, names: list[str]) -> Iterator[dict[str, int]] | None:
        """All values of these names, if they are few."""
        if not all(name in self.most for name in names):
            return None
        ranges = [self.values(name, self.most[name]) for name in names]
        if prod(map(len, ranges)) > _MOST_VALUES:
            return None
        return (dict(zip(names, point, strict=True)) for point in product(*ranges))

    def values(self, name: str, most: int) -> range:
        """The values of a name up to one."""
        unit, least = self.multiples.get(name, 1), self.least.get(name, 0)
        return range(-(-least // unit) * unit, most + 1, unit)


def is_plain(term: Term, names: Names, sizes: Sizes) -> bool:
    """Whether nothing in a term that may be negative is divided, which C rounds the other way than expressions do."""
    match term:
        case Number() | Name():
            return True
        case Unary():
            return is_plain(term.operand, names, sizes)
        case Binary():
            if not all(is_plain(side, names, sizes) for side in (term.left, term.right)):
                return False
            if term.op not in ("/", "%"):
                return True
            dividend = expression_of(term.left, names.get)
            return dividend is not None and sizes.at_most(ex.ZERO, dividend) is True
        case Call(function="ceil", args=(Binary(op="/", left=left, right=right),)):
            return all(is_plain(side, names, sizes) for side in (left, right))
        case Call():
            return all(is_plain(arg, names, sizes) for arg in term.args)


def learned(conditions: Iterable[tuple[Term, Names]]) -> Sizes:
    """What all these conditions say; an extent of the grid is at least 1."""
    sizes = Sizes(least={f"gridDim_{axis}": 1 for axis in "xyz"})
    for condition, names in conditions:
        sizes.learn(condition, names)
    return sizes
