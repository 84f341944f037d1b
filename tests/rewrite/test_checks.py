"""What a refactoring makes is checked: an action that is wrong is refused, whatever it says of itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from analysis_core.ir.nodes import Kernel
from analysis_core.report.findings.model import Edit
from analysis_core.rewrite.checks import Checked
from analysis_core.rewrite.core.action import Action, Choice, Refused, Rewritten, Site
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read.tree import FunctionDecl
from analysis_core.text.span import Span
from tests.rewrite.harness import tried


def replacing(old: str, new: str, proof: str = "", reorders: bool = False) -> Action:
    """An action that replaces a text, and takes that for right."""

    def sites(unit: Unit, kernel: Kernel, declaration: FunctionDecl) -> Iterator[Site]:
        yield Site(kernel, declaration, kernel.name_span, "the kernel")

    def rewrite(unit: Unit, site: Site, choice: Choice) -> Rewritten | Refused:
        at = unit.text.index(old.encode())
        edit = Edit(Span(unit.file, at, at + len(old.encode())), new)
        return Rewritten("Write it otherwise", (edit,), proof=proof, reorders=reorders)

    return Action("otherwise", "", frozenset(), sites, rewrite)


SCALE = """//@ launch block=64 grid=2
__global__ void scale(float *a, const float *b, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) a[i] = b[i] * 3.0f;
}
"""

SHARED = """//@ launch block=64 grid=2
__global__ void turned(float *a) {
    __shared__ float s[64];
    s[threadIdx.x] = a[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    a[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}
"""

SUM = """//@ launch block=32 grid=2
__global__ void sums(float *a, const float *b) {
    int i = blockIdx.x * 32 + threadIdx.x;
    a[i] = b[i] + b[i + 64] + b[i + 128];
}
"""


@pytest.mark.parametrize(
    ("text", "old", "new", "reason"),
    [
        (SCALE, "b[i] * 3.0f", "b[i] * 2.0f", "a run leaves something else in memory: `a[0]` is 3.0 and then 2.0"),
        (SCALE, "if (i < n) a[i] = b[i] * 3.0f;", "float v = b[i];\n    if (i < n) a[i] = v * 3.0f;", "`b[i]` reads 4 bytes"),
        (SCALE, "if (i < n)", "if (i <= n)", "a run leaves something else in memory"),
        (SHARED, "    __syncthreads();\n", "", "a finding WC401"),
        (SUM, "b[i] + b[i + 64] + b[i + 128]", "b[i] + (b[i + 64] + b[i + 128])", "a run leaves something else in memory"),
        (SCALE, "b[i] * 3.0f", "b[i] * ", "a finding WC900"),
        (SCALE, "scale(float", "other(float", "the edited text is not understood"),
        (SCALE, "b[i] * 3.0f", "unknown(b[i])", "the function 'unknown' is not declared"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("proof", ["", "it says so"])
def test_what_is_wrong_is_refused(text: str, old: str, new: str, reason: str, proof: str) -> None:
    found = tried(text, replacing(old, new, proof))
    assert isinstance(found, Refused)
    assert reason in found.reason


@pytest.mark.parametrize(
    ("text", "old", "new", "reorders", "title"),
    [
        (SCALE, "b[i] * 3.0f", "3.0f * b[i]", False, "(proved equal)"),
        (SCALE, "if (i < n) a[i] = b[i] * 3.0f;", "for (int k = 0; k < 1; k++) if (i < n) a[i] = b[i] * 3.0f;", False, "(the same in 9 runs)"),
        (SUM, "b[i] + b[i + 64] + b[i + 128]", "b[i] + (b[i + 64] + b[i + 128])", True, "(proved equal but for rounding)"),
        (SHARED, "float s[64]", "float s[65]", False, "Write it otherwise: costs stay"),
    ],
)  # fmt: skip
def test_what_is_right_is_told_with_costs(text: str, old: str, new: str, reorders: bool, title: str) -> None:
    found = tried(text, replacing(old, new, reorders=reorders))
    assert isinstance(found, Checked), found
    assert title in found.title


def test_another_kernel_that_shares_what_is_edited_refuses() -> None:
    text = f"""#define WIDTH 64
{SCALE.replace("block=64", "block=WIDTH")}
//@ launch block=WIDTH grid=2
__global__ void beside(float *a) {{ a[blockIdx.x * WIDTH + threadIdx.x] = 1; }}
"""
    found = tried(text, replacing("#define WIDTH 64", "#define WIDTH (64)"))
    assert isinstance(found, Checked), found
    found = tried(text, replacing("#define WIDTH 64", "#define WIDTH 32"))
    assert isinstance(found, Refused) and "another kernel afterwards" in found.reason
