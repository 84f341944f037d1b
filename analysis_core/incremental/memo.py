"""What is kept between analyses, and the log of what was used again: one object, owned by one host.

Entries are bytes, found by a digest of everything that they depend on; so none is ever wrong, only unused.  Over the limit
those go first that were not used for longest.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

LIMIT = 40_000_000
"""Bytes of entries that are kept."""


@dataclass(frozen=True, slots=True)
class Event:
    """One step of one analysis: `what` was done ("read", "lowered", "interpreted", "bounded", "solved") for `subject` (a kernel's
    name, a file) or, with `reused`, was not done again.  `count`: statements interpreted, where that is told."""

    what: str
    subject: str
    reused: bool = False
    count: int = 0


class EventLog:
    """The steps of the analyses since it was last emptied; the oldest are dropped beyond `most`."""

    def __init__(self, most: int = 10_000) -> None:
        self._events: list[Event] = []
        self._most = most

    def note(self, what: str, subject: str, reused: bool = False, count: int = 0) -> None:
        """Adds a step."""
        self._events.append(Event(what, subject, reused, count))
        if len(self._events) > self._most:
            del self._events[: self._most // 2]

    def taken(self) -> tuple[Event, ...]:
        """All steps since the last call."""
        events = tuple(self._events)
        self._events.clear()
        return events


class Sized(Protocol):
    """What takes room."""

    @property
    def size(self) -> int:
        """Bytes, about."""
        ...


V = TypeVar("V", bound=Sized)


class Memo(Generic[V]):
    """Packed values by digest."""

    def __init__(self, limit: int = LIMIT) -> None:
        self._entries: OrderedDict[bytes, V] = OrderedDict()
        self._limit = limit
        self.bytes = 0
        """What all entries take."""

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: bytes) -> V | None:
        """The entry, which counts as used now."""
        found = self._entries.get(key)
        if found is not None:
            self._entries.move_to_end(key)
        return found

    def put(self, key: bytes, value: V) -> None:
        """Keeps an entry; one that is larger than the limit is not kept at all."""
        old = self._entries.pop(key, None)
        if old is not None:
            self.bytes -= old.size
        self._entries[key] = value
        self.bytes += value.size
        while self.bytes > self._limit and self._entries:
            _, oldest = self._entries.popitem(last=False)
            self.bytes -= oldest.size


class Buffered(Generic[V]):
    """A memo to which nothing is added before `commit`: for work that may be left at any step."""

    def __init__(self, memo: Memo[V]) -> None:
        self._memo, self._new = memo, dict[bytes, V]()

    def get(self, key: bytes) -> V | None:
        """The entry, also one that waits."""
        return self._new.get(key) or self._memo.get(key)

    def put(self, key: bytes, value: V) -> None:
        """Keeps an entry until `commit`."""
        self._new[key] = value

    def commit(self) -> None:
        """Adds what waits."""
        for key, value in self._new.items():
            self._memo.put(key, value)
        self._new.clear()
