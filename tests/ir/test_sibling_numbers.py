"""Numbers that other files of a program hand to the functions that launch."""

from __future__ import annotations

import pytest

from analysis_core.pipeline.pipeline import load
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

KERNEL = b"""__global__ void turn(float *out, const float *in, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * rows] = in[i];
}
void run(float *out, const float *in, int rows) { turn<<<64, 128>>>(out, in, rows); }
"""
MAIN = b"""void run(float *out, const float *in, int rows);
int rows = 512;
const int columns = 16;
int main() {
  float *out = 0, *in = 0;
  run(out, in, rows / columns);
}
"""


def size(files: dict[str, bytes], path: str = "p/turn.cu") -> int | None:
    """What is seen of the parameter."""
    _, module = load(path, MemoryFiles(files), Settings(), strict=True)
    (site,) = module.kernels[0].launches
    return next((one.most for one in site.arguments.ranges if one.name == "rows" and one.least == one.most), None)


def test_what_the_caller_passes_is_the_size() -> None:
    assert size({"p/turn.cu": KERNEL, "p/main.cpp": MAIN}) == 32
    assert size({"p/turn.cu": KERNEL}) is None


LONG = b"".join(b"  if (argc > %d) rows = 7;\n" % n for n in range(20))


@pytest.mark.parametrize(
    "main",
    [
        MAIN.replace(b"int main() {", b"int main() {\n  rows = 100;"),
        MAIN.replace(b"int main", b"void resize(int argc) {\n" + LONG + b"}\nint main"),  # a body that nobody reads
        MAIN.replace(b"int main", b"void again(float *a) { run(a, a, 5); }\nint main"),
    ],
)
def test_what_may_be_several_is_unknown(main: bytes) -> None:
    assert size({"p/turn.cu": KERNEL, "p/main.cpp": main}) is None


def test_a_file_that_does_not_mention_the_function_calls_it_nowhere() -> None:
    header = b"void run(float *out, const float *in, int rows);\nint doubled(int n);\n"
    helper = b'#include "all.h"\nint doubled(int n) { return 2 * n; }\n'
    kernel = b'#include "all.h"\n' + KERNEL
    files = {"p/all.h": header, "p/turn.cu": kernel, "p/main.cpp": MAIN, "p/helper.cpp": helper}
    assert size(files) == 32


def test_callers_of_several_files_have_to_agree() -> None:
    other = b"void run(float *out, const float *in, int rows);\nvoid other(float *a, int n) { run(a, a, %s); }\n"
    files = {"p/turn.cu": KERNEL, "p/main.cpp": MAIN}
    assert size({**files, "p/other.cpp": other % b"32"}) == 32
    assert size({**files, "p/other.cpp": other % b"n"}) is None
    assert size({**files, "p/other.cpp": other % b"8"}) is None
    assert size({**files, "p/turn.cu": KERNEL + b"void own(float *a) { run(a, a, 32); }\n"}) == 32
    assert size({**files, "p/turn.cu": KERNEL + b"void own(float *a) { run(a, a, 64); }\n"}) is None


def test_calls_of_calls() -> None:
    between = b"""void run(float *out, const float *in, int rows);
void between(float *a, int n) { run(a, a, n + 1); }
int main() { between(0, 40); }
"""
    assert size({"p/turn.cu": KERNEL, "p/main.cpp": between}) == 41


def test_what_one_file_calls_a_constant_is_its_own() -> None:
    other = (
        MAIN.replace(b"16", b"64")
        .replace(b"int main()", b"void other()")
        .replace(b"int rows = 512", b"static int rows = 2048")
    )
    assert size({"p/turn.cu": KERNEL, "p/main.cpp": MAIN, "p/other.cpp": other}) == 32


def callers(*numbers: str) -> dict[str, bytes]:
    """More files than are read, each of which calls the function once."""
    call = "void run(float *out, const float *in, int rows);\nvoid layer{0}(float *p) {{ run(p, p, {1}); }}\n"
    return {f"p/layer{n}.c": call.format(n, number).encode() for n, number in enumerate(numbers)}


def test_many_callers_are_asked_by_their_texts() -> None:
    assert size({"p/turn.cu": KERNEL, **callers(*["1"] * 9)}) == 1
    assert size({"p/turn.cu": KERNEL, **callers(*["1"] * 8, "2")}) is None
    assert size({"p/turn.cu": KERNEL, **callers(*["1"] * 8, "n")}) is None
    others = {f"q{n}.cu": KERNEL.replace(b"turn", b"turn%d" % n) for n in range(9)}  # each a program of its own
    own = KERNEL + b"int main() { run(0, 0, 4); }"
    assert size({"p/turn.cu": own, **{f"p/{name}": text for name, text in others.items()}}) == 4
