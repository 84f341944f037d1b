"""Cooperative groups: exact ranks, barriers, collectives."""

from __future__ import annotations

from analysis_core.support.facts import CauseKind
from tests.ir.calls_support import body, causes, lines, only


def test_ranks_are_exact() -> None:
    assert body(
        "auto b = cg::this_thread_block(); auto t = cg::tiled_partition<16>(b); p[b.thread_rank()] = t.thread_rank() + t.size() + b.size(); p[t.meta_group_rank()] = t.meta_group_size();",
        before="namespace cg = cooperative_groups;",
    ) == [
        "store[4] p + {(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) * 4} <- (int)((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 16u + 16u + blockDim.x * (blockDim.y * blockDim.z))",
        "store[4] p + {(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 16u * 4} <- (int)((blockDim.x * (blockDim.y * blockDim.z) + 15u) / 16u)",
    ]


def test_barriers() -> None:
    assert body(
        "auto b = cg::this_thread_block(); cg::thread_block_tile<32> t = cg::tiled_partition<32>(b); cg::sync(b); b.sync(); t.sync(); cg::this_grid().sync(); cg::thread_block::sync();",
        before="namespace cg = cooperative_groups;",
    ) == [
        "barrier.block cg::sync(b)",
        "barrier.block b.sync()",
        "barrier.warp t.sync()",
        "barrier.grid cg::this_grid().sync()",
        "barrier.block cg::thread_block::sync()",
    ]


def test_groups_are_passed_to_functions() -> None:
    assert body(
        "auto b = cg::this_thread_block(); f(b, p); g(cg::tiled_partition<8>(b), p);",
        before="namespace cg = cooperative_groups; __device__ void f(cg::thread_block &b, int *p) { b.sync(); p[b.thread_index().y] = 0; } template <int N> __device__ void g(cg::thread_block_tile<N> t, int *p) { p[N] = t.shfl_down(p[0], 1); }",
    ) == [
        "inlined f {",
        "f(): p = p",
        "barrier.block b.sync()",
        "store[4] f(): p + {threadIdx.y * 4} <- 0",
        "}",
        "inlined g {",
        "g(): p = p",
        "p[0] = load[4] g(): p + {0}",
        "shfl_down() = shuffle.down(p[0], 1, 8)",
        "store[4] g(): p + {8u * 4} <- shfl_down()",
        "}",
    ]


def test_collectives_of_a_warp_and_of_smaller_tiles() -> None:
    kernel = only(
        "namespace cg = cooperative_groups;\n__global__ void k(int *p, int n) { auto b = cg::this_thread_block(); auto w = cg::tiled_partition<32>(b); auto t = cg::tiled_partition<16>(b); p[0] = cg::reduce(w, n, cg::plus<int>()) + w.any(n) + w.shfl(n, 0); p[1] = t.any(n); }"
    )
    assert lines(kernel) == [
        "(reduce_add) = vote.reduce_add(n)",
        "(any) = vote.any((bool)n)",
        "shfl() = shuffle.idx(n, 0, 32)",
        "store[4] p + {0} <- (reduce_add) + (any) + shfl()",
        "store[4] p + {1 * 4} <- ?(data: a vote in a tile of 16 lanes depends on data)",
    ]
    assert causes(kernel) == [
        (CauseKind.DATA, "a vote in a tile of 16 lanes depends on data"),
    ]


def test_groups_of_the_active_lanes_count_them() -> None:
    kernel = only(
        "namespace cg = cooperative_groups;\n__global__ void k(int *p, int n) { auto c = cg::coalesced_threads(); if (c.thread_rank() == 0) p[1] = c.size(); c.sync(); p[2] = c.shfl(n, 1) + c.any(n > 2); p[3] = c.shfl_down(n, 1); }"
    )
    thread = "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32u"
    assert lines(kernel) == [
        "(activemask) = vote.activemask()",
        f"if ((unsigned int)popc((activemask) & (1u << {thread}) - 1u) == 0u) {{",
        "store[4] p + {1 * 4} <- (int)(unsigned int)popc((activemask))",
        "}",
        "barrier.warp c.sync()",
        "shfl() = shuffle.idx(n, (int)fns((activemask), 0u, 1 + 1), 32)",
        "(any) = vote.any(n > 2, (activemask))",
        "store[4] p + {2 * 4} <- shfl() + (any)",
        "store[4] p + {3 * 4} <- ?(data: a shuffle in a group formed at run time depends on data)",
    ]
    assert causes(kernel) == [(CauseKind.DATA, "a shuffle in a group formed at run time depends on data")]


def test_the_grid() -> None:
    assert body(
        "auto g = cg::this_grid(); p[g.thread_rank()] = cg::this_thread_block().group_index().x;",
        before="namespace cg = cooperative_groups;",
    ) == [
        "store[4] p + {((unsigned long long)(blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) * (unsigned long long)(blockDim.x * (blockDim.y * blockDim.z)) + (unsigned long long)(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))) * 4} <- (int)blockIdx.x",
    ]


def test_names_without_their_namespace() -> None:
    assert body(
        "thread_block b = this_thread_block(); b.sync(); thread_block_tile<8> t = tiled_partition<8>(b); p[t.thread_rank()] = 1; thread_block::sync();",
        before="using namespace cooperative_groups;",
    ) == [
        "barrier.block b.sync()",
        "store[4] p + {(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 8u * 4} <- 1",
        "barrier.block thread_block::sync()",
    ]
