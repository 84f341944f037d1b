"""Bounds of the literature's kernels (renditions in tests/kernels/hardware) under the sizes that docs/hardware.md assumes,
and what happens where there is none."""

from __future__ import annotations

import pytest

from analysis_core.lp import bound_cases
from tests.lp.kernels import HARDWARE, bounds_of, exact, shown

_N = ("n % 256 == 0", "n >= 256")
_N2 = ("n % 512 == 0", "n >= 512")
_W = ("w % 8 == 0", "w >= 8", "h % 2 == 0")
_M = ("n % 32 == 0", "n >= 32")
ROW, TILE = (256, 1, 1), (32, 32, 1)

LITERATURE = [
    ("vector_add.cu", "sum", ROW, _N, {"sectors": "12", "conflicts": "0", "divergences": "0", "steps": "27"}),
    ("reduce.cu", "every_other", ROW, _N, {"sectors": "5", "conflicts": "0", "divergences": "9"}),
    ("reduce.cu", "first_threads", ROW, _N, {"sectors": "5", "conflicts": "87", "divergences": "6"}),
    ("reduce.cu", "halves", ROW, _N, {"sectors": "5", "conflicts": "0", "divergences": "6"}),
    ("reduce.cu", "two_loads", ROW, _N2, {"sectors": "9", "conflicts": "0", "divergences": "6"}),
    ("add_sub.cu", "rows_by_parity", ROW, _W, {"sectors": "66*w", "excessive_sectors": "56*w", "divergences": "w"}),
    ("add_sub.cu", "rows_in_pairs", ROW, _W, {"sectors": "130*w", "divergences": "0"}),
    ("add_sub.cu", "columns", ROW, _W, {"sectors": "24*ceil(h/2)", "divergences": "0"}),
    ("add_sub.cu", "columns_row_kept", ROW, _W, {"sectors": "4 + 16*ceil(h/2)", "divergences": "0"}),
    ("mat_mul.cu", "tiled", TILE, _M, {"sectors": "4 + 8*ceil(n/32)", "conflicts": "0", "divergences": "0"}),
    ("mat_mul.cu", "tiled_turned", TILE, _M, {"sectors": "4 + 8*ceil(n/32)", "conflicts": "31*ceil(n/32)"}),
]


@pytest.mark.parametrize(("file", "kernel", "block", "assume", "wanted"), LITERATURE, ids=lambda v: str(v)[:24])
def test_the_literature(
    file: str, kernel: str, block: tuple[int, int, int], assume: tuple[str, ...], wanted: dict[str, str]
) -> None:
    found = exact(bounds_of((HARDWARE / file).read_text(encoding="utf-8"), kernel, block, assume))
    assert {name: found.get(name) for name in wanted} == wanted


GUARDED = """
__global__ void add(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}"""


def test_aligned_sizes_are_a_case() -> None:
    bound = bounds_of(GUARDED).metrics["sectors"].per_warp
    assert (shown(bound.upper), bound.exact, shown(bound.min_lower)) == ("12", False, "0")
    case = bound.cases[0]
    assert (case.when, shown(case.upper), shown(case.worst_lower)) == ("n % 32 == 0 and n >= 32", "12", "12")


