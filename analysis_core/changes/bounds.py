"""One bound held against another: equal, smaller, larger, or larger for some sizes, for all sizes that there are.

Nothing is sampled: a direction is proved (`expressions/compare.py`), or shown not to hold by sizes at which it does not.  Where bounds hold in
cases, each case is compared by itself; of one size the sizes from which on a bound is the larger one are found exactly, the finite rest by
going through it.  Sizes are at least 1, iterations of loops at least 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from math import lcm

from analysis_core.changes.sides import Amount, Case, trip_line
from analysis_core.expressions.compare import at_most, exceeding, simplified
from analysis_core.expressions.conditions import least_values
from analysis_core.expressions.expression import Expression, evaluate, size, symbols
from analysis_core.expressions.expression_people import multiples_of
from analysis_core.text.records import dataclass

BEFORE = "'"
"""Stands behind the name of a size that is not the one of this name on the other side."""

_NUMBER = re.compile(r"\b([A-Za-z_]\w*) == (\d+)")
_MOST_REGIONS = 16
_MOST_GONE_THROUGH = 4096
"""Sizes below the one from which on a bound is larger, each of which is looked at."""

_MOST_NODES = 50_000
"""Of expressions, evaluated for that: fewer sizes are looked at for long ones."""


class Direction(Enum):
    """How a bound compares with the one before, for all sizes.  MIXED: larger for some sizes and smaller for others; UNKNOWN: neither shown.
    LOST, GAINED: there was one and is none, or the reverse; NONE: there is none on either side."""

    EQUAL = "equal"
    SMALLER = "smaller"
    LARGER = "larger"
    MIXED = "larger for some sizes"
    UNKNOWN = "not comparable"
    LOST = "bound lost"
    GAINED = "bound found"
    NONE = "no bound"


@dataclass(frozen=True, slots=True)
class Region:
    """What holds under some conditions, () if always.  `when`: as C spells them; `larger_when`: for which sizes there the bound is larger, as a
    condition or an example, "" where not just for some."""

    when: tuple[str, ...]
    before: Expression
    after: Expression
    exact_before: bool
    exact_after: bool
    direction: Direction
    larger_when: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """A bound before and after.  `regions`: none where there is no bound on a side; then `because` says why."""

    direction: Direction
    regions: tuple[Region, ...] = ()
    because: str = ""


def is_of_one_side(name: str) -> bool:
    """Whether a size is one of before that is not known to be the same now."""
    return name.endswith(BEFORE)


def compared(before: Amount, after: Amount, names: Mapping[str, str]) -> Change:
    """The bounds of two sides.  `names`: of symbols in conditions, to those in expressions."""
    if before.upper is None or after.upper is None:
        missing = (before.upper is None, after.upper is None)
        direction = {(True, True): Direction.NONE, (True, False): Direction.GAINED}.get(missing, Direction.LOST)
        return Change(direction, (), after.because if after.upper is None else before.because)
    regions = tuple(_joined(_regions(before, after, names)))
    return Change(_together([region.direction for region in regions]), regions)


def _together(found: Sequence[Direction]) -> Direction:
    kinds = set(found)
    for direction in (Direction.EQUAL, Direction.SMALLER, Direction.LARGER):
        if kinds <= {Direction.EQUAL, direction}:
            return direction
    return Direction.UNKNOWN if Direction.UNKNOWN in kinds else Direction.MIXED


def _regions(before: Amount, after: Amount, names: Mapping[str, str]) -> Iterator[Region]:
    for mine, theirs in _pairs(before, after):
        a, b = mine.upper, theirs.upper
        if a is None or b is None:
            continue
        when = tuple(dict.fromkeys(part for case in (mine, theirs) if (part := case.when)))
        shown = tuple(dict.fromkeys(part for case in (mine, theirs) if case.shown for part in case.shown.split(" && ")))
        least = {name: 1 for name in symbols(a) | symbols(b) if trip_line(name) is None and not is_of_one_side(name)}
        multiples: dict[str, int] = {}
        for condition in when:
            for name, number in least_values(condition).items():
                source = names.get(name, name)
                least[source] = max(number, least.get(source, number))
            for name, number in multiples_of(condition).items():
                source = names.get(name, name)
                multiples[source] = lcm(number, multiples.get(source, 1))
        direction, larger = _direction(a, b, least, multiples)
        if direction is Direction.MIXED and _are_apart(symbols(a), symbols(b)):
            direction, larger = Direction.UNKNOWN, ""
        yield Region(shown, simplified(a), simplified(b), mine.exact, theirs.exact, direction, larger)


def _pairs(before: Amount, after: Amount) -> Iterator[tuple[Case, Case]]:
    """The cases of both sides that may hold together, those without conditions last."""
    mine, theirs = (
        (*amount.cases, Case("", "", amount.upper, amount.exact and not amount.cases)) for amount in (before, after)
    )
    if [case.when for case in mine] == [case.when for case in theirs]:
        yield from zip(mine, theirs, strict=True)
    elif len(mine) * len(theirs) > _MOST_REGIONS:
        yield mine[-1], theirs[-1]
    else:
        shared = {case.when for case in mine[:-1]} & {case.when for case in theirs[:-1]}
        numbers = _numbers(mine), _numbers(theirs)
        for one in mine:
            for other in theirs:
                # Where one side is in a case that both have, so is the other, unless an earlier one comes first.
                both = one.when == other.when or not shared & {one.when, other.when}
                if both and not any(_is_of_other(*pair) for pair in ((one, numbers[1]), (other, numbers[0]))):
                    yield one, other


def _are_apart(before: frozenset[str], after: frozenset[str]) -> bool:
    """Whether the bounds depend on sizes of their own, so that some values of these prove nothing."""
    return bool(before - after and after - before) or any(map(is_of_one_side, before))


def _numbers(cases: Sequence[Case]) -> Mapping[str, frozenset[str]]:
    """The numbers that cases are about, which are those that launches pass, by names."""
    found: dict[str, frozenset[str]] = {}
    for case in cases:
        for name, number in _NUMBER.findall(case.when):
            found[name] = found.get(name, frozenset()) | {number}
    return found


def _is_of_other(case: Case, numbers: Mapping[str, frozenset[str]]) -> bool:
    """Whether a case is about a number that the other side's launches do not pass."""
    return any(number not in numbers.get(name, (number,)) for name, number in _NUMBER.findall(case.when))


