"""How often the threads of a block load the same elements, over the rounds of a loop.

    for (k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];

In a block of 16x16 threads each round loads 16 elements of `a` and 16 of `b`, and each of them in 16 threads.  Threads whose addresses are one polynomial
load one element, whatever its symbols stand for.  Rounds that go on by a constant may load again what the one before has loaded (`in[i + k]`), as long as
the loop goes on that counts them: each time that it is entered, it loads the elements of a first round.  So no element is loaded more seldom on average than
is found here, if all threads come that may together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from analysis_core.domains.shape import WARP, BoolVector, IntVector
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.interp.core.events import AccessEvent
from analysis_core.requests.contention import sets_together
from analysis_core.requests.facts import Reuse, Trips

_MOST_EXECUTIONS, _MOST_APART, _MOST_PLACES = 64, 256, 1 << 15


def reuse_of(group: Sequence[AccessEvent], trips: Trips) -> Reuse | None:
    """What the threads of a block share of the elements that one access loads in a loop; None where it is in none, where nothing is known of its rounds,
    or where threads leave loops apart."""
    if any(event.ragged or event.uneven for event in group) or len(group) > _MOST_APART:
        return None
    if len(group) == 1:
        return None if _counter(group[0]) is None else _of_rounds(group[0], trips)
    few = max(2, _MOST_PLACES // max(1, int(group[0].mask.may.sum())))
    apart = any(_counter(event) is not None or event.mask.exclusions for event in group)
    if apart or len(group) > min(few, _MOST_EXECUTIONS):
        found = [_of_rounds(event, trips) for event in group]
        known = [one for one in found if one is not None]
        return min(known, key=lambda one: one.times) if known and len(known) == len(found) else None
    every = [_places(event) for event in group]
    if any(places is None for places in every):
        return None
    places = [one for one in every if one is not None]
    loads = len({pair for one in places for pair in one.items()})
    return Reuse(loads, len({place for one in places for place in one.values()}), len(every), 0)


def _counter(event: AccessEvent) -> Symbol | None:
    """The innermost loop's count of rounds in an address."""
    counts = [s for s in event.address.poly.symbols() if s.kind is SymbolKind.ITERATION]
    return max(counts, default=None)


def _of_rounds(event: AccessEvent, trips: Trips) -> Reuse | None:
    """Of an execution that may stand for all rounds of a loop; of threads that exclude each other, those that share the least."""
    sets = sets_together(event)
    found = [_of_threads(event, active, trips) for active in sets or ()]
    return min(found, key=lambda one: one.times, default=None)


def _of_threads(event: AccessEvent, active: BoolVector, trips: Trips) -> Reuse:
    counter = _counter(event)
    step = 0 if counter is None or counter not in trips else event.address.poly.terms.get((counter,), 0)
    if not isinstance(step, int) or event.address.bits is not None:
        step = 0
    ids, offsets = _keys(event, None if step == 0 else counter)
    here, loads = _distinct(ids[active], offsets[active]), int(active.sum())
    if step == 0 or counter is None:
        return Reuse(loads, here, 1, here)
    both = _distinct(np.concatenate([ids[active]] * 2), np.concatenate([offsets[active], offsets[active] + step]))
    return Reuse(loads, both - here, 1, here, trips[counter])


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
