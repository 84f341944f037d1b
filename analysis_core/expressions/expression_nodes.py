"""The node classes of cost expressions, their exact arithmetic, and the one way to walk them.

Nothing here normalises: `expression.py` builds, `expression_text.py` prints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, TypeVar

from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class Integer:
    value: int


@dataclass(frozen=True, slots=True)
class Symbol:
    """`name` as in the source; `safe_name` makes it fit for Python."""

    name: str


class Composite:
    """A node with operands; what is found out about it may be kept with it (`support.derived`)."""


@dataclass(frozen=True, slots=True)
class Sum(Composite):
    terms: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Product(Composite):
    factors: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class CeilDiv(Composite):
    dividend: Expression
    divisor: Expression


@dataclass(frozen=True, slots=True)
class FloorDiv(Composite):
    dividend: Expression
    divisor: Expression


@dataclass(frozen=True, slots=True)
class Modulo(Composite):
    dividend: Expression
    divisor: Expression


@dataclass(frozen=True, slots=True)
class FloorLog(Composite):
    base: int
    argument: Expression


@dataclass(frozen=True, slots=True)
class Maximum(Composite):
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Minimum(Composite):
    items: tuple[Expression, ...]


Expression = Integer | Symbol | Sum | Product | CeilDiv | FloorDiv | Modulo | FloorLog | Maximum | Minimum

T = TypeVar("T")


_OPERANDS: Mapping[type, Callable[[Any], tuple[Expression, ...]]] = {
    Integer: lambda e: (),
    Symbol: lambda e: (),
    Sum: attrgetter("terms"),
    Product: attrgetter("factors"),
    Maximum: attrgetter("items"),
    Minimum: attrgetter("items"),
    **dict.fromkeys((CeilDiv, FloorDiv, Modulo), lambda e: (e.dividend, e.divisor)),
    FloorLog: lambda e: (e.argument,),
}
"""By class: every expression is walked again and again, and a `match` tries one class after the other."""


def children(node: Expression) -> tuple[Expression, ...]:
    """The direct operands, left to right."""
    return _OPERANDS[type(node)](node)


def fold(expression: Expression, combine: Callable[[Expression, tuple[T, ...]], T]) -> T:
    """Bottom-up: `combine(node, results of its children)`, with an explicit stack."""
    done: list[T] = []
    work: list[tuple[Expression, int]] = [(expression, 0)]  # with the number of operands, once these are on their way
    while work:
        node, count = work.pop()
        if count:
            results = tuple(done[-count:])
            del done[-count:]
            done.append(combine(node, results))
            continue
        below = _OPERANDS[type(node)](node)
        if below:
            work.append((node, len(below)))
            work.extend([(child, 0) for child in reversed(below)])
        else:
            done.append(combine(node, ()))
    return done[0]


def ceil_div_value(a: int, b: int) -> int:
    """a / b rounded up, exactly.  Raises ZeroDivisionError for b == 0."""
    return -(-a // b)


def floor_log_value(base: int, a: int) -> int:
    """The largest e >= 0 with base**e <= a; -1 for a < 1.  Raises ValueError for base < 2."""
    if base < 2:
        raise ValueError(f"floor_log needs a base of at least 2, not {base}")
    exponent, power = -1, 1
    while power <= a:
        exponent, power = exponent + 1, power * base
    return exponent


PYTHON_FUNCTIONS: Mapping[str, Callable[..., int]] = {
    "ceil_div": ceil_div_value,
    "floor_log": floor_log_value,
    "max": max,
    "min": min,
}
"""What the text of `to_python` may call; hand it to `eval` with the symbols."""
