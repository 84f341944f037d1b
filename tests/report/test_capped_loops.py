"""Loops that an annotation would cap: tried first, with the bound that it buys, or refused with the reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis_core.pipeline.checked_fixes import Place, with_caps
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.annotate import proposals
from analysis_core.report.findings.model import FileReport
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from analysis_core.text.line_index import LineIndex
from lsp_server.features.code_actions import CAPPED, actions, fixable

START = "Insert `//@ loop_bound 64`: cap the iterations {} of this loop"

GAINS = b"""__global__ void k(float *out, const int *p) {
    for (int j = p[threadIdx.x]; j < p[threadIdx.x + 1]; j++)
        out[32 * j] = 2;
}
"""

HELD = b"""__global__ void k(int *p, int n) {
    int x = p[blockIdx.x];
    while (x > 0) x = x * 3 - n;
    p[threadIdx.x] = x;
}
"""


def analysed(code: bytes, bounds: bool = True) -> tuple[FileReport, LineIndex]:
    """The report after every cap that is proposed was tried."""
    files, settings = MemoryFiles({"a.cu": code}), Settings(bounds=bounds)
    report = analyse_file("a.cu", files, settings, strict=True)
    sources = Sources(files)
    index = LineIndex.of(code)
    loops = {(p.place.start, p.place.end) for k in report.kernels for p in proposals(k, index) if not p.metrics}
    return with_caps(report, loops, Place("a.cu", files, settings, ()), sources), index


@pytest.mark.parametrize(
    ("code", "bounds", "title", "refused"),
    [
        (GAINS, True, START.format("T2") + ", sectors <= 9 + 37*T2 -> <= 2377", None),
        (GAINS, False, START.format("T2"), None),
        (HELD, True, START.format("T3"), "no bound holds T3"),
    ],
)
def test_a_cap_is_offered_for_what_it_buys(code: bytes, bounds: bool, title: str, refused: str | None) -> None:
    report, index = analysed(code, bounds)
    (tried,) = report.tried
    assert (tried.title, tried.refused) == (title, refused)
    at = code.index(b"while" if b"while" in code else b"for")
    (action,) = (a for a in actions("a.cu", report, index, at, at) if "loop_bound" in a.title)
    assert (action.title, action.refused) == (title, refused)


def test_what_was_not_tried_is_not_offered_and_asked_for_at_its_line() -> None:
    report, index = analysed(GAINS)
    untried = replace(report, tried=())
    at = GAINS.index(b"for")
    assert [a for a in actions("a.cu", untried, index, at, at) if "loop_bound" in a.title] == []
    assert {rule for rule, _, _ in fixable("a.cu", untried, index, at, at)} == {CAPPED}
    assert CAPPED not in {rule for rule, _, _ in fixable("a.cu", untried, index, len(GAINS) - 2, len(GAINS) - 2)}
