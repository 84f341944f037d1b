"""Transposes through a tile: six that apply, run before and after, and those that are refused, with the reason."""

from __future__ import annotations

import pytest

from analysis_core.rewrite.actions.transpose_tile import ACTION as TRANSPOSE_TILE
from tests.rewrite.memory import Shape, after, costs, reason, same, sites_of, unit_of

PLAIN = """//@ launch block=(32,32) grid=(n/32, n/32)
//@ assume n % 32 == 0 && n >= 32
__global__ void k(float *out, const float *in, int n) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    out[x * n + y] = in[y * n + x];
}
"""

LOADED = """__global__ void k(double *out, const double *in, int w, int h) {
\tint x = blockIdx.x * blockDim.x + threadIdx.x;
\tint y = blockIdx.y * blockDim.y + threadIdx.y;
\tif (x >= w || y >= h)
\t\treturn;
\tout[y * w + x] = 2.0 * in[x * h + y] + 1; // scaled
}
void run(double *c, double *d, int w, int h) {
\tk<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(c, d, w, h);
}
"""

GUARDED = """#define TILE 16
#define AT(r, c, w) ((r) * (w) + (c))
template <typename T>
__global__ void k(T *out, const T *__restrict__ in, int w, int h) {
    const unsigned int x = blockIdx.x * TILE + threadIdx.x;
    const unsigned int y = blockIdx.y * TILE + threadIdx.y;
    if (x < w && y < h) {
        // where it goes
        int from = y * w + x, to = AT(x, y, h);
        out[to] = in[from]; /* done */
    }
}
void run(float *a, float *b, int w, int h) {
    dim3 block(TILE, TILE);
    k<float><<<dim3((w + 15) / 16, (h + 15) / 16), block>>>(a, b, w, h);
}
"""

NESTED = """//@ launch block=(8,8) grid=(4,4)
__global__ void k(short *out, const short *in, int w, int h) {
    int tile = 3;
    int x = blockIdx.x * 8 + threadIdx.x;
    if (x < w)
        if (int(blockIdx.y * 8 + threadIdx.y) < h) out[x * h + blockIdx.y * 8 + threadIdx.y] = in[(blockIdx.y * 8 + threadIdx.y) * w + x] + tile;
}
"""

BEHIND = """//@ launch block=(16,16) grid=(2,2)
//@ assume n == 32
__global__ void k(int *out, int *sums, const int *in, int n) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    int v = 0;
    for (int i = 0; i < 4; i++) v += in[y * n + x] >> i;
    out[x * n + y] = v > 100 ? v : in[y * n + x];
    sums[y * n + x] = v;
}
"""

WINDOWS = PLAIN.replace("\n", "\r\n")

APPLY: list[tuple[str, Shape, Shape, dict[str, int]]] = [
    (PLAIN, (32, 32, 1), (2, 2, 1), {"n": 64}),
    (LOADED, (16, 16, 1), (3, 2, 1), {"w": 37, "h": 21}),
    (GUARDED, (16, 16, 1), (3, 2, 1), {"w": 37, "h": 21}),
    (NESTED, (8, 8, 1), (4, 4, 1), {"w": 29, "h": 31}),
    (BEHIND, (16, 16, 1), (2, 2, 1), {"n": 32}),
    (WINDOWS, (32, 32, 1), (1, 1, 1), {"n": 32}),
]


@pytest.mark.parametrize(("text", "block", "grid", "numbers"), APPLY)
def test_it_leaves_the_same(text: str, block: Shape, grid: Shape, numbers: dict[str, int]) -> None:
    made = after(text, TRANSPOSE_TILE)
    before, becomes = same(text, made, "k", block, grid, **numbers)
    assert costs(becomes)["sectors"] < costs(before)["sectors"]
    assert costs(becomes)["conflicts"] <= (1 if block == (16, 16, 1) else 0)
    assert made.count("\r\n") in (0, made.count("\n"))


def test_what_it_costs() -> None:
    _, becomes = same(PLAIN, after(PLAIN, TRANSPOSE_TILE), "k", (32, 32, 1), (2, 2, 1), n=64)
    assert costs(becomes) == {"sectors": 8, "conflicts": 0, "divergences": 0, "steps": 48}


def test_comments_and_tabs_are_kept() -> None:
    made = after(LOADED, TRANSPOSE_TILE)
    assert "// scaled" in made
    assert (
        "\n\tif (!(x_t >= w || y_t >= h)) tile[threadIdx.y][threadIdx.x] = in[x_t * h + y_t];\n\t__syncthreads();\n"
        in made
    )
    assert "return" not in made


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("block=(32,32)", "block=(32,8)", "the block is not square (32x8x1)"),
        ("//@ launch block=(32,32) grid=(n/32, n/32)\n", "", "the block is not known"),
        ("out[x * n + y] = ", "out[x * n + y] += ", "`+=` reads what it changes"),
        ("const float *in", "volatile float *in", None),
        ("float *out", "volatile float *out", "it is volatile"),
        ("out[x * n + y] = in[y * n + x]", "out[y * n + x] = __ldg(&in[x * n + y])", "its address is asked for"),
        ("    out", "    y += n;\n    out", "`y` may change, or is not known"),
        ("in[y * n + x];", "in[y * n + x];\n    out[y] = 0;", "`out` is also written in line 6"),
        ("    out", "    if (n > 100) { if (x > 3) return; }\n    out", "threads may leave the kernel in line 5"),
        ("    out", "    if (x >= n) return;\n    n > 3;\n    out", "threads leave the kernel in line 5 before other statements"),
        ("in[y * n + x];", "in[y * n + x]; out[x * n + y] = 1;", "`out` is also written in line 5"),
        ("    out", "    unknown();\n    out", "a part of the kernel is not analysed"),
        ("    out[x * n + y]", "#define OUT out[x * n + y]\n    OUT", "the macro `OUT` makes part of it"),
        ("= in[y * n + x];", "=\n#ifdef A\n1 +\n#endif\n    in[y * n + x];", "there are directives of the preprocessor in it"),
    ],
)  # fmt: skip
def test_what_is_refused(old: str, new: str, said: str | None) -> None:
    text = PLAIN.replace(old, new)
    if said is None:
        assert after(text, TRANSPOSE_TILE)
    else:
        assert said in reason(text, TRANSPOSE_TILE)


def test_a_loop_or_a_row_is_no_site() -> None:
    assert not sites_of(unit_of(PLAIN.replace("    out", "    for (;;) out")), TRANSPOSE_TILE)
    assert not sites_of(unit_of(PLAIN.replace("out[x * n + y]", "out[y * n + x]")), TRANSPOSE_TILE)
