"""What is said of requests holds for every set of lanes that runs together: kernels out of guards and indices, each run so often that all are met.

`python -m tests.compiled.hunt SEED 1 --masks --shrink` makes a failing kernel small.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compiled.build import compiler
from tests.compiled.compare import Tally
from tests.compiled.examine import examine
from tests.compiled.program.masks import mask_unit
from tests.compiled.test_compiled import told

pytestmark = pytest.mark.skipif(compiler() is None, reason="no g++: kernels cannot be run, and no claim is tested")

_BATCH = 15


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where programs are made; the runtime in it is compiled once."""
    return tmp_path_factory.mktemp("masks")


def _examine(first: int, folder: Path) -> Tally:
    tally = Tally()
    found = examine([mask_unit(seed) for seed in range(first, first + _BATCH)], folder, tally)
    assert not found, told(found)
    assert not tally.unread, tally
    assert tally.launches > 3 * sum(tally.void.values()), f"too few launches prove something: {tally}"
    return tally


def test_no_claim_is_broken(folder: Path) -> None:
    tally = _examine(0, folder)
    assert tally.checks > 5000 * _BATCH
    assert len(tally.loose) < _BATCH  # half of the accesses cost somewhere what is said, and nearly all do


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(1_000_000, 1_003_000, _BATCH))
def test_no_claim_is_broken_at_night(first: int, folder: Path) -> None:
    _examine(first, folder)
