"""Weighted metrics of the user's, from the settings file to whatever shows figures."""

from __future__ import annotations

import json
from pathlib import Path

from analysis_core.expressions import expression as ex
from analysis_core.expressions.bounds import MetricBound
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.findings.model import KernelReport
from analysis_core.report.hover_kernel import hover_kernel
from analysis_core.report.kernel_line import kernel_text, lens
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.text.span import Span
from analysis_core.workspace.settings_file import read_settings
from tests.harness import copied

TOML = b"""
[metrics.dram]
sectors = 32
conflicts = 1

[metrics]
both = { sectors = 1, conflicts = 1 }
"""

ARMS = """
__global__ void k(float *a, int flag) {
    __shared__ float s[1024];
    if (flag > 0)
        a[32 * threadIdx.x] = 1.0f;
    else
        s[32 * threadIdx.x] = 1.0f;
}
"""

SETTINGS = read_settings("warpcost.toml", TOML, Settings(block=(32, 1, 1))).settings


def analysed(text: str) -> KernelReport:
    return analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), SETTINGS, strict=True).kernels[0]


def bound(kernel: KernelReport, metric: str) -> MetricBound:
    bounds = kernel.launches[0].facts.bounds
    assert bounds is not None
    return bounds.metrics[metric]


def where(span: Span) -> str:
    return "here"


def test_a_sum_of_metrics_is_bounded_as_one() -> None:
    kernel = analysed(ARMS)
    parts = [bound(kernel, name).per_warp.upper for name in ("sectors", "conflicts", "both", "dram")]
    assert [ex.to_text(part) for part in parts if part is not None] == ["32", "31", "32", "1024"]


def test_what_is_exact_stays_exact() -> None:
    kernel = analysed("__global__ void k(float *a) { a[2 * threadIdx.x] = a[threadIdx.x]; }")
    found = bound(kernel, "dram")
    assert found.per_warp.exact and found.per_warp.upper == ex.integer(12 * 32)
    assert found.per_launch.exact
    assert [ex.to_text(place.cost) for place in found.places] == ["128", "256"]


def test_cards_lenses_and_lines_show_them_always() -> None:
    kernel = analysed("__global__ void k(float *a, int n) { for (int i = 0; i < n; i++) a[32 * i + threadIdx.x] = 1; }")
    card = hover_kernel(kernel, SETTINGS, where)
    assert "most expensive warp: **4*n sectors** (ideal), no divergences, **dram 128*n**" in card.replace("\n", " ")
    assert "| dram " in card and "| both " in card
    line = lens(kernel, SETTINGS, where)
    assert line is not None and line.title == "warp: 4*n sectors (ideal) | dram 128*n | both 4*n"
    text = kernel_text(kernel, SETTINGS)
    assert text is not None and "both 4*n per warp" in text and "dram 128*gridDim.x*gridDim.y*gridDim.z*n" in text


def test_a_metric_without_bound_says_so() -> None:
    kernel = analysed("__device__ int outside(int); __global__ void k(int *a) { a[threadIdx.x] = outside(1); }")
    assert bound(kernel, "dram").per_warp.upper is None
    line = lens(kernel, SETTINGS, where)
    assert line is not None and "no bound on dram" in line.title


def test_the_command_line_reads_them(tmp_path: Path) -> None:
    (tmp_path / "warpcost.toml").write_bytes(TOML)
    (tmp_path / "k.cu").write_text(ARMS)
    path = str(tmp_path / "k.cu")
    done = copied.done("analysis_core", "check", "--format", "json", path, cwd=tmp_path)
    found = json.loads(done.stdout)["files"][0]["kernels"][0]["launches"][0]["bounds"]
    assert found["both"]["per_warp"]["upper"] == "32" and found["dram"]["per_warp"]["upper"] == "1024"
    done = copied.done("analysis_core", "stats", path, cwd=tmp_path)
    assert b"  both               found 1 (100.0%)" in done.stdout
    done = copied.done("analysis_core", "explain", "--stage", "lp", path, cwd=tmp_path)
    assert b"both: at most 32" in done.stdout
