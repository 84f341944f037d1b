"""Shapes of blocks, and which of them the hardware accepts."""

from __future__ import annotations

MAXIMUM_THREADS = 1024
"""Threads of a block, on every compute capability since 2.0 (CUDA programming guide, table of limits)."""


MAXIMUM_EXTENTS = (1024, 1024, 64)


Shape = tuple[int, int, int]

COMMON_PLANES: tuple[Shape, ...] = ((16, 16, 1), (32, 8, 1), (32, 4, 1), (8, 8, 1))
"""The blocks of two dimensions that programs have most."""


def place_of(number: int, shape: Shape) -> Shape:
    """Where the thread of that number lies in a block of the shape, or the block in a grid: the first axis runs fastest."""
    x, y, _ = shape
    return number % x, number // x % y, number // (x * y)


def is_launchable(block: Shape) -> bool:
    """Whether the hardware accepts a block of this shape."""
    x, y, z = block
    inside = all(1 <= extent <= most for extent, most in zip(block, MAXIMUM_EXTENTS, strict=True))
    return inside and x * y * z <= MAXIMUM_THREADS
