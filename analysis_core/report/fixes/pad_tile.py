"""The fix of a bank conflict in a two-dimensional tile: rows longer by a word, so that a column lies on 32 banks.

`tile.py` says when that keeps the kernel's meaning.  Whether it buys anything is not computed here but tried: the caller
analyses the edited text, and `gain` compares the facts, access by access.  It is offered only if no access of the kernel
is dearer than before, and the one in question is cheaper.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from analysis_core.ir.layout import size_of
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import Space
from analysis_core.report.findings.model import Edit
from analysis_core.report.fixes.edits import moved
from analysis_core.report.fixes.tile import Tile
from analysis_core.requests.facts import AccessFact, KernelFacts
from analysis_core.text.span import Span

MOST_SHARED = 48 * 1024
"""Bytes of static shared memory that a block may have."""

WORD = 4
"""Bytes of a bank."""

_EXTENTS = re.compile(rb"\s*\[([^\[\]\n]*)\]\s*\[([^\[\]\n]*)\]")
_PLAIN_SUM = re.compile(rb"[\w\s*/%+().-]*")


def paddings(tile: Tile) -> tuple[int, ...]:
    """The elements to add that are worth trying: a word's worth first."""
    return tuple(dict.fromkeys((max(1, WORD // tile.size), 1, 2)))


def shared_bytes(kernel: Kernel, tile: Tile, padding: int) -> int:
    """Static shared memory of the kernel with the tile's rows longer by so many elements."""
    sizes = (size_of(o.type) or 0 for o in kernel.objects if o.space is Space.SHARED)
    return sum(sizes) + tile.rows * padding * tile.size


def padded(tile: Tile, padding: int, text: bytes) -> Edit | None:
    """The edit of the declaration, `tile[32][32]` to `tile[32][33]` or `tile[N][N]` to `tile[N][N + 1]`; None where the
    extents do not stand behind the name."""
    match = _EXTENTS.match(text, tile.object.span.end)
    if match is None:
        return None
    extent = match[2].strip()
    start = match.start(2) + match[2].index(extent) if extent else match.start(2)
    span = Span(tile.object.span.file, start, start + len(extent))
    if re.fullmatch(rb"[0-9]+", extent):
        return Edit(span, str(int(extent) + padding))
    shown = extent.decode("utf-8", "surrogateescape")
    if not extent or not extent.isascii():
        return None
    return Edit(span, f"{shown} + {padding}" if _PLAIN_SUM.fullmatch(extent) else f"({shown}) + {padding}")


def gain(
    before: Sequence[KernelFacts], after: Sequence[KernelFacts], place: Span, subject: str, edit: Edit
) -> tuple[int, int] | str:
    """The worst wavefronts per request at a place before and after the edit; or why it is not worth offering."""
    if not after:
        return "too many edits were tried in this file"
    if [(f.block, len(f.accesses)) for f in before] != [(f.block, len(f.accesses)) for f in after]:
        return "the edited kernel has other accesses"
    costs = []
    for old, new in _pairs(before, after):
        if moved(old.span, edit) != new.span or (old.text, old.space, old.bytes, old.requests) != (
            new.text,
            new.space,
            new.bytes,
            new.requests,
        ):
            return "the edited kernel has other accesses"
        if _is_worse(old, new):
            return f"`{old.text}` would be dearer"
        if old.span == place and old.text == subject:
            costs.append((old.worst, new.worst))
    was, becomes = max((c[0] for c in costs), default=0), max((c[1] for c in costs), default=0)
    return (was, becomes) if becomes < was else "it would gain nothing"


def _pairs(before: Sequence[KernelFacts], after: Sequence[KernelFacts]) -> Iterator[tuple[AccessFact, AccessFact]]:
    for old, new in zip(before, after, strict=True):
        yield from zip(old.accesses, new.accesses, strict=True)


def _is_worse(old: AccessFact, new: AccessFact) -> bool:
    return new.worst > old.worst or new.excess > old.excess or (new.best > old.best and new.best > new.ideal)


def title(tile: Tile, padding: int, gained: tuple[int, int], element: int, ideal: int) -> str:
    """ "Pad `tile` to [32][33]: 32-way bank conflict -> none"."""
    was, becomes = gained
    if element <= WORD:
        price = f"{was}-way bank conflict -> {'none' if becomes <= ideal else f'{becomes}-way'}"
    else:
        price = f"{was} wavefronts per request -> {becomes}"
    return f"Pad `{tile.object.name}` to [{tile.rows}][{tile.columns + padding}]: {price}"
