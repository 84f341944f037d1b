"""Loops, branches and accesses of kernels as people write them, alone: no warp pays more there than the bounds of that part say, and the dearest no less."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from analysis_core.contracts.paid import paid_within
from analysis_core.contracts.part import part_of
from analysis_core.contracts.replay import paid_by_warps
from analysis_core.expressions import expression as ex
from analysis_core.expressions.bounds import KernelBounds
from analysis_core.interp.interpret import interpret
from analysis_core.ir.nodes import If, Kernel, Load, Loop, Store
from analysis_core.ir.operations import asked_by
from analysis_core.ir.walk import statements_of
from analysis_core.lp.kernel_bounds import bounds_of
from analysis_core.pipeline.pipeline import analyse_file, lower, read
from analysis_core.program.launch import choose_launches
from analysis_core.requests.evaluate import evaluate
from analysis_core.simulate.run import simulate
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.text.span import Span
from tests.lp.bounds_cases import CASES, Case
from tests.simulate.running import shape

WEIGHED = {
    "flops": {"flops": 1},
    "asked": {"bytes": 1, "bytes.shared": 1},
    "issued": {"instructions": 1, "divisions": 9},
    "mixed": {"requests": 1, "requests.shared": 1, "barriers": 5, "atomics": 3, "sectors": 2},
}
METRICS = ("sectors", "excessive_sectors", "wavefronts", "conflicts", *WEIGHED, "divergences")


def _parts(kernel: Kernel) -> Iterator[Span]:
    for stmt in statements_of(kernel):
        match stmt:
            case If(whole=whole) | Loop(whole=whole):
                yield whole
            case Load(access=access) | Store(access=access):
                yield access.span
            case _:
                pass


def _check(case: Case, seeds: range, most: int) -> list[str]:
    block, wrong = shape(case.block), []
    settings = Settings(default_blocks=(block, block, block), kernel_seconds=30.0, metrics=WEIGHED)
    module = lower(read("k.cu", MemoryFiles({"k.cu": case.text().encode()}), settings), settings, strict=True)
    kernel = next(k for k in module.kernels if k.name == case.kernel)
    (launch,) = choose_launches(kernel, settings)
    events = interpret(kernel, launch, settings)
    facts, warps = evaluate(kernel, launch, events).facts, -(-int(np.prod(block)) // 32)
    parts = list(dict.fromkeys(span for span in _parts(kernel) if kernel.span.encloses(span)))
    for place in parts[:: max(1, len(parts) // most)]:
        found = bounds_of(kernel, launch, events, settings, METRICS, place)
        splits, counted = (part_of(kernel, place, metric, settings) for metric in ("divergences", "issued"))
        assert isinstance(found, KernelBounds) and splits is not None and counted is not None and not counted.mixed
        for seed in seeds:
            request = case.request(seed)
            outcome = simulate(
                kernel, replace(request, counted=counted.counted, weighed=counted.weighed, operations=asked_by(WEIGHED))
            )
            values = {name: v for name, v in request.arguments.items() if isinstance(v, int)}
            values |= {f"gridDim.{axis}": extent for axis, extent in zip("xyz", request.grid, strict=True)}
            values |= {name: outcome.rounds.get(loop, 0) for name, loop in events.trips}
            own = paid_within(facts, place)
            for metric in METRICS if not splits.mixed else METRICS[:-1]:
                costs = np.array(paid_by_warps(outcome.warps, metric, settings))
                bound, seen, blocks = found.metrics[metric], int(costs.max()), costs.reshape(-1, warps).sum(axis=1)
                for what, paid, upper, lower_ in (
                    ("warp", seen, bound.per_warp.upper, bound.per_warp.worst_lower),
                    ("block", int(blocks.max()), bound.per_block.upper, bound.per_block.lower),
                    ("launch", int(blocks.sum()), bound.per_launch.upper, bound.per_launch.lower),
                    ("facts", seen, own.get(metric), ex.ZERO),
                ):
                    if (upper is not None and ex.evaluate(upper, values) < paid) or ex.evaluate(lower_, values) > paid:
                        wrong.append(
                            f"{case.kernel} {place} {metric} per {what}: {paid}, {upper}, {lower_} with {values}"
                        )
    return wrong


@pytest.mark.parametrize("case", CASES[::4], ids=lambda case: case.kernel)
def test_bounds_of_parts_hold(case: Case) -> None:
    assert _check(case, range(2), 3) == []


@pytest.mark.nightly
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.kernel)
def test_bounds_of_parts_hold_for_many_parameters(case: Case) -> None:
    assert _check(case, range(12), 12) == []


TEXT = """
__device__ float roll(float x, int m) { for (int i = 0; i < m; i++) x = x * 1.5f + 1.0f; return x; }
//@ launch block=(64) grid=(n/64)
//@ assume n % 64 == 0 && n >= 64
__global__ void k(float *a, const float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    //@ expect flops == 2 * 16 * 64 per_block
    for (int j = 0; j < 16; j++) s += b[i] * b[j];
    //@ expect flops == n per_launch
    s = s + 1.0f;
    //@ expect flops == 64 * 6 per_block
    //@ expect rolls == 1
    s = roll(s, 3);
    //@ expect flops <= 15
    //@ expect rolls <= 0
    a[i] = i % 2 ? s * 2.0f : s;
}"""


def test_operations_of_a_statement_are_those_that_stand_there_or_are_called() -> None:
    metrics = {"flops": {"flops": 1}, "rolls": {"calls.roll": 1}}
    report = analyse_file("k.cu", MemoryFiles({"k.cu": TEXT.encode()}), Settings(metrics=metrics), strict=True)
    found = [(one.text, one.standing.value) for one in report.kernels[0].launches[0].profile.contracts]
    assert [standing for _, standing in found] == [*["holds"] * 4, "violated", "holds"], found
