"""Headers with variants and a dispatcher: compiled by nvcc where there is one, and by g++ with stand-ins for what CUDA adds to C++.

The dispatcher's choice is that of the cases for random devices."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from analysis_core.case_discussion.discuss import Discussion
from analysis_core.case_discussion.header import NoHeader, header
from analysis_core.pipeline.pipeline import read
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.case_discussion.test_discuss import KERNELS, discussed
from tests.ir import gpp

STAND_IN = r"""
#pragma once
#include <cstddef>
#define __global__ static inline
#define __device__
#define __shared__ static
struct dim3 { unsigned x, y, z; dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {} };
struct float2 { float x, y; };
static dim3 threadIdx, blockIdx, blockDim, gridDim;
inline void __syncthreads() {}
struct cudaDeviceProp { int maxThreadsPerBlock; std::size_t sharedMemPerBlock; int regsPerBlock; };
"""

MAIN = r"""
#include <cstdio>
int main() {
    cudaDeviceProp device;
    while (std::scanf("%d %zu %d", &device.maxThreadsPerBlock, &device.sharedMemPerBlock, &device.regsPerBlock) == 3)
        std::printf("%d\n", NAME_cases::choose(device));
}
"""


def made(path: Path) -> tuple[Discussion, str]:
    text = path.read_bytes()
    found = discussed(text)
    tree = read("a.cu", MemoryFiles({"a.cu": text}), Settings())
    return found, header(found, tree, text)


WRITTEN = [path for path in KERNELS if path.stem not in ("host_launch",)]


@pytest.mark.skipif(gpp.COMPILER is None, reason="g++ is not installed")
@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_the_dispatcher_chooses_the_case_that_holds(path: Path, tmp_path: Path) -> None:
    found, text = made(path)
    (tmp_path / "cuda_runtime.h").write_text(STAND_IN, encoding="utf-8")
    (tmp_path / "cases.cuh").write_text(text, encoding="utf-8")
    (tmp_path / "main.cpp").write_text(
        '#include "cases.cuh"\n' + MAIN.replace("NAME", found.kernel.name), encoding="utf-8"
    )
    words = [str(gpp.COMPILER), "-std=c++17", "-w", "-I", ".", "main.cpp", "-o", "main"]
    subprocess.run(words, cwd=tmp_path, check=True, capture_output=True, text=True)
    seed = random.Random(5)
    threads = (
        max(1, next(iter(found.counted.values())).launch.block[0]) * next(iter(found.counted.values())).launch.block[1]
    )
    devices = [
        (seed.choice((1, 64, 128, 1024)), 4 * seed.randrange(3000), threads * seed.randrange(64)) for _ in range(300)
    ]
    given = "\n".join(" ".join(map(str, one)) for one in devices)
    printed = subprocess.run(["./main"], cwd=tmp_path, input=given, check=True, capture_output=True, text=True).stdout
    for (most, bytes_, registers), number in zip(devices, map(int, printed.split()), strict=True):
        held = registers // (-(-threads // 32) * 32)
        machine = dict(zip("TZR", (most, bytes_ // 4, min(255, held)), strict=True))
        values = {
            **found.symbols,
            **{name: v for key, v in machine.items() for name in (key, f"{key}_max") if name not in found.symbols},
        }
        expected = next(n for n, leaf in enumerate(found.cases, 1) if all(c.holds(values) for c in leaf.case))
        assert number == (0 if found.cases[expected - 1].variant is None else expected)


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
@pytest.mark.nightly
@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_a_compiler_of_cuda_takes_it(path: Path, tmp_path: Path) -> None:
    _, text = made(path)
    (tmp_path / "cases.cuh").write_text(text, encoding="utf-8")
    (tmp_path / "main.cu").write_text('#include "cases.cuh"\nint main() {}\n', encoding="utf-8")
    words = ["nvcc", "-std=c++17", "-arch=sm_90", "-c", "main.cu", "-o", "main.o"]
    ran = subprocess.run(words, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


def test_what_has_no_header_says_why() -> None:
    text = b"#define B 8\ntemplate <int N> __global__ void k(int *a) { a[N] = 1; }\nvoid run(int *a) { k<3><<<1, B>>>(a); }"
    found = discussed(text)
    with pytest.raises(NoHeader, match="templates"):
        header(found, read("a.cu", MemoryFiles({"a.cu": text}), Settings()), text)
