"""From an access event to its requests: what one warp's lanes do, relative to each other.

The address of lane t is  C[t] + sum of c_m[t] * m.  Only two things matter for cost: the lanes' distances, and the
residue of the whole modulo the period of the hardware's pattern (32 bytes for sectors, 128 for banks).  So the first
active lane's coefficients are moved into a common part that is kept modulo the period, and what remains is a small
pattern that nearly all executions of an access share:

    relative   C[t] - C[first]
    pitches    monomials with uniform symbols whose coefficient differs between the lanes ("rows at a pitch")
    shift      the common part: a residue, plus any multiple of a step that the symbols' congruences allow
    scattered  lanes whose address has symbols of their own, with the range of that part where it is bounded
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from math import gcd, isfinite
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis_core.domains import polynomial as pl
from analysis_core.domains.exclusions import Exclusion
from analysis_core.domains.polynomial import Monomial, Poly
from analysis_core.domains.shape import (
    WARP,
    BoolVector,
    IntVector,
    distinct_numbers,
    lanes_by_warp,
    lanes_of_warps,
    some,
)
from analysis_core.domains.thread_value import keeps_distances
from analysis_core.interp.core.events import AccessEvent
from analysis_core.machine.shared_memory import BANKS, WORD_BYTES
from analysis_core.text.records import dataclass

NEAR = 1 << 31

_NOBODY: BoolVector = np.zeros(WARP, dtype=bool)
_NOBODY.setflags(write=False)

_MOST_BYTES = 1024
"""More than an element and a sector have."""


@dataclass(frozen=True, slots=True, eq=False)
class Pitch:
    """A monomial whose coefficients differ between lanes: `lanes` (32,) coefficients in bytes.  The monomial is
    `residue` modulo `modulus`."""

    monomial: Monomial
    lanes: IntVector
    modulus: int
    residue: int


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """One warp's request. `active`, `relative`: (32,), the active lanes and their addresses relative to each other.
    `shift` plus a multiple of `step` is the common part modulo `period` (step = period: the residue is known);
    `shift_terms`: the monomials of the common part that matter, with coefficients.

    `scattered`: lanes with symbols of their own; `reach`: bytes from the least to the greatest address, None if
    unbounded; `reach_from`: the byte at which `reach` begins, modulo a sector or, for banks, a word, if known;
    `grain`, `grain_residue`: what the address of every scattered lane is congruent to; `rows`: what scattered lanes
    add is a multiple of this many bytes. `wraps`: addresses are known only modulo a power of two, so rows at a pitch
    may coincide. `most`: the most that it costs by the distances of its lanes (`nearness`)."""

    active: BoolVector
    relative: IntVector
    pitches: tuple[Pitch, ...]
    shift: int
    step: int
    period: int
    shift_terms: tuple[tuple[Monomial, int], ...]
    scattered: BoolVector
    reach: int | None
    grain: int
    wraps: bool = False
    reach_from: int | None = None
    rows: int = 1
    most: int | None = None

    def key(self) -> tuple[object, ...]:
        """Requests of equal keys cost the same."""
        pitches = tuple((p.monomial, p.lanes.tobytes(), p.modulus, p.residue) for p in self.pitches)
        shift, step, grain = self.shift, self.step, self.grain
        terms = tuple((m, c % self.period) for m, c in self.shift_terms)
        if self.period == BANKS * WORD_BYTES and not (shift % WORD_BYTES or step % WORD_BYTES or some(self.scattered)):
            # All lanes moved by whole words meet the same conflicts in other banks.
            shift, step, grain, terms = 0, WORD_BYTES, gcd(grain, WORD_BYTES), ()
        return (
            self.active.tobytes(),
            np.where(self.active, self.relative, 0).tobytes(),
            pitches,
            shift,
            step,
            terms,
            self.scattered.tobytes(),
            self.reach,
            grain,
            self.wraps,
            self.reach_from,
            self.rows,
            self.most,
        )


def event_key(event: AccessEvent, period: int) -> tuple[object, ...]:
    """Events of equal keys have the same requests: coefficients relative to thread 0, the common part modulo `period`."""
    terms: list[object] = []
    for monomial, coefficient in event.address.poly.ordered:
        if isinstance(coefficient, int):
            terms.append((monomial, coefficient % period if pl.is_shared(monomial) else coefficient))
        else:
            first = int(coefficient[0])
            terms.append(
                (monomial, (coefficient - first).tobytes(), first % period if pl.is_shared(monomial) else first)
            )
    return (event.mask.may.tobytes(), event.mask.exclusion_key, tuple(terms), event.address.bits)


def cost_key(event: AccessEvent, period: int) -> tuple[object, ...] | None:
    """A key: events with equal keys have requests of equal cost, whatever the symbols that lanes share are called.
    None where names matter: rows at a symbolic pitch, symbols of a lane's own. `period`: the bytes after which costs
    repeat when all lanes move together; for banks those of a word."""
    shift, step = 0, period
    relative: object = 0
    for monomial, coefficient in event.address.poly.terms.items():
        if not monomial:
            first = coefficient if isinstance(coefficient, int) else int(coefficient[0])
            relative = 0 if isinstance(coefficient, int) else (coefficient - first).tobytes()
            shift += first
        elif isinstance(coefficient, int) and pl.is_shared(monomial):
            modulus, residue = pl.congruence(monomial)
            shift += coefficient * residue
            step = gcd(step, coefficient * modulus)
        else:
            return None
    what = (event.space, event.access.width, event.access.loose, event.address.bits, event.extent)
    return (what, event.mask.may.tobytes(), event.mask.exclusion_key, relative, shift % step, step)


_MOST_SETS = 64


def _active_sets(row: int, active: BoolVector, apart: list[Exclusion]) -> list[BoolVector]:
    """The greatest sets of the warp's lanes that can run together."""
    start, stop = row * WARP, (row + 1) * WARP
    whole = lanes_by_warp(active)
    sets = whole
    for exclusion in apart:
        waiting = exclusion.scope[start:stop] & active
        if not some(waiting):
            continue
        low, high = exclusion.low[start:stop], exclusion.high[start:stop]
        # Ranges that have a value in common have one that is the least of one of them.
        values = (distinct_numbers(low[waiting]) + 1)[:, np.newaxis]
        found = lanes_by_warp(~waiting | ((low < values) & (values < high)))
        parted = [lanes & together for lanes in sets for together in found]
        distinct = [lanes for lanes in dict.fromkeys(parted) if lanes]
        if len(distinct) > _MOST_SETS:
            continue
        sets = [a for a in distinct if not any(a & b == a != b for b in distinct)]
    return [active] if sets is whole else list(lanes_of_warps(sets))


