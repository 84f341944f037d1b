"""Pointers that a launch passes into one array: their accesses are those of one array, as far behind its start as the launch says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from analysis_core.domains import polynomial as pl
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.interp.core.events import AccessEvent, Events

Same = Sequence[tuple[str, str, int | None]]


def of_one_array(events: Events, same: Same) -> Events:
    """The events with the addresses of such pointers in terms of the first of them; what lies an unknown distance behind it is unknown."""
    bases = _bases(events)
    meaning: dict[Symbol, Poly] = {}
    for name, other, by in same:
        one, two = bases.get(name), bases.get(other)
        if one is None or two is None or two in meaning:
            continue
        start = meaning.get(one, pl.of_symbol(one))
        distance = pl.constant(by) if by is not None else pl.of_symbol(_unknown(other))
        meaning[two] = pl.add(start, distance)
    if not meaning:
        return events
    return replace(events, accesses=tuple(_moved(event, meaning) for event in events.accesses))


def _bases(events: Events) -> Mapping[str, Symbol]:
    """The symbol of each array, by the name of the parameter."""
    return {
        event.base: symbol
        for event in events.accesses
        for symbol in event.address.poly.symbols()
        if symbol.kind is SymbolKind.BASE
    }


def _unknown(name: str) -> Symbol:
    return Symbol(-1, f"start of {name}", Level.BLOCK, SymbolKind.UNKNOWN, None, None)


def _moved(event: AccessEvent, meaning: Mapping[Symbol, Poly]) -> AccessEvent:
    used = {symbol: value for symbol, value in meaning.items() if symbol in event.address.poly.symbols()}
    if not used:
        return event
    return replace(event, address=replace(event.address, poly=pl.substitute(event.address.poly, used)))
