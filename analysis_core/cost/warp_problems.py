"""What one warp's mask and conditions ask: lanes that are decided, and families of atoms that wait for one value each.

An atom  c + f*V < 0  (or == 0) whose V is one value for the warp becomes a threshold (a point) of V itself.  Atoms over
multiples of one polynomial share a family, with V's range, its congruence, and how far it moves from block to block or
round to round.  V is measured from the first threshold and lanes from the first lane, so that warps which are alike have
equal problems (`Problem.key`), and are not asked twice.  What the answers mean: worlds.py.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from math import gcd, inf, prod

import numpy as np
import numpy.typing as npt

from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Atom, Condition, Relation
from analysis_core.domains.mask import Mask
from analysis_core.domains.polynomial import Monomial
from analysis_core.domains.shape import WARP, BoolVector, IntVector, every, some, some_nonzero, warps_with
from analysis_core.domains.symbol import Level, Symbol, SymbolKind

_ALL = (1 << WARP) - 1

_LARGE = 1 << 52
"""Numbers up to here are exact as floats; an end of a range beyond it counts as none."""


def packed(lanes: BoolVector) -> npt.NDArray[np.uint32]:
    """Sets of lanes, (..., 32), as one number each: set operations on them are those of whole numbers."""
    return np.packbits(lanes, axis=-1, bitorder="little").view(np.uint32).reshape(lanes.shape[:-1])


def unpacked(sets: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    """The (n, 32) lanes of n packed sets."""
    return np.unpackbits(sets.view(np.uint8).reshape(-1, 4), axis=1, bitorder="little").view(np.bool_)


def _pack(lanes: BoolVector) -> np.uint32:
    number: np.uint32 = np.packbits(lanes, bitorder="little").view(np.uint32)[0]
    return number


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A condition on one warp's lanes: decided lanes (`packed`), then an atom (by number) or parts for the others."""

    true: np.uint32
    false: np.uint32
    atom: int | None
    positive: bool
    parts: tuple[Node, ...]
    all_of: bool


@dataclass(frozen=True, slots=True, eq=False)
class Use:
    """An atom on the lanes that wait for one V: true where V < -c, or for `rising` V > c; for `point` where V == -c or c."""

    lanes: BoolVector
    constants: IntVector
    rising: bool
    point: bool


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """One V: what the atoms say of it, its range (None: a mere truth value), and by how much it moves with an index."""

    low: float
    high: float
    modulus: int
    residue: int
    moves: int
    disjoint: bool
    uses: tuple[tuple[int, Use], ...]
    truth_value: bool


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """One warp: the lanes that may run, the literals that hold them back, the conditions tested, the families of atoms.

    `false`: atoms with the lanes where they are false in every world.  Lanes of an atom that belong to no family are free.
    Atoms are numbered as they are met; sets of lanes are `packed`.  Equal keys: equal worlds."""

    may: np.uint32
    literals: tuple[tuple[np.uint32, Node], ...]
    conditions: tuple[Node, ...]
    families: tuple[Family, ...]
    false: tuple[tuple[int, np.uint32], ...]
    atoms: int
    key: Hashable


def problems(
    mask: Mask, conditions: Sequence[Condition], warps: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], Problem]]:
    """The problems of the warps; warps that are plainly alike share one."""
    found: dict[Hashable, tuple[int, Atom]] = {}
    lanes_of: dict[int, BoolVector] = {}
    for condition, lanes in [(c, mask.may) for c in conditions] + [
        (e.formula, e.scope & mask.may) for e in mask.literals
    ]:
        _collect(condition, lanes, found, lanes_of)
    atoms = [atom for _, atom in found.values()]
    groups = _alike(mask, conditions, atoms, [lanes_of[n] for n in range(len(atoms))], warps)
    disjoint = {number: _disjoint_warps(atom, lanes_of[number]) for number, atom in enumerate(atoms)}
    for group in groups:
        yield group, _problem(mask, conditions, group[0], found, disjoint)


