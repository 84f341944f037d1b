"""`warpcost check --equivalent`: statuses and words, and no traceback by any input."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis_core.claims.equal import equality
from analysis_core.main import main
from tests.races.test_verdicts import kernels_of

TEXT = """
__global__ void plain(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i];
}
__global__ void strided(float *o, const float *__restrict__ x, int m) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m; i += gridDim.x * blockDim.x) o[i] = x[i] + x[i];
    if (m == 1000) o[0] = 0.0f;
}
__global__ void one_less(float *o, const float *x, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m - 1) o[i] = 2.0f * x[i];
}
__global__ void rounded(float *o, const float *x, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m) o[i] = x[i] * 1.0000002f * 2.0f;
}
__global__ void beyond(float *o, const float *x, int m) { o[m << 20] = x[0]; }
__global__ void first_block(float *o, const float *x, int m) {
    int i = threadIdx.x;
    if (i < m && blockIdx.x == 0) o[i] = 2.0f * x[i];
}
__global__ void of_ints(int *o, const float *x, int m) { o[0] = m; }
__global__ void of_two(float *o, const float *x) { o[0] = x[0]; }
__global__ void unknown(float *o, const float *x, int m) { nobody_knows(o); }
void launch(float *a) { plain<<<1, 64>>>(a, a, 3); }
"""

PAIRS = """
__device__ int table[64];
struct Pair { int a, b; };
__device__ float twice(float x) { if (x > 3.0f) return x + x; return 2.0f * x; }
__device__ float twice_again(float y) { return y > 3.0f ? y + y : y * 2.0f; }
"""


def _pair(first: str, second: str) -> str:
    kernel = """__global__ void {}(float *a, int *b, const float *x, int n) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    {}
}}
"""
    return PAIRS + kernel.format("one", first) + kernel.format("two", second)


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        (
            "if (i < n) a[i] = 2.0f * x[i] + 1.0f;",
            "if (i >= n) return; float v = x[i]; a[i] = 1.0f + v * 2.0f;",
            "proved equal by",
        ),
        ("a[i] = twice(x[i]);", "a[i] = twice_again(x[i]);", "proved equal by"),
        (
            "for (int k = 0; k < 4; k++) a[4 * i + k] = x[4 * i + k];",
            "for (int k = 3; k >= 0; k--) a[i * 4 + k] = x[4 * i + k];",
            "proved equal by",
        ),
        (
            "float s = 0; for (int k = 0; k < 4; k++) s += x[4 * i + k]; a[i] = s;",
            "a[i] = x[4 * i] + (x[4 * i + 1] + x[4 * i + 2]) + x[4 * i + 3];",
            "proved equal but for the order of floating point operations",
        ),
        ("b[i] = n % 8; b[i] += 1;", "b[i] = (n & 7) + 1;", "integer parameters are not negative"),
        ("b[i] = (unsigned)n % 8;", "b[i] = n & 7;", "proved equal by"),
        ("a[i] = 1.0f; a[i] = a[i] + x[i];", "a[i] = x[i] + 1.0f;", "proved equal by"),
        (
            "float *p = a + blockIdx.x * blockDim.x; p[threadIdx.x] = x[i];",
            "a[i] = x[i];",
            "proved equal by",
        ),
        ("if (n > 3) b[i] = n; else b[i] = 3;", "b[i] = max(n, 3);", "proved equal by"),
        ("int c[4]; c[0] = n; c[1] = 5; b[i] = c[0] + c[1];", "b[i] = n + 5;", "proved equal by"),
        # Not equal, or not for sure.
        ("if (i < n) a[i] = x[i];", "if (i <= n) a[i] = x[i];", "may store something else"),
        ("a[i] = x[i] / 3.0f;", "a[i] = x[i] * 0.333333343f;", "may store something else"),
        ("b[i] = n / 2;", "b[i] = n >> 1;", "integer parameters are not negative"),
        ("b[i] = 1;", "b[i + 1] = 1;", "may store something else"),
        ("b[i] = 1;", "", "may store something else"),
        ("b[i] = n; b[0] = 3;", "b[0] = 3; b[i] = n;", "may store something else"),
        ("a[i] = (x[i] + x[i + 1]) + x[i + 2];", "a[i] = x[i] + (x[i + 1] - x[i + 2]);", "may store something else"),
        ("b[i] = table[i];", "b[i] = table[i] + 0;", "proved equal by"),
        # What is not followed is said.
        (
            "for (int k = 0; k < n; k++) b[i] = k;",
            "b[i] = n - 1;",
            "not followed: a loop whose number of rounds is not constant",
        ),
        ("atomicAdd(b, 1);", "atomicAdd(b, 1);", "not followed: an atomic update"),
        ("__syncthreads(); b[i] = 1;", "b[i] = 1;", "not followed: a barrier"),
        ("*(int *)((char *)b + n) = 1;", "b[i] = 1;", "not followed: an address between"),
        ("*(int *)(a + i) = 1;", "a[i] = x[i];", "not followed: an array that is read and written in several types"),
    ],
)
def test_pairs(first: str, second: str, said: str) -> None:
    one, two = kernels_of(_pair(first, second))
    found = equality(one, two)
    order = " but for the order of floating point operations" if found.rounding else " by"
    natural = "; integer parameters are not negative" if found.natural else ""
    told = f"proved equal{order}{natural}" if found.proved else found.cause
    assert said in told


@pytest.mark.parametrize(
    ("other", "status", "said"),
    [
        ("plain", 0, "no difference in 45 runs: "),
        ("strided", 0, "never executed: `o[0]` in line 8 of"),
        ("strided", 0, "different with more elements than threads: `out[64]` is "),
        ("first_block", 1, "grid 2, n = 65"),
        ("one_less", 1, "different: `out[6]` is "),
        ("rounded", 1, "(rounding?)"),
        ("beyond", 2, "left out: "),
        ("of_ints", 2, "is a `float*`, in"),
        ("of_two", 2, "has 3 parameters"),
        ("unknown", 2, ""),
        ("nobody", 2, "no kernel is named nobody"),
    ],
)
def test_statuses(
    other: str,
    status: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "a.cu").write_text(TEXT)
    monkeypatch.chdir(tmp_path)
    found = main(["check", "--no-config", "--equivalent", "a.cu:plain", f"a.cu:{other}"])
    captured = capsys.readouterr()
    assert found == status, captured
    assert said in captured.out + captured.err and "Traceback" not in captured.err


@pytest.mark.parametrize("named", ["", ":", "a.cu", "a.cu:", ":plain", "b.cu:plain", "a.cu:plain:plain"])
def test_what_names_no_kernel_is_said(
    named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.cu").write_text(TEXT)
    monkeypatch.chdir(tmp_path)
    assert main(["check", "--no-config", "--equivalent", "a.cu:plain", named]) == 2
    assert capsys.readouterr().err.startswith("warpcost: ")