@dataclass(frozen=True, slots=True, eq=False)
class _Lanes:
    """An address over whole warps: vectors of shape (warps, 32).  `uniform` / `own`: monomials of common symbols, and
    those with a symbol of the lane's own, with their coefficients and congruences."""

    constants: IntVector
    uniform: list[_Term]
    own: list[_Term]
    reach: tuple[IntVector, IntVector] | None

    def vectors(self) -> list[IntVector]:
        return [c for _, c, _ in (*self.uniform, *self.own) if not isinstance(c, int)]


_Term = tuple[Monomial, int | IntVector, tuple[int, int]]


def _lanes(poly: Poly, size: int, width: int, exact: bool) -> _Lanes:
    uniform: list[_Term] = []
    own: list[_Term] = []
    for monomial, coefficient in poly.terms.items():
        if monomial:
            shaped = coefficient if isinstance(coefficient, int) else coefficient.reshape(-1, WARP)
            (uniform if pl.is_shared(monomial) else own).append((monomial, shaped, pl.congruence(monomial)))
    constants = pl.coefficient_vector(poly.constant, size).reshape(-1, WARP)
    return _Lanes(constants, uniform, own, _reach(poly, size, width) if own and exact else None)


def requests(event: AccessEvent, period: int) -> Iterator[tuple[int, Request]]:
    """Pairs (warp, request) for the warps with a lane that may be active; of alike requests only the first. A warp has
    several where some of its lanes exclude each other."""
    return ((warps[0], request) for warps, request in requests_of_warps(event, period))


