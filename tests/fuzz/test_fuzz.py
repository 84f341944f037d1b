"""No input breaks the analysis: the same inputs in every run, some seconds of them, and hours of others at night."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from tests.fuzz import one_input
from tests.fuzz.campaign import ROOT, smaller, written
from tests.fuzz.mutate import MOST, mutated, tokens
from tests.fuzz.one_input import Outcome, tried


def fuzzed(*options: str) -> None:
    told = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", *options], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stdout + told.stderr


def test_inputs_of_one_seed() -> None:
    fuzzed("--inputs", "16", "--seed", "1")


@pytest.mark.nightly
def test_inputs_of_other_seeds() -> None:
    fuzzed("--seconds", "7200", "--seed", str(random.randrange(1 << 30)))


def test_the_same_seed_makes_the_same_inputs() -> None:
    seeds = written()[:20]

    def some(seed: int) -> list[bytes]:
        chance = random.Random(seed)
        return [mutated(chance.choice(seeds), chance, seeds) for _ in range(200)]

    assert some(3) == some(3) != some(4)
    assert all(len(data) <= MOST for data in some(3))
    assert all(b"".join(tokens(data)) == data for data in some(3))


def _breaks(data: bytes) -> None:
    if b"memory" in data:
        big = [bytearray(100 << 20) for _ in range(6)]
        for one in big:
            one[:: 1 << 12] = b"x" * len(one[:: 1 << 12])
    assert b"boom" not in data, "boom"
    while b"loop" in data:
        pass


@pytest.mark.parametrize(
    ("data", "failure"),
    [(b"boom", "AssertionError in"), (b"loop", "more than 0.5 s"), (b"memory", "more than 512 MB"), (b"fine", None)],
)
def test_what_counts_as_a_fault(data: bytes, failure: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if data == b"loop":
        monkeypatch.setattr(one_input, "SECONDS", 0.5)
    found = tried(data, work=_breaks).failure
    assert found is None if failure is None else found is not None and found.startswith(failure)


def test_faults_are_made_small() -> None:
    def work(data: bytes) -> Outcome:
        return Outcome("AssertionError in f\nmore" if b"boom" in data and b"{" in data else None, 0.0, 0)

    assert smaller(b"a b { c boom d } e f g", "AssertionError in f\nother", work) in (b"{boom", b"{ boom")
