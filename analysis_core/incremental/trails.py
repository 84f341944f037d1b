"""The kernels that were interpreted last, those that somebody types in: how they went, and what their events cost."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from analysis_core.interp.trail import shared
from analysis_core.ir.nodes import Kernel
from analysis_core.pipeline import Costed

MOST = 3
"""Kernels.  One takes some megabytes if it is long."""

_Way = tuple[Costed, ...]
"""One interpretation of a kernel, under each launch."""


class Trails:
    """By file, name and instantiation: the last interpretation, and the one that it went on from, to which an undo leads back."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str, str | None], tuple[_Way, ...]] = OrderedDict()

    def get(self, path: str, kernel: Kernel) -> _Way:
        """Of what was kept of the kernel that which is most like it; () if there is nothing."""
        known = self._kept.get((path, kernel.name, kernel.instantiation), ())
        return max(known, key=lambda way: _shared(way, kernel), default=())

    def put(self, path: str, kernel: Kernel, costed: Sequence[Costed], past: _Way) -> None:
        """Keeps what was found of a kernel, and what that was made from; what was kept longest goes."""
        key = (path, kernel.name, kernel.instantiation)
        self._kept.pop(key, None)
        self._kept[key] = (tuple(costed), past) if past else (tuple(costed),)
        while len(self._kept) > MOST:
            self._kept.popitem(last=False)


def _shared(way: _Way, kernel: Kernel) -> int:
    trail = way[0].trail if way else None
    return 0 if trail is None else shared(trail, kernel)
