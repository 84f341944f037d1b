"""Operations (ir/operations.py): hand counts of well-known kernels, and bounds that no simulated run breaks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from analysis_core.expressions import expression as ex
from analysis_core.interp.interpret import interpret
from analysis_core.ir.operations import NAMES, is_operation
from analysis_core.lp.kernel_bounds import kernel_bounds
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.program.launch import Launch
from analysis_core.requests.evaluate import evaluate
from analysis_core.simulate.arguments import LaunchRequest
from analysis_core.simulate.run import simulate
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.lp.bounds_cases import CASES, Case
from tests.lp.bounds_check import Bounded, bounded, ends, values_of
from tests.lp.test_bounds_hold import broken_bounds
from tests.properties.kernels.generator import program
from tests.properties.kernels.printing import print_program
from tests.simulate.random_launches import Tally, kernel_of, launches, run
from tests.simulate.running import argument, shape

SOME = (
    "flops",
    "bytes",
    "instructions",
    "requests",
    "bytes.shared",
    "divisions",
    "barriers",
    "flops.fma",
    "requests.local",
)

HAND = {
    "matmul": (
        """//@ launch block=(16,16) grid=(n/16,n/16)
//@ assume n % 16 == 0 && n >= 16
__global__ void matmul(float *c, const float *a, const float *b, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}""",
        # a multiply-add for each k of each element; two loads for each, and a store
        lambda n: {"flops": 2 * n**3, "flops.fma": 2 * n**3, "bytes": 8 * n**3 + 4 * n**2, "requests": (2 * n + 1) * n**2 // 32},
        (16, 16, 1),
        lambda n: (n // 16, n // 16, 1),
    ),
    "tiled": (
        """//@ launch block=(16,16) grid=(n/16,n/16)
