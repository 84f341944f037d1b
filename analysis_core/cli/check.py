"""`warpcost check`: findings of files and directories, for people and for programs; the exit status says whether there are any.

A worker turns one file into an `Outcome`: its findings, each rendered and with its fingerprint, and what goes around them.
This process puts outcomes together in the order of the files: what the baseline knows is left out, and a finding in a
header is said once, however many files include it (again only where a later one is louder).
"""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from analysis_core.cli.baseline import BadBaseline, Baseline, Entry, read_baseline, write_baseline
from analysis_core.cli.fingerprint import fingerprints, place_of
from analysis_core.cli.formats import STREAMED, Run, document, finding_in, rest_in
from analysis_core.cli.options import fails
from analysis_core.cli.places import shown_path
from analysis_core.cli.progress import Progress
from analysis_core.cli.render_text import summary
from analysis_core.cli.statuses import BROKEN, CLEAN, FOUND
from analysis_core.cli.terminal import Style, complain, printable, style_for
from analysis_core.cli.work import Task, logging_for, report_problems, run, select, tasks_for, unknown_kernel
from analysis_core.report.checks.not_analysed import unreadable
from analysis_core.report.findings.model import FileReport, Level
from analysis_core.support.files import Files
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from analysis_core.support.spelling import did_you_mean
from analysis_core.support.store import Store
from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId
from analysis_core.workspace.disk import STDIN, DiskFiles, Problem, defines_kernel, read_stdin
from analysis_core.workspace.settings_file import SettingsFile

_SHOWN_FILES = 4


