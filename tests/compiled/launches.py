"""Launches of a unit, and what came of them."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.compiled.unit import Number, Shape, Unit

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Sample:
    """Grid and numbers of one launch; `seed` of what memory holds."""

    grid: Shape
    values: tuple[int, ...]
    seed: int


def samples(unit: Unit) -> list[Sample]:
    """Launches of a unit; the same each time."""
    rng = random.Random(unit.seed)
    gx, gy, gz = unit.grids
    return [
        Sample(
            (rng.randint(1, gx), rng.randint(1, gy), rng.randint(1, gz)),
            tuple(_value(rng, n) for n in unit.numbers),
            rng.randrange(1, 1 << 30),
        )
        for _ in range(unit.launches)
    ]


def _value(rng: random.Random, n: Number) -> int:
    """Sizes of a few threads and of whole warps are where things change."""
    if n.usual:
        return rng.choice(n.usual)
    x = rng.random()
    if x < 0.25:
        return min(n.high, rng.randint(n.low, n.low + 8))
    aligned = range(-(-n.low // 32) * 32, n.high + 1, 32)
    if x < 0.5 and len(aligned) > 1:
        return rng.choice(aligned)
    return rng.randint(n.low, n.high)


def observed(program: Path, jobs: Sequence[tuple[Unit, Sample]], races: bool = True) -> list[Json | None]:
    """What each launch did; None where the program did not get that far."""
    text = "".join(_job(unit, sample, races) for unit, sample in jobs)
    done = subprocess.run([str(program)], input=text, capture_output=True, text=True, check=False, timeout=600)
    found: list[Json | None] = [json.loads(line) for line in done.stdout.splitlines()]
    return found + [None] * (len(jobs) - len(found))


def _job(unit: Unit, sample: Sample, races: bool) -> str:
    numbers = [*unit.block, *sample.grid, sample.seed, int(races), len(unit.arrays)]
    for array in unit.arrays:
        numbers += [array.width, int(array.real), array.low, array.high]
    return " ".join([unit.name, *map(str, numbers), *map(str, sample.values)]) + "\n"
