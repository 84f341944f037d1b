"""What values derived from parameters are where these are numbers that launches pass: for findings, and for nothing else.

    cell = lane % width;   .. row[cell]        k<<<grid, 256>>>(row, 2): 0, 1, 0, 1, .., one sector

At any width the remainder is a symbol of each lane's own, somewhere below the width.  At a width of 2 it is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from analysis_core.domains import condition
from analysis_core.domains import polynomial as pl
from analysis_core.domains.arithmetic import Arithmetic
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.repeat import repeated
from analysis_core.domains.symbol import Symbol, SymbolSource
from analysis_core.domains.thread_value import Integer
from analysis_core.interp.events import Events

_MOST = 256
"""Derivations of one kernel that are repeated."""

Values = Mapping[Symbol, Poly]


def with_derived(values: Values, events: Events) -> dict[Symbol, Poly]:
    """The values, and those of symbols that follow from them and are known then, or are known in terms of other symbols."""
    found = dict(values)
    left = _MOST
    for symbol, derivation in events.derivations.items() if values else ():
        if left and symbol not in found and _rests_on(derivation, found):
            left -= 1
            value = _again(derivation, found, events)
            if value is not None:
                found[symbol] = value
    return found


def rested_on(symbol: Symbol, values: Values, events: Events) -> Iterator[Symbol]:
    """Those of the values that a symbol with a value of its own rests on: itself, if nothing makes it."""
    pending, met = [symbol], set[Symbol]()
    while pending:
        top = pending.pop()
        if top in met or top not in values:
            continue
        met.add(top)
        derivation = events.derivations.get(top)
        if derivation is None:
            yield top
        else:
            pending.extend(s for operand in derivation.operands for s in operand.poly.symbols())
            pending.extend(() if derivation.condition is None else condition.symbols(derivation.condition))


def parameters_of(symbols: Iterable[Symbol], values: Values, events: Events) -> Iterator[Symbol]:
    """Those of the values that these symbols are made of, through whatever derivations."""
    pending, met = [*symbols], set[Symbol]()
    while pending:
        top = pending.pop()
        if top not in met:
            met.add(top)
            derivation = events.derivations.get(top)
            if derivation is not None:
                pending.extend(s for operand in derivation.operands for s in operand.poly.symbols())
            elif top in values:
                yield top


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
