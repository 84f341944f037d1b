"""One generator of code for each construct of tests/kernels/COVERAGE.md: what it does n times in a row, by the name of its fixture.

The lines of `again` come once for each number from 0 to n - 1, which stands for `@` in them: in the kernel, or before it if they are
`written_before`.  What comes once stands in `once` and `before`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Construct:
    """`start`: from how many on twice as many take twice as long."""

    again: str
    once: str = ""
    before: str = ""
    written_before: str = ""
    parameters: str = ""
    start: int = 2

    def source(self, n: int) -> str:
        """The text of a file."""
        before, body = (
            "\n".join(text.replace("@", str(k)) for k in range(n)) if text else ""
            for text in (self.written_before, self.again)
        )
        return (
            f"{self.before}\n{before}\n"
            f"__global__ void grown(float *a, const float *b, int *c, int n{self.parameters}) {{\n"
            f"    int t = blockIdx.x * blockDim.x + threadIdx.x;\n{self.once}\n{body}\n}}\n"
        )


_GROUPS = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;"
_BLOCK = "cg::thread_block block = cg::this_thread_block();"

CONSTRUCTS: Mapping[str, Construct] = {
    "arithmetic": Construct("a[t * 3 - -@ + n] = b[t] + @;"),
    "division": Construct("a[t / 7 + t % 5 + @] = 1;"),
    "bits": Construct("a[((t << 2 | 3) ^ @) + (t >> 1 & ~@)] = 1;"),
    "logic": Construct("if (t >= @ && !(t == @ + 4) || t < n) a[t + @] = 1;"),
    "conditional": Construct("a[t < @ ? t : 2 * t + @] = t > n ? 1 : 2;"),
    "comma": Construct("a[(n += @, t + n)] = 1;"),
    "joined_flag": Construct("found = 0; if (t == @) found = 1; if (found) a[t + @] = 1;", "int found;"),
    "compound": Construct("i *= 3; i += @; a[i] += 1;", "int i = t;"),
    "increment": Construct("i++; --i; a[++i] = 1; a[t]++;", "int i = t;"),
    "if_else": Construct("if (t < n + @) a[t + @] = 1; else a[2 * t] = 1;"),
    "for": Construct("for (int k = 0; k < n + @; k++) a[k * 32 + t] = 1;"),
    "while": Construct("int i@ = @; while (i@ < n) { a[32 * i@ + t] = 1; i@++; }"),
    "do": Construct("int i@ = @; do { a[32 * i@ + t] = 1; i@++; } while (i@ < n);"),
    "switch": Construct("switch (n + @) { case 0: a[t + @] = 1; break; case 1: a[2 * t] = 1; default: a[t] = 2; }"),
    "break": Construct("for (int k = 0; k < 8; k++) { if (k == n + @) break; a[k * 32 + t] = 1; }"),
    "continue": Construct("for (int k = 0; k < 8; k++) { if (k == n + @) continue; a[k * 32 + t] = 1; }"),
    "early_return": Construct("if (n == @) return; a[t + @] = 1;", start=32),
    "pointer_arithmetic": Construct("*(a + t + @) = *(b + 2 * t);"),
    "pointer_alias": Construct("float *p@ = a + @; float *q@ = p@; q@[t] = 1;"),
    "reference": Construct("float &cell@ = a[t + @]; cell@ = 1;"),
    "array_1d": Construct("s[threadIdx.x] = @; a[t + @] = s[2 * threadIdx.x];", "__shared__ float s[512];"),
    "array_2d": Construct("s[threadIdx.y][threadIdx.x] = @;", "__shared__ float s[32][33];"),
    "array_3d": Construct("s[threadIdx.z][threadIdx.y][threadIdx.x] = @;", "__shared__ float s[4][8][9];"),
    "array_local": Construct("columns[@ % 4] = t + @; a[columns[@ % 4]] = 1;", "int columns[4];"),
    "extern_shared": Construct("s[threadIdx.x + @] = 1;", "extern __shared__ float s[];"),
    "extern_cast": Construct("double *d@ = (double *)(s + 8 * @); d@[threadIdx.x] = 1;", "extern __shared__ char s[];"),
    "extern_carved": Construct("float *p@ = &s[64 * @]; p@[threadIdx.x] = 1;", "extern __shared__ float s[];"),
    "struct_value": Construct(
        "View v@ = view; v@.pitch += @; v@.data[t * v@.pitch] = 1;",
        before="struct View { float *data; int pitch; };",
        parameters=", View view",
        start=8,
    ),
    "struct_pointer": Construct(
        "cells[t + @].y = 1; (cells + t)->id = @;",
        before="struct Cell { float x, y; short id; };",
        parameters=", Cell *cells",
    ),
    "float4": Construct("float4 v@ = in[t + @]; out[t].z = v@.x + v@.w;", parameters=", float4 *out, const float4 *in"),
    "make_float4": Construct("out[t + @] = make_float4(t, @, n, 0);", parameters=", float4 *out"),
    "reinterpret_cast": Construct("reinterpret_cast<float4 *>(a)[t + @].x = 1;"),
    "cast_c": Construct("a[(unsigned char)(t + @)] = (float)n;"),
    "cast_functional": Construct("a[int(2u * t) + @] = float(t);"),
    "cast_static": Construct("const_cast<float *>(b)[static_cast<short>(t + @)] = 1;"),
    "device_call": Construct("a[place(t, @)] = 1;", before="__device__ int place(int i, int k) { return 2 * i + k; }"),
    "device_reference": Construct(
        "halves(t + @, high, low); a[high + 32 * low] = 1;",
        "int high, low;",
        "__device__ void halves(int i, int &high, int &low) { high = i / 2; low = i % 2; }",
    ),
    "device_access": Construct("put(a, 2 * t + @);", before="__device__ void put(float *a, int i) { a[i] = 1; }"),
    "template_type": Construct(
        "put(a, t + @); put(c, t + @);",
        before="template <typename T> __device__ void put(T *a, int i) { a[2 * i] = T(1); }",
    ),
    "template_value": Construct(
        "put<@>(a, t);", before="template <int S> __device__ void put(float *a, int i) { a[S * i] = 1; }"
    ),
    "restrict": Construct("out[t + @] = in[t];", parameters=", float *__restrict__ out, const float *__restrict__ in"),
    "launch_bounds": Construct(
        "", written_before="__global__ void __launch_bounds__(64) k@(float *a) { a[2 * threadIdx.x + @] = 1; }"
    ),
    "unroll": Construct("#pragma unroll\nfor (int k = 0; k < 4; k++) a[72 * k + t + @] = 1;"),
    "volatile": Construct("cells[t + @] = cells[2 * t];", "volatile float *cells = a;"),
    "atomic": Construct("atomicAdd(&a[t % 4 + @], 1.0f);"),
    "shuffle": Construct("i = __shfl_xor_sync(0xffffffffu, i, 1); a[3 * i + @] = 1;", "int i = t;"),
    "vote": Construct("if (__any_sync(0xffffffffu, t < n + @)) a[2 * t] = 1;"),
    "barrier": Construct(
        "s[threadIdx.x] = @; __syncthreads(); a[t] = s[255 - threadIdx.x]; __syncthreads();", "__shared__ float s[256];"
    ),
    "barrier_warp": Construct(
        "s[threadIdx.x] = @; __syncwarp(); a[t] = s[threadIdx.x ^ 1]; __syncwarp();", "__shared__ float s[256];"
    ),
    "group_rank": Construct(
        "a[2 * warp.thread_rank() + @] = 1; a[3 * block.thread_rank()] = 1;",
        f"{_BLOCK} cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);",
        _GROUPS,
    ),
    "group_sync": Construct(
        "s[threadIdx.x] = @; block.sync(); a[t] = s[2 * threadIdx.x]; cg::sync(block);",
        f"{_BLOCK} __shared__ float s[512];",
        _GROUPS,
    ),
    "min_max": Construct("a[max(min(t, 40), @)] = n;"),
    "mul24": Construct("a[__mul24(t, 3) + @] = 1;"),
    "ldg": Construct("a[t] += __ldg(&b[2 * t + @]);"),
    "math": Construct("a[t + @] = sqrtf(b[t]) + sinf(b[2 * t]);"),
    "constexpr": Construct(
        "constexpr int step@ = stride(@); a[step@ * t] = 1;",
        before="__host__ __device__ constexpr int stride(int n) { return 2 * n + 1; }",
    ),
    "macro": Construct("AT(@, n, 2 * t) = 1;", before="#define AT(row, pitch, i) a[(row) * (pitch) + (i)]"),
    "ends_met": Construct("for (int i = n + @; i != 0; --i) a[32 * i + t] = 1;"),
    "ends_that_do_not_come": Construct("for (int j = 0; j * n < @ + 9; j++) a[t] = j;"),
    "counter_sides": Construct("for (int k = 0; k < n; k++) if (k % 2 != 0) a[32 * k + t + @] = 1;"),
    "record_layouts": Construct(
        "a[sizeof(S@) * t] = 1;",
        written_before="#pragma pack(push, 2)\nstruct S@ { char c; double d[@ + 1]; };\n#pragma pack(pop)",
    ),
    "library_layouts": Construct("a[sizeof(std::array<char, @ + 1>) * t] = 1;", before="#include <array>"),
    "cub_blocks": Construct(
        "a[t + @] = cub::BlockReduce<float, 256>(room).Sum(b[t + @]); __syncthreads();",
        "__shared__ cub::BlockReduce<float, 256>::TempStorage room;",
        "#include <cub/cub.cuh>",
        start=1,
    ),
    "cub_scans": Construct(
        "cub::WarpScan<float>(room[threadIdx.x / 32]).InclusiveSum(b[t + @], a[t + @]);",
        "__shared__ cub::WarpScan<float>::TempStorage room[8];",
        "#include <cub/cub.cuh>",
        start=1,
    ),
    "wmma_fragments": Construct(
        "nvcuda::wmma::load_matrix_sync(f, b + 256 * @, 64); a[t + @] = f.x[0];",
        "nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 8, nvcuda::wmma::precision::tf32, nvcuda::wmma::row_major> f;",
        "#include <mma.h>",
        start=1,
    ),
    "curand_states": Construct("a[2 * t + @] = curand_uniform(&s[t]);", parameters=", curandState *s", start=1),
    "small_floats": Construct(
        "f[t + @] = __nv_fp8_e4m3(b[2 * t]); a[t] = float(f[t]);", parameters=", __nv_fp8_e4m3 *f", start=1
    ),
    "cutlass_arrays": Construct(
        "a[t + @] = q[t + @][1] + cutlass::FastDivmod(@ + 1).div(t);",
        parameters=", cutlass::Array<int, 4> *q",
        before="#include <cutlass/array.h>",
        start=1,
    ),
    "cute_tensors": Construct(
        "a[t + cute::size(cute::Int<@ + 1>{})] = 1;", before="#include <cute/tensor.hpp>", start=1
    ),
    "dispatch_blocks": Construct(
        "a[t + @] = 1;",
        written_before="template <int N> __global__ void put@(float *a) { a[N * threadIdx.x] = @; }\n"
        "void run@(int n, float *a) { WIDTHS(n, N, { put@<N><<<n, 64>>>(a); }); }",
    ),
    "tensor_accessors": Construct(
        "v[@][t] = v[t][@];",
        parameters=", at::PackedTensorAccessor32<float, 2> v",
        before="#include <torch/extension.h>",
        start=1,
    ),
    "block_moves": Construct("{ int m; memcpy(&m, b + 2 * t, 4); memset(a + t, m, 4); }", start=1),
    "async_copies": Construct(
        "cuda::memcpy_async(block, s, b + 4 * @, 1024, ready); ready.arrive_and_wait(); a[t] = s[2 * threadIdx.x];",
        f"{_BLOCK} __shared__ float s[512]; __shared__ cuda::barrier<cuda::thread_scope_block> ready;",
        _GROUPS + "\n#include <cuda/barrier>",
        start=1,
    ),
    "bulk_copies": Construct(
        'if (threadIdx.x == 0) asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 512;" ::"l"(a + 2 * @), "r"(s)); a[t] = @;',
        "__shared__ float s[512];",
        start=1,
    ),
    "clusters": Construct(
        "s[threadIdx.x] = @; cluster.sync(); a[t] = cluster.map_shared_rank(s, @)[2 * threadIdx.x];",
        "cg::cluster_group cluster = cg::this_cluster(); __shared__ float s[512];",
        _GROUPS,
        start=1,
    ),
    "views_and_tuples": Construct(
        "auto [f@, g@] = cuda::std::make_tuple(@, 2 * t); a[t] = v[f@ + g@];",
        parameters=", cuda::std::span<int> v",
        start=1,
    ),
    "fast_divisions": Construct(
        "a[fastdiv(t + @, by)] = 1;",
        before="__device__ unsigned fastdiv(unsigned n, uint3 by) { unsigned hi = __umulhi(n, by.x); return (hi + n) >> by.y; }",
        parameters=", uint3 by",
    ),
    "kernel_loops": Construct("CUDA_1D_KERNEL_LOOP(i@, n) a[2 * i@ + @] = 1;"),
    "glm_vectors": Construct("p[t + @] += glm::cross(p[t], glm::vec3(b[@]));", parameters=", glm::vec3 *p", start=1),
    "stated_arguments": Construct(
        "a[t + @] = 1;",
        written_before="template <int N> __global__ void put@(float *a) { static_assert(N % 64 == 0); a[N * threadIdx.x] = @; }",
    ),
    "overloads_and_templates": Construct(
        "a[(tells(&t) + tells(p) + tells(n) + @) * t] = 1;",
        "const int *p = &n;",
        "__device__ int tells(int *) { return 2; } __device__ int tells(const int *) { return 5; }\n"
        "template <class T> __device__ int tells(T) { return sizeof(T); }",
    ),
    "template_argument_operators": Construct(
        "a[Number<(@ > 4) ? 2 : 3>::n * t + Number<(@ < 3) || @ > 5>::n] = 1;",
        before="template <int N> struct Number { static constexpr int n = N; };",
    ),
    "declared_templates": Construct(
        "a[sizeof(Row<char, @ + 1>) * t] = 1;",
        before="template <class T, int N = 6> struct Row;\ntemplate <class T, int N> struct Row { T v[N]; };",
    ),
    "classes": Construct(
        "Tile@ tile@; a[stepped(tile@) * t] = 1;",
        before="struct Shape { __device__ virtual int step() const { return 2; } };\n"
        "__device__ int stepped(const Shape &shape) { return shape.step(); }",
        written_before="struct Tile@ : Shape { __device__ int step() const override { return @; } };",
    ),
    "vector_operators": Construct(
        "p[t + @] += v[t] * 2.0f; a[t] = dot(v[0], v[@]);",
        before='#include "helper_math.h"',
        parameters=", float3 *p, const float3 *v",
    ),
    "ranges": Construct(
        "for (auto i : Range{t + @, n}) a[i] = 1;",
        before="struct At { int i; __device__ int operator*() const { return i; } __device__ At &operator++() { i++; return *this; }\n"
        "  __device__ bool operator!=(const At &other) const { return i < other.i; } };\n"
        "struct Range { int first, last; __device__ At begin() const { return At{first}; }\n"
        "  __device__ At end() const { return At{last}; } };",
    ),
    "inline_assembly": Construct(
        'asm volatile("ld.global.f32 %0, [%1];" : "=f"(v) : "l"(b + 2 * t + @)); a[t + @] = v;', "float v;"
    ),
    "unseen_types": Construct("index_t i@ = t + @; a[i@ + n * 32] = b[i@];"),
    "unseen_functions": Construct("a[2 * t + @] = mystery(b[t], @);"),
}
