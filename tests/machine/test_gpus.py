"""The described GPUs: figures that agree with what compute capabilities do."""

from __future__ import annotations

from pathlib import Path

import pytest

import analysis_core
from analysis_core.machine.description import Machine, describe
from analysis_core.machine.gpus import Gpu, gpus

GPUS = gpus((Path(analysis_core.__file__ or "").parent / "machine" / "gpus.toml").read_text(encoding="utf-8"))
DOUBLES = {"7.0": 2, "7.5": 32, "8.0": 2, "8.6": 64, "8.9": 64, "9.0": 2}
"""Floats for each double ("Arithmetic Instructions", CUDA C++ programming guide)."""


@pytest.mark.parametrize("gpu", GPUS, ids=lambda gpu: gpu.name)
def test_figures_agree(gpu: Gpu) -> None:
    assert isinstance(describe(gpu.capability), Machine) and gpu.source
    assert gpu.f32 / gpu.f64 == pytest.approx(DOUBLES[gpu.capability], rel=0.03)
    assert 5 < gpu.f32 / gpu.bandwidth < 120


def test_names_differ() -> None:
    assert len({gpu.name for gpu in GPUS}) == len(GPUS) >= 6
