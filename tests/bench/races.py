"""The verdict on data races of every kernel of some files or folders, with the time that it takes.

    python -m tests.bench.races PATH..  [--kernel NAME] [--expected races_expected.json] [--details] [--json FILE]

`--expected`: hold the verdicts against those of a file with `cases` (file, kernel, verdict), where guessed shapes of blocks count as given; a
table, and 1 if a certain or absent one is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import thread_time
from typing import Any

from analysis_core.interp.interpret import interpret
from analysis_core.ir.launch_site import is_assumed
from analysis_core.pipeline.pipeline import load
from analysis_core.program.launch import choose_launches, shape_text
from analysis_core.races.decide import race_report
from analysis_core.races.verdicts import Race, RaceReport
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from analysis_core.workspace.disk import DiskFiles

SUFFIXES = (".cu", ".cuh")


@dataclass(frozen=True)
class Row:
    """What was found of one kernel under one launch, in how many seconds beside those of the interpreter."""

    path: str
    kernel: str
    block: str
    report: RaceReport
    seconds: float
    interpreted: float


def files_of(paths: list[str]) -> Iterator[Path]:
    """The files themselves, and those in folders."""
    for name in map(Path, paths):
        if name.is_dir():
            yield from sorted(p for p in name.rglob("*") if p.suffix in SUFFIXES and p.is_file())
        else:
            yield name


def rows_of(path: Path, kernel: str | None, settings: Settings, as_given: bool = False) -> Iterator[Row]:
    """All kernels of a file, each under its first launch. `as_given`: shapes of blocks that are guessed count as given."""
    _, module = load(str(path), DiskFiles(), settings)
    for found in module.kernels:
        if kernel is not None and found.name != kernel:
            continue
        launch = choose_launches(found, settings)[0]
        start = thread_time()
        events = interpret(found, launch, settings)
        middle = thread_time()
        report = race_report(found, launch, events, is_assumed(launch.source) and not as_given)
        end = thread_time()
        name = found.instantiation or found.name
        yield Row(str(path), name, shape_text(launch.block), report, end - middle, middle - start)


def described(race: Race, sources: Sources) -> str:
    """One line for two accesses."""
    lines = [f"{place.does} {place.text}:{sources.line(place.span)}" for place in (race.first, race.second)]
    who = ""
    if race.witness is not None:
        values = ", ".join(f"{name} {value}" for name, value in race.witness.values.items())
        who = f" threads {[(one.block, one.thread) for one in race.witness.threads]} byte {race.witness.byte} {values}"
    return f"    {race.verdict.value}: {' / '.join(lines)}{who} {race.cause}"


def compared(rows: list[Row], cases: list[Mapping[str, Any]]) -> int:
    """Prints verdict beside verdict; how many certain or absent ones are wrong."""
    wrong = 0
    found = {(Path(row.path).name, row.kernel): row for row in rows}
    loudest = {}
    for case in cases:  # of a kernel that several functions launch, the loudest verdict
        key = (case["file"], case["kernel"])
        if key not in loudest or loudest[key]["verdict"] == "absent":
            loudest[key] = case
    for case in loudest.values():
        row = found.get((Path(case["file"]).name, case["kernel"]))
        if row is None:
            continue
        said, expected = row.report.verdict.value, case["verdict"]
        bad = said != expected and said in ("certain", "absent") and case["rule"] in (None, "WC401")
        wrong += bad
        mark = "WRONG" if bad else "" if said == expected else "differs"
        print(
            f"{Path(case['file']).stem:24} {case['kernel']:8} {case['rule'] or '-':6} {case['scope'] or '-':15} {expected:12} {said:10} {mark}"
        )
    return wrong


def main() -> int:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--kernel")
    parser.add_argument("--expected")
    parser.add_argument("--details", action="store_true")
    parser.add_argument("--json")
    options = parser.parse_args()
    rows, settings = [], Settings()
    for path in files_of(options.paths):
        for row in rows_of(path, options.kernel, settings, bool(options.expected)):
            rows.append(row)
            if not options.expected:
                print(
                    f"{row.path}:{row.kernel} {row.block}: {row.report.verdict.value} {row.report.proved} proved, {row.seconds * 1e3:.1f} ms (interp {row.interpreted * 1e3:.0f}) {row.report.cause}",
                    flush=True,
                )
            if options.details:
                sources = Sources(DiskFiles())
                for race in row.report.races:
                    print(described(race, sources))
    print(Counter(row.report.verdict.value for row in rows))
    times = sorted(row.seconds for row in rows)
    if times:
        print(
            f"median {times[len(times) // 2] * 1e3:.1f} ms, p95 {times[int(len(times) * 0.95)] * 1e3:.0f} ms, sum {sum(times):.1f} s"
        )
    if options.expected:
        return 1 if compared(rows, json.loads(Path(options.expected).read_text())["cases"]) else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
