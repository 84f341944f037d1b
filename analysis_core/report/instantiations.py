"""Findings of a template's instantiations, which share their text: the message says which one a figure is of, where they differ.

`copy<float4>` and `copy<Loose>` pay differently for one line, and a line has one finding, the worst.  Its reader has to know whose
figure that is, and what the others pay: "in `copy<Loose>`, 8 to 32 in 5 of 8 instantiations"; "of the first 8 of 20" where more are launched than
are looked at.  Where the block is a guess and one of
many pays alone, it is as likely the guess that does not go with its arguments (`reduce<4>` with 256 threads), and nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from analysis_core.report.findings.model import Finding, KernelReport, LaunchReport
from analysis_core.report.findings.wording import sentences
from analysis_core.text.span import Span

_Place = tuple[object, ...]

_LAUNCHED = re.compile(r"(\d+) instantiations of .* are launched here; ")
"""How `program/templates` says that it leaves some out."""


def told_apart(
    kernels: Sequence[KernelReport], statement: Callable[[Span], tuple[str, int]]
) -> tuple[KernelReport, ...]:
    """The kernels, where findings say which instantiation they are about if not all instantiations have their figure."""

    def place_of(finding: Finding) -> _Place:
        return (finding.check, *statement(finding.span))

    siblings: dict[tuple[str, Span], list[KernelReport]] = {}
    for kernel in kernels:
        if kernel.instantiation is not None and kernel.failure is None:
            siblings.setdefault((kernel.name, kernel.name_span), []).append(kernel)
    figures: dict[tuple[str, Span], dict[_Place, list[int]]] = {}
    for key, alike in siblings.items():
        told = figures.setdefault(key, {})
        for kernel in alike:
            for place, worst in _figures(kernel.findings, place_of).items():
                told.setdefault(place, []).append(worst)

    def named(kernel: KernelReport) -> KernelReport:
        count = len(siblings.get((kernel.name, kernel.name_span), ()))
        if count < 2 or kernel.instantiation is None or kernel.failure is not None:
            return kernel
        told = figures[kernel.name, kernel.name_span]
        guessed = count > 2 and kernel.guessed
        kept = (f for f in kernel.findings if not (guessed and f.worst and len(told[place_of(f)]) == 1))
        findings = (_named(f, kernel, told[place_of(f)], count) if f.worst else f for f in kept)
        return replace(kernel, findings=tuple(findings))

    return tuple(map(named, kernels))


def _figures(findings: Sequence[Finding], place_of: Callable[[Finding], _Place]) -> dict[_Place, int]:
    """What each place costs: that of the finding there, else of one that tells it with its own."""
    along = {place_of(replace(f, span=span)): f.worst for f in findings if f.worst for span in f.fellows}
    return along | {place_of(f): f.worst for f in findings if f.worst}


def _named(finding: Finding, kernel: KernelReport, told: Sequence[int], count: int) -> Finding:
    low, high = min(told), max(told)
    if low == high and len(told) == count:
        return finding
    span = str(low) if low == high else f"{low} to {high}"
    others = "alone" if len(told) == 1 else f"{span} in {len(told)}"
    every = f"{count}" if kernel.instantiated is None else f"the first {count} of {kernel.instantiated}"
    whose = f"in `{kernel.instantiation}`, {others} of {every} instantiations"
    return replace(finding, message=sentences(finding.message, whose))


def instantiated(launches: Sequence[LaunchReport]) -> int | None:
    """How many instantiations of the kernel there are, where not all are looked at."""
    said = (_LAUNCHED.match(assumption.text) for launch in launches for assumption in launch.facts.assumptions)
    return next((int(match[1]) for match in said if match is not None), None)
