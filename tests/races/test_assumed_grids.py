"""What annotations say of the grid is known where blocks are held against each other."""

from __future__ import annotations

import pytest

from analysis_core.interp.interpret import interpret
from analysis_core.program.launch import choose_launches
from analysis_core.races.decide import race_report
from analysis_core.races.verdicts import Verdict
from analysis_core.support.settings import Settings
from tests.races.test_verdicts import kernels_of


@pytest.mark.parametrize(
    ("stated", "verdict"),
    [
        ("", Verdict.CERTAIN),
        ("//@ assume gridDim.x == 1", Verdict.ABSENT),
        ("//@ assume gridDim.x == n && n == 1", Verdict.ABSENT),
        ("//@ requires gridDim.x <= 1", Verdict.ABSENT),
        ("//@ assume gridDim.y == 1", Verdict.CERTAIN),
    ],
)
def test_one_block_is_believed(stated: str, verdict: Verdict) -> None:
    text = f"""{stated}
    __global__ void k(int *a, int n) {{ a[threadIdx.x] = blockIdx.x + threadIdx.x; }}
    void run(int *a, int g, int n) {{ k<<<g, 256>>>(a, n); }}"""
    (kernel,) = kernels_of(text)
    (launch,) = choose_launches(kernel, Settings())
    assert race_report(kernel, launch, interpret(kernel, launch, Settings()), False).verdict is verdict
