"""No claim that is called proved is broken in a run of the simulator, and each that is called refuted is."""

from __future__ import annotations

import numpy as np
import pytest

from analysis_core.claims.decide import claims_of
from analysis_core.claims.verdicts import Judged, Standing
from analysis_core.interp.interpret import interpret
from analysis_core.ir.nodes import Kernel
from analysis_core.program.launch import choose_launches
from analysis_core.races.decide import race_report
from analysis_core.simulate.arguments import ArrayArgument, LaunchRequest
from analysis_core.simulate.faults import FaultKind
from analysis_core.simulate.machine import Stopped
from analysis_core.simulate.run import simulate
from analysis_core.support.settings import Settings
from analysis_core.text.span import Span
from tests.claims.random_claims import BLOCKS, THREADS, random_claims
from tests.races.test_verdicts import kernels_of

SIZES = ((1, 2), (40, 3), (17, 33))
PER_BATCH = 12
_HARMLESS = frozenset({FaultKind.BROKEN_CLAIM, FaultKind.RACE_IN_WARP})


def _judged(kernel: Kernel) -> tuple[Judged, ...]:
    settings = Settings()
    (launch,) = choose_launches(kernel, settings)
    races = race_report(kernel, launch, interpret(kernel, launch, settings), False)
    return claims_of(kernel, launch, settings, races)


def _broken(kernel: Kernel, n: int, m: int, fill: int, blocks: int = BLOCKS) -> set[Span]:
    """The claims that a run breaks in which nothing undefined happens before."""
    assert kernel.claimed is not None
    cells = (np.arange(1 << 12, dtype=np.int32) * 31 % 97 - 20) * fill
    arguments = {"a": ArrayArgument(cells), "n": n, "m": m}
    request = LaunchRequest((THREADS, 1, 1), (blocks, 1, 1), arguments, rounds=500, overflow=True)
    try:
        outcome = simulate(kernel.claimed, request)
    except Stopped:
        return set()
    found: set[Span] = set()
    for fault in outcome.faults:
        if fault.kind not in _HARMLESS:
            break
        found.add(fault.span)
    return found


def _batch(first: int, count: int) -> dict[Standing, int]:
    """How often each standing comes up; all of them are right."""
    counts = dict.fromkeys(Standing, 0)
    for seed in range(first, first + count):
        text = random_claims(seed)
        (kernel,) = kernels_of(text)
        judged = _judged(kernel)
        for one in judged:
            counts[one.standing] += 1
        proved = {one.span: one for one in judged if one.standing is Standing.PROVED}
        for n, m in SIZES:
            for fill in (0, 1):
                for span in _broken(kernel, n, m, fill) & proved.keys():
                    line = text[: span.start].count("\n") + 1
                    raise AssertionError(
                        f"seed {seed}: line {line} is called proved ({proved[span].how}), broken with {n}, {m}\n{text}"
                    )
        for one in judged:
            if one.standing is Standing.REFUTED:
                assert one.thread is not None and all(v >= 0 for v in one.values.values())
    return counts


@pytest.mark.parametrize("batch", range(4))
def test_random_claims(batch: int) -> None:
    counts = _batch(batch * PER_BATCH, PER_BATCH)
    assert counts[Standing.PROVED] > 10 and counts[Standing.REFUTED] > 2


@pytest.mark.nightly
@pytest.mark.parametrize("batch", range(20))
def test_many_random_claims(batch: int) -> None:
    counts = _batch(10_000 + batch * 100, 100)
    assert counts[Standing.PROVED] > 50 and counts[Standing.REFUTED] > 10