def requests_of_warps(event: AccessEvent, period: int) -> list[tuple[list[int], Request]]:
    """The different requests of an event, each with the warps that make it."""
    may, bits = event.mask.may, event.address.bits
    rows = may.reshape(-1, WARP)
    lanes = _lanes(event.address.poly, len(may), event.access.width, keeps_distances(bits))
    apart = event.mask.exclusions
    found: dict[Hashable, tuple[list[int], Request]] = {}
    for warp, active, key in _exclusive(rows, lanes, apart, period) if apart else _whole(rows, lanes, period):
        if key in found:
            found[key][0].append(warp)
        else:
            found[key] = [warp], _inside(_request(warp, active, lanes, bits, period), event.extent)
    return list(found.values())


def _whole(rows: BoolVector, lanes: _Lanes, period: int) -> Iterator[tuple[int, BoolVector, Hashable]]:
    """(warp, its active lanes, key) of warps with some.  Warps of equal keys have equal requests: the same lanes, distances and
    coefficients, the same residue."""
    firsts = lanes.constants[np.arange(len(rows)), rows.argmax(axis=1)]
    parts = [_by_row(part) for part in (rows, lanes.constants - firsts[:, np.newaxis], *lanes.vectors())]
    residues = (firsts % period).tolist()
    for warp in np.flatnonzero(rows.any(axis=1)).tolist():
        yield warp, rows[warp], (residues[warp], *(part[warp] for part in parts))


def _by_row(matrix: npt.NDArray[Any]) -> list[bytes]:
    """The bytes of each row."""
    data = matrix.tobytes()
    size = len(data) // len(matrix)
    return [data[at : at + size] for at in range(0, len(data), size)]


def _exclusive(
    rows: BoolVector, lanes: _Lanes, apart: list[Exclusion], period: int
) -> Iterator[tuple[int, BoolVector, Hashable]]:
    """The same for each of the sets of lanes that exclude each other."""
    vectors = lanes.vectors()
    for warp in np.flatnonzero(rows.any(axis=1)).tolist():
        for active in _active_sets(warp, rows[warp], apart):
            yield warp, active, _alike(active, lanes.constants[warp], [c[warp] for c in vectors], period)


def warp_request(active: BoolVector, address: Poly, bits: int | None, width: int, period: int) -> Request:
    """The request of one warp whose address is a polynomial over its 32 lanes."""
    return _request(0, active, _lanes(address, WARP, width, keeps_distances(bits)), bits, period)


def _alike(active: BoolVector, constants: IntVector, vectors: list[IntVector], period: int) -> tuple[bytes | int, ...]:
    """Warps of equal keys have equal requests: the same lanes, distances and coefficients, the same residue."""
    first = constants[int(active.argmax())]
    relative = (constants - first).tobytes()
    return (active.tobytes(), relative, int(first) % period, *(v.tobytes() for v in vectors))


def _comes_round(relative: IntVector, active: BoolVector, pitches: Iterable[Pitch], bits: int) -> bool:
    """Whether rows that lie apart may meet modulo 2^bits: not if all of them lie within one turn, with a row to spare.
    `threadIdx.y * w` is unsigned, and the two rows of a warp of 16 columns are no more than w elements apart."""
    distance = float(2 * _spread(relative, active) + _MOST_BYTES)
    for pitch in pitches:
        low, high = pl.monomial_range(pitch.monomial)
        distance += _spread(pitch.lanes, active) * max(abs(low), abs(high))
    return not distance < float(1 << bits)


