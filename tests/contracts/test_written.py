"""Contracts that editors write from present bounds: they are read, and hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.findings.model import FileReport
from analysis_core.report.fixes.edits import applied
from analysis_core.report.kernel_line import lens
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.text.line_index import LineIndex
from lsp_server.features.code_actions import actions

FILES = sorted((Path(__file__).parent / "kernels").glob("*.cu"))
TEXT = """__global__ void copy(float *a, const float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = b[i];
    for (int k = 0; k < n; ++k) {
        a[64 * k + threadIdx.x] =
            b[k];
    }
}
void run(float *a, const float *b, int n) { copy<<<4, 64>>>(a, b, n); }
"""


def _report(data: bytes) -> FileReport:
    return analyse_file("k.cu", MemoryFiles({"k.cu": data}), Settings(), strict=True)


def _written(data: bytes, report: FileReport, at: int) -> list[bytes]:
    """The texts with the contracts that are offered at a byte."""
    offered = [one for one in actions("k.cu", report, LineIndex.of(data), at, at) if "as a contract" in one.title]
    return [applied(data, one.edits[0]) for one in offered]


def _plain(data: bytes) -> bytes:
    """The text without its contracts."""
    return b"\n".join(line for line in data.split(b"\n") if b"//@ expect" not in line)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_written_holds(path: Path) -> None:
    data = _plain(path.read_bytes())
    report = _report(data)
    assert not any(f.check == "WC901" for f in report.findings)
    written, wrong = 0, []
    places, text = [k.name_span.start for k in report.kernels], data
    for at in sorted(places, reverse=True):
        for changed in _written(text, report, at):
            text, written = changed, written + 1
    wrong += [f.message for f in _report(text).findings if f.check in ("WC901", "WC501")]
    assert written >= len(places) - 3
    assert wrong == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_written_above_a_line_holds(path: Path) -> None:
    data = _plain(path.read_bytes())
    report, index = _report(data), LineIndex.of(data)
    lines = {
        index.line_of(span.start)
        for k in report.kernels
        for launch in k.launches
        for span in (*(a.span for a in launch.facts.accesses), *(b.span for b in launch.facts.branches))
        if k.span.encloses(span)
    }
    text, written = data, 0  # from the end on, so that what stands before stays where it is
    for line in sorted(lines, reverse=True):
        start, end = index.line_range(line)
        at = start + len(index.data[start:end]) - len(index.data[start:end].lstrip())
        for changed in _written(text, report, at):
            text, written = changed, written + 1
    assert written > 8
    assert [f.message for f in _report(text).findings if f.check in ("WC901", "WC501")] == []


def _titles(at: str) -> list[str]:
    data = TEXT.encode()
    place = TEXT.index(at)
    return [a.title for a in actions("k.cu", _report(data), LineIndex.of(data), place, place) if "contract" in a.title]


def test_a_kernel_says_where_it_is_exact() -> None:
    (title,) = _titles("copy(")
    assert title.startswith("Write the present cost as a contract: `expect sectors <= ")


def test_a_loop_is_meant_as_a_whole() -> None:
    assert _titles("for (") == [
        "Write the present cost as a contract: `expect sectors <= 5*n, expect divergences <= 0`"
    ]


def test_no_contract_is_written_into_a_statement() -> None:
    assert _titles("a[i] =") == []
    assert _titles("b[k];") == []


def test_what_is_there_is_not_written_again() -> None:
    data = TEXT.encode()
    (once,) = _written(data, _report(data), TEXT.index("copy("))
    assert _written(once, _report(once), once.index(b"copy(")) == []


def test_the_lens_counts_contracts() -> None:
    text = "//@ launch block=(64) grid=(1)\n//@ expect sectors <= 8\n//@ expect sectors <= 3\n__global__ void k(float *a) { a[threadIdx.x] = 1.0f; }\n"
    for data, said in (
        (text, "1 of 2 contracts hold"),
        (text.replace("//@ expect sectors <= 3\n", ""), "1 contract holds"),
    ):
        (kernel,) = _report(data.encode()).kernels
        line = lens(kernel, Settings(), lambda span: "line 1")
        assert line is not None and said in line.title
