"""Kernels written with CuTe's layouts, whose headers are missing, against the same ones written by plain indices: they store the same, pay the same
in the simulator, and have the same bounds."""

from __future__ import annotations

import numpy as np
import pytest

from analysis_core.expressions.bounds import WarpBound
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.simulate.running import kernel_of, run

HEAD = "#include <cute/tensor.hpp>\nusing namespace cute;\n//@ launch block=(256)\n//@ assume n == 64\n"
N = 64  # rows and columns of the matrices, in tiles of 32 by 32
TILES = """
    Tensor A = make_tensor(make_gmem_ptr(in), make_shape(n, n), make_stride(n, Int<1>{}));
    Tensor B = make_tensor(make_gmem_ptr(out), make_layout(make_shape(n, n), LayoutRight{}));
    auto gA = local_tile(A, make_shape(Int<32>{}, Int<32>{}), make_coord(blockIdx.x / 2, blockIdx.x % 2));
    auto gB = local_tile(B, Shape<_32, _32>{}, make_coord(blockIdx.x % 2, blockIdx.x / 2));
    auto threads = make_layout(make_shape(Int<8>{}, Int<32>{}), GenRowMajor{});
    auto tA = local_partition(gA, threads, threadIdx.x);
    auto tB = local_partition(gB, threads, threadIdx.x);
"""
THROUGH = """
    __shared__ float room[cosize_v<decltype(rows)>];
    auto sA = make_tensor(make_smem_ptr(room), rows);
    auto sB = make_tensor(make_smem_ptr(room), columns);
    copy(tA, local_partition(sA, threads, threadIdx.x));
    __syncthreads();
    copy(local_partition(sB, threads, threadIdx.x), tB);
"""
PLAIN = """
    int r = threadIdx.x / 32, c = threadIdx.x % 32, y = blockIdx.x / 2 * 32, x = blockIdx.x % 2 * 32;
"""
PLAIN_THROUGH = (
    PLAIN
    + """
    __shared__ float room[1056];
    for (int i = 0; i < 4; i++) room[PUT(r + 8 * i, c)] = in[(y + r + 8 * i) * n + x + c];
    __syncthreads();
    for (int i = 0; i < 4; i++) out[(x + r + 8 * i) * n + y + c] = room[PUT(c, r + 8 * i)];
"""
)


def through(shape: str, stride: str, swizzle: str = "") -> str:
    rows, columns = (
        f"make_layout(make_shape({shape}), make_stride({s}))" for s in (stride, ", ".join(stride.split(", ")[::-1]))
    )
    if swizzle:
        rows, columns = (f"composition({swizzle}{{}}, {layout})" for layout in (rows, columns))
    return f"{TILES} auto rows = {rows}; auto columns = {columns}; {THROUGH}"


def put(text: str) -> str:
    return PLAIN_THROUGH.replace("PUT(r + 8 * i, c)", text.replace("R", "(r + 8 * i)").replace("K", "c")).replace(
        "PUT(c, r + 8 * i)", text.replace("R", "c").replace("K", "(r + 8 * i)")
    )


