"""What is counted, per warp.  The value of a metric is its name in JSON and in messages."""

from __future__ import annotations

from enum import StrEnum


class Metric(StrEnum):
    SECTORS = "sectors"  # 32-byte sectors of global memory moved
    EXCESSIVE_SECTORS = "excessive_sectors"  # sectors minus ideal
    WAVEFRONTS = "wavefronts"  # passes through shared memory
    CONFLICTS = "conflicts"  # wavefronts minus ideal
    DIVERGENCES = "divergences"  # times a warp splits at a branch or a loop test
    STEPS = "steps"  # abstract evaluation steps
