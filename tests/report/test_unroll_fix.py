"""The pragma that brings an array into registers: offered where the edited kernel has it there, else refused with the reason."""

from __future__ import annotations

import pytest

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.findings.model import FileReport, Finding
from analysis_core.report.fixes.edits import applied
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

WORK = "x = x * x + 2 * x - 3; " * 30

FRAME = """__global__ void k(float *out, const float *in, int n, int m) {{
    float a[{size}], v = 0;
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    {before}{loop} {{
        float x = in[t + i * n];
        {work}
        a[i] = x;
    }}
    #pragma unroll
    for (int i = 0; i < 4; i++) v += a[i];
    out[t] = v;
}}
void run(float *a, float *b, int n, int m) {{ k<<<n, 256>>>(a, b, n, m); }}
"""


def text(loop: str = "for (int i = 0; i < 40; i++)", before: str = "", size: int = 40) -> bytes:
    return FRAME.format(loop=loop, before=before, size=size, work=WORK).encode()


def analysed(data: bytes) -> FileReport:
    return analyse_file("a.cu", MemoryFiles({"a.cu": data}), Settings(hints=True), strict=True, fixes=True)


def found(data: bytes) -> list[Finding]:
    return [finding for finding in analysed(data).findings if finding.check == "WC103"]


def test_a_long_loop_is_unrolled() -> None:
    (finding,) = found(text())
    (fix,) = finding.fixes
    assert fix.title == "Insert `#pragma unroll`: `a` can stay in registers"
    edited = applied(text(), fix.edits[0])
    assert b"    #pragma unroll\n    for (int i = 0; i < 40; i++) {" in edited
    assert not found(edited)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (text("for (int i = 0; i < m; i++)"), "the number of iterations, of this loop or of one in it, is not a constant"),
        (text(before="#pragma unroll 1\n    "), "a pragma before the loop says how it is unrolled"),
        (text(before="v = 1; "), "the loop does not stand on a line of its own"),
        (text("for (int i = 0; i < 512; i++)", size=512), "it is larger than the registers of a thread"),
    ],
)  # fmt: skip
def test_what_is_refused(data: bytes, reason: str) -> None:
    (finding,) = found(data)
    assert not finding.fixes
    assert f"no `#pragma unroll` is offered: {reason}" in [note.message for note in finding.notes]
