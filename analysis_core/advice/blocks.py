"""Kernels of one dimension with blockDim.x as a symbol: which blocks suit their accesses, and what a warp pays in all of them.

    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = a * x[i] + y[i];
        each request ideal iff blockDim.x is a multiple of 8
        each warp <= 12 sectors, each block <= 12 * blockDim.x/32, for every blockDim.x that is a multiple of 32

**Bounds.**  What a thread does is a function of its global number (independence.py, the same at several blocks: it is polynomial in the extent).  A warp of a block of 32k threads
holds 32 threads from a multiple of 32 on, as does a warp of a launch with blocks of 32, whose grid is left open, as are the sizes that the present launch passes: so a bound per warp of that launch holds in all of them.

**Requests.**  An address that is `s` bytes apart from lane to lane and 32 s from block to block is  s * i + u  of the global number i.  Its sectors depend on where the warp
begins modulo 32 bytes, a multiple of gcd(blockDim.x, 32) threads, and on its lanes, 32 or blockDim.x modulo 32: all are gone through with the hardware's rule, for
every blockDim.x up to 1,024 and every residue of u.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import gcd

import numpy as np

from analysis_core.advice.independence import Depends, thread_program
from analysis_core.domains.polynomial import Poly, congruence, is_shared
from analysis_core.domains.symbol import SymbolKind
from analysis_core.expressions import expression as ex
from analysis_core.expressions.bounds import MetricBound, WarpBound
from analysis_core.interp.core.events import AccessEvent
from analysis_core.interp.interpret import interpret
from analysis_core.ir.nodes import Access, Kernel
from analysis_core.ir.types import Space
from analysis_core.lp.kernel_bounds import kernel_bounds
from analysis_core.machine.block_shape import MAXIMUM_THREADS
from analysis_core.machine.global_memory import SECTOR_BYTES, distinct_addresses, ideal_sectors, sectors
from analysis_core.program.launch import Launch
from analysis_core.requests.evaluate import evaluate
from analysis_core.requests.event_costs import EventCosts
from analysis_core.support.settings import Settings
from analysis_core.text.records import dataclass

WARP = 32
_SAME_FOR_ALL = frozenset({SymbolKind.PARAMETER, SymbolKind.BASE, SymbolKind.ITERATION})
"""What all threads of a launch share; of the rest nobody knows whether lanes of other warps do."""

_TRIED = (32, 64, 96, 160, 1024)
"""More than the degree of what is compared: kernels multiply the extent with themselves at most twice."""


@dataclass(frozen=True, slots=True)
class Request:
    """`ideal`: the extents at which each request of full warps, and of what is left over, is ideal.  `worst`: sectors of a request at multiples of a warp; `best`: the ideal of 32 lanes."""

    access: Access
    ideal: frozenset[int]
    worst: int
    best: int

    @property
    def text(self) -> str:
        every = range(1, MAXIMUM_THREADS + 1)
        if len(self.ideal) == len(every):
            return "each request is ideal at every blockDim.x"
        for modulus in (2, 4, 8, 16, 32):
            multiples = frozenset(every[modulus - 1 :: modulus])
            if multiples <= self.ideal and not any(extent >= WARP for extent in self.ideal - multiples):
                return f"each request is ideal where blockDim.x is a multiple of {modulus}, and from {WARP} on nowhere else"
        if all(extent < WARP for extent in self.ideal):
            return f"from blockDim.x = {WARP} on not every request is ideal: up to {self.worst} sectors where {self.best} would do"
        return f"each request is ideal at {len(self.ideal)} of {MAXIMUM_THREADS} extents of the block"


@dataclass(frozen=True, slots=True)
class BlockClasses:
    """`per_warp`: bounds (`upper`, `exact`) that hold at every blockDim.x that is a multiple of 32, a symbol of theirs; a block pays at most blockDim.x/32 times as much.  `requests`: accesses of global memory whose addresses
    are a line in the global number, where all lanes of a warp take part."""

    per_warp: Mapping[str, WarpBound]
    requests: tuple[Request, ...]


def block_classes(kernel: Kernel, launch: Launch, settings: Settings) -> BlockClasses | None:
    """None where what a thread does is not known to be a function of its global number along one axis."""
    if launch.block[1:] != (1, 1) or kernel.requested_axes - {0} or kernel.asserted_extents or kernel.unknowns:
        return None
    programs = [thread_program(kernel, (extent, 1, 1)) for extent in _TRIED]
    if isinstance(programs[0], Depends) or any(one != programs[0] for one in programs):
        return None
    settings = replace(settings, bound_cases=False)
    passed = replace(launch.arguments, ranges=(), rooms=(), scaled=())
    open_ = replace(
        launch,
        block=(WARP, 1, 1),
        grid=(None, None, None),
        stated_grid=(),
        arguments=passed,
    )
    events = interpret(kernel, open_, settings)
    costs = EventCosts.of(events)
    facts = evaluate(kernel, open_, events, costs).facts
    bounds = kernel_bounds(kernel, open_, events, facts, settings, costs)
    metrics = {name: _at_any_block(bound) for name, bound in bounds.metrics.items()}
    return BlockClasses(metrics, tuple(_classified(events.accesses)))


def _at_any_block(bound: MetricBound) -> WarpBound:
    """The bound per warp with the launch's own blocks for those of 32 threads: gridDim.x of them are blockDim.x/32 * gridDim.x of these."""
    warp = bound.per_warp
    blocks = ex.floor_div(ex.multiply(ex.symbol("blockDim.x"), ex.symbol("gridDim.x")), ex.integer(WARP))
    return warp if warp.upper is None else replace(warp, upper=ex.substitute(warp.upper, {"gridDim.x": blocks}))


