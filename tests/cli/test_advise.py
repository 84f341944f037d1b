"""`warpcost advise` as its users meet it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis_core.main import main

SOURCE = """#define W 32
#define H 8
__global__ void turn(float *out, const float *in, int n) {
    int x = blockIdx.x * W + threadIdx.x, y = blockIdx.y * H + threadIdx.y;
    out[x * n + y] = in[y * n + x];
}
__global__ void never(float *a) { a[threadIdx.x] = 1; }
void run(float *out, const float *in, int n) { turn<<<dim3(n / W, n / H), dim3(W, H)>>>(out, in, n); }
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "k.cu"
    path.write_text(SOURCE, encoding="utf-8")
    return str(path)


def advise(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["advise", *words, "--no-config"])
    out, err = capsys.readouterr()
    return status, out, err


def test_the_table(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = advise(capsys, file)
    assert status == 0
    lines = out.splitlines()
    assert lines[0].endswith("k.cu:3:17: turn: block 32x8 by W = 32 (line 1), H = 8 (line 2)")
    assert "registers estimated by liveness: 10 (error on fixtures: median 20%)." in lines[1]
    assert lines[4].split()[0] == "32x8"
    assert lines[4].endswith("present")
    assert lines[5].split()[0] == "8x8"
    assert "the same (all sizes" in lines[5]
    assert "never: no launch in view says which block it has" in out


def test_json_says_all_shapes(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = advise(capsys, file, "--kernel", "turn", "--cc", "8.6", "--registers", "40", "--format", "json")
    assert status == 0
    told = json.loads(out)
    (kernel,) = told["kernels"]
    assert told["compute_capability"] == "8.6"
    assert kernel["registers"] == {"value": 40, "estimated": False}
    assert [(knob["name"], knob["value"], knob["axes"]) for knob in kernel["knobs"]] == [
        ("W", 32, ["x"]),
        ("H", 8, ["y"]),
    ]
    assert kernel["rows"][0]["block"] == [32, 8, 1]
    assert kernel["rows"][0]["occupancy"]["8.6"] == {"blocks": 6, "share": 1.0, "limits": ["warps", "registers"]}
    tried = [row for row in kernel["rows"] if row["same_results"]]
    assert 1 <= len(tried) <= 4
    assert kernel["ranked"][0] in [row["block"] for row in tried]


def test_all_shapes_in_the_table(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, few, _ = advise(capsys, file, "--kernel", "turn")
    _, every, _ = advise(capsys, file, "--kernel", "turn", "--all")
    assert len(every.splitlines()) > len(few.splitlines()) + 20


def test_registers_are_estimated_or_said(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    def told(*words: str) -> tuple[object, str]:
        _, out, _ = advise(capsys, file, "--kernel", "turn", *words, "--format", "json")
        (kernel,) = json.loads(out)["kernels"]
        _, text, _ = advise(capsys, file, "--kernel", "turn", *words)
        return kernel["registers"], text

    value, text = told()
    assert isinstance(value, dict) and value["estimated"] and f"by liveness: {value['value']} (" in text
    assert "by liveness" not in told("--registers", "40")[1]
    assert told("--registers", "0")[0] is None


@pytest.mark.parametrize(
    "data", [b"", b"\xff\x00{{{", b"__global__ void k(", b"//@ launch block=(\n__global__ void k() {}"]
)
def test_any_bytes(data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.cu"
    path.write_bytes(data)
    status, out, err = advise(capsys, str(path))
    assert status == 0
    assert out
    assert not err


def test_wrong_use(file: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert advise(capsys, file, "--cc", "6.0")[0] == 2
    assert advise(capsys, file, "--kernel", "trun")[0] == 2
    assert advise(capsys, str(tmp_path / "nothing.cu"))[0] == 2


def test_classes_of_shapes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "k.cu"
    path.write_text(
        "__global__ void copy(float *a, const float *b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = b[i]; }\n"
        "//@ launch block=(32, 8)\n"
        "__global__ void turn(float *a, const float *b) { __shared__ float t[32][33]; t[threadIdx.y][threadIdx.x] = b[threadIdx.x]; "
        "__syncthreads(); a[threadIdx.x] = t[threadIdx.x][threadIdx.y]; }\n",
        encoding="utf-8",
    )
    _, out, _ = advise(capsys, str(path))
    assert "`t` (line 3): 0 bank conflicts iff the pitch of its rows is odd" in out
    assert "Line 1: each request is ideal where blockDim.x is a multiple of 8" in out
    assert "each warp pays sectors <= 8, conflicts = 0" in out
    _, told, _ = advise(capsys, str(path), "--format", "json")
    copy, turn = json.loads(told)["kernels"]
    assert copy["classes"]["blocks"]["per_warp"]["sectors"] == {"upper": "8", "exact": False}
    assert turn["classes"]["pitches"][0]["without_conflicts"] == list(range(1, 32, 2))
