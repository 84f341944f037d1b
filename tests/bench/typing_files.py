"""The files of the benchmark of typing: written by rule, so that they stay the same, and as mixed as real ones.

`many_kernels`: about 3,000 lines, 30 kernels with helpers, a record and for each kernel the code of the host that runs it;
`long_kernel`: one kernel of 900 lines, in which phases of several kinds take turns; `thousand_lines`: the first third
of the first file.
"""

from __future__ import annotations

from collections.abc import Callable

_HEAD = """\
// {title}
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                          \\
    do {{                                                                     \\
        cudaError_t status = (call);                                         \\
        if (status != cudaSuccess)                                           \\
            fprintf(stderr, "%d: %s\\n", __LINE__, cudaGetErrorString(status)); \\
    }} while (0)
#define TILE 16
#define BLOCK 256
#define CLAMP(x, lo, hi) ((x) < (lo) ? (lo) : ((x) > (hi) ? (hi) : (x)))
#define IDX(row, col, pitch) ((row) * (pitch) + (col))

struct Grid {{
    float *cells;
    int width;
    int height;
    int pitch;
}};

__constant__ float weights[64];
"""

_HELPER = """
// Mixes two neighbours; one branch for odd phases.
__device__ __forceinline__ float mix{n}(float a, float b, int phase) {{
    float sum = a * {n}.5f + b;
    if (phase % 2 == 1)
        sum -= a * b;
    return sum * weights[{n} % 64];
}}
"""

_STENCIL = """
__global__ void stencil{n}(Grid in, float *out, int steps) {{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height)
        return;
    float centre = in.cells[IDX(y, x, in.pitch)];
{lines}    out[y * in.width + x] = mix{h}(centre, weights[{n}], steps);
}}
"""

_TILED = """
__global__ void tiled{n}(const float *a, const float *b, float *c, int w) {{
    __shared__ float as[TILE][TILE];
    __shared__ float bs[TILE][TILE + 1];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int m = 0; m < w / TILE; m++) {{
        as[ty][tx] = a[row * w + m * TILE + tx];
        bs[ty][tx] = b[(m * TILE + ty) * w + col];
        __syncthreads();
{lines}        __syncthreads();
    }}
    c[row * w + col] = mix{h}(sum, a[row * w], ty);
}}
"""

_STRIDED = """
__global__ void strided{n}(const float *in, float *out, const int *index, int n) {{
    __shared__ float partial[BLOCK];
    int tid = threadIdx.x;
    float sum = 0.0f;
    for (int i = blockIdx.x * BLOCK + tid; i < n; i += gridDim.x * BLOCK) {{
        sum += in[i];
{lines}    }}
    partial[tid] = mix{h}(sum, in[tid], n);
    __syncthreads();
    for (int s = BLOCK / 2; s > 0; s >>= 1) {{
        if (tid < s)
            partial[tid] += partial[tid + s];
        __syncthreads();
    }}
    if (tid == 0)
        out[blockIdx.x] = partial[0];
}}
"""

_HOST = """
// Runs {name} on fresh buffers and prints how long it took.
static int run_{name}(int w, int n, int steps, int verbose) {{
    size_t bytes = (size_t)w * w * sizeof(float);
    float *host = (float *)malloc(bytes);
    if (host == NULL) {{
        fprintf(stderr, "%s: out of memory\\n", "{name}");
        return 1;
    }}
    for (int i = 0; i < w * w; i++)
        host[i] = (float)(i % 97) / 97.0f;
    float *a, *b, *c;
    int *index;
    CHECK(cudaMalloc((void **)&a, bytes));
    CHECK(cudaMalloc((void **)&b, bytes));
    CHECK(cudaMalloc((void **)&c, bytes));
    CHECK(cudaMalloc((void **)&index, n * sizeof(int)));
    CHECK(cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, host, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(c, 0, bytes));
    CHECK(cudaMemset(index, 0, n * sizeof(int)));
    Grid grid;
    grid.cells = a;
    grid.width = w;
    grid.height = w;
    grid.pitch = w;
    dim3 block(TILE, TILE);
    dim3 blocks((w + TILE - 1) / TILE, (w + TILE - 1) / TILE);
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));
    for (int step = 0; step < steps; step++) {{
{launch}        CHECK(cudaGetLastError());
    }}
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    float ms = 0.0f;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    CHECK(cudaMemcpy(host, c, bytes, cudaMemcpyDeviceToHost));
    if (verbose) {{
        printf("{name}: %f ms for %d steps\\n", ms, steps);
        for (int i = 0; i < 8; i++)
            printf("%f ", host[i * w + i]);
        printf("\\n");
    }}
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFree(index);
    free(host);
    return 0;
}}
"""


