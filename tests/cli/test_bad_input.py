"""Bad input on the command line: a clear finding or nothing, never a traceback, never a long wait.

Every case is made here, in a directory of its own, and goes through the whole of `warpcost check`.
"""

from __future__ import annotations

import json
import os
import random
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from analysis_core.main import main
from analysis_core.pipeline import pipeline
from analysis_core.report.findings.model import FileReport

LONGEST_SECONDS = 10.0

KERNEL = b"""
__global__ void good(float *a, const float *b) { a[threadIdx.x] = b[8 * threadIdx.x]; }
void run(float *a, float *b) { good<<<1, 256>>>(a, b); }
"""


def in_kernel(body: str) -> bytes:
    return b"__global__ void k(int *a, int n) {\n" + body.encode() + b"\n}\n"


def binary() -> bytes:
    return random.Random(7).randbytes(200_000)


def binary_with_kernel() -> bytes:
    return binary()[:5000] + KERNEL + binary()[:5000]


def parentheses(depth: int) -> bytes:
    return in_kernel("a[0] = " + "(" * depth + "n" + ")" * depth + ";")


def unclosed_parentheses(depth: int) -> bytes:
    return in_kernel("a[0] = " + "(" * depth + "n;")


def blocks(depth: int) -> bytes:
    return in_kernel("{" * depth + "a[0] = 1;" + "}" * depth)


def ifs(depth: int) -> bytes:
    return in_kernel("if (n > 1) " * depth + "a[0] = 1;")


def else_ifs(number: int) -> bytes:
    return in_kernel(" else ".join(f"if (n == {i}) a[{i}] = {i};" for i in range(number)))


def loops(depth: int) -> bytes:
    return in_kernel("".join(f"for (int i{i} = 0; i{i} < n; i{i}++) " for i in range(depth)) + "a[n] = 1;")


def long_sum(terms: int) -> bytes:
    return in_kernel("a[0] = " + " + ".join(f"a[{i}]" for i in range(terms)) + ";")


def one_long_line() -> bytes:
    # One megabyte without a line end.
    return in_kernel("").replace(b"\n", b" ")[:-3] + b"a[n] = n + 1; " * 75_000 + b"}"


def one_long_comment() -> bytes:
    return b"/*" + b"x" * 1_000_000 + b"*/" + KERNEL


