"""The device library: atomics, warp primitives, barriers, pure functions, what is outside of the analysis."""

from __future__ import annotations

import pytest

from analysis_core.support.facts import CauseKind
from tests.ir.calls_support import body, causes, lines, only


def test_atomics_are_placed_at_what_they_change() -> None:
    assert body(
        "int old = atomicAdd(&p[n], 1); p[0] = old; atomicMax((int *)q + n, 2); __shared__ unsigned h[4]; atomicInc_block(&h[n & 3], 7u); atomicCAS(&s->m, 1, 2); atomicAdd(p, 1);",
        before="struct S { int k; int m; };",
        parameters="int *p, int n, float *q, S *s",
    ) == [
        "atomicAdd()'4 = atomic.add[4] p + {n * 4}, 1",
        "old = atomicAdd()'4",
        "store[4] p + {0} <- old",
        "atomicMax() = atomic.max[4] (int*)q + {n * 4}, 2",
        "declare h",
        "atomicInc_block() = atomic.inc[4] &h + {(n & 3) * 4}, 7u",
        "atomicCAS() = atomic.cas[4] s + {4}, 1, 2",
        "atomicAdd()'9 = atomic.add[4] p, 1",
    ]


def test_a_users_overload_of_an_atomic_is_taken_where_it_fits() -> None:
    assert body(
        "atomicAdd(d, 1.0); atomicAdd(p, 1);",
        before="__device__ double atomicAdd(double *a, double v) { *a = v; return v; }",
        parameters="int *p, int n, double *d",
    ) == [
        "inlined atomicAdd {",
        "atomicAdd(): a = d",
        "atomicAdd(): v = 1.0",
        "store[8] atomicAdd(): a <- atomicAdd(): v",
        "atomicAdd(): result = atomicAdd(): v",
        "}",
        "atomicAdd() = atomic.add[4] p, 1",
    ]


def test_shuffles_and_votes() -> None:
    assert body(
        "int v = n; v += __shfl_down_sync(0xffffffff, v, 16); v += __shfl_xor_sync(~0u, v, 1, 8); v = __shfl(v, 0); int a = __any_sync(0xffffffffu, v > 3); unsigned b = __ballot_sync(__activemask(), n); p[0] = a + b; p[1] = __reduce_add_sync(0xffffffff, v); __syncwarp(); if (__all(v)) p[2] = __popc(b);"
    ) == [
        "v = n",
        "__shfl_down_sync() = shuffle.down(v, 16, 32)",
        "v = v + __shfl_down_sync()",
        "__shfl_xor_sync() = shuffle.xor(v, 1, 8)",
        "v = v + __shfl_xor_sync()",
        "__shfl() = shuffle.idx(v, 0, 32)",
        "v = __shfl()",
        "(any) = vote.any(v > 3)",
        "a = (any)",
        "(activemask) = vote.activemask()",
        "(ballot) = vote.ballot((bool)n, (activemask))",
        "b = (ballot)",
        "store[4] p + {0} <- (int)((unsigned int)a + b)",
        "(reduce_add) = vote.reduce_add(v)",
        "store[4] p + {1 * 4} <- (reduce_add)",
        "barrier.warp __syncwarp()",
        "(all) = vote.all((bool)v)",
        "if ((bool)(all)) {",
        "store[4] p + {2 * 4} <- popc(b)",
        "}",
    ]


def test_a_vector_is_shuffled_by_component() -> None:
    assert body("v[n].x = __shfl_sync(~0u, v[0], 3).y;", parameters="int *p, int n, int2 *v") == [
        "v[0].x, v[0].y = load[8] v + {0}",
        "__shfl_sync()'5 = shuffle.idx(v[0].x, 3, 32)",
        "__shfl_sync()'6 = shuffle.idx(v[0].y, 3, 32)",
        "store[4] v + {n * 8} <- __shfl_sync()'6",
    ]


