"""One frozen `Settings`, parsed at the edge (cli, server), handed down as an argument, part of every memo key."""

from __future__ import annotations

from dataclasses import field
from typing import Mapping

from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a user may choose.  Units: threads for shapes, bytes for memory, seconds for time.

    `values` gives scalar parameters a fixed value (`--set NAME=INT`); `assume`: conditions as in `//@ assume`, for every
    kernel that has parameters of the names in them; `defines` are `-D` macros, name to text; `levels`: how loud rules are, by
    code: "off", "hint", "information", "warning" or "error"; `hints`: whether findings of the level "hint" are reported. `metrics`: weighted sums of
    counted metrics, by the names that users give them; `run_arguments`: what the program is run with, None where nobody says: for the sizes of
    findings only."""

    block: tuple[int, int, int] | None = None  # --block: overrides everything
    grid: tuple[int, int, int] | None = None
    default_blocks: tuple[tuple[int, int, int], ...] = ((256, 1, 1), (16, 16, 1), (8, 8, 4))  # 1-D, 2-D, 3-D use
    values: Mapping[str, int] = field(default_factory=dict)
    assume: tuple[str, ...] = ()
    defines: Mapping[str, str] = field(default_factory=dict)
    include_paths: tuple[str, ...] = ()
    models: tuple[str, ...] = ()  # files of library models
    include_roots: tuple[
        str, ...
    ] = ()  # folders of the project where an include is sought last; found by the edge, not chosen
    # The same of the files that it is read through.
    unit_roots: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    run_arguments: tuple[str, ...] | None = None
    compute_capability: str = "9.0"
    cuda_version: str = "13.0"  # of the toolkit: what macros like CUDA_VERSION say
    warning_factor: float = 2.0  # over ideal
    warning_share: float = 0.25  # of the kernel's metric
    information_share: float = 0.10
    representative_size: int = 1024
    representative_trips: int = 32
    exact_iterations: int = 4096
    launch_configurations: int = 8
    kernel_seconds: float = 2.0
    kernel_megabytes: int = 512
    kernel_symbols: int = 20_000  # from then on loops are summarised
    bounds: bool = True  # per warp, block and launch
    bound_cases: bool = True  # bounds in the case of aligned sizes, where they are not exact in general
    hints: bool = False
    levels: Mapping[str, str] = field(default_factory=dict)
    metrics: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    inline_depth: int = 16
    inline_statements: int = 4000

    @property
    def lanes_run_apart(self) -> bool:
        """Whether lanes of a warp need not run in step, and barriers wait for no thread that has returned: from compute capability 7.0
        on (CUDA C++ Programming Guide, "Independent Thread Scheduling")."""
        return not self.compute_capability.startswith(("5.", "6."))