def test_a_case_with_too_many_events_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bounds stay, without that case."""
    whole = bounds_of(GUARDED).metrics["sectors"].per_warp
    monkeypatch.setattr(bound_cases, "_MOST_IN_CASE", 2)
    bound = bounds_of(GUARDED).metrics["sectors"].per_warp
    assert (bound.upper, bound.min_lower) == (whole.upper, whole.min_lower)
    assert [c.when for c in whole.cases] == ["n % 32 == 0 and n >= 32", "n >= 25"]
    assert [c.when for c in bound.cases] == ["n >= 25"]


@pytest.mark.parametrize(("of", "upper", "least"), [("float", "12", 25), ("double", "24", 29), ("char", "3", 1)])
def test_sizes_that_are_not_small_are_a_case(of: str, upper: str, least: int) -> None:
    """Where a lane reaches the last sector of the first warp, no more is paid by more lanes."""
    bound = bounds_of(GUARDED.replace("float", of)).metrics["sectors"]
    case = bound.per_warp.cases[1]
    assert (case.when, shown(case.upper), case.exact) == (f"n >= {least}", upper, True)
    assert shown(bound.per_warp.upper) == upper and not bound.per_warp.exact
    assert [c.when for c in bound.per_launch.cases] == ["n % 32 == 0 and n >= 32"]


_OFFSET = """
__global__ void sum(const int *in, int *out, unsigned n) {
    unsigned i = blockIdx.x * (2 * blockDim.x) + threadIdx.x;
    int s = i < n ? in[i] : 0;
    if (i + blockDim.x < n) s += in[i + blockDim.x];
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}"""
_SHIFTED = """
__global__ void shift(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) out[i] = in[i - 1] + in[i + 1];
}"""
_PLANE = """
__global__ void plane(const float *in, float *out, int w, int h) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < w && h > y) out[y * 64 + x] = in[y * 64 + x];
}"""


@pytest.mark.parametrize(
    ("text", "block", "least", "whole"),
    [
        (_OFFSET, ROW, "n >= 281", "n % 32 == 0 and n >= 288"),
        (_SHIFTED, ROW, "n >= 65", "n % 256 == 0 and n >= 512"),
        (_PLANE, (16, 16, 1), "h >= 2 and w >= 9", "h % 32 == 0 and w % 32 == 0 and h >= 32 and w >= 32"),
    ],
)
def test_a_case_begins_where_guards_let_the_first_warp_pass(
    text: str, block: tuple[int, int, int], least: str, whole: str
) -> None:
    """Each guard says how large its size must be for the lanes of the first warp; of the last sector one lane is enough.
    Where the first warp lacks a lane at the edge, the second is what pays most."""
    bound = bounds_of(text, block=block).metrics["sectors"].per_warp
    assert [case.when for case in bound.cases] == [whole, least]
    assert all(case.exact and case.upper == bound.upper for case in bound.cases)


def test_rows_that_begin_at_a_sector_are_a_case() -> None:
    text = """
    __global__ void k(const float *in, float *out, int pitch) {
        out[blockIdx.x * pitch + threadIdx.x] = in[blockIdx.x * pitch + threadIdx.x];
    }"""
    bound = bounds_of(text).metrics["sectors"].per_warp
    (case,) = bound.cases
    assert (shown(bound.upper), case.when, shown(case.upper)) == ("10", "pitch % 8 == 0 and pitch >= 8", "8")
    assert case.exact


def test_some_lanes_that_surely_run_are_a_lower_bound() -> None:
    """24 lanes ask for their flags, 3 sectors; 8 lanes write for sure, 1 sector."""
    found = bounds_of("""
        __global__ void k(float *a, const int *flag) {
            int t = threadIdx.x;
            if (t % 32 < 8 || flag[t]) a[t] = 1.0f;
        }""").metrics
    assert shown(found["sectors"].per_warp.min_lower) == "4"
    assert shown(found["sectors"].per_warp.upper) == "7"


def test_a_launch_is_the_sum_of_its_blocks() -> None:
    text = GUARDED.replace("__global__", "//@ launch block=(256) grid=(n/256)\n//@ assume n % 256 == 0\n__global__")
    found = bounds_of(text).metrics["sectors"]
    assert (shown(found.per_block.upper), found.per_block.exact) == ("96", True)
    assert (shown(found.per_launch.upper), found.per_launch.exact) == ("96*floor(n/256)", True)


def test_arms_that_warps_enter_whole_are_not_added_up() -> None:
    found = (
        bounds_of("""
        __global__ void k(float *a, float *b, int flag) {
            if (flag > 0) a[threadIdx.x] = 1.0f; else b[8 * threadIdx.x] = 1.0f;
        }""")
        .metrics["sectors"]
        .per_warp
    )
    assert (shown(found.upper), shown(found.min_lower)) == ("32", "4")


def test_arms_of_lanes_are_added_up() -> None:
    found = bounds_of("""
        __global__ void k(float *a, float *b) {
            if (threadIdx.x % 2) a[threadIdx.x] = 1.0f; else b[8 * threadIdx.x] = 1.0f;
        }""").metrics
    assert exact_figures(found["sectors"].per_warp) == ("20", "20", True)
    assert exact_figures(found["divergences"].per_warp) == ("1", "1", True)


def test_trips_that_data_decides_are_named() -> None:
    found = (
        bounds_of("""
        __global__ void k(const int *rows, float *a, float *out) {
            float s = 0;
            for (int j = rows[blockIdx.x]; j < rows[blockIdx.x + 1]; j++) s += a[j * 32 + threadIdx.x];
            out[threadIdx.x] = s;
        }""")
        .metrics["sectors"]
        .per_warp
    )
    assert found.upper is not None
    assert "T@" in str(shown(found.upper))
    assert not found.exact


def test_unknown_code_withholds_bounds_with_its_place() -> None:
    found = (
        bounds_of("""
        __device__ int outside(int);
        __global__ void k(int *a) { a[threadIdx.x] = outside(threadIdx.x); }""")
        .metrics["sectors"]
        .per_warp
    )
    assert found.upper is None
    assert found.because is not None
    assert found.because.span is not None


def test_a_triangular_nest_is_summed() -> None:
    found = (
        bounds_of("""
        __global__ void k(float *a, int n) {
            for (int i = 0; i < n; i++)
                for (int j = 0; j < i; j++) a[j * 32 + threadIdx.x] = 1.0f;
        }""")
        .metrics["sectors"]
        .per_warp
    )
    assert found.exact
    assert shown(found.upper) == "floor((-4*n + 4*n*n)/2)" or "n*n" in str(shown(found.upper))


def exact_figures(bound) -> tuple[str | None, str | None, bool]:  # type: ignore[no-untyped-def]
    return shown(bound.upper), shown(bound.worst_lower), bound.exact


def test_arms_of_unknown_parity_are_both_run() -> None:
    """Whether round i sends odd or even lanes into an arm is not known, but some lanes run each: both arms are paid for."""
    text = """
