"""Searches for cycles: not while somebody waits, and not before there is something to look through."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from analysis_core.workspace.memory import Leftovers, collect_while_idle


@pytest.fixture
def searches() -> Iterator[list[int]]:
    """The generations that are searched while a test runs, in which nothing else searches."""
    found: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            found.append(info["generation"])

    gc.collect()
    gc.disable()
    gc.callbacks.append(note)
    yield found
    gc.callbacks.remove(note)
    gc.enable()


def test_what_was_made_is_looked_through_when_nothing_comes(searches: list[int]) -> None:
    made = [[n] for n in range(10_000)]
    collect_while_idle(lambda seconds: False)
    assert searches == [0] and len(made) == 10_000
    collect_while_idle(lambda seconds: False)
    assert searches == [0]


def test_nobody_waits_for_a_search(searches: list[int]) -> None:
    made = [[n] for n in range(10_000)]
    asked: list[float] = []

    def busy(seconds: float) -> bool:
        asked.append(seconds)
        return True

    collect_while_idle(busy)
    assert searches == [] and asked == [0.0] and len(made) == 10_000


def test_older_objects_are_looked_through_after_a_while_without_work(searches: list[int]) -> None:
    for _ in range(21):
        gc.collect(0)
    searches.clear()
    collect_while_idle(lambda seconds: seconds > 0)
    assert searches == []
    collect_while_idle(lambda seconds: False)
    assert searches == [1]


def test_what_files_leave_behind_is_looked_for_when_the_process_has_grown(searches: list[int]) -> None:
    leftovers = Leftovers()
    assert not leftovers.freed()
    assert searches == []
    grown = bytearray(b"x" * (200 << 20))
    assert leftovers.freed()
    assert searches == [2]
    assert not leftovers.freed()
    assert searches == [2] and len(grown) == 200 << 20
