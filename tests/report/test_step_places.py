"""Where steps go: line by line, in the bounds, in JSON's places and on the kernel's card."""

from __future__ import annotations

import pytest

from analysis_core.expressions import expression as ex
from analysis_core.expressions.bounds import KernelBounds
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.profile.line_shares import line_shares
from analysis_core.report.findings.model import FileReport
from analysis_core.report.hover_kernel import hover_kernel
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings


def analysed(text: str, settings: Settings | None = None) -> FileReport:
    return analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), settings or Settings(), strict=True)


def bounds_of(text: str, settings: Settings | None = None) -> KernelBounds:
    bounds = analysed(text, settings).kernels[0].launches[0].facts.bounds
    assert bounds is not None
    return bounds


COLUMNS = """\
__global__ void k(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s;
    if (i < n) {
        s = 0;  // one line, one place
        for (int j = 0; j < n; j++)
            s += a[j * n + i];
        a[i] = s;
    }
}
"""


def test_steps_are_told_line_by_line() -> None:
    """By hand: line 6 declares (3), tests n + 1 times (4) and steps n times (4); line 7 has 5 sectors beside its 8 steps."""
    found = bounds_of(COLUMNS).metrics["steps"]
    assert [(place.text, ex.to_text(place.cost)) for place in found.places] == [
        ("int i = blockIdx.x * blockDim.x + threadIdx.x;", "7"),
        ("float s;", "1"),
        ("if (i < n) {", "4"),
        ("s = 0; // one line, one place", "2"),
        ("for (int j = 0; j < n; j++)", "7 + 8*n"),
        ("s += a[j * n + i];", "13*n"),
        ("a[i] = s;", "6"),
    ]
    total = ex.add(*(place.cost for place in found.places))
    assert found.per_warp.upper is not None and ex.to_text(total) == ex.to_text(found.per_warp.upper) == "27 + 21*n"
    shares = line_shares(bounds_of(COLUMNS), "steps", {"n": 1024})
    assert [line.cost for line in shares[:2]] == [13 * 1024, 7 + 8 * 1024]


@pytest.mark.parametrize(
    "body",
    [
        "for (int s = blockDim.x / 2; s > 0; s /= 2) if (threadIdx.x < s) a[threadIdx.x] += 1;",
        "for (;;) { n--; if (n < 3) break; a[n] = 0; }",
        "for (int i = 0; i < 40; i++) if (i < n) a[i] = 1;",
        "int i = 0; do { a[i] = 2; i++; } while (i < n); ",
        "switch (n) { case 1: a[0] = 1; break; default: a[1] = 2; a[2] = 3; }",
        "if (threadIdx.x < 32) { int x, y; a[0] = 1; } else { float z; a[1] = n * n; }",
        "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) a[i * n + j] = 0;",
    ],
)
def test_all_places_together_are_at_least_the_bound(body: str) -> None:
    """No warp pays more than what the places say; rounds that were tried and taken back are not counted."""
    found = bounds_of(f"__global__ void k(float *a, int n) {{ {body} }}").metrics["steps"]
    total, upper = ex.add(*(place.cost for place in found.places)), found.per_warp.upper
    assert upper is not None
    for n in (0, 1, 2, 5, 64, 1000):
        values = dict.fromkeys(ex.symbols(total) | ex.symbols(upper), n)
        assert ex.evaluate(total, values) >= ex.evaluate(upper, values)
        assert ex.evaluate(total, values) <= 2 * ex.evaluate(upper, values) + 20


def test_the_card_shows_the_first_line_where_steps_are_asked_for() -> None:
    kernel = analysed(COLUMNS).kernels[0]
    text = hover_kernel(kernel, Settings(), lambda span: "there", steps=True)
    assert "there `s += a[j * n + i];`: 13312 steps · 62% of steps" in text
    assert "of steps" not in hover_kernel(kernel, Settings(), lambda span: "there")


def test_a_sum_with_steps_in_it_names_accesses_and_lines() -> None:
    found = bounds_of(COLUMNS, Settings(metrics={"mine": {"sectors": 10, "steps": 2}})).metrics["mine"]
    costs = {place.text: ex.to_text(place.cost) for place in found.places if place.text != "a[i]"}
    assert costs["s += a[j * n + i];"] == "16*n"
    assert costs["float s;"] == "2"


def test_conditions_are_the_texts_of_splits() -> None:
    assert [place.text for place in bounds_of(COLUMNS).metrics["divergences"].places] == ["i < n"]
