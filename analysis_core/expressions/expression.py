"""Costs as data: integer expressions over named symbols, normalised, evaluated exactly and printed.

An expression is a value of frozen nodes.  Build expressions with the lower-case constructors (`add`, `multiply`,
`ceil_div`, ...), never with the node classes: the constructors fold constants, collect like terms, expand small
products and order everything, so that equal costs nearly always become equal values.

    node          meaning (exact integers)
    Integer       a constant
    Symbol        a symbol by its name in the source: "n", "p.n", "gridDim.x", "T17"
    Sum, Product  of two or more terms; a Sum holds at most one Integer, first; a Product's Integer stands first too
    CeilDiv       -(-a // b)        FloorDiv  a // b        Modulo  a % b   (Python's, rounding down; b != 0)
    FloorLog      the largest e with base**e <= a, and -1 for a < 1 (base >= 2)
    Maximum, Minimum

Normalisation keeps the value wherever the expression written down has one; it may drop a division by zero that is
multiplied by 0, and one of a term by itself.  Fractions never occur.  All walks are iterative (`fold`), so depth cannot overflow the stack; but text
nested deeper than `MAXIMUM_DEPTH` is refused by Python's own parser, so whoever prints checks `depth` first.

This module is the door: it builds and questions expressions, and passes on the nodes (`expression_nodes.py`) and the
printing (`expression_text.py`).

Tested by `tests/properties/test_expression.py`: evaluation equals Python's on the printed text, and constructors
equal the plain arithmetic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import gcd
from typing import assert_never, cast

from analysis_core.expressions.expression_nodes import (
    PYTHON_FUNCTIONS,
    CeilDiv,
    Composite,
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
    ceil_div_value,
    children,
    floor_log_value,
    fold,
)
from analysis_core.expressions.expression_text import safe_name, safe_names, to_python, to_text
from analysis_core.support.derived import derived

__all__ = [
    "MAXIMUM_DEPTH", "ONE", "PYTHON_FUNCTIONS", "ZERO", "CeilDiv", "Expression", "FloorDiv", "FloorLog", "Integer",
    "Maximum", "Minimum", "Modulo", "Product", "Sum", "Symbol", "add", "ceil_div", "ceil_div_value", "constant", "constant_term", "depth",
    "evaluate", "floor_div", "floor_log", "floor_log_value", "fold", "integer", "maximum", "minimum", "modulo", "multiply",
    "safe_name", "safe_names", "scale", "size", "substitute", "subtract", "symbol", "symbols", "to_python", "to_text",
]  # fmt: skip

MAXIMUM_DEPTH = 60
"""Nesting that Python's parser surely accepts: it allows 200 open parentheses, and a level opens at most three."""

_EXPANDED_TERMS = 32
"""Products of sums are multiplied out up to this many terms: enough for nested loops, and no explosion."""


ZERO = Integer(0)
ONE = Integer(1)

# --- constructors -------------------------------------------------------------------------------------------------


def integer(value: int) -> Expression:
    return Integer(int(value))


def symbol(name: str) -> Expression:
    return Symbol(name)


def constant(expression: Expression) -> int | None:
    """The value of a constant expression (normalised, so an Integer node), else None."""
    return expression.value if isinstance(expression, Integer) else None


def add(*terms: Expression) -> Expression:
    """The sum; like terms are collected."""
    present = [term for term in terms if term != ZERO]
    if len(present) <= 1:
        return present[0] if present else ZERO
    return _from_terms(_collect(pair for term in present for pair in _terms(term)))


def subtract(a: Expression, b: Expression) -> Expression:
    return add(a, scale(-1, b))


def scale(factor: int, expression: Expression) -> Expression:
    """`factor * expression`, distributed over sums."""
    if factor == 0:
        return ZERO
    return expression if factor == 1 else _from_terms([(factor * c, atoms) for c, atoms in _terms(expression)])


def multiply(*factors: Expression) -> Expression:
    """The product.  Sums are multiplied out while the result stays small."""
    result: Expression = ONE
    for factor in factors:
        result = _multiply_two(result, factor)
    return result


