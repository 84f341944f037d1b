"""The described GPUs: figures that agree with what compute capabilities do."""

from __future__ import annotations

import pytest

from analysis_core.machine.description import Machine, describe
from analysis_core.machine.gpus import Gpu, gpus

DOUBLES = {"7.0": 2, "7.5": 32, "8.0": 2, "8.6": 64, "8.9": 64, "9.0": 2}
"""Floats for each double ("Arithmetic Instructions", CUDA C++ programming guide)."""


@pytest.mark.parametrize("gpu", gpus(), ids=lambda gpu: gpu.name)
def test_figures_agree(gpu: Gpu) -> None:
    assert isinstance(describe(gpu.capability), Machine) and gpu.source
    assert gpu.f32 / gpu.f64 == pytest.approx(DOUBLES[gpu.capability], rel=0.03)
    assert 5 < gpu.f32 / gpu.bandwidth < 120


def test_names_differ() -> None:
    assert len({gpu.name for gpu in gpus()}) == len(gpus()) >= 6
