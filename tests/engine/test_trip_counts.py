"""Trip counts are said in the kernel's own symbols, never as the end of a type's range."""

from __future__ import annotations

import pytest

from analysis_core.expressions.expression import integer, to_text
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.engine.interpreted import events_of


@pytest.mark.parametrize(
    ("loop", "times"),
    [
        ("for (int i = 0; i < n; i++)", "n"),
        ("for (int i = threadIdx.x; i < n; i += 256)", "ceil(n/256)"),
        ("for (int i = 0; i < blockIdx.x; i++)", "gridDim.x - 1"),
        ("for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 256 * gridDim.x)", "ceil(n/(256*gridDim.x))"),
        ("for (int i = 0; i < table[0]; i++)", "T2"),
        ("for (int i = 0; i < table[threadIdx.x]; i++)", "T2"),
        ("for (int i = n; i > 0; i -= 2)", "ceil(n/2)"),
        ("for (int t = threadIdx.x, i = t * 8; i < min(t * 8 + 8, n); i++)", "min(8, n)"),
    ],
)
def test_times_of_an_access_in_a_loop(loop: str, times: str) -> None:
    text = f"__global__ void k(float *a, const int *table, int n) {{\n    {loop}\n        a[i] = 0;\n}}\n"
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(), strict=True)
    (launch,) = report.kernels[0].launches
    (access,) = (a for a in launch.facts.accesses if a.text == "a[i]")
    assert access.times is not None
    assert to_text(access.times) == times


def test_a_signed_counter_that_is_compared_as_unsigned_is_assumed_not_to_wrap() -> None:
    text = "__global__ void k(float *p, unsigned m) { for (int i = 10; i >= m; i--) if (p[i] > 0) break; }"
    told = [assumption.text for assumption in events_of(text).assumptions]
    assert "the loop counter `i` does not wrap around" in told


def test_a_start_that_is_an_unsigned_sum_is_assumed_not_to_wrap() -> None:
    text = """__global__ void k(float *q, const int *start, int chunk, int n) {
        for (int i = start[blockIdx.x] + blockIdx.x * chunk + threadIdx.x; i < n; i += 64) q[i] = 1;
    }"""
    facts = (
        analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(), strict=True).kernels[0].launches[0].facts
    )
    (loop,) = facts.branches
    assert loop.splits.upper == integer(1)
    assert "the loop counter `i` does not wrap around" in [assumption.text for assumption in facts.assumptions]


@pytest.mark.parametrize(
    ("start", "test", "times"),
    [
        ("unsigned j = n - 1", "j > 0", "max(0, n - 1)"),
        ("unsigned long long j = n - 1", "j > 0", "max(0, n - 1)"),
        ("unsigned j = n - 1", "j", "max(0, n - 1)"),
        ("unsigned j = n - m", "j != 0", "max(0, n - m)"),
        ("unsigned j = n - 1", "j != m", "max(0, n - 1 - m)"),
        ("unsigned j = n - 1", "j <= n", "T1"),
        ("unsigned j = n * 2654435761u - 1", "j > 0", "T1"),
        ("unsigned j = 3 - blockIdx.x", "j > 0", "T1"),
        ("unsigned j = threadIdx.x - 32", "j > 0", "4294967295"),
    ],
)
def test_a_start_that_is_a_difference_of_sizes_is_assumed_not_to_wrap(start: str, test: str, times: str) -> None:
    text = f"__global__ void k(float *p, unsigned n, unsigned m) {{ {start}; while ({test}) {{ p[j] += p[n]; j--; }} }}"
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(), strict=True)
    facts = report.kernels[0].launches[0].facts
    (access,) = (a for a in facts.accesses if a.text == "p[n]")
    assert access.times is not None
    assert to_text(access.times) == times
    told = "the loop counter `j` does not wrap around" in [assumption.text for assumption in facts.assumptions]
    assert told or times == "T1"


def test_what_is_counted_up_to_a_number_may_pass_it() -> None:
    """A number of rounds that memory may end: nothing says that the counter meets what it is compared with."""
    text = """__global__ void k(float *p, unsigned n, unsigned m) {
        for (unsigned j = n; j != m; j++) { if (p[j] > p[m]) break; }
    }"""
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(), strict=True)
    times = [a.times for a in report.kernels[0].launches[0].facts.accesses if a.times is not None]
    assert {to_text(t) for t in times} <= {"T2", "1 + T2"}


def test_what_a_hash_function_gives_is_meant_to_wrap() -> None:
    """Lanes of one warp may start on either side of the end of the range, and then leave at different times."""
    text = """__global__ void k(float *q, unsigned key, int n) {
        for (int i = key * 2654435761u + threadIdx.x; i < n; i += 64) q[i & 1023] = 1;
    }"""
    facts = (
        analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(), strict=True).kernels[0].launches[0].facts
    )
    (loop,) = facts.branches
    assert loop.splits.upper != integer(1)
