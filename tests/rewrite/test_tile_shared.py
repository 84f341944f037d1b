"""Tiles in shared memory: kernels that get them, run before and after, and those that are refused, with the reason."""

from __future__ import annotations

import pytest

from analysis_core.rewrite.actions.tile_shared import ACTION as TILE_SHARED
from analysis_core.rewrite.core.action import Choice
from tests.rewrite.memory import Shape, after, costs, reason, same

PRODUCT = """//@ launch block=(16,16) grid=(n/16, n/16)
//@ assume n % 16 == 0 && n >= 16
__global__ void k(float *c, const float *a, const float *b, int n) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}
"""

RECTANGULAR = """template <typename T>
__global__ void k(T *c, const T *__restrict__ a, const T *__restrict__ b, int w, int d) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    T sum = 0;
    // the product
    for (unsigned int i = 0; i < d; ++i) {
        T left = a[row * d + i]; // down a row
        sum += left * b[i * w + col];
    }
    c[row * w + col] = sum;
}
void run(double *a, double *b, double *c, int d) {
    k<double><<<dim3(4, 4), dim3(8, 8)>>>(c, a, b, 32, d);
}
"""

BODIES = """//@ launch block=64 grid=2
__global__ void k(float *f, const float *x, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    float mine = x[i], all = 0;
    for (int j = 1; j < n; j++) {
        float apart = x[j] - mine;
        all += apart * apart + j;
    }
    f[i] = all;
}
"""

COLUMNS = """//@ launch block=(32,4) grid=2
__global__ void k(int *out, const int *m, int pitch, int rows) {
\tint x = blockIdx.x * 32 + threadIdx.x;
\tint s = 0;
\tfor (int r = 0; r < rows - 1; r += 1)
\t\ts = s * 3 + m[r * pitch + x];
\tout[threadIdx.y * 64 + x] = s + threadIdx.y;
}
"""

INDEXED = """#define BLOCK 16
//@ launch block=(16,16) grid=(2,2)
__global__ void k(float *c, const float *a, int n) {
    int x = blockIdx.x * BLOCK + threadIdx.x, y = blockIdx.y * BLOCK + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < 3 * BLOCK; k++) {
        int at = y * n + k;
        float v = a[at] + a[at] * (float)k;
        if (v > 50) sum -= v;
        else sum += v;
    }
    c[y * n + x] = sum;
}
"""

TWICE = """//@ launch block=(8,8) grid=(2,2)
//@ assume n == 16
__global__ void k(int *c, const int *a, int n) {
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, s = 0;
    for (int turn = 0; turn < 2; turn++) {
        for (int k = 0; k < n; k++) { s += a[y * n + k] ^ a[x * n + k]; }
    }
    c[y * n + x] = s;
}
"""

APPLY: list[tuple[str, Shape, Shape, dict[str, int]]] = [
    (PRODUCT, (16, 16, 1), (2, 2, 1), {"n": 32}),
    (RECTANGULAR, (8, 8, 1), (4, 4, 1), {"w": 32, "d": 19}),
    (BODIES, (64, 1, 1), (2, 1, 1), {"n": 101}),
    (COLUMNS, (32, 4, 1), (2, 1, 1), {"pitch": 64, "rows": 11}),
    (INDEXED, (16, 16, 1), (2, 2, 1), {"n": 64}),
    (TWICE, (8, 8, 1), (2, 2, 1), {"n": 16}),
    (PRODUCT.replace("\n", "\r\n"), (16, 16, 1), (1, 1, 1), {"n": 16}),
]


@pytest.mark.parametrize(("text", "block", "grid", "numbers"), APPLY)
def test_it_leaves_the_same(text: str, block: Shape, grid: Shape, numbers: dict[str, int]) -> None:
    made = after(text, TILE_SHARED, line=6 if text is TWICE else 0)
    before, becomes = same(text, made, "k", block, grid, **numbers)
    assert costs(becomes)["sectors"] < costs(before)["sectors"]
    assert made.count("\r\n") in (0, made.count("\n"))


def test_what_it_costs() -> None:
    _, becomes = same(PRODUCT, after(PRODUCT, TILE_SHARED), "k", (16, 16, 1), (2, 2, 1), n=32)
    paid = costs(becomes)
    assert (paid["sectors"], paid["conflicts"], paid["divergences"]) == (4 + 8 * 2, 0, 0)
    assert paid["steps"] <= 36 + 333 * 2


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("a[y * n + k]", "a[(int)b[k]]", "the index comes from memory"),
        ("block=(16,16)", "block=(16,8)", "the block is not square (16x8x1)"),
        ("    float sum", "    if (x >= 40) return;\n    float sum", "not all threads of a block come to it"),
        ("a[y * n + k] * b", "b", None),
        ("k < n; k++) sum", "k < n + threadIdx.x; k++) sum", "not all threads of a block come to it"),
        ("k++) sum", "k++) if (x > 3) sum", "not all threads of a block come to it"),
        ("k++) sum", "k++) if (n > 3) sum", "it is not loaded in every round"),
        ("sum += a[y * n + k] * b[k * n + x];", "{ sum += a[y * n + k] * b[k * n + x]; if (sum > n) break; }", "not all threads of a block come to it"),
        ("sum += a[y * n + k] * b[k * n + x];", "{ sum += a[y * n + k] * b[k * n + x]; __syncthreads(); }", "there is a barrier in line 6"),
        ("a[y * n + k] * b[k * n + x]", "a[y * n + k] * __ldg(&b[k * n + x])", "the address of `b[k * n + x]` is asked for"),
        ("k++", "k += 2", "the loop does not count up by one"),
        ("const float *a, const float *b", "float *a, volatile float *b", "`b` is volatile"),
        ("sum += a[y * n + k] * b[k * n + x];", "{ sum += b[k * n + x]; ((float *)b)[x] = sum; }", "`b` is written in line 6"),
    ],
)  # fmt: skip
def test_what_is_refused(old: str, new: str, said: str | None) -> None:
    text = PRODUCT.replace(old, new)
    names = () if said is None else ("b",) if "`b" in said else ("a",) if "memory" in said else ()
    if said is None:
        assert "b_tile" in after(text, TILE_SHARED)
    else:
        assert said in reason(text, TILE_SHARED, choice=Choice(names=names))


def test_a_load_in_a_macro_stays() -> None:
    text = "#define LEFT a[y * n + k]\n" + PRODUCT.replace("a[y * n + k]", "LEFT")
    assert "the macro `LEFT` makes part of it" in reason(text, TILE_SHARED, choice=Choice(names=("a",)))
    made = after(text, TILE_SHARED)
    assert "sum += LEFT * b_tile[k - k_t][threadIdx.x];" in made
    same(text, made, "k", (16, 16, 1), (2, 2, 1), n=32)


def test_the_block_has_to_be_stated() -> None:
    text = PRODUCT.replace("//@ launch block=(16,16) grid=(n/16, n/16)\n", "")
    assert "the block is not known" in reason(text, TILE_SHARED)
