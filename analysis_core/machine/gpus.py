"""Common GPUs as data (`gpus.toml`): what they compute and move at most, for the place of a kernel under the roofline.

The roofline (Williams, Waterman and Patterson, CACM 52(4), 2009): with I operations for each byte that moves, a machine of P operations and B bytes a
second does min(P, I * B) operations a second at most; where I is less than P / B, memory is what limits.
"""

from __future__ import annotations

import tomllib

from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class Gpu:
    """`f32`, `f64`: billions of operations a second; `bandwidth`: billions of bytes a second.  `capability`: as "9.0"; `source`: where it is from."""

    name: str
    capability: str
    f32: int
    f64: int
    bandwidth: int
    source: str


def gpus(text: str) -> tuple[Gpu, ...]:
    """All that a description like `gpus.toml` has, in its order."""
    return tuple(Gpu(**row) for row in tomllib.loads(text)["gpu"])
