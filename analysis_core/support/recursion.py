"""Room for recursion over user code.

Python stops at 1,000 frames by default, which nested parentheses in real files exceed.  Since Python 3.11 calls
between Python functions use no C stack, so a higher limit costs nothing but memory; nesting itself is bounded by the
reader.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

FRAMES = 20_000
"""Python frames; the deepest lowering of 200 nested levels takes about 4,000."""


@contextmanager
def deep_recursion(frames: int = FRAMES) -> Iterator[None]:
    """Raises the recursion limit while the block runs."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, frames))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
