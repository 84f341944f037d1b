"""`warpcost check --expect-only`: what is found of cost contracts, and nothing else, for CI.

Besides contracts that do not hold, those that cannot be read are reported: who ignored them would say that they hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from analysis_core.cli.terminal import Style, printable
from analysis_core.contracts.verdicts import Contracted, Standing
from analysis_core.report.checks.bad_annotation import CODE as BAD_ANNOTATION
from analysis_core.report.checks.cost_contract import CODE as CONTRACT
from analysis_core.report.findings.contract_words import proved_text
from analysis_core.report.findings.model import FileReport, Finding, KernelReport
from analysis_core.support.sources import Sources
from analysis_core.text.span import Span


def of_contracts(report: FileReport, sources: Sources) -> FileReport:
    """The report with no findings but those of contracts."""

    def kept(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        return tuple(one for one in findings if _is_of_contract(one, sources))

    kernels = tuple(replace(kernel, findings=kept(kernel.findings)) for kernel in report.kernels)
    return replace(report, kernels=kernels, findings=kept(report.findings))


def _is_of_contract(finding: Finding, sources: Sources) -> bool:
    if finding.check != BAD_ANNOTATION:
        return finding.check == CONTRACT
    index = sources.index(finding.span.file)
    start, end = index.line_range(index.line_of(finding.span.start))
    return b"expect" in index.data[start:end]


def contracts_in(report: FileReport) -> int:
    """How many contracts there are, each counted once."""
    return len({one.span for kernel in report.kernels for one in _contracts(kernel)})


def _contracts(kernel: KernelReport) -> Iterator[Contracted]:
    for launch in kernel.launches:
        yield from launch.profile.contracts


def holding_text(report: FileReport, sources: Sources, style: Style) -> str:
    """A line for each contract that holds under all launches: "k.cu:3:5: holds: `sectors <= 8` (a warp pays at most ..)"."""
    found: dict[Span, list[Contracted]] = {}
    for kernel in report.kernels:
        for one in _contracts(kernel):
            found.setdefault(one.span, []).append(one)
    lines = []
    for span, same in found.items():
        if all(one.standing is Standing.HOLDS for one in same):
            line, column = sources.position(span)
            place = f"{printable(span.file)}:{line}:{column}"
            shown = style.wrapped(printable(f"{place}: holds: `{same[0].text}`. {proved_text(same[0])}"), "      ")
            lines += [shown[0].replace(place, style.bold(place), 1), *shown[1:]]
    return "\n".join([*lines, "\n"]) if lines else ""
