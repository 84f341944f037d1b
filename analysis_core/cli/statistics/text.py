"""The statistics as lines for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from analysis_core.cli.statistics.bounds import all_together, bound_lines
from analysis_core.cli.statistics.numbers import (
    DIVERGENCES,
    Numbers,
    kernel_seconds,
    per_thousand,
    quantile,
    slowest,
    total_causes,
    total_findings,
    total_stages,
)
from analysis_core.cli.statistics.races import race_lines
from analysis_core.report.precision import CLASSES, Figures, Precision, Shares, figures, together
from analysis_core.support.facts import CauseKind

TOP = 10


def table(numbers: Sequence[Numbers]) -> list[str]:
    """The statistics as lines."""
    kernels = sum(len(n.kernels) for n in numbers)
    seconds = kernel_seconds(numbers)
    source_lines = sum(n.lines for n in numbers)
    incomplete, unread = sum(n.incomplete for n in numbers), sum(n.unread for n in numbers)
    lines = [
        f"files {len(numbers)}, kernels {kernels}, launches {sum(n.launches for n in numbers)}, lines {source_lines}",
        f"kernels with nothing unknown to the reader {kernels - unread}{_percent(kernels - unread, kernels)}",
        f"kernels with something not analysed {incomplete}{_percent(incomplete, kernels)}",
    ]
    left_out = sum((n.left_out for n in numbers), Counter[str]())
    if left_out:
        lines += _top(f"kernels left out by conditionals {left_out.total()}, for they need", left_out.most_common())
    bounds = all_together(n.bounds for n in numbers)
    lines += bound_lines(bounds, sum(n.seconds for n in numbers))
    lines += _top("bounds withheld because", list(bounds.reasons.items()))
    if seconds:
        median, p95 = 1e3 * quantile(seconds, 0.5), 1e3 * quantile(seconds, 0.95)
        lines.append(
            f"per kernel, text to findings: median {median:.1f} ms, p95 {p95:.1f} ms, max {1e3 * seconds[-1]:.1f} ms"
        )
    memory = sorted(n.megabytes for n in numbers if n.megabytes is not None)
    if memory:
        median, p95 = quantile(memory, 0.5), quantile(memory, 0.95)
        lines.append(f"memory per file: median {median:.0f} MB, p95 {p95:.0f} MB, max {memory[-1]:.0f} MB")
    lines += _precision_lines(together(n.precision for n in numbers))
    lines += race_lines(sum((n.races for n in numbers), Counter[str]()))
    for what, counted in (
        ("claims of annotations", sum((n.claims for n in numbers), Counter[str]())),
        ("cost contracts", sum((n.contracts for n in numbers), Counter[str]())),
    ):
        lines += [f"{what}: {', '.join(f'{n} {name}' for name, n in counted.most_common())}"] if counted else []
    lines += [f"time {stage:<8} {total:8.2f} s" for stage, total in total_stages(numbers).items()]
    found = total_findings(numbers)
    lines += _top(
        "findings, and per 1,000 lines",
        [(f"{code}  {per_thousand(count, source_lines):6.2f}", count) for code, count in found.items()],
    )
    causes = total_causes(numbers)
    named = [(f"{kind}: {reason}", count) for (kind, reason), count in causes.items()]
    readers = [cause for cause in named if cause[0].startswith(CauseKind.READER.value)]
    lines += _top("unknown to the reader, by kernels", readers)
    lines += _top("unknown for other reasons, by kernels", [cause for cause in named if cause not in readers])
    lines += [f"internal error in {n.path}: {failure}" for n in numbers for failure in n.failures]
    slow = sorted(numbers, key=lambda n: (-n.seconds, n.path))[:TOP]
    slow_kernels = slowest(numbers, TOP)
    lines += ["slowest kernels:"] if slow_kernels else []
    lines += [f"  {k.seconds:8.2f} s  {k.path}: {k.name}" for k in slow_kernels]
    lines += ["slowest files:"] + [f"  {n.seconds:8.2f} s  {n.path}" for n in slow] if slow else []
    return lines


def _precision_lines(found: Precision) -> list[str]:
    """How sure the costs are: the classes, the two shares that count, and what stands in their way."""
    total, direct = sum(found.accesses.values()), found.direct
    classes = ", ".join(f"{name} {found.accesses[name]}" for name in CLASSES if found.accesses[name])
    branches = ", ".join(f"{name} {found.branches[name]}" for name in DIVERGENCES if found.branches[name])
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


def _top(title: str, counts: list[tuple[str, int]]) -> list[str]:
    if not counts:
        return []
    counts.sort(key=lambda item: (-item[1], item[0]))
    lines = [f"{title}:"] + [f"  {count:6d}  {text}" for text, count in counts[:TOP]]
    return lines + ([f"  and {len(counts) - TOP} more"] if len(counts) > TOP else [])


def _percent(part: int, whole: int) -> str:
    return f" ({100 * part / whole:.1f}%)" if whole else ""