@dataclass(frozen=True, slots=True)
class Shown:
    """One finding to be printed. `text`: as rendered in the format asked for."""

    path: str
    code: str
    subject: str
    fingerprint: str
    level: Level
    text: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What checking one file gave. `after`: what is printed behind its findings, or its whole JSON object; `failed`: a
    bug of ours cost a part of the result; `names`: the parameters that `--set` may name; `elsewhere`: for a file
    without kernels, the included files that have some. `contracts`: how many there are, where that is asked."""

    path: str
    findings: tuple[Shown, ...]
    after: str
    kernels: int
    failed: bool
    names: frozenset[str] = frozenset()
    elsewhere: tuple[str, ...] = ()
    contracts: int = 0


def check(args: Namespace) -> int:
    """Runs the command; returns the exit status."""
    if args.equivalent is not None:
        from analysis_core.cli.equivalent import equivalent

        return equivalent(args)
    args.paths = args.paths or ["."]
    try:
        known = _baseline(args)
    except BadBaseline as bad:
        complain(str(bad))
        return BROKEN
    paths, problems = select(args)
    style = style_for(sys.stdout) if args.format == "text" else Style(False)
    stdin = read_stdin() if STDIN in paths else None
    tasks, used = tasks_for(paths, stdin, args, style)
    gathered = Gathered(known, frozenset() if known is None or args.update_baseline else known.keys())
    if args.fix or args.diff:
        from analysis_core.cli.fix import fix_files

        if (status := fix_files(tasks, gathered.knows, args.diff)) is not None:
            report_problems(problems)
            return BROKEN if any(problem.fatal for problem in problems) else status
    rest: list[str] = []
    progress = Progress(len(tasks))
    included: dict[str, tuple[str, ...]] = {}
    for outcome in outcomes(tasks, used, args, style):
        chosen = gathered.take(outcome)
        included[outcome.path] = outcome.elsewhere
        if args.format in STREAMED:
            text = "".join(chosen) + outcome.after
            if text:
                progress.clear()
                print(text, end="", flush=True)
        elif outcome.after:
            rest.append(_without(outcome.after, gathered) if args.format == "json" else outcome.after)
        progress.advance(outcome.path)
    progress.clear()
    _print_whole(args, gathered, rest, len(tasks), problems)
    report_problems(problems)
    report_unused_values(args.values, gathered)
    if args.expect_only and not gathered.contracts:
        complain("no kernel has a contract (`//@ expect`), and nothing was checked")
    if args.kernel is None:
        report_included_kernels({path: included.get(path, ()) for path in args.paths}, paths)
    return _status(args, tasks, gathered, problems)


def report_included_kernels(included: Mapping[str, Sequence[str]], checked: Collection[str]) -> None:
    """Tells where the kernels are of named files that have none themselves; "no findings in 0 kernels" would look like
    a clean program."""
    for path, others in included.items():
        left = [other for other in others if other not in checked]
        if left:
            more = f" and {len(left) - _SHOWN_FILES} more" if len(left) > _SHOWN_FILES else ""
            names = ", ".join(left[:_SHOWN_FILES])
            complain(f"{path} defines no kernel; those that it includes are in {names}{more}, which can be named, too")


def report_unused_values(given: Iterable[tuple[str, int]], gathered: Gathered) -> None:
    """Tells which `--set` names no parameter of any kernel. A misspelt name would otherwise change nothing, in
    silence."""
    for name in dict.fromkeys(name for name, _ in given) if gathered.kernels else ():
        if name not in gathered.names:
            hint = did_you_mean(name, sorted(gathered.names))
            complain(f"--set {name}: no kernel has a parameter of this name{hint}")


def _baseline(args: Namespace) -> Baseline | None:
    """What is known already.  Raises `BadBaseline`."""
    if args.baseline is None:
        if args.update_baseline:
            raise BadBaseline("--update-baseline writes the file that --baseline names; none is named")
        return None
    if args.update_baseline and args.kernel is not None:
        raise BadBaseline("--update-baseline with --kernel would forget the findings of the other kernels")
    if args.update_baseline and args.baseline and not os.path.exists(args.baseline):
        return Baseline(args.baseline)
    return read_baseline(args.baseline)


class Gathered:
    """What the outcomes of a run add up to; `known`: path and fingerprint of the findings to be left out; `rows`: the
    last text, which is the loudest, of each that is shown."""

    def __init__(self, baseline: Baseline | None, known: frozenset[tuple[str, str]]) -> None:
        self.baseline = baseline
        self.known = known
        self.levels: list[Level] = []
        self.entries: list[Entry] = []
        self.files: set[str] = set()
        self.kernels = 0
        self.failed = False
        self.names: set[str] = set()
        self.contracts = 0
        self.rows: dict[tuple[str, str], str] = {}
        self._said: dict[tuple[str, str], Level] = {}

    def take(self, outcome: Outcome) -> list[str]:
        """The texts of the findings that are to be shown."""
        self.kernels += outcome.kernels
        self.failed |= outcome.failed
        self.names |= outcome.names
        self.contracts += outcome.contracts
        self.files.add(self.entry(outcome.path, "", "", "").path)
        return [shown.text for shown in outcome.findings if self._is_new(shown)]

    def entry(self, path: str, code: str, subject: str, fingerprint: str) -> Entry:
        """The finding as a baseline has it; without a baseline, relative to the present folder."""
        return (self.baseline or Baseline("baseline")).entry(path, code, subject, fingerprint)

    def knows(self, path: str, fingerprint: str) -> bool:
        """Whether the baseline lists the finding."""
        return (self.entry(path, "", "", fingerprint).path, fingerprint) in self.known

    def gone(self) -> int:
        """How many entries of the baseline are about files of this run, and were not found."""
        found = {(entry.path, entry.fingerprint) for entry in self.entries}
        return sum(1 for path, name in self.known if path in self.files and (path, name) not in found)

    def written(self) -> list[Entry]:
        """What an updated baseline lists: what was found, and what is known of other files that are still there."""
        if self.baseline is None:
            return self.entries
        folder = os.path.dirname(os.path.abspath(self.baseline.path))
        others = [entry for entry in self.baseline.entries if entry.path not in self.files]
        return self.entries + [entry for entry in others if os.path.isfile(os.path.join(folder, entry.path))]

    def _is_new(self, shown: Shown) -> bool:
        entry = self.entry(shown.path, shown.code, printable(shown.subject), shown.fingerprint)
        self.entries.append(entry)
        key = (entry.path, entry.fingerprint)
        if key in self.known:
            return False
        said = self._said.get(key)
        if said is not None and said.rank >= shown.level.rank:
            return False
        self._said[key] = shown.level
        self.rows[key] = shown.text
        self.levels.append(shown.level)
        return True


def _without(document: str, gathered: Gathered) -> str:
    """A file's JSON object without the findings that the baseline lists."""
    if not gathered.known:
        return document
    file: dict[str, Any] = json.loads(document)
    for holder in (file, *file["kernels"]):
        holder["findings"] = [
            f for f in holder["findings"] if not gathered.knows(f.get("path", file["path"]), f["fingerprint"])
        ]
    return json.dumps(file)


