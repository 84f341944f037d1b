"""How well an argument converts to a parameter, and which of two conversions is the better one ([over.ics.rank]).

Identity and adjustments, promotion, conversion, user-defined conversion, ellipsis; among equals fewer qualifiers, rvalues to `&&`,
nearer bases, no `void *` and no bool win.
"""

from __future__ import annotations

from analysis_core.text.records import dataclass

EXACT, PROMOTION, CONVERSION, USER, ELLIPSIS, NONE = range(6)


@dataclass(frozen=True, slots=True)
class Conversion:
    """How one argument becomes one parameter.  `levels`: the qualifiers of what the parameter refers or points to, from the outside;
    `added`: whether a pointer gains some; `depth`: how many classes up a base is; `rvalue`: the argument is none that goes on."""

    rank: int
    reference: str = ""
    levels: tuple[tuple[bool, bool], ...] = ()
    added: bool = False
    depth: int = 0
    to_void: bool = False
    to_bool: bool = False
    rvalue: bool = False
    implicit: bool = False  # the object of a member function without & or &&
    underlying: bool = False  # an enumeration becomes the type that it declares


def better(left: Conversion, right: Conversion) -> int:
    """-1: the left one is better; 1: the right one is; 0: neither."""
    if left.rank != right.rank:
        return -1 if left.rank < right.rank else 1
    if left.rank >= USER:
        return 0
    if left.rank == PROMOTION and left.underlying != right.underlying:
        return -1 if left.underlying else 1
    for worse in ((left.to_bool, right.to_bool), (left.to_void and not right.depth, right.to_void and not left.depth)):
        if worse[0] != worse[1]:
            return 1 if worse[0] else -1
    if left.to_void != right.to_void:
        return 1 if left.to_void else -1
    if left.depth != right.depth:
        return -1 if left.depth < right.depth else 1
    if left.reference and right.reference and left.rvalue and not (left.implicit or right.implicit):
        if left.reference != right.reference:
            return -1 if left.reference == "&&" else 1
    if bool(left.reference) != bool(right.reference) and left.added != right.added:
        return -1 if right.added else 1
    return _fewer(left, right)


def _fewer(left: Conversion, right: Conversion) -> int:
    """Whether the qualifiers of one are a proper part of the other's."""
    if bool(left.reference) != bool(right.reference) or len(left.levels) != len(right.levels):
        return 0
    less = all(a <= c and b <= d for (a, b), (c, d) in zip(left.levels, right.levels))
    more = all(a >= c and b >= d for (a, b), (c, d) in zip(left.levels, right.levels))
    return 0 if less == more else -1 if less else 1
