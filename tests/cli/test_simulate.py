"""`warpcost simulate` as its users meet it: arguments, output, messages, exit status."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from analysis_core.main import main

SOURCE = """struct Pair { int key; float weight; };
__global__ void axpy(float *y, const float *x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
__global__ void sum(const Pair *pairs, double *out, int n) {
    for (int i = 0; i < n; i++) out[0] += pairs[i].key * pairs[i].weight;
}
__global__ void wild(int *a, int n) { a[threadIdx.x * n] = undeclared(n); }
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "k.cu"
    path.write_text(SOURCE, encoding="utf-8")
    return str(path)


def simulate(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["simulate", *words, "--no-config"])
    out, err = capsys.readouterr()
    return status, out, err


AXPY = ("--kernel", "axpy", "--block", "128", "--grid", "4")


def test_text(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = simulate(
        capsys, file, *AXPY, "--arg", "y=n", "--arg", "x=n:iota", "--arg", "a=0.5", "--arg", "n=500", "--output", "y"
    )
    assert (status, err) == (0, "")
    assert "4 blocks of 4 warps" in out and "k.cu:4:28: R x[i]: 16 requests" in out
    assert "y float32 500:" in out


def test_json(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--arg", "y=[1,2,3,4]", "--arg", "x=4:2", "--arg", "a=3", "--arg", "n=4", "--output", "y")
    status, out, _ = simulate(capsys, file, *AXPY, *words, "--format", "json")
    found = json.loads(out)
    assert status == 0 and found["arrays"]["y"] == [7, 8, 9, 10]
    assert found["metrics"]["sectors"] == {"total": 3, "least": 0, "mean": 3 / 16, "most": 3}
    assert found["accesses"][0]["histogram"] == [{"active": 4, "cost": 1, "ideal": 1, "count": 1}]


def test_arguments_from_files(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.savez(tmp_path / "in.npz", x=np.arange(8, dtype=np.float32), n=8, a=2.0, y=np.ones(8))
    status, out, _ = simulate(
        capsys, file, *AXPY, "--args", str(tmp_path / "in.npz"), "--output", "y", "--save", str(tmp_path / "out.npz")
    )
    assert status == 0
    np.testing.assert_array_equal(np.load(tmp_path / "out.npz")["y"], 1 + 2 * np.arange(8))
    given = {"n": 3, "pairs": {"values": [[1, 0.5], [2, 0.25], [3, 2]]}, "out": "1"}
    (tmp_path / "in.json").write_text(json.dumps(given), encoding="utf-8")
    words = ("--kernel", "sum", "--block", "1", "--args", str(tmp_path / "in.json"), "--output", "out")
    status, out, _ = simulate(capsys, file, *words, "--format", "json")
    assert status == 0 and json.loads(out)["arrays"]["out"] == [7.0]


def test_fills(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    def filled(spec: str) -> list[float]:
        words = ("--arg", f"y={spec}", "--arg", "x=64", "--arg", "a=0", "--arg", "n=8", "--output", "y")
        _, out, err = simulate(capsys, file, *AXPY, *words, "--format", "json")
        assert not err
        values = np.array(json.loads(out)["arrays"]["y"]).ravel().tolist()
        assert isinstance(values, list)
        return values

    assert filled("2x4:iota") == list(range(8))
    assert filled("n:ones") == [1] * 8 and filled("n+0:3.5") == [3.5] * 8
    assert sorted(filled("8:permutation:3")) == list(range(8))
    assert filled("8:random:5") == filled("8:random:5") != filled("8:random:6")
    assert all(-2 <= v < -1 for v in filled("8:random:5:-2:-1"))


def test_compare(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--arg", "y=n", "--arg", "x=@y", "--arg", "a=0.5", "--arg", "n=500", "--compare")
    status, out, _ = simulate(capsys, file, *AXPY, *words, "--format", "json")
    compared = json.loads(out)["compare"]
    assert status == 0 and compared["failure"] is None
    assert {(row["text"], row["worst"], row["observed"]["most"]) for row in compared["accesses"]} == {
        ("y[i]", 4, 4),
        ("x[i]", 4, 4),
    }
    assert not any(row["broken"] for row in compared["accesses"] + compared["branches"])
    _, out, _ = simulate(capsys, file, *AXPY, *words)
    assert "4 to 4 sectors, ideal 4 | 3, 3.94, 4 | at most 1, observed 1" in out


def test_faults_end_with_one(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--arg", "y=400", "--arg", "x=n", "--arg", "a=1", "--arg", "n=500")
    status, out, _ = simulate(capsys, file, *AXPY, *words)
    assert status == 1
    assert "k.cu:4:16: out of bounds: `y[i]` reads 4 bytes at byte 1600 of `y`, which has 1600" in out
    assert "(block (3, 0, 0), thread (16, 0, 0), 200 times in all)" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--kernel", "wild", "--arg", "n=1", "--arg", "a=99"), "k.cu:9:60: the run ends here"),
        (("--arg", "n=1"), "say which kernel with --kernel: axpy, sum, wild"),
        (("--kernel", "none"), "no kernel is named none; there are: axpy, sum, wild"),
        ((*AXPY, "--arg", "n=1"), "no value is given for `y`, `x`, `a`"),
        ((*AXPY, "--arg", "q=1"), "has no parameter `q`"),
        ((*AXPY, "--arg", "n=foo"), "'foo' is not a number or the name of one"),
        ((*AXPY, "--arg", "n=1.5", "--arg", "a=1", "--arg", "x=1", "--arg", "y=1"), "`n` is an integer"),
        ((*AXPY, "--arg", "y=4:sideways"), "'sideways' is no way to fill an array"),
        ((*AXPY, "--arg", "y=n*m", "--arg", "n=1"), "'m' is not a number"),
        ((*AXPY, "--arg", "y=99999999999"), "GiB"),
        ((*AXPY, "--arg", "n=[1]"), "'[1]' is not a number"),
        ((*AXPY, "--arg", "y=4:random:x"), "'x' is no number"),
        ((*AXPY, "--arg", "y=4:random:1:-inf:inf"), "'-inf' is no seed and no limit"),
        ((*AXPY, "--arg", "y=4:random:1:2"), "a seed, or a seed and two limits may follow 'random'"),
        ((*AXPY, "--arg", "y=4:iota:3"), "nothing may follow 'iota'"),
        ((*AXPY, "--arg", "y=4:random:-1"), "a seed is a whole number"),
        (("--kernel", "sum", "--arg", "n=1", "--arg", "pairs=1:0.5", "--arg", "out=1"), "0.5 is no `int`"),
        ((*AXPY, "--arg", "y=file:absent.npy"), "absent.npy: No such file"),
        ((*AXPY, "--arg", "y=-5"), "no extent"),
        ((*AXPY, "--args", "absent.json"), "absent.json: No such file"),
        ((*AXPY, "--output", "z"), "`z` is no argument"),
        ((*AXPY, "--arg", "y=@z", "--arg", "x=1", "--arg", "a=1", "--arg", "n=1"), "which is no array argument"),
    ],
)
def test_messages(words: tuple[str, ...], message: str, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = simulate(capsys, file, *words)
    assert (status, err.count("\n")) == (2, 1), err
    assert message in err


def test_a_bad_option_is_one_line(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["simulate", file, "--arg", "5"])
    assert "'5' is not NAME=VALUE" in capsys.readouterr().err


def test_a_loop_that_does_not_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "k.cu"
    path.write_text("__global__ void k(volatile int *a) { while (a[0] == 0) { } }")
    words = (str(path), "--block", "32", "--arg", "a=1", "--rounds", "50")
    status, out, err = simulate(capsys, *words)
    assert status == 2 and not out
    assert err.strip().endswith("the run ends here: the loop does not end within 50 rounds in lock step")


def test_compare_says_which_assumption_the_run_breaks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "k.cu"
    path.write_text(
        "__global__ void k(int *a, unsigned char m) { for (unsigned char c = m; c > 0; c -= 3) a[threadIdx.x] = c; }"
    )
    words = (str(path), "--block", "32", "--arg", "a=32", "--compare")
    status, out, _ = simulate(capsys, *words, "--arg", "m=255")
    assert status == 0 and "does not keep an assumption" not in out
    status, out, _ = simulate(capsys, *words, "--arg", "m=10")
    assert status == 0
    assert "this run does not keep an assumption of the analysis" in out and "`c` does not wrap around" in out


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ('{"pairs": [[1, 2], [3]]}', "its rows have different lengths"),
        ('{"pairs": [[1.5, 2]]}', "1.5 is no `int`"),
        ('{"pairs": [[1, 2, 3]]}', "a row of numbers per element is needed"),
        ('{"out": {"shape": 4, "fill": "random", "seed": null}}', "'None' is no number"),
        ('{"out": {"shape": 4, "fill": "random", "low": "q"}}', "'q' is no number"),
        ('{"out": {"shape": 4, "fil": "random"}}', "'fil' is none of fill"),
        ('{"n": null}', "`n` is a number"),
        ('{"n": Infinity}', "`n` is an integer, not inf"),
        ("[" * 100_000, "is no JSON"),
        ("[]", "holds no object"),
    ],
)
def test_bad_files(given: str, message: str, file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.json").write_text(given, encoding="utf-8")
    rest = ("--arg", "n=1", "--arg", "out=1", "--arg", "pairs=1")
    words = [
        word
        for name, word in zip(rest[::2], rest[1::2])
        if f'"{word.split("=")[0]}"' not in given
        for word in (name, word)
    ]
    status, _, err = simulate(capsys, file, "--kernel", "sum", "--args", str(tmp_path / "in.json"), *words)
    assert (status, err.count("\n")) == (2, 1), err
    assert message in err


@pytest.mark.parametrize("contents", [b"", b"PK\x03\x04 nonsense", b"\x93NUMPY\x01\x00v\x00{}"])
def test_files_that_hold_no_arrays(
    contents: bytes, file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in.npz").write_bytes(contents)
    status, _, err = simulate(capsys, file, *AXPY, "--args", str(tmp_path / "in.npz"))
    assert (status, err.count("\n")) == (2, 1) and "is no NPZ file" in err, err


def test_values_that_a_type_does_not_hold(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.savez(tmp_path / "in.npz", x=np.arange(8) + 0.1, y=np.arange(8, dtype=">f8"), n=np.float64(8), a=np.float32(1))
    words = (*AXPY, "--args", str(tmp_path / "in.npz"), "--output", "y", "--format", "json")
    status, out, _ = simulate(capsys, file, *words)
    expected = (np.arange(8) + 0.1).astype(np.float32) + np.arange(8, dtype=np.float32)
    assert status == 0 and json.loads(out)["arrays"]["y"] == pytest.approx(expected.tolist())


def test_null_pointers_and_suffixes(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--arg", "y=null", "--arg", "x=n", "--arg", "a=1.5f", "--arg", "n=4")
    status, out, _ = simulate(capsys, file, *AXPY, *words)
    assert status == 1 and "through a null pointer" in out


def test_memory_that_is_not_touched_takes_up_no_room(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    resource = pytest.importorskip("resource")
    words = ("--arg", "y=1024*1024*1024", "--arg", "x=@y", "--arg", "a=1", "--arg", "n=400")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    status, _, _ = simulate(capsys, file, *AXPY, *words)
    assert status == 0
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1 << 19  # KiB: 4 GiB are given


def test_a_step_of_zero_has_no_trip_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "k.cu"
    path.write_text("__global__ void k(int *a, int n, int m) { for (int i = 0; i < n; i += m) a[i] = 1; }", "utf-8")
    status, out, _ = simulate(capsys, str(path), "--arg", "a=1", "--arg", "n=0", "--arg", "m=0", "--compare")
    assert status == 0 and "at most ceil(n/m), observed 0" in out
