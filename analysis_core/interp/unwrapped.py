"""A loop's test on values that may have wrapped around, read as a test on integers.

`i < w * h` compares what is left of w*h modulo 2^32.  For a trip count that is a number like any other: a symbol, at
most w*h.  So is the remainder that an unsigned counter starts with.  That the counter itself does not wrap around from
there on is assumed, as for every counter (a listed assumption).
"""

from __future__ import annotations

from dataclasses import replace

from analysis_core.domains import polynomial as pl
from analysis_core.domains.arithmetic import Arithmetic
from analysis_core.domains.condition import Atom, Comparison, Condition, Relation, atoms
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.symbol import Symbol
from analysis_core.domains.thread_value import Integer, integer_range, width
from analysis_core.ir.types import Type
from analysis_core.support.facts import Cause, CauseKind


def unwrapped(arithmetic: Arithmetic, condition: Condition, counter: Symbol) -> Condition:
    """The condition with atoms over exact values; `counter` moves from round to round.  Keys are those of before: the
    result is read for its polynomials only."""
    if condition.parts:
        return replace(condition, parts=tuple(unwrapped(arithmetic, part, counter) for part in condition.parts))
    atom = condition.atom
    if atom is None or atom.compared is None:
        return condition
    exact = _exact_atom(arithmetic, atom, atom.compared, counter)
    return condition if exact is None else replace(condition, atom=exact)


def may_wrap(condition: Condition, counter: Symbol) -> bool:
    """Whether a side of the test that moves with the counter is known modulo a power of two only: a signed counter that
    is compared as an unsigned number, and may become negative."""
    sides = [
        side
        for atom in atoms(condition)
        if atom.compared is not None
        for side in (atom.compared.left, atom.compared.right)
    ]
    return any(not side.exact and counter in side.poly.symbols() for side in sides)


def _exact_atom(arithmetic: Arithmetic, atom: Atom, compared: Comparison, counter: Symbol) -> Atom | None:
    sides = [_exact(arithmetic, side, compared.type, counter) for side in (compared.left, compared.right)]
    if sides[0] is None or sides[1] is None:
        return None
    difference = pl.subtract(sides[0], sides[1])
    if compared.op == "<=":
        difference = pl.add(difference, pl.constant(-1))
    relation = Relation.ZERO if compared.op == "==" else Relation.NEGATIVE
    return Atom(atom.key, relation, difference, pl.level(difference), atom.data, atom.cause)


def _exact(arithmetic: Arithmetic, value: Integer, type_: Type, counter: Symbol) -> Poly | None:
    """The C value: what moves with the counter as it stands, the rest reduced into the type's range."""
    if value.exact:
        return value.poly
    if value.bits != width(type_) or width(type_) > 32:
        return None
    moving = Poly({m: c for m, c in value.poly.terms.items() if counter in m})
    rest = pl.subtract(value.poly, moving)
    turn, (least, greatest) = 1 << width(type_), integer_range(type_)
    shifted = pl.add(rest, pl.constant(-least))
    cause = Cause(CauseKind.ANALYSIS, "an unsigned value that may wrap around", value.origin)
    derivation = Derivation("floor%", (Integer(shifted), Integer(pl.constant(turn))), None)
    symbol = arithmetic.recall(
        ("mod", shifted.key(), turn),
        lambda: arithmetic.derived("rem", pl.level(shifted), derivation, 0, greatest - least, cause),
    )
    return pl.add(pl.add(pl.of_symbol(symbol), pl.constant(least)), moving)
