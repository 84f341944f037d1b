"""Block-size independence: by hand, and against runs of all kernels of the fixtures for which it is proved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from analysis_core.advice.independence import Depends, thread_program
from analysis_core.ir.nodes import Kernel
from analysis_core.races.runs import argument
from analysis_core.simulate.arguments import LaunchRequest
from analysis_core.simulate.binding import BadArguments
from analysis_core.simulate.faults import FaultKind
from analysis_core.simulate.machine import Stopped
from analysis_core.simulate.run import simulate
from tests.advice.variants import variants

KERNELS = Path(__file__).parents[1] / "kernels"
GLOBAL = "int i = blockIdx.x * blockDim.x + threadIdx.x;"


def program(body: str, block: tuple[int, int, int] = (64, 1, 1)) -> tuple[str, ...] | Depends:
    text = f"__global__ void k(float *a, const float *b, const int *at, int n, int w) {{ {body} }}"
    (kernel,) = variants(text).kernels()
    return thread_program(kernel, block)


@pytest.mark.parametrize(
    "body",
    [
        f"{GLOBAL} if (i < n) a[i] = b[i];",
        "int t = threadIdx.x; int i = blockDim.x * blockIdx.x; i += t; if (i >= n) return; a[2 * i + 1] = b[at[i]];",
        f"{GLOBAL} int row = i / w, col = i % w; a[col * n + row] = b[i];",
        f"{GLOBAL} float s = 0; for (int j = 0; j < w; j++) s += b[i * w + j]; a[i] = s;",
        f"{GLOBAL} for (int j = i; j < n; j += blockDim.x * gridDim.x) a[j] = 2 * b[j];",
        f"{GLOBAL} for (int j = i; j < n; j += gridDim.x * blockDim.x) {{ float x = b[j]; a[j] = x * x; }}",
        f"{GLOBAL} int p = i * w; while (p < n) {{ a[p] = 1; p += 7; if (at[p] > 3) break; }}",
        f"{GLOBAL} float x; if (b[i] > 0) x = 1; else x = b[i + 1]; a[i] = x;",
        f"{GLOBAL} atomicAdd(&a[at[i]], 1.0f);",
        f"{GLOBAL} float own[4]; for (int j = 0; j < 4; j++) own[at[j] & 3] = b[i]; a[i] = own[2];",
    ],
)  # fmt: skip
def test_the_same_in_any_block(body: str) -> None:
    found = program(body)
    assert not isinstance(found, Depends), found
    assert found == program(body, (256, 1, 1)) == program(body, (32, 1, 1))


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("a[threadIdx.x] = 1;", "without `blockIdx.x`"),
        ("a[blockIdx.x] = 1;", "without `threadIdx.x`"),
        (f"{GLOBAL} a[i] = threadIdx.x;", "without `blockIdx.x`"),
        (f"{GLOBAL} if (threadIdx.x == 0) a[i] = 1;", "without `blockIdx.x`"),
        ("a[blockIdx.x * 256 + threadIdx.x] = 1;", "256*`blockIdx.x`"),
        (f"{GLOBAL} a[i + blockDim.x] = 1;", "`blockDim.x`"),
        (f"{GLOBAL} a[i] = gridDim.x;", "`gridDim.x`"),
        (f"{GLOBAL} float s = 0; for (int j = i; j < n; j += blockDim.x * gridDim.x) s += b[j]; a[i] = s;", "round"),
        (f"{GLOBAL} float s = 0; for (int j = i; j < n; j += blockDim.x * gridDim.x) {{ s += b[j]; a[j] = s; }}", "round before"),
        (f"{GLOBAL} int j = i; for (; j < n; j += blockDim.x * gridDim.x) a[j] = 1; a[j] = 2;", "last round"),
        (f"{GLOBAL} for (int j = i; j < n; j += blockDim.x) a[j] = 1;", "`blockDim.x`"),
        (f"{GLOBAL} a[i] = b[i]; __syncthreads(); a[i] += b[i];", "wait for each other"),
        (f"__shared__ float s[1024]; {GLOBAL} s[threadIdx.x] = b[i]; a[i] = 1;", "without `blockIdx.x`"),
        (f"__shared__ float s[1024]; {GLOBAL} s[i] = b[i]; a[i] = 1;", "shared by the threads"),
        (f"{GLOBAL} a[i] = __shfl_sync(~0u, b[i], 0);", "tell each other"),
        (f"{GLOBAL} int p = atomicAdd((int *)a, 1); a[p] = b[i];", "order in which threads"),
        (f"{GLOBAL} unknown(a); a[i] = 1;", "unknown"),
        ("int i = threadIdx.x; for (int j = 0; j < n; j++) { a[i] = 1; i += blockDim.x; }", "block"),
    ],
)  # fmt: skip
def test_it_depends_on_the_block(body: str, why: str) -> None:
    found = program(body)
    assert isinstance(found, Depends)
    assert why in found.why


def test_a_number_that_only_fits_one_block() -> None:
    body = "int i = blockIdx.x * 256 + threadIdx.x; a[i] = b[i];"
    assert not isinstance(program(body, (256, 1, 1)), Depends)
    assert isinstance(program(body, (128, 1, 1)), Depends)


def test_other_constants_are_other_programs() -> None:
    assert program(f"{GLOBAL} a[i + 256] = 1;") != program(f"{GLOBAL} a[i + 128] = 1;")
    assert program(f"{GLOBAL} if (i < 256) a[i] = 1;") != program(f"{GLOBAL} if (i < 128) a[i] = 1;")


# --- against runs -------------------------------------------------------------------------------------------------

_PAIRS = (((64, 1, 1), (4, 1, 1)), ((128, 1, 1), (2, 1, 1))), (((16, 8, 1), (2, 2, 1)), ((32, 4, 1), (1, 4, 1)))
"""Two launches of as many threads along each axis."""

_HARMLESS = {FaultKind.RACE_IN_WARP, FaultKind.SIGNED_OVERFLOW}


def _kernels() -> Iterator[tuple[str, Kernel]]:
    for path in sorted(KERNELS.rglob("*.cu")):
        for kernel in variants(path.read_text(encoding="utf-8", errors="surrogateescape")).kernels():
            yield f"{path.name}: {kernel.instantiation or kernel.name}", kernel


def _ran(kernel: Kernel, block: tuple[int, int, int], grid: tuple[int, int, int]) -> dict[str, np.ndarray] | None:
    arguments = {v.name: argument(v.type, None, 100, True) for v in kernel.variables if v.parameter}
    try:
        run = simulate(kernel, LaunchRequest(block, grid, arguments, rounds=2000, statements=4000))
    except (Stopped, BadArguments):
        return None
    return None if any(one.kind not in _HARMLESS for one in run.faults) else dict(run.arrays)


@pytest.mark.nightly
def test_proved_kernels_leave_the_same_in_memory() -> None:
    proved = held = 0
    for name, kernel in _kernels():
        for launches in _PAIRS:
            programs = [thread_program(kernel, block) for block, _ in launches]
            if isinstance(programs[0], Depends) or programs[0] != programs[1]:
                continue
            proved += 1
            runs = [_ran(kernel, block, grid) for block, grid in launches]
            if runs[0] is None or runs[1] is None:
                continue
            held += 1
            for array, values in runs[0].items():
                assert np.array_equal(values.view(np.uint8), runs[1][array].view(np.uint8)), f"{name}, `{array}`"
    assert proved > 300
    assert held > 200
