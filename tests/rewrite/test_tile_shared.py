"""Tiles in shared memory: kernels that get them, run before and after, and those that are refused, with the reason."""

from __future__ import annotations

import pytest

from analysis_core.rewrite.actions.tile_shared import ACTION as TILE_SHARED
from analysis_core.rewrite.checks import Checked
from analysis_core.rewrite.core.action import Choice
from tests.rewrite.harness import tried
from tests.rewrite.memory import Shape, after, costs, reach, reason, same

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
        ("    float sum", "    if (x == y) return;\n    float sum", "no one thread is shown to pass the guard"),
        ("a[y * n + k] * b", "b", None),
        ("k < n; k++) sum", "k < n + threadIdx.x; k++) sum", "threads make different numbers of rounds"),
        ("k++) sum", "k++) if (x > 3) sum", "it is not loaded in every round"),
        ("k++) sum", "k++) if (n > 3) sum", "it is not loaded in every round"),
        ("sum += a[y * n + k] * b[k * n + x];", "{ sum += a[y * n + k] * b[k * n + x]; if (sum > n) break; }", "its rounds may end in line 6"),
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


GUARDED = """//@ launch block=(16,16)
__global__ void k(float *c, const float *a, const float *b, int M, int N, int K) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && col < N) { // within
        float sum = 0;
        for (int k = 0; k < K; k++) {
            sum += a[row * K + k] * b[k * N + col]; // a round
        }
        c[row * N + col] = sum;
    }
}
"""

LEFT = """//@ launch block=(8,8)
__global__ void k(double *c, const double *a, const double *b, int M, int N, int K)
{
  const int col = blockIdx.x * 8 + threadIdx.x;
  const int row = blockIdx.y * 8 + threadIdx.y;
  if (row >= M) return; // below
  if (col >= N) { return; }
  double sum = 0.0;
  for (int k = 0; k < K; ++k)
    sum += a[row * K + k] * b[k * N + col];
  if (sum > 100) {
    sum -= 1;
  }

  c[row * N + col] = sum;
}
"""

NESTED = """//@ launch block=(16,16)
__global__ void k(int *c, const int *a, const int *b, int M, int N, int K) {
    int row = blockIdx.y * 16 + threadIdx.y;
    if (row < M) {
        int col = blockIdx.x * 16 + threadIdx.x;
        // a column
        if (N > col) {
            int s = 1, at = row * K;
            for (int k = 1; k < K - 1; k++) s = s * 3 + a[at + k] + b[k * N + col];
            c[row * N + col] = s;
        }
    }
}
"""

LINES = """//@ launch block=64
__global__ void k(int *f, const int *x, int M, int N, int K) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < M) {
        int all = 0;
        for (int j = 0; j < K; j++) all += x[j] ^ i;
        f[i] = all;
    }
}
"""

IN_PLACE = """//@ launch block=(32,32)
__global__ void k(float *c, const float *a, const float *b, int M, int N, int K) {
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if ((i < M) && (j < N)) {
        c[i * N + j] *= 2; // at first
        for (int k = 0; k < K; k++) c[i * N + j] += a[i * K + k] * b[k * N + j];
    }
}
"""

LOWER = """//@ launch block=(16,16)
__global__ void k(float *c, const float *a, int M, int N, int K) {
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row < M && col >= N) {
        float sum = 0;
        for (int k = 0; k < K; k++) sum += a[row * K + k];
        c[row * 64 + col] = sum;
    }
}
"""

SIZES = [
    (16, 16, 16), (17, 16, 5), (16, 31, 20), (1, 1, 1), (33, 5, 47), (5, 33, 32), (20, 40, 3), (40, 20, 0), (0, 7, 9), (32, 32, 64),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "block"),
    [
        (GUARDED, (16, 16, 1)),
        (GUARDED.replace("\n", "\r\n"), (16, 16, 1)),
        (LEFT, (8, 8, 1)),
        (NESTED, (16, 16, 1)),
        (LINES, (64, 1, 1)),
        (IN_PLACE, (32, 32, 1)),
        (LOWER, (16, 16, 1)),
    ],
)
def test_behind_guards_it_leaves_the_same_and_reads_no_more(text: str, block: Shape) -> None:
    """Arrays end where the kernel before left off: one element more is a fault."""
    made = after(text, TILE_SHARED)
    for m, n, k in SIZES:
        numbers = {"M": m, "N": n, "K": k}
        grid = (max(1, -(-64 // block[0])), max(1, -(-48 // block[1])), 1)
        reached = reach(text, "k", block, grid, numbers)
        same(text, made, "k", block, grid, elements=reached, **numbers)


def test_the_guard_is_asked_of_a_thread_that_stands_for_a_row() -> None:
    made = after(GUARDED, TILE_SHARED)
    assert "const bool some_along_x = row < M && int(blockIdx.x * blockDim.x + 0u) < N;" in made
    assert "if (some_along_x && k_t + int(threadIdx.x) < K) a_tile" in made
    assert "        if (inside) for (int k = 0; k < 16 && k_t + k < K; k++) {" in made
    assert "15u) >= N" in after(LOWER, TILE_SHARED)
    found = tried(GUARDED, TILE_SHARED)
    assert isinstance(found, Checked) and found.gain > 0.5, found


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("col < N)", "col != N)", "no one thread is shown to pass the guard whenever one along threadIdx.x does"),
        ("col < N)", "col * K < N)", "no one thread is shown to pass the guard"),
        ("col < N)", "c[col] < N)", "may be another value by then"),
        ("float sum = 0;", "float sum = c[row * N + col];", "`sum` in line 6 is not for all threads"),
        ("float sum = 0;", "float sum = 0; int q = N / K;", "`q` in line 6 is not for all threads: `/` is by a number"),
        ("float sum = 0;", "float sum = 0; if (K > 9) c[0] = 1;", "there is more than declarations and assignments between"),
        ("float sum = 0;", "float sum = 0; K = 3;", "`K` is changed in the kernel"),
        ("k < K;", "k < K + row;", "threads make different numbers of rounds"),
        ("    if (row", "    for (int t = 0; t < 2; t++)\n    if (row", "it stands within more than guards"),
        ("    if (row", "    if (row == 7) { c[0] = 3; return; }\n    if (row", "threads may leave the kernel in line 5"),
        ("        for (int k", "        //@ loop_bound K\n        for (int k", "there is an annotation between its guard and the loop"),
        ("float sum = 0;", "float sum = 0, N = 3;", "`N` may change, or is not known"),
    ],
)  # fmt: skip
def test_guards_that_refuse(old: str, new: str, said: str) -> None:
    assert said in reason(GUARDED.replace(old, new), TILE_SHARED, line=8 if "int t" in new else 0)
