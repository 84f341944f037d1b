"""The excess of requests against all sets of lanes.

Random addresses and masks with few open lanes: cuts (`i < n`), warp-uniform conditions, lanes that data decides.  For every
set of lanes that some values of the symbols select, and every residue, cost minus ideal is counted here from the rules of
docs/hardware.md, with an ideal that is searched for where no rule is plain.  It must never exceed what was said, and be met where
the theory says that the figure is exact.
"""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest

from analysis_core.domains import condition as cond
from analysis_core.domains import mask as masks
from analysis_core.domains import polynomial as pl
from analysis_core.domains.arithmetic import Arithmetic
from analysis_core.domains.mask import Mask
from analysis_core.domains.shape import Shape, make_shape
from analysis_core.domains.symbol import Level, Symbol, SymbolKind, SymbolSource
from analysis_core.domains.thread_value import Integer
from analysis_core.expressions import expression as ex
from analysis_core.interp.core.events import AccessEvent, AccessKind
from analysis_core.ir.nodes import Access, AccessId
from analysis_core.ir.types import FLOAT, INT, Space
from analysis_core.requests.access_cost import period_of, request_cost
from analysis_core.requests.excess import Excesses, event_excess
from analysis_core.requests.requests import requests_of_warps
from analysis_core.text.span import FileId, Span

Lanes = dict[int, int]
"""Lane -> byte address."""