def _stencil_line(k: int) -> str:
    return (
        f"    if (x > {k % 7} && y < in.height - {k % 5}) {{\n"
        f"        float v{k} = in.cells[IDX(y - {k % 3}, x + {k % 4}, in.pitch)];\n"
        f"        centre += CLAMP(v{k}, 0.0f, {k}.0f) * weights[{k % 64}];\n"
        f"    }}\n"
    )


def _tiled_line(k: int) -> str:
    return (
        f"        for (int k{k} = 0; k{k} < TILE; k{k}++)\n"
        f"            sum += as[ty][k{k}] * bs[k{k}][tx];\n"
        f"        if ((tx + m) % {2 + k % 3} == 0)\n"
        f"            sum *= as[tx][ty];\n"
    )


def _strided_line(k: int) -> str:
    return (
        f"        int j{k} = index[i] + {k};\n"
        f"        if (j{k} < n)\n"
        f"            sum += in[j{k}] * {k}.25f;\n"
        f"        sum -= in[(i * {1 + k % 4}) % n];\n"
    )


_KINDS: tuple[tuple[str, Callable[[int], str], str], ...] = (
    (_STENCIL, _stencil_line, "        stencil{n}<<<blocks, block>>>(grid, c, {n});\n"),
    (_TILED, _tiled_line, "        tiled{n}<<<blocks, block>>>(a, b, c, w);\n"),
    (_STRIDED, _strided_line, "        strided{n}<<<64, BLOCK>>>(a, b, index, n);\n"),
)


def many_kernels(kernels: int = 30) -> str:
    """30 kernels of some 40 lines, ten of each kind, each with a function of the host that runs it, and some helpers."""
    parts = [_HEAD.format(title="Thirty kernels")]
    for n in range(kernels):
        text, line, launch = _KINDS[n % 3]
        if n % 3 == 0:
            parts.append(_HELPER.format(n=n))
        pieces = 5 + n % 4
        parts.append(text.format(n=n, h=n - n % 3, lines="".join(line(k) for k in range(pieces))))
        name = f"{('stencil', 'tiled', 'strided')[n % 3]}{n}"
        parts.append(_HOST.format(name=name, launch=launch.format(n=n)))
    calls = "".join(
        f"    failed += run_{('stencil', 'tiled', 'strided')[n % 3]}{n}(1024, 65536, 10, argc > 1);\n"
        for n in range(kernels)
    )
    parts.append(f"\nint main(int argc, char **argv) {{\n    int failed = 0;\n{calls}    return failed;\n}}\n")
    return "".join(parts)


def thousand_lines() -> str:
    """A third of it."""
    return many_kernels(10)


def long_kernel(pieces: int = 108) -> str:
    """One kernel of 900 lines: loads, guarded sums, tiles with barriers and loops in turn."""
    lines = [
        _HEAD.format(title="One long kernel"),
        _HELPER.format(n=0),
        "\n__global__ void pipeline(const float *in, float *out, const int *index, int w, int n) {\n",
        "    __shared__ float tile[BLOCK];\n",
        "    int tid = threadIdx.x;\n    int i = blockIdx.x * BLOCK + tid;\n    float sum = 0.0f;\n",
    ]
    for k in range(pieces):
        lines.append(_PHASES[k % len(_PHASES)].format(k=k, m=2 + k % 3))
    lines.append("    out[i] = sum;\n}\n")
    lines.append(
        "\nvoid run(float *a, float *b, int *index, int w, int n) {\n    pipeline<<<64, BLOCK>>>(a, b, index, w, n);\n}\n"
    )
    return "".join(lines)


_PHASES = (
    "    // Phase {k}: a row further.\n    float v{k} = 0.0f;\n    if (i + {k} < n) {{\n        v{k} = in[i + {k} * w];\n"
    "        sum += v{k} * weights[{k} % 64];\n    }} else {{\n        sum -= {k}.0f;\n    }}\n",
    "    // Phase {k}: through shared memory.\n    tile[tid] = in[i] * {k}.5f;\n    __syncthreads();\n"
    "    if (tid % {m} == 0)\n        sum += tile[(tid * {m}) % BLOCK];\n    sum += tile[BLOCK - 1 - tid];\n    __syncthreads();\n\n",
    "    // Phase {k}: a column.\n    for (int r{k} = 0; r{k} < w; r{k}++) {{\n        float c{k} = in[r{k} * w + tid];\n"
    "        sum += mix0(c{k}, sum, r{k});\n        if (c{k} > {k}.0f)\n            sum *= 0.5f;\n    }}\n\n",
    "    // Phase {k}: what others wrote.\n    int j{k} = index[i] + {k};\n    if (j{k} >= 0 && j{k} < n) {{\n        sum += in[j{k}];\n"
    "        out[j{k}] = sum;\n    }}\n    sum = CLAMP(sum, -{k}.0f, {k}.0f);\n\n",
)
