"""Which load is told where memory decides a value: one that differs between lanes, and says what has to happen for it to matter.

`rows[t % n]` with `n` loaded at one address lies where the lanes' own numbers say; `table[mixed(key) % size]` lies anywhere, whatever
the keys are.  Of both the load is known, but that its values scatter is no condition.  For messages only: what is memory's doing
(`CauseKind.DATA`) stays so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from analysis_core.domains.shape import WARP
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.support.facts import MIXED, SHARED, Cause, CauseKind

if TYPE_CHECKING:
    from analysis_core.domains.condition import Condition
    from analysis_core.domains.derivation import Derivation  # whose operands ask here what decides them

_LARGE = 1 << 12
"""Factors from here on are those of hash functions."""

_FOLDING = frozenset({"%", "&", "floor%", "/", "floor/", ">>", "^", "high^"})
"""What folds a large product into few numbers."""


def deciding_cause(symbols: Iterable[Symbol]) -> Cause | None:
    """The cause of a value made of these symbols: that of the oldest symbol with a cause. Among causes of memory one
    that differs from lane to lane comes first, and of those the one of which most lanes have values of their own:
    `p[row[threadIdx.y] * w + column[threadIdx.x]]` names the column."""
    told = sorted(s for s in symbols if s.cause is not None)
    if not told or told[0].cause is None or told[0].cause.kind is not CauseKind.DATA:
        return told[0].cause if told else None
    loaded = [s for s in told if s.cause is not None and s.cause.kind is CauseKind.DATA]
    return min(loaded, key=_named_first).cause if len(loaded) > 1 else loaded[0].cause


def left_deciding(cause: Cause | None, symbols: Iterable[Symbol]) -> Cause | None:
    """The cause of a comparison of two values by memory, given the symbols that are left in their difference. What
    both sides have in common decides nothing, although it may wrap around: `for (int k = first[i]; k < first[i] +
    count[i]; k++)`."""
    if cause is None or cause.kind is not CauseKind.DATA:
        return cause
    left = deciding_cause(symbols)
    return left if left is not None and left.kind is CauseKind.DATA else cause


def deciding(operands: Iterable[Symbol], conditions: Iterable[Symbol]) -> Symbol | None:
    """The symbol by which memory decides the result of an operation: one of its operands, or of the condition that
    chooses between them."""
    found = [(False, *_rank(s), s) for s in operands if s.kind is SymbolKind.DATA]
    found += [(True, *_rank(s), s) for s in conditions if s.kind is SymbolKind.DATA]
    return min(found, key=lambda one: (one[1], one[2], one[0], one[3]))[-1] if found else None


def asked_of_lanes(conditions: Iterable[Condition]) -> Cause | None:
    """The loaded value in which lanes differ, for a test of several conditions: `t < count[0] && !done[t]` gives
    `done[t]`."""
    pending = [*conditions][::-1]
    while pending:
        condition = pending.pop()
        atom = condition.atom
        if atom is None:
            pending.extend(reversed(condition.parts))
        elif not condition.is_decided and atom.cause is not None and atom.cause.kind is CauseKind.DATA:
            own = atom.level is Level.LANE if atom.poly is None else any(map(_is_own, atom.poly.symbols()))
            if own and not atom.cause.reason.endswith((SHARED, MIXED)):
                return atom.cause
    return None


def _is_own(symbol: Symbol) -> bool:
    """Whether it is loaded for each lane, or a choice that lanes make each for itself."""
    return symbol.kind in (SymbolKind.DATA, SymbolKind.CHOICE) and symbol.level is Level.LANE


def _named_first(symbol: Symbol) -> tuple[bool, bool, int, int]:
    """The rank, where of what lanes have in groups the one with the most groups comes first."""
    own, shared, number = _rank(symbol)
    groups = WARP if symbol.alike is None else len(set(symbol.alike[:WARP].tolist()))
    return own, shared, -groups, number


def _rank(symbol: Symbol) -> tuple[bool, bool, int]:
    shared = symbol.cause is not None and symbol.cause.reason.endswith(SHARED)
    return symbol.level is not Level.LANE, shared, symbol.number


def told(cause: Cause, source: Symbol, derivation: Derivation, level: Level) -> Cause:
    """The cause of the result of an operation on the symbol `source`, whose own cause is `cause`."""
    if cause.kind is not CauseKind.DATA or level is not Level.LANE or cause.reason.endswith((SHARED, MIXED)):
        return cause
    if source.level is not Level.LANE:
        condition = derivation.condition
        choice = None if condition is None or condition.level is not Level.LANE else condition.cause
        if choice is not None and choice.kind is CauseKind.DATA:
            return choice
        return replace(cause, reason=cause.reason + SHARED)
    return replace(cause, reason=cause.reason + MIXED) if _mixes(derivation) else cause


def _mixes(derivation: Derivation) -> bool:
    """Whether an operation leaves nothing of the order of what was loaded: it folds a large multiple of it, or it and what it was."""
    if derivation.op not in _FOLDING:
        return False
    loaded = [[c for m, c in v.poly.terms.items() if any(_is_loaded(s) for s in m)] for v in derivation.operands]
    if derivation.op == "^" and len(loaded) > 1 and all(loaded):
        return True
    return any(isinstance(c, int) and abs(c) >= _LARGE for factors in loaded[:1] for c in factors)


def _is_loaded(symbol: Symbol) -> bool:
    return symbol.kind is SymbolKind.DATA and symbol.level is Level.LANE
