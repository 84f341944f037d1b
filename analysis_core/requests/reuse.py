"""How often the threads of a block load the same elements, over the rounds of a loop.

    for (k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];

In a block of 16x16 threads each round loads 16 elements of `a` and 16 of `b`, and each of them in 16 threads.  Threads whose addresses are one polynomial
load one element, whatever its symbols stand for.  What one thread loads again counts once.  Rounds that go on by a constant may load again what the one before has loaded (`in[i + k]`).  So in a long
loop no element is loaded more seldom on average than is found here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from analysis_core.domains.shape import WARP, IntVector
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.interp.core.events import AccessEvent
from analysis_core.requests.facts import Reuse

_MOST_EXECUTIONS, _MOST_PLACES = 64, 8192


def reuse_of(group: Sequence[AccessEvent]) -> Reuse | None:
    """What the threads of a block share of the elements that one access loads in a loop; None where it is in none, or nothing is known of its rounds."""
    if len(group) == 1:
        return _of_rounds(group[0])
    if len(group) > _MOST_EXECUTIONS or any(_counter(event) is not None for event in group):
        found = [_of_rounds(event) for event in group[:_MOST_EXECUTIONS]]
        known = [one for one in found if one is not None]
        return min(known, key=lambda one: one.times) if known and len(known) == len(found) else None
    few = max(2, _MOST_PLACES // max(1, int(group[0].mask.may.sum())))
    every = [_places(event) for event in group[:few]]
    if any(places is None for places in every):
        return None
    places = [one for one in every if one is not None]
    loads = len({pair for one in places for pair in one.items()})
    return Reuse(loads, len({place for one in places for place in one.values()}), len(every), 0)


def _counter(event: AccessEvent) -> Symbol | None:
    """The innermost loop's count of rounds in an address."""
    counts = [s for s in event.address.poly.symbols() if s.kind is SymbolKind.ITERATION]
    return max(counts, default=None)


def _of_rounds(event: AccessEvent) -> Reuse | None:
    """Of an execution that stands for all rounds of a loop."""
    counter = _counter(event)
    if counter is None:
        return None
    step = event.address.poly.terms.get((counter,), 0)
    if not isinstance(step, int) or event.address.bits is not None:
        step = 0
    ids, offsets = _keys(event, None if step == 0 else counter)
    active = event.mask.may
    here = _distinct(ids[active], offsets[active])
    if step == 0:
        return Reuse(int(active.sum()), here, 1, here)
    both = _distinct(np.concatenate([ids[active]] * 2), np.concatenate([offsets[active], offsets[active] + step]))
    return Reuse(int(active.sum()), both - here, 1, here)


def _places(event: AccessEvent) -> Mapping[int, tuple[object, int]] | None:
    """By thread that may come its element, as what its address is made of; None where lanes' own symbols keep executions from being told apart."""
    poly = event.address.poly
    if any(symbol.level is not Level.BLOCK for symbol in poly.symbols()):
        return None
    active = np.nonzero(event.mask.may)[0]
    constant = poly.constant
    offsets = np.full(len(active), constant) if isinstance(constant, int) else constant[active]
    columns = [(m, c) for m, c in poly.terms.items() if m]
    if all(isinstance(c, int) for _, c in columns):
        key = tuple(columns)
        return {int(t): (key, int(one)) for t, one in zip(active, offsets, strict=True)}
    keys = [tuple((m, c if isinstance(c, int) else int(c[t])) for m, c in columns) for t in active]
    return {int(t): (k, int(one)) for t, k, one in zip(active, keys, offsets, strict=True)}


def _keys(event: AccessEvent, but: Symbol | None) -> tuple[IntVector, IntVector]:
    """By thread, a number that is equal for those whose addresses differ by constants alone, and these.  `but`: a symbol that is left out where it stands alone."""
    count, poly = len(event.mask.may), event.address.poly
    vectors = [c for m, c in poly.terms.items() if m and m != (but,) and not isinstance(c, int)]
    for symbol in poly.symbols():
        if symbol.level is Level.LANE:
            vectors.append(
                np.arange(count) if symbol.alike is None else symbol.alike * count + np.arange(count) // WARP
            )
        elif symbol.level is Level.WARP:
            vectors.append(np.arange(count) // WARP)
    ids = np.zeros(count, dtype=np.int64)
    for vector in vectors:
        ids = ids * count + np.unique(vector, return_inverse=True)[1]
        ids = np.unique(ids, return_inverse=True)[1].astype(np.int64)
    constant = poly.constant
    return ids, np.full(count, constant, dtype=np.int64) if isinstance(constant, int) else constant


def _distinct(ids: IntVector, offsets: IntVector) -> int:
    if not len(ids):
        return 0
    places = np.unique(offsets, return_inverse=True)[1]
    return len(np.unique(ids * (len(places) + 1) + places))
