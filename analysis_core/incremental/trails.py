"""The kernels that were interpreted last, those that somebody types in: how they went, and what their events cost."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from analysis_core.ir.nodes import Kernel
from analysis_core.pipeline import Costed

MOST = 3
"""Kernels.  One takes some megabytes if it is long."""


class Trails:
    """By file, name and instantiation; one for each launch."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str, str | None], tuple[Costed, ...]] = OrderedDict()

    def get(self, path: str, kernel: Kernel) -> tuple[Costed, ...]:
        """What was kept of the kernel last; () if there is nothing."""
        return self._kept.get((path, kernel.name, kernel.instantiation), ())

    def put(self, path: str, kernel: Kernel, costed: Sequence[Costed]) -> None:
        """Keeps what was found of a kernel; what was kept longest goes."""
        key = (path, kernel.name, kernel.instantiation)
        self._kept.pop(key, None)
        self._kept[key] = tuple(costed)
        while len(self._kept) > MOST:
            self._kept.popitem(last=False)
