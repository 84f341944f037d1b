"""Kernels that no run reaches are told apart without reading what does not count."""

from __future__ import annotations

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.uncalled import quiet_where_uncalled
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from analysis_core.syntax.read.beyond import Beyond

HEADER = b"#define PITCH 32\n"
SOURCE = b"""#include "p.h"
__global__ void k(float *p) { p[PITCH * (blockIdx.x * 256 + threadIdx.x)] = 1; }
void run(float *p) { k<<<64, 256>>>(p); }
int main() { run(0); }
"""


class Counted(MemoryFiles):
    """Files that note which are read."""

    def __init__(self, contents: dict[str, bytes]) -> None:
        super().__init__(contents)
        self.asked: list[str] = []

    def read(self, path: str) -> bytes | None:
        self.asked.append(path)
        return super().read(path)


def quiet(source: bytes) -> tuple[str, list[str]]:
    """The level of the finding, and the files that it took to know."""
    files, settings = Counted({"p.cu": source, "p.h": HEADER}), Settings(bounds=False)
    report = analyse_file("p.cu", MemoryFiles({"p.cu": SOURCE, "p.h": HEADER}), settings, strict=True)
    beyond = Beyond(mentions=())
    (kernel,) = quiet_where_uncalled("p.cu", report.kernels, ("p.cu", "p.h"), beyond, Sources(files), settings)
    return kernel.findings[0].level.value, files.asked


def test_headers_are_not_read_for_kernels_that_run() -> None:
    assert quiet(SOURCE) == ("warning", ["p.cu"])


def test_they_are_for_kernels_that_may_not() -> None:
    assert quiet(SOURCE.replace(b"run(0);", b"       ")) == ("hint", ["p.cu", "p.h"])
