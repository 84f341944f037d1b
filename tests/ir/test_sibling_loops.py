"""Kernels that a program launches once, before other files of it launch others again and again."""

from __future__ import annotations

import pytest

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

PREPARED = b"""__global__ void fill(float *table, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows)
    for (int k = 0; k < 64; k++) table[i * 64 + k] = k;
}
void prepare(float *table, int rows) { fill<<<rows / 256, 256>>>(table, rows); }
"""
SEARCHED = b"""int more(int *words, int most);
__global__ void compare(const float *table, const int *words, int *found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) found[i] = table[words[i]] > 0;
}
void search(float *table, int *words, int *found, int most) {
  while (true) {
    int n = more(words, most);
    if (n == 0) break;
    int blocks = (n + 255) / 256;
    compare<<<blocks, 256>>>(table, words, found, n);
  }
}
"""
MAIN = b"""void prepare(float *table, int rows);
void search(float *table, int *words, int *found, int most);
int main(int argc, char **argv) {
  float *table;
  int *words, *found, rows = atoi(argv[1]);
  cudaMalloc(&table, rows * 64 * sizeof(float));
  cudaMalloc(&words, rows * sizeof(int));
  cudaMalloc(&found, rows * sizeof(int));
  prepare(table, rows);
  search(table, words, found, rows);
}
"""
PROGRAM = {"p/fill.cu": PREPARED, "p/search.cu": SEARCHED, "p/main.cu": MAIN}


def levels(files: dict[str, bytes]) -> list[str]:
    """How loud the findings of the file are that fills."""
    found = analyse_file("p/fill.cu", MemoryFiles(files), Settings(hints=True), strict=True)
    return [finding.level.value for finding in found.findings]


def edited(path: str, old: bytes, new: bytes) -> dict[str, bytes]:
    """The program with an edit."""
    assert old in PROGRAM[path]
    return {**PROGRAM, path: PROGRAM[path].replace(old, new)}


def test_what_is_filled_once_for_a_loop_elsewhere_is_a_hint() -> None:
    assert levels(PROGRAM) == ["hint"]
    assert levels({"p/fill.cu": PREPARED}) == ["warning"]


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        pytest.param("p/main.cu", b"  prepare(", b"  for (int k = 0; k < rows; k++) prepare(", id="filled again and again"),
        pytest.param("p/main.cu", b"  search(", b"  prepare(table, 2);\n  search(", id="filled at two places"),
        pytest.param("p/main.cu", b"search(table, words, found", b"search(nullptr, words, found", id="something else"),
        pytest.param("p/search.cu", b"while (true)", b"for (int k = 0; k < 4; k++)", id="a few times"),
        pytest.param("p/search.cu", b"n = more(words, most)", b"n = most /= 2", id="ever smaller"),
        pytest.param("p/search.cu", b"compare<<<blocks", b"compare<<<16", id="of one size"),
        pytest.param(
            "p/fill.cu", b"{ fill<<<", b"{ for (int k = 0; k < rows; k++) fill<<<", id="launched in a loop itself"
        ),
    ],
)  # fmt: skip
def test_it_stays_a_warning(path: str, old: bytes, new: bytes) -> None:
    assert levels(edited(path, old, new)) == ["warning"]
