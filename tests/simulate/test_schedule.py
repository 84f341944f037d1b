"""Work, span and what a greedy schedule takes: W/P + S bounds it, simulated and inferred."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from analysis_core.simulate.arguments import Alias, Argument, ArrayArgument, LaunchRequest
from analysis_core.simulate.machine import Stopped
from analysis_core.simulate.run import Outcome, simulate
from analysis_core.simulate.schedule import BARRIER, Operation, greedy
from tests.compiled.claims import claims
from tests.compiled.evaluation import evaluated
from tests.compiled.launches import Sample, samples
from tests.compiled.program.generate import unit
from tests.compiled.unit import Unit, texts_of
from tests.simulate.random_launches import UNDEFINED
from tests.simulate.running import kernel_of, run

INTS = np.arange(4096, dtype=np.int32)
_ROOM = 1 << 16


def of(outcome: Outcome, warps: int, processors: int = 4) -> tuple[int, int]:
    """What the schedule took, and W/P + S of the block with most work."""
    assert outcome.cycles is not None
    work = int(outcome.warps.steps.reshape(-1, warps).sum(axis=1).max())
    return outcome.cycles, -(-work // processors) + outcome.span


# --- by hand ----------------------------------------------------------------------------------------------------------


def test_operations_follow_each_other_and_share_slots() -> None:
    one = Operation(1, 4)
    assert greedy([[one, one]], 4) == 8
    assert greedy([[Operation(1, 4, 2)]], 4) == 8
    assert greedy([[one]] * 4, 4) == 4
    assert greedy([[one]] * 5, 4) == 5  # the fifth issues a cycle later
    assert greedy([[Operation(3, 400)], [Operation(3, 400)]], 1) == 403
    assert greedy([], 4) == 0


def test_at_a_barrier_all_wait_for_the_slowest() -> None:
    slow, fast = Operation(1, 400), Operation(1, 4)
    assert greedy([[slow, BARRIER, fast], [fast, BARRIER, slow]], 4) == 800
    assert greedy([[slow, fast], [fast, slow]], 4) == 404
    assert greedy([[slow], [fast, BARRIER, fast]], 4) == 404  # who has ended has come


TWO_WRITES = """
__global__ void k(int *a) {
    int t = threadIdx.x;
    if (t < 32) a[t] = 1;
    __syncthreads();
    if (t >= 32) a[t] = 2;
}"""


def test_two_writes_around_a_barrier() -> None:
    """Each warp writes once, and the block waits for two writes."""
    outcome = run(kernel_of(TWO_WRITES), 64, 1, {"a": INTS}, schedule=True)
    writes = 2 * 403
    assert writes < outcome.span < writes + 80
    took, bound = of(outcome, 2)
    assert writes < took <= bound
    span = claims(TWO_WRITES, (64, 1, 1))["work_span"]["span"]
    assert outcome.span <= int(span) < writes + 100
    apart = run(kernel_of(TWO_WRITES.replace("__syncthreads();", "")), 64, 1, {"a": INTS})
    assert apart.span < 403 + 80


@pytest.mark.parametrize(
    ("body", "span"),
    [
        ("for (int i = 0; i < n; i++) { if (t < 32) a[t] = 1; __syncthreads(); if (t >= 32) a[t] = 2; __syncthreads(); }", 806),
        ("for (int i = 0; i < n; i++) { if (t < 32) a[t] = 1; __syncthreads(); }", 403),
        ("for (int i = 0; i < n; i++) { if (t < 32) a[t] = 1; if (t >= 32) a[t] = 2; }", 403),
        ("for (int i = 0; i < n; i++) { __syncthreads(); if (t < 32) a[t] = 1; } if (t >= 32) a[t] = 1;", 403),
    ],
)  # fmt: skip
def test_rounds_with_barriers_are_added_up(body: str, span: int) -> None:
    """`span`: cycles of the requests of a round."""
    text = f"__global__ void k(int *a, int n) {{ int t = threadIdx.x; {body} }}"
    said = claims(text, (64, 1, 1))["work_span"]["span"]
    for n in (1, 5, 20):
        outcome = run(kernel_of(text), 64, 1, {"a": INTS, "n": n})
        most = evaluated(said, {"n": n})
        assert n * span < outcome.span <= most < (n + 1) * (span + 100)


def test_a_block_whose_warps_take_turns_is_bounded_by_its_tree() -> None:
    text = """
