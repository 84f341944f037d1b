"""Padding and swizzles: kernels that get them, run before and after, and those that are refused, with the reason."""

from __future__ import annotations

import pytest

from analysis_core.rewrite.actions.padding import ACTION as PADDING
from analysis_core.rewrite.actions.swizzle import ACTION as SWIZZLE
from analysis_core.rewrite.core.action import Action
from tests.rewrite.memory import Shape, after, costs, reason, same, sites_of, unit_of

SQUARE = """//@ launch block=(32,32) grid=1
__global__ void k(float *a) {
    __shared__ float s[32][32];
    s[threadIdx.y][threadIdx.x] = a[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    a[threadIdx.y * 32 + threadIdx.x] = s[threadIdx.x][threadIdx.y];
}
"""

STRIPS = """#define N 32
template <typename T>
__global__ void k(T *out, const T *in) {
\t__shared__ T rows[N][N]; // a tile
\tint c = threadIdx.x;
\tfor (int r = threadIdx.y; r < N; r += 8)
\t\trows[r][c] = in[r * N + c];
\t__syncthreads();
\tfor (int r = threadIdx.y; r < N; r += 8)
\t\tout[r * N + c] = rows[c][r] + rows[0][c];
}
void run(double *a, double *b) { k<double><<<1, dim3(32, 8)>>>(a, b); }
"""

TALL = """//@ launch block=32 grid=2
__global__ void k(int *out, const int *in) {
    __shared__ int t[64][16];
    for (int r = 0; r < 64; r++) if (threadIdx.x < 16) t[r][threadIdx.x] = in[r * 16 + threadIdx.x];
    __syncthreads();
    int s = 0;
    for (int c = 0; c < 16; c++) { s = s * 3 + t[threadIdx.x + 32][c]; atomicAdd(&t[threadIdx.x][c], 1); }
    out[blockIdx.x * 32 + threadIdx.x] = s + t[threadIdx.x][3];
}
"""

POOL = """//@ launch block=(32,32) grid=1
__global__ void k(float *a) {
    extern __shared__ float pool[];
    pool[threadIdx.y * 32 + threadIdx.x] = a[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    a[threadIdx.y * 32 + threadIdx.x] = pool[threadIdx.x * 32 + threadIdx.y];
}
"""

WIDE = """//@ launch block=(8,32) grid=1
__global__ void k(float *a, float *b) {
    __shared__ __align__(16) float s[1024];
    *(float4 *)&s[threadIdx.y * 32 + 4 * threadIdx.x] = ((float4 *)a)[threadIdx.y * 8 + threadIdx.x];
    __syncthreads();
    float x = 0;
    for (int i = 0; i < 4; i++) x += s[(4 * threadIdx.x + i) * 32 + threadIdx.y];
    b[threadIdx.y * 8 + threadIdx.x] = x;
}
"""

LINE = """//@ launch block=128 grid=1
__global__ void k(float *a) {
    __shared__ float line[2048];
    for (int i = 0; i < 16; i++) line[threadIdx.x * 16 + i] = a[threadIdx.x + i * 128];
    __syncthreads();
    for (int i = 0; i < 16; i++) a[threadIdx.x + i * 128] = line[threadIdx.x + i * 128];
}
"""

APPLY: list[tuple[Action, str, Shape, Shape]] = [
    (PADDING, SQUARE, (32, 32, 1), (1, 1, 1)),
    (PADDING, STRIPS, (32, 8, 1), (1, 1, 1)),
    (PADDING, TALL, (32, 1, 1), (2, 1, 1)),
    (PADDING, SQUARE.replace("\n", "\r\n"), (32, 32, 1), (1, 1, 1)),
    (PADDING, SQUARE.replace("float s[32][32]", "float s[ 32 ] [ 4 * 8 ]"), (32, 32, 1), (1, 1, 1)),
    (PADDING, SQUARE.replace("float", "short").replace("s[32][32]", "s[32][64]"), (32, 32, 1), (1, 1, 1)),
    (SWIZZLE, SQUARE, (32, 32, 1), (1, 1, 1)),
    (SWIZZLE, STRIPS, (32, 8, 1), (1, 1, 1)),
    (SWIZZLE, TALL, (32, 1, 1), (2, 1, 1)),
    (SWIZZLE, WIDE, (8, 32, 1), (1, 1, 1)),
    (SWIZZLE, LINE, (128, 1, 1), (1, 1, 1)),
    (SWIZZLE, SQUARE.replace("\n", "\r\n"), (32, 32, 1), (1, 1, 1)),
]


