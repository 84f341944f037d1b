"""8 x 8 matrices of 16-bit numbers that the lanes of a warp hold together: `ldmatrix`, `stmatrix`.

A *row* is four words of two numbers.  In memory's order row r of matrix m is that of lane 8*m + r; as a *fragment* lane l holds word l % 4 of
row l / 4, of each matrix in a register of its own.  `_trans`: the fragment is that of the transposed matrix.

    matrix         a lane's register of matrix number m, of rows that lanes have loaded (the four words, then m)
    rows           word number k of the row that a lane stores, of fragments (a register for each matrix, then k)

Source: PTX ISA 8.7, "ldmatrix", "stmatrix" (`.m8n8`, `.b16`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from analysis_core.ir.nodes import Const, Expr
from analysis_core.simulate.expressions import Evaluate
from analysis_core.simulate.lanes import Lanes
from analysis_core.simulate.machine import Machine
from analysis_core.simulate.representation import Array

_ROWS, _WORDS = 8, 4


def moved(op: str, args: Sequence[Evaluate], last: Expr) -> Callable[[Machine, Lanes], Array]:
    """What each active lane gets, as words of 32 bits; lanes that do not take part give zeros."""
    assert isinstance(last, Const) and isinstance(last.value, int)
    number, transposed = last.value, op.endswith("_trans")

    def of_rows(tables: Array) -> Array:
        of_matrix = tables[:, :, _ROWS * number : _ROWS * (number + 1)].transpose(1, 2, 0)
        return _turned(of_matrix, transposed).reshape(-1, _ROWS * _WORDS)

    def of_fragments(tables: Array) -> Array:
        rows = [_turned(table.reshape(-1, _ROWS, _WORDS), transposed)[:, :, number] for table in tables]
        rows += [np.zeros_like(rows[0])] * (_WORDS - len(rows))
        return np.concatenate(rows, axis=1)

    arrange = of_rows if op.startswith("matrix") else of_fragments

    def act(m: Machine, lanes: Lanes) -> Array:
        words = [lanes.spread(arg(m, lanes)).astype(np.uint32) for arg in args[:-1]]
        result: Array = arrange(np.stack([lanes.padded(word, 0) for word in words])).reshape(-1)[lanes.slots]
        return result

    return act


def _turned(words: Array, transposed: bool) -> Array:
    """Matrices of shape (warps, 8, 4 words), transposed as 8 x 8 halves of words if asked."""
    if not transposed:
        return words
    halves = np.ascontiguousarray(words).view(np.dtype("<u2"))
    turned: Array = np.ascontiguousarray(halves.transpose(0, 2, 1)).view(np.dtype("<u4"))
    return turned
