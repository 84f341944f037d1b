"""A half-typed line is told from the rest by the text that was last read without problems."""

from __future__ import annotations

from lsp_server.analyse import Job, analyse
from lsp_server.options import EditorOptions

GOOD = b"""__global__ void first(float *a, int n) {
    int i = threadIdx.x;
    if (i < n) {
        a[8 * i] = 1;
    }
    a[16 * i] = 2;
}

__global__ void second(float *a) {
    a[32 * threadIdx.x] = 3;
}
"""


def lines_with_findings(text: bytes, last_good: bytes | None) -> set[int]:
    answer = analyse(Job("typing.cu", {"typing.cu": text}, EditorOptions(), last_good))
    found = (f for f in answer.report.findings if f.check == "WC101")
    return {text.count(b"\n", 0, f.span.start) + 1 for f in found}


def test_other_statements_and_kernels_keep_their_findings() -> None:
    assert lines_with_findings(GOOD, None) == {4, 6, 10}
    typing = GOOD.replace(b"    if (i < n) {", b"    if (i <")
    assert lines_with_findings(typing, GOOD) == {4, 6, 10}


def test_a_comment_behind_a_statement_does_not_cut_it_off() -> None:
    for comment in (b"// why not", b"/* twice */", b"// it ends: here"):
        typing = GOOD.replace(b"a[8 * i] = 1;", b"a[8 * i] = 1;  " + comment)
        assert lines_with_findings(typing, GOOD) == {4, 6, 10}


def test_a_statement_that_lost_its_end_before_a_comment_is_left_out() -> None:
    typing = GOOD.replace(b"a[8 * i] = 1;", b"a[8 * i] =  // one;")
    assert lines_with_findings(typing, GOOD) == {6, 10}
