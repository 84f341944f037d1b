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
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np

from analysis_core.domains.derivation import Derivation
from analysis_core.domains.mask import Literal, Mask
from analysis_core.domains.symbol import Symbol, Unique
from analysis_core.interp.core.events import AccessEvent, BranchEvent, Events
from analysis_core.requests.case_split import Splitter, TreeCost
from analysis_core.requests.divisible_cases import DivisibleCases, Recosted
from analysis_core.support.packing import Packed, Reducers, order_of, pack, replaced, unpack
from analysis_core.support.store import Stage, Store
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

F = TypeVar("F")
E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Kept:
    """A remembered fact. `spans`: the places in its key; `trees`, `recosted`: what finding it took of the budgets."""

    fact: Packed
    spans: tuple[Span, ...]
    trees: tuple[TreeCost, ...]
    recosted: Recosted

    @property
    def size(self) -> int:
        """How many bytes the fact takes, about."""
        return self.fact.size + 100 * (len(self.spans) + len(self.trees))


SITES: Stage[bytes, Kept] = Stage("facts of accesses and branches", 20_000_000, lambda kept: kept.size)
"""By digest of their executions; in bytes."""


_Part = Symbol | Literal
"""What has a text of its own, which many values share."""


class _Writer(pickle.Pickler):
    """Writes values down with symbols, literals, spans and unique things as numbers."""

    def __init__(self, stream: io.BytesIO, table: _Table) -> None:
        super().__init__(stream, protocol=5)
        self.dispatch_table = table
        self.parts: dict[_Part, int] = {}
        self.uniques: dict[Unique, int] = {}
        self.spans: dict[Span, int] = {}

    def persistent_id(self, value: Any) -> tuple[str, int] | None:
        """The number of what is not written down here."""
        kind = type(value)
        if kind is Symbol or kind is Literal:
            return "part", self.parts.setdefault(value, len(self.parts))
        if kind is Span:
            return "span", self.spans.setdefault(value, len(self.spans))
        if kind is Unique:
            return "unique", self.uniques.setdefault(value, len(self.uniques))
        return None


class _Table(Reducers):
    def __missing__(self, kind: type) -> Callable[[Any], Any]:
        if kind is MappingProxyType:
            self[kind] = lambda value: (dict, (dict(value),))
            return self[kind]
        if kind is np.ndarray:  # in one piece: there are thousands of them, and what they do by themselves has ten
            self[kind] = lambda value: (np.ndarray, (value.shape, value.dtype.char, value.tobytes()))
            return self[kind]
        return super().__missing__(kind)


@dataclass(frozen=True, slots=True, eq=False)
class _Text:
    """A value written down, and what its numbers mean, in order."""

    data: bytes
    parts: tuple[_Part, ...]
    uniques: tuple[Unique, ...]
    spans: tuple[Span, ...]


class _Keys:
    """Digests of values and of all that is known of their symbols.  What is known of a symbol, and what a literal says, is written down once:
    a mask has those of all masks around it."""

    def __init__(self, derivations: Mapping[Symbol, Derivation]) -> None:
        self._derivations = derivations
        self._table = _Table()
        self._known: dict[_Part, _Text] = {}

    def of(self, value: object) -> tuple[bytes, tuple[Span, ...]]:
        """The digest, and the places in the value."""
        first = self._text(value)
        digest = blake2b(first.data, digest_size=16)
        parts = {part: number for number, part in enumerate(first.parts)}
        uniques = {unique: number for number, unique in enumerate(first.uniques)}
        spans = {span: number for number, span in enumerate(first.spans)}
        waiting = list(first.parts)
        for part in waiting:  # What made one may bring in others.
            text = self._known.get(part) or self._written(part)
            waiting += [inner for inner in text.parts if inner not in parts]
            numbers = (_numbers(parts, text.parts), _numbers(uniques, text.uniques), _numbers(spans, text.spans))
            digest.update(text.data)
            digest.update(repr(numbers).encode())
        ages = [part.number for part in waiting if isinstance(part, Symbol)]
        order = sorted(range(len(ages)), key=ages.__getitem__)
        digest.update(repr((order, order_of(spans))).encode())
        return digest.digest(), tuple(spans)

    def _written(self, part: _Part) -> _Text:
        if isinstance(part, Literal):
            told: tuple[object, ...] = (part.formula, part.scope)
        else:
            known = (part.name, part.level, part.kind, part.low, part.high, part.modulus, part.residue)
            told = (known, part.values, part.alike, part.cause, self._derivations.get(part))
        found = self._known[part] = self._text(told)
        return found

    def _text(self, value: object) -> _Text:
        stream = io.BytesIO()
        writer = _Writer(stream, self._table)
        writer.dump(value)
        return _Text(stream.getvalue(), tuple(writer.parts), tuple(writer.uniques), tuple(writer.spans))


