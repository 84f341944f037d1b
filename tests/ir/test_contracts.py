"""What kernels say of their own block and parameters: strides of indexes, assertions, `__builtin_assume`."""

from __future__ import annotations

import pytest

from analysis_core.program.launch import choose_launches
from analysis_core.support.settings import Settings
from tests.ir.calls_support import only
from tests.lp.kernels import bounds_of, shown

SHAPES = [
    ("int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y; p[y * n + x] = 1;", (32, 8, 1)),
    ("int tx = threadIdx.x, ty = 8 * threadIdx.y; p[(blockIdx.y * 16 + ty) * n + blockIdx.x * 64 + tx] = 1;", (64, 2, 1)),
    ("int id = threadIdx.y * 32 + threadIdx.x; p[id] = 1;", (32, 8, 1)),
    ("int id = threadIdx.y * 33 + threadIdx.x; p[id] = 1;", (16, 16, 1)),
    ("p[threadIdx.y * 64 + threadIdx.x + n] = 1;", (16, 16, 1)),
    ("int x = blockIdx.x * 1024 + threadIdx.x; p[x] = 1;", (256, 1, 1)),
    ("int w = n; w = 4; int x = blockIdx.x * w + threadIdx.x; p[x + threadIdx.y] = 1;", (16, 16, 1)),
    ("assert(blockDim.x == 64); p[threadIdx.x] = 1;", (64, 1, 1)),
    ("const int W = 4; assert(W == blockDim.x && blockDim.y == 8); p[threadIdx.x + threadIdx.y + threadIdx.z] = 1;", (4, 8, 8)),
    ("assert(blockDim.x == n); p[threadIdx.x] = 1;", (256, 1, 1)),
    ("assert(blockDim.x == 5000); p[threadIdx.x] = 1;", (256, 1, 1)),
    ("__shared__ float t[16][16]; int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;"
     " t[threadIdx.y / 2][threadIdx.x / 2] = 1; p[y * n + x] = 1;", (32, 32, 1)),
    ("__shared__ double t[64]; t[threadIdx.x * 8 + threadIdx.y] = 1;", (8, 8, 1)),
    ("__shared__ float t[128]; t[threadIdx.y * 32 + threadIdx.x] = 1;", (32, 4, 1)),
    ("__shared__ float t[2048]; t[threadIdx.y * 32 + threadIdx.x] = 1;", (16, 16, 1)),
    ("__shared__ float t[64]; t[threadIdx.x * 8 + threadIdx.y + n] = 1;", (16, 16, 1)),
    ("__shared__ float t[100]; t[threadIdx.x * 8 + threadIdx.y] = 1;", (8, 16, 1)),
]  # fmt: skip


@pytest.mark.parametrize(("body", "block"), SHAPES)
def test_shapes_that_indexes_take_for_granted(body: str, block: tuple[int, int, int]) -> None:
    kernel = only(f"\n__global__ void k(float *p, int n) {{ {body} }}")
    (launch,) = choose_launches(kernel, Settings())
    assert launch.block == block
    assert launch.source == ("shape" if block not in ((16, 16, 1), (256, 1, 1)) else "default")


def test_launches_that_are_seen_win() -> None:
    kernel = only(
        "\n__global__ void k(float *p) { int id = threadIdx.y * 32 + threadIdx.x; p[id] = 1; }"
        " void f(float *p) { k<<<1, dim3(64, 2)>>>(p); }"
    )
    (launch,) = choose_launches(kernel, Settings())
    assert (launch.block, launch.source) == ((64, 2, 1), "call")


PROMISES = [
    ("__builtin_assume(n % 32 == 0); __builtin_assume(n >= 32); GUARDED", True),
    ("int i = threadIdx.x; __builtin_assume(n % 32 == 0 && n >= 32); GUARDED", True),
    ("if (n > 5) __builtin_assume(n % 32 == 0 && n >= 32); GUARDED", False),
    ("if (n > 5) return; __builtin_assume(n % 32 == 0 && n >= 32); GUARDED", False),
    ("n += 3; __builtin_assume(n % 32 == 0 && n >= 32); GUARDED", False),
    ("int m = n; __builtin_assume(m % 32 == 0 && m >= 32); GUARDED", False),
    ("assert(n % 32 == 0 && n >= 32); GUARDED", False),
]


@pytest.mark.parametrize(("body", "used"), PROMISES)
def test_promises_of_every_thread_hold_for_the_kernel(body: str, used: bool) -> None:
    guarded = "int x = blockIdx.x * blockDim.x + threadIdx.x; if (x < n) p[x] = 1;"
    found = bounds_of(f"__global__ void k(float *p, int n) {{ {body.replace('GUARDED', guarded)} }}")
    bound = found.metrics["sectors"].per_warp
    assert (bound.exact, shown(bound.upper)) == (used, "4")
