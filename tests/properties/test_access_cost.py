"""Costs of requests against a brute force of their own.

Random addresses (lane constants, pitches, uniform shifts, scattered lanes) and masks are costed by the engine; then the
symbols get concrete values and the sectors or wavefronts of every warp are counted here from the rules of docs/hardware.md,
one lane at a time.  The count must lie within [best, worst] of the warp's request (sub-masks: at most worst), and a case
"n % 8 == 0" must tell the cost exactly.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis_core.domains import polynomial as pl
from analysis_core.domains.mask import Mask
from analysis_core.domains.shape import make_shape
from analysis_core.domains.symbol import Level, Symbol, SymbolKind, SymbolSource
from analysis_core.domains.thread_value import Integer
from analysis_core.expressions import expression as ex
from analysis_core.interp.core.events import AccessEvent, AccessKind
from analysis_core.ir.nodes import Access, AccessId
from analysis_core.ir.types import FLOAT, Space
from analysis_core.requests.access_cost import period_of, request_cost
from analysis_core.requests.cases import best_case
from analysis_core.requests.requests import requests
from analysis_core.text.span import FileId, Span


def sectors_of(lanes: list[tuple[int, int]], width: int) -> int:
    """Distinct 32-byte sectors of (lane, address) pairs."""
    return len({byte // 32 for _, address in lanes for byte in range(address, address + width)})


def wavefronts_of(lanes: list[tuple[int, int]], width: int) -> int:
    """Wavefronts by the table of docs/hardware.md, from scratch."""
    by_lane = dict(lanes)
    if width <= 4:
        groups = [list(range(32))]
    else:
        count = 2 if width == 8 else 4
        groups = [list(range(i * 32 // count, (i + 1) * 32 // count)) for i in range(count)]
        if any(all(i ^ bit not in by_lane or by_lane[i ^ bit] == by_lane[i] for i in by_lane) for bit in (1, 2)):
            groups = [groups[i] + groups[i + 1] for i in range(0, count, 2)]
    total = 0
    for group in groups:
        banks: dict[int, set[int]] = {}
        for lane in group:
            if lane in by_lane:
                for byte in range(by_lane[lane], by_lane[lane] + width):
                    banks.setdefault(byte // 4 % 32, set()).add(byte // 4)
        total += max((len(words) for words in banks.values()), default=0)
    return total


def make_event(address: pl.Poly, may: np.ndarray, space: Space, width: int, shape: tuple[int, int, int]) -> AccessEvent:
    place = Span(FileId("k.cu"), 0, 1)
    access = Access(AccessId(0), place, "a[i]", width, FLOAT, ())
    return AccessEvent(access, AccessKind.READ, Integer(address), "a", space, Mask(may), ex.integer(1))


@st.composite
def addresses(draw: st.DrawFn) -> tuple[tuple[int, int, int], int, Space, pl.Poly, list[Symbol], np.ndarray]:
    """A shape, an access width, a space, an address whose lanes are aligned to the width, its symbols, a mask."""
    dims = draw(st.sampled_from([(32, 1, 1), (64, 1, 1), (16, 4, 1), (24, 2, 1), (8, 4, 2), (20, 1, 1)]))
    width = draw(st.sampled_from([1, 2, 4, 8, 16]))
    space = draw(st.sampled_from([Space.GLOBAL, Space.SHARED]))
    shape = make_shape(dims)
    source = SymbolSource()
    small = st.integers(0, 5)
    index = draw(st.integers(-1, 40)) + sum(
        draw(st.sampled_from([0, 0, 1, 1, 2, 3, 8, 17, 32])) * axis for axis in shape.thread
    )
    if draw(st.integers(0, 3)) == 0:
        index = index % draw(st.sampled_from([3, 8, 16, 32]))
    poly = pl.constant(np.asarray(index) * width + 1024)
    symbols = []
    for _ in range(draw(st.integers(0, 2))):
        modulus = draw(st.sampled_from([1, 1, 4, 8]))
        symbol = source.fresh("n", Level.BLOCK, SymbolKind.PARAMETER, 0, 1 << 20, modulus)
        symbols.append(symbol)
        axis = draw(st.sampled_from([None, *shape.thread]))
        coefficient = width * draw(st.integers(1, 3)) if axis is None else width * axis * draw(st.integers(1, 2))
        poly = pl.add(poly, pl.scale(pl.of_symbol(symbol), pl.constant(coefficient).constant))
    if draw(st.integers(0, 4)) == 0:
        symbol = source.fresh("d", Level.LANE, SymbolKind.DATA, 0, draw(st.sampled_from([7, 255, 1 << 20])))
        symbols.append(symbol)
        poly = pl.add(poly, pl.scale(pl.of_symbol(symbol), width * draw(st.sampled_from([1, 1, 2, 4, 8, 16, 32, 48]))))
    may = shape.real.copy()
    if draw(st.booleans()):
        may &= (shape.thread[0] + draw(small)) % draw(st.integers(1, 8)) == 0
    return dims, width, space, poly, symbols, may


@settings(max_examples=400, deadline=None)
@given(addresses(), st.data())
def test_counted_costs_lie_between_best_and_worst(drawn: tuple, data: st.DataObject) -> None:
    dims, width, space, poly, symbols, may = drawn
    event = make_event(poly, may, space, width, dims)
    count = sectors_of if space is Space.GLOBAL else wavefronts_of
    costs = {warp: request_cost(request, space, width) for warp, request in requests(event, period_of(space))}
    for _ in range(4):
        values = {s: s.modulus * data.draw(st.integers(0, 70)) for s in symbols if s.level is Level.BLOCK}
        for warp, cost in costs.items():
            lanes = []
            for lane in range(32):
                thread = warp * 32 + lane
                if may[thread]:
                    own = {
                        s: data.draw(st.integers(0, min(s.high or 0, 3000))) for s in symbols if s.level is Level.LANE
                    }
                    lanes.append((lane, address_of(poly, thread, {**values, **own})))
            counted = count(lanes, width)
            assert cost.best <= counted <= cost.worst, (warp, counted, cost)
            kept = [pair for pair in lanes if data.draw(st.booleans())] if data.draw(st.booleans()) else lanes
            assert count(kept, width) <= cost.worst
            table = cost.by_residue
            if table is not None:
                by_table = table.costs[values[table.monomial[0]] % len(table.costs)]
                assert counted <= by_table
                if cost.exact:
                    assert counted == by_table
                case = best_case(table)
                if case is not None and eval(case.when, {"n": values[table.monomial[0]]}):
                    assert counted <= case.cost


def address_of(poly: pl.Poly, thread: int, values: dict[Symbol, int]) -> int:
    total = 0
    for monomial, coefficient in poly.terms.items():
        term = coefficient if isinstance(coefficient, int) else int(coefficient[thread])
        for symbol in monomial:
            term *= values[symbol]
        total += term
    return total
