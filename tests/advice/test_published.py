"""The advisor's score beside speed-ups that were measured: tables 2 to 4 of comprehensive parametric kernels
(`published/`, own renditions with as many results of a thread and the same blocks).

The score is less where a kernel is faster, so ranks are held against those of 1 / speed-up.  The product's best shapes wait at fewer barriers and take
fewer steps for a result, which the score does not count: 0.43 is what it has.
"""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

import pytest

from analysis_core.advice.advisor import Shapes
from tests.advice.variants import variants

FOLDER = Path(__file__).parent / "published"


def published(kernel: str) -> list[tuple[int, int, int, float]]:
    with (FOLDER / "speedups.tsv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["kernel"] == kernel]
    return [(int(row["x"]), int(row["y"]), int(row["results"]), float(row["speedup"])) for row in rows]


def score(kernel: str, x: int, y: int, results: int) -> Fraction:
    """Of one result, on a multiprocessor that holds as many warps as that of the measurement's generation and those since."""
    head = f"#define X {x}\n#define Y {y}\n#define S {results}\n"
    found = variants(head + (FOLDER / f"{kernel}.cu").read_text(encoding="utf-8"))
    launched = found.launched(found.kernels()[0].name_span)
    assert launched is not None
    row = next(Shapes(found, launched, (), 0).rows())
    value = row.score("7.0")
    assert value is not None
    return value / results


def ranks(values: list[Fraction]) -> list[Fraction]:
    return [
        Fraction(sum(one < value for one in values) + sum(one <= value for one in values) + 1, 2) for value in values
    ]


def correlation(one: list[Fraction], other: list[Fraction]) -> float:
    """Spearman's."""
    a, b = ranks(one), ranks(other)
    mean = Fraction(len(a) + 1, 2)
    together = sum((p - mean) * (q - mean) for p, q in zip(a, b, strict=True))
    return float(together) / float(sum((p - mean) ** 2 for p in a) * sum((q - mean) ** 2 for q in b)) ** 0.5


@pytest.mark.nightly
@pytest.mark.parametrize(("kernel", "least"), [("jacobi", 0.85), ("transpose", 0.95), ("matmul", 0.43)])
def test_ranks_are_those_of_measured_speedups(kernel: str, least: float) -> None:
    rows = published(kernel)
    scores = [score(kernel, x, y, results) for x, y, results, _ in rows]
    found = correlation(scores, [1 / Fraction(speedup) for *_, speedup in rows])
    assert len(rows) >= 12
    assert round(found, 2) >= least
