"""A kernel that stands in text which is not read is said to be missing: a list of kernels that is too short is no clean file."""

from __future__ import annotations

import pytest

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings


def kernel(name: str) -> str:
    return f"__global__ void {name}(float *a) {{ a[threadIdx.x] = 1; }}\n"


LOST = {
    "a line that is too long": "{};" * 100_000 + " ",
    "an include without its closing quote": '#include "tiles.h ',
    "a string without its end": 'const char *name = "tile ',
    "a comment without its end": "/* ",
    "a conditional without its end": "#ifdef TILES\n",
}


@pytest.mark.parametrize("before", LOST.values(), ids=LOST)
def test_the_next_kernel_is_said_to_be_missing(before: str) -> None:
    text = kernel("first") + before + kernel("lost")
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(bounds=False), strict=True)
    assert [k.name for k in report.kernels] == ["first"]
    (finding,) = [f for f in report.findings if f.check == "WC900"]
    assert finding.span.start == text.index("__global__", 10)
    assert finding.message.startswith("kernel not analysed: ")


def test_text_that_is_left_out_on_purpose_is_not_missed() -> None:
    text = "#if 0\n" + kernel("off") + "#endif\n// __global__ void comment()\n" + kernel("on") + "int broken = ;\n"
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(bounds=False), strict=True)
    assert [f.message for f in report.findings if "kernel not analysed" in f.message] == []
