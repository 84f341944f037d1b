"""What accesses cost at the sizes that launches are seen to pass: figures of findings, and of nothing else.

    int pitch = 128; .. k<<<grid, dim3(2, 128)>>>(p, pitch)       p[threadIdx.y * pitch + threadIdx.x]: 16 sectors

Bounds hold for every pitch, and so does the dearest request of facts: 32 sectors, at a pitch of 1.  Nobody who launches the
kernel with 128 meets it, so what a finding says is costed again with the number in place of the parameter.  Where launches in view
pass different numbers, or one that nobody knows, all values count as before.  So where they pass one value of a flag, which a conditional expression
asks for (`turned ? i : i * size`): the other side is what nobody launches; and what is derived from such numbers is known with them
(`derived_sizes`).  So it is asked with this number which lanes guards let pass
(`seen_masks`), of accesses that are ideal too: shares are of all.  Lanes that pick elements of an array which is allocated with 20 bytes
are all within two sectors.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import field, replace

from analysis_core.domains import polynomial as pl
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.mask import Mask
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.symbol import Symbol, SymbolKind
from analysis_core.expressions.expression import safe_name
from analysis_core.interp.core.events import AccessEvent, Events
from analysis_core.ir.launch_site import SizeRange
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import ScalarKind, ScalarType, Space, Type
from analysis_core.machine.sizes import SECTOR_BYTES
from analysis_core.program.launch import Launch
from analysis_core.requests.facts import AccessFact
from analysis_core.text.records import dataclass
from analysis_core.traffic.derived_sizes import parameters_of, with_derived
from analysis_core.traffic.seen_masks import mask_at, symbols_asked, truth_at

_MOST_EVENTS = 1024
"""Executions of accesses of one kernel that are costed again."""

_SMALL = 16
"""Up to this, several numbers that launches pass are small ones."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The parameters with a seen value that addresses and guards rest on, and the bytes that the array is allocated with."""

    names: tuple[str, ...]
    room: int | None


