"""Files that include themselves without end are read once, as if they were guarded; one that is read more often on purpose is."""

from __future__ import annotations

import pytest

from analysis_core.pipeline.pipeline import analyse_file, load
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.syntax.lex.preprocessor import preprocess

KERNEL = "__global__ void k(float *a) { a[8 * threadIdx.x] = f(1); }\nvoid run(float *a) { k<<<4, 256>>>(a); }\n"
FUNCTION = "__device__ int f(int x) { return x; }\n"


def kernels(files: dict[str, str], main: str = "a.cu", units: tuple[str, ...] = ()) -> list[str]:
    contents = MemoryFiles({path: text.encode() for path, text in files.items()})
    return [kernel.name for kernel in load(main, contents, Settings(), units=units)[1].kernels]


@pytest.mark.parametrize(
    "files",
    [
        {"a.cu": '#include "a.cu"\n' + FUNCTION + KERNEL},
        {"a.cu": FUNCTION + KERNEL + '#include "a.cu"\n'},
        {"a.cu": '#include "x.h"\n' + KERNEL, "x.h": '#include "y.h"\n' + FUNCTION, "y.h": '#include "x.h"\n'},
        {"a.cu": '#include "x.h"\n' + FUNCTION + KERNEL, "x.h": '#include "a.cu"\n'},
        {"a.cu": '#include "x.h"\n#include "y.h"\n' + KERNEL, "x.h": '#include "x.h"\n' + FUNCTION, "y.h": '#include "y.h"\n'},
        {"a.cu": '#define E(x) #x\n#include E(a.cu)\n' + FUNCTION + KERNEL},
    ],
)  # fmt: skip
def test_a_file_that_includes_itself_without_end_is_read_once(files: dict[str, str]) -> None:
    contents = MemoryFiles({path: text.encode() for path, text in files.items()})
    made = preprocess("a.cu", contents, Settings())
    assert [token.text for token in made.tokens].count("return") == 1
    report = analyse_file("a.cu", contents, Settings(), strict=True)
    assert [kernel.name for kernel in report.kernels] == ["k"]
    assert [finding.check for finding in report.kernels[0].findings] == ["WC101"]


def test_a_file_that_counts_down_is_included_as_often_as_it_asks() -> None:
    steps = "".join(f"#elif N == {n}\n#undef N\n#define N {n - 1}\n" for n in range(150, 0, -1))
    text = "#ifndef N\n#define N 150\n" + steps + '#endif\n#if N > 0\nint x;\n#include "a.cu"\n#endif\n'
    made = preprocess("a.cu", MemoryFiles({"a.cu": text.encode()}), Settings())
    assert [token.text for token in made.tokens].count("x") == 150


def test_a_text_is_a_kernel_for_each_name_and_list_of_types() -> None:
    body = "__global__ void NAME(T *a) { a[threadIdx.x] = 0; }\n"
    again = '#include "k.inc"\n'
    unit = (
        f"#define NAME one\n#define T int\n{again}{again}#undef T\n#define T float\n{again}#undef NAME\n#define NAME two\n"
        f"{again}namespace n {{\n{again}{again}}}\n"  # where a kernel that is the same is no other
    )
    assert kernels({"a.cu": unit, "k.inc": body}, "k.inc", ("a.cu",)) == ["one", "one", "two"]


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("#if 0\n" + FUNCTION, "h.h: #if without #endif"),
        ("//" + "x" * 4_000_000 + "\n" + FUNCTION, "h.h has 4000041 bytes"),
        ("int x" + " + 1" * 60_000 + ";" + FUNCTION, "h.h: a line of 2400"),
        ('#include "g.h\n', "h.h: unterminated"),
    ],
)
def test_what_is_left_out_of_a_header_is_said_where_that_is_missing(header: str, said: str) -> None:
    files = MemoryFiles({"a.cu": ('#include "inc/h.h"\n' + KERNEL).encode(), "inc/h.h": header.encode()})
    (kernel,) = analyse_file("a.cu", files, Settings(), strict=True).kernels
    (found,) = [finding for finding in kernel.findings if finding.check == "WC900"]
    assert f"the function 'f' is not declared here (not all is read: {said}" in found.message
    files = MemoryFiles({"a.cu": (f'#include "inc/h.h"\n{FUNCTION}' + KERNEL).encode(), "inc/h.h": header.encode()})
    (kernel,) = analyse_file("a.cu", files, Settings(), strict=True).kernels
    assert [finding.check for finding in kernel.findings] == ["WC101"]
