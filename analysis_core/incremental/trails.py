"""The kernels that were interpreted last, among them that which somebody types in: how they went, and what their events cost."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from analysis_core.interp.resume.trail import shared
from analysis_core.ir.nodes import Kernel
from analysis_core.pipeline.pipeline import Costed

FEWEST = 3
"""Kernels that are kept whatever they take: a long one takes some megabytes."""

MOST = 48
"""Kernels that are kept if they take little: somebody who types goes from one to the next."""

_BYTES = 48 << 20
"""What the addresses and masks of all of them may take."""

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
        taken = sum(map(_bytes, self._kept.values()))
        while len(self._kept) > FEWEST and (len(self._kept) > MOST or taken > _BYTES):
            _, gone = self._kept.popitem(last=False)
            taken -= _bytes(gone)


def _bytes(ways: Sequence[_Way]) -> int:
    return sum(one.events.bytes for way in ways for one in way)


def _shared(way: _Way, kernel: Kernel) -> int:
    trail = way[0].trail if way else None
    return 0 if trail is None else shared(trail, kernel)
