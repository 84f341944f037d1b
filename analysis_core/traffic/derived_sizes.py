"""What values derived from parameters are where these are numbers that launches pass: for findings, and for nothing else.

    cell = lane % width;   .. row[cell]        k<<<grid, 256>>>(row, 2): 0, 1, 0, 1, .., one sector

At any width the remainder is a symbol of each lane's own, somewhere below the width.  At a width of 2 it is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace

from analysis_core.domains import condition
from analysis_core.domains import polynomial as pl
from analysis_core.domains.arithmetic import Arithmetic
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.repeat import repeated
from analysis_core.domains.symbol import Symbol, SymbolSource
from analysis_core.domains.thread_value import Integer
from analysis_core.interp.core.events import Events
from analysis_core.text.records import dataclass

_MOST = 256
"""Derivations of one kernel that are repeated."""

Values = Mapping[Symbol, Poly]


def with_derived(values: Values, events: Events) -> dict[Symbol, Poly]:
    """The values, together with those of symbols that follow from them and are numbers then, or expressions of other
    symbols."""
    found = dict(values)
    left = _MOST
    for symbol, derivation in events.derivations.items() if values else ():
        if left and symbol not in found and _rests_on(derivation, found):
            left -= 1
            value = _again(derivation, found, events)
            if value is not None:
                found[symbol] = value
    return found


def parameters_of(symbols: Iterable[Symbol], values: Values, events: Events) -> Iterator[Symbol]:
    """Those of the values that these symbols are made of, through whatever derivations; of a choice that is known, through its condition as well."""
    pending, met = [*symbols], set[Symbol]()
    while pending:
        top = pending.pop()
        if top in met:
            continue
        met.add(top)
        derivation = events.derivations.get(top)
        if derivation is not None:
            pending.extend(s for operand in derivation.operands for s in operand.poly.symbols())
            if derivation.condition is not None and top in values:
                pending.extend(condition.symbols(derivation.condition))
        elif top in values:
            yield top


@dataclass(frozen=True, slots=True)
class InRounds:
    """What is derived from the numbers of rounds, with what is `seen` of parameters.  `known`: by the numbers that were asked for."""

    events: Events
    seen: Values = field(default_factory=dict)
    known: dict[frozenset[tuple[Symbol, int]], Values] = field(default_factory=dict)

    def values(self, numbers: Mapping[Symbol, int]) -> Values:
        """The numbers, and what is derived from them; not what is seen, nor what follows from that alone."""
        key = frozenset(numbers.items())
        found = self.known.get(key)
        if found is None:
            polys = {s: pl.constant(number) for s, number in numbers.items()}
            derived = with_derived({**self.seen, **polys}, self.events)
            told = ((s, pl.substitute(p, polys)) for s, p in derived.items())  # `step / w` is `step` where w is 1
            found = self.known[key] = {s: p for s, p in told if s in polys or p is not self.seen.get(s)}
        return found

    def put(self, poly: Poly, numbers: Mapping[Symbol, int]) -> Poly:
        """The polynomial in such a round; sizes stay what they are in it."""
        if any(s in self.events.derivations and s not in numbers for s in poly.symbols()):
            return pl.substitute(poly, self.values(numbers))
        return pl.substitute(poly, {s: pl.constant(number) for s, number in numbers.items()})


def _rests_on(derivation: Derivation, values: Values) -> bool:
    if derivation.condition is not None:
        return False
    return any(s in values for operand in derivation.operands for s in operand.poly.symbols())


def _again(derivation: Derivation, values: Values, events: Events) -> Poly | None:
    """What the operation gives at these values, in terms of symbols that there are; None where it needs a new one."""
    source = SymbolSource()
    source.count = events.symbols
    operands = [replace(one, poly=pl.substitute(one.poly, values)) for one in derivation.operands]
    value = repeated(Arithmetic(events.shape, source), derivation, operands, None)
    known = isinstance(value, Integer) and value.exact and source.count == events.symbols
    return value.poly if known and isinstance(value, Integer) else None
