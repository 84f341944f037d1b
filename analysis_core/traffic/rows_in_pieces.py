"""Neighbours side by side but for a step that some of them take: an index that wraps around, `i + m - (i + m >= n ? n : 0)`.

Where it is not known which lanes take the step, each could be by itself, for all that is proved; but it is the same step for all, so
that they lie in two rows, and never where memory sends them.

Where the step is taken by all lanes from one place on, `if (k < bottom) k += step;`, each row is whole: what a request costs is what it
costs without the step, but for the one warp in which that place is.

Rows of a few lanes that begin where memory says, `p[first[t / 8] + t % 8]`, have a sector too many where they begin near the end of one: what they
cost is the mean over all places in a sector.  Where the lanes of one such row are themselves far apart, `cache[(page[t / 16] * 16 + t % 16) * pitch]`,
memory says where the row begins and takes nothing off what it costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from analysis_core.domains.derivation import Derivation
from analysis_core.domains.mask import Mask
from analysis_core.domains.polynomial import Monomial, Poly
from analysis_core.domains.shape import WARP, IntVector, distinct_numbers, every
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.interp.core.events import AccessEvent
from analysis_core.machine.global_memory import SECTOR_BYTES
from analysis_core.requests.block_cuts import is_cut_once


def in_whole_rows(event: AccessEvent, derivations: Mapping[Symbol, Derivation]) -> AccessEvent | None:
    """The request of a warp in which all lanes take the steps that the address waits for; None where there are none, or lanes
    take them here and there."""
    poly = event.address.poly
    steps = [m for m in poly.terms if any(s.level is Level.LANE and s.is_choice for s in m)]
    if not steps or not all(_is_cut(m, derivations) for m in steps):
        return None
    whole = Poly({m: c for m, c in poly.terms.items() if m not in steps})
    return replace(event, address=replace(event.address, poly=whole))


def _is_cut(step: Monomial, derivations: Mapping[Symbol, Derivation]) -> bool:
    """Whether one place in a block decides which of its lanes take the step."""
    own = [s for s in step if s.level is Level.LANE]
    derivation = derivations.get(own[0])
    condition = None if derivation is None or derivation.op != "choice" else derivation.condition
    atom = None if condition is None else condition.atom
    return len(own) == 1 and atom is not None and is_cut_once(atom)


def is_in_pieces(event: AccessEvent) -> bool:
    """Whether the lanes of each warp lie side by side but for what a choice adds to their addresses."""
    poly = event.address.poly
    for monomial, coefficient in poly.terms.items():
        own = [symbol for symbol in monomial if symbol.level is Level.LANE]
        if monomial and not (isinstance(coefficient, int) and all(s.kind is SymbolKind.CHOICE for s in own)):
            return False
    places = poly.constant
    if isinstance(places, int) or len(places) % WARP:
        return False
    steps = np.diff(places.reshape(-1, WARP), axis=1)
    return every((steps >= 0) & (steps <= event.access.width))


def _placed(event: AccessEvent) -> tuple[IntVector, IntVector] | None:
    """Of an address that is what memory says plus a known number: by equal numbers, the lanes that share what it says; and that number."""
    own = [m for m in event.address.poly.terms if any(s.level is Level.LANE for s in m)]
    places = event.address.poly.constant
    if not own or isinstance(places, int) or len(places) % WARP:
        return None
    if not all(len(m) == 1 and isinstance(event.address.poly.terms[m], int) for m in own):
        return None
    if not all(isinstance(c, int) or not m for m, c in event.address.poly.terms.items()):
        return None
    alike = [m[0].alike for m in own]
    first = alike[0]
    return None if first is None or len(alike) > 1 else (first, places)


def is_dear_by_rows(events: Sequence[AccessEvent], ideal: int, worst_of: Callable[[AccessEvent], int]) -> bool:
    """Whether in each execution one of the rows that memory places costs twice the ideal of the whole request, or more, by itself.  `worst_of`: the
    sectors of an execution's dearest request."""
    rows = [_longest_rows(event) for event in events]
    return all(row is not None and worst_of(row) >= 2 * ideal for row in rows)


def _longest_rows(event: AccessEvent) -> AccessEvent | None:
    """The execution by those lanes of each warp that share what memory says with the most others, as if it said nothing; None where lanes share
    nothing, or it says more than where a row begins."""
    terms, may = event.address.poly.terms, event.mask.may
    own = {m: [s for s in m if s.level is Level.LANE] for m in terms}
    alike = {id(s.alike): s.alike for m in own for s in own[m]}
    first = next(iter(alike.values()), None)
    if first is None or len(alike) > 1 or len(may) % WARP or not all(isinstance(terms[m], int) for m in own if own[m]):
        return None
    longest = np.zeros_like(may)
    for start in range(0, len(may), WARP):
        lanes = slice(start, start + WARP)
        groups, counts = np.unique(first[lanes][may[lanes]], return_counts=True)
        if len(groups):
            longest[lanes] = may[lanes] & (first[lanes] == groups[counts.argmax()])
    placed = replace(event.address, poly=Poly({m: c for m, c in terms.items() if not own[m]}))
    return replace(event, address=placed, mask=Mask(longest))


def usual_cost(events: Iterable[AccessEvent]) -> float | None:
    """The sectors of a request on average over the places where rows of a few lanes each may begin: they do not all begin at the end of a
    sector.  None where lanes do not stand in rows of one stride that memory places."""
    return max((found for event in events if (found := _usual_of(event)) is not None), default=None)


def _usual_of(event: AccessEvent) -> float | None:
    placed, width = _placed(event), event.access.width
    if placed is None or width > SECTOR_BYTES or SECTOR_BYTES % width:
        return None
    starts, rows = placed
    most = 0.0
    for start, places in zip(starts.reshape(-1, WARP), rows.reshape(-1, WARP), strict=True):
        cuts = np.flatnonzero(np.diff(start)) + 1
        pieces = np.split(places - places.min(), cuts)
        if any(len(piece) < 2 or not every(np.abs(np.diff(piece)) < SECTOR_BYTES) for piece in pieces):
            return None
        most = max(most, sum(_mean_sectors(piece, width) for piece in pieces))
    return most


def _mean_sectors(places: IntVector, width: int) -> float:
    """Over all places of the first element in its sector."""
    offsets = range(0, SECTOR_BYTES, width)
    return sum(len(distinct_numbers((places + offset) // SECTOR_BYTES)) for offset in offsets) / len(offsets)
