"""Where one value V that a warp shares may lie, and which lanes' atoms are true then.

An atom  c + f*V < 0  (or == 0) whose V is one value for the warp is a threshold (a point) of V itself.  Atoms over multiples of
one polynomial share a *family*, with V's range, its congruence, and how far it moves from block to block or round to round.  V is
measured from the first threshold, and gaps between thresholds are closed up as far as they tell nothing, so that warps which are
alike have equal families: `tid < n` and `256 < n` are one family for all warps but the one at 256.

What is read here depends on an atom, a warp and some of its lanes.  Masks grow literal by literal, so the same is asked again and
again: `Families` remembers it for one kernel, and families of equal contents are one object.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import field
from itertools import pairwise
from math import gcd, inf, prod

import numpy as np
import numpy.typing as npt

from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Atom, Relation
from analysis_core.domains.polynomial import Monomial
from analysis_core.domains.shape import (
    WARP,
    BoolVector,
    IntVector,
    distinct_numbers,
    lanes_of_warps,
    some,
    some_nonzero,
)
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.support.derived import derived
from analysis_core.support.recent import Recent
from analysis_core.text.records import dataclass

LARGE = 1 << 52
"""Numbers up to here are exact as floats; an end of a range beyond it counts as none."""

Sets = npt.NDArray[np.uint32]
"""Sets of lanes, `packed`."""

Terms = tuple[tuple[Monomial, int], ...]
"""A value that the lanes of a warp share: products of symbols, with their coefficients."""


def packed(lanes: BoolVector) -> Sets:
    """Sets of lanes, (..., 32), as one number each: set operations on them are those of whole numbers."""
    return np.packbits(lanes, axis=-1, bitorder="little").view(np.uint32).reshape(lanes.shape[:-1])


def unpacked(sets: Sets) -> npt.NDArray[np.bool_]:
    """The (n, 32) lanes of n packed sets."""
    return np.unpackbits(sets.view(np.uint8).reshape(-1, 4), axis=1, bitorder="little").view(np.bool_)


def _pack(lanes: BoolVector) -> int:
    return int(np.packbits(lanes, bitorder="little").view(np.uint32)[0])


_TILES = 2
"""Blocks that one cut may go through: tiles that overlap by a halo, `blockIdx.x * (32 - 2) + threadIdx.x - 1`."""


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """What is known of one value V that a warp shares: its range, its congruence (modulus 0: one number), and by how
    much it moves at least when a component of blockIdx, or the counter of a loop, goes up by one (0: it may stay).
    `data`: it depends on contents of memory."""

    low: float
    high: float
    modulus: int
    residue: int
    movement: int
    data: bool

    @staticmethod
    def of(terms: Terms) -> Value:
        data = any(s.kind is SymbolKind.DATA for m, _ in terms for s in m)
        return Value(*_range(terms), _movement(terms), data)


@dataclass(frozen=True, slots=True, eq=False)
class Use:
    """An atom on the lanes that wait for one V: true where V < -c, or for `rising` V > c; for `point` where V == -c or c."""

    lanes: BoolVector
    constants: IntVector
    rising: bool
    point: bool

    @property
    def places(self) -> IntVector:
        """The threshold of each lane."""
        return self.constants if self.rising else -self.constants


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What an atom says about one value V on some lanes of a warp. `terms` None: the atom has one truth value for the
    warp."""

    terms: Terms | None
    uses: tuple[Use, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """What an atom says on some lanes of a warp: its parts, one for each V, and the lanes where it is false for every
    V. Lanes that are in no part and not in `false` are free."""

    parts: tuple[Part, ...]
    false: int


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """One value of V out of each interval on which no atom of the family changes: whether the interval is an edge (worlds.py), and
    for each use the lanes where it is true, and where it is false."""

    edge: BoolVector
    sets: tuple[tuple[Sets, Sets], ...]


def _different(found: Outcomes) -> Outcomes:
    """The outcomes once each: where V is met by nobody, it may lie on either side."""
    columns = [column for pair in found.sets for column in pair]
    _, first, which = np.unique(np.stack(columns, axis=1), axis=0, return_index=True, return_inverse=True)
    if len(first) == len(found.edge):
        return found
    edge = np.ones(len(first), dtype=bool)
    np.logical_and.at(edge, which.reshape(-1), found.edge)
    order = np.argsort(first)
    kept_first = first[order]
    return Outcomes(edge[order], tuple((true[kept_first], false[kept_first]) for true, false in found.sets))


@dataclass(frozen=True, eq=False)  # no slots: what is derived from it is kept with it
class Family:
    """The atoms about one value V that a warp shares: what they say, V's range and congruence, and by how much it
    moves with an index. `disjoint`: one value of V cuts at most one warp of a block. Families with equal contents are
    equal."""

    low: float
    high: float
    modulus: int
    residue: int
    moves: int
    disjoint: bool
    uses: tuple[Use, ...]
    truth_value: bool
    content: Hashable

    @derived
    def outcomes(self) -> Outcomes:
        """One value of V from each interval on which no atom of the family changes, with the lanes for which each atom
        is true or false there."""
        values, edge = _intervals(self)
        sets = []
        for use in self.uses:
            true = _holds(use, values)
            sets.append((packed(true & use.lanes), packed(~true & use.lanes)))
        found = Outcomes(edge, tuple(sets))
        return _different(found) if any(use.point for use in self.uses) else found


@dataclass(frozen=True, slots=True, eq=False)
class Families:
    """What was read of the atoms of one kernel, by all that it depends on; equal `parts` and `contents` are one
    object."""

    atoms: dict[tuple[Atom, int, int], Said] = field(default_factory=dict)
    values: dict[Terms, Value] = field(default_factory=dict)
    parts: dict[tuple[object, ...], Family] = field(default_factory=dict)
    contents: dict[Hashable, Family] = field(default_factory=dict)

    def handed_on(self) -> Families:
        """These families for the next interpretation over the same symbols; what it does not ask for is forgotten."""
        return Families(Recent(self.atoms), Recent(self.values), Recent(self.parts), Recent(self.contents))

    def said(self, atom: Atom, warp: int, lanes: int) -> Said:
        """What the atom says on these lanes of the warp."""
        found = self.atoms.get((atom, warp, lanes))
        if found is None:
            found = self.atoms[atom, warp, lanes] = _said(atom, warp, lanes)
        return found

    def value(self, terms: Terms) -> Value:
        found = self.values.get(terms)
        if found is None:
            found = self.values[terms] = Value.of(terms)
        return found

    def family(self, parts: tuple[Part, ...], disjoint: bool) -> Family:
        """The family of parts over one V."""
        found = self.parts.get((disjoint, *parts))
        if found is None:
            made = self._made(parts, disjoint)
            found = self.contents.get(made.content, made)
            self.parts[disjoint, *parts] = self.contents[made.content] = found
        return found

    def _made(self, parts: tuple[Part, ...], disjoint: bool) -> Family:
        terms, uses = parts[0].terms, [use for part in parts for use in part.uses]
        return _truth_value(uses) if terms is None else _family(self.value(terms), uses, disjoint)


# --- atoms --------------------------------------------------------------------------------------------------------


def _said(atom: Atom, warp: int, numbers: int) -> Said:
    lanes = lanes_of_warps([numbers])[0]
    if atom.poly is None or atom.relation is Relation.OPAQUE:
        whole = Use(lanes, np.zeros(WARP, dtype=np.int64), True, False)
        return Said(() if atom.level is Level.LANE else (Part(None, (whole,)),), 0)
    row = slice(warp * WARP, (warp + 1) * WARP)
    of_block = atom.poly.constant
    constants = pl.coefficient_vector(of_block, WARP) if isinstance(of_block, int) else of_block[row]
    if int(np.abs(constants).max()) > LARGE:
        return Said((), 0)  # left free: thresholds have to stay within 64 bits
    parts, false, point = [], 0, atom.relation is Relation.ZERO
    for terms, factors in _by_direction(atom, row, lanes):
        if point:
            never = (factors != 0) & (constants % np.where(factors == 0, 1, factors) != 0)
            if some(never):
                factors = np.where(never, 0, factors)
                false |= _pack(never)
                if not some_nonzero(factors):
                    continue
        parts.append(Part(terms, tuple(_uses(point, constants, factors))))
    return Said(tuple(parts), false)


def _by_direction(atom: Atom, row: slice, lanes: BoolVector) -> Iterator[tuple[Terms, IntVector]]:
    """The lanes that wait for one V: its terms, and per lane the factor f of  D = c + f*V  (0: not of these lanes).

    Free lanes are in none.  Coefficients of different lanes may be multiples of each other: `tx * n` is one n."""
    assert atom.poly is not None
    tied = lanes
    terms: list[tuple[Monomial, int | IntVector]] = []
    for monomial, coefficient in atom.poly.ordered:
        if not monomial:
            continue
        own = coefficient if isinstance(coefficient, int) else coefficient[row]
        if any(s.level is Level.LANE for s in monomial):
            tied = tied & (np.asarray(own) == 0)
        else:
            terms.append((monomial, own))
    whole = [(m, c) for m, c in terms if isinstance(c, int)]
    if len(whole) == len(terms):
        if some(tied):
            factor = _direction([c for _, c in whole])
            yield tuple((m, c // factor) for m, c in whole), np.where(tied, factor, 0)
        return
    found: dict[Terms, IntVector] = {}
    columns = [[c] * WARP if isinstance(c, int) else c.tolist() for _, c in terms]
    groups: dict[tuple[int, ...], list[int]] = {}
    for lane in np.flatnonzero(tied).tolist():
        groups.setdefault(tuple([column[lane] for column in columns]), []).append(lane)
    for values, alike in sorted(groups.items()):
        factor = _direction(values)
        direction = tuple((m, c // factor) for (m, _), c in zip(terms, values, strict=True) if c)
        factors = found.setdefault(direction, np.zeros(WARP, dtype=np.int64))
        factors[alike] = factor
    yield from found.items()


def _direction(coefficients: Sequence[int]) -> int:
    """What they are multiples of, with the sign of the first that is not 0."""
    factor = gcd(*coefficients) or 1
    return -factor if next((c for c in coefficients if c), 1) < 0 else factor


def _uses(point: bool, constants: IntVector, factors: IntVector) -> Iterator[Use]:
    """D = c + f*V as thresholds of V itself:  c + f*V < 0  is  V <= (-c - 1) / f,  or for f = -g  V > c / g."""
    for rising in (False, True):
        lanes = factors < 0 if rising else factors > 0
        if not some(lanes):
            continue
        size = np.where(lanes, np.abs(factors), 1)
        if point or rising:
            met = constants // size
        else:
            met = -((-constants - 1) // size + 1)
        yield Use(lanes, met, rising, point)


# --- values -------------------------------------------------------------------------------------------------------


def _range(terms: Terms) -> tuple[float, float, int, int]:
    """Least and greatest value of V, and its congruence (modulus 0: V is one number)."""
    low = high = 0.0
    modulus = residue = 0
    for monomial, coefficient in terms:
        ends = sorted(coefficient * end for end in pl.monomial_range(monomial))
        low, high = low + ends[0], high + ends[1]
        m, r = pl.congruence(monomial)
        modulus, residue = gcd(modulus, coefficient * m), residue + coefficient * r
    low, high = (-inf if low < -LARGE else low), (inf if high > LARGE else high)
    return low, high, modulus, residue % modulus if modulus else residue


def _movement(terms: Terms) -> int:
    """By how much V moves at least when one of blockIdx, or the counter of a loop, goes one up; 0 if it may stay."""
    best = 0
    for index in {s for m, _ in terms for s in m if _is_index(s)}:
        steps = []
        for monomial, coefficient in terms:
            if index in monomial:
                others = [s.low for s in monomial if s is not index]
                known = [low for low in others if low is not None and low >= 0]
                plain = monomial.count(index) == 1 and len(known) == len(others)
                steps.append((coefficient, prod(known)) if plain else (0, 0))
        if len({c > 0 for c, _ in steps}) == 1 and all(c for c, _ in steps):
            best = max(best, sum(abs(c) * least for c, least in steps))
    return best


def _is_index(symbol: Symbol) -> bool:
    if symbol.low == symbol.high:
        return False
    return symbol.kind is SymbolKind.ITERATION or symbol.name.startswith("blockIdx.")


# --- families -----------------------------------------------------------------------------------------------------


def _truth_value(uses: Sequence[Use]) -> Family:
    content = ("?", *(_pack(use.lanes) for use in uses))
    return Family(-inf, inf, 1, 0, 0, False, tuple(uses), True, content)


def _family(value: Value, uses: Sequence[Use], disjoint: bool) -> Family:
    """The family, with V measured from its first threshold."""
    start = min(int(use.places[use.lanes].min()) for use in uses)
    modulus, residue = value.modulus, value.residue - start
    residue = residue % modulus if modulus else residue
    moves = 0 if value.data else value.movement
    disjoint = disjoint and not value.data
    low, high = value.low - start, value.high - start
    moved = [Use(use.lanes, _shifted(use, start), use.rising, use.point) for use in uses]
    if modulus:
        low, high, moved = _closed_up(low, high, modulus, max(modulus, moves) + 2, moved)
    about = tuple((_pack(use.lanes), use.constants.tobytes(), use.rising, use.point) for use in moved)
    content = (low, high, modulus, residue, moves, disjoint, about)
    return Family(low, high, modulus, residue, moves, disjoint, tuple(moved), False, content)


def _shifted(use: Use, by: int | IntVector) -> IntVector:
    """The constants of the use with all thresholds `by` lower; 0 on lanes that do not wait."""
    return np.where(use.lanes, use.constants - by if use.rising else use.constants + by, 0)


def _closed_up(low: float, high: float, modulus: int, room: int, uses: Sequence[Use]) -> tuple[float, float, list[Use]]:
    """The range and the uses without what tells nothing.  Of a gap of more than `room` it is only asked that V may lie in it, which it
    may wherever it is more than a period, and whether V moves across it at once, which it does not where it is more than V moves
    (`_intervals`): it becomes about `room`, by whole periods.  An end of the range that is as far away is none."""
    places = sorted({place for use in uses for place in use.places[use.lanes].tolist()})
    low, high = (-inf if low < -room else low), (inf if high > places[-1] + room else high)
    if places[-1] - places[0] <= room:
        return low, high, list(uses)
    stops = sorted({*places, *(int(end) for end in (low, high) if abs(end) != inf)})
    spare, moved = 0, {stops[0]: 0}
    for before, stop in pairwise(stops):
        spare += max(0, stop - before - room) // modulus * modulus
        moved[stop] = spare
    low, high = (end if abs(end) == inf else end - moved[int(end)] for end in (low, high))
    if not spare:
        return low, high, list(uses)
    kept_uses = []
    for use in uses:
        by = np.array([moved.get(place, 0) for place in use.places.tolist()], dtype=np.int64)
        kept_uses.append(Use(use.lanes, _shifted(use, by), use.rising, use.point))
    return low, high, kept_uses


# --- where V may lie ----------------------------------------------------------------------------------------------


def _holds(use: Use, values: IntVector) -> npt.NDArray[np.bool_]:
    """Whether the atom is true for each value of V (rows) on each lane."""
    v, places = values[:, np.newaxis], use.places
    if use.point:
        return np.asarray(v == places)
    return np.asarray(v > places if use.rising else v < places)


def _intervals(family: Family) -> tuple[IntVector, BoolVector]:
    """One value of V out of each interval on which no atom of the family changes, and whether the interval is an edge.

    Intervals that V's range or congruence excludes are left out; if that leaves none (the family cannot be waited for),
    all are kept."""
    if family.truth_value:
        return np.array([0, 1], dtype=np.int64), np.zeros(2, dtype=bool)
    starts: set[int] = set()
    thresholds: set[int] = set()
    for use in family.uses:
        own = distinct_numbers(use.places[use.lanes]).tolist()
        thresholds.update(own)
        for t in own:
            starts.update((t, t + 1) if use.point else (t + 1,) if use.rising else (t,))
    cuts = sorted(starts)
    window = cuts[-1] - cuts[0]  # the number of values of V that lie inside
    disjoint = family.disjoint and len(thresholds) > 1
    moving = family.moves > 0 and _TILES * family.moves >= window
    found: list[tuple[int, bool]] = []
    for number, (start, end) in enumerate(zip([-inf, *cuts], [*(c - 1 for c in cuts), inf], strict=True)):
        low, high = max(start, family.low), min(end, family.high)
        value = _member(low, high, family.modulus, family.residue)
        if value is None:
            continue
        inside = 0 < number < len(cuts)
        found.append((value, (moving and high - low < family.moves) or (disjoint and inside)))
    if not found:
        found = [(c, False) for c in (cuts[0] - 1, *cuts)]
    return np.array([v for v, _ in found], dtype=np.int64), np.array([e for _, e in found], dtype=bool)


def _member(low: float, high: float, modulus: int, residue: int) -> int | None:
    """A number of the interval that is `residue` modulo `modulus` (0: the residue itself), or None."""
    if low > high:
        return None
    if modulus == 0:
        return residue if low <= residue <= high else None
    if low != -inf:
        value = int(low) + (residue - int(low)) % modulus
        return value if value <= high else None
    if high != inf:
        return int(high) - (int(high) - residue) % modulus
    return residue