__global__ void k(int *out, int n, int m) {
    __shared__ int a[64];
    for (int i = 0; i < n; i++) {
        if ((threadIdx.x + i) % 2 == 0) {
            for (int j = 0; j < m; j++) a[0] = j;
        } else {
            a[1] = i;
        }
    }
}"""
    found = exact(bounds_of(text, block=(64, 1, 1)))
    assert (found["divergences"], found["wavefronts"]) == ("n", "n + m*n")


def test_arms_that_some_warps_skip_are_not_paid_for_surely() -> None:
    """The remainder modulo 64 lies in one of the warps only, or in none of a block of 32."""
    text = "__global__ void k(int *a, int n) { if ((threadIdx.x + n) % 64 == 0) a[threadIdx.x] = 1; }"
    bound = bounds_of(text, block=(64, 1, 1)).metrics["sectors"].per_warp
    assert (bound.exact, shown(bound.min_lower)) == (False, "0")


@pytest.mark.parametrize("depth", [1, 5, 8])
def test_rectangular_nests_have_closed_forms(depth: int) -> None:
    loops = " ".join(f"for (int i{k} = 0; i{k} < n{k}; i{k}++)" for k in range(depth))
    sizes = ", ".join(f"int n{k}" for k in range(depth))
    found = bounds_of(f"__global__ void k(float *a, {sizes}) {{ {loops} a[threadIdx.x] = 1; }}").metrics["sectors"]
    product = "*".join(f"n{k}" for k in range(depth))
    assert (shown(found.per_warp.upper), found.per_warp.method, found.per_warp.exact) == (
        f"4*{product}",
        "closed form",
        True,
    )
