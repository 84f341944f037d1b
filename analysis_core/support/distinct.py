"""Equal things once, where they cannot be hashed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

T = TypeVar("T")


def distinct(found: Iterable[T], key: Callable[[T], Hashable]) -> list[T]:
    """The first of those that are equal, in order. `key`: equal for equal ones, and different for nearly all others, which are not
    compared."""
    kept: list[T] = []
    alike: dict[Hashable, list[T]] = {}
    for one in found:
        others = alike.setdefault(key(one), [])
        if one not in others:
            others.append(one)
            kept.append(one)
    return kept
