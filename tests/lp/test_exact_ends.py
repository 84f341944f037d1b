"""Loops whose trip counts are more than a size: quotients, remainders, extremes, ways out at the start of a round, a rest behind an unrolled
loop.  Upper and lower ends meet."""

from __future__ import annotations

import pytest

from analysis_core.expressions.expression import evaluate, symbols
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.lp.kernels import bounds_of, exact, shown

BLOCK = (64, 1, 1)

STORE = "a[i * 64 + threadIdx.x] = 1;"

LOOPS = [
    ("int", f"for (int i = 0; i < n / 8; i++) {STORE}", "4*floor(n/8)"),
    ("int", f"for (int i = 0; i < (n + 6) / 7; i++) {STORE}", "4*ceil(n/7)"),
    ("int", f"for (int i = n >> 3; i > 0; i--) {STORE}", "4*floor(n/8)"),
    ("int", f"int i = 0; while (i < n % 9) {{ {STORE} i++; }}", "4*(n % 9)"),
    ("int", f"for (int i = 0; i < min(n, m); i++) {STORE}", "4*min(m, n)"),
    ("int", f"for (int i = 0; i < n && i < m / 2; i++) {STORE}", "4*min(n, floor(m/2))"),
    ("unsigned", f"for (unsigned i = 0; i < n - 2; i += 3) {STORE}", "4*floor(n/3)"),
    ("unsigned", f"for (unsigned i = 0; i < n - m; i++) {STORE}", "4*max(0, n - m)"),
    ("unsigned long long", f"for (long long i = 0; i < n - 1; i++) {STORE}", "4*max(0, n - 1)"),
    ("int", f"for (int i = 0; i < n; i++) {{ if (i >= 50) return; {STORE} }}", "4*min(50, n)"),
    ("int", f"for (int i = 0; i < n; i++) {{ if (i >= m) break; {STORE} }}", "4*min(m, n)"),
    ("int", f"int i = 0; for (;;) {{ if (i >= n / 4) return; {STORE} i++; }}", "4*floor(n/4)"),
    ("size_t", f"size_t i = 0; for (; i + 1 < n; i += 2) {{ {STORE} {STORE} }} for (; i < n; i++) {STORE}", "4*n"),
    (
        "int",
        f"int i = 0; for (; i < n - n % 4; i += 4) {{ {STORE} }} for (; i < n; i++) {STORE}",
        "4*n - 12*floor(n/4)",
    ),
    ("int", f"int i = 0, e = n & ~7; while (i < e) {{ {STORE * 8} i += 8; }} while (i < n) {{ {STORE} i++; }}", "4*n"),
]


ENDS = [
    ("int", f"for (int i = 0; i != n - 1; i++) {STORE}", "4*max(0, n - 1)"),
    ("unsigned", f"for (unsigned i = m; i != n; ++i) {STORE}", "4*max(0, n - m)"),
    ("size_t", f"for (size_t i = n + m; i != m; --i) {STORE}", "4*n"),
    ("int", f"for (int i = 6; i != n * 3; i += 3) {STORE}", "4*ceil(max(0, 3*n - 6)/3)"),
    ("int", f"for (int i = n - 1; i != -1; --i) {STORE}", "4*n"),
    ("unsigned", f"for (unsigned i = n - 1; i < n; --i) {STORE}", "4*n"),
    ("unsigned long long", f"for (unsigned long long i = n - 1; n > i; i--) {STORE}", "4*n"),
    ("unsigned", f"for (unsigned i = n - 3; i < n; --i) {STORE}", "4*max(0, n - 2)"),
    ("unsigned", f"for (unsigned i = n / 2; i != ~0u; --i) {STORE}", "4 + 4*floor(n/2)"),
    ("size_t", f"for (size_t i = n - 1; i != (size_t)-1; --i) {STORE}", "4*n"),
    ("unsigned", f"for (unsigned j = 0; j < n; j++) for (unsigned i = j - 1; i < n; --i) {STORE}", "2*n*n - 2*n"),
]
"""Counters that come to be what they are compared with, or wrap around to end their loop."""

