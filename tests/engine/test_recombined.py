"""Indexes that are taken apart into row and column and put together again."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.interpreted import accesses, address, events_of
from tests.simulate.running import kernel_of, run

ROUND_TRIPS = [
    ("int i = e / n, j = e % n;", "i * n + j", True),
    ("int i = e / n, j = e % n;", "j + n * i + 3", True),
    ("int i = e / n, j = e % n;", "2 * (i * n + j)", True),
    ("int i = e / n, j = e - i * n;", "i * n + j", True),
    ("int i = e / n, j = e % n;", "i * n + 2 * j", False),
    ("int i = e / n, j = e % n;", "i * (n + 1) + j", False),
    ("int i = (e + 1) / n, j = e % n;", "i * n + j", False),
    ("int i = e / n, j = e % (n + 1);", "i * n + j", False),
    ("int i = e / n / n, j = e / n % n, k = e % n;", "(i * n + j) * n + k", True),
]


@pytest.mark.parametrize(("code", "index", "whole"), ROUND_TRIPS)
def test_a_round_trip_is_the_index_itself(code: str, index: str, whole: bool) -> None:
    text = f"__global__ void k(float *a, const int *size) {{ int e = threadIdx.x, n = *size; {code} a[{index}] = 1; }}"
    (found,) = accesses(events_of(text), f"a[{index}]")
    assert (("rem" in address(found)) or ("quo" in address(found))) is not whole
    if whole:
        for n in (1, 3, 7, 40, -5):
            outcome = run(kernel_of(text), 64, 1, {"a": np.zeros(400, np.float32), "size": np.array([n], np.int32)})
            assert not outcome.faults
            step = 2 if index.startswith("2") else 1
            start = 3 if index.endswith("3") else 0
            assert np.flatnonzero(outcome.arrays["a"]).tolist() == [step * e + start for e in range(64)]


APART = [
    "int x = e % w, y = e / w % h, z = e / (w * h);",
    "int x = e % w, y = e / w % h, z = e / (h * w);",
    "int z = e / (w * h), r = e % (w * h), y = r / w, x = r % w;",
    "int z = e / (w * h), y = (e - z * w * h) / w, x = e - z * w * h - y * w;",
    "int z = e / (w * h), r = e - z * (w * h), y = r / w, x = r - y * w;",
]


@pytest.mark.parametrize("code", APART)
def test_an_index_is_taken_apart_in_one_way(code: str) -> None:
    parameters = "float *a, int w, int h"
    text = f"__global__ void k({parameters}) {{ int e = threadIdx.x; {code} a[(z * h + y) * w + x] = 1; }}"
    (found,) = accesses(events_of(text), "a[(z * h + y) * w + x]")
    assert "rem" not in address(found) and "quo" not in address(found)
    for w, h in ((1, 1), (3, 7), (40, 2), (5, 100)):
        outcome = run(kernel_of(text), 64, 1, {"a": np.zeros(400, np.float32), "w": w, "h": h})
        assert not outcome.faults
        assert np.flatnonzero(outcome.arrays["a"]).tolist() == list(range(64))
