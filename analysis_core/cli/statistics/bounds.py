"""What `warpcost stats` says of bounds: found, exact, by which method, withheld for which reasons.

A *cell* is one metric of one kernel under one launch configuration.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import field

from analysis_core.report.findings.model import NOT_COMPUTED
from analysis_core.report.precision import without_names
from analysis_core.requests.facts import KernelFacts
from analysis_core.text.records import dataclass


@dataclass(slots=True)
class BoundNumbers:
    """`methods`: cells with a bound by how it was found; `reasons`: cells without by what prevents it.  `kernels`: launches
    with bounds sought, `complete`: those with a bound in every cell.  Seconds are wall time in the solver."""

    kernels: int = 0
    complete: int = 0
    cells: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    exact: Counter[str] = field(default_factory=Counter)
    methods: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    solver_seconds: float = 0.0


def bound_numbers(launches: Iterable[KernelFacts]) -> BoundNumbers:
    """The numbers of these launches."""
    numbers = BoundNumbers()
    for bounds in (facts.bounds for facts in launches):
        if bounds is None:
            continue
        numbers.kernels += 1
        numbers.complete += all(bound.per_warp.upper is not None for bound in bounds.metrics.values())
        numbers.solver_seconds += bounds.solver_seconds
        for name, bound in bounds.metrics.items():
            warp = bound.per_warp
            numbers.cells[name] += 1
            if warp.upper is None:
                reason = warp.because.text if warp.because is not None else "no reason given"
                numbers.reasons[without_names(reason)] += 1
                continue
            numbers.found[name] += 1
            numbers.exact[name] += warp.exact
            numbers.methods[warp.method] += 1
    return numbers


def all_together(parts: Iterable[BoundNumbers]) -> BoundNumbers:
    """The sum of the statistics."""
    total = BoundNumbers()
    for part in parts:
        total.kernels += part.kernels
        total.complete += part.complete
        total.solver_seconds += part.solver_seconds
        total.cells.update(part.cells)
        total.found.update(part.found)
        total.exact.update(part.exact)
        total.methods.update(part.methods)
        total.reasons.update(part.reasons)
    return total


def bound_lines(numbers: BoundNumbers, seconds: float) -> list[str]:
    """The statistics of bounds as lines of the table; `seconds`: the time of everything, of which the solver has a
    share."""
    if not numbers.kernels:
        return [f"bounds found 0 ({NOT_COMPUTED})"]
    cells, found, exact = (sum(c.values()) for c in (numbers.cells, numbers.found, numbers.exact))
    lp = numbers.methods["lp"]
    lines = [
        f"bounds found {found} of {cells}{_percent(found, cells)}, exact {exact}{_percent(exact, cells)}, "
        f"solved by LP {lp}{_percent(lp, found)}",
        f"launches with a bound on every metric {numbers.complete}{_percent(numbers.complete, numbers.kernels)}",
        f"time in the solver {numbers.solver_seconds:.2f} s{_percent(numbers.solver_seconds, seconds)}",
    ]
    lines += [
        f"  {name:<18} found {numbers.found[name]}{_percent(numbers.found[name], count)}, "
        f"exact {numbers.exact[name]}{_percent(numbers.exact[name], count)}"
        for name, count in numbers.cells.items()
    ]
    return lines


def bounds_as_json(numbers: BoundNumbers) -> dict[str, object]:
    """The statistics of bounds for scripts."""
    return {
        "launches": numbers.kernels,
        "complete": numbers.complete,
        "cells": sum(numbers.cells.values()),
        "found": sum(numbers.found.values()),
        "exact": sum(numbers.exact.values()),
        "methods": dict(numbers.methods.most_common()),
        "withheld": dict(numbers.reasons.most_common()),
        "solver_seconds": numbers.solver_seconds,
        "metrics": {
            name: {"cells": count, "found": numbers.found[name], "exact": numbers.exact[name]}
            for name, count in numbers.cells.items()
        },
    }


def _percent(part: float, whole: float) -> str:
    return f" ({100 * part / whole:.1f}%)" if whole else ""
