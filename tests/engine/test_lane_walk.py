"""What lanes of a launch come to at given numbers, and the numbers themselves against the scalar evaluator of constants."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from analysis_core.ir.constants import fold
from analysis_core.ir.effects import assigned_by
from analysis_core.ir.nodes import Binary, BuiltinKind, Const, Kernel, Loop
from analysis_core.ir.types import INT, UINT
from analysis_core.ir.walk import statements_of
from analysis_core.profile.lane_numbers import Numbers, Vector, numbers_of
from analysis_core.profile.lane_walk import MOST_ROUNDS, Inside, LaneWalk
from tests.ir.lowering import kernel

THREADS = 64
EVERY = np.ones(THREADS, dtype=bool)


def walked(source: str, counts: bool, **values: int) -> tuple[Kernel, LaneWalk]:
    """The kernel, gone through by the threads of one block with these parameters.  `counts`: whether the rounds of its loops are asked for."""
    found = kernel(source)
    places: dict[tuple[BuiltinKind, int], Vector] = {(BuiltinKind.THREAD_IDX, 0): np.arange(THREADS)}
    loops = {one.whole for one in statements_of(found) if isinstance(one, Loop)}
    walk = LaneWalk(found, places, THREADS, frozenset(loops if counts else ()))
    named = {v.name: v.id for v in found.variables}
    walk.walk({named[n]: Numbers(np.full(THREADS, v), EVERY) for n, v in values.items()})
    return found, walk


def came(source: str, **values: int) -> list[int]:
    """How many lanes may come to each access."""
    return [
        int(lanes.sum()) for place, lanes in walked(source, False, **values)[1].came.items() if isinstance(place, int)
    ]


def rounds(source: str, **values: int) -> list[int | None]:
    return list(walked(source, True, **values)[1].rounds.values())


@pytest.mark.parametrize("op", ["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", ">=", "=="])
@pytest.mark.parametrize("type", [INT, UINT])
def test_numbers_are_those_of_constants(op: str, type: object) -> None:
    numbers = [0, 1, 3, 7, 31, 255, (1 << 31) - 1] + ([-1, -8, -(1 << 31)] if type is INT else [(1 << 32) - 1])
    for left, right in product(numbers, numbers):
        expr = Binary(op, Const(left, type), Const(right, type), type)  # type: ignore[arg-type]
        expected, found = fold(expr), numbers_of(expr, {}, {}, 1)
        if found is not None and found.known[0]:
            assert expected is not None and int(found.values[0]) == expected.value, (op, left, right)


def test_a_guard_lets_those_pass_that_it_does() -> None:
    guarded = "__global__ void k(int *p, int n) { int i = threadIdx.x; if (i < n) p[i] = 1; else p[0] = 2; }"
    assert came(guarded, n=5) == [5, 59]
    assert came(guarded) == [64, 64]  # Nobody knows.
    assert came("__global__ void k(int *p, int n) { if (threadIdx.x >= n) return; p[threadIdx.x] = 1; }", n=5) == [5]


def test_what_memory_says_is_not_known() -> None:
    source = "__global__ void k(int *p, int n) { int i = threadIdx.x; if (p[i]) n = 9; if (i < n) p[i] = 1; }"
    assert came(source, n=5) == [64, 64]


def test_what_holds_after_both_ways_is_known() -> None:
    source = (
        "__global__ void k(int *p, int n) { int i = threadIdx.x, m; if (p[i]) m = n; else m = 5; if (i < m) p[i] = 1; }"
    )
    assert came(source, n=5) == [64, 5]
    assert came(source, n=6) == [64, 64]


def test_rounds_are_counted() -> None:
    assert rounds("__global__ void k(int *p, int n) { for (int i = 0; i < n; i++) p[i] = 1; }", n=7) == [7]
    assert rounds("__global__ void k(int *p, int n) { for (int i = 0; i < n; i++) p[i] = 1; }") == [None]
    doubled = "__global__ void k(int *p, unsigned n) { unsigned m = 8; while (true) { p[m] = 1; m <<= 1; if (m >= n) break; } }"
    assert rounds(doubled, n=1 << 20) == [17]
    lanes = "__global__ void k(int *p, int n) { for (int i = threadIdx.x; i < n; i += 8) p[i] = 1; }"
    assert rounds(lanes, n=80) == [10]


def test_rounds_that_differ_are_none() -> None:
    nest = "__global__ void k(int *p, int n) { for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) p[j] = 1; }"
    assert sorted(rounds(nest, n=5), key=str) == [5, None]
    left = "__global__ void k(int *p, int n) { for (int i = 0; i < n; i++) if (p[i]) return; }"
    assert rounds(left, n=5) == [None]


def test_many_rounds_are_cut_short() -> None:
    source = "__global__ void k(int *p, int n) { int i = 0; for (; i < n; i++) p[i] = 1; if (i == n) p[0] = 2; }"
    assert rounds(source, n=MOST_ROUNDS + 1) == [None]
    assert came(source, n=MOST_ROUNDS + 1) == [64, 64]
    assert came(source, n=0) == [64]


NESTS = [
    "for (int k = 0; k < 40; k++) s += p[k];  p[t] = s;",
    "for (int k = 0; k < 40; k++) if (t == k) p[k] = 1;",
    "for (int k = 0; k < 40; k++) { if (t < k) p[k] = 1; if (k == 39) p[0] = s; }",
    "int last = 0; for (int k = 0; k < 40; k++) last = k;  if (last == 39 && t < 7) p[t] = 1; else p[1] = 2;",
    "int m = t; for (int k = 0; k < 40; k++) if (k == 30) m = 3;  if (m < 9) p[t] = 1;",
    "for (int k = 0; k < 40; k++) { if (t == k) return; }  p[t] = 1;",
    "for (int k = 0; k < 5; k++) { for (int j = 0; j < k; j++) if (t < j) p[j] = 1; if (t < 2 * k) p[k] = s; }",
    "for (int k = t; k < 40; k += 8) { if (k > 60) p[1] = 1; p[k] = 1; }",
    "for (int k = 0; k < n; k++) { if (t > 9) break; p[k] = 1; }  p[t] = 1;",
    "int k = 1; do { if (k < t) p[k] = 1; k <<= 1; } while (k < 64);",
]


@pytest.mark.parametrize("nest", NESTS)
def test_rounds_that_are_left_out_would_lead_nobody_anywhere(nest: str) -> None:
    source = f"__global__ void k(int *p, int n) {{ int t = threadIdx.x, s = 0; {nest} }}"
    found, short = walked(source, False, n=50)
    whole = LaneWalk(found, short.places, THREADS, steps=100_000)
    every = {var for one in statements_of(found) for var in assigned_by(one)}
    for one in statements_of(found):
        if isinstance(one, Loop):
            whole.inside[id(one)] = Inside(frozenset(every), frozenset(every), True)
    whole.walk({v.id: Numbers(np.full(THREADS, 50), EVERY) for v in found.variables if v.name == "n"})
    assert {place: lanes.tolist() for place, lanes in whole.came.items()} == {
        place: lanes.tolist() for place, lanes in short.came.items()
    }


def test_rounds_are_left_out() -> None:
    source = "__global__ void k(int *p) { for (int k = 0; k < 60; k++) for (int j = 0; j < 60; j++) p[k] += p[j]; }"
    assert walked(source, False)[1].steps > 2_900
