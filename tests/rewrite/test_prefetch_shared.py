"""Neighbourhoods in shared memory: kernels that get them, run before and after, and those that are refused, with the reason."""

from __future__ import annotations

import pytest

from analysis_core.rewrite.actions.prefetch_shared import ACTION as PREFETCH_SHARED
from tests.rewrite.memory import Shape, after, costs, reason, same, sites_of, unit_of

THREE = """//@ launch block=256 grid=4
//@ assume n == 1024
__global__ void k(float *b, const float *a, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i > 0 && i < n - 1) b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3.0f;
}
"""

LEFT = """__global__ void k(double *b, const double *a, int n) {
\tconst int i = blockIdx.x * blockDim.x + threadIdx.x;
\tif (i < 2 || i >= n - 3)
\t\treturn;
\tdouble all = a[i - 2] - a[i + 3];
\tb[i] = all * a[i]; // weighted
}
void run(double *b, double *a, int n) { k<<<(n + 63) / 64, 64>>>(b, a, n); }
"""

RADIUS = """#define R 3
template <int W, typename T>
__global__ void k(T *b, const T *__restrict__ a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + R;
    T all = 0;
    for (int d = -R; d <= R; d++) {
        all += a[i + d] * (d + W);
    }
    b[i] = all;
}
void run(int *b, int *a) { k<5, int><<<8, 128>>>(b, a); }
"""

CHOSEN = """//@ launch block=64 grid=3
__global__ void k(float *b, const float *a, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    float left = i > 0 ? a[i - 1] : 0.0f;
    float right = i + 1 < n ? a[i + 1] : 0.0f;
    b[i] = left + right;
}
"""

AHEAD = """//@ launch block=32 grid=2
__global__ void k(short *b, const short *a, int n) {
    unsigned i = blockIdx.x * 32 + threadIdx.x;
    if (i < n) {
        if (i + 4 < n) b[i] = a[i + 4] - a[i];
        else b[i] = a[i];
    }
}
"""

OFFSET = """//@ launch block=64 grid=2
__global__ void k(float *b, const float *a, float *all, int n) {
    int t = threadIdx.x;
    all[t + blockIdx.x * 64] = 0;
    int from = blockIdx.x * n;
    if (t + 1 < n) {
        float x = a[from + t], y = a[from + t + 1];
        b[from + t] = y - x;
    }
}
"""

APPLY: list[tuple[str, Shape, Shape, dict[str, int]]] = [
    (THREE, (256, 1, 1), (4, 1, 1), {"n": 1024}),
    (THREE.replace("//@ assume n == 1024\n", "").replace("\n", "\r\n"), (256, 1, 1), (4, 1, 1), {"n": 700}),
    (LEFT, (64, 1, 1), (3, 1, 1), {"n": 150}),
    (RADIUS, (128, 1, 1), (8, 1, 1), {}),
    (CHOSEN, (64, 1, 1), (3, 1, 1), {"n": 192}),
    (AHEAD, (32, 1, 1), (2, 1, 1), {"n": 41}),
    (OFFSET, (64, 1, 1), (2, 1, 1), {"n": 50}),
]


@pytest.mark.parametrize(("text", "block", "grid", "numbers"), APPLY)
def test_it_leaves_the_same(text: str, block: Shape, grid: Shape, numbers: dict[str, int]) -> None:
    made = after(text, PREFETCH_SHARED, about="`a`")
    before, becomes = same(text, made, "k", block, grid, **numbers)
    assert int(becomes.warps.sectors.sum()) < int(before.warps.sectors.sum())
    assert made.count("\r\n") in (0, made.count("\n"))


@pytest.mark.parametrize(("text", "block", "grid", "numbers"), APPLY)
def test_it_loads_nothing_that_was_not_loaded(text: str, block: Shape, grid: Shape, numbers: dict[str, int]) -> None:
    """With arrays that are exactly as long as what the kernel before reads and writes of them, no run reads past an end."""
    made = after(text, PREFETCH_SHARED, about="`a`")
    most = 1 + max(
        numbers.get("n", 0) * (grid[0] if text is OFFSET else 1), block[0] * grid[0] + (6 if text is RADIUS else 0)
    )
    same(text, made, "k", block, grid, elements=most - 1, **numbers)


def test_what_it_costs() -> None:
    _, becomes = same(THREE, after(THREE, PREFETCH_SHARED), "k", (256, 1, 1), (4, 1, 1), n=1024)
    paid = costs(becomes)
    assert (paid["sectors"], paid["conflicts"]) == (9, 0)
    assert paid["divergences"] <= 2
    assert paid["steps"] <= 74


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("b[i] =", "a[i] = b[i] =", "`a` may be written in line 5"),
        ("a[i + 1]", "a[(int)b[i]]", "the index comes from memory"),
        ("a[i + 1]", "a[i + n]", None),
        ("a[i - 1] + a[i] + a[i + 1]", "a[2 * i] + a[2 * i + 1]", "neighbouring threads do not load neighbouring elements"),
        ("block=256", "block=(16,16)", "the block does not have one dimension"),
        ("b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3.0f", "for (int k = 0; k < n; k++) b[i] += a[i + k]", "the rounds of a loop around it are not all known"),
        ("a[i + 1]", "__ldg(&a[i + 1])", "the address of an element of `a` is asked for"),
        ("a[i + 1]", "a[i + 300]", "the neighbourhood is wider than the block"),
        ("const float", "const volatile float", "`a` is volatile"),
        ("b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3.0f", "for (int k = 0; k < 3; k++) { if (b[i] > 3) break; b[i] += a[i + k]; }", "may end before it"),
        ("//@ launch block=256 grid=4\n", "", "the block is not known"),
    ],
)  # fmt: skip
def test_what_is_refused(old: str, new: str, said: str | None) -> None:
    text = THREE.replace(old, new).replace("const float *a", "float *a" if "a[i] =" in new else "const float *a")
    if said is None:
        text = text.replace("//@ assume n == 1024\n", "")
        said = "the loads do not lie a constant number of elements apart"
    assert said in reason(text, PREFETCH_SHARED, about="`a`")


def test_one_element_is_no_site() -> None:
    assert not sites_of(unit_of(THREE.replace("a[i - 1] + a[i] + a[i + 1]", "a[i]")), PREFETCH_SHARED)
