"""Files and edits for the test of incremental analysis: small, with everything in them on which a kernel's meaning may rest.

Edits are those of people who type: words replaced, lines repeated, moved, removed, put into comments; half of a statement,
braces that are missing or too many; declarations that change what other parts mean; and going back to what was there before.
"""

from __future__ import annotations

import random
import re

FILES = (
    """\
#include "common.h"
#define TILE 16
#define AT(r, c) ((r) * w + (c))
struct Grid { float *cells; int width; };
__constant__ float weights[64];
__device__ float mix(float a, float b) { return a * 2.0f + b; }

//@ assume n % 32 == 0
__global__ void strided(const float *in, float *out, int n, int w) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i * 2] = mix(in[AT(i, 1)], weights[i % 64]);
}

__global__ void tiled(Grid g, float *out, int w) {
    __shared__ float tile[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    tile[ty][tx] = g.cells[AT(ty, tx)];
    __syncthreads();
    out[AT(tx, ty)] = tile[tx][ty];   // warpcost: ignore[WC201]
}

template <int N>
__global__ void unrolled(float *a, int n) {
    for (int k = 0; k < N; k++)
        a[threadIdx.x * N + k] += halved(n);
}

void run(float *a, float *b, Grid g, int n, int w) {
    dim3 block(TILE, TILE);
    strided<<<n / 256, 256>>>(a, b, n, w);
    tiled<<<4, block>>>(g, b, w);
    unrolled<4><<<1, 64>>>(a, n);
    CHECK(a);
}
""",
    """\
#include "common.h"
namespace deep {
template <typename T>
struct Pair {
    T first, second;
    __device__ T sum() const { return first + second; }
};
enum Kind { EVEN, ODD = 3 };
}
using deep::Pair;
__device__ int pick(int i, int n);

__global__ void walk(const int *index, float *a, int n) {
    int tid = threadIdx.x;
    float sum = 0;
    for (int i = tid; i < n; i += blockDim.x) {
        if (tid % 2 == deep::ODD - 3)
            sum += a[index[i]];
        sum += a[pick(i, n)];
    }
    a[tid] = sum;
}

__device__ int pick(int i, int n) {
    //@ loop_bound 8
    while (i > n)
        i /= 2;
    return i;
}

#if WIDE
#define STEP 4
#else
#define STEP 2
#endif
__global__ void pairs(Pair<float> *p, float *out, int n) {
    int i = threadIdx.x * STEP;
#pragma unroll
    for (int k = 0; k < STEP; ++k) {
        out[i + k] = p[i + k].sum();
    }
    if (threadIdx.x < n) { assert(n); return; }
    out[n] = UNDECLARED;
}

template <typename T>
void launch(T *p, float *out, int n) {
    pairs<<<1, 128>>>(p, out, n);
}
unsigned threads = 96;
void wander(float *out, int block) { walk<<<2, block>>>(0, out, 9); }
void change() { if (WIDE) threads = 64; }

int main() {
    Pair<float> *p; float *out;
    launch(p, out, 7);
    wander(out, threads);
    int extents[UNDECLARED];
    printf("done\\n");
    return 0;
}
""",
)

LONG = """\
#include "common.h"
__global__ void phases(const float *in, float *out, const int *index, int w, int n) {
    __shared__ float tile[256];
    int tid = threadIdx.x;
    int i = blockIdx.x * 256 + tid;
    float sum = 0;
    int row = tid / 16, col = tid % 16;
    tile[tid] = in[i];
    __syncthreads();
    if (tid % 4 == 1)
        sum += tile[tid * 2 % 256];
    for (int k = 0; k < w; k++) {
        sum += in[k * w + row];
        if (k % 3 == tid % 3)
            sum -= in[(col + k) % n];
    }
    int j = index[i];
    if (j < 0)
        return;
    while (j > tid) {
        j /= 2;
        sum += out[j];
    }
    out[i * 3] = sum;
    for (int s = 128; s > 0; s >>= 1) {
        if (tid < s)
            tile[tid] += tile[tid + s];
        __syncthreads();
    }
    switch (row) {
    case 0: sum += in[w]; break;
    case 3: sum += tile[row * col]; break;
    default: break;
    }
    out[i + n] = in[min(i + 1, n - 1)] + halved(j);
    if (col > 3 && sum > 0)
        out[row * w + col] = tile[col * 16 + row];
    atomicAdd(out + j, sum);
}
void run(float *a, float *b, int *index, int w, int n) { phases<<<n, 256>>>(a, b, index, w, n); }
"""

FILES = (*FILES, LONG)

