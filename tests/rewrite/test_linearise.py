"""Matrices that become arrays: kernels run before and after, and what is refused, with the reason."""

from __future__ import annotations

import numpy as np
import pytest

from analysis_core.rewrite.actions.linearise import ACTION as ROWS
from analysis_core.rewrite.actions.linearise_columns import ACTION as COLUMNS
from analysis_core.rewrite.core.action import Rewritten
from tests.rewrite.memory import after, costs, reason, rewritten, same

POINTER = """#define N 40
//@ launch block=64 grid=2
__global__ void k(float (*m)[N], const float in[][8], int n) {
    int r = blockIdx.x * 64 + threadIdx.x;
    for (int c = 0; c < N; c++) m[r][c] = in[r][c % 8] + m [r] [(c + 1) % N]; // a row
}
"""

LAUNCHED = """__global__ void k(double (*__restrict__ m)[24], int n) {
\tm[threadIdx.x][blockIdx.x] += m[0][n];
}
void run(double (*a)[24]) { k<<<24, 8>>>(a + 1, 3); }
"""

SHARED = """//@ launch block=32 grid=1
__global__ void k(int *out, const int *in) {
    __shared__ int s[32][32];
    for (int r = 0; r < 32; r++) s[threadIdx.x][r] = in[r * 32 + threadIdx.x];
    __syncthreads();
    for (int r = 0; r < 32; r++) out[r * 32 + threadIdx.x] = s[threadIdx.x][31 - r];
}
"""

DEVICE = """__device__ float table[64][64];
//@ launch block=64 grid=1
__global__ void fill(const float *in) {
    for (int c = 0; c < 64; c++) table[threadIdx.x][c] = in[c];
}
//@ launch block=64 grid=1
__global__ void k(float *out) {
    float s = 0;
    for (int c = 0; c < 64; c++) s += table[threadIdx.x][c] * c;
    out[threadIdx.x] = s;
}
"""

TEMPLATED = """template <typename T, int W>
__global__ void k(T *out, const T *in) {
    __shared__ T s[8][W];
    for (int r = 0; r < 8; r++) s[r][threadIdx.x] = in[r * W + threadIdx.x];
    __syncthreads();
    T all = 0;
    for (int r = 0; r < 8; r++) all += s[r][W - 1 - threadIdx.x];
    out[threadIdx.x] = all;
}
void run(short *a, short *b) { k<short, 48><<<1, 48>>>(a, b); }
"""


@pytest.mark.parametrize("text", [SHARED, TEMPLATED, SHARED.replace("\n", "\r\n")])
@pytest.mark.parametrize("action", [ROWS, COLUMNS])
def test_shared_memory(text: str, action: object) -> None:
    made = after(text, ROWS if action is ROWS else COLUMNS, "k", "`s`")
    block = (48, 1, 1) if text is TEMPLATED else (32, 1, 1)
    before, becomes = same(text, made, "k", block, (1, 1, 1))
    if text is SHARED and action is COLUMNS:
        assert costs(before)["conflicts"] == 64 * 31
        assert costs(becomes)["conflicts"] == 0


def test_pointers_to_rows() -> None:
    made = after(POINTER, ROWS, about="`m`")
    assert "k(float *m, const float in[][8], int n)" in made
    assert "m[r * N + c] = in[r][c % 8] + m[r * N + ((c + 1) % N)]; // a row" in made
    same(POINTER, made, "k", (64, 1, 1), (2, 1, 1), n=3)
    made = after(POINTER, ROWS, about="`in`")
    assert "const float *in, int n" in made
    same(POINTER, made, "k", (64, 1, 1), (2, 1, 1), n=3)


def test_launches_pass_the_first_element() -> None:
    made = after(LAUNCHED, ROWS)
    assert "k(double *__restrict__ m, int n)" in made
    assert "m[threadIdx.x * 24 + blockIdx.x] += m[n];" in made
    assert "k<<<24, 8>>>((double *)(a + 1), 3)" in made


def test_an_array_at_file_scope_is_turned() -> None:
    made = after(DEVICE, COLUMNS, "k")
    assert "__device__ float table[64 * 64];" in made
    assert "table[c * 64 + threadIdx.x] = in[c]" in made
    found = rewritten(DEVICE, COLUMNS, "k")
    assert isinstance(found, Rewritten)
    assert found.comparison.moved is not None
    numbers = np.arange(64 * 64, dtype=np.float32)
    turned = found.comparison.moved({"table": numbers}, {})
    assert turned is not None
    assert np.array_equal(turned["table"].view(np.float32).reshape(64, 64), numbers.reshape(64, 64).T)


@pytest.mark.parametrize(
    ("text", "old", "new", "rows", "columns"),
    [
        (POINTER, "m [r] [(c", "total(m[r]) + m[r][(c", "a row is passed as a pointer (line 5)", "a row is passed as a pointer (line 5)"),
        (POINTER, "float (*m)[N]", "float **m", "allocated one by one", "allocated one by one"),
        (POINTER, "float (*m)[N]", "float (*m)[N][2]", "the declaration of `m` is not understood", "filled by its callers"),
        (POINTER, "m[r][c] =", "m[r][(int)m[0][c]] =", "is the index of another one", "is the index of another one"),
        (POINTER, "//@ launch block=64 grid=2\n", "", "no launch of it is in view", "filled by its callers"),
        (SHARED, "31 - r", "32 - r", None, "columns are not proved to stay in their rows"),
        (SHARED, "    int s", "    int s", None, None),
        (SHARED, "    __syncthreads();", "    int *p = &s[0][0];\n    __syncthreads();", None, None),
        (SHARED, "    __syncthreads();", "    p(s);\n    __syncthreads();", "it is used as a whole in line 5", "it is used as a whole in line 5"),
        (SHARED, "    __syncthreads();", "#ifdef A\n    s[1][2] = 3;\n#endif\n    __syncthreads();", "its name also stands in line 6", "its name also stands in line 6"),
        (DEVICE, "//@ launch block=64 grid=1\n__global__ void fill", "void host() { use(table); }\n__global__ void fill", "it is used as a whole in line 2", "it is used as a whole in line 2"),
        (DEVICE, "table[64][64];", "table[64][64] = {{1}};", "or with a value", "or with a value"),
    ],
)  # fmt: skip
def test_what_is_refused(text: str, old: str, new: str, rows: str | None, columns: str | None) -> None:
    edited = text.replace(old, new, 1)
    about = "`m`" if text is POINTER else ""
    for action, said in ((ROWS, rows), (COLUMNS, columns)):
        if said is not None:
            assert said in reason(edited, action, "k", about)


def test_a_pointer_into_it_is_seen() -> None:
    edited = SHARED.replace("    __syncthreads();", "    int *p = &s[0][0]; p[threadIdx.x] = 1;\n    __syncthreads();")
    assert "its address is passed on" in reason(edited, COLUMNS)
