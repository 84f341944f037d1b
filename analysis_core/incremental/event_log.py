"""What was done for the analyses of a file that is edited, and what was not done again: read by tests and benches."""

from __future__ import annotations

from analysis_core.text.records import dataclass


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
