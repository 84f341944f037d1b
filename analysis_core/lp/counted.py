"""Results of work that are kept, with what they cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from analysis_core.support.fuel import Fuel, OutOfFuel

K = TypeVar("K")
T = TypeVar("T")


class Counted(Generic[K, T]):
    """Results of work, by what the work was about. Work that was done before is not done again but still counts, so
    that no result depends on what was asked before."""

    def __init__(self) -> None:
        self._done: dict[K, tuple[T, int]] = {}  # with the units that it took
        self._too_much: dict[K, tuple[int, str]] = {}  # units that were not enough, and what was too large

    def __len__(self) -> int:
        return len(self._done)

    def values(self) -> list[T]:
        """All results."""
        return [result for result, _ in self._done.values()]

    def get(self, key: K, make: Callable[[], T], fuel: Fuel) -> T:
        """The result for a key, which `make` computes at the first use and which costs fuel each time. Raises what
        `make` raises."""
        done, too_much = self._done.get(key), self._too_much.get(key)
        if done is not None and done[1] <= fuel.left:
            fuel.spend(done[1], "it was found before")
            return done[0]
        if too_much is not None and fuel.left <= too_much[0]:
            fuel.spend(fuel.left + 1, too_much[1])
        before = fuel.left
        try:
            result = make()
        except OutOfFuel as error:
            if fuel.left < 0:  # not by the clock
                self._too_much[key] = before, str(error)
            raise
        self._done[key] = result, before - fuel.left
        return result
