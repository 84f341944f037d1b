"""What is claimed of a store at a distance of `e` bytes from lane to lane, where classes decide `e`: never less than g++ says, and
no exact figure beside something that was not understood."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.ir import gpp
from tests.ir.class_hierarchies import hierarchy
from tests.ir.class_programs import CASES, Case

SHIM = """#include <cstddef>
#include <cstdio>
#define __device__
struct { unsigned x; } threadIdx;
"""
SECTOR, WARP, WARPS = 32, 32, 8
RANDOM, BATCH = 60, 20

needs_compiler = pytest.mark.skipif(gpp.COMPILER is None, reason="g++ is not installed: nobody says what is right")


def truths(cases: Sequence[Case], folder: Path) -> list[int]:
    """The numbers that the programs compute."""
    assert gpp.COMPILER is not None
    parts = [f"namespace n{i} {{ {c.prelude}\nint run() {{ {c.body} return e; }} }}" for i, c in enumerate(cases)]
    calls = "".join(f'std::printf("%d\\n", n{i}::run());' for i in range(len(cases)))
    source, program = folder / "ask.cpp", folder / "ask"
    source.write_text(SHIM + "\n".join(parts) + f"\nint main() {{ {calls} }}\n")
    command = [gpp.COMPILER, "-std=c++17", "-w", "-O0", "-o", str(program), str(source)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return [
        int(line) for line in subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout.split()
    ]


def sectors(stride: int) -> set[int]:
    """Sectors of the requests of all warps of a block."""
    return {len({stride * (WARP * w + lane) // SECTOR for lane in range(WARP)}) for w in range(WARPS)}


def faults(case: Case, stride: int) -> list[str]:
    """What is claimed too low, too high or too sure."""
    text = f"{case.prelude}\n__global__ void k(char *to, int n) {{ {case.body}\n to[e * threadIdx.x] = 1; }}\n"
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(), strict=True)
    facts = report.kernels[0].launches[0].facts
    (store,) = [access for access in facts.accesses if access.text.startswith("to[e")]
    paid, found = sectors(stride), []
    if store.worst < max(paid) or store.best > min(paid):
        found.append(f"{case.name}: {sorted(paid)} sectors, claimed {store.best} to {store.worst}")
    assert facts.bounds is not None
    if facts.bounds.metrics["sectors"].per_warp.exact and report.kernels[0].unknowns:
        found.append(f"{case.name}: exact beside {report.kernels[0].unknowns[0].reason}")
    return found


@needs_compiler
def test_classes_mean_what_the_compiler_says(tmp_path: Path) -> None:
    numbers = truths(CASES, tmp_path)
    assert all(1 <= number <= 32 for number in numbers)
    assert [fault for case, number in zip(CASES, numbers, strict=True) for fault in faults(case, number)] == []


def _random(first: int, count: int, folder: Path) -> list[str]:
    cases = [hierarchy(seed) for seed in range(first, first + count)]
    numbers = truths(cases, folder)
    return [fault for case, number in zip(cases, numbers, strict=True) for fault in faults(case, number)]


@needs_compiler
@pytest.mark.parametrize("first", range(0, RANDOM, BATCH))
def test_random_hierarchies_mean_what_the_compiler_says(first: int, tmp_path: Path) -> None:
    assert _random(first, BATCH, tmp_path) == []


@needs_compiler
@pytest.mark.nightly
@pytest.mark.parametrize("first", range(10_000, 15_000, 100))
def test_random_hierarchies_at_night(first: int, tmp_path: Path) -> None:
    assert _random(first, 100, tmp_path) == []
