"""Sizes in which memory is moved, and threads go together, for those who only speak of them and count nothing (global_memory.py, shared_memory.py)."""

from __future__ import annotations

SECTOR_BYTES = 32
"""What global memory moves at least."""

LINE_BYTES = 128
"""What a tag of the first cache is for."""

WORD_BYTES = 4
"""What a bank of shared memory serves at a time."""

BANKS = 32
"""Of shared memory."""

WARP = 32
"""Threads that go together."""


def is_of_threads(name: str) -> bool:
    """Whether each thread pays for itself; else a warp pays once for all of its threads that come.  `name`: of an operation (ir/operations.py)."""
    return name.partition(".")[0] in ("flops", "bytes")
