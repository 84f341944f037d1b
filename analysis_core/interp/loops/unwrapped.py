"""A loop's test on values that may have wrapped around, read as a test on integers.

`i < w * h` compares what is left of w*h modulo 2^32.  For a trip count that is a number like any other: a symbol, at
most w*h.  So is the remainder that an unsigned counter starts with.  That the counter itself does not wrap around from
there on is assumed, as for every counter (a listed assumption).

`i < n - 1` goes on for 2^32 rounds where an unsigned n is 0, which nobody means: that a difference of sizes is none of those that wrap
around is assumed, too, and listed by its own name.
"""

from __future__ import annotations

from collections.abc import Hashable, MutableMapping
from dataclasses import field, replace

from analysis_core.domains import polynomial as pl
from analysis_core.domains.arithmetic import Arithmetic
from analysis_core.domains.condition import Atom, Comparison, Condition, Relation, atoms
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import BoolVector
from analysis_core.domains.symbol import Symbol
from analysis_core.domains.thread_value import Integer, integer_range, width
from analysis_core.interp.core.known import Known
from analysis_core.interp.loops.counter_starts import is_difference_of_sizes
from analysis_core.interp.loops.turned_ends import turned_end
from analysis_core.ir.types import Type
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Unwrapping:
    """How one loop's tests are read: `counter` moves from round to round.  `assumed`: the differences of sizes that do not wrap around, in
    the words of the source.  `turned`: the keys of tests that need no assumption (turned_ends.py)."""

    arithmetic: Arithmetic
    counter: Symbol
    known: Known
    lanes: BoolVector
    assumed: MutableMapping[str, None] = field(default_factory=dict)
    turned: set[Hashable] = field(default_factory=set)

    def condition(self, condition: Condition) -> Condition:
        """The condition with atoms over exact values. Its keys are those of the original, so it may be read for its
        polynomials only."""
        if condition.parts:
            return replace(condition, parts=tuple(map(self.condition, condition.parts)))
        atom = condition.atom
        if atom is None:
            return condition
        exact = self._without_turns(atom) if atom.compared is None else self._compared(atom, atom.compared)
        return condition if exact is None else replace(condition, atom=exact)

    def is_turned(self, condition: Condition) -> bool:
        """Whether the condition is a single test that needs no assumption (turned_ends.py)."""
        return condition.atom is not None and condition.atom.key in self.turned

    def may_wrap(self, condition: Condition) -> bool:
        """Whether a side of the test that moves with the counter is known modulo a power of two only: a signed counter that
        is compared as an unsigned number, and may become negative."""
        sides = [
            side
            for atom in atoms(condition)
            if atom.compared is not None and atom.key not in self.turned
            for side in (atom.compared.left, atom.compared.right)
        ]
        return any(not side.exact and self.counter in side.poly.symbols() for side in sides)

    def _compared(self, atom: Atom, compared: Comparison) -> Atom | None:
        turned = turned_end(atom, compared, self.counter, self.known, self.lanes)
        if turned is not None:
            self.turned.add(atom.key)
            return turned
        sides = [self._exact(side, compared.type) for side in (compared.left, compared.right)]
        if sides[0] is None or sides[1] is None:
            return None
        difference = pl.subtract(sides[0], sides[1])
        if compared.op == "<=":
            difference = pl.add(difference, pl.constant(-1))
        relation = Relation.ZERO if compared.op == "==" else Relation.NEGATIVE
        return Atom(atom.key, relation, difference, pl.level(difference), atom.data, atom.cause)

    def _exact(self, value: Integer, type_: Type) -> Poly | None:
        """The C value: what moves with the counter as it stands, the rest reduced into the type's range."""
        if value.exact:
            return value.poly
        if value.bits != width(type_):
            return None
        moving = Poly({m: c for m, c in value.poly.terms.items() if self.counter in m})
        rest = pl.subtract(value.poly, moving)
        size = pl.centred(rest, width(type_))
        if is_difference_of_sizes(size):
            self.assumed[_spelled(size)] = None
            return pl.add(size, moving)
        if width(type_) > 32:
            low, high = pl.total_bounds(rest)
            return (
                value.poly if low >= 0 and high < 1 << 62 else None
            )  # `i + 7` is beyond 2^64 for an i that has wrapped around
        return pl.add(self._remainder(rest, value, type_), moving)

    def _remainder(self, rest: Poly, value: Integer, type_: Type) -> Poly:
        turn, (least, greatest) = 1 << width(type_), integer_range(type_)
        shifted = pl.add(rest, pl.constant(-least))
        cause = Cause(CauseKind.ANALYSIS, "an unsigned value that may wrap around", value.origin)
        derivation = Derivation("floor%", (Integer(shifted), Integer(pl.constant(turn))), None)
        symbol = self.arithmetic.recall(
            ("mod", shifted.key(), turn),
            lambda: self.arithmetic.derived("rem", pl.level(shifted), derivation, 0, greatest - least, cause),
        )
        return pl.add(pl.of_symbol(symbol), pl.constant(least))

    def _without_turns(self, atom: Atom) -> Atom | None:
        """The atom without the turns by which a difference of sizes wraps around (`Arithmetic.unwound`)."""
        poly = atom.poly
        for symbol in () if poly is None else poly.symbols():
            derivation = self.arithmetic.derivations.get(symbol)
            size = None if derivation is None or derivation.op != "floor/" else _turned(derivation)
            if poly is not None and size is not None and (symbol,) in poly.terms:
                self.assumed[_spelled(size)] = None
                poly = Poly({m: c for m, c in poly.terms.items() if m != (symbol,)})
        return None if poly is atom.poly else replace(atom, poly=poly)


def _turned(derivation: Derivation) -> Poly | None:
    """The difference of sizes whose turns are counted; None if it is something else."""
    cut, by = (operand.poly for operand in derivation.operands)
    turn = by.constant if by.is_constant else None
    if turn not in (1 << 32, 1 << 64):
        return None
    return next((p for p in (cut, pl.subtract(cut, pl.constant(turn // 2))) if is_difference_of_sizes(p)), None)


def _spelled(poly: Poly) -> str:
    """`n - 1`, what is added before what is subtracted."""
    parts = [(c, "*".join(s.name for s in sorted(m)) or "1") for m, c in poly.terms.items() if isinstance(c, int)]
    text = ""
    for factor, name in sorted(parts, key=lambda part: (part[0] < 0, part[1] == "1", part[1])):
        shown = name if abs(factor) == 1 else f"{abs(factor)}" if name == "1" else f"{abs(factor)}*{name}"
        text += f"{' - ' if factor < 0 else ' + '}{shown}" if text else f"{'-' if factor < 0 else ''}{shown}"
    return text