def _alike(
    mask: Mask, conditions: Sequence[Condition], atoms: list[Atom], lanes_of: list[BoolVector], warps: Sequence[int]
) -> list[tuple[int, ...]]:
    """The warps by what decides about their lanes: decided lanes, scopes, and the atoms relative to the first lane."""
    if len(warps) == 1:
        return [tuple(warps)]
    sets = [mask.by_warp]
    for entry in mask.literals:
        sets.append(entry.by_warp)
        _add_decided(entry.formula, sets)
    for condition in conditions:
        _add_decided(condition, sets)
    parts: list[npt.NDArray[np.generic]] = []
    _add_thresholds(atoms, lanes_of, parts)
    thresholds = [b""] * len(mask.by_warp)
    if parts:
        rows = [np.ascontiguousarray(part).view(np.uint8).reshape(len(part), -1) for part in parts]
        thresholds = [row.tobytes() for row in np.concatenate(rows, axis=1)]
    told = list(zip(thresholds, *sets, strict=True))
    groups: dict[Hashable, list[int]] = {}
    for warp in warps:
        groups.setdefault(told[warp], []).append(warp)
    return [tuple(group) for group in groups.values()]


def _add_decided(condition: Condition, sets: list[list[int]]) -> None:
    sets += condition.by_warp
    for part in condition.parts:
        _add_decided(part, sets)


Thresholds = tuple[int, IntVector, BoolVector]
"""Of one atom  c + f*V: the factor f, the constants c, and the lanes that wait for it."""


