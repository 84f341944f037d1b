"""Symbols of an earlier interpretation, for one that goes the same way again for some steps (interp/resume/trail.py).

What is executed again after an edit makes most symbols anew that it made before: the same function of the same symbols, or the same
load, with the same number.  If it takes the old object instead, then what comes later and speaks of it is as it was
(interp/resume/rejoin.py).  A symbol stands for the same only if everything that is ever said of it is the same, the places in its causes
included; what differs in anything but identity stays new.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Mapping

import numpy as np

from analysis_core.domains.alike_lanes import same_lanes
from analysis_core.domains.condition import Atom, Comparison, Condition
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.mask import Literal, Mask
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import BoolVector
from analysis_core.domains.symbol import Symbol
from analysis_core.domains.thread_value import Integer, Value
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """Round k of a summarised loop (the whole statement): the symbol of k, the number that it does not exceed, the
    threads that enter the loop, and those that make the round."""

    loop: Span
    counter: Symbol
    upper: Hashable
    before: Mask
    staying: Mask


@dataclass(frozen=True, slots=True)
class Earlier:
    """Where an interpretation ended: its derived symbols by structure, what they were made from, the values of loads,
    and rounds by the numbers of their counters. A later interpretation takes these symbols for equal ones of its own.
    """

    remembered: Mapping[Hashable, Symbol]
    derivations: Mapping[Symbol, Derivation]
    loads: Mapping[Hashable, tuple[Value, ...]]
    rounds: Mapping[int, Round]

    def symbol(self, key: Hashable, made: Symbol, derivations: dict[Symbol, Derivation]) -> Symbol:
        """The earlier symbol that equals the one just made, or the new one. The chosen symbol gets the entry in
        `derivations`."""
        known = self.remembered.get(key)
        if known is None or not _same_symbol(known, made):
            return made
        if not _same_derivation(self.derivations.get(known), derivations.get(made)):
            return made
        if made in derivations:
            derivations[known] = derivations.pop(made)
        return known

    def loaded(self, key: Hashable, made: tuple[Value, ...], bases: Container[Symbol]) -> tuple[Value, ...]:
        """The earlier values that equal those just loaded, or the new ones. Addresses (`bases`) always stay new."""
        known = self.loads.get(key, ())
        if len(known) != len(made):
            return made
        pairs = zip(known, made, strict=True)
        return tuple(old if _is_same_unknown(old, new, bases) else new for old, new in pairs)

    def counter(self, made: Symbol, upper: Hashable) -> Symbol:
        """The earlier counter of a round that equals the one just made, or the new one."""
        known = self.rounds.get(made.number)
        return (
            known.counter if known is not None and known.upper == upper and _same_symbol(known.counter, made) else made
        )

    def staying(self, counter: Symbol, before: Mask, made: Mask) -> Mask:
        """The earlier mask of threads that make the round, if it equals the one just made, or the new one."""
        known = self.rounds.get(counter.number)
        if known is None or known.counter is not counter or known.before is not before:
            return made
        return known.staying if _same_mask(known.staying, made) else made


def _same_mask(one: Mask, other: Mask) -> bool:
    return (
        len(one.literals) == len(other.literals)
        and np.array_equal(one.may, other.may)
        and all(map(_same_literal, one.literals, other.literals))
    )


def _same_literal(one: Literal, other: Literal) -> bool:
    return one is other or (one.content == other.content and _same_condition(one.formula, other.formula))


def _same_symbol(one: Symbol, other: Symbol) -> bool:
    return (
        (one.number, one.name, one.level, one.kind) == (other.number, other.name, other.level, other.kind)
        and (one.low, one.high, one.modulus, one.residue) == (other.low, other.high, other.modulus, other.residue)
        and (one.cause, one.values, one.counted) == (other.cause, other.values, other.counted)
        and same_lanes(one.alike, other.alike)
    )


def _is_same_unknown(one: Value, other: Value, bases: Container[Symbol]) -> bool:
    """Whether both are the same one symbol, and no address."""
    if not isinstance(one, Integer) or not isinstance(other, Integer) or (one.bits, other.bits) != (None, None):
        return False
    mine, its = one.poly.symbols(), other.poly.symbols()
    if len(mine) != 1 or len(its) != 1 or any(symbol in bases for symbol in its):
        return False
    return all(map(_same_symbol, mine, its))


def _same_derivation(one: Derivation | None, other: Derivation | None) -> bool:
    if one is None or other is None:
        return one is other
    return (
        (one.op, one.type, len(one.operands)) == (other.op, other.type, len(other.operands))
        and all(map(_same_integer, one.operands, other.operands))
        and _same_condition(one.condition, other.condition)
        and _same_settled(one.settled, other.settled)
    )


def _same_settled(one: tuple[BoolVector, Poly] | None, other: tuple[BoolVector, Poly] | None) -> bool:
    if one is None or other is None:
        return one is other
    return np.array_equal(one[0], other[0]) and one[1].key() == other[1].key()


def _same_integer(one: Integer, other: Integer) -> bool:
    return one is other or (
        (one.bits, one.origin) == (other.bits, other.origin)
        and one.poly.key() == other.poly.key()
        and _same_condition(one.condition, other.condition)
    )


def _same_condition(one: Condition | None, other: Condition | None) -> bool:
    if one is other or one is None or other is None:
        return one is other
    return (
        (one.positive, one.all_of, len(one.parts)) == (other.positive, other.all_of, len(other.parts))
        and one.true.tobytes() == other.true.tobytes()
        and one.false.tobytes() == other.false.tobytes()
        and _same_atom(one.atom, other.atom)
        and all(map(_same_condition, one.parts, other.parts))
    )


def _same_atom(one: Atom | None, other: Atom | None) -> bool:
    if one is other or one is None or other is None:
        return one is other
    return (
        (one.key, one.relation, one.level, one.data) == (other.key, other.relation, other.level, other.data)
        and (one.cause, one.mirror) == (other.cause, other.mirror)
        and _same_poly(one.poly, other.poly)
        and _same_comparison(one.compared, other.compared)
    )


def _same_poly(one: Poly | None, other: Poly | None) -> bool:
    return one is other or (one is not None and other is not None and one.key() == other.key())


def _same_comparison(one: Comparison | None, other: Comparison | None) -> bool:
    if one is other or one is None or other is None:
        return one is other
    same = (one.op, one.type) == (other.op, other.type)
    return same and _same_integer(one.left, other.left) and _same_integer(one.right, other.right)
