"""Says of each rule that findings rest on what becomes of the judged places without it.

    python -m tests.bench.ablate FOLDER.. [--state FILE.jsonl] [--list RULE]

A rule is a row of a table (gates, estimators of rounds) or a function of `profile/`, `traffic/` or `report/` that may as well
give its neutral answer (ablated.py).  Each file with judged places (judged_places.tsv) is interpreted once; then each rule that answered anything for a
kernel with such places is switched off by itself, and these kernels are profiled and judged again.  The table counts, by rule and verdict, the
places that are told (information or louder) only without it (`held back`) and only with it (`told by it`), and others whose level differs.  A rule
that changes nothing, or whose right places held back are no fewer than the others, earns no place.  `--state` keeps the answers by file; files that it has
are not asked again, and with no folder the table is made from it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from analysis_core.cli import options
from analysis_core.cli.work import Task, select, tasks_for
from analysis_core.ir.nodes import IrModule, Kernel
from analysis_core.pipeline import pipeline
from analysis_core.profile import kernel_profile
from analysis_core.program.launch import Launch, choose_launches
from analysis_core.report.findings.model import FileReport, KernelReport, LaunchReport
from analysis_core.support.recursion import deep_recursion
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from analysis_core.support.store import Store
from analysis_core.syntax.read.tree import SyntaxTree
from tests.bench.ablated import Rule, off, recorded, rules
from tests.bench.judged_places import LEVELS, TOLD, VERDICTS, Place, judged

_SEED = 32

Levels = dict[str, str]
"""The level of each judged place of a file, by line and rule."""


@dataclass(frozen=True, slots=True)
class _Launched:
    """One launch of a kernel, interpreted and judged, and the rules that answered anything."""

    launch: Launch
    events: Any
    evaluation: Any
    bounds: Any
    report: LaunchReport
    fired: frozenset[str]


@dataclass(frozen=True, slots=True)
class _File:
    """A file as far as no rule decides."""

    task: Task
    tree: SyntaxTree
    module: IrModule
    sources: Sources
    launched: Mapping[int, Sequence[_Launched]]
    failed: Mapping[int, KernelReport]
    touched: frozenset[int]
    fired: frozenset[str]
    """By what puts a file's report together."""

    def report(self, reports: Mapping[int, Sequence[LaunchReport]]) -> FileReport:
        """The file's report, with other reports of some kernels."""
        kernels = tuple(
            self.failed.get(number)
            or pipeline.kernel_report(
                kernel, tuple(reports.get(number) or [one.report for one in self.launched[number]]), 0.0
            )
            for number, kernel in enumerate(self.module.kernels)
        )
        return pipeline.assemble(
            self.task.path, self.tree, kernels, self.sources, self.task.settings, self.module.rejected
        )


def _opened(task: Task, lines: frozenset[int], every: Sequence[Rule]) -> _File:
    files, settings, store = task.files(), task.settings, Store()
    sources = Sources(files)
    tree, module = pipeline.load(task.path, files, settings, units=task.units, store=store)
    launched: dict[int, Sequence[_Launched]] = {}
    failed: dict[int, KernelReport] = {}
    touched: set[int] = set()
    for number, kernel in enumerate(module.kernels):
        try:
            launched[number] = [
                _launched(kernel, launch, settings, sources, every) for launch in choose_launches(kernel, settings)
            ]
        except Exception as error:
            failed[number] = pipeline.failed_report(kernel, error, 0.0)
            continue
        facts = [one.report.facts for one in launched[number]]
        spans = [place.span for one in facts for place in (*one.accesses, *one.branches)]
        if any(
            os.path.normpath(s.file) == os.path.normpath(task.path) and sources.line(s) in lines
            for s in dict.fromkeys(spans)
        ):
            touched.add(number)
    fired: set[str] = set()
    found = _File(task, tree, module, sources, launched, failed, frozenset(touched), frozenset())
    with recorded(every, fired):
        found.report({})
    return replace(found, fired=frozenset(fired))


def _launched(kernel: Kernel, launch: Launch, settings: Settings, sources: Sources, every: Sequence[Rule]) -> _Launched:
    from analysis_core.interp.interpret import interpret
    from analysis_core.lp.kernel_bounds import kernel_bounds
    from analysis_core.requests.evaluate import evaluate
    from analysis_core.requests.event_costs import EventCosts

    events = interpret(kernel, launch, settings)
    found = EventCosts.of(events, None)
    evaluation = evaluate(kernel, launch, events, found, None)
    bounds = kernel_bounds(kernel, launch, events, evaluation.facts, settings, found, None) if settings.bounds else None
    fired: set[str] = set()
    with recorded(every, fired):
        report = _judged(kernel, launch, events, evaluation, bounds, settings, sources)
    return _Launched(launch, events, evaluation, bounds, report, frozenset(fired))


def _judged(
    kernel: Kernel,
    launch: Launch,
    events: Any,
    evaluation: Any,
    bounds: Any,
    settings: Settings,
    sources: Sources,
) -> LaunchReport:
    """Profiled and judged, with nothing that was derived before."""
    fresh, seen = replace(kernel), replace(events)
    profile = kernel_profile.profile_of(fresh, launch, seen, evaluation, settings)
    profile = replace(profile, facts=replace(profile.facts, bounds=bounds))
    return pipeline.judge_launch(fresh, profile, settings, sources)


