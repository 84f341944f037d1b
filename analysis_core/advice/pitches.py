"""For which pitches a tile in shared memory has no bank conflicts: a class of numbers in place of runs.

    tile[threadIdx.x][threadIdx.y]           none iff the pitch is odd, for every pitch from 8 elements on

Lane l of a warp is at row a(l) and column b(l), beside what all lanes share.  Which bank it meets depends on (pitch * a + b) modulo the 32 banks; from a pitch on that
is larger than all distances of columns, lanes meet in one word if and only if their rows and columns are equal, whatever the pitch.  So the wavefronts of a
request depend on the pitch modulo 32 words alone, and one period of pitches, gone through with the hardware's rule, proves the answer for all.

Rows are found exactly: the kernel is interpreted with the present pitch and with one more element, and the difference of a lane's addresses is its row.  Held against runs of
the simulator by tests/advice/test_classes.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import gcd

import numpy as np

from analysis_core.domains.polynomial import Monomial, Poly, coefficient_vector, is_shared
from analysis_core.interp.core.events import AccessEvent, Events
from analysis_core.interp.interpret import interpret
from analysis_core.ir.nodes import (
    AddressOf,
    Atomic,
    Block,
    Const,
    Expr,
    If,
    Inlined,
    Kernel,
    Load,
    Loop,
    PtrAdd,
    Stmt,
    Store,
    Switch,
    SwitchArm,
)
from analysis_core.ir.types import ArrayType, Space
from analysis_core.ir.walk import expressions_of, statements_of, subexpressions
from analysis_core.machine.global_memory import distinct_addresses
from analysis_core.machine.shared_memory import BANKS, LANES, WORD_BYTES, ideal_wavefronts, wavefronts_many
from analysis_core.program.launch import Launch
from analysis_core.report.fixes.tile import Tile, column_of, tile_of
from analysis_core.support.settings import Settings
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_MOST_EVENTS = 256


@dataclass(frozen=True, slots=True)
class PitchClass:
    """`free`: pitches modulo `period`, in elements, at which no request of any access has conflicts; proved for all pitches from `least` on.  `conflicts`: of the
    worst request at the present pitch.  `certain`: at all other pitches some request that is executed with all its lanes has conflicts."""

    array: str
    span: Span
    present: int
    least: int
    period: int
    free: frozenset[int]
    conflicts: int
    certain: bool

    @property
    def text(self) -> str:
        """ "0 bank conflicts iff the pitch of its rows is odd"."""
        return f"0 bank conflicts {self.condition} (proved for every pitch from {self.least} elements on; now {self.present})"

    @property
    def condition(self) -> str:
        word = "iff" if self.certain else "if"
        if len(self.free) == self.period:
            return "at every pitch of its rows"
        if not self.free:
            return "at no pitch of its rows" if self.certain else "at no pitch of its rows, if all lanes take part"
        for modulus in range(2, self.period + 1):
            residues = {one % modulus for one in self.free}
            if self.period % modulus == 0 and len(self.free) == len(residues) * (self.period // modulus):
                return f"{word} the pitch of its rows {_residues(modulus, sorted(residues))}"
        raise AssertionError("a class of a period is one of itself")


def _residues(modulus: int, residues: Sequence[int]) -> str:
    if modulus == 2:
        return "is odd" if residues == [1] else "is even"
    if residues == [0]:
        return f"is a multiple of {modulus}"
    if residues == list(range(1, modulus)):
        return f"is no multiple of {modulus}"
    listed = ", ".join(map(str, residues))
    return f"modulo {modulus} is {listed}" if len(residues) == 1 else f"modulo {modulus} is one of {listed}"


def pitch_classes(kernel: Kernel, launch: Launch, settings: Settings) -> Iterator[PitchClass]:
    """Of each two-dimensional tile that is accessed by two subscripts alone, and whose lanes lie at known rows and columns."""
    before: Events | None = None
    for one in kernel.objects:
        tile = tile_of(kernel, one.name) if one.space is Space.SHARED else None
        if tile is None or tile.object.id != one.id or tile.size % WORD_BYTES or not _is_direct(kernel, tile):
            continue
        before = before or interpret(kernel, launch, settings)
        after = interpret(_with_pitch(kernel, tile), launch, settings)
        accesses = {_access(s) for s in statements_of(kernel) if column_of(s, tile) is not None}
        found = _class(tile, before, after, accesses)
        if found is not None:
            yield found


def _access(stmt: Stmt) -> int:
    assert isinstance(stmt, Load | Store | Atomic)
    return stmt.access.id


def _is_direct(kernel: Kernel, tile: Tile) -> bool:
    """Whether nothing but `tile[row][column]` touches the tile."""
    for stmt in statements_of(kernel):
        direct = column_of(stmt, tile)
        around = expressions_of(stmt) if direct is None else (direct.row, direct.column)
        if any(isinstance(e, AddressOf) and e.object == tile.object.id for x in around for e in subexpressions(x)):
            return False
    return not kernel.unknowns


# --- the kernel with rows that are one element longer ---------------------------------------------------------------------


def _with_pitch(kernel: Kernel, tile: Tile) -> Kernel:
    outer = tile.object.type
    assert isinstance(outer, ArrayType)
    inner = outer.element
    assert isinstance(inner, ArrayType)
    assert isinstance(inner.extent, Const)
    longer = replace(inner, extent=replace(inner.extent, value=tile.columns + 1))
    object_ = replace(tile.object, type=replace(outer, element=longer))
    objects = tuple(object_ if one.id == object_.id else one for one in kernel.objects)
    return replace(kernel, objects=objects, body=_longer(kernel.body, tile), claimed=None, resized=None)


def _longer(block: Block, tile: Tile) -> Block:
    return tuple(_longer_in(stmt, tile) for stmt in block)


def _longer_in(stmt: Stmt, tile: Tile) -> Stmt:
    match stmt:
        case Load() | Store() | Atomic() if column_of(stmt, tile) is not None:
            outer = stmt.address
            assert isinstance(outer, PtrAdd)
            assert isinstance(outer.pointer, PtrAdd)
            row = replace(outer.pointer, scale=_more(outer.pointer.scale, tile.size))
            return replace(stmt, address=replace(outer, pointer=row))
        case If():
            return replace(stmt, then=_longer(stmt.then, tile), otherwise=_longer(stmt.otherwise, tile))
        case Loop():
            test, body, step = (_longer(block, tile) for block in (stmt.test, stmt.body, stmt.step))
            return replace(stmt, test=test, body=body, step=step)
        case Switch():
            return replace(stmt, arms=tuple(SwitchArm(arm.labels, _longer(arm.body, tile)) for arm in stmt.arms))
        case Inlined():
            return replace(stmt, body=_longer(stmt.body, tile))
        case _:
            return stmt


def _more(scale: Expr, by: int) -> Const:
    assert isinstance(scale, Const)
    return replace(scale, value=int(scale.value) + by)


# --- requests by row and column --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Request:
    """Of a warp: rows and columns of its lanes in elements, those that may take part, and whether all of these do."""

    rows: np.ndarray[tuple[int], np.dtype[np.int64]]
    columns: np.ndarray[tuple[int], np.dtype[np.int64]]
    active: np.ndarray[tuple[int], np.dtype[np.bool_]]
    width: int
    certain: bool

    def conflicts(self, pitch: int, size: int) -> int:
        addresses = (pitch * self.rows + self.columns) * size
        distinct = distinct_addresses(addresses, self.active)
        waves = int(wavefronts_many(addresses[np.newaxis], self.active[np.newaxis], self.width)[0])
        return max(0, waves - ideal_wavefronts(self.active, self.width, distinct))


def _class(tile: Tile, before: Events, after: Events, accesses: set[int]) -> PitchClass | None:
    pairs = [[e for e in events.accesses if e.access.id in accesses] for events in (before, after)]
    if len(pairs[0]) != len(pairs[1]) or not 0 < len(pairs[0]) <= _MOST_EVENTS:
        return None
    requests: list[_Request] = []
    for one, other in zip(*pairs, strict=True):
        if one.access.id != other.access.id or (found := _requests(tile, one, other)) is None:
            return None
        requests += found
    if not requests or any(r.width > WORD_BYTES and not r.certain for r in requests):
        return None  # of wide requests fewer lanes may pay more
    spans = [int(np.ptp(r.columns[r.active])) for r in requests]
    least = max(spans) + 1
    period = BANKS // gcd(tile.size // WORD_BYTES, BANKS)
    costs = {p: [r.conflicts(p, tile.size) for r in requests] for p in range(least, least + period)}
    free = frozenset(p % period for p, each in costs.items() if not any(each))
    certain = all(
        any(c for c, r in zip(each, requests, strict=True) if r.certain) for each in costs.values() if any(each)
    )
    now = max(r.conflicts(tile.columns, tile.size) for r in requests)
    return PitchClass(tile.object.name, tile.object.span, tile.columns, least, period, free, now, certain)


def _requests(tile: Tile, one: AccessEvent, other: AccessEvent) -> list[_Request] | None:
    """The requests of one execution; None if lanes are not at known rows and columns, or what they share is no multiple of a word."""
    lanes, more = _lane_part(one.address.poly), _lane_part(other.address.poly)
    if lanes is None or more is None or not (one.address.exact and other.address.exact):
        return None
    size = len(one.mask.may)
    first, second = coefficient_vector(lanes, size), coefficient_vector(more, size)
    rows, rest = np.divmod(second - first, tile.size)
    columns, part = np.divmod(first - tile.columns * tile.size * rows, tile.size)
    if rest.any() or np.ptp(part) or int(part[0]) % WORD_BYTES:
        return None
    found = []
    for start in range(0, size, LANES):
        warp = slice(start, start + LANES)
        if one.mask.may[warp].any():
            active = np.asarray(one.mask.may[warp])
            found.append(
                _Request(rows[warp], columns[warp], active, one.access.width, not one.mask.literals and not one.ragged)
            )
    return found


def _lane_part(poly: Poly) -> int | np.ndarray[tuple[int], np.dtype[np.int64]] | None:
    """What lanes do not share; None if that is not known."""
    own: Monomial = ()
    for monomial, coefficient in poly.terms.items():
        if monomial == own:
            continue
        is_base = len(monomial) == 1 and coefficient == 1
        if not isinstance(coefficient, int) or not is_shared(monomial) or (coefficient % WORD_BYTES and not is_base):
            return None
    return poly.terms.get(own, 0)