__global__ void k(float *a) {
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d >>= 1) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) a[0] = s[0];
}"""
    outcome = run(kernel_of(text), 128, 2, {"a": np.zeros(128, np.float32)}, schedule=True)
    took, bound = of(outcome, 4)
    assert took <= bound
    said = claims(text, (128, 1, 1))["work_span"]
    assert outcome.span <= int(said["span"]) <= outcome.span + 40
    assert took <= int(said["schedule"])


# --- at random --------------------------------------------------------------------------------------------------------


def _launch(u: Unit, sample: Sample) -> LaunchRequest:
    arguments: dict[str, Argument] = {}
    rng = np.random.default_rng(sample.seed)
    for number, array in enumerate(u.arrays):
        contents = rng.integers(array.low, array.high, _ROOM, dtype=np.uint8, endpoint=True)
        arguments[f"room{number}"] = ArrayArgument(contents)
        arguments[array.name] = Alias(f"room{number}", _ROOM // 2)
    arguments |= {n.name: value for n, value in zip(u.numbers, sample.values, strict=True)}
    return LaunchRequest(u.block, sample.grid, arguments, rounds=400, overflow=True, keep=frozenset(), schedule=True)


def _holds(seed: int) -> int:
    """How many launches of a generated kernel were compared."""
    u = unit(seed)
    cuda = texts_of(u).cuda
    said, kernel = claims(cuda, u.block), kernel_of(cuda)
    x, y, z = u.block
    compared = 0
    for sample in samples(replace(u, launches=3)):
        try:
            outcome = simulate(kernel, _launch(u, sample))
        except Stopped:
            continue
        took, bound = of(outcome, -(-x * y * z // 32))
        assert took <= bound, (seed, cuda)
        if any(fault.kind in UNDEFINED for fault in outcome.faults):
            continue
        numbers = {n.name: value for n, value in zip(u.numbers, sample.values, strict=True)}
        numbers |= {f"gridDim_{axis}": size for axis, size in zip("xyz", sample.grid, strict=True)}
        if set(said["symbols"]) <= set(numbers) and said["work_span"]["schedule"] is not None:
            span = evaluated(said["work_span"]["span"], numbers)
            assert outcome.span <= span, (seed, cuda, outcome.span, said["work_span"]["span"], numbers)
            assert took <= evaluated(said["work_span"]["schedule"], numbers), (seed, cuda)
            compared += 1
    return compared


def test_no_schedule_takes_longer_than_work_and_span_say() -> None:
    assert sum(map(_holds, range(15))) > 10


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(50_000, 52_000, 100))
def test_no_schedule_takes_longer_at_night(first: int) -> None:
    assert sum(map(_holds, range(first, first + 100))) > 60


@pytest.mark.parametrize("seed", range(40))
def test_greedy_schedules_of_random_warps(seed: int) -> None:
    """Brent's bound, whatever the warps do between their barriers."""
    rng = random.Random(seed)
    barriers, processors = rng.randint(0, 3), rng.randint(1, 5)
    phases = [
        [[_operation(rng) for _ in range(rng.randint(0, 6))] for _ in range(barriers + 1)]
        for _ in range(rng.randint(1, 12))
    ]
    warps = [[op for i, phase in enumerate(warp) for op in ([BARRIER] if i else []) + phase] for warp in phases]
    work = sum(op.slots * op.times for warp in phases for phase in warp for op in phase)
    span = sum(max(sum(op.latency * op.times for op in warp[i]) for warp in phases) for i in range(barriers + 1))
    took = greedy(warps, processors)
    assert span <= took <= work / processors + span


def _operation(rng: random.Random) -> Operation:
    slots = rng.randint(1, 32)
    return Operation(slots, slots + rng.choice((0, 3, 20, 400)), rng.randint(1, 3))
