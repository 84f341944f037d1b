"""Where executions lie to each other, and whether the threads of one are among those of another, as far as the text of conditions shows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence

from analysis_core.domains.condition import Condition
from analysis_core.domains.mask import Literal, Mask
from analysis_core.domains.shape import BoolVector, some
from analysis_core.interp.core.events import AccessEvent
from analysis_core.support.derived import derived


def split_address(event: AccessEvent) -> tuple[Hashable, int]:
    """An address as a part that is equal for executions a constant number of bytes apart, and that constant."""
    constant = event.address.poly.constant
    offset = constant if isinstance(constant, int) else int(constant[0])
    lanes = None if isinstance(constant, int) else (constant - offset).tobytes()
    rest = tuple([term for term in event.address.poly.key() if term[0]])
    return (rest, lanes, event.address.bits), offset


def covers(mask: Mask, other: Mask, implies: Callable[[Condition, Condition], bool] | None = None) -> bool:
    """Whether all threads of the other mask are in this one, as its literals show.  `implies`: whether what is asked first holds where the
    second does, beyond that they are the same."""
    if mask is other or mask.content == other.content:
        return True
    if some(other.may & ~mask.may):
        return False
    implied, shared = _implied(other), literals_of(other)
    needed = ((literal, literal.scope & other.may) for literal in mask.literals if literal not in shared)
    return all(
        any(not some(lanes & ~scope) for _, scope in implied.get(literal.key, ()))
        or (
            implies is not None
            and any(
                implies(literal.formula, held) and not some(lanes & ~scope)
                for alike in implied.values()
                for held, scope in alike
            )
        )
        for literal, lanes in needed
    )


def exclude(mask: Mask, other: Mask) -> bool:
    """Whether no thread is in both masks, as their literals show."""
    both = mask.may & other.may
    for literal in mask.literals:
        opposite = literal.formula.negation.key
        for against in other.literals:
            if against.key == opposite:
                both = both & ~(literal.scope & against.scope)
    return not some(both)


@derived
def literals_of(mask: Mask) -> frozenset[Literal]:
    """Those of a mask: what was made from it has the very same ones."""
    return frozenset(mask.literals)


@derived
def _implied(mask: Mask) -> Mapping[Hashable, Sequence[tuple[Condition, BoolVector]]]:
    """The conditions that hold in a mask, by their keys, with the lanes for which they do: its literals, and the parts of what is `a && b`."""
    found: dict[Hashable, list[tuple[Condition, BoolVector]]] = {}
    for literal in mask.literals:
        found.setdefault(literal.key, []).append((literal.formula, literal.scope))
        if literal.formula.all_of:
            for part in literal.formula.parts:
                found.setdefault(part.key, []).append((part, literal.scope & part.undecided))
    return found
