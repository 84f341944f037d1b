"""Whether the rounds of a loop decide how the lanes of an access stand, and nothing else: `2 * t - (t & (stride - 1))` where the loop
halves `stride`.

What a size decides may never come; each of the rounds does, the dear ones among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from analysis_core.domains.derivation import Derivation
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.interp.core.events import AccessEvent


def is_by_rounds(group: Iterable[AccessEvent], derivations: Mapping[Symbol, Derivation]) -> bool:
    """Whether lanes differ, in all executions, only by their own numbers and by values that the rounds of a loop
    decide."""
    return all(_is_of_rounds(event, derivations) for event in group)


def _is_of_rounds(event: AccessEvent, derivations: Mapping[Symbol, Derivation]) -> bool:
    pending = [s for s in event.address.poly.symbols() if s.level is Level.LANE]
    seen, rounds = set[Symbol](), False
    while pending:
        symbol = pending.pop()
        if symbol in seen:
            continue
        seen.add(symbol)
        derivation = derivations.get(symbol)
        if derivation is not None and derivation.condition is None:
            pending.extend(s for operand in derivation.operands for s in operand.poly.symbols())
        elif symbol.kind is SymbolKind.ITERATION:
            rounds = True
        else:
            return False
    return rounds
