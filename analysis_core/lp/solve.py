"""HiGHS in this process: a model that is kept, solved for one right side after the other, degree by degree.

The model is made by pulp's HiGHS interface; its matrix is handed over in bulk, because pulp's own way, cell by cell, takes
25 ms where solving takes 5.  After each stage the columns with a reduced cost are fixed where they stand: what is left is
exactly the set of optima of that stage, so the next one chooses among them.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from analysis_core.lp import solver_library
from analysis_core.lp.matrix import Matrix
from analysis_core.lp.polynomials import Number
from analysis_core.support.fuel import Fuel, OutOfFuel
from analysis_core.text.records import dataclass

_LOG = logging.getLogger("warpcost")

_TOLERANCE = 1e-7

_WORK_OF_STEPS = 370
"""Rows and columns that the simplex method goes over in a unit of work, counted once per step."""

_MOST_STEPS = (1 << 31) - 1


class SolverFailure(Exception):
    """Raised when the solver, or the code around it, gives no answer; the text is what it said."""


@contextmanager
def _failures() -> Iterator[None]:
    """Whatever goes wrong in a library that is not ours costs one bound, and is logged."""
    try:
        yield
    except (SolverFailure, OutOfFuel):
        raise
    except OverflowError as error:
        raise SolverFailure("its numbers are too large") from error
    except Exception as error:
        _LOG.warning("the solver failed", exc_info=error)
        raise SolverFailure(f"{type(error).__name__}: {error}") from error


@contextmanager
def _nothing_printed() -> Iterator[None]:
    """HiGHS 1.16 says its version on standard output when its first model is made, before anybody can ask it to be quiet: in the
    midst of a report.  It flushes what it writes, so the file behind the descriptor may be another one meanwhile."""
    try:
        kept = os.dup(1)
    except OSError:  # There is no standard output.
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


class Solver:
    """The model of one matrix.  `seconds`: spent solving so far."""

    def __init__(self, matrix: Matrix, relaxed: Sequence[int]) -> None:
        """`relaxed`: rows that do not count for lower bounds.  Raises `SolverFailure`, as `solve` does."""
        self.seconds = 0.0
        self.matrix = matrix
        with _failures():
            self._build(matrix, relaxed)

    def _build(self, matrix: Matrix, relaxed: Sequence[int]) -> None:
        import numpy as np

        pulp = solver_library.pulp()
        self._np = np
        self._relaxed = np.array(relaxed, dtype=np.int32)
        problem = pulp.LpProblem("potentials", pulp.LpMinimize)
        with _nothing_printed():
            pulp.HiGHS(msg=False, threads=1).createAndConfigureSolver(problem)
        self._model: Any = problem.solverModel
        columns = len(matrix.coefficients)
        zeros, inf = np.zeros(matrix.rows), float("inf")
        self._model.addRows(
            matrix.rows, zeros, zeros, 0, np.zeros(matrix.rows, np.int32), np.zeros(0, np.int32), zeros[:0]
        )
        starts = np.zeros(columns, np.int32)
        starts[1:] = np.cumsum([len(c) for c in matrix.coefficients])[:-1]
        rows = np.array([r for c in matrix.coefficients for r, _ in c], np.int32)
        values = np.array([float(k) for c in matrix.coefficients for _, k in c])
        self._low = np.zeros(columns)
        self._low[: matrix.free] = -inf
        self._high = np.full(columns, inf)
        self._all = np.arange(columns, dtype=np.int32)
        self._model.addCols(columns, np.zeros(columns), self._low, self._high, len(rows), starts, rows, values)

    def solve(
        self, right: Mapping[int, Number], upper: bool, stages: Sequence[dict[int, float]], fuel: Fuel
    ) -> Solution:
        """The best solution for a right side by row; `stages`: weights by column"""
        with _failures():
            return self._solve(right, upper, stages, fuel)

    def _solve(
        self, right: Mapping[int, Number], upper: bool, stages: Sequence[dict[int, float]], fuel: Fuel
    ) -> Solution:
        np, model, start = self._np, self._model, time.perf_counter()
        size = self.matrix.rows + len(self._all)
        too_large = f"a linear program of {self.matrix.rows} rows and {len(self._all)} columns takes too many steps"
        low = np.zeros(self.matrix.rows)
        for row, value in right.items():
            low[row] = float(value)
        high = low.copy()
        if not upper and len(self._relaxed):
            low[self._relaxed], high[self._relaxed] = -np.inf, np.inf
        model.changeRowsBounds(len(low), np.arange(len(low), dtype=np.int32), low, high)
        model.changeColsBounds(len(self._all), self._all, self._low, self._high)
        model.clearSolver()  # from scratch: the answer does not rest on what was solved before
        values: Any = None
        status = "infeasible"
        for number, weights in enumerate(({}, *stages)):
            cost = np.zeros(len(self._all))
            for column, weight in weights.items():
                cost[column] = weight
            model.changeColsCost(len(self._all), self._all, cost)
            # The last step finds out that the one before was the last.
            most = 1 + _WORK_OF_STEPS * (fuel.left + 1) // size
            model.setOptionValue("simplex_iteration_limit", min(most, _MOST_STEPS))
            model.setOptionValue("time_limit", model.getRunTime() + max(fuel.until - time.thread_time(), 0.01))
            model.run()
            if _status(model.getModelStatus()) == "SolveError":
                # The last stage as a start can lead the simplex method into numbers that it cannot handle.
                model.clearSolver()
                model.run()
            found = _status(model.getModelStatus())
            steps = max(0, model.getInfo().simplex_iteration_count)
            fuel.spend(steps * size // _WORK_OF_STEPS, too_large)
            if found in ("time-out", "IterationLimit"):
                fuel.spend(fuel.left + 1, too_large)
            if number == 0 or found == "optimal":
                status = found
            if found == "optimal":
                values = np.array(model.getSolution().col_value)
                if number < len(stages):
                    self._fix(values)
            elif number == 0:
                break
            # A direction that no one can go for ever: this stage chooses nothing.
        self.seconds += time.perf_counter() - start
        if values is not None and not np.isfinite(values).all():
            raise SolverFailure("its answer is no number")
        return Solution(status, () if values is None else tuple(values))

    def _fix(self, values: Any) -> None:
        """Leaves the next stage only the optima of this one."""
        np = self._np
        duals = np.array(self._model.getSolution().col_dual)
        fixed = np.nonzero((np.abs(duals) > _TOLERANCE) & (np.abs(values) < _TOLERANCE))[0].astype(np.int32)
        if len(fixed):
            zeros = np.zeros(len(fixed))
            self._model.changeColsBounds(len(fixed), fixed, zeros, zeros)


@dataclass(frozen=True, slots=True)
class Solution:
    """`status`: "optimal", "infeasible", "unbounded" or what else the solver says."""

    status: str
    values: tuple[float, ...]


def _status(found: Any) -> str:
    name = str(found).rsplit(".", 1)[-1].removeprefix("k")
    return {
        "Optimal": "optimal",
        "Infeasible": "infeasible",
        "UnboundedOrInfeasible": "infeasible",
        "TimeLimit": "time-out",
    }.get(name, name)