def _without(file: _File, rule: Rule | None) -> FileReport:
    """The report without the rule; with all of them, found again, without a rule."""
    reports: dict[int, Sequence[LaunchReport]] = {}
    with off(rule) if rule is not None else ExitStack():
        for number in file.touched:
            asked = file.launched[number]
            if rule is None or any(rule.name in one.fired for one in asked):
                kernel = file.module.kernels[number]
                reports[number] = [
                    _judged(
                        kernel, one.launch, one.events, one.evaluation, one.bounds, file.task.settings, file.sources
                    )
                    if rule is None or rule.name in one.fired
                    else one.report
                    for one in asked
                ]
        return file.report(reports)


def _levels(file: _File, report: FileReport, places: Iterable[Place]) -> Levels:
    told: dict[tuple[int, str], str] = {}
    for finding in report.findings:
        if os.path.normpath(finding.span.file) == os.path.normpath(file.task.path):
            key = file.sources.line(finding.span), finding.check
            told[key] = min(finding.level.value, told.get(key, "silent"), key=LEVELS.index)
    return {f"{p.line} {p.code}": told.get((p.line, p.code), "silent") for p in places}


def ablations(folder: Path, done: Iterable[str]) -> Iterator[dict[str, Any]]:
    """By file of a corpus: the level of its judged places, and what each rule changes there."""
    places: dict[str, list[Place]] = defaultdict(list)
    for place in judged():
        if place.corpus == folder.name:
            places[os.path.join(str(folder), place.path)].append(place)
    args = options.parser().parse_args(["check", "--no-config", "--hints", str(folder)])
    paths = {os.path.realpath(path): found for path, found in places.items()}
    tasks = [t for t in tasks_for(select(args)[0], None, args)[0] if os.path.realpath(t.path) in paths]
    tasks = [task for task in tasks if task.path not in done]
    Random(_SEED).shuffle(tasks)
    every = rules()
    for task in tasks:
        with deep_recursion():
            yield {
                "path": task.path,
                "corpus": folder.name,
                **_of_file(task, paths[os.path.realpath(task.path)], every),
            }


def _of_file(task: Task, places: Sequence[Place], every: Sequence[Rule]) -> dict[str, Any]:
    file = _opened(task, frozenset(place.line for place in places), every)
    before = _levels(file, file.report({}), places)
    stable = before == _levels(file, _without(file, None), places)
    fired = file.fired.union(*(one.fired for n in file.touched for one in file.launched[n]))
    changed: list[tuple[str, str, str]] = []
    for rule in every:
        if rule.name in fired:
            after = _levels(file, _without(file, rule), places)
            changed += [(rule.name, key, after[key]) for key in before if after[key] != before[key]]
    return {"places": before, "fired": sorted(fired), "changed": changed, "stable": stable}


def table(rows: Iterable[Mapping[str, Any]], names: Sequence[str]) -> Iterator[str]:
    """By rule: places held back, told by it, and otherwise changed, by verdict; files in which it answered."""
    verdicts = {(p.corpus, p.path, f"{p.line} {p.code}"): verdict for p, verdict in judged().items()}
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    fired: Counter[str] = Counter()
    for row in rows:
        fired.update(row["fired"])
        for rule, key, after in row["changed"]:
            verdict = verdicts[row["corpus"], row["path"].partition(f"{row['corpus']}/")[2], key]
            counts[rule, _kind(row["places"][key], after)][verdict] += 1
    yield f"{'rule':48}{'files':>6}" + "".join(f"{kind:>18}" for kind in _KINDS)
    for name in names:
        each = (" / ".join(str(counts[name, kind][v]) for v in VERDICTS) for kind in _KINDS)
        yield f"{name:48}{fired[name]:6}" + "".join(f"{one if one != '0 / 0 / 0' else '-':>18}" for one in each)


_KINDS = ("held back", "told by it", "less loud by it", "louder by it")


def _kind(before: str, after: str) -> str:
    """What a rule does to a place that is told so with it and so without it."""
    if (before in TOLD) is not (after in TOLD):
        return "told by it" if before in TOLD else "held back"
    return "louder by it" if LEVELS.index(before) < LEVELS.index(after) else "less loud by it"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--state", type=Path)
    parser.add_argument("--list", metavar="RULE", help="the places that a rule changes")
    given = parser.parse_args()
    known: list[dict[str, Any]] = []
    if given.state and given.state.exists():
        known = [json.loads(line) for line in given.state.read_text(encoding="utf-8").splitlines()]
    for folder in given.folders:
        for row in ablations(folder.resolve(), {row["path"] for row in known}):
            known.append(row)
            if given.state:
                with given.state.open("a", encoding="utf-8") as state:
                    state.write(json.dumps(row) + "\n")
    if given.list:
        for row in known:
            for rule, key, after in row["changed"]:
                if rule == given.list:
                    print(f"{row['path']}:{key} {row['places'][key]} -> {after}")
        return 0
    print("\n".join(table(known, [rule.name for rule in rules()])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
