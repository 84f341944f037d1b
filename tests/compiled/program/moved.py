"""Which requests a copy of a record makes: pieces of 1, 2, 4, 8 or 16 bytes at multiples of their size, each as large as the alignment of
the record allows and without bytes that belong to no member."""

from __future__ import annotations

from collections.abc import Sequence

_BYTES = {"char": 1, "unsigned char": 1, "short": 2, "int": 4, "float": 4, "double": 8, "long long": 8}


def moved(members: Sequence[tuple[str, int]]) -> list[tuple[int, int]]:
    """Offset and bytes of each piece, in order.  `members`: their types and how many of one there are in a row."""
    scalars, align = _scalars(members)
    pieces = []
    while scalars:
        first = end = scalars[0][0]
        taken, bytes = 1, scalars[0][1]
        for count, (offset, size) in enumerate(scalars, 1):
            if offset != end:
                break
            end += size
            if end - first in (1, 2, 4, 8, 16) and end - first <= align and first % (end - first) == 0:
                taken, bytes = count, end - first
        pieces.append((first, bytes))
        del scalars[:taken]
    return pieces


def _scalars(members: Sequence[tuple[str, int]]) -> tuple[list[tuple[int, int]], int]:
    """Offset and bytes of each scalar, and the alignment of the record."""
    found, at, align = [], 0, 1
    for type, extent in members:
        components = int(type[-1]) if type[-1].isdigit() else 1
        size = _BYTES[type.rstrip("24")]
        align = max(align, size * components)
        at = -(-at // (size * components)) * size * components
        for _ in range(components * extent):
            found.append((at, size))
            at += size
    return found, align