def _classified(events: tuple[AccessEvent, ...]) -> Iterator[Request]:
    by_access: dict[int, list[AccessEvent]] = {}
    for event in events:
        if event.space is Space.GLOBAL and event.mask.may.all():
            by_access.setdefault(event.access.id, []).append(event)
    ideal: dict[tuple[int, int, int, int], frozenset[int]] = {}
    for each in by_access.values():
        lines = [_line(event.address.poly) if event.address.exact else None for event in each]
        width = each[0].access.width
        keys = list(dict.fromkeys((*line, width) for line in lines if line is not None))
        if any(line is None for line in lines):
            continue
        for key in keys:
            if key not in ideal:
                ideal[key] = _ideal_extents(*key)
        worst = max(_worst(step, residue, modulus, WARP, WARP, width) for step, residue, modulus, _ in keys)
        best = max(_best(step, WARP, width) for step, *_ in keys)
        yield Request(each[0].access, frozenset.intersection(*(ideal[key] for key in keys)), worst, best)


def _line(poly: Poly) -> tuple[int, int, int] | None:
    """(s, r, d): the address is s * i + u of the global number i, with u = r modulo d, a divisor of the bytes of a sector; None if it is no such line."""
    step: int | None = None
    residue, modulus = 0, SECTOR_BYTES
    own = poly.terms.get((), 0)
    if isinstance(own, int):
        step, residue = 0, own
    else:
        if (np.diff(own[:WARP]) != own[1] - own[0]).any():
            return None
        step, residue = int(own[1] - own[0]), int(own[0])
    of_block = 0
    for monomial, coefficient in poly.terms.items():
        if not monomial:
            continue
        if not isinstance(coefficient, int) or not is_shared(monomial):
            return None
        if len(monomial) == 1 and monomial[0].kind is SymbolKind.GRID and monomial[0].name == "blockIdx.x":
            of_block = coefficient
            continue
        if any(symbol.kind not in _SAME_FOR_ALL for symbol in monomial):
            return None
        m, r = congruence(monomial)
        modulus = gcd(modulus, coefficient * m)
        residue += coefficient * r
    return (step, residue % SECTOR_BYTES, modulus) if of_block == WARP * step else None


def _ideal_extents(step: int, residue: int, modulus: int, width: int) -> frozenset[int]:
    """The extents of a block at which all requests are ideal."""
    starts = (1, 2, 4, 8, 16, WARP)
    is_ideal = {
        (start, lanes): _worst(step, residue, modulus, start, lanes, width) <= _best(step, lanes, width)
        for start in starts
        for lanes in range(start, WARP + 1, start)
    }
    return frozenset(
        extent
        for extent in range(1, MAXIMUM_THREADS + 1)
        if all(
            is_ideal[gcd(extent, WARP), lanes]
            for lanes in {WARP if extent >= WARP else extent, extent % WARP or WARP if extent >= WARP else extent}
        )
    )


def _worst(step: int, residue: int, modulus: int, start: int, lanes: int, width: int) -> int:
    """The most sectors of a request of the first lanes of a warp that begins at a multiple of `start` threads."""
    apart = gcd(step * start, modulus, SECTOR_BYTES)
    active = np.arange(WARP) < lanes
    line = step * np.arange(WARP, dtype=np.int64)
    return max(sectors(line + first, active, width) for first in range(residue % apart, SECTOR_BYTES, apart))


def _best(step: int, lanes: int, width: int) -> int:
    line = step * np.arange(WARP, dtype=np.int64)
    return ideal_sectors(distinct_addresses(line, np.arange(WARP) < lanes), width)
