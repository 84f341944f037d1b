"""For how many kernels with a warning is there a refactoring that halves what is reported?

    python -m tests.bench.refactored_sample --seed 20261127 --count 40 DIR..

Kernels with a warning or an error about a cost are drawn, as many of each folder (draw_kernels.py has the population).  For each the actions that
cure its findings are tried, as an editor does; `halved`: the metric of the finding is at most half of what it was, for the whole kernel at
representative sizes.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from analysis_core.cli.options import parser as command_line
from analysis_core.cli.work import tasks_for
from analysis_core.pipeline.checked_fixes import Place
from analysis_core.report.findings.model import Finding, KernelReport, Level
from analysis_core.report.fixes.refused import CURED
from analysis_core.rewrite.checks import Checked
from analysis_core.rewrite.core.action import Refused
from analysis_core.rewrite.core.unit import Unit
from analysis_core.rewrite.offers import curing, tried
from analysis_core.support.store import Store
from tests.bench.draw_kernels import draw, population

_METRIC = {"WC1": "sectors", "WC2": "conflicts", "WC3": "divergences"}


def unit_of(path: str) -> Unit:
    (task, *_), _ = tasks_for([path], None, command_line().parse_args(["check", path]))
    return Unit(Place(path, task.files(), task.settings, task.units, Store()))


def warned(unit: Unit, name: str) -> Iterator[tuple[KernelReport, Finding]]:
    """The loud findings about costs of the kernels of a name."""
    for report in unit.reports(name):
        for finding in report.findings:
            if finding.check in CURED and finding.level.rank >= Level.WARNING.rank and finding.span.file == unit.file:
                yield report, finding


def halves(found: Checked, finding: Finding) -> bool:
    metric = _METRIC[finding.check[:3]]
    return any(2 * cost.becomes <= cost.was and cost.was for cost in found.costs if cost.metric == metric)


def main(arguments: Sequence[str] | None = None) -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folders", nargs="+", type=Path)
    options.add_argument("--seed", type=int, default=20261127)
    options.add_argument("--count", type=int, default=40)
    args = options.parse_args(arguments)
    each, counts, refusals = -(-args.count // len(args.folders)), Counter[str](), Counter[str]()
    for folder in args.folders:
        files = population(folder, "-hip/", 100)
        drawn = draw(files, len(files), args.seed)
        taken = 0
        for path, kernel in drawn:
            if taken == each:
                break
            unit = unit_of(str((folder / path).resolve()))
            loud = list(warned(unit, kernel.name))
            if not loud:
                continue
            taken += 1
            counts["kernels"] += 1
            best = ""
            for _, finding in loud:
                for spot in curing(unit, finding):
                    found = tried(unit, spot)
                    where = f"  line {unit.line(finding.span)} {finding.check} {spot.action.name}: "
                    if isinstance(found, Refused):
                        refusals[f"{spot.action.name}: {found.reason[:90]}"] += 1
                        print(f"{where}refused: {found.reason}")
                        continue
                    print(f"{where}{found.title}")
                    best = best or "accepted"
                    if halves(found, finding):
                        best = "halved"
            counts[best or "nothing"] += 1
            print(f"{folder.name}/{path} {kernel.name}: {len(loud)} findings: {best or 'nothing'}", flush=True)
    print(dict(counts))
    for reason, count in refusals.most_common(40):
        print(f"{count:4} {reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
