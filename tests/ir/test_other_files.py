"""What the host says in other files of a program: which of them count, and what they hand to a file."""

from __future__ import annotations

import pytest

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

HEADER = b"""#pragma once
void gather(const float *values, float *out, int pitch, int n);
int rounded(int n);
"""
KERNEL = b"""#include "program.h"
__global__ void pick(const float *values, float *out, int pitch, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = values[i * pitch];
}
void gather(const float *values, float *out, int pitch, int n) {
  pick<<<(n + 255) / 256, 256>>>(values, out, pitch, n);
}
"""
ROUNDED = b"""#include "program.h"
int rounded(int n) { return (n + 31) / 32 * 32; }
"""
MAIN = b"""#include <stdlib.h>
#include "program.h"
int main(int argc, char **argv) {
  int n = rounded(atoi(argv[1]));
  float *values = 0, *out = 0;
  gather(values, out, 1, n);
}
"""
WHOLE = {"p/program.h": HEADER, "p/kernel.cu": KERNEL, "p/rounded.cpp": ROUNDED, "p/main.cpp": MAIN}
STRIDED = ["WC101"]


def told(files: dict[str, bytes], path: str = "p/kernel.cu") -> list[str]:
    """The findings of one file among others."""
    return [f.check for f in analyse_file(path, MemoryFiles(files), Settings(hints=True), strict=True).findings]


def without(name: str) -> dict[str, bytes]:
    return {path: data for path, data in WHOLE.items() if path != f"p/{name}"}


def test_what_a_sibling_passes_is_the_pitch() -> None:
    assert told(WHOLE) == []
    assert told(without("main.cpp")) == STRIDED
    assert told({**WHOLE, "p/main.cpp": MAIN.replace(b"out, 1, n", b"out, 8, n")}) == STRIDED


@pytest.mark.parametrize(
    "edit",
    [
        (b"  gather(", b"  gather(out, values, n, n);\n  gather("),
        (b"int main", b"void later(float *values, float *out, int n) { gather(values, out, n, n); }\nint main"),
    ],
)
def test_one_call_that_passes_something_else_is_enough(edit: tuple[bytes, bytes]) -> None:
    assert told({**WHOLE, "p/main.cpp": MAIN.replace(*edit)}) == STRIDED


def test_so_is_one_in_the_file_itself() -> None:
    other = b"void again(float *values, float *out, int n) { gather(values, out, n, n); }\n"
    assert told({**WHOLE, "p/kernel.cu": KERNEL + other}) == STRIDED


def test_another_program_in_the_folder_does_not_count() -> None:
    both = KERNEL + b"int main() { return 0; }\n"
    assert told({**WHOLE, "p/kernel.cu": both}) == STRIDED


def test_files_of_other_folders_do_not_count() -> None:
    assert told({**without("main.cpp"), "q/main.cpp": MAIN.replace(b"program.h", b"../p/program.h")}) == STRIDED


def test_a_header_is_joined_by_the_file_that_includes_it() -> None:
    kernel, _, rest = KERNEL.partition(b"void gather")
    files = {**WHOLE, "p/pick.cuh": kernel, "p/kernel.cu": b'#include "pick.cuh"\nvoid gather' + rest}
    found = analyse_file("p/pick.cuh", MemoryFiles(files), Settings(), units=("p/kernel.cu",), strict=True)
    assert found.findings == () and "p/main.cpp" in found.beside