LOOPS += ENDS


@pytest.mark.parametrize(("kind", "body", "sectors"), LOOPS, ids=[body for _, body, _ in LOOPS])
@pytest.mark.parametrize("inlined", [False, True], ids=["kernel", "function"])
def test_a_loop_has_one_end(kind: str, body: str, sectors: str, inlined: bool) -> None:
    head = f"(float *a, {kind} n, {kind} m)"
    call = f"__device__ void work{head} {{ {body} }}\n__global__ void k{head} {{ work(a, n, m); }}"
    text = call if inlined else f"__global__ void k{head} {{ {body} }}"
    bound = bounds_of(text, block=BLOCK).metrics["sectors"]
    assert (shown(bound.per_warp.upper), bound.per_warp.exact, shown(bound.per_warp.min_lower)) == (
        sectors,
        True,
        sectors,
    )
    assert bound.per_block.exact and bound.per_launch.exact


TILED = """
__global__ void product(const float *A, const float *B, float *C, int n) {{
    __shared__ float a[16][16], b[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
    float sum = 0;
    for (int tile = 0; tile < {tiles}; tile++) {{
        a[y][x] = {first} A[row * n + tile * 16 + x]{otherwise};
        b[y][x] = {second} B[(tile * 16 + y) * n + column]{otherwise};
        __syncthreads();
        for (int k = 0; k < 16; k++) sum += a[y][k] * b[k][x];
        __syncthreads();
    }}
    {guard} C[row * n + column] = sum;
}}"""

GUARDS = {
    "first": "row < n && tile * 16 + x < n ?",
    "second": "column < n && tile * 16 + y < n ?",
    "otherwise": " : 0",
    "guard": "if (row < n && column < n)",
}

BARE = dict.fromkeys(GUARDS, "")


@pytest.mark.parametrize(
    ("tiles", "guards", "rounds"),
    [
        ("n / 16", BARE, "floor(n/16)"),
        ("(n + 15) / 16", BARE, "ceil(n/16)"),
        ("(n - 1) / 16 + 1", BARE, None),
        ("(n + 15) >> 4", GUARDS, "ceil(n/16)"),
        ("n / 16", GUARDS, "floor(n/16)"),
    ],
)
def test_a_tiled_product_is_exact_where_rows_are_aligned(
    tiles: str, guards: dict[str, str], rounds: str | None
) -> None:
    bound = bounds_of(TILED.format(tiles=tiles, **guards), block=(16, 16, 1)).metrics["sectors"]
    (case, *_) = bound.per_warp.cases
    assert case.exact and bound.per_block.cases[0].exact
    if rounds is not None:
        assert shown(case.upper) == f"4 + 8*{rounds}"
    assert bound.per_launch.cases[0].exact or guards is GUARDS  # a grid may be larger than the matrix


def test_a_tiled_product_is_exact_over_the_launch_with_a_grid_that_fits() -> None:
    text = TILED.format(tiles="(n + 15) / 16", **GUARDS)
    text = "//@ launch block=(16,16) grid=(ceil(n/16), ceil(n/16))" + text
    launch = bounds_of(text, block=None).metrics["sectors"].per_launch
    assert [case.exact for case in launch.cases] == [True]


def test_who_leaves_by_return_counts_as_who_leaves_by_break() -> None:
    text = "__global__ void k(float *a, int n) {{ for (int i = 0; i < n; i++) {{ if (i > threadIdx.x) {leave}; a[threadIdx.x] = 1; }} }}"
    ends = [
        bounds_of(text.format(leave=leave), block=BLOCK).metrics["sectors"].per_warp for leave in ("break", "return")
    ]
    assert shown(ends[0].upper) == shown(ends[1].upper) == "4*min(64, n)"


