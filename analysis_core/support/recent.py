"""A table of answers that remembers those of the table before it, and no further back.

What is asked again is taken over, what is not goes with the older table: so a chain of tables, one for each analysis of a
text that changes little, holds what the last two of them needed.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(dict[K, V]):
    """A table in front of an older one: `get`, `in` and `[]` ask both, anything else sees this table only."""

    __slots__ = ("_older",)

    def __init__(self, older: dict[K, V] | None = None) -> None:
        super().__init__()
        self._older: dict[K, V] = {} if older is None else dict(older)

    def get(self, key: K, default: V | None = None) -> V | None:  # type: ignore[override]
        """The answer from this table, or from the older one, from which it is copied."""
        found = super().get(key)
        if found is None:
            found = self._older.get(key)
            if found is None:
                return default
            self[key] = found
        return found

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or key in self._older

    def __missing__(self, key: K) -> V:
        found = self[key] = self._older[key]
        return found