CASES: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "only a byte order mark": lambda: b"\xef\xbb\xbf",
    "UTF-16": lambda: KERNEL.decode().encode("utf-16"),
    "NUL bytes": lambda: b"\0" * 10_000,
    "NUL in a kernel": lambda: KERNEL.replace(b"8 *", b"8 \0 *"),
    "binary": binary,
    "binary around a kernel": binary_with_kernel,
    "1 MB on one line": one_long_line,
    "1 MB of comment": one_long_comment,
    "unclosed comment": lambda: KERNEL + b"/* no end",
    "unclosed string": lambda: b'const char *s = "no end\n' + KERNEL,
    "unclosed brace": lambda: KERNEL + b"__global__ void k(int *a) { if (1) { a[0] = 1; \n",
    "too many braces": lambda: b"}}}}}" + KERNEL + b"}}}",
    "half a kernel": lambda: KERNEL[: len(KERNEL) // 3],
    "only a qualifier": lambda: b"__global__",
    "only a launch": lambda: b"void f() { k<<<1, 2>>>(3); }",
    "macro of itself": lambda: b"#define A A\n#define F(x) F(x) G(x)\n#define G(x) F(x)\n" + in_kernel("a[0] = F(A);"),
    "macro that doubles": lambda: (
        b"#define X0 n + n\n" + b"".join(b"#define X%d X%d + X%d\n" % (i + 1, i, i) for i in range(40))
        + in_kernel("a[0] = X40;")
    ),
    "unclosed macro call": lambda: b"#define F(x) x\n" + in_kernel("a[0] = F(1;"),
    "unbalanced #if": lambda: b"#if 1\n#else\n#else\n#endif\n#endif\n#elif\n" + KERNEL + b"#if 0\n#ifdef\n",
    "#if divides by zero": lambda: b"#if 1 / 0\n#endif\n#if 1 % 0 == 0\n#endif\n" + KERNEL,
    "#error": lambda: b"#error no\n" + KERNEL,
    "recursive function": lambda: b"__device__ int f(int n) { return f(n - 1); }\n" + in_kernel("a[f(n)] = 1;"),
    "functions that call each other": lambda: (
        b"__device__ int g(int); __device__ int f(int n) { return g(n); } __device__ int g(int n) { return f(n); }\n"
        + in_kernel("a[f(n)] = g(n);")
    ),
    "functions that double": lambda: (
        b"__device__ int f0(int n) { return n + 1; }\n"
        + b"".join(b"__device__ int f%d(int n) { return f%d(n) + f%d(n); }\n" % (i + 1, i, i) for i in range(30))
        + in_kernel("a[f30(n)] = 1;")
    ),
    "template of itself": lambda: (
        b"template <int N> struct S { static const int v = S<N + 1>::v; };\n" + in_kernel("a[S<0>::v] = 1;")
    ),
    "typedef of itself": lambda: b"typedef T T; struct S { S s; S *p; };\n" + in_kernel("T x; S s; a[s.s.s.p->s] = 1;"),
    "3,000 parentheses": lambda: parentheses(3000),
    "3,000 unclosed parentheses": lambda: unclosed_parentheses(3000),
    "3,000 blocks": lambda: blocks(3000),
    "3,000 ifs": lambda: ifs(3000),
    "1,000 else ifs": lambda: else_ifs(1000),
    "60 loops": lambda: loops(60),
    "3,000 terms": lambda: long_sum(3000),
    "3,000 minus signs": lambda: in_kernel("a[0] = " + "- " * 3000 + "n;"),
    "3,000 conditional operators": lambda: in_kernel("a[0] = " + "n ? 1 : " * 3000 + "2;"),
    "3,000 indices": lambda: in_kernel("a[0] = " + "a[" * 3000 + "0" + "]" * 3000 + ";"),
    "3,000 stars": lambda: b"__global__ void k(int " + b"*" * 3000 + b"p) { " + b"*" * 3000 + b"p = 1; }\n",
    "division by zero": lambda: in_kernel(
        "const int z = 0; __shared__ int s[4 / z]; enum { E = 1 % 0 }; a[1 / z] = a[n % (z * 3)] / 0; a[threadIdx.x / 0] = E;"
    ),
    "shifts beyond the width": lambda: in_kernel("a[1 << 99] = 1 >> -1; a[n << 1000000000] = threadIdx.x << -5;"),
    "huge numbers": lambda: in_kernel(
        "__shared__ int s[999999999999999999999]; s[99999999999999999999999999] = 0x" + "f" * 4000 + ";"
    ),
    "a loop without end": lambda: in_kernel("for (;;) a[n++] = 1; while (true) { } do { a[0]++; } while (1);"),
    "a loop that counts for ever": lambda: in_kernel("for (unsigned i = 1; i != 0; i += 2) a[i & 7] = 1;"),
    "impossible launches": lambda: (
        KERNEL + b"void bad(float *a) { good<<<0, 0>>>(a, a); good<<<1, 1 << 30>>>(a, a); good<<<1, -1>>>(a, a); "
        b"good<<<>>>(); good<<<1>>>(a); good<<<1, 1 / 0>>>(a, a); good<<<1, dim3(1024, 1024)>>>(a, a); }\n"
    ),
    "suppressions of nothing": lambda: b"// warpcost: ignore[\n// warpcost: ignore[]\n// warpcost: ignore[,,]\n" + KERNEL,
}  # fmt: skip