def test_barriers_of_the_block_and_their_votes() -> None:
    assert body("__syncthreads(); int c = __syncthreads_count(n > 3); int d = __syncthreads_or(n); p[0] = c + d;") == [
        "barrier.block __syncthreads()",
        "barrier.block __syncthreads_count(n > 3)",
        "__syncthreads_count() = vote.block.reduce(n > 3)",
        "c = __syncthreads_count()",
        "barrier.block __syncthreads_or(n)",
        "__syncthreads_or() = vote.block.any((bool)n)",
        "d = __syncthreads_or()",
        "store[4] p + {0} <- c + d",
    ]


def test_cached_loads_and_stores() -> None:
    assert body("p[0] = __ldg(&p[n]) + __ldg(p + n) + __ldcg(p); __stcg(&p[2], 3);") == [
        "p[n] = load[4] p + {n * 4}",
        "*(p + n) = load[4] p + {n * 4}",
        "*p = load[4] p",
        "store[4] p + {0} <- p[n] + *(p + n) + *p",
        "store[4] p + {2 * 4} <- 3",
    ]


def test_pure_functions_convert_their_arguments() -> None:
    assert body(
        "p[2] = min(n, 3u) + max(1, n) + abs(-n) + __mul24(n, 2) + umin(1, 2) + (int)sqrt(2.0f) + (int)pow(2, 3.0f) + std::min<int>(n, 2) + __float_as_int(1.0f);"
    ) == [
        "store[4] p + {2 * 4} <- (int)(min((unsigned int)n, 3u) + (unsigned int)max(1, n) + (unsigned int)abs(-n) + (unsigned int)mul24(n, 2) + min(1u, 2u) + (unsigned int)(int)sqrt(2.0f) + (unsigned int)(int)pow(2.0, 3.0) + (unsigned int)min(n, 2) + (unsigned int)bits(1.0f))",
    ]


def test_vector_constructors_convert_their_components() -> None:
    assert body("q[n] = make_float4(1, 2, n, 4);", parameters="int *p, int n, float4 *q") == [
        "store[16] q + {n * 16} <- 1.0f, 2.0f, (float)n, 4.0f",
    ]


def test_out_pointers_receive_pure_functions() -> None:
    assert body("float s, c; sincosf(1.0f, &s, &c); int e; double m = frexp(2.0, &e); p[e] = (int)(s + c + m);") == [
        "declare s",
        "declare c",
        "s = sin(1.0f)",
        "c = cos(1.0f)",
        "declare e",
        "e = (int)frexp_exponent(2.0)",
        "m = frexp(2.0)",
        "store[4] p + {e * 4} <- (int)((double)(s + c) + m)",
    ]


def test_calls_without_effect_on_values() -> None:
    kernel = only(
        '\n__global__ void k(int *p, int n) { int t = clock(); p[1] = t; printf("%d", n); assert(n > 3); __threadfence(); p[2] = t; }'
    )
    assert lines(kernel) == [
        "(clock) = vote.clock()",
        "t = (int)(clock)",
        "store[4] p + {1 * 4} <- t",
        "fence printf",
        "fence __threadfence",
        "store[4] p + {2 * 4} <- t",
    ]
    assert causes(kernel) == [(CauseKind.DATA, "what `printf` returns is not known")]


def test_textures_are_data() -> None:
    kernel = only(
        "texture<float4, 1> r;\n__global__ void k(int *p, int n, cudaTextureObject_t t) { float v = tex2D<float>(t, 1, 2); p[0] = v; float4 w = tex1Dfetch(r, n); p[1] = w.x; }"
    )
    assert lines(kernel) == [
        "v = ?(data: the value of a texture or surface fetch depends on data)",
        "store[4] p + {0} <- (int)v",
        "w.x = ?(data: the value of a texture or surface fetch depends on data)",
        "w.y = ?(data: the value of a texture or surface fetch depends on data)",
        "w.z = ?(data: the value of a texture or surface fetch depends on data)",
        "w.w = ?(data: the value of a texture or surface fetch depends on data)",
        "store[4] p + {1 * 4} <- (int)w.x",
    ]
    assert causes(kernel) == [
        (CauseKind.DATA, "the value of a texture or surface fetch depends on data"),
        (CauseKind.DATA, "the value of a texture or surface fetch depends on data"),
    ]


