"""Remainders that lanes share and that rest on one number: `col & 1` and `(col + 1) & 1`, of which one is 1 and the other 0.

    red = f[2 * i - (col & 1)];  black = f[2 * i - ((col + 1) & 1)];

Each is a symbol of its own, so that nothing says how far such places are apart.  But there are as many cases as the divisor says, and in
each of them both are numbers: these two are neighbours, whichever of them comes first.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from math import prod

from analysis_core.domains import polynomial as pl
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.symbol import Level, Symbol
from analysis_core.interp.core.events import AccessEvent
from analysis_core.text.records import dataclass

_MOST_CASES = 4
"""Of one address."""

_Number = tuple[Hashable, int]
"""A value less a constant, and what it is divided by."""


@dataclass(frozen=True, slots=True)
class Remainders:
    """`found`: of remainders, the number that they are of, and what is added to it."""

    found: Mapping[Symbol, tuple[_Number, int]]

    @staticmethod
    def of(derivations: Mapping[Symbol, Derivation]) -> Remainders:
        """Those that are the same for all lanes, by small divisors."""
        every = ((symbol, _taken_apart(derivation)) for symbol, derivation in derivations.items())
        return Remainders({s: parts for s, parts in every if parts is not None and s.level is not Level.LANE})

    def cases(self, event: AccessEvent) -> Iterator[tuple[Hashable, AccessEvent]]:
        """What an execution is in each case, with a name of the case; itself where it rests on no remainder, or on too many."""
        own = {s: self.found[s] for s in event.address.poly.symbols() if s in self.found} if self.found else {}
        numbers = list(dict.fromkeys(number for number, _ in own.values()))
        if not own or prod(divisor for _, divisor in numbers) > _MOST_CASES:
            yield (), event
            return
        for case in product(*(range(divisor) for _, divisor in numbers)):
            values = dict(zip(numbers, case, strict=True))
            known = {s: pl.constant((values[number] + more) % number[1]) for s, (number, more) in own.items()}
            poly = pl.substitute(event.address.poly, known)
            yield tuple(values.items()), replace(event, address=replace(event.address, poly=poly))


def _taken_apart(derivation: Derivation) -> tuple[_Number, int] | None:
    """The number, the divisor and what is added, of a remainder that is never negative."""
    if derivation.op != "floor%":
        return None
    value, divisor = (operand.poly for operand in derivation.operands)
    more, by = value.constant, divisor.constant
    if not (divisor.is_constant and isinstance(by, int) and isinstance(more, int) and 1 < by <= _MOST_CASES):
        return None
    return (pl.subtract(value, pl.constant(more)).key(), by), more
