"""What one warp's mask and conditions ask: lanes that are decided, and families of atoms that wait for one value each.

Lanes that are decided are numbers, families those of threshold_families.py, where a V that the warp shares is measured from its first
threshold: so warps which are alike have equal problems (`Problem.key`), and are not asked twice.  Warps that are plainly alike are
put together before any is looked at.  What the answers mean: worlds.py.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import field
from math import gcd

import numpy as np
import numpy.typing as npt

from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Atom, Condition
from analysis_core.domains.mask import Mask
from analysis_core.domains.polynomial import Monomial
from analysis_core.domains.shape import WARP, BoolVector, IntVector, every, some, warps_with
from analysis_core.domains.symbol import Level, SymbolKind
from analysis_core.requests.threshold_families import LARGE, Families, Family, Part, Terms, Value
from analysis_core.support.recent import Recent
from analysis_core.text.records import dataclass

_ALL = (1 << WARP) - 1


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
class Formula:
    """A condition on some lanes of a warp.  `atoms`: those that the node has by number, each with the lanes that wait for it."""

    node: Node
    atoms: tuple[tuple[Atom, int], ...]
    content: Hashable


Numbers = tuple[int, ...]
"""The problem's numbers of a formula's atoms, or of a family's uses."""


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """One warp: the lanes that may run, the literals that hold them back (each with the lanes of its scope), the conditions tested,
    the families of atoms.

    `false`: for each atom, the lanes where it is false in every world.  Lanes of an atom that belong to no family are free.
    Atoms are numbered as they are met; sets of lanes are `packed`.  Equal keys: equal worlds."""

    may: np.uint32
    literals: tuple[tuple[np.uint32, Node, Numbers], ...]
    conditions: tuple[tuple[Node, Numbers], ...]
    families: tuple[tuple[Family, Numbers], ...]
    false: tuple[np.uint32, ...]
    key: Hashable


@dataclass(frozen=True, slots=True, eq=False)
class Readings:
    """What was read of masks and conditions of one kernel, by all that it depends on."""

    families: Families = field(default_factory=Families)
    formulas: dict[tuple[Condition, int, int], Formula] = field(default_factory=dict)
    cuts: dict[tuple[Atom, bytes], bool] = field(default_factory=dict)

    def handed_on(self) -> Readings:
        """These readings for the next interpretation over the same symbols; what it does not ask for is forgotten."""
        return Readings(self.families.handed_on(), Recent(self.formulas), Recent(self.cuts))

    def formula(self, condition: Condition, warp: int, lanes: int) -> Formula:
        """The condition on these lanes of the warp."""
        found = self.formulas.get((condition, warp, lanes))
        if found is None:
            found = self.formulas[condition, warp, lanes] = _formula(condition, warp, lanes)
        return found

    def disjoint(self, atom: Atom, lanes: BoolVector) -> bool:
        """Whether the lanes' thresholds lie so that one value of the block cuts at most one of its warps."""
        key = (atom, lanes.tobytes())
        found = self.cuts.get(key)
        if found is None:
            found = self.cuts[key] = _disjoint_warps(atom, lanes)
        return found


@dataclass(slots=True)
class _Block:
    """The atoms of a mask and of conditions, each with the lanes that wait for it.  `numbers`: of the atoms themselves; atoms of equal
    keys are one."""

    atoms: list[Atom] = field(default_factory=list)
    lanes: list[BoolVector] = field(default_factory=list)
    disjoint: list[bool] = field(default_factory=list)
    numbers: dict[Atom, int] = field(default_factory=dict)
    by_key: dict[Hashable, int] = field(default_factory=dict)

    def collect(self, condition: Condition, lanes: BoolVector) -> None:
        """Numbers the atoms of the condition.  Depth is limited by the reader."""
        waiting = lanes & condition.undecided
        for part in condition.parts:
            self.collect(part, waiting)
        atom = condition.atom
        if atom is None:
            return
        if atom not in self.numbers:
            self.numbers[atom] = self.by_key.setdefault(atom.key, len(self.atoms))
        number = self.numbers[atom]
        if number == len(self.atoms):
            self.atoms.append(atom)
            self.lanes.append(waiting)
        else:
            self.lanes[number] = self.lanes[number] | waiting


