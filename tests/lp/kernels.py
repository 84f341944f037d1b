"""Bounds of kernels given as text, for the tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from analysis_core.expressions import expression as ex
from analysis_core.expressions.bounds import KernelBounds
from analysis_core.expressions.expression import Expression
from analysis_core.interp.interpret import interpret
from analysis_core.lp.kernel_bounds import kernel_bounds
from analysis_core.pipeline.pipeline import lower, read
from analysis_core.program.launch import choose_launches
from analysis_core.requests.evaluate import evaluate
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

HARDWARE = Path(__file__).parents[1] / "kernels" / "hardware"


def bounds_of(
    text: str,
    name: str | None = None,
    block: tuple[int, int, int] | None = None,
    assume: Sequence[str] = (),
    grid: tuple[int, int, int] | None = None,
) -> KernelBounds:
    """The bounds of one kernel (the first, unless it is named) under its first launch."""
    settings = Settings(block=block, grid=grid, assume=tuple(assume), kernel_seconds=20.0)
    module = lower(read("k.cu", MemoryFiles({"k.cu": text.encode("latin-1")}), settings), settings, strict=True)
    kernel = next(k for k in module.kernels if name in (None, k.name))
    launch = choose_launches(kernel, settings)[0]
    events = interpret(kernel, launch, settings)
    return kernel_bounds(kernel, launch, events, evaluate(kernel, launch, events).facts, settings)


def shown(expression: Expression | None) -> str | None:
    return None if expression is None else ex.to_text(expression)


def exact(bounds: KernelBounds) -> Mapping[str, str]:
    """The exact bounds per warp, by metric."""
    return {
        name: ex.to_text(bound.per_warp.upper)
        for name, bound in bounds.metrics.items()
        if bound.per_warp.exact and bound.per_warp.upper is not None
    }
