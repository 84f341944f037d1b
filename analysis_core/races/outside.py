"""Accesses that surely leave a declared array: a thread that comes whatever parameters and memory are, at an address that is a number."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.polynomial import coefficient_vector
from analysis_core.domains.symbol import SymbolKind
from analysis_core.interp.core.events import AccessEvent, Events
from analysis_core.ir.layout import size_of
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import ArrayType
from analysis_core.machine.block_shape import place_of
from analysis_core.races.pairs import place
from analysis_core.races.verdicts import Outside, Thread


def outside(kernel: Kernel, events: Events) -> Iterator[Outside]:
    """One for each place in the text: the first thread of the first execution that leaves its array."""
    sizes = _sizes(kernel)
    told = set()
    for event in events.accesses:
        size = sizes.get(event.base)
        if size is None or event.access.span in told:
            continue
        found = _of_event(event, size, events)
        if found is not None:
            told.add(event.access.span)
            yield found


def _sizes(kernel: Kernel) -> dict[str, int]:
    """Bytes of declared arrays, by name; of several of one name the greatest."""
    found: dict[str, int] = {}
    for one in kernel.objects:
        size = size_of(one.type) if isinstance(one.type, ArrayType) else None
        found[one.name] = max(found.get(one.name, 0), size or 1 << 62)
    return found


def _of_event(event: AccessEvent, size: int, events: Events) -> Outside | None:
    bases = [symbol for symbol in event.address.poly.symbols() if symbol.kind is SymbolKind.BASE]
    if len(bases) != 1 or not event.address.exact:
        return None
    offset = pl.subtract(event.address.poly, pl.of_symbol(bases[0]))
    if not offset.is_constant:
        return None
    numbers = coefficient_vector(offset.constant, len(event.mask.must))
    bad = event.mask.must & events.shape.real & ((numbers < 0) | (numbers > size - event.access.width))
    if not np.any(bad):
        return None
    first = int(np.flatnonzero(bad)[0])
    thread = Thread((0, 0, 0), place_of(first, events.shape.dims))
    return Outside(place(event), event.base, size, int(numbers[first]), thread)
