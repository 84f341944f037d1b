"""What counters start with, as integers.

`int i = first + threadIdx.x` is a sum of unsigned numbers, and `unsigned j = len - 1` a difference of them: both are right modulo
2^32.  That a counter does not wrap around is assumed of its start too (listed): of an `int` that is compared by order, whatever it
starts with, and of any other where it starts with a difference of sizes that may as well not wrap around, and is compared by order or
with zero (`while (j > 0)`, `while (j)`), or with a thread's part of the data (`t * chunk`).  `tid - 32` is negative for some threads for sure, and a sum with factors of hash functions is
meant to wrap around.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.symbol import Level, SymbolKind
from analysis_core.domains.thread_value import Integer, is_signed, width
from analysis_core.interp.core.state import Run
from analysis_core.interp.loops.steps import Additive
from analysis_core.interp.loops.summary import Summary
from analysis_core.ir.types import Type

_HASH = 1 << 24
"""Factors from here on are those of hash functions."""


def unwrapped_starts(run: Run, summary: Summary) -> Summary:
    """The summary in which counters start with exact integers: unsigned sums at their starts are assumed not to wrap
    around."""
    env = dict(summary.env)
    static = run.statics.loop(summary.loop)
    compared, below = summary.counters | static.counted_to_zero, static.kept_below
    for var in sorted(compared & summary.steps.keys()):
        start, variable = env[var], run.kernel.variables[var]
        step = summary.steps[var]
        if not isinstance(start, Integer) or start.exact or not isinstance(step, Additive):
            continue
        if var in below and not is_signed(variable.type) and pl.total_bounds(step.amount)[1] < 0:
            continue  # wraps around to end the loop
        poly = _integer(start, variable.type, var in summary.counters)
        if poly is None:
            continue
        env[var] = Integer(poly, None, None, start.origin)
        if run.recording:
            run.assume_that(f"the loop counter `{variable.name}` does not wrap around", variable.span)
    return replace(summary, env=env)


def _integer(start: Integer, type_: Type, ordered: bool) -> Poly | None:
    """What the start is if nothing wrapped around; None where that is not assumed."""
    if start.bits not in (32, 64) or width(type_) < start.bits:
        return None
    poly = pl.centred(start.poly, 32) if start.bits == 32 else start.poly
    ends = (end for c in poly.terms.values() for end in (np.asarray(c).min(), np.asarray(c).max()))
    if any(abs(int(end)) >= _HASH for end in ends):
        return None
    whatever = ordered and is_signed(type_) and width(type_) == 32
    return poly if whatever or is_difference_of_sizes(poly) or (ordered and _is_chunk(poly)) else None


def _is_chunk(poly: Poly) -> bool:
    """Whether it is where a thread's part of the data begins: `t * chunk`."""
    products = [m for m in poly.terms if m]
    sizes = all(s.kind in (SymbolKind.PARAMETER, SymbolKind.GRID) for m in products for s in m)
    return bool(products) and sizes and pl.total_bounds(poly)[0] >= 0


def is_difference_of_sizes(poly: Poly) -> bool:
    """Whether a sum over sizes is negative for some of them and not for others: `len - 1`, `n - m`."""
    low, high = pl.total_bounds(poly)
    of_sizes = pl.level(poly) is Level.BLOCK and all(s.kind is SymbolKind.PARAMETER for s in poly.symbols())
    return of_sizes and low < 0 < high