@dataclass(slots=True)
class SeenSizes:
    """`values`: what parameters are at every launch in view, as numbers that they are replaced by, and what is derived from them.  `passed`:
    those of them that launches say, which guards are asked with.  `rooms`: bytes of arrays by name.  `own`: the parameters that the settings do not state.  `left`: executions that may still be costed again.  `masks`: those
    that were asked, as they are at these sizes.  `events`: what derivations are of."""

    events: Events
    values: Mapping[Symbol, Poly]
    passed: Mapping[Symbol, Poly]
    rooms: Mapping[str, int]
    own: tuple[Symbol, ...] = ()
    left: int = _MOST_EVENTS
    masks: dict[Mask, Mask] = field(default_factory=dict)

    @staticmethod
    def of(
        kernel: Kernel,
        events: Events,
        launch: Launch,
        ranges: Iterable[SizeRange],
        stated: Container[str],
    ) -> SeenSizes:
        """Those of the kernel's parameters of which one value is seen, and that the settings do not state."""
        types = {kernel.variables[number].name: kernel.variables[number].type for number in kernel.parameters}
        own = [
            s for s in events.parameters if s.kind is SymbolKind.PARAMETER and s.name in types and s.name not in stated
        ]
        seen = {one.name: one for one in ranges if one.least is not None and one.least == one.most}
        passed: dict[Symbol, Poly] = {}
        for s in own:
            one = seen.get(s.name)
            if one is not None and one.least is not None and _admits(s, one.least):
                passed[s] = pl.constant(one.least)
        flags = {s: v for s, v in passed.items() if _is_flag(types[s.name])}
        values = {**passed, **_sides_taken(flags, events.derivations)}
        found = SeenSizes(events, {}, {}, dict(launch.arguments.rooms), tuple(own))
        return found.with_numbers(values, passed)

    def with_numbers(self, values: Mapping[Symbol, Poly], passed: Mapping[Symbol, Poly]) -> SeenSizes:
        """The same at these numbers."""
        return replace(
            self, values=with_derived(values, self.events), passed=with_derived(passed, self.events), masks={}
        )

    def at_ends(self, ranges: Iterable[SizeRange]) -> tuple[SeenSizes, ...]:
        """The same with the least and with the greatest of the small numbers that launches pass for others; none where they pass no such."""
        few = {
            one.name: (one.least, one.most)
            for one in ranges
            if one.least is not None and one.most is not None and 0 < one.least < one.most <= _SMALL
        }
        found = [s for s in self.own if s.name in few and all(_admits(s, value) for value in few[s.name])]
        if not found:
            return ()
        ends = ({s: pl.constant(few[s.name][end]) for s in found} for end in range(2))
        return tuple(self.with_numbers({**_given(self.values), **e}, {**_given(self.passed), **e}) for e in ends)

    def of_groups(self, groups: Sequence[Sequence[AccessEvent]], dear: Sequence[int]) -> dict[int, Seen]:
        """By place: what is seen of what the dear ones rest on, and of what holds back lanes of the others; not of those that nothing
        is seen of, nor where there is too much to look at."""
        found = {place: seen for place in dear if (seen := self._of_group(groups[place], True)) is not None}
        if not dear or not any(self._mask(event) is not event.mask for place in dear for event in groups[place]):
            return found
        for place, group in enumerate(groups):
            if place not in found and (seen := self._of_group(group, False)) is not None:
                found[place] = seen
        return found

    def _of_group(self, group: Sequence[AccessEvent], dear: bool) -> Seen | None:
        if not (self.values or self.rooms) or len(group) > self.left:
            return None
        room = self.rooms.get(group[0].base) if group[0].space is Space.GLOBAL and dear else None
        addressed = (s for event in group for s in event.address.poly.symbols() if dear and s in self.values)
        found = set(addressed) if self.values else set[Symbol]()
        for event in group if self.passed else ():
            if self._mask(event) is not event.mask:
                found |= symbols_asked(event.mask, self.passed)
        if not found and room is None:
            return None
        self.left -= len(group)
        return Seen(tuple(s.name for s in sorted(parameters_of(found, self.values, self.events))), room)

    def _mask(self, event: AccessEvent) -> Mask:
        """The threads that may run at these sizes."""
        if not self.passed or not event.mask.literals:
            return event.mask
        found = self.masks.get(event.mask)
        if found is None:
            found = self.masks[event.mask] = mask_at(event.mask, self.passed)
        return found

    def numbers(self) -> dict[str, int]:
        """What launches pass, by the names that parameters have in expressions."""
        passed = ((s, p) for s, p in self.passed.items() if s.kind is SymbolKind.PARAMETER)
        return {safe_name(s.name): n for s, p in passed if isinstance(n := p.constant, int)}

    def at(self, event: AccessEvent) -> AccessEvent | None:
        """The execution with these values; None where nobody is left who runs it."""
        mask = self._mask(event)
        if mask.is_dead:
            return None
        poly = pl.substitute(event.address.poly, self.values) if self.values else event.address.poly
        room = self.rooms.get(event.base) if event.space is Space.GLOBAL else None
        extent = event.extent if room is None else min(room, event.extent or room)
        return replace(event, address=replace(event.address, poly=poly), extent=extent, mask=mask)


def within_room(fact: AccessFact, room: int | None) -> AccessFact:
    """The fact, with no more sectors than its array has (`room` bytes)."""
    most = fact.worst if room is None else (room + SECTOR_BYTES - 2) // SECTOR_BYTES + 1
    if most >= fact.worst:
        return fact
    return replace(
        fact,
        worst=most,
        best=min(fact.best, most),
        ideal=min(fact.ideal, most),
        cases=(),
        picture=None,
        variation=replace(fact.variation, own=None),
    )


def _is_flag(type: Type) -> bool:
    return isinstance(type, ScalarType) and type.kind is ScalarKind.BOOL


def _given(values: Mapping[Symbol, Poly]) -> dict[Symbol, Poly]:
    """Those of which launches say what they are, or which side is taken."""
    return {s: p for s, p in values.items() if s.kind is SymbolKind.PARAMETER or s.is_choice}


def _sides_taken(flags: Mapping[Symbol, Poly], derivations: Mapping[Symbol, Derivation]) -> dict[Symbol, Poly]:
    """The choices that one of these flags decides, and what they are."""
    found: dict[Symbol, Poly] = {}
    for symbol, derivation in derivations.items() if flags else ():
        if symbol.is_choice and derivation.op == "choice" and derivation.condition is not None:
            truth = truth_at(derivation.condition, flags)
            if truth is not None:
                found[symbol] = pl.constant(int(truth))
    return found


def _admits(symbol: Symbol, value: int) -> bool:
    low, high = symbol.ends
    return low <= value <= high and value % symbol.modulus == symbol.residue
