"""What is counted: kernels computed by hand, the rules of docs/hardware.md, the published totals."""

from __future__ import annotations

import numpy as np
import pytest

from analysis_core.expressions import expression as ex
from analysis_core.ir.types import Space
from analysis_core.machine import global_memory, shared_memory
from analysis_core.simulate import request_cost
from analysis_core.simulate.counts import AccessCount, Request
from analysis_core.simulate.lanes import Lanes
from analysis_core.simulate.run import Outcome
from tests.lp.kernels import bounds_of
from tests.simulate.published import Row, rows, simulated
from tests.simulate.running import kernel_of, run

INTS = np.arange(4096, dtype=np.int32)


def access(outcome: Outcome, text: str, rw: str = "R") -> AccessCount:
    return next(a for a in outcome.accesses if a.text == text and a.rw == rw)


@pytest.mark.parametrize(
    ("index", "sectors", "ideal"),
    [("t", 4, 4), ("t + 1", 5, 4), ("8 * t", 32, 4), ("31 - t", 4, 4), ("0", 1, 1), ("t / 2", 2, 2), ("t % 3", 1, 1),
     ("t * t % 64", 8, 2)],
)  # fmt: skip
def test_sectors_of_one_warp(index: str, sectors: int, ideal: int) -> None:
    kernel = kernel_of(f"__global__ void k(const int *a, int *b) {{ int t = threadIdx.x; b[t] = a[{index}]; }}")
    outcome = run(kernel, 32, 1, {"a": INTS, "b": INTS})
    found = access(outcome, f"a[{index}]")
    distinct = len({eval(index.replace("/", "//"), {"t": t}) for t in range(32)})
    assert ideal == -(-distinct * 4 // 32)
    assert found.histogram == {Request(32, sectors, ideal): 1}
    assert found.space is Space.GLOBAL and found.excess.total == max(0, sectors - ideal)


@pytest.mark.parametrize(
    ("type", "index", "wavefronts", "ideal"),
    [("float", "t", 1, 1), ("float", "2 * t", 2, 1), ("float", "32 * t", 32, 1), ("float", "5", 1, 1),
     ("float", "33 * t", 1, 1), ("double", "t", 2, 2), ("double", "0", 1, 1), ("float4", "t", 4, 4),
     ("char", "t", 1, 1), ("short", "64 * t", 32, 1)],
)  # fmt: skip
def test_wavefronts_of_one_warp(type: str, index: str, wavefronts: int, ideal: int) -> None:
    kernel = kernel_of(
        f"__global__ void k() {{ __shared__ {type} s[2048]; int t = threadIdx.x; {type} v = s[0]; s[{index}] = v; }}"
    )
    found = access(run(kernel, 32), f"s[{index}]", "W")
    assert found.histogram == {Request(32, wavefronts, ideal): 1}
    assert found.space is Space.SHARED


@pytest.mark.parametrize("seed", range(60))
def test_costs_are_those_of_the_machine(seed: int) -> None:
    """The counting for many warps against the tables of the hardware, on random masks and addresses."""
    rng = np.random.default_rng(seed)
    width = int(rng.choice([1, 2, 4, 8, 16]))
    size = 32 * int(rng.integers(1, 6))
    mask = rng.random(size) < rng.choice([0.1, 0.5, 0.9, 1.0])
    mask[0] = True
    lanes = Lanes(size, None if mask.all() else np.flatnonzero(mask))
    pattern = rng.choice(["random", "near", "line", "falling"])
    numbers = {
        "random": rng.integers(0, 1 << 20, size),
        "near": rng.integers(0, 64, size),
        "line": np.arange(size) * int(rng.integers(0, 5)) + int(rng.integers(0, 9)),
        "falling": 1000 - np.arange(size) * int(rng.integers(1, 5)),
    }[pattern]
    everywhere = (numbers * width).astype(np.int64)
    addresses = lanes.take(everywhere)
    table, on = everywhere.reshape(-1, 32)[lanes.rows], mask.reshape(-1, 32)[lanes.rows]
    found = request_cost.global_costs(addresses, lanes, width)
    distinct = global_memory.distinct_addresses_many(table, on)
    np.testing.assert_array_equal(found.cost, global_memory.sectors_many(table, on, width))
    np.testing.assert_array_equal(found.ideal, [global_memory.ideal_sectors(int(d), width) for d in distinct])
    found = request_cost.shared_costs(addresses, lanes, width)
    np.testing.assert_array_equal(found.cost, shared_memory.wavefronts_many(table, on, width))
    ideal = [shared_memory.ideal_wavefronts(m, width, int(d)) for m, d in zip(on, distinct)]
    np.testing.assert_array_equal(found.ideal, ideal)
    contended = [global_memory.contention(a, m) for a, m in zip(table, on)]
    np.testing.assert_array_equal(request_cost.contention(addresses, lanes), contended)


def test_divergences() -> None:
    """An if splits a warp once per execution, a loop test where lanes leave apart, a switch its targets minus one;
    lanes that left split nothing later."""
    kernel = kernel_of(
        """__global__ void k(int *a) {
            int t = threadIdx.x;
            if (t % 2) a[t] = 1;
            for (int i = 0; i < t / 8; i++) a[t] += 1;
            switch (t % 4) { case 0: a[t] = 0; break; case 1: a[t] = 2; break; default: ; }
            if (t < 32) a[t] = 3;
            if (t >= 16) return;
            if (t < 16) a[t] = 4;
        }"""
    )
    outcome = run(kernel, 64, 1, {"a": INTS})
    assert outcome.warps.divergences.tolist() == [1 + 3 + 2 + 0 + 1 + 0, 1 + 3 + 2 + 0 + 0 + 0]
    by_kind = {(b.kind, b.executions.total, b.divergences.total) for b in outcome.branches}
    assert ("switch", 2, 4) in by_kind and ("loop", 4 + 8, 6) in by_kind


def test_logic_is_evaluated_under_the_refined_mask_and_splits_nothing() -> None:
    kernel = kernel_of(
        "__global__ void k(const int *a, int *b, int n) { int t = threadIdx.x; if (t < n && a[t] > 0) b[t] = 1; }"
    )
    outcome = run(kernel, 32, 1, {"a": INTS + 1, "b": INTS, "n": 8})
    assert access(outcome, "a[t]").histogram == {Request(8, 1, 1): 1}
    assert outcome.warps.divergences.tolist() == [1]


def test_steps_of_the_right_side_go_to_the_warps_that_evaluate_it() -> None:
    kernel = kernel_of("__global__ void k(int *b, int n) { int t = threadIdx.x; if (t < n && t > 3 * n) b[t] = 1; }")
    steps = run(kernel, 64, 1, {"b": INTS, "n": 32}).warps.steps
    assert steps[0] - steps[1] == 5  # t, >, 3, *, n


@pytest.mark.parametrize(
    ("body", "steps"),
    [("", 0), ("float x, y;", 2), ("float x[4];", 1), ("int x = 7;", 3), ("__shared__ float s[8];", 1), ("P p;", 1),
     ("for (int i = 0; i < 5; i++) { float x; }", 3 + 6 * 4 + 5 * (1 + 4)), ("if (threadIdx.x > 40) { int x, y, z; }", 4),
     ("f(); f();", 2 * 2), ("extern __shared__ float all[];", 0)],
)  # fmt: skip
def test_steps_of_declarations(body: str, steps: int) -> None:
    """One each time that it is reached; with an initialiser one more, and the initialiser (docs/hardware.md)."""
    text = f"struct P {{ int x; }}; __device__ void f() {{ int x; }} __global__ void k() {{ {body} }}"
    assert run(kernel_of(text), 64).warps.steps.tolist()[0] == steps
    bound = bounds_of(text, "k", (64, 1, 1)).metrics["steps"].per_warp
    assert bound.upper is not None and bound.min_lower is not None
    assert run(kernel_of(text), 64).warps.steps.max() == ex.evaluate(bound.upper, {})
    assert ex.evaluate(bound.min_lower, {}) == steps


def test_each_warp_and_the_span() -> None:
    kernel = kernel_of("__global__ void k(int *a) { for (int i = 0; i <= blockIdx.x; i++) a[threadIdx.x] = i; }")
    outcome = run(kernel, 64, 3, {"a": INTS})
    assert outcome.warps.sectors.tolist() == [4, 4, 8, 8, 12, 12]
    assert outcome.work == outcome.warps.steps.sum()
    # Steps by their own latency; three requests of four sectors: 400 cycles, and 1 for each further sector.
    alone = [steps - sectors for steps, sectors in zip(outcome.warps.steps, outcome.warps.sectors)]
    assert outcome.warps.latency.tolist() == [4 * a + 403 * (block // 2 + 1) for block, a in enumerate(alone)]
    assert outcome.span == 4 * (49 - 12) + 3 * 403
    assert (access(outcome, "a[threadIdx.x]", "W").cost.least, access(outcome, "a[threadIdx.x]", "W").cost.most) == (
        4,
        12,
    )


def test_contention_of_atomics() -> None:
    kernel = kernel_of("__global__ void k(int *a) { atomicAdd(&a[threadIdx.x / 5], 1); }")
    outcome = run(kernel, 32, 1, {"a": np.zeros(32, np.int32)})
    assert access(outcome, "a[threadIdx.x / 5]", "A").contention == 5


# --- published costs --------------------------------------------------------------------------------------------------

SMALL = {
    "vectorAdd": ({"numElements": 32768}, {"numElements": 122992}),
    "addSub2": ({"w": 256, "h": 256}, {"w": 512, "h": 512}),
    "addSub3": ({"w": 256, "h": 256}, {"w": 512, "h": 512}),
    "reduce0": ({"n": 1024}, {"n": 65536}),
    "reduce1": ({"n": 1024}, {"n": 65536}),
    "reduce2": ({"n": 1024}, {"n": 65536}),
    "reduce3": ({"n": 1024}, {"n": 65536}),
}


def published(kernel: str, sizes: dict[str, int]) -> list[Row]:
    return [row for row in rows() if row.kernel == kernel and dict(row.parameters) == sizes]


@pytest.mark.parametrize(("kernel", "sizes"), [(kernel, sizes) for kernel, all in SMALL.items() for sizes in all])
def test_profiled_totals_of_aligned_sizes(kernel: str, sizes: dict[str, int]) -> None:
    found = simulated(kernel, sizes)
    compared = published(kernel, sizes)
    assert any(row.total is not None for row in compared)
    for row in compared:
        if row.total is not None:
            assert found.total[row.metric] == row.total, row
        # The paper counts the right side of `s[t] = sum = sum + ...` twice.
        if row.warp0 is not None and (row.kernel, row.metric) != ("reduce3", "steps"):
            assert found.warp0[row.metric] == row.warp0, row


@pytest.mark.parametrize("kernel", ["matrixMul", "matrixMulTranspose"])
def test_profiled_totals_of_matrix_products(kernel: str) -> None:
    """A launch of 100 blocks, represented by three of them."""
    found = simulated(kernel, {"wA": 320}, most_lanes=4096)
    for row in published(kernel, {"wA": 320}):
        if row.warp0 is not None:
            assert found.warp0[row.metric] == row.warp0, row
        if row.total is not None:
            assert found.total[row.metric] == pytest.approx(row.total, rel=0.002), row


@pytest.mark.parametrize(
    ("kernel", "sizes"),
    [("vectorAdd", {"numElements": 32769}), ("matrixMulBad", {"wA": 97}), ("reduce3", {"n": 8192})],
)
def test_blocks_stand_for_those_that_cost_the_same(kernel: str, sizes: dict[str, int]) -> None:
    whole, part = simulated(kernel, sizes), simulated(kernel, sizes, most_lanes=0)
    assert part.run < whole.run == whole.blocks == part.blocks
    assert part.total == whole.total
    assert part.warp0 == whole.warp0


def test_steps_that_hardware_md_gives() -> None:
    assert simulated("vectorAdd", {"numElements": 4096}).warp0["steps"] == 27
    steps = [simulated("addSub2", {"w": 32, "h": h}).warp0["steps"] for h in (0, 2, 20)]
    assert steps == [14, 14 + 60, 14 + 600]
    assert simulated("reduce0", {"n": 1024}).warp0["steps"] == 237


def test_constant_memory_costs_no_sectors_when_it_is_given_contents() -> None:
    source = "__constant__ int c[4]; __global__ void k(int *a) { a[threadIdx.x] = c[threadIdx.x & 3]; }"
    outcome = run(kernel_of(source), 32, 1, {"a": np.zeros(32, np.int32), "c": np.arange(4, dtype=np.int32)})
    assert outcome.warps.sectors.tolist() == [4]
    assert outcome.arrays["a"].tolist() == list(range(4)) * 8
