"""Barriers that are offered, and what becomes of the text."""

from __future__ import annotations

import pytest

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.findings.model import Fix
from analysis_core.report.fixes.edits import applied
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

KERNEL = """//@ launch block=(256)
__global__ void k(float *a, int n) {{
    __shared__ float s[256];
    int t = threadIdx.x;
{body}
}}
"""


def fixes_of(body: str, rule: str) -> tuple[str, list[Fix]]:
    """The text of a kernel with this body, and the fixes of its findings by a rule."""
    text = KERNEL.format(body=body)
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(hints=True), fixes=True, strict=True)
    return text, [fix for finding in report.findings if finding.check == rule for fix in finding.fixes]


@pytest.mark.parametrize(
    ("body", "line", "after"),
    [
        ("    s[t] = a[t];\n    a[t] = s[255 - t];", "    a[t] = s[255 - t];", "    __syncthreads();\n    a[t] = s[255 - t];"),
        (
            "    s[t] = a[t];\n    __syncthreads();\n    for (int k = 128; k > 0; k /= 2)\n        if (t < k) s[t] += s[t + k];",
            "k /= 2)\n        if (t < k) s[t] += s[t + k];",
            "k /= 2) {\n        if (t < k) s[t] += s[t + k];\n        __syncthreads();\n    }",
        ),
        (
            "    if (n > 3) { s[t] = a[t]; a[t] = s[255 - t]; }",
            "a[t] = s[255 - t]; }",
            "__syncthreads(); a[t] = s[255 - t]; }",
        ),
        (
            "    if (t < 100) s[t] = a[t];\n    if (t > 100) a[t] = s[255 - t];",
            "    if (t > 100)",
            "    __syncthreads();\n    if (t > 100)",
        ),
    ],
)  # fmt: skip
def test_a_barrier_is_put_where_it_orders_all(body: str, line: str, after: str) -> None:
    text, (fix,) = fixes_of(body, "WC401")
    assert fix.title.startswith("Insert `__syncthreads()` in line ") and "no data race on `s` left" in fix.title
    assert applied(text.encode(), fix.edits[0]).decode() == text.replace(line, after)


@pytest.mark.parametrize(
    "body",
    [
        "    if (t < 200) { s[t] = a[t]; a[t] = s[199 - t]; }",  # not all threads would come
        "    s[t / 2] = a[t];",  # two threads, one store
    ],
)
def test_none_is_offered_where_one_does_not_do(body: str) -> None:
    assert not fixes_of(body, "WC401")[1]


def test_the_title_tells_how_often_it_is_executed() -> None:
    _, (fix,) = fixes_of(
        "    for (int k = 0; k < 8; k++) { s[t] = a[k]; __syncthreads(); a[k] = s[255 - t]; }", "WC401"
    )
    assert fix.title.endswith("one barrier more, executed 8 times per warp")


def test_an_idle_barrier_is_taken_away_with_its_line() -> None:
    text, (fix,) = fixes_of("    s[t] = a[t];\n    __syncthreads();\n    a[t] = s[t];", "WC404")
    assert applied(text.encode(), fix.edits[0]).decode() == text.replace("    __syncthreads();\n", "")


def test_lanes_are_ordered_by_a_barrier_of_the_warp() -> None:
    text, (fix,) = fixes_of("    s[t] = a[t];\n    a[t] = s[t ^ 1];", "WC403")
    assert applied(text.encode(), fix.edits[0]).decode() == text.replace(
        "    a[t] = s", "    __syncwarp();\n    a[t] = s"
    )


def test_a_condition_that_keeps_threads_apart_is_stated() -> None:
    text = """//@ launch block=(16, 16)
__global__ void k(float *c, int n) {
    int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    c[row * n + col] = col;
}
"""
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(), fixes=True, strict=True)
    (fix,) = [fix for finding in report.findings if finding.check == "WC401" for fix in finding.fixes]
    assert fix.title == "Insert `//@ assume n >= 16 * gridDim.x`: no data race on `c` then"
    after = applied(text.encode(), fix.edits[0])
    assert not [
        f for f in analyse_file("k.cu", MemoryFiles({"k.cu": after}), Settings()).findings if f.check == "WC401"
    ]


def test_a_barrier_of_a_warp_names_the_lanes_that_come() -> None:
    body = "    s[t] = 0;\n    __syncthreads();\n    if (t % 32 < 16) { s[t] = 2 * a[t]; a[t] = s[t ^ 1]; }"
    text, fixes = fixes_of(body, "WC403")
    assert [fix.title.split(":")[0] for fix in fixes] == ["Insert `__syncwarp(0x0000ffff)` in line 7"]
    assert "orders these lanes, one barrier more, executed once per warp" in fixes[0].title
    assert "s[t] = 2 * a[t]; __syncwarp(0x0000ffff); a[t]" in applied(text.encode(), fixes[0].edits[0]).decode()
    _, fixes = fixes_of("    if (t >= n) return;\n    s[t] = a[t];\n    a[t] = s[t ^ 1];", "WC403")
    assert [fix.title.split(":")[0] for fix in fixes] == ["Insert `__syncwarp()` in line 7"]


def test_nothing_is_offered_where_the_lanes_that_come_are_not_known() -> None:
    _, fixes = fixes_of("    if (a[t] > 0) { s[t] = a[t]; a[t] = s[t ^ 1]; }", "WC403")
    assert not fixes


def test_two_barriers_are_offered_where_one_does_not_order_all() -> None:
    body = """    for (int k = 0; k < n; k++) {
        s[t] = a[t + k];
        a[t + k] = s[255 - t];
    }"""
    text, (fix, *_) = fixes_of(body, "WC401")
    assert fix.title.startswith("Insert `__syncthreads()` in lines ") and "two barriers more" in fix.title
    data = text.encode()
    for edit in reversed(fix.edits):
        data = applied(data, edit)
    report = analyse_file("k.cu", MemoryFiles({"k.cu": data}), Settings(hints=True))
    assert not [finding for finding in report.findings if finding.check == "WC401" and "`s`" in finding.message]
