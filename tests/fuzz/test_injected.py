"""Faults at every read, and at some of all steps: nothing of them is left in the next answer."""

from __future__ import annotations

import pytest

from tests.fuzz.injected import memory_lost, read_lost, reads


@pytest.mark.parametrize("half", [False, True], ids=["none", "half"])
def test_reads_that_fail(half: bool) -> None:
    count = reads()
    assert count >= 3
    for lost in range(1, count + 1):
        read_lost(lost, half)


def test_memory_that_runs_out_at_some_steps() -> None:
    memory_lost(1, 5)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(10, 20))
def test_memory_that_runs_out_at_many_steps(seed: int) -> None:
    memory_lost(seed, 15)
