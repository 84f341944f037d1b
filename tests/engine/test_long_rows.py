"""Indexes that are taken apart by sizes: what is said where rows are no shorter than a warp, held against the simulator."""

from __future__ import annotations

import random

import numpy as np
import pytest

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.requests.facts import AccessFact
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.simulate.running import kernel_of, run

PARTS = {
    "int x = i % w, y = i / w;": ("in[y * p + x]", "in[x * 3 + y]", "in[y * p + 2 * x]", "in[y * p - x + 4096]"),
    "int x = i % w, y = i / w % h, z = i / (w * h);": (
        "in[z * q + y * p + x]",
        "in[z * q + x * h + y]",
        "in[(z * h + y) * p + x]",
        "in[z * q + y]",
    ),
    "int x = i % w, y = i / w % h, z = i / w / h;": ("in[z * q + y * p + x]", "in[(y * p + z) * 2 + x]"),
    "int r = i % (w * h), z = i / (w * h), x = r % w, y = r / w;": ("in[z * q + y * p + x]",),
    "int z = i / (w * h), y = (i - z * w * h) / w, x = i - z * w * h - y * w;": ("in[z * q + y * p + x]",),
}
QUICK = Settings(bounds=False)
KERNELS = [(code, index) for code, indexes in PARTS.items() for index in indexes]


def source(code: str, index: str) -> str:
    parameters = "float *out, const float *in, int w, int h, int p, int q"
    return f"__global__ void k({parameters}) {{ int i = blockIdx.x * 64 + threadIdx.x; {code} out[i] = {index}; }}"


def fact_of(text: str) -> AccessFact:
    report = analyse_file("k.cu", MemoryFiles({"k.cu": f"//@ launch block=(64)\n{text}".encode()}), QUICK, strict=True)
    return next(fact for fact in report.kernels[0].launches[0].facts.accesses if fact.base == "in")


@pytest.mark.parametrize(("code", "index"), KERNELS)
def test_no_request_costs_more_than_its_case_says(code: str, index: str) -> None:
    text = source(code, index)
    fact, kernel, draw = fact_of(text), kernel_of(text), random.Random(f"{code} {index}")
    assert [case.when for case in fact.cases] in ([], ["w >= 32"])
    for _ in range(40):
        w, h = draw.choice((1, 2, 7, 31, 32, 33, 40, 64, 100)), draw.choice((1, 2, 3, 8, 50))
        p, q = draw.choice((1, 8, 33, w, w + 5)), draw.choice((0, 64, 97, w * h, w * h + 3))
        arrays = {"out": np.zeros(256, np.float32), "in": np.zeros(1 << 16, np.float32)}
        outcome = run(kernel, 64, 4, {**arrays, "w": w, "h": h, "p": p, "q": q})
        paid = int(outcome.warps.by_name()["sectors"].max()) - 4
        most = next((case.cost for case in fact.cases if w >= 32), fact.worst)
        assert paid <= most, (w, h, p, q)


def test_what_is_said_is_less_than_lanes_anywhere_cost() -> None:
    for code, index in KERNELS:
        if index in ("in[z * q + y * p + x]", "in[y * p + x]"):
            (case,) = fact_of(source(code, index)).cases
            assert case.cost <= 7, (code, index)
