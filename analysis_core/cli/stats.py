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
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from time import perf_counter

from analysis_core.cli.disk import STDIN, DiskFiles
from analysis_core.cli.options import BROKEN, CLEAN
from analysis_core.cli.stats_bounds import BoundNumbers, all_together, bound_lines, bound_numbers, bounds_as_json
from analysis_core.cli.terminal import printable
from analysis_core.cli.work import Task, logging_for, report_problems, run, select, tasks_for
from analysis_core.report.model import FileReport, KernelReport
from analysis_core.report.places import Figures, Place, Shares, Tally, figures
from analysis_core.report.precision import CLASSES, Precision, precision_of, together, without_names
from analysis_core.support.facts import CauseKind
from analysis_core.support.files import Files
from analysis_core.text.line_index import LineIndex

TOP = 10

_DIVERGENCES = ("never", "boundary", "possible", "always")


@dataclass(frozen=True, slots=True)
class Numbers:
    """What one file adds to the statistics.  `kernel_seconds` runs beside `kernels`, from text to findings.  `causes`: in
    how many kernels, by kind and reason with names left out; `unread`: kernels with an unknown of the reader's."""

    path: str
    seconds: float
    stages: Mapping[str, float]
    kernels: tuple[str, ...]
    kernel_seconds: tuple[float, ...]
    launches: int
    precision: Precision
    incomplete: int
    unread: int
    failures: tuple[str, ...]
    causes: Counter[tuple[str, str]]
    findings: Counter[str]
    bounds: BoundNumbers = field(default_factory=BoundNumbers)


def stats(args: Namespace) -> int:
    """Runs the command; returns the exit status."""
    paths, problems = select(args)
    stdin = sys.stdin.buffer.read() if STDIN in paths else None
    tasks, _ = tasks_for(paths, stdin, args)
    numbers = list(run(tasks, measure, args.jobs))
    if args.format == "json":
        print(json.dumps(as_json(numbers), indent=1))
    else:
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
    failures = [f"{kernel.name}: {kernel.failure}" for kernel in report.kernels if kernel.failure is not None]
    if report.failure is not None:
        failures.append(report.failure)
    stages = {time.stage: time.seconds for time in report.times}
    before = (stages.get("syntax", 0.0) + stages.get("ir", 0.0)) / max(1, len(report.kernels))
    return Numbers(
        path=report.path,
        seconds=seconds,
        stages=stages,
        kernels=tuple(kernel.instantiation or kernel.name for kernel in report.kernels),
        kernel_seconds=tuple(before + kernel.seconds for kernel in report.kernels),
        launches=len(facts),
        precision=precision_of(facts),
        incomplete=sum(bool(kernel.unknowns) for kernel in report.kernels),
        unread=sum(any(c.kind is CauseKind.READER for c in kernel.unknowns) for kernel in report.kernels),
        failures=tuple(failures),
        causes=Counter(cause for kernel in report.kernels for cause in _causes(kernel)),
        findings=Counter(finding.check for finding in report.findings),
        bounds=bound_numbers(facts),
    )


def _causes(kernel: KernelReport) -> frozenset[tuple[str, str]]:
    """The kinds and reasons that occur in a kernel, with names left out so that like is counted with like."""
    return frozenset((cause.kind.value, without_names(cause.reason)) for cause in kernel.unknowns)


def table(numbers: Sequence[Numbers]) -> list[str]:
    """The statistics as lines."""
    kernels = sum(len(n.kernels) for n in numbers)
    seconds = sorted(s for n in numbers for s in n.kernel_seconds)
    incomplete, unread = sum(n.incomplete for n in numbers), sum(n.unread for n in numbers)
    lines = [
        f"files {len(numbers)}, kernels {kernels}, launches {sum(n.launches for n in numbers)}",
        f"kernels with nothing unknown to the reader {kernels - unread}{_percent(kernels - unread, kernels)}",
        f"kernels with something not analysed {incomplete}{_percent(incomplete, kernels)}",
    ]
    bounds = all_together(n.bounds for n in numbers)
    lines += bound_lines(bounds, sum(n.seconds for n in numbers))
    lines += _top("bounds withheld because", list(bounds.reasons.items()))
    if seconds:
        median, p95 = _quantile(seconds, 0.5), _quantile(seconds, 0.95)
        lines.append(
            f"per kernel, text to findings: median {median:.1f} ms, p95 {p95:.1f} ms, max {1e3 * seconds[-1]:.1f} ms"
        )
    lines += _precision_lines(together(n.precision for n in numbers))
    stages: Counter[str] = Counter()
    for n in numbers:
        stages.update(n.stages)
    lines += [f"time {stage:<8} {total:8.2f} s" for stage, total in stages.items() if stage != "start"]
    lines += _top(
        "findings", [(f"{code}", count) for code, count in sum((n.findings for n in numbers), Counter()).items()]
    )
    causes = sum((n.causes for n in numbers), Counter[tuple[str, str]]())
    named = [(f"{kind}: {reason}", count) for (kind, reason), count in causes.items()]
    readers = [cause for cause in named if cause[0].startswith(CauseKind.READER.value)]
    lines += _top("unknown to the reader, by kernels", readers)
    lines += _top("unknown for other reasons, by kernels", [cause for cause in named if cause not in readers])
    lines += [f"internal error in {n.path}: {failure}" for n in numbers for failure in n.failures]
    slow = sorted(numbers, key=lambda n: (-n.seconds, n.path))[:TOP]
    lines += ["slowest files:"] + [f"  {n.seconds:8.2f} s  {n.path}" for n in slow] if slow else []
    return lines