K = TypeVar("K")


def _numbers(known: dict[K, int], met: Sequence[K]) -> list[int]:
    """Their numbers; new ones get the next."""
    return [known.setdefault(value, len(known)) for value in met]


def _mask(mask: Mask) -> tuple[object, ...]:
    return mask.may, mask.literals


def _of_accesses(events: Sequence[AccessEvent]) -> list[object]:
    """All that costs of these executions rest on, five parts each.  Of those after the first None is what the first has: rounds of a loop
    have little but their addresses of their own."""
    first, common = events[0], _common(events[0])
    written: list[object] = [(_terms(first), common, _mask(first.mask), first.times, first.address.condition)]
    for event in events[1:]:
        same = _common(event) == common
        mask = None if event.mask is first.mask else _mask(event.mask)
        times = None if event.times is first.times else event.times
        written.append((_terms(event), None if same else _common(event), mask, times, event.address.condition))
    return written


def _common(event: AccessEvent) -> tuple[object, ...]:
    access, address = event.access, event.address
    return (
        *(
            event.kind,
            event.base,
            event.space,
            event.extent,
            event.ragged,
            event.held,
            event.varied,
            event.uneven,
            event.own,
            address.bits,
            address.origin,
        ),
        *(access.span, access.text, access.width, access.type, access.via),
        *(access.volatile, access.compound, access.merges, access.loose),
    )


def _terms(event: AccessEvent) -> tuple[object, ...]:
    """Monomials and coefficients in turn."""
    return tuple(
        part if isinstance(part, tuple | int) else (part.dtype.char, part.tobytes())
        for term in event.address.poly.terms.items()
        for part in term
    )


def _of_branch(event: BranchEvent) -> tuple[object, ...]:
    return (
        (event.span, event.whole, event.kind, event.via, event.conditions, _mask(event.mask), event.times, event.work),
        (event.iteration, event.execution, event.entered, event.ragged),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Met:
    """The fact of certain executions. The executions are held, so that nothing else gets their identities."""

    events: tuple[object, ...]
    fact: Any
    kept: Kept


@dataclass(frozen=True, slots=True, eq=False)
class Sites:
    """What is remembered of facts: by key (`store`), and by the identity of executions, those of the last interpretation (`past`), which
    this one may have gone on from (interp/resume/trail.py), and of this one, for the next (`met`)."""

    store: Store
    past: Mapping[tuple[int, ...], Met]
    met: dict[tuple[int, ...], Met]


class Remembering:
    """Facts of one kernel under one launch: taken from what is remembered, else made and remembered. `beside`: what
    else they rest on."""

    def __init__(
        self, sites: Sites, events: Events, splitter: Splitter, divisible: DivisibleCases, beside: object
    ) -> None:
        self._sites, self._keys = sites, _Keys(events.derivations)
        self._splitter, self._divisible = splitter, divisible
        self._beside = repr(beside).encode()
        splitter.name_tree = self._name_tree

    def access(self, events: Sequence[AccessEvent], make: Callable[[], F]) -> F:
        """The fact of an access, by its executions."""
        return self._fact(events, _of_accesses, make)

    def branch(self, events: Sequence[BranchEvent], left_inside: bool, make: Callable[[], F]) -> F:
        """The fact of a branch, by its tests, and whether other ways lead out of the loop."""
        return self._fact(events, lambda tests: [left_inside, *map(_of_branch, tests)], make, left_inside)

    def _fact(
        self,
        events: Sequence[E],
        written: Callable[[Sequence[E]], Sequence[object]],
        make: Callable[[], F],
        beside: bool = False,
    ) -> F:
        same = (int(beside), *map(id, events))
        met = self._sites.past.get(same)
        if met is None or not self._replay(met.kept):
            fact, kept = self._found(written(events), make)
            met = Met(tuple(events), fact, kept)
        self._sites.met[same] = met
        known: F = met.fact
        return known

    def _found(self, events: Sequence[object], make: Callable[[], F]) -> tuple[F, Kept]:
        name, spans = self._keys.of(events)
        key = blake2b(name + self._beside, digest_size=16).digest()
        kept = self._sites.store.get(SITES, key)
        if kept is not None:
            places = replaced(kept.fact.spans, kept.spans, spans)
            if places is not None and self._replay(kept):
                fact: F = unpack(Packed(kept.fact.data, places))
                return fact, kept
        self._splitter.log.clear()
        before = self._divisible.left
        made = make()
        trees, recosted = tuple(self._splitter.log), Recosted(before, before - self._divisible.left)
        kept = Kept(pack(made), spans, trees, recosted)
        self._sites.store.put(SITES, key, kept)
        return made, kept

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
            asked = (warps, mask.may, literals)
        return self._keys.of([asked])[0]
