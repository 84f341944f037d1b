"""A campaign of fuzzing: inputs are drawn, changed, tried, and kept where they lead to calls that no input before led to."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz.mutate import MOST, mutated, tokens
from tests.fuzz.one_input import Edge, Outcome, tried

ROOT = Path(__file__).parents[2]
CORPUS = Path(__file__).parent / "corpus"
"""Inputs that once showed a fault, or that lead far; each is tried in every run."""


def corpus() -> list[bytes]:
    return [path.read_bytes() for path in sorted(CORPUS.glob("*.cu"))]


def written() -> list[bytes]:
    """The project's own kernels, as far as they are short."""
    paths = sorted([*(ROOT / "tests" / "kernels").rglob("*.cu"), *(ROOT / "examples").glob("*.cu")])
    return [data for path in paths if len(data := path.read_bytes()) <= MOST // 4]


@dataclass
class Campaign:
    """A run that grows.  `first`: inputs that are tried as they are; `seeds`: texts that are changed; `known`: calls that some input made; `kept`:
    inputs that made new ones."""

    first: Sequence[bytes]
    seeds: Sequence[bytes]
    seed: int = 0
    known: set[Edge] = field(default_factory=set)
    kept: list[bytes] = field(default_factory=list)

    def inputs(self) -> Iterator[tuple[bytes, Outcome]]:
        """Inputs without end, each with what became of it."""
        chance = random.Random(self.seed)
        for data in self.first:
            yield data, self._tried(data)
        while True:
            pool = self.kept if self.kept and chance.random() < 0.5 else self.seeds
            data = mutated(chance.choice(pool), chance, self.seeds)
            yield data, self._tried(data)

    def _tried(self, data: bytes) -> Outcome:
        outcome = tried(data, watch=True)
        if not outcome.edges <= self.known:
            self.known |= outcome.edges
            if outcome.failure is None:
                self.kept.append(data)
        return outcome


def smaller(data: bytes, failure: str, work: Callable[[bytes], Outcome] = tried, tries: int = 400) -> bytes:
    """A part of an input that fails in the same way, with as few tokens as `tries` attempts find."""
    name, pieces = _name(failure), tokens(data)
    width = max(1, len(pieces) // 2)
    while tries > 0:
        start, shrunk = 0, False
        while start < len(pieces) and tries > 0:
            tries -= 1
            candidate = pieces[:start] + pieces[start + width :]
            outcome = work(b"".join(candidate))
            if outcome.failure is not None and _name(outcome.failure) == name:
                pieces, shrunk = candidate, True
            else:
                start += width
        if width == 1 and not shrunk:
            break
        width = max(1, width // 2)
    return b"".join(pieces)


def name_of(data: bytes) -> str:
    """The name of a file of the corpus."""
    return f"{hashlib.sha256(data).hexdigest()[:12]}.cu"


def _name(failure: str) -> str:
    return failure.partition("\n")[0]