def _print_whole(args: Namespace, gathered: Gathered, rest: list[str], files: int, problems: Iterable[Problem]) -> None:
    """What is printed at the end: the document, or the summary."""
    if args.format not in STREAMED:
        fatal = [problem.text for problem in problems if problem.fatal]
        rows = tuple(gathered.rows.values())
        print(document(args.format, Run(rows, rest, fatal, not gathered.failed, args.fail_on)))
    else:
        print(summary([level.value for level in gathered.levels], files, gathered.kernels))
        if (gone := gathered.gone()) > 0:
            text = "1 finding of the baseline is" if gone == 1 else f"{gone} findings of the baseline are"
            print(f"{text} no longer there; --update-baseline forgets what is gone")
    sys.stdout.flush()


def _status(args: Namespace, tasks: Sequence[Task], gathered: Gathered, problems: Iterable[Problem]) -> int:
    broken = any(problem.fatal for problem in problems) or gathered.failed
    if args.kernel is not None and not broken and not gathered.kernels:
        # A misspelt name must not look like a clean kernel.
        complain(unknown_kernel(tasks) or "")
        return BROKEN
    if args.update_baseline and not broken:
        try:
            count = write_baseline(args.baseline, gathered.written())
        except BadBaseline as bad:
            complain(str(bad))
            return BROKEN
        complain(f"wrote {count} finding{'s' if count != 1 else ''} to {args.baseline}")
        return CLEAN
    if broken:
        return BROKEN
    return FOUND if fails(gathered.levels, args.fail_on) else CLEAN


def outcomes(
    tasks: tuple[Task, ...], used: tuple[SettingsFile, ...], args: Namespace, style: Style
) -> Iterator[Outcome]:
    """What the settings files that were used gave, then each task, in order."""
    for found in used:
        if found.findings and found.path is not None:
            # Settings files are looked for upwards by their absolute paths.
            path = FileId(shown_path(found.path))
            findings = tuple(replace(f, span=replace(f.span, file=path)) for f in found.findings)
            yield rendered(FileReport(path, (), findings), DiskFiles(), args.format, style, Settings())
    yield from run(tasks, work, args.jobs, lost)


def work(task: Task, store: Store) -> Outcome:
    """One file, from its bytes to its rendered findings.  `store`: what was kept of the files before it."""
    from analysis_core.pipeline.pipeline import analyse_file

    logging_for(task.debug)
    files, kernel, units = task.files(), task.kernel, task.units
    if task.expected:
        from analysis_core.cli import expected

        settings, sources = replace(task.settings, bounds=True), Sources(files)
        report = analyse_file(task.path, files, settings, kernel=kernel, units=units, store=store)
        chosen = rendered(expected.of_contracts(report, sources), files, task.format, task.style, settings)
        after = expected.holding_text(report, sources, task.style) if task.format == "text" else chosen.after
        return replace(chosen, after=after, contracts=expected.contracts_in(report))
    report = analyse_file(task.path, files, task.settings, kernel=kernel, units=units, fixes=True, store=store)
    return rendered(report, files, task.format, task.style, task.settings)


def lost(task: Task, failure: str) -> Outcome:
    """What is left of a file whose process died."""
    return rendered(unreadable(task.path, failure), task.files(), task.format, task.style, task.settings)


def rendered(report: FileReport, files: Files, format: str, style: Style, settings: Settings) -> Outcome:
    """The report in the format asked for."""
    sources = Sources(files)
    names = fingerprints(report, sources)
    shown = []
    for finding in report.findings:
        name = names[place_of(finding)]
        text = finding_in(format, finding, name, report, sources, style)
        shown.append(Shown(finding.span.file, finding.check, finding.subject, name, finding.level, text))
    after = rest_in(format, report, sources, style, settings)
    elsewhere = () if report.kernels else _with_kernels(report, files)
    return Outcome(report.path, tuple(shown), after, len(report.kernels), report.has_failed, _sizes(report), elsewhere)


def _with_kernels(report: FileReport, files: Files) -> tuple[str, ...]:
    """What the file includes that is CUDA code, in the order of the reading."""
    read = dict.fromkeys(name for name in report.dependencies if name not in report.missing and name != report.path)
    return tuple(name for name in read if (data := files.read(name)) is not None and defines_kernel(data))


def _sizes(report: FileReport) -> frozenset[str]:
    """The names of parameters, trip counts and grid extents, in every spelling."""
    facts = [launch.facts for kernel in report.kernels for launch in kernel.launches]
    told = {name for found in facts for info in found.symbols for name in (info.name, info.source)}
    return frozenset(told | {name for kernel in report.kernels for name in kernel.parameters})
