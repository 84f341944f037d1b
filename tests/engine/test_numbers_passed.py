"""What a kernel pays with the numbers that all launches in view pass: a case of its bounds, held against the simulator."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from analysis_core.expressions.bounds import BoundCase, SumBound, WarpBound
from analysis_core.expressions.expression import constant
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.findings.model import KernelReport
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.simulate.running import kernel_of, run

SOURCE = (Path(__file__).parents[1] / "kernels" / "precision" / "numbers_passed.cu").read_text(encoding="utf-8")


def report_of(source: str, name: str) -> KernelReport:
    report = analyse_file("k.cu", MemoryFiles({"k.cu": source.encode()}), Settings(), strict=True)
    return next(kernel for kernel in report.kernels if kernel.name == name)


def case_of(part: WarpBound | SumBound) -> BoundCase:
    (found,) = [case for case in part.cases if case.when == "n == 512"]
    assert found.exact
    return found


@pytest.mark.parametrize("name", ["sums", "sums_apart"])
def test_the_case_is_what_the_simulator_counts(name: str) -> None:
    bounds = report_of(SOURCE, name).launches[0].facts.bounds
    assert bounds is not None
    arrays = {"out": np.zeros(512, np.float32), "in": np.ones(512, np.float32)}
    warps = run(kernel_of(SOURCE, name), 256, 1, {**arrays, "n": 512}, shared_bytes=4096).warps
    for metric in ("sectors", "conflicts", "divergences"):
        counted = warps.by_name()[metric]
        bound = bounds.metrics[metric]
        each = bound.per_warp if bound.per_warp.exact else case_of(bound.per_warp)
        total = bound.per_launch if bound.per_launch.exact else case_of(bound.per_launch)
        assert each.upper is not None and constant(each.upper) == counted.max()
        assert total.upper is not None and constant(total.upper) == counted.sum()


def test_launches_that_pass_different_numbers_have_no_such_case() -> None:
    profile = report_of(SOURCE, "sums_of_any").launches[0].profile
    assert profile.at_numbers is None
    assert profile.facts.bounds is not None
    assert all(
        "==" not in case.when.replace("% 32 ==", "")
        for case in profile.facts.bounds.metrics["conflicts"].per_warp.cases
    )
