"""Files that are only included are read through the file that includes them."""

from __future__ import annotations

import json
from pathlib import Path

from analysis_core.main import main
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
int main() { scale<<<1000, SIZE>>>(0, 128000); }
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
    assert "WC101" in shown and "32 sectors where 4 would do" in shown
    assert "kernel.cu:3" in shown and "WC900" not in shown and "assuming" not in shown


def test_a_header_is_shown_with_the_launches_of_all_that_include_it(tmp_path: Path, capsys) -> None:  # type: ignore[no-untyped-def]
    """The include is found in a folder that the settings name."""
    for folder, text in (
        ("include/k.cuh", "template <int N> __global__ void k(float *a) { a[threadIdx.x * N] = 0; }\n"),
        ("src/one.cu", "#include <k.cuh>\nvoid one(float *a) { k<2><<<1, 64>>>(a); }\n"),
        ("src/two.cu", '#include "k.cuh"\nvoid two(float *a) { k<8><<<1, 128>>>(a); }\n'),
        ("warpcost.toml", 'include-paths = ["include"]\n'),
    ):
        (tmp_path / folder).parent.mkdir(exist_ok=True)
        (tmp_path / folder).write_text(text)
    main(["check", str(tmp_path), "--format", "json"])
    (header,) = [file for file in json.loads(capsys.readouterr().out)["files"] if file["path"].endswith("k.cuh")]
    shown = {
        (kernel["instantiation"], tuple(launch["block"]))
        for kernel in header["kernels"]
        for launch in kernel["launches"]
    }
    assert shown == {("k<2>", (64, 1, 1)), ("k<8>", (128, 1, 1))}
    main(["check", str(tmp_path)])
    told = [line for line in capsys.readouterr().out.splitlines() if "WC101" in line]
    assert len(told) == 1 and "32 sectors where" in told[0], "the worst of both"


def test_where_the_kernels_of_a_program_are_is_told(tmp_path: Path, capsys) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "main.cu").write_text(PROGRAM)
    (tmp_path / "kernel.cu").write_text(KERNEL)
    program, kernel = str(tmp_path / "main.cu"), str(tmp_path / "kernel.cu")
    assert main(["check", program]) == 0
    told = capsys.readouterr().err
    assert (
        told
        == f"warpcost: {program} defines no kernel; those that it includes are in {kernel}, which can be named, too\n"
    )
    for named in ([program, kernel], [str(tmp_path)]):
        main(["check", *named])
        assert capsys.readouterr().err == ""


def test_headers_between_need_not_hold_kernels(tmp_path: Path, capsys) -> None:  # type: ignore[no-untyped-def]
    for name, text in (
        ("kernels.hpp", KERNEL),
        ("solver.hpp", '#pragma once\n#include "deeper/all.hpp"\nvoid run() { scale<<<10, SIZE>>>(0, 1280); }\n'),
        ("deeper/all.hpp", '#include "../kernels.hpp"\n'),
        (
            "main.cu",
            '#define SIZE 64\n#define STEP 8\ntypedef float T;\n#include "solver.hpp"\nint main() { run(); }\n',
        ),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    main(["check", "--format", "json", str(tmp_path / "kernels.hpp")])
    (header,) = json.loads(capsys.readouterr().out)["files"]
    assert [launch["block"] for launch in header["kernels"][0]["launches"]] == [[64, 1, 1]]
