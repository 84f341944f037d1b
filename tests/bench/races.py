"""The verdict on data races of every kernel of some files or folders, with the time that it takes.

    python -m tests.bench.races PATH..  [--kernel NAME] [--expected races_expected.json] [--details] [--json FILE]

`--expected`: hold the verdicts against those of a file with `cases` (file, kernel, verdict), where guessed shapes of blocks count as given; a
table, and 1 if a certain or absent one is wrong.

At the end: of the kernels all of whose code is known, how many are proved free of races, or free under conditions on sizes; and of these
conditions, how many hold for the launches of the same file, as far as these say.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import thread_time
from typing import Any

from analysis_core.interp.core.events import Events
from analysis_core.interp.interpret import interpret
from analysis_core.ir.launch_site import is_assumed
from analysis_core.ir.nodes import Kernel
from analysis_core.pipeline.pipeline import load
from analysis_core.program.launch import choose_launches, shape_text
from analysis_core.races.decide import race_report
from analysis_core.races.verdicts import Race, RaceReport, Required, Verdict
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
    known: bool
    held: tuple[bool | None, ...]

    @property
    def is_free(self) -> bool:
        """Whether nobody meets, wherever a condition holds that is said."""
        return not self.report.cause and all(one.verdict in _FREE or one.required for one in self.report.races)


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
        held = tuple(_holds(one.required, found, settings) for one in report.races if one.required)
        name = found.instantiation or found.name
        yield Row(
            str(path), name, shape_text(launch.block), report, end - middle, middle - start, _is_known(events), held
        )


_FREE = frozenset({Verdict.ABSENT, Verdict.BENIGN})
_NO_CODE = ("is not declared", "is not visible", "is not decided", "was not found")


def _is_known(events: Events) -> bool:
    """Whether all of a kernel's code is read: no unknown statement, and no name that nobody declares."""
    symbols = {symbol for event in events.accesses for symbol in event.address.poly.symbols()}
    causes = [symbol.cause.reason for symbol in symbols if symbol.cause is not None]
    return not events.unknowns and not any(part in cause for cause in causes for part in _NO_CODE)


def _holds(required: Required, kernel: Kernel, settings: Settings) -> bool | None:
    """Whether a condition holds for all launches of the kernel in view, None if they do not say."""
    if required.holds is not None:
        return required.holds
    found = []
    for launch in choose_launches(kernel, settings):
        if is_assumed(launch.source):
            continue
        sizes = {
            one.name: one.least for one in launch.arguments.ranges if one.least is not None and one.least == one.most
        }
        sizes |= {f"gridDim.{axis}": n for axis, n in zip("xyz", launch.grid, strict=True) if n is not None}
        names = set(re.findall(r"[A-Za-z_][\w.]*", required.text))
        text = re.sub(r"[A-Za-z_][\w.]*", lambda name, sizes=sizes: str(sizes.get(name[0], 0)), required.text)  # type: ignore[misc]
        found.append(bool(eval(text.replace("&&", " and "))) if names <= sizes.keys() else None)
    return False if False in found else None if None in found or not found else True


def shares(rows: Sequence[Row]) -> None:
    """Prints how many kernels are free, and how many conditions hold."""
    known = [row for row in rows if row.known]
    free = [row for row in known if row.is_free]
    surely = sum(all(one.verdict in _FREE for one in row.report.races) for row in free)
    print(
        f"of {len(known)} kernels of known code {surely} are free and {len(free) - surely} free under conditions: {100 * len(free) / max(1, len(known)):.0f}%"
    )
    held = Counter(one for row in rows for one in row.held)
    said = held[True] + held[False]
    print(
        f"conditions: {held[True]} of {said} hold for the launches in their files, of {held[None]} more these do not say"
    )


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
    shares(rows)
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
