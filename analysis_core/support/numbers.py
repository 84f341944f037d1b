"""Numbers in vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def distinct_numbers(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Each number once, in order: `numpy.unique`, which loads all of masked arrays to do so, in as long as a small file is analysed."""
    ordered = np.sort(values, axis=None)
    if not len(ordered):
        return ordered
    return ordered[np.concatenate(([True], ordered[1:] != ordered[:-1]))]
