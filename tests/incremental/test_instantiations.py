"""The editor's report is the command line's where a template has more instantiations than are looked at, and where blocks are guesses."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from analysis_core.incremental.asked import Asked
from analysis_core.incremental.host import Host, whole
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.findings.model import FileReport
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

KERNEL = """template <int N> __global__ void copy(float *a, const float *b, int n) {
    __shared__ float t[N][32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = b[N % 7 * i] + t[0][threadIdx.x % 32];
}
"""


def text(count: int, launch: str) -> str:
    calls = "".join(launch.replace("N", str(number)) for number in range(1, count + 1))
    return f"{KERNEL}void run(float *a, float *b, int n, int t) {{\n{calls}}}\n"


def same(report: FileReport) -> str:
    """All of it but times."""
    return re.sub(r"seconds=[0-9.e-]+", "", repr(replace(report, times=())))


@pytest.mark.parametrize("count", [2, 3, 8, 9, 12])
@pytest.mark.parametrize("launch", ["    copy<N><<<n, 128>>>(a, b, n);\n", "    copy<N><<<n, t>>>(a, b, n);\n"])
def test_editor_and_command_line_say_the_same(count: int, launch: str) -> None:
    files, settings = MemoryFiles({"a.cu": text(count, launch).encode()}), Settings()
    *_, last = Host().analyse(Asked("a.cu", files, settings))
    told = analyse_file("a.cu", files, settings)
    assert same(whole(last)) == same(told)
    assert any(finding.check == "WC101" for finding in told.findings)
    assert (count > 8) == any(f"of the first 8 of {count}" in finding.message for finding in told.findings)


def test_a_launch_of_another_template_may_say_what_stands_for_an_argument() -> None:
    before = (
        "template <int N> __global__ void one(float *a) { a[N * threadIdx.x] = 0; }\n"
        "template <int N> __global__ void two(float *a) { a[N * threadIdx.x] = 1; }\n"
        "void run(float *a) { one<4><<<1, 64>>>(a); }\n"
    )
    host, settings = Host(), Settings()
    for text in (before, before.replace("<4>", "<8>"), before.replace("one<4><<<1, 64>>>(a);", "")):
        files = MemoryFiles({"a.cu": text.encode()})
        *_, last = host.analyse(Asked("a.cu", files, settings))
        told = analyse_file("a.cu", files, settings)
        assert same(whole(last)) == same(told)
        said = [a.text for k in told.kernels if k.name == "two" for a in k.launches[0].facts.assumptions]
        assert any("as in a launch of `one`" in one for one in said) == ("one<" in text)
