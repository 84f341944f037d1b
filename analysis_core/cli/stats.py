"""`warpcost stats`: how fast, how much, and what was not understood, over many files.

The numbers to look at first after a change: kernels with nothing unknown to the reader, time from text to findings per
kernel, and the causes of unknowns by the kernels they occur in, the reader's own limits apart from the rest.

A kernel's time from text to findings is its own (interpretation, costs, rules, over all launches) plus its part of what
the file takes before: the file's syntax and IR time divided by its kernels.
"""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections import Counter
from time import perf_counter

from analysis_core.cli.progress import Progress
from analysis_core.cli.runner_commands import no_command, no_command_in_json
from analysis_core.cli.statistics.as_json import as_json
from analysis_core.cli.statistics.bounds import bound_numbers
from analysis_core.cli.statistics.markdown import markdown
from analysis_core.cli.statistics.numbers import Numbers
from analysis_core.cli.statistics.races import pairs_of
from analysis_core.cli.statistics.text import table
from analysis_core.cli.statuses import BROKEN, CLEAN
from analysis_core.cli.terminal import complain, printable
from analysis_core.cli.work import Task, logging_for, report_problems, run, select, tasks_for, unknown_kernel
from analysis_core.report.checks.not_analysed import unreadable
from analysis_core.report.findings.model import FileReport, KernelReport
from analysis_core.report.precision import precision_of, without_names
from analysis_core.support.facts import CONDENSED, SUMMARISED, Cause, CauseKind
from analysis_core.support.store import Store
from analysis_core.workspace.disk import STDIN, read_stdin
from analysis_core.workspace.memory import forget_peak, peak_megabytes


def stats(args: Namespace) -> int:
    """Runs the command; returns the exit status."""
    paths, problems = select(args)
    stdin = read_stdin() if STDIN in paths else None
    tasks, _ = tasks_for(paths, stdin, args)
    progress = Progress(len(tasks))
    numbers: list[Numbers] = []
    for found in run(tasks, measure, args.jobs, lost):
        numbers.append(found)
        progress.advance(found.path)
    progress.clear()
    if args.kernel is not None and not any(found.kernels for found in numbers) and (unknown := unknown_kernel(tasks)):
        complain(unknown)
        return BROKEN
    match args.format:
        case "json":
            print(no_command_in_json(json.dumps(as_json(numbers), indent=1)))
        case "markdown":
            print(printable_lines(markdown(as_json(numbers))))
        case _:
            print(printable_lines(table(numbers)))
    sys.stdout.flush()
    report_problems(problems)
    return BROKEN if any(problem.fatal for problem in problems) else CLEAN


def printable_lines(lines: list[str]) -> str:
    """Lines for a terminal or a file."""
    return "\n".join(no_command(printable(line)) for line in lines)


def measure(task: Task, store: Store) -> Numbers:
    """The statistics of one file. `memo`: what was read of the files before it."""
    from analysis_core.pipeline.pipeline import analyse_file

    logging_for(task.debug)
    files = task.files()
    lines = len((files.read(task.path) or b"").splitlines())
    forget_peak()
    started = perf_counter()
    report = analyse_file(task.path, files, task.settings, kernel=task.kernel, units=task.units, store=store)
    return numbers_of(report, perf_counter() - started, lines, peak_megabytes())


def lost(task: Task, failure: str) -> Numbers:
    """The statistics of a file whose process died."""
    return numbers_of(unreadable(task.path, failure), 0.0)


def numbers_of(report: FileReport, seconds: float, lines: int = 0, megabytes: float | None = None) -> Numbers:
    """The numbers of a report that took `seconds` (wall) to make."""
    facts = [launch.facts for kernel in report.kernels for launch in kernel.launches]
    failures = [f"{kernel.name}: {kernel.failure}" for kernel in report.kernels if kernel.failure is not None]
    if report.failure is not None:
        failures.append(report.failure)
    stages = {time.stage: time.seconds for time in report.times}
    before = (stages.get("syntax", 0.0) + stages.get("ir", 0.0)) / max(1, len(report.kernels))
    return Numbers(
        path=report.path,
        seconds=seconds,
        stages=stages,
        lines=lines,
        megabytes=megabytes,
        kernels=tuple(kernel.instantiation or kernel.name for kernel in report.kernels),
        kernel_seconds=tuple(before + kernel.seconds for kernel in report.kernels),
        launches=len(facts),
        precision=precision_of(facts),
        incomplete=sum(any(map(_is_left_out, kernel.unknowns)) for kernel in report.kernels),
        unread=sum(any(c.kind is CauseKind.READER for c in kernel.unknowns) for kernel in report.kernels),
        failures=tuple(failures),
        causes=Counter(cause for kernel in report.kernels for cause in _causes(kernel)),
        findings=Counter(finding.check for finding in report.findings),
        bounds=bound_numbers(facts),
        left_out=Counter(dict(report.left_out)),
        races=pairs_of(launch.profile.races for kernel in report.kernels for launch in kernel.launches),
        claims=Counter(
            c.standing.value for k in report.kernels for launch in k.launches for c in launch.profile.claims
        ),
        contracts=Counter(
            c.standing.value for k in report.kernels for launch in k.launches for c in launch.profile.contracts
        ),
    )


def _is_left_out(cause: Cause) -> bool:
    """Whether something is not analysed, as WC900 says it: what data decide is, and so are loops of which all rounds are taken together."""
    return cause.kind is not CauseKind.DATA and cause.reason not in (SUMMARISED, CONDENSED)


def _causes(kernel: KernelReport) -> frozenset[tuple[str, str]]:
    """The kinds and reasons that occur in a kernel, with names left out so that like is counted with like."""
    return frozenset((cause.kind.value, without_names(cause.reason)) for cause in kernel.unknowns)