def ceil_div(dividend: Expression, divisor: Expression) -> Expression:
    """dividend / divisor rounded up; multiples of the divisor are taken out of the dividend."""
    d = constant(divisor)
    if d is None:
        whole, rest = _symbolic_multiples(dividend, divisor)
        if whole == ZERO and rest != ZERO:
            return CeilDiv(dividend, divisor)
        return whole if rest == ZERO else add(whole, CeilDiv(rest, divisor))
    if d == 0:
        return CeilDiv(dividend, divisor)
    if d < 0:
        return ceil_div(scale(-1, dividend), Integer(-d))
    whole, rest, d = _split_multiples(dividend, d, up=True)
    if d == 1:
        return add(whole, rest)
    if isinstance(rest, Integer):
        return add(whole, Integer(ceil_div_value(rest.value, d)))
    if isinstance(rest, CeilDiv) and (inner := constant(rest.divisor)) is not None and inner > 0:
        return add(whole, ceil_div(rest.dividend, Integer(inner * d)))
    offset = constant_term(rest)
    if offset == 1 - d:
        # ceil((x - (d - 1)) / d) is the plain quotient of x.
        return add(whole, FloorDiv(add(rest, Integer(d - 1)), Integer(d)))
    return add(whole, CeilDiv(rest, Integer(d)))


