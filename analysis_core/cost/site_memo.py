"""Facts of accesses and branches that were found out before, for the same executions in another text.

What an access costs depends on its executions: their addresses, masks and multiplicities, polynomials over symbols, and what is
known of the symbols.  Written down with symbols and places as numbers, in the order in which they are met, all that is the
key of the fact (`_Writer`); so an access has the same key in the next version of its kernel, though every symbol is another object
there and stands for the same in other words.  The fact is kept packed (support/packing.py), and gets the places of now.

Two budgets of a kernel make one fact depend on those before it: cases of derived values (`Splitter`), and executions costed again
under conditions on sizes (`DivisibleCases`).  What a fact took of them is kept beside it, tree by tree, and counted again when it is
used (`replay`); where the fact might be another one with what is left now, it is found out anew.  So results never depend
on what is remembered.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

from analysis_core.cost.case_split import Splitter, TreeCost
from analysis_core.cost.divisible_cases import DivisibleCases, Recosted
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.mask import Literal, Mask
from analysis_core.domains.symbol import Symbol, Unique
from analysis_core.interp.events import AccessEvent, BranchEvent, Events
from analysis_core.support.packing import Packed, Reducers, order_of, pack, replaced, unpack
from analysis_core.text.span import Span

F = TypeVar("F")


@dataclass(frozen=True, slots=True)
class Kept:
    """A fact.  `spans`: the places of the key; `trees`, `recosted`: what it took of the budgets."""

    fact: Packed
    spans: tuple[Span, ...]
    trees: tuple[TreeCost, ...]
    recosted: Recosted

    @property
    def size(self) -> int:
        """Bytes, about."""
        return self.fact.size + 100 * (len(self.spans) + len(self.trees))


class SiteMemo(Protocol):
    """Where facts are kept, by digest."""

    def get(self, key: bytes) -> Kept | None:
        """The fact of this key, if it is there."""
        ...

    def put(self, key: bytes, value: Kept) -> None:
        """Keeps a fact; it may be dropped at any time."""
        ...


class _Writer(pickle.Pickler):
    """Writes values down with symbols, spans and unique things as numbers."""

    def __init__(self, stream: io.BytesIO) -> None:
        super().__init__(stream, protocol=5)
        self.dispatch_table = _Table()
        self.symbols: dict[Symbol, int] = {}
        self.uniques: dict[Unique, int] = {}
        self.spans: dict[Span, int] = {}

    def persistent_id(self, value: Any) -> tuple[str, int] | None:
        """The number of what has no text of its own."""
        kind = type(value)
        if kind is Symbol:
            return "symbol", self.symbols.setdefault(value, len(self.symbols))
        if kind is Span:
            return "span", self.spans.setdefault(value, len(self.spans))
        if kind is Unique:
            return "unique", self.uniques.setdefault(value, len(self.uniques))
        return None


class _Table(Reducers):
    def __missing__(self, kind: type) -> Callable[[Any], Any]:
        if kind is MappingProxyType:
            return lambda value: (dict, (dict(value),))
        return super().__missing__(kind)


def _key(events: Sequence[object], derivations: Any) -> tuple[bytes, tuple[Span, ...]]:
    """The digest of executions and of all that is known of their symbols, and the places in them."""
    stream = io.BytesIO()
    writer = _Writer(stream)
    writer.dump(events)
    written = 0
    while written < len(writer.symbols):  # What made a symbol may bring in others.
        met = list(writer.symbols)[written:]
        for symbol in met:
            made: Derivation | None = derivations.get(symbol)
            known = (symbol.name, symbol.level, symbol.kind, symbol.low, symbol.high, symbol.modulus, symbol.residue)
            writer.dump((known, symbol.values, symbol.cause, made))
        written += len(met)
    order = sorted(range(written), key=[s.number for s in writer.symbols].__getitem__)
    digest = blake2b(stream.getvalue(), digest_size=16)
    digest.update(repr((order, order_of(writer.spans))).encode())
    return digest.digest(), tuple(writer.spans)


def _mask(mask: Mask) -> tuple[object, ...]:
    return mask.may, tuple((entry.formula, entry.scope) for entry in mask.literals)


def _of_access(event: AccessEvent) -> tuple[object, ...]:
    access = event.access
    return (
        (
            event.kind,
            event.address,
            event.base,
            event.space,
            _mask(event.mask),
            event.times,
            event.extent,
            event.ragged,
        ),
        (access.span, access.text, access.width, access.type, access.via),
        (access.volatile, access.compound, access.merges),
    )


def _of_branch(event: BranchEvent) -> tuple[object, ...]:
    return (
        (event.span, event.whole, event.kind, event.via, event.conditions, _mask(event.mask), event.times, event.work),
        (event.iteration, event.execution, event.entered, event.ragged),
    )


class Remembering:
    """Facts of one kernel under one launch: asked of the memo, else made and kept.  `beside`: what they rest on as well."""

    def __init__(
        self, memo: SiteMemo, events: Events, splitter: Splitter, divisible: DivisibleCases, beside: object
    ) -> None:
        self._memo, self._derivations = memo, events.derivations
        self._splitter, self._divisible = splitter, divisible
        self._beside = repr(beside).encode()
        splitter.name_tree = self._name_tree

    def access(self, events: Sequence[AccessEvent], make: Callable[[], F]) -> F:
        """The fact of an access, by its executions."""
        return self._fact([_of_access(event) for event in events], make)

    def branch(self, events: Sequence[BranchEvent], make: Callable[[], F]) -> F:
        """The fact of a branch, by its tests."""
        return self._fact([_of_branch(event) for event in events], make)

    def _fact(self, events: Sequence[object], make: Callable[[], F]) -> F:
        name, spans = _key(events, self._derivations)
        key = blake2b(name + self._beside, digest_size=16).digest()
        kept = self._memo.get(key)
        if kept is not None:
            places = replaced(kept.fact.spans, kept.spans, spans)
            if places is not None and self._replay(kept):
                fact: F = unpack(Packed(kept.fact.data, places))
                return fact
        self._splitter.log.clear()
        before = self._divisible.left
        made = make()
        trees, recosted = tuple(self._splitter.log), Recosted(before, before - self._divisible.left)
        self._memo.put(key, Kept(pack(made), spans, trees, recosted))
        return made

    def _replay(self, kept: Kept) -> bool:
        """Counts what the fact took; False, and nothing is counted, if it might be another one now."""
        if not self._divisible.replay(kept.recosted):
            return False
        if self._splitter.replay(kept.trees):
            return True
        self._divisible.replay(Recosted(self._divisible.left, -kept.recosted.taken))
        return False

    def _name_tree(
        self, own: frozenset[Symbol], mask: Mask, literals: tuple[Literal, ...], warps: tuple[int, ...]
    ) -> bytes:
        if own:
            asked: tuple[object, ...] = (warps, tuple(sorted(own)))
        else:
            asked = (warps, mask.may, tuple((entry.formula, entry.scope) for entry in literals))
        return _key([asked], self._derivations)[0]
