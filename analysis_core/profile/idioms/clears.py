"""Kernels that only clear: whatever they store are constants of the program, once over an array.

    for (int k = first; k < n; k += gridDim.x * blockDim.x) { mass[k].w = -1.0f; start[k] = -1; }

They compute nothing, and all threads together store each element once: their loops are over the grid, in no other, and load nothing.  (Marks of what is
reached in a graph are constants as well.)
"""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.ir.effects import assigned_once
from analysis_core.ir.nodes import (
    Assign,
    Atomic,
    Builtin,
    BuiltinKind,
    Const,
    Expr,
    Kernel,
    Load,
    Local,
    Loop,
    Store,
    UnknownStmt,
    VarId,
)
from analysis_core.ir.once import once
from analysis_core.ir.walk import statements, statements_of, subexpressions, uncast

_DEEPEST = 4


@once
def only_clears(kernel: Kernel) -> bool:
    """Whether all that a kernel stores are constants, and its loops are over the grid, each in no other."""
    every = statements_of(kernel)
    stores = [one for one in every if isinstance(one, Store)]
    if not stores or any(isinstance(one, Atomic | UnknownStmt) for one in every):
        return False
    if not all(isinstance(uncast(value), Const) for one in stores for value in one.values):
        return False
    known = assigned_once(kernel)
    return all(_is_over_the_grid(loop, known) for loop in every if isinstance(loop, Loop))


def _is_over_the_grid(loop: Loop, known: Mapping[VarId, Expr]) -> bool:
    """Whether a counter is moved on by the number of threads in each round, and no loop is inside."""
    inner = statements((*loop.body, *loop.step))
    if any(isinstance(one, Loop | Load) for one in inner):
        return False
    return any(_names_grid(one.value, known, _DEEPEST) for one in inner if isinstance(one, Assign))


def _names_grid(expr: Expr, known: Mapping[VarId, Expr], depth: int) -> bool:
    for part in subexpressions(expr):
        if isinstance(part, Builtin) and part.kind is BuiltinKind.GRID_DIM:
            return True
        if isinstance(part, Local) and part.var in known and depth and _names_grid(known[part.var], known, depth - 1):
            return True
    return False
