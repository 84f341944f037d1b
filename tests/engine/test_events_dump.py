"""The dump of events: polynomials are spelled so that a reader can check them by hand."""

from __future__ import annotations

import numpy as np
import pytest

from analysis_core.domains.polynomial import Coefficient, add, constant, of_symbol, scale
from analysis_core.domains.symbol import Level, SymbolKind, SymbolSource
from analysis_core.interp.dump import coefficient_text, polynomial_text


@pytest.mark.parametrize(
    ("coefficient", "text"),
    [
        (7, "7"),
        (np.arange(256, dtype=np.int64) * 4, "[0, 4 .. 1020]"),
        (np.arange(64, dtype=np.int64) % 16, "[0, 1, 2, 3, 4, 5, 6, 7, ..]"),
        (np.array([0, 1], dtype=np.int64), "[0, 1]"),
    ],
)
def test_vectors_are_shown_by_their_step_or_their_start(coefficient: Coefficient, text: str) -> None:
    assert coefficient_text(coefficient) == text


def test_the_constant_comes_last_and_one_is_not_written() -> None:
    source = SymbolSource()
    block = source.fresh("blockIdx.x", Level.BLOCK, SymbolKind.GRID, 0, 100)
    lanes = constant(np.arange(32, dtype=np.int64))
    assert (
        polynomial_text(add(add(lanes, of_symbol(block)), scale(of_symbol(block), 7))) == "8*blockIdx.x + [0, 1 .. 31]"
    )
    assert polynomial_text(of_symbol(block)) == "blockIdx.x"
    assert polynomial_text(constant(0)) == "0"
