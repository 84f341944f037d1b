"""What searches are said to cost, against searches that are made."""

from __future__ import annotations

import numpy as np
import pytest

from analysis_core.expressions import expression as ex
from analysis_core.machine.sizes import BANKS, SECTOR_BYTES, WARP
from analysis_core.profile import probed
from analysis_core.profile.access_profile import Searched

Places = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


def _searched(elements: int, in_order: bool, seed: int) -> list[Places]:
    """The places at which the lanes of a warp that are still searching look, round by round."""
    random = np.random.default_rng(seed)
    table = np.sort(random.random(elements))
    keys = random.random(WARP)
    if in_order:
        first = int(random.integers(0, elements - WARP))
        keys = np.sort(random.random(elements))[first : first + WARP]
    low, high = np.zeros(WARP, dtype=np.int64), np.full(WARP, elements, dtype=np.int64)
    rounds = []
    while (searching := low < high).any():
        middle = (low + high) // 2
        rounds.append(middle[searching])
        right = table[np.minimum(middle, elements - 1)] < keys
        low = np.where(searching & right, middle + 1, low)
        high = np.where(searching & ~right, middle, high)
    return rounds


def _sectors(places: Places, pitch: int) -> int:
    return len(np.unique(places * pitch // SECTOR_BYTES))


def _wavefronts(places: Places) -> int:
    return int(np.bincount(np.unique(places) % BANKS).max())


@pytest.mark.parametrize("elements", [1024, 4096])
@pytest.mark.parametrize("pitch", [4, 16])
@pytest.mark.parametrize("in_order", [False, True])
def test_sectors_of_a_search(elements: int, pitch: int, in_order: bool) -> None:
    made = [_sectors(places, pitch) for seed in range(60) for places in _searched(elements, in_order, seed)]
    found = Searched(ex.integer(elements), None, pitch, WARP if in_order else None)
    assert probed.mean_sectors(found, elements, WARP) == pytest.approx(np.mean(made), rel=0.15)


@pytest.mark.parametrize("elements", [128, 256, 1024])
@pytest.mark.parametrize("in_order", [False, True])
def test_wavefronts_of_a_search(elements: int, in_order: bool) -> None:
    made = [_wavefronts(places) for seed in range(60) for places in _searched(elements, in_order, seed)]
    found = Searched(ex.integer(elements), None, 4, WARP if in_order else None)
    assert probed.mean_wavefronts(found, elements, WARP, 4) == pytest.approx(np.mean(made), rel=0.2)
