"""Masks: which threads execute a statement.

`may` holds the lanes that are not definitely inactive.  What keeps the others of them uncertain is a conjunction of
literals, each for the lanes of its scope: the lane runs if every literal whose scope holds the lane is true.  A
contradiction (a literal and its complement) removes the lane from `may`, so that in
`if (c) {..} if (!c) {..}` nobody runs both.

**Invariant** (soundness): every thread that runs the statement in some execution is in `may`.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from analysis_core.domains import condition as cond
from analysis_core.domains.condition import Atom, Condition, Relation
from analysis_core.domains.exclusions import Exclusion, exclusions
from analysis_core.domains.shape import BoolVector, IntVector, every, lanes_by_warp, some, warps_with
from analysis_core.domains.symbol import Level
from analysis_core.support.derived import derived
from analysis_core.text.records import dataclass

_MOST_LITERALS = 32
"""What threads wait for at a statement; no figure of Rodinia rests on more."""


@dataclass(frozen=True, eq=False)  # no slots: what is derived from it is kept with it
class Literal:
    """The condition `formula` must hold for the lanes of `scope`."""

    key: Hashable
    formula: Condition
    scope: BoolVector

    @property
    def atom(self) -> Atom | None:
        return self.formula.atom

    @derived
    def inside(self) -> Condition:
        """The condition on the lanes of the scope, true on all others."""
        c = self.formula
        return Condition(~self.scope | c.true, c.false & self.scope, c.atom, c.positive, c.parts, c.all_of)

    @derived
    def by_warp(self) -> list[int]:
        """`scope`, one number per warp."""
        return lanes_by_warp(self.scope)

    @derived
    def content(self) -> Hashable:
        """Equal contents: the same lanes wait for the same."""
        return (self.key, self.scope.tobytes())


@dataclass(frozen=True, eq=False)
class Mask:
    may: BoolVector
    literals: tuple[Literal, ...] = ()

    @derived
    def is_dead(self) -> bool:
        return not some(self.may)

    @derived
    def by_warp(self) -> list[int]:
        """`may`, one number per warp."""
        return lanes_by_warp(self.may)

    @derived
    def warps(self) -> IntVector:
        """1 for each warp with a lane that may run, else 0."""
        found = warps_with(self.may).astype(np.int64)
        found.setflags(write=False)
        return found

    @derived
    def content(self) -> Hashable:
        """Equal contents: the same lanes may run, and wait for the same."""
        return (self.may.tobytes(), *(entry.content for entry in self.literals))

    @derived
    def exclusions(self) -> list[Exclusion]:
        """Which of the lanes cannot run together."""
        return exclusions(self.literals)

    @derived
    def exclusion_key(self) -> tuple[tuple[bytes, ...], ...]:
        """A key for `exclusions`: equal keys mean the same groups of lanes."""
        return tuple((e.scope.tobytes(), e.low.tobytes(), e.high.tobytes()) for e in self.exclusions)

    def is_crowded(self, kept: int) -> bool:
        """Whether it waits for so much, beside its first literals, that it should be `condensed`."""
        return len(self.literals) > kept + _MOST_LITERALS

    @property
    def must(self) -> BoolVector:
        """Lanes that run whenever the kernel does."""
        result = self.may
        for entry in self.literals:
            result = result & ~entry.scope
        return result


def assume(mask: Mask, condition: Condition) -> Mask:
    """The mask of the threads that also satisfy `condition`."""
    may = mask.may & ~condition.false
    scope = may & condition.undecided
    if not some(scope):
        # All rounds of a loop that all threads stay in have one mask: what is known of it is found out once.
        return Mask(may, mask.literals) if some(mask.may & condition.false) else mask
    if condition.parts and condition.all_of:
        result = Mask(may, mask.literals)
        for part in condition.parts:
            result = assume(result, cond.within(part, scope))
        return result
    if condition.parts and mask.literals:
        left = [part for part in condition.parts if not _fails(mask, part, scope)]
        if len(left) == 1:  # `d < 0 || d >= 4` where d >= 0
            return assume(Mask(may, mask.literals), cond.within(left[0], scope))
    key, opposite = condition.key, condition.negation.key
    literals = []
    for entry in mask.literals:
        if entry.key == opposite:
            may = may & ~(entry.scope & scope)
        if entry.key == key:
            scope = scope & ~entry.scope
        literals.append(entry)
    scope = scope & may
    if not some(scope):
        return Mask(may, tuple(literals))
    result = Mask(may, (*literals, Literal(key, condition, scope)))
    for entry in literals:
        left = [part for part in entry.formula.parts if part.key != opposite]
        if len(left) == 1 and len(entry.formula.parts) > 1 and not entry.formula.all_of:
            result = assume(result, cond.within(left[0], scope & entry.scope))
    return result


def _fails(mask: Mask, condition: Condition, lanes: BoolVector) -> bool:
    """Whether it is false for all of the lanes, or a literal says the opposite."""
    opposite, left = condition.negation.key, lanes & ~condition.false
    return any(entry.key == opposite and not some(left & ~entry.scope) for entry in mask.literals)


def condensed(mask: Mask, key: Hashable, kept: int) -> Mask:
    """The mask with its older literals, behind those that are `kept`, as one, of which only the level is known: `key` is its own.  Coarser,
    and what is asked of a mask takes no longer the more threads have left before."""
    first, older, newer = (
        mask.literals[:kept],
        mask.literals[kept : -_MOST_LITERALS // 2],
        mask.literals[-_MOST_LITERALS // 2 :],
    )
    formulas = [entry.formula for entry in older]
    scope = np.logical_or.reduce([entry.scope for entry in older]) & mask.may
    alike = all(every((entry.scope & mask.may) == scope) for entry in older)
    level = Level(max(map(cond.open_level, formulas))) if alike else Level.LANE
    cause = next((f.cause for f in formulas if f.cause is not None), None)
    atom = Atom(key, Relation.OPAQUE, None, level, any(f.data for f in formulas), cause)
    nobody = np.zeros_like(scope)
    condition = Condition(nobody, nobody, atom)
    return Mask(mask.may, (*first, Literal(condition.key, condition, scope), *newer))


def implies(mask: Mask, other: Mask) -> bool:
    """Whether each thread of `mask` is surely one of `other`, by what their literals are alone."""
    if some(mask.may & ~other.may):
        return False
    for entry in other.literals:
        open_ = entry.scope & mask.may
        for known in mask.literals:
            if known.key == entry.key:
                open_ = open_ & ~known.scope
        if some(open_):
            return False
    return True


def refine(mask: Mask, condition: Condition) -> Condition:
    """`condition` with the lanes decided that the mask's literals already decide."""
    if not mask.literals or not some(condition.undecided):
        return condition
    if condition.parts:
        first, *rest = (refine(mask, part) for part in condition.parts)
        connect = cond.conjunction if condition.all_of else cond.disjunction
        for part in rest:
            first = connect(first, part)
        true = condition.true | (first.true & ~condition.false)
        false = condition.false | (first.false & ~condition.true)
        return Condition(true, false, first.atom, first.positive, first.parts, first.all_of)
    key, opposite = condition.key, condition.negation.key
    true, false = condition.true, condition.false
    for entry in mask.literals:
        if entry.key == key:
            true = true | (entry.scope & ~false)
        elif entry.key == opposite:
            false = false | (entry.scope & ~true)
    return Condition(true, false, condition.atom, condition.positive)


def since(mask: Mask, earlier: Mask) -> Condition:
    """What a thread of `earlier` must satisfy to be in `mask`, which was made from it by `assume`.

    Used for threads that leave (break, return): those who stay satisfy the negation."""
    known = {id(entry) for entry in earlier.literals}
    result = cond.decided(mask.may | ~earlier.may)
    for entry in mask.literals:
        if id(entry) not in known:
            result = cond.conjunction(result, entry.inside)
    return result
