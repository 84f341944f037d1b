"""No race that a run of the simulator meets is called absent, or harmless because of equal values."""

from __future__ import annotations

import numpy as np
import pytest

from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import PointerType
from analysis_core.races.verdicts import Verdict
from analysis_core.simulate.arguments import ArrayArgument, LaunchRequest
from analysis_core.simulate.faults import FaultKind
from analysis_core.simulate.run import simulate
from tests.races.random_kernels import THREADS, random_kernel
from tests.races.test_verdicts import kernels_of, report_of

SIZES = (0, 1, 3, 4, 40)
PER_BATCH = 15


def _meets(kernel: Kernel, size: int, among: str) -> bool:
    """Whether threads of the block meet in a run with this parameter, and arrays of different numbers: those whose description has `among` in it."""
    arrays = ArrayArgument(np.arange(1 << 12, dtype=np.int32) * 7919 % 65521 + 1)
    arguments = {v.name: arrays if isinstance(v.type, PointerType) else size for v in kernel.variables if v.parameter}
    outcome = simulate(kernel, LaunchRequest((THREADS, 1, 1), (1, 1, 1), arguments))
    return any(fault.kind is FaultKind.RACE_IN_BLOCK and among in fault.text for fault in outcome.faults)


def _batch(first: int, count: int) -> int:
    """How many kernels are called free of races; none of them is anything else."""
    free = 0
    for seed in range(first, first + count):
        text = random_kernel(seed)
        (kernel,) = kernels_of(text)
        verdict = report_of(kernel).verdict
        free += verdict is Verdict.ABSENT
        if verdict in (Verdict.ABSENT, Verdict.BENIGN):
            among = "with another value" if verdict is Verdict.BENIGN else ""  # else the simulator compares no values
            met = [size for size in SIZES if _meets(kernel, size, among)]
            assert not met, f"seed {seed} is called {verdict.value}, and threads meet with n = {met}\n{text}"
    return free


@pytest.mark.parametrize("batch", range(10))
def test_random_kernels(batch: int) -> None:
    assert _batch(batch * PER_BATCH, PER_BATCH) > 0


@pytest.mark.nightly
@pytest.mark.parametrize("batch", range(20))
def test_many_random_kernels(batch: int) -> None:
    assert _batch(10_000 + batch * 100, 100) > 20
