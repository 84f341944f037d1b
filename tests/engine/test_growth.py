"""Work grows with the text, and what multiplies ends: calls of functions are counted, so that no clock and no neighbour matters."""

from __future__ import annotations

import re
import sys
from itertools import pairwise
from pathlib import Path
from types import FrameType

import pytest

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.findings.model import FileReport
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.harness.growing import BOUNDED, LINEAR
from tests.harness.growing_constructs import CONSTRUCTS

KERNELS = Path(__file__).parents[1] / "kernels"

MOST_GROWTH = 2.3
"""Of the work, where the text doubles."""

MOST_CALLS = 9_000_000
"""Of functions, in some seconds of a slow machine."""


def work_of(text: str) -> tuple[int, FileReport]:
    """Calls of functions from text to findings."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        report = analyse_file("grown.cu", MemoryFiles({"grown.cu": text.encode()}), Settings(), strict=True)
    finally:
        sys.setprofile(None)
    return calls, report


@pytest.mark.parametrize("name", LINEAR)
def test_twice_the_text_is_twice_the_work(name: str) -> None:
    make, largest = LINEAR[name]
    start = max(2, min(largest // 16, 10))
    work_of(make(start))  # Modules are imported, tables made.
    counts = [work_of(make(start * step))[0] for step in (1, 2, 4, 8)]
    assert all(after <= MOST_GROWTH * before for before, after in pairwise(counts)), counts


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_twice_as_many_in_a_row_are_twice_the_work(name: str) -> None:
    construct = CONSTRUCTS[name]
    counts = [work_of(construct.source(construct.start * step))[0] for step in (1, 2, 4, 8)]
    assert all(after <= MOST_GROWTH * before for before, after in pairwise(counts)), counts


def test_each_construct_that_is_covered_grows() -> None:
    """Those of the matrix, and the meanings and ends of loops below it, by the names of their fixtures."""
    covered = (KERNELS / "COVERAGE.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\w+/(\w+)\.cu\b", covered)) == CONSTRUCTS.keys()


@pytest.mark.nightly
@pytest.mark.parametrize("name", BOUNDED)
def test_what_multiplies_ends(name: str) -> None:
    make, largest = BOUNDED[name]
    calls, report = work_of(make(largest))
    assert calls <= MOST_CALLS and len(report.kernels) == 1


@pytest.mark.parametrize(
    "name",
    [
        "endless fibonacci",
        "doubled structs",
        "struct arguments",
        "nested do",
        "nested do forever",
        "nested sizes, deeper",
    ],
)
def test_what_multiplies_is_left_out_and_said(name: str) -> None:
    make, largest = BOUNDED[name]
    (kernel,) = analyse_file(
        "grown.cu", MemoryFiles({"grown.cu": make(largest).encode()}), Settings(), strict=True
    ).kernels
    assert any("not analysed" in finding.message for finding in kernel.findings)
    bounds = kernel.launches[0].facts.bounds
    assert bounds is not None and bounds.metrics["sectors"].per_warp.upper is None
