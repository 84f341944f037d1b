"""No race that a run of the simulator meets is called absent, harmless because of equal values, or impossible under a condition that holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from analysis_core.races.verdicts import RaceReport, Verdict
from tests.races.meetings import someone_meets
from tests.races.random_kernels import BLOCKS, THREADS, random_grid_kernel, random_kernel
from tests.races.random_objects import random_object_kernel
from tests.races.random_pipelines import random_pipeline_kernel
from tests.races.test_verdicts import kernels_of, report_of

SIZES = (0, 1, 3, 4, 40)
PER_BATCH = 15
_HARMLESS = frozenset({Verdict.ABSENT, Verdict.BENIGN})


def _claims(report: RaceReport, size: int, blocks: int) -> bool:
    """Whether nobody is said to meet where all sizes are this one, but to store the same."""
    if report.cause:
        return False
    return all(race.verdict in _HARMLESS or _is_excluded(race.required, size, blocks) for race in report.races)


def _is_excluded(required: object, size: int, blocks: int) -> bool:
    text = getattr(required, "text", None)
    if text is None:
        return False
    condition = text.replace("&&", "and").replace("gridDim.x", str(blocks))
    return bool(eval(condition, {"n": size, "m": size}))


def _batch(drawn: Callable[[int], str], first: int, count: int, blocks: int, sizes_of_n: Sequence[int] = SIZES) -> int:
    """How often nobody is said to meet; nobody does."""
    claimed = 0
    for seed in range(first, first + count):
        text = drawn(seed)
        (kernel,) = kernels_of(text)
        report = report_of(kernel)
        for size in sizes_of_n:
            if _claims(report, size, blocks):
                claimed += 1
                sizes = {"n": size, "m": size}
                met = someone_meets(
                    kernel, (THREADS, 1, 1), (blocks, 1, 1), sizes, report.verdict is not Verdict.ABSENT
                )
                assert not met, f"seed {seed} is called {report.verdict.value}, and with {size} {met}\n{text}"
    return claimed


@pytest.mark.parametrize("batch", range(10))
def test_random_kernels(batch: int) -> None:
    assert _batch(random_kernel, batch * PER_BATCH, PER_BATCH, 1) > 0


@pytest.mark.parametrize("batch", range(2))
def test_random_kernels_with_barrier_objects(batch: int) -> None:
    assert _batch(random_object_kernel, batch * PER_BATCH, PER_BATCH, 1) > 0


@pytest.mark.parametrize("batch", range(2))
def test_random_kernels_of_several_blocks(batch: int) -> None:
    assert _batch(random_grid_kernel, batch * PER_BATCH, PER_BATCH, BLOCKS) > 0


@pytest.mark.nightly
@pytest.mark.parametrize("batch", range(20))
def test_many_random_kernels(batch: int) -> None:
    assert _batch(random_kernel, 10_000 + batch * 100, 100, 1) > 20


@pytest.mark.nightly
@pytest.mark.parametrize("batch", range(20))
def test_many_random_kernels_with_barrier_objects(batch: int) -> None:
    assert _batch(random_object_kernel, 10_000 + batch * 100, 100, 1) > 20


@pytest.mark.nightly
@pytest.mark.parametrize("batch", range(20))
def test_many_random_kernels_of_several_blocks(batch: int) -> None:
    assert _batch(random_grid_kernel, 10_000 + batch * 100, 100, BLOCKS) > 20


def test_random_kernels_with_pipelines() -> None:
    assert _batch(random_pipeline_kernel, 0, PER_BATCH, 1, SIZES[:3]) > 0