def test_a_stated_block_bounds_its_number() -> None:
    text = "__global__ void k(float *a, int n) { for (int i = 0; i < blockIdx.x; i++) a[i] = 1; }"
    assert shown(bounds_of(text, block=BLOCK, assume=("blockIdx.x < 4",)).metrics["sectors"].per_warp.upper) == (
        "min(3, gridDim.x - 1)"
    )
    assert shown(bounds_of(text, block=BLOCK, assume=("blockIdx.x + 2 <= n",)).metrics["sectors"].per_warp.upper) == (
        "min(gridDim.x - 1, n - 2)"
    )


def test_wraps_around_are_assumed_by_name() -> None:
    text = "__global__ void k(float *a, unsigned n, unsigned m) { for (unsigned i = threadIdx.x; i < n - m; i += 64) a[i] = 1; }"
    bounds = bounds_of(text, block=BLOCK)
    assert shown(bounds.metrics["sectors"].per_warp.upper) == "4*ceil(max(0, n - m)/64)"
    assert exact(bounds_of(text, block=BLOCK, assume=("n >= m", "n % 64 == 0", "m % 64 == 0")))["sectors"]


@pytest.mark.parametrize(
    ("kind", "start", "end", "upper"),
    [
        ("int", "t * part", "min((t + 1) * part, n)", "32*min(n, part)"),
        ("int", "t * ((n + 63) / 64)", "min((t + 1) * ((n + 63) / 64), n)", "32*min(n, ceil(n/64))"),
        ("int", "t * n / 64", "(t + 1) * n / 64", "32*ceil(n/64)"),
        (
            "int",
            "t * (n / (int)(gridDim.x * 64))",
            "(t + 1) * (n / (int)(gridDim.x * 64))",
            "32*floor(n/(64*gridDim.x))",
        ),
    ],
)
def test_a_part_for_each_thread(kind: str, start: str, end: str, upper: str) -> None:
    head = f"__global__ void k(float *a, {kind} n, {kind} part) {{ {kind} t = threadIdx.x;"
    text = f"{head} for ({kind} i = {start}; i < {end}; i++) a[i] = 1; }}"
    assert shown(bounds_of(text, block=BLOCK).metrics["sectors"].per_warp.upper) == upper


def test_the_last_thread_takes_the_rest() -> None:
    text = """__global__ void k(float *a, int n) {
        int t = threadIdx.x, part = n / 64, begin = t * part, end = t == 63 ? n : begin + part;
        for (int i = begin; i < end; i++) a[i] = 1;
    }"""
    bound = bounds_of(text, block=BLOCK).metrics["sectors"].per_warp
    assert shown(bound.upper) == "32*n - 2016*floor(n/64)"


def test_what_is_done_on_leaving_is_paid_whatever_the_counter_counts_up_to() -> None:
    text = """__global__ void k(float *a, long long n) {
        for (int i = 0; i < n; i += 2) { if (i * 2 > n) { a[threadIdx.x] = 9; break; } a[threadIdx.x + 64] = 1; }
    }"""
    bound = bounds_of(text, block=BLOCK).metrics["sectors"].per_warp
    assert shown(bound.upper) == "4 + 4*min(ceil(n/2), 1 + floor(n/4))"


def test_a_loop_that_nobody_comes_to_costs_nothing() -> None:
    """It goes past its end, so that nothing says how often it goes round; the first rounds are executed one by one."""
    text = """__global__ void k(int *a, int n) {
        if (n > 5) for (int i = 0; i != 2; i += 4) { if (i > 8) a[threadIdx.x] = i; }
    }"""
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(), strict=True)
    bounds = report.kernels[0].launches[0].facts.bounds
    upper = None if bounds is None else bounds.metrics["sectors"].per_warp.upper
    assert upper is not None
    assert evaluate(upper, dict.fromkeys(symbols(upper), 0)) >= 0
