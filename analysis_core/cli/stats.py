"""`warpcost stats`: how fast, how much, and what was not understood, over many files.

The numbers to look at first after a change: time per stage, median and 95th percentile per kernel, and the causes of
unknowns by frequency, the reader's own limits apart from the rest.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

from analysis_core.cli.disk import STDIN
from analysis_core.cli.options import BROKEN, CLEAN
from analysis_core.cli.terminal import printable
from analysis_core.cli.work import Task, logging_for, report_problems, run, select, tasks_for
from analysis_core.report.model import FileReport

TOP = 10


@dataclass(frozen=True, slots=True)
class Numbers:
    """What one file adds to the statistics.  `kernel_seconds` runs beside `kernels`; causes and findings are counted per
    kernel, as (kind, reason) and code."""

    path: str
    seconds: float
    stages: Mapping[str, float]
    kernels: tuple[str, ...]
    kernel_seconds: tuple[float, ...]
    launches: int
    accesses: int
    exact: int
    branches: int
    incomplete: int
    failures: tuple[str, ...]
    causes: Counter[tuple[str, str]]
    findings: Counter[str]


def stats(args: Namespace) -> int:
    """Runs the command; returns the exit status."""
    paths, problems = select(args)
    stdin = sys.stdin.buffer.read() if STDIN in paths else None
    tasks, _ = tasks_for(paths, stdin, args, colour=False)
    numbers = list(run(tasks, measure, args.jobs))
    for line in table(numbers):
        print(printable(line))
    sys.stdout.flush()
    report_problems(problems)
    return BROKEN if any(problem.fatal for problem in problems) else CLEAN


def measure(task: Task) -> Numbers:
    """The numbers of one file."""
    from analysis_core.pipeline import analyse_file

    logging_for(task.debug)
    started = perf_counter()
    report = analyse_file(task.path, task.files(), task.settings, kernel=task.kernel, unit=task.unit)
    return numbers_of(report, perf_counter() - started)


def numbers_of(report: FileReport, seconds: float) -> Numbers:
    """The numbers of a report that took `seconds` (wall) to make."""
    facts = [launch.facts for kernel in report.kernels for launch in kernel.launches]
    accesses = [access for fact in facts for access in fact.accesses]
    failures = [f"{kernel.name}: {kernel.failure}" for kernel in report.kernels if kernel.failure is not None]
    if report.failure is not None:
        failures.append(report.failure)
    return Numbers(
        path=report.path,
        seconds=seconds,
        stages={time.stage: time.seconds for time in report.times},
        kernels=tuple(kernel.instantiation or kernel.name for kernel in report.kernels),
        kernel_seconds=tuple(kernel.seconds for kernel in report.kernels),
        launches=len(facts),
        accesses=len(accesses),
        exact=sum(access.exact for access in accesses),
        branches=sum(len(fact.branches) for fact in facts),
        incomplete=sum(bool(kernel.unknowns) for kernel in report.kernels),
        failures=tuple(failures),
        causes=Counter((c.kind.value, c.reason) for kernel in report.kernels for c in kernel.unknowns),
        findings=Counter(finding.check for finding in report.findings),
    )


def table(numbers: Sequence[Numbers]) -> list[str]:
    """The statistics as lines."""
    kernels = sum(len(n.kernels) for n in numbers)
    seconds = sorted(s for n in numbers for s in n.kernel_seconds)
    accesses, exact = sum(n.accesses for n in numbers), sum(n.exact for n in numbers)
    incomplete = sum(n.incomplete for n in numbers)
    lines = [
        f"files {len(numbers)}, kernels {kernels}, launches {sum(n.launches for n in numbers)}",
        f"accesses {accesses}, exact {exact}{_percent(exact, accesses)}; branches {sum(n.branches for n in numbers)}",
        f"kernels with something not analysed {incomplete}{_percent(incomplete, kernels)}",
        "bounds found 0 (not computed yet)",
    ]
    if seconds:
        median, p95 = _quantile(seconds, 0.5), _quantile(seconds, 0.95)
        lines.append(
            f"per kernel, after lowering: median {median:.1f} ms, p95 {p95:.1f} ms, max {1e3 * seconds[-1]:.1f} ms"
        )
    stages: Counter[str] = Counter()
    for n in numbers:
        stages.update(n.stages)
    lines += [f"time {stage:<8} {total:8.2f} s" for stage, total in stages.items() if stage != "start"]
    lines += _top(
        "findings", [(f"{code}", count) for code, count in sum((n.findings for n in numbers), Counter()).items()]
    )
    causes = sum((n.causes for n in numbers), Counter[tuple[str, str]]())
    lines += _top("not analysed", [(f"{kind}: {reason}", count) for (kind, reason), count in causes.items()])
    lines += [f"internal error in {n.path}: {failure}" for n in numbers for failure in n.failures]
    slow = sorted(numbers, key=lambda n: -n.seconds)[:TOP]
    lines += ["slowest files:"] + [f"  {n.seconds:8.2f} s  {n.path}" for n in slow] if slow else []
    return lines


def _top(title: str, counts: list[tuple[str, int]]) -> list[str]:
    if not counts:
        return []
    counts.sort(key=lambda item: (-item[1], item[0]))
    lines = [f"{title}:"] + [f"  {count:6d}  {text}" for text, count in counts[:TOP]]
    return lines + ([f"  and {len(counts) - TOP} more"] if len(counts) > TOP else [])


def _percent(part: int, whole: int) -> str:
    return f" ({100 * part / whole:.1f}%)" if whole else ""


def _quantile(ordered: Sequence[float], q: float) -> float:
    """In milliseconds, of seconds in increasing order."""
    return 1e3 * ordered[min(len(ordered) - 1, int(q * len(ordered)))]
