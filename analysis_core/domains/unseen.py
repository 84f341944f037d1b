"""Lanes that differ by nothing but a constant which nobody sees: `int row = tid / WARP_SIZE`, of a header that was not found.

For bounds each lane may have a row of its own, as with a WARP_SIZE of 1.  With one of 32 a warp has one row, and all that is read there is
one number: to say that memory takes the lanes apart would be to say what the constant is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from analysis_core.domains.derivation import QUOTIENTS, Derivation
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import vector_level
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.support.facts import Cause, CauseKind

LOADED = "load"
"""The name of symbols for what is loaded."""


def apart_by_unseen(poly: Poly, unseen: Collection[str], derivations: Mapping[Symbol, Derivation]) -> Cause | None:
    """Why the lanes of a warp may have one value after all: they differ only by quotients whose divisor is a constant
    that no file in view gives (`unseen`), and by what was loaded through such quotients. None where they differ
    otherwise."""
    found: Cause | None = None
    for monomial, coefficient in poly.terms.items():
        if not isinstance(coefficient, int) and vector_level(coefficient) == Level.LANE:
            return None
        for symbol in monomial:
            if symbol.level is Level.LANE:
                found = _why(symbol, unseen, derivations)
                if found is None:
                    return None
    return found


def by_unseen(
    symbols: Iterable[Symbol], unseen: Collection[str], derivations: Mapping[Symbol, Derivation]
) -> Cause | None:
    """Why a constant that no file in view gives decides how far lanes are apart: one of the symbols is a quotient by
    it, or rests on one. None where none does."""
    found = (_why(s, unseen, derivations) for s in symbols if s.level is Level.LANE)
    return next((cause for cause in found if cause is not None), None)


def _why(symbol: Symbol, unseen: Collection[str], derivations: Mapping[Symbol, Derivation]) -> Cause | None:
    if symbol.name == LOADED and symbol.cause is not None and symbol.cause.kind is CauseKind.MISSING:
        return symbol.cause  # from where such a quotient leads
    derivation = derivations.get(symbol)
    if derivation is None or derivation.op not in QUOTIENTS:
        return None
    divisor = derivation.operands[-1].poly
    names = sorted(s.name for s in divisor.symbols() if s.kind is SymbolKind.PARAMETER and s.name in unseen)
    if not names or divisor.level is Level.LANE:
        return None
    return Cause(CauseKind.MISSING, f"`{names[0]}` decides whether lanes differ, and nobody sees its value", None)