def _precision_lines(found: Precision) -> list[str]:
    """How sure the costs are: the classes, the two shares that count, and what stands in their way."""
    total, direct = sum(found.accesses.values()), found.direct
    classes = ", ".join(f"{name} {found.accesses[name]}" for name in CLASSES if found.accesses[name])
    branches = ", ".join(f"{name} {found.branches[name]}" for name in _DIVERGENCES if found.branches[name])
    lines = [
        f"accesses {total}" + (f": {classes}" if classes else ""),
        f"branches {sum(found.branches.values())}" + (f": {branches}" if branches else ""),
        f"of {direct} accesses whose index does not come from memory:",
        f"  no unknown in the address {found.known}{_percent(found.known, direct)}",
        f"  worst = best or a residue case {found.strict}{_percent(found.strict, direct)}, "
        f"{found.settled}{_percent(found.settled, direct)} per execution",
    ]
    lines += _place_lines(figures(found.places))
    lines += _top("unknown in the address because", list(found.unknowns.items()))
    return lines + _top("neither worst = best nor a residue case because", list(found.misses.items()))


def _place_lines(found: Figures) -> list[str]:
    """The same shares with each place of the source counted once: over all of its occurrences, and their mean."""

    def share(of: Shares) -> str:
        return f"{of.worst:.1%} in all occurrences, {of.mean:.1%} in the mean"

    return [
        f"the same at {found.all} places of the source:",
        f"  no unknown in the address: {share(found.known)}",
        f"  worst = best or a residue case: {share(found.settled)}",
    ]


def as_json(numbers: Sequence[Numbers]) -> dict[str, object]:
    """The statistics as one object, for scripts.  Times are milliseconds; shares are left to the reader."""
    found = together(n.precision for n in numbers)
    seconds = sorted(s for n in numbers for s in n.kernel_seconds)
    return {
        "files": len(numbers),
        "kernels": len(seconds),
        "launches": sum(n.launches for n in numbers),
        "kernel_ms": {"median": _quantile(seconds, 0.5), "p95": _quantile(seconds, 0.95)} if seconds else None,
        "bounds": bounds_as_json(all_together(n.bounds for n in numbers)),
        "accesses": {name: found.accesses[name] for name in CLASSES},
        "direct": {"all": found.direct, "known": found.known, "settled": found.strict, "per_execution": found.settled},
        "unknowns": dict(found.unknowns.most_common()),
        "misses": dict(found.misses.most_common()),
        "places": asdict(figures(found.places)),
        "missed": missed_places(found.places, DiskFiles()),
        "branches": {name: found.branches[name] for name in _DIVERGENCES},
        "failures": [f"{n.path}: {failure}" for n in numbers for failure in n.failures],
    }


def missed_places(places: Mapping[Place, Tally], files: Files) -> list[dict[str, object]]:
    """The places with an occurrence that is not good, in order of the source: how many of how many, and the most frequent
    reasons.  Lines and columns count from 1; they are null where the text is not to be had any more."""
    indices: dict[str, LineIndex | None] = {}
    rows: list[dict[str, object]] = []
    for (span, text), tally in sorted(places.items(), key=lambda item: item[0]):
        if not tally.unknowns and not tally.misses:
            continue
        if span.file not in indices:
            data = files.read(span.file)
            indices[span.file] = None if data is None else LineIndex.of(data)
        index = indices[span.file]
        line, column = (None, None) if index is None else index.position(span.start)
        rows.append(
            {
                "path": span.file,
                "line": line,
                "column": column,
                "text": text,
                "occurrences": tally.direct,
                "unknowns": dict(tally.unknowns.most_common()),
                "misses": dict(tally.misses.most_common()),
            }
        )
    return rows


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