def sectors_excess(lanes: Lanes, width: int) -> int:
    touched = {byte // 32 for address in lanes.values() for byte in (address, address + width - 1)}
    return len(touched) - -(-len(set(lanes.values())) * width // 32)


def conflicts(lanes: Lanes, width: int) -> int:
    """Wavefronts less the least wavefronts of the same lanes with as many distinct addresses."""
    if not lanes:
        return 0
    parts = {1: 1, 2: 1, 4: 1, 8: 2, 16: 4}[width]
    merged = any(all(i ^ bit not in lanes or lanes[i ^ bit] == lanes[i] for i in lanes) for bit in (1, 2))
    size = 32 // (parts // 2 if merged and parts > 1 else parts)
    total = 0
    for first in range(0, 32, size):
        banks: dict[int, set[int]] = {}
        for lane in range(first, first + size):
            for word in range(lanes[lane] // 4, (lanes[lane] + width - 1) // 4 + 1) if lane in lanes else ():
                banks.setdefault(word % 32, set()).add(word)
        total += max((len(words) for words in banks.values()), default=0)
    return total - ideal(lanes, width, parts)


def ideal(lanes: Lanes, width: int, parts: int) -> int:
    if parts == 1:
        return 1
    pairs = max(len({(i & ~bit) for i in lanes}) for bit in (1, 2))
    used = parts // 2 if len(set(lanes.values())) <= pairs else parts
    return len({lane * used // 32 for lane in lanes})


def some_mask(rng: random.Random, arithmetic: Arithmetic, symbols: list[Symbol]) -> tuple[Mask, list]:
    """A mask of up to two conditions; and for each a function from values to lanes."""
    shape = arithmetic.shape
    kept = np.isin(np.arange(shape.padded), rng.sample(range(32), rng.randrange(3, 9)))
    mask, truths = Mask(shape.real & kept), [lambda values: kept]
    for _ in range(rng.choice([0, 1, 1, 2])):
        axis = shape.thread[rng.choice([0, 0, 1])] + rng.randrange(3)
        symbol = rng.choice(symbols)
        c = arithmetic.compare("<", Integer(pl.constant(axis)), Integer(pl.of_symbol(symbol)), INT)
        c, flip = (c, False) if rng.random() < 0.6 else (cond.negate(c), True)
        mask = masks.assume(mask, c)
        truths.append(lambda values, a=axis, s=symbol, f=flip: (a < values[s]) != f)
    return mask, truths


def subsets(mask: Mask, truths: list, symbols: list[Symbol], shape: Shape) -> set[bytes]:
    """The sets of lanes that the mask's conditions select; LANE symbols choose for every lane by itself."""
    found = set()
    ranges = [range(s.low, s.high + 1) if s.level is Level.BLOCK else (None,) for s in symbols]
    for chosen in product(*ranges):
        values = dict(zip(symbols, chosen, strict=True))
        lanes = mask.may.copy()
        free = np.zeros(shape.padded, dtype=bool)
        for truth in truths:
            ends = []
            for extreme in (-100, 100):
                full = {s: extreme if v is None else v for s, v in values.items()}
                ends.append(np.broadcast_to(truth(full), shape.padded))
            lanes &= ends[0] | ends[1]
            free |= ends[0] != ends[1]
        open_lanes = np.flatnonzero(lanes & free)
        for bits in range(1 << len(open_lanes)):
            some = lanes.copy()
            some[open_lanes] = [bits >> i & 1 for i in range(len(open_lanes))]
            if some.any():
                found.add(some.tobytes())
    return found


def draw(seed: int) -> tuple[AccessEvent, list, list[Symbol], Shape, list[Symbol], bool]:
    rng = random.Random(seed)
    arithmetic = Arithmetic(make_shape(rng.choice([(32, 1, 1), (16, 2, 1), (8, 4, 1)])), SymbolSource())
    shape, fresh = arithmetic.shape, arithmetic.source.fresh
    symbols = [
        fresh("n", Level.BLOCK, SymbolKind.PARAMETER, 0, 36),
        fresh("d", Level.LANE, SymbolKind.DATA, -100, 100),
    ]
    mask, truths = some_mask(rng, arithmetic, symbols)
    width = rng.choice([1, 2, 4, 4, 8, 16])
    space = rng.choice([Space.GLOBAL, Space.SHARED])
    x, y = shape.thread[0], shape.thread[1]
    index = x * rng.choice([0, 1, 1, 2, 4, 8, 16]) + y * rng.choice([0, 1, 16, 32, 17])
    if rng.random() < 0.25:
        index = np.array([rng.randrange(64) for _ in range(shape.padded)])
    aligned = rng.random() < 0.85
    poly = pl.constant((index * width + (0 if aligned else rng.randrange(8))).astype(np.int64))
    movers = []
    if rng.random() < 0.4:
        movers.append(fresh("m", Level.BLOCK, SymbolKind.PARAMETER, 0, 35))
        poly = pl.add(poly, pl.scale(pl.of_symbol(movers[0]), width * rng.choice([1, 2, 4])))
    pitched = shape.dims[1] > 1 and rng.random() < 0.3
    if pitched:
        movers.append(fresh("w", Level.BLOCK, SymbolKind.PARAMETER, 0, 35))
        poly = pl.add(poly, pl.scale(pl.of_symbol(movers[-1]), pl.constant(y * width).constant))
    place = Span(FileId("k.cu"), 0, 1)
    access = Access(AccessId(0), place, "a[i]", width, FLOAT, ())
    event = AccessEvent(access, AccessKind.READ, Integer(poly), "a", space, mask, ex.integer(1))
    plain = aligned and not pitched and (space is Space.GLOBAL or width <= 4)
    return event, truths, symbols, shape, movers, plain


@pytest.mark.parametrize("seed", range(100))
def test_no_set_of_lanes_costs_more(seed: int) -> None:
    event, truths, symbols, shape, movers, plain = draw(seed)
    if event.mask.is_dead:
        return
    space, width = event.space, event.access.width
    taken = [(warps, r, request_cost(r, space, width)) for warps, r in requests_of_warps(event, period_of(space))]
    said = event_excess(event, taken, Excesses())
    count = sectors_excess if space is Space.GLOBAL else conflicts
    terms = event.address.poly.terms
    met = 0
    for chosen in product(
        *(range(32 // width + 1) if len(movers) == 1 else (0, 1, 2, 3, 5, 8, 16, 32, 33) for _ in movers)
    ):
        address = np.broadcast_to(np.asarray(terms.get((), 0)), shape.padded).astype(np.int64)
        for symbol, value in zip(movers, chosen, strict=True):
            address = address + np.asarray(terms[(symbol,)]) * value
        for some in subsets(event.mask, truths, symbols, shape):
            lanes = {int(i): int(address[i]) for i in np.flatnonzero(np.frombuffer(some, dtype=bool))}
            met = max(met, count(lanes, width))
    assert met <= said
    if plain:
        assert met == said


def test_the_masks_of_the_design() -> None:
    """32 neighbouring floats: no excess for all lanes or a prefix, three sectors where data picks the lanes."""
    arithmetic = Arithmetic(make_shape((32, 1, 1)), SymbolSource())
    lane = arithmetic.shape.thread[0]
    n = arithmetic.source.fresh("n", Level.BLOCK, SymbolKind.PARAMETER, 0, 100)
    d = arithmetic.source.fresh("d", Level.LANE, SymbolKind.DATA, 0, 1)
    w = arithmetic.source.fresh("w", Level.WARP, SymbolKind.DATA, 0, 1)
    full = Mask(arithmetic.shape.real)
    cut = arithmetic.compare("<", Integer(pl.constant(lane)), Integer(pl.of_symbol(n)), INT)
    picked = arithmetic.compare("!=", Integer(pl.of_symbol(d)), Integer(pl.ZERO), INT)
    whole = arithmetic.compare("!=", Integer(pl.of_symbol(w)), Integer(pl.ZERO), INT)
    place = Span(FileId("k.cu"), 0, 1)
    access = Access(AccessId(0), place, "a[i]", 4, FLOAT, ())

    def excess(mask: Mask, scale: int = 4, ragged: bool = False) -> int:
        address = Integer(pl.constant(lane * scale))
        event = AccessEvent(access, AccessKind.READ, address, "a", Space.GLOBAL, mask, ex.integer(1), ragged=ragged)
        taken = [(warps, r, request_cost(r, Space.GLOBAL, 4)) for warps, r in requests_of_warps(event, 32)]
        return event_excess(event, taken, Excesses())

    assert excess(full) == 0
    assert excess(masks.assume(full, cut)) == 0
    assert excess(masks.assume(full, whole)) == 0
    assert excess(masks.assume(full, picked)) == 3
    assert excess(full, ragged=True) == 3
    assert excess(Mask(lane % 8 == 0)) == 3
    assert excess(full, scale=8) == 4
    assert excess(masks.assume(full, cut), scale=8) == 4
    assert excess(masks.assume(full, picked), scale=8) == 7
