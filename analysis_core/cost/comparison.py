"""Comparing expressions for all values of their symbols, all of which are non-negative (parameters, sizes, trip counts).

`a >= b` is shown by writing a - b as a sum of terms that are not negative; where that does not succeed nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from analysis_core.cost import expression as ex
from analysis_core.cost.expression import (
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
)


def at_least(a: Expression, b: Expression) -> bool:
    """Whether a >= b is shown."""
    return is_nonnegative(ex.subtract(a, b))


def is_nonnegative(e: Expression) -> bool:
    """Whether e >= 0 is shown."""

    def combine(node: Expression, parts: tuple[bool, ...]) -> bool:
        match node:
            case Integer(value):
                return value >= 0
            case Symbol():
                return True
            case Sum() | Product() | Minimum():
                return all(parts)
            case Maximum():
                return any(parts)
            case CeilDiv() | FloorDiv():
                return all(parts)
            case Modulo():
                return parts[1]
            case FloorLog():
                return False
            case _:
                assert_never(node)

    return ex.fold(e, combine)


def greatest(items: Iterable[Expression]) -> Expression:
    """The maximum, without items that another one is shown to be at least."""
    return ex.maximum(*_kept(items, at_least))


def least(items: Iterable[Expression]) -> Expression:
    """The minimum, without items that are shown to be at least another one."""
    return ex.minimum(*_kept(items, lambda a, b: at_least(b, a)))


def _kept(items: Iterable[Expression], covers) -> list[Expression]:  # type: ignore[no-untyped-def]
    kept: list[Expression] = []
    for item in items:
        if any(covers(other, item) for other in kept):
            continue
        kept = [other for other in kept if not covers(item, other)] + [item]
    return kept or [ex.ZERO]
