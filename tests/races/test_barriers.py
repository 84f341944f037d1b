"""What barriers are said to order, on kernels whose barriers were put there for a reason, and for none."""

from __future__ import annotations

import pytest

from analysis_core.races.barriers import orderings
from analysis_core.races.verdicts import Ordering
from analysis_core.support.fuel import RACES, Fuel
from tests.races.test_verdicts import events_of, kernels_of, report_of

KERNEL = """
//@ launch block=({block})
__global__ void k(float *a, float *b, float *__restrict__ c, unsigned *done, int n) {{
    __shared__ float s[256];
    int t = threadIdx.x;
    {body}
}}
"""


def barriers_of(body: str, block: int = 256) -> tuple[Ordering, ...]:
    """What is known of the barriers of a kernel with this body."""
    (kernel,) = kernels_of(KERNEL.format(body=body, block=block))
    return orderings(kernel, events_of(kernel), report_of(kernel), Fuel.of(RACES))


@pytest.mark.parametrize(
    ("body", "idle"),
    [
        ("s[t] = a[t]; __syncthreads(); a[t] = s[t];", [True]),
        ("s[t] = a[t]; __syncthreads(); a[t] = s[255 - t];", [False]),
        ("s[t] = a[t]; __syncthreads(); __syncthreads(); a[t] = s[255 - t];", [True, False]),
        ("s[t] = a[t]; b[t] = s[t]; __syncthreads(); a[t] = b[255 - t];", [False]),
        ("for (int k = 0; k < n; k++) { s[t] = a[k]; __syncthreads(); b[k] = s[255 - t]; __syncthreads(); }", [False] * 2),
        ("for (int k = 0; k < n; k++) { s[t] = a[k]; __syncthreads(); a[256 * k + t] += s[t]; }", [False]),
        ("for (int k = 0; k < n; k++) { s[t] = b[k]; __syncthreads(); c[256 * k + t] += s[t]; }", [True]),
        ("s[t] = a[t]; if (n > 5) __syncthreads(); a[t] = s[t];", [True]),
        ("s[t] = a[t]; if (t > 5) __syncthreads(); a[t] = s[t];", [False]),
        ("s[t] = a[t]; __syncthreads(); a[t] = s[t ^ n];", [False]),
        ("s[t] = a[t]; __syncthreads(); if (t == 0) atomicAdd(done, 1u); a[t] = s[t];", [False]),
        ("s[t] = b[t]; a[t] = 3; __syncthreads(); a[t] += s[t];", [False]),
        ("s[t] = b[t]; c[t] = 3; __syncthreads(); c[t] += s[t];", [True]),
        ("s[t] = a[t]; __threadfence(); __syncthreads(); a[t] = s[t];", [False]),
        ("s[t] = a[t]; if (__syncthreads_or(a[t] > 0)) a[t] = s[t];", []),
    ],
)  # fmt: skip
def test_idle(body: str, idle: list[bool]) -> None:
    assert [barrier.is_idle for barrier in barriers_of(body)] == idle


def test_of_a_lone_warp_nothing_is_idle_that_lanes_exchange() -> None:
    (barrier,) = barriers_of("s[t] = a[t]; __syncthreads(); a[t] = s[31 - t];", block=32)
    assert not barrier.is_idle


def test_pairs_are_those_that_no_other_barrier_keeps_apart() -> None:
    first, second = barriers_of("s[t] = a[t]; __syncthreads(); float x = s[255 - t]; __syncthreads(); s[t] = x;")
    assert [tuple(place.text for place in pair) for pair in first.pairs] == [("s[t]", "s[255 - t]")]
    assert [tuple(place.text for place in pair) for pair in second.pairs] == [("s[255 - t]", "s[t]")]
