"""Bounds per warp, block and launch against the costs of the warps.

upper, worst_lower   of the warp that costs most        min_lower   of every warp
lower                of a block or launch, the sum      exact       the upper bound is the cost, where memory decides nothing
case                 the same of the first case whose condition holds
"""

from __future__ import annotations

from typing import Any

from tests.compiled.broken import Findings
from tests.compiled.evaluation import evaluated
from tests.compiled.names import Named

Json = dict[str, Any]
_METRICS = ("sectors", "excessive_sectors", "wavefronts", "conflicts", "divergences")


def compare_bounds(launch: Json, seen: Json, numbers: Named, found: Findings) -> None:
    """All bounds of one launch."""
    rows: list[list[int]] = seen["warps"]
    for column, metric in enumerate(_METRICS, start=1):
        costs = [row[column] for row in rows]
        blocks: dict[int, int] = {}
        for row in rows:
            blocks[row[0]] = blocks.get(row[0], 0) + row[column]
        bound = launch["bounds"][metric]
        _level(f"{metric} per warp", bound["per_warp"], max(costs), min(costs), numbers, found)
        _level(f"{metric} per block", bound["per_block"], max(blocks.values()), None, numbers, found)
        _level(f"{metric} per launch", bound["per_launch"], sum(costs), None, numbers, found)


def _level(what: str, bound: Json, most: int, least: int | None, numbers: Named, found: Findings) -> None:
    lower = "lower" if least is None else "worst_lower"
    _ends("bound", what, bound, lower, most, numbers, found)
    if least is not None:
        said = evaluated(bound["min_lower"], numbers.least)
        found.check(
            said <= least, "bound.min_lower", f"{what}: {bound['min_lower']} = {said}, but a warp costs {least}"
        )
    for case in bound["cases"]:
        if evaluated(case["when"], numbers.most):
            _ends("case", f"{what} when {case['when']}", case, lower, most, numbers, found)
            break


def _ends(kind: str, what: str, bound: Json, lower: str, most: int, numbers: Named, found: Findings) -> None:
    said = evaluated(bound[lower], numbers.least)
    found.check(said <= most, f"{kind}.{lower}", f"{what}: at least {bound[lower]} = {said}, but {most}")
    if bound["upper"] is None:
        return
    said = evaluated(bound["upper"], numbers.most)
    found.check(said >= most, f"{kind}.upper", f"{what}: at most {bound['upper']} = {said}, but {most}")
    if bound["exact"] and not numbers.trips:
        found.check(said == most, f"{kind}.exact", f"{what}: exactly {bound['upper']} = {said}, but {most}")
