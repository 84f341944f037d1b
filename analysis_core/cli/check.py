"""`warpcost check`: findings of files and directories, as text or JSON; the exit status says whether there are any."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass

from analysis_core.cli.disk import STDIN, DiskFiles
from analysis_core.cli.options import BROKEN, CLEAN, FOUND, fails
from analysis_core.cli.render_json import SCHEMA, file_json
from analysis_core.cli.render_text import render_file, summary
from analysis_core.cli.settings_file import SettingsFile
from analysis_core.cli.terminal import Style, printable, style_for
from analysis_core.cli.work import Task, logging_for, report_problems, run, select, tasks_for
from analysis_core.report.model import FileReport, Level
from analysis_core.support.files import Files
from analysis_core.support.settings import Settings
from analysis_core.text.sources import Sources


@dataclass(frozen=True, slots=True)
class Outcome:
    """`text`: rendered findings, or a file's JSON object.  `failed`: a bug of ours cost a part of the result."""

    text: str
    levels: tuple[Level, ...]
    kernels: int
    failed: bool


def check(args: Namespace) -> int:
    """Runs the command; returns the exit status."""
    paths, problems = select(args)
    as_json = args.format == "json"
    style = Style(False) if as_json else style_for(sys.stdout)
    stdin = sys.stdin.buffer.read() if STDIN in paths else None
    tasks, used = tasks_for(paths, stdin, args, style.colour)
    outcomes: list[Outcome] = []
    for outcome in _outcomes(tasks, used, args, style):
        outcomes.append(outcome)
        if not as_json and outcome.text:
            # Shown as it comes: a long run is not silent.
            print(outcome.text, end="", flush=True)
    levels = [level for outcome in outcomes for level in outcome.levels]
    if as_json:
        print(f'{{"schema": {SCHEMA}, "files": [' + ",\n".join(outcome.text for outcome in outcomes) + "]}")
    else:
        print(summary([level.value for level in levels], len(tasks), sum(outcome.kernels for outcome in outcomes)))
    sys.stdout.flush()
    report_problems(problems)
    if args.kernel is not None and not problems and not any(outcome.kernels for outcome in outcomes):
        # A misspelt name must not look like a clean kernel.
        print(f"warpcost: no kernel is named {printable(args.kernel)}", file=sys.stderr)
        return BROKEN
    if any(problem.fatal for problem in problems) or any(outcome.failed for outcome in outcomes):
        return BROKEN
    return FOUND if fails(levels, args.fail_on) else CLEAN


def _outcomes(
    tasks: tuple[Task, ...], used: tuple[SettingsFile, ...], args: Namespace, style: Style
) -> Iterator[Outcome]:
    for found in used:
        if found.findings and found.path is not None:
            yield rendered(FileReport(found.path, (), found.findings), DiskFiles(), args.format, style, Settings())
    yield from run(tasks, work, args.jobs)


def work(task: Task) -> Outcome:
    """One file, from its bytes to its rendered findings."""
    from analysis_core.pipeline import analyse_file

    logging_for(task.debug)
    files = task.files()
    report = analyse_file(task.path, files, task.settings, kernel=task.kernel, unit=task.unit)
    return rendered(report, files, task.format, Style(task.colour), task.settings)


def rendered(report: FileReport, files: Files, format: str, style: Style, settings: Settings) -> Outcome:
    """The report in the format asked for."""
    sources = Sources(files)
    if format == "json":
        text = json.dumps(file_json(report, sources))
    else:
        text = render_file(report, sources, style, settings)
    levels = tuple(finding.level for finding in report.findings)
    return Outcome(text, levels, len(report.kernels), report.has_failed)
