"""What is kept of an interpretation changes nothing of it: the same events, symbol by symbol, as one that forgets."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import Any

import pytest

from analysis_core.domains.condition import Condition
from analysis_core.domains.mask import Mask
from analysis_core.domains.polynomial import Poly
from analysis_core.interp import interpret
from analysis_core.interp.core.events import Events
from analysis_core.interp.core.state import Run
from tests.engine.interpreted import events_of
from tests.properties.split_kernels import make

TILES = """__global__ void k(float *a, const int *index, int n, int w) {
    __shared__ float tile[32][33];
    int t = threadIdx.x, sum = 0;
    for (int tile_at = 0; tile_at < n; tile_at += 32) {
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++) {
                tile[4 * i + j][t] = a[(tile_at + 4 * i + j) * w + t];
                if ((t + i) % 4 == j && t / 2 != i) sum += index[t * 4 + j];
            }
        }
        __syncthreads();
        for (int i = 0; i < 32; i++) a[sum + i] = tile[t % 32][i];
    }
}"""

SWAPPED = """__global__ void k(float *a, int x, int y) {
    int p = x, q = y;
    for (int i = 0; i < 6; i++) {
        int apart = (p > 0 ? q : q) - p, s = p;
        a[apart & 1023] = 0.0f;
        p = q;
        q = s;
    }
}"""
"""What the difference is made of in one round is what its expression reads in the next."""

UNKNOWN = """__global__ void k(float *a, int n) {
    int never, other = 0;
    for (int i = 0; i < 5; i++) {
        a[never + threadIdx.x] = a[other];
        if (i > 2) other = never / 2 + n;
        never += other;
    }
}"""


class Forgetful(dict[Any, Any]):
    """Takes everything and finds nothing."""

    def get(self, key: object, default: object = None) -> object:
        return default


def _poly(poly: Poly) -> Hashable:
    return tuple(
        (tuple(s.number for s in monomial), repr(c if isinstance(c, int) else c.tolist()))
        for monomial, c in sorted(poly.terms.items(), key=lambda term: tuple(s.number for s in term[0]))
    )


def _condition(c: Condition) -> Hashable:
    atom = None
    if c.atom is not None:
        atom = (c.atom.relation, c.atom.level, c.atom.data, c.atom.cause, c.positive)
        atom += (None if c.atom.poly is None else _poly(c.atom.poly),)
    return c.true.tobytes(), c.false.tobytes(), atom, tuple(_condition(part) for part in c.parts), c.all_of


def _mask(mask: Mask) -> Hashable:
    return mask.may.tobytes(), tuple((_condition(entry.formula), entry.scope.tobytes()) for entry in mask.literals)


def _told(events: Events) -> Hashable:
    accesses = [(e.access.span, _poly(e.address.poly), e.address.bits, e.address.origin, _mask(e.mask), e.times, e.base) for e in events.accesses]  # fmt: skip
    branches = [(e.whole, [_condition(c) for c in e.conditions], _mask(e.mask), e.times, e.work, e.ragged) for e in events.branches]  # fmt: skip
    rest = (
        events.trips,
        events.unknowns,
        events.assumptions,
        events.coarse,
        events.symbols,
        events.grid,
        events.counters,
    )
    return repr((accesses, branches, rest, [s.number for s in events.derivations]))


KERNELS = {"tiles": TILES, "swapped": SWAPPED, "unknown": UNKNOWN, **{str(n): make(n).text for n in range(20)}}


@pytest.mark.parametrize("text", KERNELS.values(), ids=KERNELS)
def test_nothing_changes_where_values_are_taken_again(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    once = _told(events_of(text))
    monkeypatch.setattr(interpret, "Run", lambda **given: Run(**given, applied=Forgetful()))
    assert _told(events_of(text)) == once


def test_the_loop_of_the_test_takes_values_again(monkeypatch: pytest.MonkeyPatch) -> None:
    class Counting(dict[Any, Any]):
        found = 0

        def get(self, key: object, default: object = None) -> object:
            value = super().get(key, default)
            Counting.found += value is not None
            return value

    monkeypatch.setattr(interpret, "Run", partial(Run, applied=Counting()))
    events_of(TILES)
    assert Counting.found > 200
