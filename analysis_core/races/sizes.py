"""Whether parameters have a say in how far two accesses lie apart: then some value keeps them apart more often than not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from analysis_core.domains import condition as cond
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Monomial
from analysis_core.domains.symbol import Symbol, SymbolKind
from analysis_core.races.occurrences import OWN, Occurrence

_SIZES = frozenset({SymbolKind.PARAMETER, SymbolKind.GRID})


def deciding_sizes(one: Occurrence, other: Occurrence, derivations: Mapping[Symbol, Derivation]) -> list[str]:
    """The names of parameters, and of the grid, that do not cancel out of the distance."""
    mine, others = one.address.terms, other.address.terms
    left = [m for m in {**mine, **others} if m and not _cancels(m, one, other)]
    used = _made_from((symbol for monomial in left for symbol in monomial), derivations)
    return sorted(symbol.name for symbol in used if symbol.kind in _SIZES)


def _cancels(monomial: Monomial, one: Occurrence, other: Occurrence) -> bool:
    mine, others = one.address.terms.get(monomial), other.address.terms.get(monomial)
    if not isinstance(mine, int) or not isinstance(others, int) or mine != others:
        return False
    return all(one.version_in_address(s) == other.version_in_address(s) != OWN for s in monomial)


def _made_from(symbols: Iterable[Symbol], derivations: Mapping[Symbol, Derivation]) -> set[Symbol]:
    """The symbols, and those that they are derived from."""
    found: set[Symbol] = set()
    pending = list(symbols)
    while pending:
        symbol = pending.pop()
        if symbol in found:
            continue
        found.add(symbol)
        derivation = derivations.get(symbol)
        if derivation is not None:
            pending += [s for operand in derivation.operands for s in operand.poly.symbols()]
            pending += [] if derivation.condition is None else cond.symbols(derivation.condition)
    return found
