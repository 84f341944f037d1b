"""What the host says in other files of a program: arrays that siblings of a file leave or hand on in order."""

from __future__ import annotations

import pytest

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

HEADER = b"""#pragma once
void gather(const int *rows, const float *values, float *out, int n);
int choose(const int *flags, int *rows, int n);
void shuffle(int *rows, int n);
"""
KERNEL = b"""#include "program.h"
__global__ void pick(const int *rows, const float *values, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = values[rows[i]];
}
void gather(const int *rows, const float *values, float *out, int n) {
  int *places;
  cudaMalloc(&places, n * sizeof(int));
  cudaMemcpy(places, rows, n * sizeof(int), cudaMemcpyHostToDevice);
  pick<<<(n + 255) / 256, 256>>>(places, values, out, n);
  cudaFree(places);
}
"""
CHOOSE = b"""#include "program.h"
int choose(const int *flags, int *rows, int n) {
  int chosen = 0;
  for (int i = 0; i < n; i++) {
    if (flags[i]) rows[chosen++] = i;
  }
  return chosen;
}
"""
SHUFFLE = b"""#include <stdlib.h>
#include "program.h"
void shuffle(int *rows, int n) {
  for (int i = 0; i < n; i++) {
    int other = rand() % n, mine = rows[i];
    rows[i] = rows[other];
    rows[other] = mine;
  }
}
"""
MAIN = b"""#include <stdlib.h>
#include "program.h"
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  int *flags = (int *)malloc(n * sizeof(int)), *rows = (int *)malloc(n * sizeof(int));
  float *values = 0, *out = 0;
  for (int i = 0; i < n; i++) flags[i] = rand() % 3 == 0;
  int chosen = choose(flags, rows, n);
  gather(rows, values, out, chosen);
}
"""
WHOLE = {
    "p/program.h": HEADER,
    "p/kernel.cu": KERNEL,
    "p/choose.cpp": CHOOSE,
    "p/shuffle.cpp": SHUFFLE,
    "p/main.cpp": MAIN,
}
GATHER = ["WC101"]


def told(files: dict[str, bytes], path: str = "p/kernel.cu") -> list[str]:
    """The findings of one file among others."""
    return [f.check for f in analyse_file(path, MemoryFiles(files), Settings(hints=True), strict=True).findings]


def without(name: str) -> dict[str, bytes]:
    return {path: data for path, data in WHOLE.items() if path != f"p/{name}"}


def test_what_a_sibling_hands_on_in_order_scatters_nothing() -> None:
    assert told(WHOLE) == []


@pytest.mark.parametrize("missing", ["main.cpp", "choose.cpp"])
def test_nothing_is_known_without_one_of_them(missing: str) -> None:
    assert told(without(missing)) == GATHER


@pytest.mark.parametrize(
    "edit",
    [
        (b"  gather(rows, values", b"  shuffle(rows, chosen);\n  gather(rows, values"),
        (b"  gather(rows, values, out, chosen);\n", b"  gather(rows, values, out, chosen);\n  gather(flags, values, out, n);\n"),
        (b"int main", b"void later(int *rows, float *values, float *out, int n) { gather(rows, values, out, n); }\nint main"),
    ],
)  # fmt: skip
def test_one_call_that_hands_on_something_else_is_enough(edit: tuple[bytes, bytes]) -> None:
    assert told({**WHOLE, "p/main.cpp": MAIN.replace(*edit)}) == GATHER


def test_so_is_one_in_the_file_itself() -> None:
    other = b"void again(int *rows, float *values, float *out, int n) { gather(rows, values, out, n); }\n"
    assert told({**WHOLE, "p/kernel.cu": KERNEL + other}) == GATHER


def test_a_helper_counts_where_the_launch_is_beside_its_call() -> None:
    program = MAIN.replace(
        b"gather(rows, values, out, chosen);", b"pick<<<(n + 255) / 256, 256>>>(rows, values, out, chosen);"
    )
    kernel = KERNEL[: KERNEL.index(b"void gather")] + program.partition(b"\n")[2].partition(b"\n")[2]
    assert told({**without("main.cpp"), "p/kernel.cu": kernel}) == []
    assert told({"p/program.h": HEADER, "p/kernel.cu": kernel}) == GATHER


def test_what_two_files_define_is_nobodys() -> None:
    other = CHOOSE.replace(b"rows[chosen++] = i", b"rows[chosen++] = flags[i]")
    assert told({**WHOLE, "p/choose_otherwise.cpp": other}) == GATHER


def test_another_program_in_the_folder_does_not_count() -> None:
    both = KERNEL + b"int main() { return 0; }\n"
    assert told({**WHOLE, "p/kernel.cu": both}) == GATHER


def test_files_of_other_folders_do_not_count() -> None:
    assert told({**without("main.cpp"), "q/main.cpp": MAIN.replace(b"program.h", b"../p/program.h")}) == GATHER


def test_a_header_is_joined_by_the_file_that_includes_it() -> None:
    kernel, _, rest = KERNEL.partition(b"void gather")
    files = {**WHOLE, "p/pick.cuh": kernel, "p/kernel.cu": b'#include "pick.cuh"\nvoid gather' + rest}
    found = analyse_file("p/pick.cuh", MemoryFiles(files), Settings(), units=("p/kernel.cu",), strict=True)
    assert found.findings == () and "p/main.cpp" in found.beside
