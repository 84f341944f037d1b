"""The kernels that were interpreted last, among them that which somebody types in: how they went, and what their events cost."""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.interp.resume.trail import shared
from analysis_core.ir.nodes import Kernel
from analysis_core.pipeline.launch_stages import Costed
from analysis_core.support.store import Stage, Store

FEWEST = 3
"""Kernels that are kept whatever they take: a long one takes some megabytes."""

_BYTES = 48 << 20
"""What the addresses and masks of all of them may take."""

_LEAST = 1 << 20
"""What one counts as at least."""

Way = tuple[Costed, ...]
"""One interpretation of a kernel, under each launch."""


def _bytes(ways: Sequence[Way]) -> int:
    return max(_LEAST, sum(one.events.bytes for way in ways for one in way))


TRAILS: Stage[tuple[str, str, str | None], tuple[Way, ...]] = Stage("ways of kernels", _BYTES, _bytes, FEWEST)
"""By file, name and instantiation: the last interpretation, and the one that it went on from, to which an undo leads back."""


def last_way(path: str, kernel: Kernel, store: Store) -> Way:
    """What was kept of the kernel version that is most like this one; () if there is nothing."""
    known = store.get(TRAILS, (path, kernel.name, kernel.instantiation)) or ()
    return max(known, key=lambda way: _shared(way, kernel), default=())


def keep_way(path: str, kernel: Kernel, costed: Way, past: Way, store: Store) -> None:
    """Keeps what was found out about a kernel, together with the version that it was made from."""
    key = path, kernel.name, kernel.instantiation
    store.put(TRAILS, key, (costed, past) if past else (costed,))


def _shared(way: Way, kernel: Kernel) -> int:
    trail = way[0].trail if way else None
    return 0 if trail is None else shared(trail, kernel)
