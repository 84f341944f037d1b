"""Launches that are all together over far fewer threads than those of another loop of the program, by the numbers that it is written for.

    for (int k = 0; k < 200; k++) column<<<500, 256>>>(p, k);               // 26 million threads
    for (int s = 0; s < steps; s++)
        for (int z = 0; z < 80; z++) plane<<<20000, 256>>>(q, z);           // 410 million in each step

Numbers alone are compared, those that callers pass included: of a size nobody knows whether it is as large as another.  A loop may also repeat something to time it,
so there are no fewer launches of the other kernel, each of which is over several times as many threads.  A loop of which nobody knows how long it is
has as many rounds as in findings.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import prod

from analysis_core.program.host.size_products import Sizes, constant_of
from analysis_core.program.launch_choices import are_alternatives
from analysis_core.program.launch_extents import FAR_MORE, Launched

_SEVERAL = 8
"""Times as many threads of one launch."""

_ROUNDS = 32
"""Of a loop that nobody knows, as in findings."""


def times_in_total(one: Launched, other: Launched) -> int:
    """How many times as many threads as one launch has in all its rounds another has that stands in other loops, 0 where that is not far more."""
    if not one.rounds or not other.rounds or one.rounds.keys() & other.rounds.keys():
        return 0
    if one.kernel == other.kernel or are_alternatives(one.choices, other.choices):
        return 0
    few, many = _number(one.threads), _number(other.threads)
    own = _rounds(one.rounds.values(), None)
    theirs = _rounds(other.rounds.values(), Fraction(_ROUNDS))
    if not few or many is None or not own or theirs is None or many < _SEVERAL * few or theirs < own:
        return 0
    times = many * theirs / (few * own)
    return int(times) if times >= FAR_MORE else 0


def _rounds(loops: Iterable[Sizes | None], unknown: Fraction | None) -> Fraction | None:
    """Of all loops around a launch together; `unknown`: of one that nobody knows, None if that is one too many."""
    numbers = [unknown if (number := _number(sizes)) is None else number for sizes in loops]
    known = [number for number in numbers if number is not None]
    return prod(known, start=Fraction(1)) if len(known) == len(numbers) else None


def _number(sizes: Sizes | None) -> Fraction | None:
    return None if sizes is None else constant_of(sizes)