def _joined(regions: Iterator[Region]) -> Iterator[Region]:
    """Without those that say the same as one before, and with one alone for all where they do."""
    found = list(regions)
    if len({(r.before, r.after, r.direction, r.larger_when) for r in found}) == 1:
        exact = all(r.exact_before for r in found), all(r.exact_after for r in found)
        first = found[0]
        yield Region((), first.before, first.after, *exact, first.direction, first.larger_when)
    else:
        yield from found


def _direction(
    a: Expression, b: Expression, least: Mapping[str, int], multiples: Mapping[str, int]
) -> tuple[Direction, str]:
    """Of b, held against a, and for which sizes it is larger where not for all."""
    shrinks, grows = at_most(b, a, least, multiples), at_most(a, b, least, multiples)
    match shrinks, grows:
        case True, True:
            return Direction.EQUAL, ""
        case True, _:
            return Direction.SMALLER, ""
        case _, True:
            return Direction.LARGER, ""
        case False, False:
            larger = _from_a_size_on(a, b, least, multiples) or _example(a, b, least, multiples)
            return Direction.MIXED, larger
        case _:
            return Direction.UNKNOWN, ""


def _from_a_size_on(a: Expression, b: Expression, least: Mapping[str, int], multiples: Mapping[str, int]) -> str | None:
    """The sizes for which b > a as one condition, where one size decides and they are all beyond one of its values, or all before it."""
    names = symbols(a) | symbols(b)
    if len(names) != 1:
        return None
    (name,) = names
    step = multiples.get(name, 1) or 1
    first = -(-least.get(name, 0) // step) * step
    count = min(_MOST_GONE_THROUGH, _MOST_NODES // (size(a) + size(b)))
    values = range(first, first + count * step, step)
    try:
        larger = [evaluate(b, {name: value}) > evaluate(a, {name: value}) for value in values]
    except (ZeroDivisionError, OverflowError):
        return None
    turns = [n for n in range(1, len(larger)) if larger[n] != larger[n - 1]]
    if len(turns) != 1:
        return None
    turn, grows = values[turns[0]], larger[-1]
    beyond = {**least, name: turn}
    if at_most(*((a, b) if grows else (b, a)), beyond, multiples) is not True:
        return None
    return f"{name} >= {turn}" if grows else f"{name} < {turn}"


def _example(a: Expression, b: Expression, least: Mapping[str, int], multiples: Mapping[str, int]) -> str:
    """Sizes at which b is larger: "n = 33: 40 before, 48 after"."""
    point = exceeding(b, a, least, multiples)
    if point is None:
        return ""
    sizes = ", ".join(f"{name} = {value}" for name, value in point.items())
    return f"{sizes}: {evaluate(a, point)} before, {evaluate(b, point)} after"