//@ assume n % 16 == 0 && n >= 16
__global__ void tiled(float *c, const float *a, const float *b, int n) {
    __shared__ float s[16][16], t[16][16];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n / 16; k++) {
        s[threadIdx.y][threadIdx.x] = a[y * n + k * 16 + threadIdx.x];
        t[threadIdx.y][threadIdx.x] = b[(k * 16 + threadIdx.y) * n + x];
        __syncthreads();
        for (int j = 0; j < 16; j++) sum += s[threadIdx.y][j] * t[j][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = sum;
}""",
        lambda n: {"flops": 2 * n**3, "bytes": n**3 // 2 + 4 * n**2, "bytes.shared": n**3 // 2 + 8 * n**3, "barriers": n**3 // 16**3 * 16},
        (16, 16, 1),
        lambda n: (n // 16, n // 16, 1),
    ),
    "reduction": (
        """//@ launch block=(256) grid=(n/256)
//@ assume n % 256 == 0 && n >= 256
__global__ void reduction(float *out, const float *in, int n) {
    __shared__ float s[256];
    s[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}""",
        # 255 additions in a block; all elements are read, and one is written for each block
        lambda n: {"flops": n // 256 * 255, "flops.add.f32": n // 256 * 255, "bytes": 4 * n + n // 64, "bytes.shared": 4 * n + n // 256 * (12 * 255 + 4)},
        (256, 1, 1),
        lambda n: (n // 256, 1, 1),
    ),
    "stencil": (
        """//@ launch block=(128) grid=(n/128)
//@ assume n % 128 == 0 && n >= 128
__global__ void stencil(double *out, const double *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i + 1] = 0.25 * in[i] + 0.5 * in[i + 1] + 0.25 * in[i + 2];
}""",
        # 0.25 * a, then two multiply-adds
        lambda n: {"flops": 5 * n, "flops.f64": 5 * n, "flops.f32": 0, "flops.fma.f64": 4 * n, "flops.mul": n, "bytes": 32 * n},
        (128, 1, 1),
        lambda n: (n // 128, 1, 1),
    ),
    "softmax": (
        """//@ launch block=(32) grid=(m)
//@ assume n % 32 == 0 && n >= 32 && m >= 1
__global__ void softmax(float *out, const float *in, int m, int n) {
    const float *row = in + blockIdx.x * n;
    float most = -1e30f, sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += 32) most = fmaxf(most, row[i]);
    for (int d = 16; d > 0; d /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, d));
    for (int i = threadIdx.x; i < n; i += 32) sum += expf(row[i] - most);
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, d);
    for (int i = threadIdx.x; i < n; i += 32) out[blockIdx.x * n + i] = expf(row[i] - most) / sum;
}""",
        # of each element: difference, exponential, sum; difference, exponential, quotient; of each lane 5 sums.  Three loads, a store.  m is 3.
        lambda n: {"flops": 3 * (6 * n + 160), "flops.special": 6 * n, "flops.div": 3 * n, "flops.add": 3 * (3 * n + 160), "bytes": 48 * n,
                   "calls.expf": 6 * n // 32},
        (32, 1, 1),
        lambda n: (3, 1, 1),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HAND)
def test_hand_counts(name: str) -> None:
    text, count, block, grid = HAND[name]
    asked = tuple(count(256))
    found = bounded(text, name, block, asked)
    for n in (256, 512):
        arrays = {
            p: np.ones(n * n + 2, np.float64 if name == "stencil" else np.float32) for p in ("out", "in", "a", "b", "c")
        }
        wanted = {v.name for v in found.kernel.variables if v.parameter}
        values: Mapping[str, object] = {
            key: argument(value) for key, value in ({**arrays, "n": n, "m": 3}).items() if key in wanted
        }
        size = n // 8 if name in ("matmul", "tiled") else n
        request = LaunchRequest(block, grid(size), {**values, "n": size}, operations=asked)  # type: ignore[arg-type]
        outcome = simulate(found.kernel, request)
        for one, hand in count(size).items():
            total = found.bounds.metrics[one].per_launch
            assert total.exact and total.upper is not None, one
            at = {"n": size, "m": 3, **{f"gridDim.{axis}": extent for axis, extent in zip("xyz", request.grid)}}
            assert ex.evaluate(total.upper, at) == hand, one
            assert int(outcome.warps.operations[one].sum()) == hand, one


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.kernel)
def test_bounds_of_operations_hold(case: Case) -> None:
    found = bounded(case.text(), case.kernel, shape(case.block), SOME)
    assert _broken(case, found, range(2)) == []


def _broken(case: Case, found: Bounded, seeds: range) -> list[str]:
    wrong = []
    for seed in seeds:
        request = replace(case.request(seed), operations=SOME)
        outcome = simulate(found.kernel, request)
        values = values_of(found, request, outcome)
        wrong += [f"seed {seed}: {end} with {values}" for end in ends(found, request, outcome) if end.broken]
    return wrong


def _examine(seed: int) -> int:
    p = program(seed)
    text = print_program(p)[0]
    metrics = {one: {one: 1} for one in SOME}
    kernel, settings = kernel_of(text), Settings(kernel_seconds=20.0, metrics=metrics)
    launch = Launch(p.block, (None, None, None), "option", None, ())
    events = interpret(kernel, launch, settings)
    facts = evaluate(kernel, launch, events).facts
    bounds, compared = kernel_bounds(kernel, launch, events, facts, settings), 0
    for request in launches(p, kernel, 2):
        outcome = run(kernel, replace(request, operations=SOME), Tally())
        if outcome is None or (outcome.wrapped and any("wrap around" in a.text for a in facts.assumptions)):
            continue
        values = {name: v for name, v in request.arguments.items() if isinstance(v, int)}
        values |= {f"gridDim.{axis}": extent for axis, extent in zip("xyz", request.grid)}
        values |= {name: outcome.rounds.get(loop, 0) for name, loop in events.trips}
        found = list(broken_bounds(bounds, outcome, values))
        assert not found, f"seed {seed}, block {p.block}, {values}\n{text}\n" + "\n".join(found)
        compared += 1
    return compared


def test_no_bound_is_broken() -> None:
    assert sum(_examine(seed) for seed in range(600_000, 600_012)) > 5


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(610_000, 610_300, 20))
def test_no_bound_is_broken_at_night(first: int) -> None:
    for seed in range(first, first + 20):
        _examine(seed)


def test_names() -> None:
    assert all(map(is_operation, NAMES)) and is_operation("calls.ns::f") and not is_operation("calls.")
    assert not any(map(is_operation, ("flop", "flops.f8", "sectors", "calls.1", "bytes.local.f32")))


def test_contracts_about_operations() -> None:
    """They hold, and are broken by a run that counts them, of kernels and of statements."""
    text = """//@ launch block=(256) grid=(n/256)
//@ assume n % 256 == 0 && n >= 256
//@ expect flops == 2048
//@ expect flops <= 3
__global__ void k(float *o, const float *a, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float s = a[i];
    //@ expect flops <= 3
    for (int j = 0; j < 32; j++) s = s * 2.0f + 1.0f;
    //@ expect dram == 128
    o[i] = s;
}"""
    settings = Settings(metrics={"flops": {"flops": 1}, "dram": {"sectors": 32}})
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), settings, strict=True)
    found = [f.message for f in report.kernels[0].findings if f.check in ("WC501", "WC901")]
    assert len(found) == 2 and all("pays 2048 with n = 256" in message for message in found), found
