"""Annotations that are offered for a missing bound: tried first, and left out where they give none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis_core.expressions.bounds import CAP, KernelBounds, Reason
from analysis_core.pipeline import pipeline
from analysis_core.pipeline.checked_fixes import Place, with_fixes
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.profile.access_profile import KernelProfile
from analysis_core.report.checks.not_analysed import find
from analysis_core.report.findings.model import FileReport, LaunchReport
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from analysis_core.text.line_index import LineIndex
from analysis_core.text.span import FileId, Span
from lsp_server.features.code_actions import actions
from tests.report.bound_samples import metric, withheld

CODE = b"""__global__ void k(float *a, int n) {
    for (int i = 0; i < n; i++) a[32 * i + threadIdx.x] = 1;
}
"""
LOOP = Span(FileId("a.cu"), CODE.index(b"for"), CODE.index(b"}"))


def bounds(facts: KernelProfile, gives: bool) -> KernelBounds:
    """None on sectors; with the annotation in the text there is one, if it `gives` one."""
    stated = facts.branches[0].fact.span.start > CODE.index(b"i < n")
    lost = withheld("sectors", Reason("nothing ends the loop", LOOP, CAP))
    return KernelBounds({"sectors": metric("sectors", 4) if stated and gives else lost})


@pytest.mark.parametrize("gives", [True, False])
def test_an_annotation_is_offered_only_if_it_gives_the_bound(monkeypatch: pytest.MonkeyPatch, gives: bool) -> None:
    analyse = pipeline.analyse_launch

    def without_bounds(*args: object) -> LaunchReport:
        report = analyse(*args)  # type: ignore[arg-type]
        return _with(report, bounds(report.profile, gives))

    monkeypatch.setattr(pipeline, "analyse_launch", without_bounds)
    files = MemoryFiles({"a.cu": CODE})
    report = analyse_file("a.cu", files, Settings(bounds=True), strict=True)
    finding = next(_missing(report))
    report = replace(report, findings=(finding,))
    place = Place("a.cu", files, Settings(), ())
    (found,) = with_fixes(report, (), place, Sources(files)).findings
    assert [fix.title for fix in found.fixes] == ([f"Insert `{CAP}`: a bound on sectors"] if gives else [])
    fixed = replace(report, findings=(found,))
    offered = [a.title for a in actions("a.cu", fixed, LineIndex.of(CODE), LOOP.start, LOOP.start)]
    assert offered == [fix.title for fix in found.fixes]


def _with(report: LaunchReport, bounds: KernelBounds) -> LaunchReport:
    profile = report.profile
    return replace(report, profile=replace(profile, facts=replace(profile.facts, bounds=bounds)))


def _missing(report: FileReport):  # type: ignore[no-untyped-def]
    """What the rule says of the kernel."""
    from analysis_core.profile.kernel_context import Context
    from analysis_core.profile.shares import weigh
    from tests.report.samples import kernel

    (known,) = report.kernels
    profile = known.launches[0].profile
    made = kernel(span=known.span, name_span=known.name_span)
    return find(Context(made, profile, weigh(profile, Settings()), Settings()))
