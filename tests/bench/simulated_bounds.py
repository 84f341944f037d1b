"""Bounds of the kernels in `tests/lp/bounded` beside simulated launches: `python -m tests.bench.simulated_bounds [KERNEL...]`.

Per kernel and metric: the bound per warp (`=` exact, `<=` upper; in brackets an exact case), claims that 50 random launches
break, and the bound over the cost of the most expensive warp, at the launch where it fits best and in the middle.
The last lines count.  Returns 1 if any claim is broken.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from dataclasses import dataclass, field

from analysis_core.expressions import expression as ex
from analysis_core.expressions.bounds import WarpBound
from analysis_core.simulate.run import simulate
from tests.lp.bounds_cases import CASES, Case
from tests.lp.bounds_check import bounded, ends
from tests.simulate.running import shape

LAUNCHES = 50


@dataclass
class _Seen:
    """`ratios`: bound over cost; where nothing is paid, 1 if that is the bound and infinite else."""

    broken: int = 0
    ratios: list[float] = field(default_factory=list)


def main(wanted: list[str]) -> int:
    """Prints the table."""
    tally: Counter[str] = Counter()
    print("kernel\tmetric\tbound per warp\tbroken\tbest ratio\tmedian ratio")
    started = time.process_time()
    for case in CASES:
        if not wanted or case.kernel in wanted:
            _show(case, tally)
    print(
        f"{tally['metrics']} bounds of {tally['kernels']} kernels, {LAUNCHES} launches each: {tally['claims']} claims,"
        f" {tally['broken']} broken; {tally['exact']} exact, {tally['case']} exact in a case, {tally['none']} without bound;"
        f" {tally['wide']} more than twice as high at every launch; {time.process_time() - started:.0f} s"
    )
    return 1 if tally["broken"] else 0


def _show(case: Case, tally: Counter[str]) -> None:
    found = bounded(case.text(), case.kernel, shape(case.block))
    seen: dict[str, _Seen] = {name: _Seen() for name in found.bounds.metrics}
    for seed in range(LAUNCHES):
        request = case.request(seed)
        for end in ends(found, request, simulate(found.kernel, request)):
            name, what = end.what.split(" ", 1)
            tally["claims"] += 1
            seen[name].broken += end.broken
            if what == "per warp" and end.upper is not None:
                free = 1.0 if end.upper == 0 else float("inf")
                seen[name].ratios.append(end.upper / end.seen if end.seen else free)
    tally["kernels"] += 1
    for name, bound in found.bounds.metrics.items():
        warp, ratios = bound.per_warp, sorted(seen[name].ratios)
        tally["metrics"] += 1
        tally["broken"] += seen[name].broken
        tally["exact"] += warp.exact
        tally["case"] += not warp.exact and any(part.exact for part in warp.cases)
        tally["none"] += warp.upper is None
        tally["wide"] += bool(ratios) and ratios[0] > 2
        figures = f"{ratios[0]:.2f}\t{ratios[len(ratios) // 2]:.2f}" if ratios else "-\t-"
        print(f"{case.kernel}\t{name}\t{_text(warp)}\t{seen[name].broken}\t{figures}", flush=True)


def _text(warp: WarpBound) -> str:
    if warp.upper is None:
        return f"none: {warp.because.text if warp.because is not None else ''}"
    cases = [f" [= {ex.to_text(c.upper)} where {c.when}]" for c in warp.cases if c.exact and c.upper is not None]
    return ("= " if warp.exact else "<= ") + ex.to_text(warp.upper) + "".join(cases)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
