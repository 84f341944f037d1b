"""`warpcost check --equivalent`: statuses and words, and no traceback by any input."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis_core.main import main

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