NESTED = """\
#include "common.h"
#define TILE 8
__device__ float dot(const float *p, const float *q, int n) {
    float sum = 0;
    for (int e = 0; e < n; e++)
        sum += p[e] * q[e * TILE];
    return sum;
}
__global__ void products(const float *a, const float *b, const int *at, float *c, int w) {
    __shared__ float as[TILE][TILE], bs[TILE][TILE + 1];
    __shared__ int order[TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0, local[4];
    int count = 0, j = 0;
    for (int m = 0; m < w / TILE; m++) {
        as[ty][tx] = a[row * w + m * TILE + tx];
        bs[ty][tx] = b[(m * TILE + ty) * w + col];
        if (ty == 0)
            order[tx] = at[m + tx];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += as[ty][k] * bs[k][tx];
        for (int k = 0, i = tx; k < 4; k++, i += 2)
            local[k] = as[ty][i % TILE];
        j = tx * 3;
        for (int k = 0; k < 3; k++) {
            for (int l = k; l < 4; l++)
                sum += bs[k][(tx + l) % TILE] * a[row * w];
            j += order[k];
        }
        sum += dot(&as[ty][0], &bs[0][tx], TILE);
        for (int k = 4; k > 0; k--)
            count += order[(j + k) & 7];
        if ((tx + m) % 3 == 0)
            sum *= as[tx][ty];
        for (int k = 0; k < 2; k++)
            sum -= local[k] + b[count * w + at[k]];
        __syncthreads();
    }
    for (int r = 0; r < 3; r++) {
        for (int k = 0; k < 3; k++)
            sum += as[r][k] + a[r * w + k * tx];
        __syncthreads();
    }
    c[row * w + col] = sum + count + j;
}
void run(float *a, float *b, int *at, float *c, int w) {
    dim3 block(TILE, TILE);
    products<<<dim3(w / TILE, w / TILE), block>>>(a, b, at, c, w);
}
"""

HEADER = """\
#pragma once
#define CHECK(x) if (!(x)) fail(__FILE__, __LINE__)
#define WIDE 0
__device__ inline float halved(int n) { return n * 0.5f; }
"""

_WORDS = re.compile(r"\w+|<<<|>>>|[-+*/%<>=!&|]+|[(){}\[\];,.#]")
_INSERTIONS = (
    "// a comment\n", "/* so */", "\n", "    ", "int q = 3;\n", "if (n > 3) ", "{", "}", "(", ")", ";", "a[", "+ 1", "* 2",
    "__syncthreads();\n", "//@ loop_bound 4\n", "//@ launch block=(32,2)\n", "#define TILE 8\n", "#define STEP 3\n",
    "// warpcost: ignore[WC101]\n", "float halved(int n);\n", "__device__ float mix(float a, float b) { return a; }\n",
    "__global__ void extra(float *a, int n) { a[threadIdx.x * n] = 0; }\n", "struct Grid { double *cells; int width; };\n",
    "template <int M> ", "#if 0\n", "#endif\n", '"', "'", "return;\n", "while (n) ", "/*", "using namespace deep;\n",
    "#undef TILE\n", "#pragma unroll 2\n", "static ", "tiled<<<1, 64>>>(g, b, w);\n", "constexpr int UNDECLARED = 5;\n",
)  # fmt: skip


def edited(draw: random.Random, text: str, earlier: list[str]) -> str:
    """The text after one edit.  `earlier`: texts to go back to."""
    kind = draw.randrange(10)
    if kind == 0 and earlier:
        return draw.choice(earlier)
    if kind <= 3:
        return _with_word(draw, text)
    if kind <= 6:
        at = draw.choice([m.start() for m in _WORDS.finditer(text)] or [0])
        return text[:at] + draw.choice(_INSERTIONS) + text[at:]
    lines = text.splitlines(keepends=True)
    if not lines:
        return draw.choice(FILES)
    at = draw.randrange(len(lines))
    if kind == 7:
        del lines[at]
    elif kind == 8:
        lines.insert(draw.randrange(len(lines) + 1), lines[at])
    else:
        end = min(len(text), (start := draw.randrange(len(text))) + draw.randrange(1, 12))
        return text[:start] + text[end:]
    return "".join(lines)


def recounted(draw: random.Random, text: str, earlier: list[str]) -> str:
    """The text after one edit, which is another number more often than not: it still means something then."""
    found = list(re.finditer(r"\b\d+\b", text))
    if not found or draw.random() < 0.4:
        return edited(draw, text, earlier)
    number = draw.choice(found)
    return text[: number.start()] + str(int(number[0]) + draw.choice((-1, 1, 1, 4))) + text[number.end() :]


def _with_word(draw: random.Random, text: str) -> str:
    """One word in place of another of the same text."""
    found = list(_WORDS.finditer(text))
    if not found:
        return text
    old, new = draw.choice(found), draw.choice(found)
    return text[: old.start()] + new[0] + text[old.end() :]
