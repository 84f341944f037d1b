"""What one reader keeps from one analysis for the next: answers of stages, by all that they rest on.

A stage is a function of its inputs.  Its answers lie under a key that tells these inputs (or is a digest of them); or they lie under
a place, with the inputs beside them, and whoever asks compares.  So no answer is ever wrong, only of no use: a store changes no
result, and may be dropped at any time.  It belongs to whoever reads more than once: a run of the command line, the server's worker.

Each stage says what its answers may take (`Stage.room`); beyond that those go that were not asked for longest.

What was done and what was not done again is noted here too: counted for each stage, and step by step (`Event`).
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from typing import Any, Generic, TypeVar

from analysis_core.text.records import dataclass

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

LONG = 24
"""Outermost statements from which on the parts of a body are kept one by one: the trouble is not worth it for less."""


EVENTS = 10_000
"""Steps that the log holds."""


def _one(value: object) -> int:
    return 1


@dataclass(frozen=True, slots=True)
class Stage(Generic[K, V]):
    """One kind of answers, with a unique name. `room`: the most that its answers may take together, in units of `size`
    (by default one unit each); `fewest`: how many stay in any case."""

    name: str
    room: int
    size: Callable[[V], int] = _one
    fewest: int = 0


@dataclass(frozen=True, slots=True)
class Count:
    """How often a stage was asked: for answers that were there, and for others."""

    hits: int = 0
    misses: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """One step of an analysis: `what` was done ("read", "lowered", "interpreted", "bounded", "solved") for `subject` (a kernel's
    name, a file) or, with `reused`, was not done again.  `count`: statements interpreted, where that is told."""

    what: str
    subject: str
    reused: bool = False
    count: int = 0


@dataclass(slots=True)
class _Table:
    """The answers of one stage, those asked for last at the end, each with its size."""

    answers: OrderedDict[Hashable, tuple[Any, int]] = field(default_factory=OrderedDict)
    taken: int = 0
    hits: int = 0
    misses: int = 0


class Store:
    """Answers of all stages.  `part`: how much of each stage's room there is; `long`: see `LONG`, less in tests."""

    def __init__(self, part: float = 1.0, long: int = LONG) -> None:
        self.long = long
        self._part = part
        self._tables: dict[str, _Table] = {}
        self._events: deque[Event] = deque(maxlen=EVENTS)

    def get(self, stage: Stage[K, V], key: K, holds: Callable[[V], bool] | None = None) -> V | None:
        """The answer under a key, which counts as asked for now; None if it is missing or `holds` rejects it."""
        value = self.last(stage, key)
        table = self._table(stage)
        if value is None or (holds is not None and not holds(value)):
            table.misses += 1
            return None
        table.hits += 1
        return value

    def last(self, stage: Stage[K, V], key: K) -> V | None:
        """The value under a key, without asking whether it still holds: the caller uses parts of it and reports that
        by `tell`."""
        answers = self._table(stage).answers
        found = answers.get(key)
        if found is None:
            return None
        answers.move_to_end(key)
        value: V = found[0]
        return value

    def tell(self, stage: Stage[K, V], hits: int = 0, misses: int = 0) -> None:
        """Adds uses of answers to the log of a stage."""
        table = self._table(stage)
        table.hits += hits
        table.misses += misses

    def put(self, stage: Stage[K, V], key: K, value: V) -> None:
        """Keeps an answer in place of the one under this key.  One that is larger than the room is not kept at all."""
        table, size, room = self._table(stage), stage.size(value), stage.room * self._part
        self.drop(stage, key)
        if size > room and not stage.fewest:
            return
        table.taken += size
        table.answers[key] = value, size
        while table.taken > room and len(table.answers) > stage.fewest:
            table.taken -= table.answers.popitem(last=False)[1][1]

    def drop(self, stage: Stage[K, V], key: K) -> None:
        """Forgets an answer, if it is there."""
        table = self._table(stage)
        old = table.answers.pop(key, None)
        table.taken -= 0 if old is None else old[1]

    def taken(self, stage: Stage[K, V]) -> int:
        """How much room the answers of a stage take."""
        return self._table(stage).taken

    def log(self) -> Mapping[str, Count]:
        """How often each stage was asked, by name."""
        return {name: Count(table.hits, table.misses) for name, table in self._tables.items()}

    def count(self, stage: Stage[K, V]) -> Count:
        """How often a stage was asked."""
        return self.log().get(stage.name, Count())

    def note(self, what: str, subject: str, reused: bool = False, count: int = 0) -> None:
        """Adds a step to the log."""
        self._events.append(Event(what, subject, reused, count))

    def events(self) -> tuple[Event, ...]:
        """All steps since the last call; the oldest are dropped beyond `EVENTS`."""
        events = tuple(self._events)
        self._events.clear()
        return events

    @contextmanager
    def waiting(self) -> Iterator[Store]:
        """A view of this store for work that may be given up: what is put there comes here only afterwards."""
        waiting = _Waiting(self)
        try:
            yield waiting
        finally:
            waiting.commit()

    def _table(self, stage: Stage[K, V]) -> _Table:
        found = self._tables.get(stage.name)
        if found is None:
            found = self._tables[stage.name] = _Table()
        return found


class _Waiting(Store):
    """Asks another store, to which nothing is added before `commit`."""

    def __init__(self, store: Store) -> None:
        super().__init__(long=store.long)
        self._store = store
        self._new: dict[tuple[str, Hashable], tuple[Stage[Any, Any], Any]] = {}

    def last(self, stage: Stage[K, V], key: K) -> V | None:
        """What lies under the key, also if it waits."""
        found = self._new.get((stage.name, key))
        if found is None:
            return self._store.last(stage, key)
        value: V = found[1]
        return value

    def _table(self, stage: Stage[K, V]) -> _Table:
        return self._store._table(stage)

    def put(self, stage: Stage[K, V], key: K, value: V) -> None:
        """Keeps an answer until `commit`."""
        self._new[stage.name, key] = stage, value

    def commit(self) -> None:
        """Adds what waits."""
        for (_, key), (stage, value) in self._new.items():
            self._store.put(stage, key, value)
        self._new.clear()