def _add_thresholds(atoms: list[Atom], lanes_of: list[BoolVector], parts: list[npt.NDArray[np.generic]]) -> None:
    """What the atoms compare, warp by warp."""
    by_value: dict[tuple[tuple[Monomial, int], ...], list[Thresholds]] = {}
    fixed: set[Monomial] = set()  # lanes have coefficients of their own here: these thresholds are not moved
    for atom, lanes in zip(atoms, lanes_of, strict=True):
        if atom.poly is None:
            continue
        constants = pl.coefficient_vector(atom.poly.constant, len(lanes))
        terms = sorted(((m, c) for m, c in atom.poly.terms.items() if m), key=lambda t: tuple(s.number for s in t[0]))
        varying = [c for _, c in terms if not isinstance(c, int)]
        if varying or not terms or int(np.abs(constants).max()) > _LARGE:
            parts += [c.reshape(-1, WARP) for c in (*varying, constants)]
            fixed.update(m for m, _ in terms)
        elif not any(s.level is Level.LANE for m, _ in terms for s in m):
            whole = [(m, c) for m, c in terms if isinstance(c, int)]
            factor = gcd(*(c for _, c in whole)) * (1 if whole[0][1] > 0 else -1)
            by_value.setdefault(tuple((m, c // factor) for m, c in whole), []).append((factor, constants, lanes))
    for value, found in by_value.items():
        movable = fixed.isdisjoint(m for m, _ in value) and len({abs(factor) for factor, _, _ in found}) == 1
        parts += _relative(value, found) if movable else [c.reshape(-1, WARP) for _, c, _ in found]


_NOWHERE = np.iinfo(np.int64)


def _ends(lanes: BoolVector, places: IntVector) -> tuple[IntVector, IntVector]:
    """Per warp, the least and the greatest place of its lanes."""
    return np.where(lanes, places, _NOWHERE.max).min(axis=1), np.where(lanes, places, _NOWHERE.min).max(axis=1)


def _relative(value: tuple[tuple[Monomial, int], ...], found: list[Thresholds]) -> list[npt.NDArray[np.generic]]:
    """The thresholds of one V, warp by warp, from the warp's first one on.  Moving all of them by a multiple of V's modulus
    changes nothing, as long as no end of V's range is near; moving one against another does."""
    size = abs(found[0][0])
    waiting = [lanes.reshape(-1, WARP) for _, _, lanes in found]
    places = [(c if factor > 0 else -c).reshape(-1, WARP) for factor, c, _ in found]
    least, most = _ends(waiting[0], places[0])
    for lanes, own in zip(waiting[1:], places[1:], strict=True):
        low, high = _ends(lanes, own)
        least, most = np.minimum(least, low), np.maximum(most, high)
    ends_low, ends_high, modulus, _ = _range(value)
    room = size * (max(_movement(value), modulus) + 3)
    near = (size * ends_low + room >= -most.astype(np.float64)) | (size * ends_high - room <= -least.astype(np.float64))
    near |= modulus == 0
    first = least[:, np.newaxis]
    own = np.where(near, least, least % max(1, size * modulus))
    return [
        near[:, np.newaxis],
        own[:, np.newaxis],
        *(np.where(w, p - first, 0) for w, p in zip(waiting, places, strict=True)),
    ]


def _collect(
    condition: Condition, lanes: BoolVector, found: dict[Hashable, tuple[int, Atom]], lanes_of: dict[int, BoolVector]
) -> None:
    """Numbers the atoms of the condition and notes the lanes that wait for each.  Depth is limited by the reader."""
    waiting = lanes & condition.undecided
    for part in condition.parts:
        _collect(part, waiting, found, lanes_of)
    if condition.atom is not None:
        number, _ = found.setdefault(condition.atom.key, (len(found), condition.atom))
        lanes_of[number] = lanes_of[number] | waiting if number in lanes_of else waiting


def _problem(
    mask: Mask,
    conditions: Sequence[Condition],
    warp: int,
    found: dict[Hashable, tuple[int, Atom]],
    disjoint: dict[int, bool],
) -> Problem:
    draft = _Reading(warp, {key: number for key, (number, _) in found.items()})
    may = mask.by_warp[warp]
    key = draft.key
    literals = []
    for entry in mask.literals:
        scope = entry.by_warp[warp] & may
        if scope:
            key.append(scope)
            literals.append((np.uint32(scope), _node(entry.formula, scope, draft)))
    key.append(may)
    nodes = tuple(_node(c, may, draft) for c in conditions)
    everything = list(found.values())
    lanes = unpacked(np.array(list(draft.waiting.values()), dtype=np.uint32))
    atoms = [(everything[n][1], disjoint[n], own) for n, own in zip(draft.waiting, lanes, strict=True)]
    families, false = _families(slice(warp * WARP, (warp + 1) * WARP), atoms, key)
    return Problem(np.uint32(may), tuple(literals), nodes, families, false, len(atoms), tuple(key))


@dataclass(slots=True)
class _Reading:
    """One warp's conditions being read: the lanes that wait for each atom, as one number, in the order in which they are met,
    and what makes up the key.  `numbers`: the block's numbers of the atoms, by key."""

    warp: int
    numbers: dict[Hashable, int]
    waiting: dict[int, int] = field(default_factory=dict)
    place: dict[int, int] = field(default_factory=dict)
    key: list[Hashable] = field(default_factory=list)


def _node(condition: Condition, lanes: int, reading: _Reading) -> Node:
    trues, falses = condition.by_warp
    yes, no = trues[reading.warp] & lanes, falses[reading.warp] & lanes
    open_lanes = lanes & ~(yes | no)
    reading.key += [yes, no]
    if not open_lanes:
        return Node(np.uint32(yes), np.uint32(yes ^ _ALL), None, True, (), True)
    number = None
    if condition.atom is not None:
        of_block = reading.numbers[condition.atom.key]
        number = reading.place.setdefault(of_block, len(reading.place))
        reading.waiting[of_block] = reading.waiting.get(of_block, 0) | open_lanes
    reading.key += [number, condition.positive, condition.all_of, len(condition.parts)]
    parts = tuple(_node(part, open_lanes, reading) for part in condition.parts)
    return Node(np.uint32(yes), np.uint32(no), number, condition.positive, parts, condition.all_of)


@dataclass(slots=True)
class _Draft:
    """A family in the making."""

    terms: tuple[tuple[Monomial, int], ...]
    uses: list[tuple[int, Use]]
    disjoint: bool = False
    truth_value: bool = False


def _families(
    row: slice, atoms: Sequence[tuple[Atom, bool, BoolVector]], key: list[Hashable]
) -> tuple[tuple[Family, ...], tuple[tuple[int, np.uint32], ...]]:
    """The families of the atoms, and (atom, lanes) where it is false whatever its V.  Each atom comes with whether its
    warps are disjoint, and the lanes that wait for it."""
    drafts: dict[Hashable, _Draft] = {}
    false: list[tuple[int, np.uint32]] = []
    for number, (atom, disjoint, lanes) in enumerate(atoms):
        if atom.poly is None or atom.relation is Relation.OPAQUE:
            if atom.level is not Level.LANE:
                whole = Use(lanes, np.zeros(WARP, dtype=np.int64), True, False)
                drafts[number] = _Draft((), [(number, whole)], truth_value=True)
            continue
        of_block = atom.poly.constant
        constants = pl.coefficient_vector(of_block, WARP) if isinstance(of_block, int) else of_block[row]
        if int(np.abs(constants).max()) > _LARGE:
            continue  # left free: thresholds have to stay within 64 bits
        for terms, factors in _by_direction(atom, row, lanes):
            if atom.relation is Relation.ZERO:
                never = (factors != 0) & (constants % np.where(factors == 0, 1, factors) != 0)
                if some(never):
                    factors = np.where(never, 0, factors)
                    false.append((number, _pack(never)))
                    key.append((number, int(false[-1][1])))
                    if not some_nonzero(factors):
                        continue
            draft = drafts.setdefault(terms, _Draft(terms, []))
            draft.uses += [(number, use) for use in _uses(atom.relation is Relation.ZERO, constants, factors)]
            draft.disjoint = draft.disjoint or disjoint
    return tuple(_family(draft, key) for draft in drafts.values()), tuple(false)


def _by_direction(
    atom: Atom, row: slice, lanes: BoolVector
) -> Iterator[tuple[tuple[tuple[Monomial, int], ...], IntVector]]:
    """The lanes that wait for one V: its terms, and per lane the factor f of  D = c + f*V  (0: not of these lanes).

    Free lanes are in none.  Coefficients of different lanes may be multiples of each other: `tx * n` is one n."""
    assert atom.poly is not None
    tied = lanes
    terms: list[tuple[Monomial, int | IntVector]] = []
    for monomial, coefficient in sorted(atom.poly.terms.items(), key=lambda t: tuple(s.number for s in t[0])):
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
    found: dict[tuple[tuple[Monomial, int], ...], IntVector] = {}
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


def _family(draft: _Draft, key: list[Hashable]) -> Family:
    """The family, with V measured from its first threshold, so that warps that are alike have equal families."""
    uses = draft.uses
    if draft.truth_value:
        key.append(("?", *((n, int(_pack(u.lanes))) for n, u in uses)))
        return Family(-inf, inf, 1, 0, 0, False, tuple(uses), True)
    low, high, modulus, residue = _range(draft.terms)
    start = min(int((u.constants if u.rising else -u.constants)[u.lanes].min()) for _, u in uses)
    moved = []
    for number, use in uses:
        constants = np.where(use.lanes, use.constants - start if use.rising else use.constants + start, 0)
        moved.append((number, Use(use.lanes, constants, use.rising, use.point)))
        key.append((number, int(_pack(use.lanes)), constants.tobytes(), use.rising, use.point))
    residue = (residue - start) % modulus if modulus else residue - start
    data = any(s.kind is SymbolKind.DATA for m, _ in draft.terms for s in m)
    moves = 0 if data else _movement(draft.terms)
    disjoint = draft.disjoint and not data
    low, high = _near(low - start, high - start, modulus, moves, moved)
    key.append((low, high, modulus, residue, moves, disjoint))
    return Family(low, high, modulus, residue, moves, disjoint, tuple(moved), False)


def _near(low: float, high: float, modulus: int, moves: int, uses: Sequence[tuple[int, Use]]) -> tuple[float, float]:
    """The ends of V's range where they matter, infinite where they are far from the thresholds: the values beyond are then
    more than a period and more than V moves, which is all that is asked of them (`worlds`)."""
    if modulus == 0:
        return low, high
    last = max(int((u.constants if u.rising else -u.constants)[u.lanes].max()) for _, u in uses)
    room = max(modulus, moves) + 2
    return (-inf if low < -room else low), (inf if high > last + room else high)


def _range(terms: tuple[tuple[Monomial, int], ...]) -> tuple[float, float, int, int]:
    """Least and greatest value of V, and its congruence (modulus 0: V is one number)."""
    low = high = 0.0
    modulus = residue = 0
    for monomial, coefficient in terms:
        ends = sorted(coefficient * end for end in pl.monomial_range(monomial))
        low, high = low + ends[0], high + ends[1]
        m, r = pl.congruence(monomial)
        modulus, residue = gcd(modulus, coefficient * m), residue + coefficient * r
    low, high = (-inf if low < -_LARGE else low), (inf if high > _LARGE else high)
    return low, high, modulus, residue % modulus if modulus else residue


def _movement(terms: tuple[tuple[Monomial, int], ...]) -> int:
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


def _disjoint_warps(atom: Atom, lanes: BoolVector) -> bool:
    """Whether the lane constants of different warps have disjoint ranges, with one V for the block: then a cut through
    the block goes through one warp at most.  Not if V moves from round to round: it may go through all of them in turn."""
    if atom.poly is None or any(m and not isinstance(c, int) for m, c in atom.poly.terms.items()):
        return False
    if any(s.kind is SymbolKind.ITERATION for s in atom.poly.symbols()):
        return False
    constants = atom.poly.constant
    if isinstance(constants, int):
        return False
    rows, values = lanes.reshape(-1, WARP), constants.reshape(-1, WARP)
    waiting = warps_with(lanes)
    if not some(waiting):
        return False
    low = np.where(rows, values, np.iinfo(np.int64).max).min(axis=1)[waiting]
    high = np.where(rows, values, np.iinfo(np.int64).min).max(axis=1)[waiting]
    order = np.argsort(low)
    return every(high[order][:-1] < low[order][1:])
