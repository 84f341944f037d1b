"""Which values stay the same from round to round of a loop.

A symbol that is older than the loop is one.  So is one that was made in the loop as a function of invariant values: a
quotient `n / 2`, the choice of a condition that does not change, a load from an invariant address of memory that nothing
in the loop can change.  Such symbols are remembered by their structure, hence every round meets the same one.
"""

from __future__ import annotations

from collections.abc import Hashable

from analysis_core.domains import condition as cond
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.symbol import Symbol
from analysis_core.domains.thread_value import Integer
from analysis_core.interp.core.state import Run


class Invariants:
    """The invariant symbols of one loop, asked for one by one.  `clock`: symbols with lower numbers are older.  `stable`:
    neither a store nor a barrier in the loop lets what is loaded change."""

    def __init__(self, run: Run, clock: int, stable: bool) -> None:
        self._run = run
        self._clock = clock
        self._stable = stable
        self._known: dict[Symbol, bool] = {}
        self._loaded: dict[Symbol, Hashable] = {}
        self._loads_seen = 0

    def holds(self, poly: Poly) -> bool:
        """Whether the polynomial has the same value in every round."""
        return all(self._invariant(s) for s in poly.symbols())

    def _invariant(self, symbol: Symbol) -> bool:
        """Derivations are followed without recursion: a chain of them may be long."""
        pending = [symbol]
        while pending:
            current = pending[-1]
            if current in self._known:
                pending.pop()
                continue
            parts = self._parts(current)
            if parts is None or any(self._known.get(part) is False for part in parts):
                self._known[current] = False
            elif all(part in self._known for part in parts):
                self._known[current] = True
            else:
                pending.extend(part for part in parts if part not in self._known)
                continue
            pending.pop()
        return self._known[symbol]

    def _parts(self, symbol: Symbol) -> set[Symbol] | None:
        """The symbols that this one is a function of; None where it is fresh in every round."""
        if symbol.number < self._clock:
            return set()
        derivation = self._run.arithmetic.derivations.get(symbol)
        if derivation is not None:
            return _operands(derivation)
        self._note_loads()
        key = self._loaded.get(symbol)
        return None if key is None else _address_symbols(key, self._stable)

    def _note_loads(self) -> None:
        """What was loaded since the loop began, newest first."""
        loads = self._run.loads
        if len(loads) == self._loads_seen:
            return
        self._loads_seen = len(loads)
        for key in reversed(loads):
            made = [s for value in loads[key] if isinstance(value, Integer) for s in value.poly.symbols()]
            if made and all(s.number < self._clock for s in made):
                break
            self._loaded.update((s, key) for s in made)


def _operands(derivation: Derivation) -> set[Symbol] | None:
    parts = {s for operand in derivation.operands for s in operand.poly.symbols()}
    if derivation.condition is None:
        return parts
    if cond.has_opaque(derivation.condition):
        return None
    return parts | cond.symbols(derivation.condition)


def _address_symbols(key: Hashable, stable: bool) -> set[Symbol] | None:
    """A load's key (memory.py): the polynomial of its address first, last the epoch, which is None where nothing may
    write the memory."""
    assert isinstance(key, tuple)
    if key[-1] is not None and not stable:
        return None
    return {symbol for monomial, _ in key[0] for symbol in monomial}
