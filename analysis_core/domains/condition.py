"""Conditions: for each thread true, false, or undecided with its formula.

Three values are too weak (`if (c) .. if (!c)`), so an undecided lane keeps *what* it
waits for: an `Atom`, the sign or zero test of a polynomial.  The complement of an atom is its own literal, and two
conditions over the same atom exclude or imply each other whatever the text looked like.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import BoolVector, IntVector, every, lanes_by_warp, some, vector_level
from analysis_core.domains.symbol import Level, Symbol
from analysis_core.support.derived import derived
from analysis_core.support.facts import Cause
from analysis_core.text.records import dataclass

if TYPE_CHECKING:
    from analysis_core.domains.thread_value import Integer
    from analysis_core.ir.types import Type


class Relation(Enum):
    """How an atom compares its polynomial D with zero."""

    NEGATIVE = "< 0"
    ZERO = "== 0"
    OPAQUE = "?"  # D is None: the key says what is compared, or is unique

    __hash__ = object.__hash__  # members are themselves only; that of `Enum` is a call of its own


@dataclass(frozen=True, slots=True, eq=False)
class Atom:
    """`D relation` for a polynomial D that is the exact difference of two values, else OPAQUE.

    `level`: who shares the truth value.  `mirror`: the key of the complementary atom, if that one is the canonical of the
    two: D < 0 and -D - 1 < 0 are complements (`i < n` and `i >= n`).  `compared`: what an OPAQUE atom compares, if it is a
    comparison.  `alike`: of one whose `poly` is None, numbers of threads, equal for those of a warp that find the same."""

    key: Hashable
    relation: Relation
    poly: Poly | None
    level: Level
    data: bool
    cause: Cause | None
    mirror: Hashable | None = None
    compared: Comparison | None = None
    alike: IntVector | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """`left op right` of values that are not all exact, in their C type; op: < <= ==."""

    op: str
    left: Integer
    right: Integer
    type: Type


@dataclass(frozen=True, eq=False)  # no slots: what is derived from it is kept with it
class Condition:
    """`true` / `false`: lanes decided so.  The others wait for the formula: a literal (`atom`, `positive`), or the
    conjunction (`all_of`) or disjunction of `parts`.  What the parts say of decided lanes means nothing.

    Invariant: `true` and `false` are disjoint; lanes in neither exist only where there is a formula."""

    true: BoolVector
    false: BoolVector
    atom: Atom | None = None
    positive: bool = True
    parts: tuple[Condition, ...] = ()
    all_of: bool = True

    @derived
    def undecided(self) -> BoolVector:
        """Lanes that wait for the formula."""
        return ~(self.true | self.false)

    @derived
    def is_decided(self) -> bool:
        """Whether no lane waits."""
        return every(self.true | self.false)

    @derived
    def by_warp(self) -> tuple[list[int], list[int]]:
        """`true` and `false`, one number per warp."""
        return lanes_by_warp(self.true), lanes_by_warp(self.false)

    @derived
    def key(self) -> Hashable:
        """Equal keys: the same truth on every lane that waits in both conditions.

        A part may be decided on a lane for reasons of its own (threads that left), so its decided lanes count."""
        if self.atom is not None:
            mirror = self.atom.mirror
            return (self.atom.key, self.positive) if mirror is None else (mirror, not self.positive)
        if self.parts:
            return ("and" if self.all_of else "or", tuple([part.content for part in self.parts]))
        return (self.true.tobytes(),)

    @derived
    def content(self) -> Hashable:
        """Equal contents: the same truth on every lane."""
        return (self.key, self.true.tobytes(), self.false.tobytes())

    @derived
    def is_aligned(self) -> bool:
        """Whether every part is open on the same lanes: only then do all open lanes wait for the same formula."""
        return all(every(p.undecided == self.undecided) for p in self.parts)

    @derived
    def is_flat(self) -> bool:
        """Whether the parts can stand for the condition: it decides no lane that its parts leave open."""
        false = np.zeros_like(self.true)
        true = np.ones_like(self.true)
        for part in self.parts:
            if self.all_of:
                false = false | part.false
                true = true & part.true
            else:
                true = true & part.false  # all false: the disjunction is
                false = false | part.true
        decided_false, decided_true = (false, true) if self.all_of else (true, false)
        return bool(every(decided_false == self.false) and every(decided_true == self.true))

    @derived
    def negation(self) -> Condition:
        """True where this is false."""
        if self.atom is not None:
            return Condition(self.false, self.true, self.atom, not self.positive)
        return Condition(self.false, self.true, None, True, tuple(p.negation for p in self.parts), not self.all_of)

    @derived
    def level(self) -> Level:
        """How uniform the truth value is over the threads of a block."""
        if self.is_decided:
            return Level(vector_level(self.true))
        inner = self.atom.level if self.atom is not None else max((p.level for p in self.parts), default=Level.LANE)
        if inner is Level.LANE:
            return inner
        return Level(max(inner, vector_level(self.true), vector_level(self.false)))

    @derived
    def data(self) -> bool:
        """Whether the truth depends on memory contents."""
        return self.atom.data if self.atom is not None else any(p.data for p in self.parts)

    @derived
    def cause(self) -> Cause | None:
        """Why it is not decided."""
        if self.atom is not None:
            return self.atom.cause
        return next((c for c in (p.cause for p in self.parts) if c is not None), None)


def decided(true: BoolVector) -> Condition:
    return Condition(true, ~true)


def literal(atom: Atom, true: BoolVector, false: BoolVector) -> Condition:
    """The condition `atom` with the lanes that are decided already."""
    return Condition(true, false, atom)


def negate(c: Condition) -> Condition:
    return c.negation


def below_zero(c: Condition) -> Poly | None:
    """A polynomial that is negative on all open lanes just where the condition holds; None for other conditions."""
    atom = c.atom
    if atom is None or atom.poly is None or atom.relation is not Relation.NEGATIVE:
        return None
    return atom.poly if c.positive else pl.subtract(pl.constant(-1), atom.poly)


def formula(c: Condition) -> Condition:
    """What the undecided lanes wait for, as a condition on every lane. Conditions of equal keys have equal formulas,
    also where masks have decided different lanes of them."""
    if c.atom is None and not c.parts:
        return c
    nobody = np.zeros_like(c.true)
    return Condition(nobody, nobody, c.atom, c.positive, c.parts, c.all_of)


def within(c: Condition, lanes: BoolVector) -> Condition:
    """`c` on the lanes given, true on all others."""
    if not some(~lanes & ~c.true):
        return c
    return Condition(c.true | ~lanes, c.false & lanes, c.atom, c.positive, c.parts, c.all_of)


def _connect(conditions: list[Condition], true: BoolVector, false: BoolVector, all_of: bool) -> Condition:
    if every(true | false):
        return Condition(true, false)
    open_parts: list[Condition] = []
    for c in conditions:
        if not c.is_decided:
            open_parts.extend(c.parts if c.parts and c.all_of is all_of and c.is_flat else (c,))
    if len(open_parts) == 1 and every(open_parts[0].undecided >= ~(true | false)):
        only = open_parts[0]
        return Condition(true, false, only.atom, only.positive, only.parts, only.all_of)
    result = Condition(true, false, None, True, tuple(open_parts), all_of)
    if not any(c.is_decided for c in conditions):
        Condition.is_flat.put(result, True)  # nobody but the parts has decided anything
    return result


def conjunction(a: Condition, b: Condition) -> Condition:
    return _connect([a, b], a.true & b.true, a.false | b.false, True)


def disjunction(a: Condition, b: Condition) -> Condition:
    return _connect([a, b], a.true | b.true, a.false & b.false, False)


def open_level(c: Condition) -> Level:
    """How uniform the formula is on the lanes that wait for it."""
    if c.atom is not None:
        return c.atom.level
    return Level(max((open_level(p) for p in c.parts), default=Level.LANE)) if c.is_aligned else Level.LANE


def atoms(c: Condition) -> Iterator[Atom]:
    """The atoms of the formula."""
    pending = [c]
    while pending:
        c = pending.pop()
        if c.atom is not None:
            yield c.atom
        pending.extend(c.parts)


def symbols(c: Condition) -> set[Symbol]:
    """The symbols that the formula compares."""
    return {s for atom in atoms(c) if atom.poly is not None for s in atom.poly.symbols()}


def has_opaque(c: Condition) -> bool:
    """Whether some atom of the formula is opaque: only its uniformity is known."""
    return any(atom.poly is None for atom in atoms(c))


def mirror(difference: Poly) -> Hashable | None:
    """The key of -D - 1 < 0, the complement of D < 0, where it is the canonical one of the two: the one whose first
    monomial with symbols has a positive coefficient (in its first lane that has one)."""
    leading = min((m for m in difference.terms if m), key=lambda m: tuple(s.number for s in m), default=None)
    if leading is None:
        return None
    coefficient = difference.terms[leading]
    first = coefficient if isinstance(coefficient, int) else int(coefficient[coefficient.nonzero()[0][0]])
    if first > 0:
        return None
    return (Relation.NEGATIVE, pl.subtract(pl.constant(-1), difference).key())