def problems(
    mask: Mask, conditions: Sequence[Condition], warps: Sequence[int], readings: Readings
) -> Iterator[tuple[tuple[int, ...], Problem]]:
    """The problems of the warps; warps that are plainly alike share one."""
    block = _Block()
    for condition in conditions:
        block.collect(condition, mask.may)
    for entry in mask.literals:
        block.collect(entry.formula, entry.scope & mask.may)
    block.disjoint = [readings.disjoint(atom, lanes) for atom, lanes in zip(block.atoms, block.lanes, strict=True)]
    for group in _alike(mask, conditions, block, warps, readings):
        yield group, _problem(mask, conditions, group[0], block, readings)


def _alike(
    mask: Mask, conditions: Sequence[Condition], block: _Block, warps: Sequence[int], readings: Readings
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
    _add_thresholds(block, parts, readings)
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


def _add_thresholds(block: _Block, parts: list[npt.NDArray[np.generic]], readings: Readings) -> None:
    """What the atoms compare, warp by warp."""
    by_value: dict[Terms, list[Thresholds]] = {}
    fixed: set[Monomial] = set()  # lanes have coefficients of their own here: these thresholds are not moved
    for atom, lanes in zip(block.atoms, block.lanes, strict=True):
        if atom.poly is None:
            continue
        constants = pl.coefficient_vector(atom.poly.constant, len(lanes))
        terms = [(m, c) for m, c in atom.poly.ordered if m]
        varying = [c for _, c in terms if not isinstance(c, int)]
        if varying or not terms or int(np.abs(constants).max()) > LARGE:
            parts += [c.reshape(-1, WARP) for c in (*varying, constants)]
            fixed.update(m for m, _ in terms)
        elif not any(s.level is Level.LANE for m, _ in terms for s in m):
            whole = [(m, c) for m, c in terms if isinstance(c, int)]
            factor = gcd(*(c for _, c in whole)) * (1 if whole[0][1] > 0 else -1)
            by_value.setdefault(tuple((m, c // factor) for m, c in whole), []).append((factor, constants, lanes))
    for value, found in by_value.items():
        movable = fixed.isdisjoint(m for m, _ in value) and len({abs(factor) for factor, _, _ in found}) == 1
        parts += (
            _relative(readings.families.value(value), found) if movable else [c.reshape(-1, WARP) for _, c, _ in found]
        )


_NOWHERE = np.iinfo(np.int64)


def _ends(lanes: BoolVector, places: IntVector) -> tuple[IntVector, IntVector]:
    """Per warp, the least and the greatest place of its lanes."""
    return np.where(lanes, places, _NOWHERE.max).min(axis=1), np.where(lanes, places, _NOWHERE.min).max(axis=1)


def _relative(value: Value, found: list[Thresholds]) -> list[npt.NDArray[np.generic]]:
    """The thresholds of one V, warp by warp, from the warp's first one on, and closed up (`threshold_families`).  Moving all of them by a
    multiple of V's modulus changes nothing, as long as no end of V's range is near; nor does moving those beyond a large gap."""
    size = abs(found[0][0])
    period, room = size * value.modulus, size * (max(value.movement, value.modulus) + 3)
    waiting = [lanes.reshape(-1, WARP) for _, _, lanes in found]
    places = [(c if factor > 0 else -c).reshape(-1, WARP) for factor, c, _ in found]
    least, most = _ends(waiting[0], places[0])
    for lanes, own in zip(waiting[1:], places[1:], strict=True):
        low, high = _ends(lanes, own)
        least, most = np.minimum(least, low), np.maximum(most, high)
    ends_low, ends_high = size * value.low + room, size * value.high - room
    near = (ends_low >= -most.astype(np.float64)) | (ends_high <= -least.astype(np.float64)) | (value.modulus == 0)
    first = least[:, np.newaxis]
    own = np.where(near, least, least % max(1, period))
    beyond = np.concatenate([np.where(w, p - first, 0) for w, p in zip(waiting, places, strict=True)], axis=1)
    far = np.flatnonzero(~near & (most - least > room))
    if len(far):
        beyond[far] = _closed_up(beyond[far], period, room)
    return [near[:, np.newaxis], own[:, np.newaxis], beyond]


def _closed_up(places: IntVector, period: int, room: int) -> IntVector:
    """The places of each row with gaps of more than `room` made about as large, by whole periods."""
    order = np.argsort(places, axis=1, kind="stable")
    ordered = np.take_along_axis(places, order, axis=1)
    spare = np.maximum(np.diff(ordered, axis=1) - room, 0) // period * period
    ordered[:, 1:] -= np.cumsum(spare, axis=1)
    result = np.empty_like(places)
    np.put_along_axis(result, order, ordered, axis=1)
    return result


# --- one warp -----------------------------------------------------------------------------------------------------


def _problem(mask: Mask, conditions: Sequence[Condition], warp: int, block: _Block, readings: Readings) -> Problem:
    may = mask.by_warp[warp]
    draft = _Draft(block, {}, {}, [may])
    literals, nodes = [], []
    for entry in mask.literals:
        scope = entry.by_warp[warp] & may
        if scope:
            formula = readings.formula(entry.formula, warp, scope)
            literals.append((np.uint32(scope), formula.node, draft.take(formula, scope)))
    for condition in conditions:
        formula = readings.formula(condition, warp, may)
        nodes.append((formula.node, draft.take(formula, 0)))
    families, false = _families(draft, warp, readings.families)
    return Problem(np.uint32(may), tuple(literals), tuple(nodes), families, false, tuple(draft.key))


@dataclass(frozen=True, slots=True, eq=False)
class _Draft:
    """One warp's problem in the making.  `waiting`: the lanes that wait for each atom, by its number in the block, in the order in which
    they are met; `place`: the number that it gets here."""

    block: _Block
    waiting: dict[int, int]
    place: dict[int, int]
    key: list[Hashable]

    def take(self, formula: Formula, scope: int) -> Numbers:
        """The numbers of the formula's atoms.  `scope`: whom it holds back, 0: nobody."""
        numbers = []
        for atom, lanes in formula.atoms:
            of_block = self.block.numbers[atom]
            self.waiting[of_block] = self.waiting.get(of_block, 0) | lanes
            numbers.append(self.place.setdefault(of_block, len(self.place)))
        found = tuple(numbers)
        self.key.append((scope, formula.content, found))
        return found


def _formula(condition: Condition, warp: int, lanes: int) -> Formula:
    reading = _Reading(warp, {}, {}, [])
    node = _node(condition, lanes, reading)
    return Formula(node, tuple(reading.waiting.values()), tuple(reading.key))


@dataclass(frozen=True, slots=True, eq=False)
class _Reading:
    """A condition being read: its atoms by their keys, with the lanes that wait for them and their numbers, and what makes up the key."""

    warp: int
    waiting: dict[Hashable, tuple[Atom, int]]
    place: dict[Hashable, int]
    key: list[Hashable]


def _node(condition: Condition, lanes: int, reading: _Reading) -> Node:
    trues, falses = condition.by_warp
    yes, no = trues[reading.warp] & lanes, falses[reading.warp] & lanes
    open_lanes = lanes & ~(yes | no)
    reading.key.extend((yes, no))
    if not open_lanes:
        return Node(np.uint32(yes), np.uint32(yes ^ _ALL), None, True, (), True)
    number = None
    if (atom := condition.atom) is not None:
        number = reading.place.setdefault(atom.key, len(reading.place))
        first, others = reading.waiting.get(atom.key, (atom, 0))
        reading.waiting[atom.key] = first, others | open_lanes
    reading.key.extend((number, condition.positive, condition.all_of, len(condition.parts)))
    parts = tuple(_node(part, open_lanes, reading) for part in condition.parts)
    return Node(np.uint32(yes), np.uint32(no), number, condition.positive, parts, condition.all_of)


def _families(
    draft: _Draft, warp: int, families: Families
) -> tuple[tuple[tuple[Family, Numbers], ...], tuple[np.uint32, ...]]:
    """The families of the problem's atoms, and for each atom the lanes where it is false whatever its V."""
    by_value: dict[Terms | int, list[tuple[int, Part]]] = {}
    false: list[np.uint32] = []
    for number, (of_block, lanes) in enumerate(draft.waiting.items()):
        said = families.said(draft.block.atoms[of_block], warp, lanes)
        false.append(np.uint32(said.false))
        for part in said.parts:
            by_value.setdefault(number if part.terms is None else part.terms, []).append((of_block, part))
    disjoint, result = draft.block.disjoint, []
    for own in by_value.values():
        family = families.family(tuple([part for _, part in own]), any(disjoint[of_block] for of_block, _ in own))
        numbers = tuple([draft.place[of_block] for of_block, part in own for _ in part.uses])
        result.append((family, numbers))
        draft.key.append((family.content, numbers))
    draft.key.append(tuple(map(int, false)))
    return tuple(result), tuple(false)


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
