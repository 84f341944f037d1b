"""Occupancy and its table are those of the toolkit's own headers, `cuda_occupancy.h` and `cuda::arch_traits`, compiled by g++.

Needs g++ and the extra `headers`; the formula's own laws are in `tests/machine/test_occupancy.py`.
"""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from analysis_core.machine.description import MULTIPROCESSORS
from analysis_core.machine.occupancy import occupancy
from tests.ir import gpp
from tests.oracles.toolkit import MISSING_HEADERS, folders

_NEEDS = pytest.mark.skipif(gpp.COMPILER is None or not folders(), reason=f"g++ is not installed, or {MISSING_HEADERS}")

_INPUTS = 200
"""Of each compute capability."""

_PROGRAM = r"""
#include <cstring>
#include <cstdio>
#include "cuda_occupancy.h"
int main() {
    int major, minor, threads, registers, warps;
    unsigned long bytes, shared, reserved;
    while (std::scanf("%d %d %d %d %lu %d %lu %lu", &major, &minor, &threads, &registers, &bytes, &warps, &shared, &reserved) == 8) {
        cudaOccDeviceProp device;
        std::memset(&device, 0, sizeof device);
        device.computeMajor = major;
        device.computeMinor = minor;
        device.maxThreadsPerBlock = 1024;
        device.maxThreadsPerMultiprocessor = 32 * warps;
        device.regsPerBlock = device.regsPerMultiprocessor = 65536;
        device.warpSize = 32;
        device.sharedMemPerBlock = 48 * 1024;
        device.sharedMemPerMultiprocessor = shared;
        device.numSms = 1;
        device.sharedMemPerBlockOptin = shared - reserved;
        device.reservedSharedMemPerBlock = reserved;
        cudaOccFuncAttributes kernel;
        std::memset(&kernel, 0, sizeof kernel);
        kernel.maxThreadsPerBlock = 1024;
        kernel.numRegs = registers;
        kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
        kernel.maxDynamicSharedSizeBytes = shared;
        cudaOccDeviceState state;
        std::memset(&state, 0, sizeof state);
        state.carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT;
        cudaOccResult result;
        int failed = cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state, threads, bytes);
        std::printf("%d %d %u\n", failed, failed ? -1 : result.activeBlocksPerMultiprocessor, failed ? 0 : result.limitingFactors);
    }
}
"""

_BITS = {"warps": 1, "registers": 2, "shared memory": 4, "blocks": 8}


@_NEEDS
def test_as_many_blocks_as_the_toolkit_says(tmp_path: Path) -> None:
    """And the same limits, where any block fits."""
    assert gpp.COMPILER is not None
    (tmp_path / "ask.cpp").write_text(_PROGRAM)
    program = tmp_path / "ask"
    command = [gpp.COMPILER, "-w", *(f"-I{path}" for path in folders()), "-o", str(program), str(tmp_path / "ask.cpp")]
    subprocess.run(command, check=True, capture_output=True, text=True)
    drawn = random.Random(39)
    lines, expected = [], []
    for capability, machine in MULTIPROCESSORS.items():
        for _ in range(_INPUTS):
            threads = drawn.choice([drawn.randint(1, 1024), 32 * drawn.randint(1, 32)])
            registers = drawn.randint(1, 255)
            shared = drawn.choice([0, drawn.randint(0, 16384), drawn.randint(0, machine.shared_bytes)])
            parts = capability.split(".")
            lines.append(
                f"{parts[0]} {parts[1]} {threads} {registers} {shared} {machine.warps} {machine.shared_bytes} {machine.reserved}"
            )
            found = occupancy(machine, threads, registers, shared)
            expected.append((found.blocks, sum(_BITS[name] for name in found.limits) if found.blocks else None))
    done = subprocess.run([str(program)], input="\n".join(lines), check=True, capture_output=True, text=True)
    answers = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
    assert len(answers) == len(expected)
    differing = []
    for line, (failed, blocks, limits), (ours, our_limits) in zip(lines, answers, expected, strict=True):
        if failed or blocks != ours or (our_limits is not None and our_limits != limits):
            differing.append(f"{line}: {ours} {our_limits}; the toolkit: {failed} {blocks} {limits}")
    assert not differing, "\n".join(differing[:20])


@_NEEDS
def test_the_table_is_that_of_the_headers(tmp_path: Path) -> None:
    questions, ours = [], []
    for capability, machine in MULTIPROCESSORS.items():
        traits = f"cuda::arch_traits<cuda::arch_id::sm_{capability.replace('.', '')}>()"
        for member, value in (
            ("max_warps_per_multiprocessor", machine.warps),
            ("max_blocks_per_multiprocessor", machine.blocks),
            ("max_shared_memory_per_multiprocessor", machine.shared_bytes),
            ("max_shared_memory_per_block_optin", machine.block_bytes),
            ("reserved_shared_memory_per_block", machine.reserved),
            ("max_registers_per_block", machine.registers),
            ("max_registers_per_multiprocessor", machine.registers),
            ("max_registers_per_thread", machine.most_registers),
        ):
            questions.append(f"{traits}.{member}")
            ours.append(value)
    prelude = "#define CCCL_DISABLE_CTK_COMPATIBILITY_CHECK\n#include <cuda/__device/arch_traits.h>"
    assert gpp.integers(prelude, questions, tmp_path, folders()) == ours
