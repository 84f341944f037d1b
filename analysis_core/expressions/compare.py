"""Comparing costs: is one expression at most another, whatever the sizes?

`at_most(a, b)` answers True with a proof, False with a counterexample in hand, and None where it has neither.  Every symbol
is an integer of at least 0 (or of its own least value); a division by zero has no value and nothing is claimed there.

The proof shows that b - a, with its quotients and extremes relaxed to fractions, has no negative coefficient.  An example:
n <= 8*ceil(n/8), since ceil(n/8) >= n/8 makes the difference at least 8*(n/8) - n = 0.  As costs are integers, a
difference above -1 is enough.  The relaxations, each of which lowers the difference:

    in a term with a positive coefficient          with a negative one
    ceil(e/d)    >= e/d                            <= (e + d - 1)/d; <= e for e >= 0
    floor(e/d)   >= (e - d + 1)/d                  <= e/d
    e % d        >= 0                              <= d - 1; <= e for e >= 0
    ceil, floor                                    <= the same of a dividend that is at least e
    max(e, f)    >= e, >= f (one is chosen)        = e or = f (both are shown)
    min(e, f)    = e or = f (both are shown)       <= e, <= f (one is chosen)
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from analysis_core.expressions.expression import (
    CeilDiv,
    Expression,
    FloorDiv,
    FloorLog,
    Integer,
    Maximum,
    Minimum,
    Modulo,
    Product,
    Sum,
    Symbol,
    add,
    ceil_div,
    constant,
    evaluate,
    floor_div,
    floor_log,
    fold,
    integer,
    maximum,
    minimum,
    modulo,
    multiply,
    scale,
    size,
    substitute,
    subtract,
    symbol,
    symbols,
)
from analysis_core.expressions.rational import Rational, number, plus, rational, scaled, times

_MOST_STEPS = 150
_MOST_COMPARISONS = 64
"""Of the items of one max or min: eight with each other, or all warps of a block with the one that goes round most often."""

_MOST_NODES = 400
_SAMPLES = 40
_VALUES = (0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 100, 255, 256, 1024)


def at_most(
    a: Expression,
    b: Expression,
    least: Mapping[str, int] | None = None,
    multiples: Mapping[str, int] | None = None,
) -> bool | None:
    """Whether a <= b for all values.  `least`: symbols that are at least a number other than 0 (not below it); `multiples`:
    symbols that are multiples of a number."""
    if a == b:
        return True
    names = sorted(symbols(a) | symbols(b))
    values = {name: _free(name, (least or {}).get(name, 0), (multiples or {}).get(name, 1)) for name in names}
    a, b = substitute(a, values), substitute(b, values)
    if proved_at_most(a, b):
        return True
    return False if any(_exceeds(a, b, point) for point in _points(names)) else None


def exceeding(
    a: Expression,
    b: Expression,
    least: Mapping[str, int] | None = None,
    multiples: Mapping[str, int] | None = None,
) -> Mapping[str, int] | None:
    """Values at which a > b: the counterexample of `at_most`; None where none is in hand."""
    names = sorted(symbols(a) | symbols(b))
    values = {name: _free(name, (least or {}).get(name, 0), (multiples or {}).get(name, 1)) for name in names}
    a, b = substitute(a, values), substitute(b, values)
    found = next((point for point in _points(names) if _exceeds(a, b, point)), None)
    return None if found is None else {name: evaluate(values[name], found) for name in names}


def proved_at_most(a: Expression, b: Expression) -> bool:
    """Whether a <= b is proved for all non-negative values. No counterexample is sought, and nothing is proved about
    very large expressions."""
    if size(a) + size(b) > _MOST_NODES:
        return False
    return _Proof().shows(rational(subtract(b, a)))


def always_equal(a: Expression, b: Expression) -> bool | None:
    """Whether a = b for all values of at least 0."""
    there, back = at_most(a, b), at_most(b, a)
    if there is False or back is False:
        return False
    return True if there and back else None


def simplified(expression: Expression) -> Expression:
    """The expression without items of max and min that another item is proved to exceed. Very large expressions are
    returned as they are."""
    if size(expression) > _MOST_NODES:
        return expression

    def combine(node: Expression, parts: tuple[Expression, ...]) -> Expression:
        match node:
            case Integer() | Symbol():
                return node
            case Sum():
                return add(*parts)
            case Product():
                return multiply(*parts)
            case CeilDiv():
                return ceil_div(*parts)
            case FloorDiv():
                return floor_div(*parts)
            case Modulo():
                return modulo(*parts)
            case FloorLog(base):
                return floor_log(base, parts[0])
            case Maximum():
                return maximum(*_undominated(parts, greatest=True))
            case Minimum():
                return minimum(*_undominated(parts, greatest=False))

    return fold(expression, combine)


def _undominated(items: tuple[Expression, ...], greatest: bool) -> Sequence[Expression]:
    """Items that no kept one is proved to exceed (`greatest`), or to lie below, as far as so many comparisons tell."""
    left = _MOST_COMPARISONS

    def is_beaten(item: Expression, by: Expression) -> bool:
        nonlocal left
        left -= 1
        return left >= 0 and proved_at_most(*((item, by) if greatest else (by, item)))

    kept: list[Expression] = []
    for item in items:
        if not any(is_beaten(item, other) for other in kept):
            kept = [*(other for other in kept if not is_beaten(other, item)), item]
    return kept


def _free(name: str, least: int, multiple: int) -> Expression:
    """The symbol as its least value plus a multiple of something that is at least 0."""
    return add(integer(-(-least // multiple) * multiple), scale(multiple, symbol(name)))


def _points(names: Sequence[str]) -> Iterator[Mapping[str, int]]:
    """Sizes to try, always the same ones."""
    yield from (dict.fromkeys(names, value) for value in _VALUES)
    chance = random.Random(len(names))
    yield from ({name: chance.choice(_VALUES) for name in names} for _ in range(_SAMPLES if len(names) > 1 else 0))


def _exceeds(a: Expression, b: Expression, point: Mapping[str, int]) -> bool:
    try:
        return evaluate(a, point) > evaluate(b, point)
    except ZeroDivisionError:
        return False


class _Proof:
    """One proof: every symbol is at least 0; `_left` bounds the search."""

    def __init__(self) -> None:
        self._left = _MOST_STEPS

    def shows(self, difference: Rational) -> bool:
        """Whether the difference, which lies below an integer, is above -1."""
        self._left -= 1
        if self._left < 0:
            return False
        if all(c > (0 if atoms else -1) and self._is_natural(*atoms) for atoms, c in difference.items()):
            return True
        for choices in self._relaxations(difference):
            # Both sides of a case distinction are shown; of relaxations one is enough.
            if any(all(self.shows(goal) for goal in goals) for goals in choices):
                return True
        return False

    def _relaxations(self, difference: Rational) -> Iterator[list[list[Rational]]]:
        """For a first term that can be relaxed, what is enough to show; negative terms first, which have to go."""
        for atoms, coefficient in sorted(difference.items(), key=lambda term: (term[1] > 0, -len(term[0]))):
            for place, atom in enumerate(atoms):
                rest = (*atoms[:place], *atoms[place + 1 :])
                if isinstance(atom, Symbol) or not self._is_natural(*rest):
                    continue
                without = {key: c for key, c in difference.items() if key != atoms}
                choices = self._bounds(atom, coefficient > 0)
                if coefficient < 0:
                    choices = [*self._monotone(atom, difference), *choices]
                goals = [[plus(without, times({rest: coefficient}, bound)) for bound in bounds] for bounds in choices]
                if goals:
                    yield goals
                    if coefficient < 0:
                        return

    def _bounds(self, atom: Expression, lower: bool) -> list[list[Rational]]:
        """Choices of what the atom is at least (`lower`) or at most; several bounds of one choice are cases."""
        match atom:
            case CeilDiv(e, d) if (n := constant(d)) is not None and n > 0:
                even = [scaled(Fraction(1, n), rational(e if lower else add(e, integer(n - 1))))]
                return [even] if lower or not self._is_natural(e) else [even, [rational(e)]]
            case FloorDiv(e, d) if (n := constant(d)) is not None and n > 0:
                return [[scaled(Fraction(1, n), rational(add(e, integer(1 - n)) if lower else e))]]
            case Modulo(e, d):
                n = constant(d) or 0
                most = [[number(n - 1)]] if n > 0 else []
                if self._is_natural(e, d):
                    most.append([rational(e)])
                return [[number(0)]] if lower and self._is_natural(d) else [] if lower else most
            case Maximum(items):
                found = [rational(item) for item in items]
                return [[bound] for bound in found] if lower else [found]
            case Minimum(items):
                found = [rational(item) for item in items]
                return [found] if lower else [[bound] for bound in found]
            case FloorLog(_, e):
                # floor_log(b, e) <= e where e >= 0, and never below -1.
                return [[number(-1)]] if lower else [[rational(e)]] if self._is_natural(e) else []
            case _:
                return []

    def _monotone(self, atom: Expression, difference: Rational) -> Iterator[list[Rational]]:
        """Quotients of the difference with a divisor that is no greater and a dividend that is no less; extremes, item by item."""
        if isinstance(atom, CeilDiv | FloorDiv | Maximum | Minimum):
            for other in {other: None for atoms, c in difference.items() if c > 0 for other in atoms}:
                if self._exceeds(other, atom):
                    yield [{(other,): Fraction(1)}]

    def _exceeds(self, other: Expression, atom: Expression) -> bool:
        match atom, other:
            case (CeilDiv(less, d), CeilDiv(greater, e)) | (FloorDiv(less, d), FloorDiv(greater, e)):
                small, large = constant(e) or 0, constant(d) or 0  # a larger divisor makes what is at least 0 no larger
                divided = d == e or (large >= small and self._is_at_least_0(less))
                return large > 0 and small > 0 and divided and self._is_no_less(greater, less)
            case Maximum(items), Maximum(theirs):
                return all(any(self._is_no_less(their, item) for their in theirs) for item in items)
            case Minimum(items), Minimum(theirs):
                return all(any(self._is_no_less(their, item) for item in items) for their in theirs)
            case _:
                return False

    def _is_no_less(self, greater: Expression, less: Expression) -> bool:
        return self.shows(rational(subtract(greater, less)))

    def _is_natural(self, *atoms: Expression) -> bool:
        """Whether all of these are at least 0."""
        return all(self._is_at_least_0(atom) for atom in atoms)

    def _is_at_least_0(self, atom: Expression) -> bool:
        match atom:
            case Symbol():
                return True
            case Integer(value):
                return value >= 0
            case CeilDiv(e, d) | FloorDiv(e, d):
                return self._is_natural(e, d)
            case Modulo(_, d):
                return self._is_natural(d)
            case Maximum(items):
                return any(self._is_at_least_0(item) for item in items)
            case Minimum(items):
                return self._is_natural(*items)
            case FloorLog(_, e):
                return self.shows(rational(subtract(e, integer(1))))
            case _:
                return self.shows(rational(atom))
