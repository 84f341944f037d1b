"""What one file adds to the statistics, and sums over files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from analysis_core.cli.statistics.bounds import BoundNumbers
from analysis_core.report.precision import Precision
from analysis_core.text.records import dataclass

DIVERGENCES = ("never", "boundary", "possible", "always")


@dataclass(frozen=True, slots=True)
class Numbers:
    """What one file adds to the statistics.  `kernel_seconds` runs beside `kernels`, from text to findings.  `causes`: in
    how many kernels, by kind and reason with names left out; `unread`: kernels with an unknown of the reader's.  `megabytes`:
    the greatest memory of the process while the file was analysed, where the system tells; `lines`: of the file itself; `left_out`: kernels
    that conditionals leave out, by what they need; `races`: pairs of accesses by what is said of them, those proved apart as "absent", and launches of
    which nothing is said as "not looked at"; `claims`: of annotations, by what is found of them; `contracts`: the same of
    what annotations expect of costs."""

    path: str
    seconds: float
    stages: Mapping[str, float]
    lines: int
    megabytes: float | None
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
    left_out: Counter[str] = field(default_factory=Counter)
    races: Counter[str] = field(default_factory=Counter)
    claims: Counter[str] = field(default_factory=Counter)
    contracts: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class SlowKernel:
    """A kernel that took long, in seconds from text to findings."""

    seconds: float
    path: str
    name: str


def slowest(numbers: Iterable[Numbers], most: int) -> list[SlowKernel]:
    """The kernels that took longest, the slowest first."""
    found = [
        SlowKernel(seconds, n.path, name)
        for n in numbers
        for name, seconds in zip(n.kernels, n.kernel_seconds, strict=True)
    ]
    return sorted(found, key=lambda kernel: (-kernel.seconds, kernel.path, kernel.name))[:most]


def kernel_seconds(numbers: Iterable[Numbers]) -> list[float]:
    """Seconds of all kernels, increasing."""
    return sorted(seconds for n in numbers for seconds in n.kernel_seconds)


def total_findings(numbers: Iterable[Numbers]) -> Counter[str]:
    """Findings by rule."""
    return sum((n.findings for n in numbers), Counter[str]())


def total_causes(numbers: Iterable[Numbers]) -> Counter[tuple[str, str]]:
    """Kernels by kind and reason of what is not known in them."""
    return sum((n.causes for n in numbers), Counter[tuple[str, str]]())


def total_stages(numbers: Iterable[Numbers]) -> dict[str, float]:
    """Seconds by stage."""
    stages: dict[str, float] = {}
    for n in numbers:
        for stage, seconds in n.stages.items():
            if stage != "start":
                stages[stage] = stages.get(stage, 0.0) + seconds
    return stages


def quantile(ordered: Sequence[float], q: float) -> float:
    """The value at the fraction `q` (0 to 1) of values in increasing order."""
    return ordered[min(len(ordered) - 1, int(q * len(ordered)))]


def per_thousand(count: int, lines: int) -> float:
    """Findings per 1,000 lines."""
    return 1000 * count / lines if lines else 0.0