def test_state_of_a_random_generator_is_unsupported() -> None:
    kernel = only(
        "\n__global__ void k(int *p, int n, curandState *st) { p[0] = curand_poisson(st + n); void *m = malloc(n); int b[64]; cudaMemcpyAsync(p, b, n); }"
    )
    assert lines(kernel) == [
        "unknown (unsupported: 'curand_poisson': random number generator state) memory",
        "store[4] p + {0} <- ?(unsupported: 'curand_poisson': random number generator state)",
        "inlined malloc {",
        "}",
        "m = ?(unsupported: where 'malloc' puts its memory is not known)",
        "declare b",
        "unknown (unsupported: 'cudaMemcpyAsync' in device code: how the compiler moves the bytes is not known) memory",
    ]
    assert causes(kernel) == [
        (CauseKind.UNSUPPORTED, "'curand_poisson': random number generator state"),
        (CauseKind.UNSUPPORTED, "where 'malloc' puts its memory is not known"),
        (CauseKind.UNSUPPORTED, "'cudaMemcpyAsync' in device code: how the compiler moves the bytes is not known"),
    ]


def test_small_copies_are_loads_and_stores() -> None:
    """Of memory that a pointer leads to they move bytes."""
    assert body(
        "unsigned u; float f = 1.0f; memcpy(&u, &f, 4); p[0] = u; short s[2]; memcpy(s, &u, 4); memcpy(p, q, 2);",
        parameters="int *p, int n, int *q",
    ) == [
        "declare u",
        "f = 1.0f",
        "u = bits(f)",
        "store[4] p + {0} <- (int)u",
        "declare s",
        "store[2] &s + {0} <- bits.0(u)",
        "store[2] &s + {1 * 2} <- bits.1(u)",
        "q'5 = load[1] (unsigned char*)q'2 + {0}",
        "q'6 = load[1] (unsigned char*)q'2 + {1 * 1}",
        "store[1] (unsigned char*)p + {0} <- q'5",
        "store[1] (unsigned char*)p + {1 * 1} <- q'6",
    ]


def test_library_classes_are_unsupported_and_their_arguments_read() -> None:
    kernel = only(
        "\n__global__ void k(int *p, int n) { typedef cub::BlockTopK<int, 64> Counts; __shared__ typename Counts::TempStorage t; int s = Counts(t).Sum(p[n]); int r = n; cuda::atomic_ref<int> a(r); a.fetch_add(1); p[0] = s + r; }"
    )
    assert lines(kernel) == [
        "declare t",
        "p[n] = load[4] p + {n * 4}",
        "unknown (unsupported: 'Sum' of the type 'cub::BlockTopK', which is not visible) memory",
        "s = ?(unsupported: 'Sum' of the type 'cub::BlockTopK', which is not visible)",
        "r = n",
        "unknown (unsupported: 'fetch_add' of the type 'cuda::atomic_ref', which is not visible) changes r; memory",
        "store[4] p + {0} <- s + r",
    ]
    assert causes(kernel) == [
        (CauseKind.UNSUPPORTED, "'Sum' of the type 'cub::BlockTopK', which is not visible"),
        (CauseKind.UNSUPPORTED, "'fetch_add' of the type 'cuda::atomic_ref', which is not visible"),
    ]


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("int *q = 0; cudaMalloc(&q, n); q[0] = 1;", "changes q; memory"),
        ("struct S { int *m; } s; cudaMalloc(&s.m, n); s.m[0] = 1;", "changes s.m; memory"),
        ("int *q = 0; cudaMalloc((void **)&q, n); q[0] = 1;", "memory"),
        ("int *q[2]; cudaMalloc((void **)&q[n], n); q[1][0] = 1;", "memory"),
    ],
)
def test_device_allocation_changes_the_pointer(text: str, changed: str) -> None:
    reason = "unsupported: where 'cudaMalloc' puts its memory is not known"
    assert f"unknown ({reason}) {changed}" in body(text)


def test_what_only_a_compiler_checks_is_not_computed() -> None:
    kernel = only(
        "__global__ void k(int *p, int n) { CUTE_STATIC_ASSERT_V(cute::size(p[n]) == 3, p[0]); CUTE_STATIC_ASSERT(p[1]); p[2] = n; }"
    )
    assert lines(kernel) == ["store[4] p + {2 * 4} <- n"]
