"""Short ways to run a kernel of a text or of a file in the tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from analysis_core.ir.nodes import Kernel
from analysis_core.pipeline.pipeline import load
from analysis_core.simulate.arguments import Alias, Argument, ArrayArgument, LaunchRequest
from analysis_core.simulate.run import Outcome, simulate
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

KERNELS = Path(__file__).with_name("kernels")


def kernel_of(source: str, name: str | None = None) -> Kernel:
    """The kernel of this name (or the only one) in a text."""
    _, module = load("kernel.cu", MemoryFiles({"kernel.cu": source.encode()}), Settings(), strict=True)
    return next(k for k in module.kernels if name in (None, k.name, k.instantiation))


def kernel_in(file: str, name: str | None = None) -> Kernel:
    """The same in a file of `kernels/`."""
    return kernel_of((KERNELS / file).read_text(encoding="utf-8"), name)


def argument(value: Any) -> Argument:
    """Arrays as contents of memory, the rest as it is."""
    return ArrayArgument(value) if isinstance(value, np.ndarray) else value


def run(
    kernel: Kernel,
    block: int | tuple[int, ...] = 32,
    grid: int | tuple[int, ...] = 1,
    arguments: Mapping[str, Any] | None = None,
    **options: Any,
) -> Outcome:
    """Simulates a launch; `arguments` by name: numbers and numpy arrays."""
    values = {name: argument(value) for name, value in (arguments or {}).items()}
    return simulate(kernel, LaunchRequest(shape(block), shape(grid), values, **options))


def shape(extents: int | tuple[int, ...]) -> tuple[int, int, int]:
    numbers = (extents,) if isinstance(extents, int) else extents
    x, y, z = (*numbers, 1, 1)[:3]
    return x, y, z


__all__ = ["Alias", "argument", "kernel_in", "kernel_of", "run", "shape"]