def _spread(numbers: IntVector, active: BoolVector) -> int:
    """How far the numbers of the active lanes are apart."""
    own = numbers[active]
    return int(own.max()) - int(own.min())


def _inside(request: Request, extent: int | None) -> Request:
    """Scattered lanes, and rows at a pitch, stay inside of the array: however far their indexes may reach, they are no
    further apart."""
    loose = some(request.scattered) or request.pitches
    if extent is None or not loose or (request.reach is not None and request.reach <= extent):
        return request
    return replace(request, reach=extent, reach_from=None)


def _request(warp: int, active: BoolVector, lanes_of_all: _Lanes, bits: int | None, period: int) -> Request:
    constants, reach = lanes_of_all.constants[warp], lanes_of_all.reach
    first = int(active.argmax())
    shift, step = int(constants[first]), period
    pitches: list[Pitch] = []
    shift_terms: list[tuple[Monomial, int]] = []
    for monomial, coefficient, (modulus, residue) in lanes_of_all.uniform:
        lanes = None if isinstance(coefficient, int) else np.where(active, coefficient[warp], coefficient[warp, first])
        if lanes is not None and some(lanes != lanes[first]):
            turns = lanes[first] // period * period  # whole turns of all rows change nothing
            pitches.append(Pitch(monomial, lanes - turns, modulus, residue))
            continue
        common = coefficient if isinstance(coefficient, int) else int(coefficient[warp, first])
        shift += common * residue
        step = gcd(step, common * modulus)
        if common * modulus % period:
            shift_terms.append((monomial, common))
    scattered = _NOBODY
    grain, rows = step, 0
    for _, coefficient, (modulus, residue) in lanes_of_all.own:
        lanes = np.full(WARP, coefficient) if isinstance(coefficient, int) else coefficient[warp]
        scattered = scattered | (active & (lanes != 0))
        for c in distinct_numbers(lanes[active]):
            rows = gcd(rows, int(c) * gcd(modulus, residue) if residue else int(c) * modulus)
    grain = gcd(grain, rows)
    own = scattered is not _NOBODY and some(scattered)
    low, span = _span(reach, warp, active) if own and not pitches else (0, None)
    relative = np.where(active, constants - constants[first], 0)
    wraps = False
    if bits is not None:  # right modulo 2^bits only
        if keeps_distances(bits) and max(int(relative.max()), -int(relative.min())) < NEAR:
            span = span if span is not None and span < NEAR else None
            wraps = _comes_round(relative, active, pitches, bits)
        else:  # lanes that seem far apart may be anywhere
            scattered, span, rows, wraps = active, None, 1, True
    turn = WORD_BYTES if period == BANKS * WORD_BYTES else period
    return Request(
        active,
        relative,
        tuple(pitches),
        shift % period,
        step,
        period,
        tuple(shift_terms),
        scattered,
        span,
        grain,
        wraps,
        (shift - int(constants[first]) + low) % turn if step % turn == 0 and span is not None else None,
        rows or 1,
    )


def _reach(poly: Poly, size: int, width: int) -> tuple[IntVector, IntVector] | None:
    """Per lane, the least and greatest byte of the part of the address that is the lane's own, if bounded."""
    mine = Poly({m: c for m, c in poly.terms.items() if not m or not pl.is_shared(m)})
    low, high = (np.broadcast_to(np.asarray(end, dtype=np.float64), size) for end in pl.bounds(mine))
    if not (isfinite(float(low.min())) and isfinite(float(high.max()))) or float(high.max() - low.min()) > 2.0**40:
        return None
    return low.astype(np.int64).reshape(-1, WARP), (high + (width - 1)).astype(np.int64).reshape(-1, WARP)


def _span(reach: tuple[IntVector, IntVector] | None, warp: int, active: BoolVector) -> tuple[int, int | None]:
    """The least byte of the active lanes' own parts, and the bytes from there to the greatest."""
    if reach is None:
        return 0, None
    low, high = reach
    first = int(low[warp][active].min())
    return first, int(high[warp][active].max()) - first + 1