def floor_div(dividend: Expression, divisor: Expression) -> Expression:
    """dividend / divisor rounded down (for a non-negative dividend: C's `/`)."""
    d = constant(divisor)
    if d is None:
        whole, rest = _symbolic_multiples(dividend, divisor)
        if whole == ZERO and rest != ZERO:
            return FloorDiv(dividend, divisor)
        return whole if rest == ZERO else add(whole, FloorDiv(rest, divisor))
    if d == 0:
        return FloorDiv(dividend, divisor)
    if d < 0:
        return floor_div(scale(-1, dividend), Integer(-d))
    whole, rest, d = _split_multiples(dividend, d, up=False)
    if d == 1:
        return add(whole, rest)
    if isinstance(rest, Integer):
        return add(whole, Integer(rest.value // d))
    if isinstance(rest, FloorDiv) and (inner := constant(rest.divisor)) is not None and inner > 0:
        return add(whole, floor_div(rest.dividend, Integer(inner * d)))
    if constant_term(rest) == d - 1:
        # floor((x + d - 1) / d), the usual spelling of a rounded-up quotient.
        return add(whole, CeilDiv(subtract(rest, Integer(d - 1)), Integer(d)))
    return add(whole, FloorDiv(rest, Integer(d)))


def modulo(dividend: Expression, divisor: Expression) -> Expression:
    """dividend mod divisor, in 0 .. divisor - 1 for a positive divisor (Python's `%`)."""
    d = constant(divisor)
    if d is None or d <= 0:
        return Modulo(dividend, divisor)
    rest = _from_terms(_collect((c % d, atoms) for c, atoms in _terms(dividend)))
    if isinstance(rest, Integer):
        return Integer(rest.value % d)
    if isinstance(rest, Modulo) and (inner := constant(rest.divisor)) is not None and 0 < inner <= d:
        return rest
    return Modulo(rest, Integer(d))


def floor_log(base: int, argument: Expression) -> Expression:
    """The largest e with base**e <= argument; -1 for an argument below 1."""
    if base < 2:
        raise ValueError(f"floor_log needs a base of at least 2, not {base}")
    if isinstance(argument, Integer):
        return Integer(floor_log_value(base, argument.value))
    return FloorLog(base, argument)


def maximum(*items: Expression) -> Expression:
    """The greatest; items that another one exceeds by a constant are dropped.  At least one item."""
    flat = [i for item in items for i in (item.items if isinstance(item, Maximum) else (item,))]
    kept = _extreme(flat, keep_greater=True)
    return kept[0] if len(kept) == 1 else Maximum(tuple(kept))


def minimum(*items: Expression) -> Expression:
    """The least; items that exceed another one by a constant are dropped.  At least one item."""
    flat = [i for item in items for i in (item.items if isinstance(item, Minimum) else (item,))]
    kept = _extreme(flat, keep_greater=False)
    return kept[0] if len(kept) == 1 else Minimum(tuple(kept))


# --- questions ----------------------------------------------------------------------------------------------------


def evaluate(expression: Expression, env: Mapping[str, int]) -> int:
    """The value with each symbol's value from `env` (keyed by the symbol's own name, not the safe one).

    Raises KeyError for a symbol without a value and ZeroDivisionError for a division by zero."""

    def combine(node: Expression, values: tuple[int, ...]) -> int:
        match node:
            case Integer(value):
                return value
            case Symbol(name):
                return int(env[name])
            case Sum():
                return sum(values)
            case Product():
                result = 1
                for value in values:
                    result *= value
                return result
            case CeilDiv():
                return ceil_div_value(*values)
            case FloorDiv():
                return values[0] // values[1]
            case Modulo():
                return values[0] % values[1]
            case FloorLog(base):
                return floor_log_value(base, values[0])
            case Maximum():
                return max(values)
            case Minimum():
                return min(values)
            case _:
                assert_never(node)

    return fold(expression, combine)


def symbols(expression: Expression) -> frozenset[str]:
    """The names of all symbols that occur."""
    found: set[str] = set()
    pending = [expression]
    while pending:
        node = pending.pop()
        if isinstance(node, Symbol):
            found.add(node.name)
        elif not isinstance(node, Integer):
            pending.extend(children(node))
    return frozenset(found)


def constant_term(expression: Expression) -> int:
    """The number that is added to everything else."""
    return sum(coefficient for coefficient, atoms in _terms(expression) if not atoms)


def depth(expression: Expression) -> int:
    """The height of the tree: 1 for a constant or a symbol."""
    return fold(expression, lambda _, below: 1 + max(below, default=0))


def size(expression: Expression) -> int:
    """The number of nodes."""
    return fold(expression, lambda _, below: 1 + sum(below))


def substitute(expression: Expression, values: Mapping[str, Expression]) -> Expression:
    """The expression with symbols replaced, normalised again."""

    def combine(node: Expression, parts: tuple[Expression, ...]) -> Expression:
        match node:
            case Integer():
                return node
            case Symbol(name):
                return values.get(name, node)
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
                return maximum(*parts)
            case Minimum():
                return minimum(*parts)
            case _:
                assert_never(node)

    return fold(expression, combine)


# --- normal form --------------------------------------------------------------------------------------------------
# A sum is handled as pairs (coefficient, atoms), where atoms are factors that are neither constants nor products.

_Term = tuple[int, tuple[Expression, ...]]


def _key(expression: Expression) -> str:
    """An unambiguous text, for ordering and for finding like terms (hashing nodes would recurse)."""
    if isinstance(expression, Symbol):  # as most atoms are
        return repr(expression.name)
    return str(expression.value) if isinstance(expression, Integer) else _key_of(expression)


@derived
def _key_of(expression: Composite) -> str:
    def combine(node: Expression, parts: tuple[str, ...]) -> str:
        match node:
            case Integer(value):
                return str(value)
            case Symbol(name):
                return repr(name)  # a quote sorts before letters: symbols come before functions
            case FloorLog(base):
                return f"FloorLog{base}({parts[0]})"
            case _:
                return f"{type(node).__name__}({','.join(parts)})"

    return fold(cast(Expression, expression), combine)


def _terms(expression: Expression) -> tuple[_Term, ...]:
    match expression:
        case Integer(value):
            return ((value, ()),)
        case Sum(terms):
            return tuple(pair for term in terms for pair in _terms(term))
        case Product((Integer(value), *atoms)):
            return ((value, tuple(atoms)),)
        case Product(factors):
            return ((1, factors),)
        case _:
            return ((1, (expression,)),)


def _collect(pairs: Iterable[_Term]) -> list[_Term]:
    """Like terms added, zero terms dropped; ordered by degree, then by text.  Atoms inside a term are in order."""
    sums: dict[str, int] = {}
    atoms_of: dict[str, tuple[Expression, ...]] = {}
    for coefficient, atoms in pairs:
        key = "*".join(_key(atom) for atom in atoms)
        sums[key] = sums.get(key, 0) + coefficient
        atoms_of[key] = atoms
    kept = [key for key, coefficient in sums.items() if coefficient != 0]
    kept.sort(key=lambda key: (len(atoms_of[key]), key))
    return [(sums[key], atoms_of[key]) for key in kept]


def _from_terms(terms: list[_Term]) -> Expression:
    nodes = [_from_term(coefficient, atoms) for coefficient, atoms in terms]
    if not nodes:
        return ZERO
    return nodes[0] if len(nodes) == 1 else Sum(tuple(nodes))


def _from_term(coefficient: int, atoms: tuple[Expression, ...]) -> Expression:
    if not atoms:
        return Integer(coefficient)
    if coefficient == 1:
        return atoms[0] if len(atoms) == 1 else Product(atoms)
    return Product((Integer(coefficient), *atoms))


def _multiply_two(a: Expression, b: Expression) -> Expression:
    left, right = _terms(a), _terms(b)
    if len(left) > 1 and len(right) > 1 and len(left) * len(right) > _EXPANDED_TERMS:
        return _from_terms([_joined((1, (a,)), (1, (b,)))])
    return _from_terms(_collect(_joined(x, y) for x in left for y in right))


def _joined(x: _Term, y: _Term) -> _Term:
    return x[0] * y[0], tuple(sorted(x[1] + y[1], key=_key))


def _symbolic_multiples(dividend: Expression, divisor: Expression) -> tuple[Expression, Expression]:
    """(whole, rest) with dividend = whole * divisor + rest, for a divisor that is a product of symbols (and not 0: then there
    is no quotient)."""
    of_divisor = _terms(divisor)
    ((unit, factors), *others) = of_divisor
    wanted = Counter(factor.name for factor in factors if isinstance(factor, Symbol))
    if others or sum(wanted.values()) < len(factors):
        return ZERO, dividend
    whole: list[_Term] = []
    rest: list[_Term] = []
    for coefficient, atoms in _terms(dividend):
        kept, missing = [], wanted.copy()
        for atom in atoms:
            if isinstance(atom, Symbol) and missing[atom.name] > 0:
                missing[atom.name] -= 1
            else:
                kept.append(atom)
        if coefficient % unit == 0 and len(atoms) - len(kept) == len(factors):
            whole.append((coefficient // unit, tuple(kept)))
        else:
            rest.append((coefficient, atoms))
    return _from_terms(_collect(whole)), _from_terms(rest)


def _split_multiples(dividend: Expression, d: int, up: bool) -> tuple[Expression, Expression, int]:
    """(whole, rest, e) with dividend / d rounded = whole + rest / e rounded, d > 0.

    Terms divisible by d leave the quotient; what is left is reduced by the common factor g of d and its coefficients:
    round((g*x + c) / (g*e)) = round((x + round(c/g)) / e) for either rounding, because x is an integer."""
    whole: list[_Term] = []
    rest: list[_Term] = []
    offset = 0
    for coefficient, atoms in _terms(dividend):
        if not atoms:
            offset = coefficient
        elif coefficient % d == 0:
            whole.append((coefficient // d, atoms))
        else:
            rest.append((coefficient, atoms))
    g = gcd(d, *(coefficient for coefficient, _ in rest))
    e = d // g
    offset = ceil_div_value(offset, g) if up else offset // g
    carry = ceil_div_value(offset, e) if up else offset // e
    reduced = [(coefficient // g, atoms) for coefficient, atoms in rest]
    reduced.append((offset - carry * e, ()))
    whole.append((carry, ()))
    return _from_terms(_collect(whole)), _from_terms(_collect(reduced)), e


def _extreme(items: list[Expression], keep_greater: bool) -> list[Expression]:
    """Items without those that another one beats by a constant difference, ordered."""
    if not items:
        raise ValueError("the maximum or minimum of nothing")
    kept: list[Expression] = []
    for item in items:
        beaten = False
        for index, other in enumerate(kept):
            difference = constant(subtract(item, other))
            if difference is None:
                continue
            beaten = True
            if (difference > 0) == keep_greater:
                kept[index] = item
            break
        if not beaten:
            kept.append(item)
    # Constants first: "max(0, n)".
    return sorted(kept, key=lambda item: (not isinstance(item, Integer), _key(item)))
