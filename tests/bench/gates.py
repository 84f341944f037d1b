"""Counts, by gate, the judged places that it holds back.

    python -m tests.bench.gates FOLDER.. [--state FILE.json] [--list GATE VERDICT]

Of each judged place (judged_places.tsv) in the corpora that lie at these folders it tells which gate silenced it, or made a hint of it, with how many
right, noise and wrong places each gate has; places at which nothing is asked are counted as such (another access of the line may be meant).  A gate
that holds back as many right places as others earns no row.  `--state` keeps the answers; with no folder they are read from there.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from analysis_core.cli import options
from analysis_core.cli.work import Task, tasks_for
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.findings.model import Asked, FileReport, Level
from analysis_core.support.recursion import deep_recursion
from analysis_core.support.sources import Sources
from analysis_core.support.store import Store
from tests.bench.judged_places import LEVELS, VERDICTS, Place, judged

Held = tuple[str, str]
"""The level at which a place is told, and the gate that decided that."""


def held_back(folder: Path, verdicts: dict[Place, str]) -> Iterator[tuple[Place, Held]]:
    """The judged places of the corpus in a folder, each with what became of it."""
    places: dict[str, list[Place]] = defaultdict(list)
    for place in verdicts:
        if place.corpus == folder.name:
            places[os.path.join(str(folder), place.path)].append(place)
    found = [path for path in sorted(places) if os.path.exists(path)]
    args = options.parser().parse_args(["check", "--no-config", "--hints", *found])
    tasks, _ = tasks_for(found, None, args)
    store = Store()
    for task in tasks:
        with deep_recursion():
            report, sources = _report(task, store)
        for place in places[task.path]:
            yield place, _what_became(place, task.path, report, sources)


def _report(task: Task, store: Store) -> tuple[FileReport, Sources]:
    files = task.files()
    return analyse_file(task.path, files, task.settings, units=task.units, store=store), Sources(files)


def _what_became(place: Place, path: str, report: FileReport, sources: Sources) -> Held:
    def is_here(span_file: str, line: int) -> bool:
        return os.path.normpath(span_file) == os.path.normpath(path) and line == place.line

    told = [f for f in report.findings if f.check == place.code and is_here(f.span.file, sources.line(f.span))]
    asked = [
        one
        for kernel in report.kernels
        for launch in kernel.launches
        for one in launch.asked
        if one.code == place.code and is_here(one.span.file, sources.line(one.span))
    ]
    level = min((f.level.value for f in told), default="silent", key=LEVELS.index)
    if level not in ("hint", "silent"):
        return level, "told"
    program = [reason.gate for f in told for reason in f.reasons]
    if program:
        return level, program[-1]
    if not asked:
        return level, "nothing asked"
    return level, _gate(max(asked, key=_rank))


def _rank(one: Asked) -> int:
    return -1 if one.level is None else one.level.rank


def _gate(one: Asked) -> str:
    if one.along is not None:
        return f"along, {one.level.value}" if one.level is not None else "along"
    if one.level is not None and one.level is not Level.HINT:
        return "told with another"
    return one.reasons[-1].gate if one.level is None else next(r.gate for r in one.reasons if r.level is Level.HINT)


def table(rows: Iterable[tuple[str, Held]]) -> Iterator[str]:
    """By gate and level: how many places of each verdict."""
    counts: dict[Held, Counter[str]] = defaultdict(Counter)
    for verdict, held in rows:
        counts[held][verdict] += 1
    yield f"{'gate':26}{'level':14}" + "".join(f"{verdict:>8}" for verdict in VERDICTS)
    for (level, gate), each in sorted(counts.items(), key=lambda item: -sum(item[1].values())):
        yield f"{gate:26}{level:14}" + "".join(f"{each[verdict]:8}" for verdict in VERDICTS)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--state", type=Path)
    parser.add_argument("--list", nargs=2, metavar=("GATE", "VERDICT"))
    options_given = parser.parse_args()
    verdicts = judged()
    if options_given.folders:
        found = {
            place: held for folder in options_given.folders for place, held in held_back(folder.resolve(), verdicts)
        }
        rows = [[p.corpus, p.path, p.line, p.code, *held] for p, held in found.items()]
        if options_given.state:
            options_given.state.write_text(json.dumps(rows), encoding="utf-8")
    else:
        rows = json.loads(options_given.state.read_text(encoding="utf-8"))
    known = [(Place(*row[:4]), (row[4], row[5])) for row in rows]
    if options_given.list:
        gate, verdict = options_given.list
        for place, held in known:
            if held[1] == gate and verdicts[place] == verdict:
                print(f"{place.corpus}/{place.path}:{place.line} {place.code}")
        return 0
    print("\n".join(table((verdicts[place], held) for place, held in known)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
