"""The statistics of bounds, from bounds made by hand."""

from __future__ import annotations

from dataclasses import replace

from analysis_core.cli.stats import as_json, numbers_of, table
from analysis_core.cli.stats_bounds import all_together, bound_lines, bound_numbers, bounds_as_json
from analysis_core.cost.bounds import KernelBounds
from analysis_core.cost.facts import KernelFacts
from analysis_core.report.model import FileReport
from tests.report.bound_samples import metric, transpose, withheld
from tests.report.samples import FILE, access, facts


def by_lp() -> KernelFacts:
    """One bound by a linear program and none on splits; half a second in the solver."""
    found = metric("sectors", 8)
    solved = replace(found, per_warp=replace(found.per_warp, method="lp"))
    bounds = KernelBounds({"sectors": solved, "divergences": withheld("divergences")}, solver_seconds=0.5)
    return facts(access(), bounds=bounds)


def test_what_is_counted() -> None:
    numbers = all_together([bound_numbers([facts(bounds=transpose()), facts()]), bound_numbers([by_lp()])])
    assert bound_lines(numbers, 2.0) == [
        "bounds found 4 of 5 (80.0%), exact 2 (40.0%), solved by LP 1 (25.0%)",
        "launches with a bound on every metric 1 (50.0%)",
        "time in the solver 0.50 s (25.0%)",
        "  sectors            found 2 (100.0%), exact 1 (50.0%)",
        "  conflicts          found 1 (100.0%), exact 1 (100.0%)",
        "  divergences        found 1 (50.0%), exact 0 (0.0%)",
    ]
    told = bounds_as_json(numbers)
    assert told["methods"] == {"closed form": 3, "lp": 1} and told["withheld"] == {"nothing bounds the loop": 1}
    assert (told["cells"], told["found"], told["exact"], told["launches"], told["complete"]) == (5, 4, 2, 2, 1)


def test_before_there_are_bounds_all_is_zero() -> None:
    numbers = numbers_of(FileReport(FILE, (), ()), 0.1)
    assert any(line.startswith("bounds found 0") for line in table([numbers]))
    told = as_json([numbers])["bounds"]
    assert isinstance(told, dict) and told["found"] == told["cells"] == 0
