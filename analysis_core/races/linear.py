"""Sums of unknowns, and formulas over them as text of SMT-LIB, which a solver reads far faster than it is told formulas one by one.

What is said of numbers alone is decided while it is written: a formula is "true", "false", or asks for something.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from math import gcd

Linear = Mapping[str, int]
"""The coefficient of each unknown, none of them 0; that of "" is the number."""

Range = tuple[int | None, int | None]
TRUE, FALSE = "true", "false"
_NAME = re.compile(r"\bu\d+\b")


def number(n: int) -> Linear:
    """The number."""
    return {"": n} if n else {}


def plus(*sums: Linear) -> Linear:
    """Their sum."""
    found: dict[str, int] = {}
    for one in sums:
        for name, coefficient in one.items():
            found[name] = found.get(name, 0) + coefficient
    return {name: coefficient for name, coefficient in found.items() if coefficient}


def times(n: int, one: Linear) -> Linear:
    """n times the sum."""
    return {name: n * coefficient for name, coefficient in one.items()} if n else {}


def minus(one: Linear, other: Linear) -> Linear:
    """Their difference."""
    return plus(one, times(-1, other))


def value_of(one: Linear) -> int | None:
    """The number that it is; None if it has unknowns."""
    return one.get("", 0) if not one or (len(one) == 1 and "" in one) else None


def term(one: Linear) -> str:
    """Its text."""
    parts = [
        _digits(c) if not name else name if c == 1 else f"(* {_digits(c)} {name})" for name, c in sorted(one.items())
    ]
    return f"(+ {' '.join(parts)})" if len(parts) > 1 else parts[0] if parts else "0"


def _digits(n: int) -> str:
    return str(n) if n >= 0 else f"(- {-n})"


def at_least(one: Linear, other: Linear) -> str:
    """one >= other."""
    distance = minus(one, other)
    known = value_of(distance)
    return f"(>= {term(distance)} 0)" if known is None else TRUE if known >= 0 else FALSE


def below(one: Linear, other: Linear) -> str:
    """one < other."""
    return at_least(other, plus(one, number(1)))


def equal(one: Linear, other: Linear) -> str:
    """one == other."""
    distance = minus(one, other)
    known = value_of(distance)
    if known is not None:
        return FALSE if known else TRUE
    return f"(= {term(distance)} 0)"


def negated(formula: str) -> str:
    """The opposite."""
    return {TRUE: FALSE, FALSE: TRUE}.get(formula, f"(not {formula})")


def both(formulas: Iterable[str]) -> str:
    """All of them."""
    kept = [one for one in dict.fromkeys(formulas) if one != TRUE]
    return FALSE if FALSE in kept else f"(and {' '.join(kept)})" if len(kept) > 1 else kept[0] if kept else TRUE


def either(formulas: Iterable[str]) -> str:
    """One of them."""
    kept = [one for one in dict.fromkeys(formulas) if one != FALSE]
    return TRUE if TRUE in kept else f"(or {' '.join(kept)})" if len(kept) > 1 else kept[0] if kept else FALSE


def implied(one: str, other: str) -> str:
    """The second where the first holds."""
    return either([negated(one), other])


def names_in(formula: str) -> list[str]:
    """The unknowns in a formula."""
    return _NAME.findall(formula)


def is_within(distance: Linear, low: int, high: int, ranges: Mapping[str, Range]) -> bool:
    """Whether the sum may lie between `low` and `high`, as far as the ranges of its unknowns and what divides them tell."""
    least: int | None = 0
    most: int | None = 0
    step = 0
    for name, coefficient in distance.items():
        ends: Range = (1, 1) if not name else ranges.get(name, (None, None))
        a, b = ends if coefficient > 0 else (ends[1], ends[0])
        least = None if least is None or a is None else least + coefficient * a
        most = None if most is None or b is None else most + coefficient * b
        step = gcd(step, coefficient) if name else step
    low = low if least is None else max(low, least)
    high = high if most is None else min(high, most)
    start = distance.get("", 0)
    return low <= high and (low + (start - low) % step <= high if step else low <= start <= high)
