"""Files that are only included are read through the file that includes them."""

from __future__ import annotations

from pathlib import Path

from analysis_core.cli.main import main
from analysis_core.syntax.units import units_of

KERNEL = """__global__ void scale(T *a, int n) {
    int i = blockIdx.x * SIZE + threadIdx.x;
    if (i < n) a[STEP * i] = 0;
}
"""
PROGRAM = """#define SIZE 128
#define STEP 8
typedef float T;
#include "kernel.cu"
int main() { scale<<<10, SIZE>>>(0, 1280); }
"""


def test_the_including_file_is_the_unit() -> None:
    contents = {"p/main.cu": PROGRAM.encode(), "p/kernel.cu": KERNEL.encode(), "p/other.cu": b""}
    assert units_of(contents) == {"p/kernel.cu": ("p/main.cu",)}


def test_chains_lead_to_the_top_and_cycles_end() -> None:
    chain = {"a.cu": b'#include "b.h"\n', "b.h": b'#include "c.cuh"\n', "c.cuh": b""}
    assert units_of(chain) == {"b.h": ("a.cu",), "c.cuh": ("a.cu",)}
    cycle = {"a.cuh": b'#include "b.cuh"\n', "b.cuh": b'#include "a.cuh"\n'}
    assert set(units_of(cycle)) == {"a.cuh", "b.cuh"}


def test_macros_types_and_launches_of_the_unit_are_known(tmp_path: Path, capsys) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "main.cu").write_text(PROGRAM)
    (tmp_path / "kernel.cu").write_text(KERNEL)
    assert main(["check", str(tmp_path / "kernel.cu")]) == 1
    shown = capsys.readouterr().out
    assert "WC101" in shown and "32 sectors per request, ideal 4" in shown
    assert "kernel.cu:3" in shown and "WC900" not in shown and "assuming" not in shown
