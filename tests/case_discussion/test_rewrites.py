"""Own rewrites as strategies: indices that are computed once, and launch bounds."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from analysis_core.case_discussion.discuss import Discussion, discussion
from analysis_core.case_discussion.header import header
from analysis_core.case_discussion.parameters import Readings
from analysis_core.case_discussion.rewrites import REWRITES, subexpressions
from analysis_core.pipeline.checked_fixes import Place
from analysis_core.pipeline.pipeline import read
from analysis_core.report.fixes.edits import applied
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.store import Store
from analysis_core.syntax.read import tree as syn


def place(text: bytes) -> Place:
    return Place("a.cu", MemoryFiles({"a.cu": text}), Settings(), (), Store())


def rewritten(body: str) -> str:
    """The body of a kernel with each index computed once."""
    text = f"__global__ void k(int *a, const int *b, int n, float f) {{ {body} }}".encode()
    tree = read("a.cu", place(text).files, Settings())
    (kernel,) = (one for one in tree.declarations if isinstance(one, syn.FunctionDecl))
    for edit in reversed(subexpressions(kernel, text, frozenset())):
        text = applied(text, edit)
    return text.decode().partition("{ ")[2].removesuffix(" }")


@pytest.mark.parametrize(
    ("body", "after"),
    [
        (
            "int i = threadIdx.x, j = threadIdx.y; a[i * n + j] = b[i * n + j] + 1;",
            "int i = threadIdx.x, j = threadIdx.y; const auto once_0 = i * n + j; a[once_0] = b[once_0] + 1;",
        ),
        (
            "int i = threadIdx.x; if (i < n) { a[i*n + 1] = 1; a[i * n+1] += 2; }",
            "int i = threadIdx.x; if (i < n) { const auto once_0 = i*n + 1; a[once_0] = 1; a[once_0] += 2; }",
        ),
        (
            "a[(threadIdx.x + 1) * n + n] = b[(threadIdx.x + 1) * n + n];",
            "const auto once_0 = (threadIdx.x + 1) * n + n; a[once_0] = b[once_0];",
        ),
    ],
)
def test_an_index_is_computed_once(body: str, after: str) -> None:
    assert rewritten(body) == after


@pytest.mark.parametrize(
    "body",
    [
        "int i = threadIdx.x; a[i * n + 1] = 1; i = 3; a[i * n + 1] = 2;",
        "for (int i = 0; i < n; i++) a[i * n + 1] = b[i * n + 1];",
        "n++; a[n * n + 1] = b[n * n + 1];",
        "float x = f; a[0] = x * f + 1; a[1] = x * f + 1;",
        "a[b[0] * n + 1] = b[0] * n + 1;",
        "{ int i = 1; a[i * n + 1] = 1; } { int i = 2; a[i * n + 1] = 1; }",
        "switch (n) { case 1: a[n * n + 1] = 1; break; case 2: a[n * n + 1] = 2; }",
        "a[n / 2 % 3 + 1] = b[n / 2 % 3 + 1];",
        "int i = threadIdx.x; a[i + 1] = b[i + 1];",
        "int once_0 = 1; int i = threadIdx.x; a[i * n + 1] = b[i * n + 1] + once_0;",
        "int i = threadIdx.x; a[i * n + ",
    ],
)
def test_what_is_not_settled_stays_as_it_is(body: str) -> None:
    assert rewritten(body) == body


TEXT = b"""#define B 64
//@ assume n % B == 0 && n >= 2 * B
//@ launch block=B grid=(n / B)
__global__ void twice(int *a, const int *b, const int *c, int n) {
    int j = blockIdx.x * B + threadIdx.x, i = blockIdx.y;
    if (i < n && j < n / 2) {
        a[i * n + j] = b[i * n + j] + c[i * n + j];
        a[i * n + j + n / 2] = b[i * n + j + n / 2] + c[i * n + j + n / 2];
    }
}
"""


def both() -> Discussion:
    return discussion(place(TEXT), TEXT, None, {"T": None, "R": None}, rewrites=REWRITES)


def test_rewrites_are_strategies_for_registers() -> None:
    found = both()
    assert found.proofs is not None
    assert found.proofs.disjoint
    assert found.proofs.covering
    labels = [found.label(one.variant) for one in found.cases if one.variant is not None]
    assert labels[-1].endswith("launch-bounds")
    assert {one.lacking for one in found.cases if one.variant is None} == {"T"}


def test_a_header_holds_the_rewritten_text(tmp_path: Path) -> None:
    found = both()
    text = header(found, read("a.cu", place(TEXT).files, Settings()), TEXT)
    assert "__global__ void __launch_bounds__((B)) twice(" in text
    assert any(one.edits for one in found.counted.values())
    assert "const auto once_0 = i * n + j; a[once_0] = b[once_0] + c[once_0];" in text
    assert "a[once_0 + n / 2] = b[once_0 + n / 2] + c[once_0 + n / 2];" in text
    if shutil.which("nvcc") is not None:
        (tmp_path / "a.cu").write_text(text + "int main() {}\n", encoding="utf-8")
        subprocess.run(
            ["nvcc", "-arch=sm_90", "-c", "a.cu", "-o", "a.o"], cwd=tmp_path, check=True, capture_output=True
        )


def test_edits_and_values_go_together() -> None:
    readings = Readings(place(TEXT), TEXT)
    tree = read("a.cu", place(TEXT).files, Settings())
    (kernel,) = (one for one in tree.declarations if isinstance(one, syn.FunctionDecl))
    edits = subexpressions(kernel, TEXT, frozenset({"B"}))
    made = readings.with_values({"B": 32}, edits).files.read("a.cu")
    assert made is not None
    assert b"once_0" in made
    assert b"#define B" not in made
