"""No line of the output is a command to a runner of continuous integration, whatever the project holds."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from analysis_core.cli.runner_commands import no_command, no_command_in_json, no_named_command
from analysis_core.main import main

KERNEL = """
namespace ours { __device__ float *at(float *a, int i) { return a + i; } }
__device__ float *error(float *a, int i) { return a + i; }
/* ##vso[task.setvariable variable=PATH]x ##[group]y ##teamcity[z] */
__global__ void k(float *a, int n) {
    if (threadIdx.x < 8 * n)
::error(a, threadIdx.x)[32 * threadIdx.x] = 1; // ::set-output name=x::y ##vso[task.complete]
    ::error(a, threadIdx.x)[16 * threadIdx.x] = 1;
    ::ours::at(a, threadIdx.x)[8 * threadIdx.x] = sizeof("##vso[task.complete]");
    if (threadIdx.x % 2 /* ##[warning]x */) a[threadIdx.x * 9] = missing("##vso[a]");
    asm("##vso[a]");
}
void run(float *a, int n) { k<<<n, 256>>>(a, n); }
"""

OURS = re.compile(r"::(error|warning|notice) file=[^:]*::")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("::warning::x.cu", "##vso[a]x.cu"):
        (tmp_path / name).write_text(KERNEL)
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        *(f"check --hints --format {format} PATH" for format in ("text", "json", "sarif", "github")),
        "stats PATH",
        "stats --format json PATH",
        "stats --format markdown PATH",
        "explain --stage all PATH",
        "report PATH",
        "check ::none.cu ##vso[none].cu",
    ],
)
def test_no_line_is_a_command(command: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in sorted(file.name for file in project.iterdir()):
        main([path if word == "PATH" else word for word in command.split()])
        shown = capsys.readouterr()
        assert shown.out or shown.err
        for line in (*shown.out.splitlines(), *shown.err.splitlines()):
            assert not line.lstrip().startswith("::") or OURS.match(line), line
            assert not re.search(r"##\w*\[", line), line


def test_lines_that_are_none_stay_as_they_are() -> None:
    for line in ("", "  a::b();", "      ^^^", "a.cu:1:2: warning", "#define A(x) a##x", ":: "[1:]):
        assert no_named_command(no_command(line)) == line
    assert no_command("      ::f();") == "    | ::f();"
    assert no_command("::f();") == "| ::f();"
    assert json.loads(no_command_in_json(json.dumps({"a": "##vso[b]"}))) == {"a": "##vso[b]"}