@pytest.mark.parametrize(("action", "text", "block", "grid"), APPLY)
def test_it_leaves_the_same(action: Action, text: str, block: Shape, grid: Shape) -> None:
    made = after(text, action)
    before, becomes = same(text, made, "k", block, grid)
    assert costs(becomes)["conflicts"] < costs(before)["conflicts"]
    assert made.count("\n") == text.count("\n")


def test_a_pool_is_swizzled() -> None:
    made = after(POOL, SWIZZLE)
    assert "pool[(threadIdx.x * 32 + threadIdx.y) ^ ((threadIdx.x * 32 + threadIdx.y) / 32 % 32)]" in made
    static = [text.replace("extern __shared__ float pool[]", "__shared__ float pool[1024]") for text in (POOL, made)]
    _, becomes = same(static[0], static[1], "k", (32, 32, 1), (1, 1, 1))
    assert costs(becomes)["conflicts"] == 0


def test_what_it_costs() -> None:
    _, becomes = same(SQUARE, after(SQUARE, SWIZZLE), "k", (32, 32, 1), (1, 1, 1))
    assert costs(becomes) == {"sectors": 8, "conflicts": 0, "divergences": 0, "steps": 30}


@pytest.mark.parametrize(
    ("old", "new", "padding", "swizzle"),
    [
        ("s[32][32]", "s[32][36]", None, "rows of 36 elements are no power of two"),
        ("[threadIdx.x][threadIdx.y]", "[threadIdx.x][threadIdx.y + 1]", "columns are not proved to stay", "columns are not proved to stay"),
        ("a[threadIdx.y * 32 + threadIdx.x] = s", "float *p = s[1]; p[0] = 1; a[threadIdx.y * 32 + threadIdx.x] = s", "its address is passed on", "its address is passed on"),
        ("a[threadIdx.y * 32 + threadIdx.x] = s", "a[0] = sizeof(s); a[threadIdx.y * 32 + threadIdx.x] = s", "its name also stands elsewhere", "its name also stands elsewhere"),
        ("    __syncthreads();", "    unknown();", "a part of the kernel is not analysed", "a part of the kernel is not analysed"),
        ("= s[threadIdx.x]", "= s[min(threadIdx.x, 31)]", None, "a function is called in an index in line 6"),
        ("    __shared__", "#define S s\n    __shared__", "its name also stands elsewhere", "its name also stands elsewhere"),
    ],
)  # fmt: skip
def test_what_is_refused(old: str, new: str, padding: str | None, swizzle: str | None) -> None:
    text = SQUARE.replace(old, new)
    for action, said in ((PADDING, padding), (SWIZZLE, swizzle)):
        if said is None:
            assert after(text, action)
        else:
            assert said in reason(text, action)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("    __syncthreads();", "    pool[(int)a[0]] = 1;\n    __syncthreads();", "its indices are not all known"),
        ("block=(32,32)", "block=(32,31)", "is not known to be full of rows"),
        (
            "    __syncthreads();",
            "    float *p = pool + 1; p[0] = 1;\n    __syncthreads();",
            "its address is passed on",
        ),
        ("    __syncthreads();", "    extern __shared__ int other[];\n    __syncthreads();", "are the same memory"),
        ("= pool[", "= *(float *)&pool[0] + pool[", None),
        ("= pool[", "= 1 + (&pool[0])[threadIdx.x * 32 + threadIdx.y] + pool[", "its address is"),
    ],
)
def test_what_is_refused_of_a_pool(old: str, new: str, said: str | None) -> None:
    text = POOL.replace(old, new)
    if said is None:
        assert after(text, SWIZZLE)
    else:
        assert said in reason(text, SWIZZLE)


def test_wide_accesses_have_to_be_aligned() -> None:
    assert "wide accesses are not aligned" in reason(WIDE.replace("32 + 4 *", "32 + 2 *"), SWIZZLE)


@pytest.mark.parametrize("action", [PADDING, SWIZZLE])
def test_the_block_has_to_be_stated(action: Action) -> None:
    assert "the block is not known" in reason(SQUARE.replace("//@ launch block=(32,32) grid=1\n", ""), action)


def test_what_has_no_conflicts_is_no_site() -> None:
    assert not sites_of(unit_of(SQUARE.replace("s[threadIdx.x][threadIdx.y]", "s[threadIdx.y][threadIdx.x]")), SWIZZLE)