PAIRS = {
    "copy by elements": (
        TILES + "for (int i = 0; i < size<0>(tA); i++) tB(i, 0) = tA(i, 0);",
        PLAIN
        + "for (int i = 0; i < 4; i++) out[(x + r + 8 * i) * n + y + c] = in[(y + r + 8 * i) * n + x + c];",
    ),
    "transpose by columns of threads": (
        TILES.replace("GenRowMajor", "GenColMajor") + "copy(tA, tB);",
        "int r = threadIdx.x % 8, c = threadIdx.x / 8, y = blockIdx.x / 2 * 32, x = blockIdx.x % 2 * 32;"
        "for (int i = 0; i < 4; i++) out[(x + r + 8 * i) * n + y + c] = in[(y + r + 8 * i) * n + x + c];",
    ),
    "through shared memory": (through("Int<32>{}, Int<32>{}", "Int<32>{}, Int<1>{}"), put("R * 32 + K")),
    "through padded rows": (through("Int<32>{}, Int<32>{}", "Int<33>{}, Int<1>{}"), put("R * 33 + K")),
    "through swizzled rows": (
        through("Int<32>{}, Int<32>{}", "Int<32>{}, Int<1>{}", "Swizzle<5, 0, 5>"),
        put("((R * 32 + K) ^ R)"),
    ),
    "through a weaker swizzle": (
        through("Int<32>{}, Int<32>{}", "Int<32>{}, Int<1>{}", "Swizzle<2, 2, 3>"),
        put("((R * 32 + K) ^ (((R * 32 + K) & 96) >> 3))"),
    ),
    "with a guard by coordinates": (
        TILES
        + """
    auto cA = local_tile(make_identity_tensor(A.shape()), Shape<_32, _32>{}, make_coord(blockIdx.x / 2, blockIdx.x % 2));
    auto tC = local_partition(cA, threads, threadIdx.x);
    for (int i = 0; i < size<0>(tC); i++)
      if (get<0>(tC(i, 0)) < 60 && get<1>(tC(i, 0)) < 50) tB(i, 0) = tA(i, 0);""",
        PLAIN
        + """for (int i = 0; i < 4; i++)
      if (y + r + 8 * i < 60 && x + c < 50) out[(x + r + 8 * i) * n + y + c] = in[(y + r + 8 * i) * n + x + c];""",
    ),
    "four elements of a thread at once": (
        """
    auto a = local_tile(make_tensor(make_gmem_ptr(in), make_shape(n * n)), make_shape(_4{}), make_coord(blockIdx.x * 256 + threadIdx.x));
    auto b = local_tile(make_tensor(make_gmem_ptr(out), make_shape(n * n)), make_shape(_4{}), make_coord(blockIdx.x * 256 + threadIdx.x));
    auto r = make_tensor_like(a);
    copy(a, r);
    copy(r, b);""",
        "((float4 *)out)[blockIdx.x * 256 + threadIdx.x] = ((const float4 *)in)[blockIdx.x * 256 + threadIdx.x];",
    ),
    "a swizzle keeps two elements side by side, and not four": (
        """
    auto l = make_layout(make_shape(Int<256>{}, Int<4>{}), LayoutRight{});
    auto s = composition(Swizzle<3, 1, 4>{}, l);
    __shared__ float room[1024];
    auto mine = make_tensor(make_smem_ptr(room), s)(threadIdx.x, _);
    copy(make_tensor(make_gmem_ptr(in), l)(threadIdx.x, _), mine);
    __syncthreads();
    out[threadIdx.x] = room[threadIdx.x];""",
        """
    __shared__ float room[1024];
    for (int j = 0; j < 4; j += 2) {
      int k = 4 * threadIdx.x + j;
      *(float2 *)&room[k ^ ((k & 224) >> 4)] = *(const float2 *)&in[k];
    }
    __syncthreads();
    out[threadIdx.x] = room[threadIdx.x];""",
    ),
    "numbers count through nested modes": (
        """
    auto l = make_layout(make_shape(make_shape(Int<4>{}, Int<8>{}), Int<8>{}), make_stride(make_stride(Int<1>{}, Int<32>{}), Int<4>{}));
    make_tensor(make_gmem_ptr(out + 256 * blockIdx.x), l)(threadIdx.x) = make_tensor(make_gmem_ptr(in), l)(threadIdx.x % 32, threadIdx.x / 32);""",
        """
    int k = threadIdx.x % 4 + threadIdx.x / 4 % 8 * 32 + threadIdx.x / 32 * 4;
    out[256 * blockIdx.x + k] = in[k];""",
    ),
}  # fmt: skip


def kernel(body: str) -> str:
    return f"{HEAD}__global__ void k(float *out, const float *in, int n) {{ {body} }}"


def bounds_of(text: str) -> dict[str, WarpBound]:
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(), strict=True)
    (one,) = report.kernels
    bounds = one.launches[0].facts.bounds
    assert bounds is not None
    return {name: bound.per_warp for name, bound in bounds.metrics.items()}


@pytest.mark.parametrize("name", PAIRS)
def test_costs_and_stores_are_those_of_plain_indices(name: str) -> None:
    ours, plain = (bounds_of(kernel(body)) for body in PAIRS[name])
    seen = []
    for body in PAIRS[name]:
        arrays = {"out": np.zeros(N * N, np.float32), "in": np.arange(N * N, dtype=np.float32), "n": N}
        outcome = run(kernel_of(kernel(body)), 256, 4, arrays)
        assert not outcome.faults and outcome.arrays["out"].any()
        counted = outcome.warps.by_name()
        seen.append((outcome.arrays["out"], {m: counted[m].tolist() for m in ("sectors", "conflicts")}))
    assert np.array_equal(seen[0][0], seen[1][0])
    assert seen[0][1] == seen[1][1]
    for metric in ("sectors", "conflicts"):
        upper = ours[metric].upper
        assert upper is not None
        assert str(upper) == str(plain[metric].upper), metric
        assert ours[metric].exact == plain[metric].exact
