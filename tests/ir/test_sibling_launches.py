"""Kernels that other files of a program launch."""

from __future__ import annotations

import pytest

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.findings.model import FileReport, Level
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

KERNELS = b"""__global__ void turn(float *out, const float *in, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows) out[i * 64] = in[i];
}
"""
MAIN = b"""#define THREADS 64
__global__ void turn(float *, const float *from, int);
int main() {
  float *out, *in;
  cudaMalloc(&out, 8192 * 64 * sizeof(float));
  cudaMalloc(&in, 8192 * sizeof(float));
  turn<<<8192 / THREADS, THREADS>>>(out, in, 8192);
}
"""


def report(files: dict[str, bytes]) -> FileReport:
    return analyse_file("p/turn.cu", MemoryFiles(files), Settings(), strict=True)


def blocks(files: dict[str, bytes]) -> list[tuple[int, int, int]]:
    """The blocks of all launches."""
    return [launch.facts.block for launch in report(files).kernels[0].launches]


def test_the_block_is_that_of_the_launch() -> None:
    found = report({"p/turn.cu": KERNELS, "p/main.cu": MAIN})
    (finding,) = found.findings
    assert finding.level is Level.WARNING and "Assumes" not in finding.message
    facts = found.kernels[0].launches[0].facts
    assert facts.block == (64, 1, 1)
    assert "`turn` is launched in main.cu, as part of the same program" in {a.text for a in facts.assumptions}
    alone = report({"p/turn.cu": KERNELS}).findings
    assert [f.level for f in alone] == [Level.WARNING] and "Assumes block 256" in alone[0].message


def test_what_is_passed_is_known_by_the_names_of_the_kernel() -> None:
    found = report({"p/turn.cu": KERNELS.replace(b"i * 64", b"i * rows"), "p/main.cu": MAIN.replace(b"8192)", b"2)")})
    assert found.findings == ()  # Two rows.


def test_launches_of_the_file_itself_go_before() -> None:
    own = KERNELS + b"void run(float *out, float *in) { turn<<<1, 128>>>(out, in, 100); }\n"
    assert blocks({"p/turn.cu": own, "p/main.cu": MAIN}) == [(128, 1, 1)]


def test_what_only_verifies_here_may_be_used_elsewhere() -> None:
    own = KERNELS + b"void verify(float *out, float *in) { turn<<<4096, 128>>>(out, in, 8192); }\n"
    assert report({"p/turn.cu": own}).findings == ()  # Settings ask for no hints.
    assert [f.level for f in report({"p/turn.cu": own, "p/main.cu": MAIN}).findings] == [Level.WARNING]


def test_several_files_may_launch_it() -> None:
    again = MAIN.replace(b"int main()", b"void again()").replace(b"THREADS 64", b"THREADS 32")
    assert blocks({"p/turn.cu": KERNELS, "p/main.cu": MAIN, "p/more.cu": again}) == [(64, 1, 1), (32, 1, 1)]


@pytest.mark.parametrize(
    "files",
    [
        {"p/turn.cu": KERNELS, "q/main.cu": MAIN},  # another folder
        {"p/turn.cu": KERNELS + b"int main() { return 0; }\n", "p/main.cu": MAIN},  # another program
        {"p/turn.cu": b"static " + KERNELS, "p/main.cu": MAIN},  # a kernel of its own
        {"p/turn.cu": KERNELS, "p/main.cu": KERNELS + MAIN.partition(b"\n")[2]},  # there, too
        {"p/turn.cu": KERNELS, "p/main.cu": MAIN.replace(b"int main() {", b"int main(int, char **a) {\n#define turn other\n")},
    ],
)  # fmt: skip
def test_what_is_of_no_account(files: dict[str, bytes]) -> None:
    assert blocks(files) == [(256, 1, 1)]
