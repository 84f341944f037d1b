"""Lanes of one atomic on one address: `contention`, under its own name and never as a bank conflict (docs/hardware.md)."""

from __future__ import annotations

import pytest

from analysis_core.interp.interpret import interpret
from analysis_core.pipeline.pipeline import lower, read
from analysis_core.program.launch import Launch
from analysis_core.requests.evaluate import evaluate
from analysis_core.requests.facts import AccessFact
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

HEAD = """
__global__ void k(int *a, unsigned long long *big, const int *in, const unsigned char *bytes, int n, int w) {
    __shared__ unsigned s[256];
    int t = threadIdx.x, y = threadIdx.y;
"""

CASES = [
    # statement, block, contention, worst cost, excess
    ("atomicAdd(&a[0], 1);", (64, 1, 1), 32, 1, 0),
    ("atomicAdd(&a[t], 1);", (64, 1, 1), 1, 4, 0),
    ("atomicAdd(&a[t / 4], 1);", (64, 1, 1), 4, 1, 0),
    ("atomicAdd(&a[t % 4], 1);", (64, 1, 1), 8, 1, 0),
    ("atomicAdd(&big[t / 2], 1ull);", (64, 1, 1), 2, 4, 0),
    ("if (t % 2) atomicAdd(&a[t / 8], 1);", (64, 1, 1), 4, 1, 0),
    ("if (t == n) atomicAdd(&a[0], 1);", (64, 1, 1), 1, 1, 0),
    ("if (t < n) atomicAdd(&a[0], 1);", (64, 1, 1), 32, 1, 0),
    # Rows may coincide: the pitch may be 0.
    ("atomicAdd(&a[y * w + t], 1);", (16, 2, 1), 2, 5, 1),
    ("atomicAdd(&a[y * w + t / 2], 1);", (16, 2, 1), 4, 3, 1),
    ("atomicAdd(&a[t * w], 1);", (64, 1, 1), 32, 32, 28),
    # Addresses by data: a histogram.
    ("atomicAdd(&a[in[t]], 1);", (64, 1, 1), 32, 32, 28),
    ("atomicAdd(&a[bytes[t] & 15], 1);", (64, 1, 1), 32, 2, 1),
    ("atomicAdd(&s[bytes[t]], 1u);", (256, 1, 1), 32, 8, 7),
    ("atomicAdd(&s[bytes[t / 32]], 1u);", (256, 1, 1), 32, 1, 0),
]


def access(statement: str, block: tuple[int, int, int]) -> AccessFact:
    text, settings = HEAD + statement + "}", Settings(kernel_seconds=60.0)
    kernel = lower(read("k.cu", MemoryFiles({"k.cu": text.encode()}), settings), settings).kernels[0]
    launch = Launch(block, (None, None, None), "option", None, ())
    facts = evaluate(kernel, launch, interpret(kernel, launch, settings)).facts
    (fact,) = (f for f in facts.accesses if f.contention is not None)
    return fact


@pytest.mark.parametrize("case", CASES, ids=[c[0] for c in CASES])
def test_contention(case: tuple[str, tuple[int, int, int], int, int, int]) -> None:
    statement, block, contention, worst, excess = case
    fact = access(statement, block)
    assert (fact.contention, fact.worst, fact.excess) == (contention, worst, excess)


MEETINGS = [
    # statement, block, lanes of a warp and threads of a block that surely have one address
    ("atomicAdd(&a[0], 1);", (64, 1, 1), (32, 64)),
    ("atomicAdd(&a[n], 1);", (64, 2, 1), (32, 128)),
    ("atomicAdd(&a[t], 1);", (64, 1, 1), (1, 1)),
    ("atomicAdd(&a[t], 1);", (64, 2, 1), (1, 2)),
    ("atomicAdd(&a[t % 4], 1);", (64, 1, 1), (8, 16)),
    ("atomicAdd(&a[t / 4], 1);", (64, 1, 1), (4, 4)),
    ("atomicAdd(&a[y * w + t], 1);", (16, 2, 1), (1, 1)),
    ("atomicAdd(&a[t * w], 1);", (64, 1, 1), (1, 1)),
    ("atomicAdd(&a[in[t]], 1);", (64, 1, 1), (1, 1)),
    ("atomicAdd(&a[in[t / 8]], 1);", (64, 1, 1), (8, 8)),
    ("atomicAdd(&a[in[y]], 1);", (32, 2, 1), (32, 32)),
    ("atomicAdd(&a[in[n]], 1);", (64, 1, 1), (32, 64)),
    ("if (t % 2) atomicAdd(&a[n], 1);", (64, 1, 1), (16, 32)),
    # Those that exclude each other do not meet.
    ("if (t / 32 == n) atomicAdd(&a[0], 1);", (96, 1, 1), (32, 32)),
    ("if (t / 4 == n) atomicAdd(&a[0], 1);", (64, 1, 1), (4, 4)),
    ("if (t == n) atomicAdd(&a[0], 1);", (1024, 1, 1), (1, 1)),
]


@pytest.mark.parametrize("case", MEETINGS, ids=[f"{c[0]} {c[1]}" for c in MEETINGS])
def test_meetings(case: tuple[str, tuple[int, int, int], tuple[int, int]]) -> None:
    statement, block, meets = case
    assert access(statement, block).meets == meets
