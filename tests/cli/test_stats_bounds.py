"""The statistics of bounds, from bounds made by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from analysis_core.cli.statistics.as_json import as_json
from analysis_core.cli.statistics.bounds import all_together, bound_lines, bound_numbers, bounds_as_json
from analysis_core.cli.statistics.markdown import markdown
from analysis_core.cli.statistics.text import table
from analysis_core.cli.stats import numbers_of
from analysis_core.expressions.bounds import KernelBounds
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.findings.model import FileReport
from analysis_core.requests.facts import KernelFacts
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.workspace.memory import forget_peak, peak_megabytes
from tests.report.bound_samples import metric, transpose, withheld
from tests.report.samples import FILE, access, facts


def by_lp() -> KernelFacts:
    """One bound by a linear program and none on splits; half a second in the solver."""
    found = metric("sectors", 8)
    solved = replace(found, per_warp=replace(found.per_warp, method="lp"))
    bounds = KernelBounds({"sectors": solved, "divergences": withheld("divergences")}, solver_seconds=0.5)
    return facts(access(), bounds=bounds).facts


def test_what_is_counted() -> None:
    numbers = all_together([bound_numbers([facts(bounds=transpose()).facts, facts().facts]), bound_numbers([by_lp()])])
    assert bound_lines(numbers, 2.0) == [
        "bounds found 4 of 5 (80.0%), exact 2 (40.0%), solved by LP 1 (25.0%)",
        "launches with a bound on every metric 1 (50.0%)",
        "time in the solver 0.50 s (25.0%)",
        "  sectors            found 2 (100.0%), exact 1 (50.0%)",
        "  conflicts          found 1 (100.0%), exact 1 (100.0%)",
        "  divergences        found 1 (50.0%), exact 0 (0.0%)",
    ]
    told = bounds_as_json(numbers)
    assert told["methods"] == {"closed form": 3, "lp": 1} and told["withheld"] == {"nothing bounds the loop": 1}
    assert (told["cells"], told["found"], told["exact"], told["launches"], told["complete"]) == (5, 4, 2, 2, 1)


def test_before_there_are_bounds_all_is_zero() -> None:
    numbers = numbers_of(FileReport(FILE, (), ()), 0.1)
    assert any(line.startswith("bounds found 0") for line in table([numbers]))
    told = as_json([numbers])["bounds"]
    assert isinstance(told, dict) and told["found"] == told["cells"] == 0


CODE = b"""__global__ void first(float *a) { a[8 * threadIdx.x] = 1; }
__global__ void second(float *a, const int *p) { if (p[threadIdx.x] | 3) a[p[threadIdx.x]] = 1; }
void run(float *a, int *p) { first<<<1, 256>>>(a); second<<<1, 256>>>(a, p); }
"""


def test_json_and_markdown_tell_the_same() -> None:
    report = analyse_file("a.cu", MemoryFiles({"a.cu": CODE}), Settings(hints=True), strict=True)
    told = as_json([numbers_of(report, 0.5, 3, 64.0), numbers_of(FileReport(FILE, (), ()), 0.1, 997, 32.0)])
    assert (told["files"], told["kernels"], told["lines"]) == (2, 2, 1000)
    assert told["findings"]["WC101"] == {"count": 2, "per_1000_lines": 2.0}
    assert told["file_megabytes"] == {"median": 64.0, "p90": 64.0, "p95": 64.0, "p99": 64.0, "max": 64.0}
    assert [row["kernel"] for row in told["slowest"]] and set(told["stages"]) >= {"syntax", "interp", "cost"}
    assert json.loads(json.dumps(told)) == told
    page = markdown(told)
    assert page[0] == "# warpcost: 2 kernels in 2 files"
    assert "| WC101 |      2 |            2.00 |" in page
    assert "| MB per file   |" in "\n".join(page) and "## Slowest kernels" in page
    tables = [line for line in page if line.startswith("|")]
    assert tables and all(line.endswith(" |") for line in tables)
    lines = table([numbers_of(report, 0.5, 3, 64.0)])
    assert "memory per file: median 64 MB, p95 64 MB, max 64 MB" in lines
    assert any(line.endswith(" a.cu: first") for line in lines)


def test_nothing_at_all_has_statistics() -> None:
    told = as_json([])
    assert told["kernel_ms"] is None and told["file_megabytes"] is None
    assert markdown(told)[:3] == ["# warpcost: 0 kernels in 0 files", "", markdown(told)[2]]


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="memory is told on Linux")
def test_the_peak_of_memory_is_seen_and_forgotten() -> None:
    held = bytearray(b"x" * (64 << 20))
    before = peak_megabytes()
    assert before is not None and before > len(held) / 2**20
    del held
    forget_peak()
    after = peak_megabytes()
    assert after is not None and after < before - 32
