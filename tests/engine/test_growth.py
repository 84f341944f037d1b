"""Work grows with the text, and what multiplies ends: calls of functions are counted, so that no clock and no neighbour matters."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from types import FrameType

import pytest

from analysis_core.interp.core import assumptions
from analysis_core.interp.interpret import interpret
from analysis_core.pipeline import pipeline
from analysis_core.pipeline.pipeline import analyse_file, load
from analysis_core.program import lower
from analysis_core.program.launch import choose_launches
from analysis_core.report.findings.model import FileReport
from analysis_core.support import fuel
from analysis_core.support.facts import CONDENSED
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.harness.growing import BOUNDED, LARGEST, LINEAR
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


SIZES = pytest.mark.parametrize("sizes", [(1, 2, 4), pytest.param((4, 8), marks=pytest.mark.nightly)], ids=str)
"""How often the smallest text of a construct is repeated."""


@pytest.fixture
def no_races(monkeypatch: pytest.MonkeyPatch) -> None:
    """Races are of pairs, as many as their account allows: that ends, and does not grow with the text."""
    monkeypatch.setattr(pipeline, "may_race", lambda kernel: False)


MOST_RACES = 3_000_000
"""Calls of functions that looking for races in one kernel may take."""


def test_races_end_with_their_account(monkeypatch: pytest.MonkeyPatch) -> None:
    make = CONSTRUCTS["array_1d"]
    source = make.source(make.start * 32)
    work_of(source)  # Modules are imported.
    whole = work_of(source)[0]
    monkeypatch.setattr(pipeline, "may_race", lambda kernel: False)
    assert whole - work_of(source)[0] < MOST_RACES


@SIZES
@pytest.mark.usefixtures("no_races")
@pytest.mark.parametrize("name", LINEAR)
def test_twice_the_text_is_twice_the_work(name: str, sizes: Sequence[int]) -> None:
    make, largest = LINEAR[name]
    start = max(2, min(largest // 16, 10))
    work_of(make(start))  # Modules are imported, tables made.
    counts = [work_of(make(start * size))[0] for size in sizes]
    assert all(after <= MOST_GROWTH * before for before, after in pairwise(counts)), counts


@SIZES
@pytest.mark.usefixtures("no_races")
@pytest.mark.parametrize("name", CONSTRUCTS)
def test_twice_as_many_in_a_row_are_twice_the_work(name: str, sizes: Sequence[int]) -> None:
    construct = CONSTRUCTS[name]
    counts = [work_of(construct.source(construct.start * size))[0] for size in sizes]
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
    assert any("not analysed" in finding.message.lower() for finding in kernel.findings)
    bounds = kernel.launches[0].facts.bounds
    assert bounds is not None and bounds.metrics["sectors"].per_warp.upper is None


def test_launches_of_a_kernel_share_its_account() -> None:
    """Of loops that are executed round by round, eight launches together execute no more than the kernel may."""
    sites = "".join(f"k<<<1, {32 * (n + 1)}>>>(a); " for n in range(8))
    text = f"__global__ void k(int *a) {{ for (int i = 0; i < 1000; i++) a[i] = i; }} void r(int *a) {{ {sites} }}"
    settings = Settings(kernel_seconds=0.1)
    _, module = load("grown.cu", MemoryFiles({"grown.cu": text.encode()}), settings)
    (kernel,) = module.kernels
    rounds = [len(interpret(kernel, launch, settings).accesses) for launch in choose_launches(kernel, settings)]
    statements = settings.kernel_seconds * fuel.INTERPRETING * fuel.UNITS_PER_SECOND / fuel.STATEMENT
    assert len(rounds) == 8 and statements / 4 <= sum(rounds) <= statements


def test_a_long_kernel_is_analysed_at_fewer_launches() -> None:
    sites = "".join(f"k<<<1, {32 * (n + 1)}>>>(a); " for n in range(4))
    text = f"__global__ void k(int *a) {{ a[0] = 1; a[1] = 2; a[2] = 3; }} void r(int *a) {{ {sites} }}"
    _, module = load("grown.cu", MemoryFiles({"grown.cu": text.encode()}), Settings())
    further = 2 * 3 * fuel.FOLLOWED / fuel.UNITS_PER_SECOND / fuel.FURTHER  # two, of three accesses each
    launches = choose_launches(module.kernels[0], Settings(kernel_seconds=further))
    assert len(launches) == 3
    assert all("128, since the kernel is too long" in launch.assumptions[-1].text for launch in launches)


def test_kernels_of_one_text_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first as a whole, some more without bounds, others not: which is said, once."""
    monkeypatch.setattr(lower, "WHOLE_KERNELS", 2)
    monkeypatch.setattr(lower, "REPEATED_KERNELS", 4)
    text = """#if __INCLUDE_LEVEL__ < 3
#include "grown.cu"
#endif
#define CC(a, b) a##b
#define C(a, b) CC(a, b)
__global__ void C(k, __COUNTER__)(int *a, int n) { a[threadIdx.x * n] = n; }
__global__ void C(m, __COUNTER__)(int *a, int n) { a[threadIdx.x * n] = n; }
"""
    report = analyse_file("grown.cu", MemoryFiles({"grown.cu": text.encode()}), Settings(), strict=True)
    bounded = [kernel.launches[0].facts.bounds is not None for kernel in report.kernels]
    assert bounded == [True, True, False, False, False, False]
    said = [finding.message for finding in report.findings if finding.check == "WC900"]
    assert (
        len(said) == 2
        and "2 kernels of this file" in said[0]
        and "3 kernels that a text makes once more, of 8" in said[0]
    ), said


@pytest.mark.parametrize("name", ["early returns", "breaks"])
def test_conditions_that_are_forgotten_are_told_of(name: str) -> None:
    make, _ = LARGEST[name]
    report = analyse_file("grown.cu", MemoryFiles({"grown.cu": make(40).encode()}), Settings(bounds=False), strict=True)
    assert any(CONDENSED in finding.message for finding in report.findings if finding.check == "WC904")


def test_conditions_stated_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is held against all others."""
    monkeypatch.setattr(assumptions, "STATED", 3)
    stated = "".join(f"//@ assume n % {k + 2} != 1\n" for k in range(5))
    text = f"{stated}__global__ void k(int *a, int n) {{ a[n] = 1; }}"
    report = analyse_file("grown.cu", MemoryFiles({"grown.cu": text.encode()}), Settings(bounds=False), strict=True)
    said = [one.text for one in report.kernels[0].launches[0].facts.assumptions]
    assert [" (not used: 3 conditions are stated before it)" in text for text in said if "% " in text] == [
        False
    ] * 3 + [True] * 2
