"""Runs the analysis on a fixture and turns its report into what `check.py` compares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from analysis_core.cli.options import parser, settings_in
from analysis_core.expressions.bounds import MetricBound
from analysis_core.expressions.expression import to_text
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.findings.model import FileReport, LaunchReport
from analysis_core.report.hover import hover_access
from analysis_core.report.hover_barrier import hover_barrier
from analysis_core.report.hover_branch import hover_branch
from analysis_core.report.hover_claim import hover_claim
from analysis_core.requests.facts import AccessFact, BranchFact
from analysis_core.support.files import Files, MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.text.span import Span
from tests.harness.annotations import Fixture
from tests.harness.check import Observed, SeenFact, SeenFinding, SeenKernel

RACES = "[WC4"
"""How claims about races and barriers begin: findings of these rules are left out of fixtures that have none."""


def settings_of(fixture: Fixture) -> Settings:
    """The settings that a fixture's `PARAM` line asks for, read as `warpcost check` reads its options; hints are always seen."""
    args = parser().parse_args(["check", "fixture.cu", "--no-config", "--hints", *fixture.params])
    return settings_in(".", args).settings


def observe(path: str, data: bytes, fixture: Fixture, below: Files | None = None) -> Observed:
    """Everything found in one file; an error of the analysis is raised, not reported."""
    settings = settings_of(fixture)
    report = analyse_file(path, MemoryFiles({path: data}, below), settings, strict=True)
    seen = observed(path, report, settings)
    if RACES in fixture.text:
        return seen
    return replace(seen, findings=tuple(one for one in seen.findings if not one.code.startswith(RACES.strip("["))))


def observed(path: str, report: FileReport, settings: Settings) -> Observed:
    """A report as the harness compares it; what lies in other files (headers) is left out."""
    findings = tuple(
        SeenFinding(
            finding.check,
            finding.level.value,
            finding.span.start,
            finding.span.end,
            finding.message,
        )
        for finding in report.findings
        if finding.span.file == path
    )

    def hover(offset: int) -> str | None:
        cards = list(_cards(report, settings, offset, path))
        return min(cards)[1] if cards else None

    return Observed(findings, tuple(_kernels(path, report)), hover)


def _kernels(path: str, report: FileReport) -> Iterator[SeenKernel]:
    for kernel in report.kernels:
        if kernel.name_span.file != path:
            continue
        unknowns = tuple((cause.kind.value, cause.reason) for cause in kernel.unknowns)
        for launch in kernel.launches:
            facts = launch.facts
            yield SeenKernel(
                kernel.instantiation or kernel.name,
                kernel.name_span.start,
                kernel.span.end,
                facts.block,
                tuple(_access(fact) for fact in facts.accesses if fact.span.file == path),
                tuple(_branch(fact) for fact in facts.branches if fact.span.file == path),
                unknowns,
                {} if facts.bounds is None else {name: _bound(found) for name, found in facts.bounds.metrics.items()},
            )


def _bound(found: MetricBound) -> tuple[str, str, bool]:
    warp = found.per_warp
    return "none" if warp.upper is None else to_text(warp.upper), to_text(warp.worst_lower), warp.exact


def _access(fact: AccessFact) -> SeenFact:
    values = {
        "text": fact.text,
        "base": fact.base,
        "space": fact.space.value,
        "rw": fact.rw.value,
        "requests": str(fact.requests),
        "bytes": str(fact.bytes),
        "worst": str(fact.worst),
        "best": str(fact.best),
        "ideals": "none" if fact.variation.ideals is None else f"{fact.variation.ideals[0]},{fact.variation.ideals[1]}",
        "ideal": str(fact.ideal),
        "exact": str(fact.exact).lower(),
        "times": "unknown" if fact.times is None else to_text(fact.times),
        "pattern": fact.pattern.value,
        "cause": "none" if fact.why.cause is None else fact.why.cause.kind.value,
        "contention": "none" if fact.contention is None else str(fact.contention),
    }
    return SeenFact(fact.span.start, fact.span.end, values)


def _branch(fact: BranchFact) -> SeenFact:
    values = {
        "text": fact.spelled.text,
        "kind": fact.kind if isinstance(fact.kind, str) else fact.kind.value,
        "divergence": fact.divergence.value,
        "active": f"{fact.splits.active[0]},{fact.splits.active[1]}",
        "spread": "none" if fact.leaving.spread is None else str(fact.leaving.spread),
        "times": "unknown" if fact.times is None else to_text(fact.times),
        "cause": "none" if fact.why.cause is None else fact.why.cause.kind.value,
    }
    return SeenFact(fact.span.start, fact.span.end, values)


def _where(span: Span) -> str:
    return f"byte {span.start}"


def _cards(report: FileReport, settings: Settings, offset: int, path: str) -> Iterator[tuple[int, str]]:
    """Hover cards of what lies at a byte, with the length of its text: the least is the one meant."""
    launches: list[LaunchReport] = [launch for kernel in report.kernels for launch in kernel.launches]
    for launch in launches:
        for access in launch.profile.accesses:
            span = access.fact.span
            if span.file == path and span.contains(offset):
                yield span.end - span.start, hover_access(access, launch, settings, _where)
        for branch in launch.facts.branches:
            if branch.span.file == path and branch.span.contains(offset):
                yield branch.span.end - branch.span.start, hover_branch(branch, launch, settings, _where)
        for barrier in () if launch.profile.races is None else launch.profile.races.barriers:
            span = barrier.barrier
            if span.file == path and span.contains(offset):
                yield span.end - span.start, hover_barrier(barrier, launch, _where)
        for claim in launch.profile.claims:
            if claim.span.file == path and claim.span.contains(offset):
                yield claim.span.end - claim.span.start, hover_claim(claim, launch, _where)