def check(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit status, output and error text of `warpcost check`, which must not take long."""
    started = process_time()
    status = main(["check", "--no-config", *arguments])
    seconds = process_time() - started
    captured = capsys.readouterr()
    assert "Traceback" not in captured.out + captured.err
    assert "internal error" not in captured.out + captured.err
    assert seconds < LONGEST_SECONDS
    return status, captured.out, captured.err


def analysed_once() -> Callable[..., FileReport]:
    """The analysis of a file, which is not done again where the same file is shown in another format."""
    analyse, reports = pipeline.analyse_file, list[FileReport]()

    def first(*arguments: Any, **more: Any) -> FileReport:
        reports[:] = reports or [analyse(*arguments, **more)]
        return reports[0]

    return first


@pytest.mark.parametrize("name", CASES)
def test_bad_text(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bad.cu"
    path.write_bytes(CASES[name]())
    monkeypatch.setattr(pipeline, "analyse_file", analysed_once())
    status, out, err = check(capsys, str(path))
    assert status in (0, 1)
    assert out.splitlines()[-1].endswith("of 1 file")
    assert err == ""
    status, out, _ = check(capsys, "--format", "json", str(path))
    assert status in (0, 1)
    assert [file["path"] for file in json.loads(out)["files"]] == [str(path)]


@pytest.mark.parametrize(
    "name",
    [
        "1 MB of comment", "unclosed comment", "unclosed string", "unclosed brace",
        "too many braces", "unbalanced #if", "#if divides by zero", "#error", "impossible launches",
    ],
)  # fmt: skip
def test_a_good_kernel_beside_bad_text_keeps_its_finding(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.cu"
    path.write_bytes(CASES[name]())
    status, out, _ = check(capsys, str(path))
    assert status == 1
    assert (
        "warning[WC101] uncoalesced-access: Uncoalesced load from `b`: each warp touches 32 sectors where 4 would do (8x)"
        in out
    )


def test_includes_in_a_circle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.cu").write_bytes(b'#include "b.cuh"\n#include "a.cu"\n' + KERNEL)
    (tmp_path / "b.cuh").write_bytes(b'#include "b.cuh"\n#include "a.cu"\n')
    status, out, err = check(capsys, str(tmp_path / "a.cu"))
    assert (status, err) == (1, "")
    assert out.count("WC101") == 1


def test_a_missing_include_is_silent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.cu").write_bytes(b'#include "nowhere.h"\n#include <absent>\n#include MACRO\n#include\n' + KERNEL)
    status, out, err = check(capsys, str(tmp_path / "a.cu"))
    assert (status, err) == (1, "")
    assert out.splitlines()[-1] == "1 warning in 1 kernel of 1 file"


def test_includes_of_what_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "folder.h").mkdir()
    long_name = "x" * 5000
    (tmp_path / "a.cu").write_bytes(f'#include "folder.h"\n#include "{long_name}"\n#include "\0"\n'.encode() + KERNEL)
    assert check(capsys, str(tmp_path / "a.cu"))[0] == 1


def test_directories_named_like_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "folder.cu").mkdir()
    (tmp_path / "folder.cu" / "inner.cu").write_bytes(KERNEL)
    status, out, err = check(capsys, str(tmp_path))
    assert (status, err) == (1, "")
    assert "in 1 kernel of 1 file" in out


def test_links_in_a_circle_and_to_nowhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "good.cu").write_bytes(KERNEL)
    (tmp_path / "again").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "loop.cu").symlink_to(tmp_path / "loop.cu")
    (tmp_path / "gone.cu").symlink_to(tmp_path / "nowhere.cu")
    status, out, err = check(capsys, str(tmp_path))
    assert status == 2
    assert "in 1 kernel of 1 file" in out
    assert [line.split(": ")[0] for line in err.splitlines()] == ["warpcost", "warpcost"]


def test_a_file_without_permission(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "secret.cu"
    path.write_bytes(KERNEL)
    path.chmod(stat.S_IWUSR)
    # Root may read everything, so the system's answer is given here.
    monkeypatch.setattr(os, "access", lambda name, mode: os.fspath(name) != str(path))
    status, _, err = check(capsys, str(path))
    assert (status, err) == (2, f"warpcost: cannot read {path}: permission denied\n")


def test_a_pipe_is_not_waited_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe.cu")
    status, _, err = check(capsys, str(tmp_path / "pipe.cu"))
    assert status == 2
    assert "not a file or directory" in err


@pytest.mark.parametrize(
    "text",
    [
        b"block = 'many'\n",
        b"= = =",
        b"\xff\xfe\0",
        b"[tool",
        b"block = [16, 16, 16, 16]\nunknown-key = 1\n",
        b"values = 3\n",
    ],
)
def test_bad_settings_are_reported_and_do_not_stop(
    text: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "warpcost.toml").write_bytes(text)
    (tmp_path / "a.cu").write_bytes(KERNEL)
    status = main(["check", str(tmp_path)])
    captured = capsys.readouterr()
    assert status == 1
    assert "warpcost.toml:" in captured.out
    assert "WC101" in captured.out
    assert "Traceback" not in captured.out + captured.err


def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / f"{number}.cu").write_bytes(KERNEL)
    process = subprocess.Popen(
        [sys.executable, "-m", "analysis_core.main", "check", "--no-config", str(tmp_path)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert process.stdout is not None and process.stderr is not None
    process.stdout.read(1)
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(60) == 0
