"""Functions that launch a kernel, beside `k<<<grid, block>>>(..)`, and where they take what (CUDA runtime API, execution control; HIP)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class Launcher:
    """A function that launches kernels; positions of arguments count from 0. `grid` None: kernel and arguments stand
    behind a configuration, which holds grid and block. `first` None: the kernel's arguments stand in an array."""

    kernel: int
    grid: int | None
    block: int
    first: int | None


LAUNCHERS: Mapping[str, Launcher] = MappingProxyType(
    {
        "cudaLaunchKernel": Launcher(0, 1, 2, None),
        "cudaLaunchCooperativeKernel": Launcher(0, 1, 2, None),
        "cudaLaunchKernelEx": Launcher(1, None, 0, 2),
        "cudaLaunchKernelExC": Launcher(1, None, 0, None),
        "hipLaunchKernel": Launcher(0, 1, 2, None),
        "hipLaunchCooperativeKernel": Launcher(0, 1, 2, None),
        "hipLaunchKernelGGL": Launcher(0, 1, 2, 5),
    }
)

WORDS = frozenset({"<<<", "cuLaunchKernel", *LAUNCHERS})
"""Tokens of which each function that launches has one."""
