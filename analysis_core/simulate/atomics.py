"""Atomic operations of many lanes on one buffer, as if the lanes came one after the other in ascending order.

Operations whose old value nobody reads go through `ufunc.at`.  Integer additions get their old values from a running sum
per place; the rest is done in rounds, the k-th round holding the k-th lane of every place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from analysis_core.simulate.representation import Array, Ints, Unsupported, Vector

_UFUNCS: Mapping[str, np.ufunc] = MappingProxyType(
    {
        "add": np.add,
        "sub": np.subtract,
        "min": np.minimum,
        "max": np.maximum,
        "and": np.bitwise_and,
        "or": np.bitwise_or,
        "xor": np.bitwise_xor,
    }
)


def perform(op: str, memory: Array, at: Ints, args: Sequence[Array], wanted: bool) -> Array | None:
    """Does `op` on `memory[at]`; the old values if they are `wanted`.  Raises `Unsupported`."""
    if op in _UFUNCS and not wanted:
        _UFUNCS[op].at(memory, at, args[0])
        return None
    if op in ("add", "sub") and memory.dtype.kind in "iu":
        return _summed(memory, at, args[0] if op == "add" else np.negative(args[0]))
    return _in_rounds(op, memory, at, args)


def _groups(at: Ints) -> tuple[Ints, Ints]:
    """The lanes ordered by place, and the position in that order of the first lane of each one's place."""
    order = np.argsort(at, kind="stable")
    ordered = at[order]
    first = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    runs = np.diff(first, append=len(at))
    return order, np.repeat(first, runs)


def _summed(memory: Array, at: Ints, values: Array) -> Array:
    order, first = _groups(at)
    ordered = values[order]
    before = np.cumsum(ordered, dtype=memory.dtype) - ordered
    old = np.empty(len(at), dtype=memory.dtype)
    old[order] = memory[at[order]] + (before - before[first])
    np.add.at(memory, at, values)
    return old


def _in_rounds(op: str, memory: Array, at: Ints, args: Sequence[Array]) -> Array:
    apply = _operation(op)
    order, first = _groups(at)
    rank = np.arange(len(at)) - first
    by_rank = np.argsort(rank, kind="stable")
    ends = np.cumsum(np.bincount(rank))
    old = np.empty(len(at), dtype=memory.dtype)
    start = 0
    for end in ends.tolist():
        lanes = order[by_rank[start:end]]
        places = at[lanes]
        before = memory[places]
        old[lanes] = before
        memory[places] = apply(before, *(arg[lanes] for arg in args))
        start = end
    return old


def _operation(op: str) -> Callable[..., Vector]:
    """The new value from the old one and the arguments."""
    if op in _UFUNCS:
        return _UFUNCS[op]
    match op:
        case "exch":
            return lambda old, value: value
        case "cas":
            return lambda old, compare, value: np.where(old == compare, value, old)
        case "inc":
            return lambda old, limit: np.where(old >= limit, old.dtype.type(0), old + old.dtype.type(1))
        case "dec":
            return lambda old, limit: np.where((old == 0) | (old > limit), limit, old - old.dtype.type(1))
        case _:
            raise Unsupported(f"the atomic operation `{op}`")
