"""The dump of events: polynomials are spelled so that a reader can check them by hand."""

from __future__ import annotations

import numpy as np
import pytest

from analysis_core.domains.polynomial import Coefficient, add, constant, of_symbol, scale
from analysis_core.domains.shape import IntVector, make_shape
from analysis_core.domains.symbol import Level, SymbolKind, SymbolSource
from analysis_core.interp.core.dump import coefficient_text, polynomial_text
from analysis_core.interp.interpret import interpret
from analysis_core.pipeline.pipeline import load
from analysis_core.profile.kernel_profile import profile_of
from analysis_core.program.launch import choose_launches
from analysis_core.report.spelled import with_texts
from analysis_core.report.trip_names import named_by_line
from analysis_core.requests.evaluate import evaluate
from analysis_core.requests.events_dump import COLUMNS, dump, ranges_text, vector_text
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from analysis_core.text.span import Span


@pytest.mark.parametrize(
    ("coefficient", "text"),
    [
        (7, "7"),
        (np.arange(256, dtype=np.int64) * 4, "[0, 4 .. 1020]"),
        (np.arange(64, dtype=np.int64) % 16, "[0, 1, 2, 3, 4, 5, 6, 7, ..]"),
        (np.array([0, 1], dtype=np.int64), "[0, 1]"),
    ],
)
def test_vectors_are_shown_by_their_step_or_their_start(coefficient: Coefficient, text: str) -> None:
    assert coefficient_text(coefficient) == text


def test_the_constant_comes_last_and_one_is_not_written() -> None:
    source = SymbolSource()
    block = source.fresh("blockIdx.x", Level.BLOCK, SymbolKind.GRID, 0, 100)
    lanes = constant(np.arange(32, dtype=np.int64))
    assert (
        polynomial_text(add(add(lanes, of_symbol(block)), scale(of_symbol(block), 7))) == "8*blockIdx.x + [0, 1 .. 31]"
    )
    assert polynomial_text(of_symbol(block)) == "blockIdx.x"
    assert polynomial_text(constant(0)) == "0"


# --- the whole dump -----------------------------------------------------------------------------------------------

TRANSPOSE = """__global__ void transpose(float *out, const float *in, int w, int h) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < w && y < h)
        out[x*h + y] = in[y*w + x];
}
void go(float *o, float *i, int w, int h) {
    transpose<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(o, i, w, h);
}
"""

REDUCE = """__global__ void sum(float *a) {
    __shared__ float s[64];
    s[threadIdx.x] = a[threadIdx.x];
    for (int d = 1; d < 64; d *= 2)
        if (threadIdx.x % (2 * d) == 0) s[threadIdx.x] += s[threadIdx.x + d];
}
void go(float *a) { sum<<<1, 64>>>(a); }
"""


def dumped(text: str) -> list[str]:
    """The dump of the only launch of the only kernel, as lines; assumptions are left out."""
    files = MemoryFiles({"a.cu": text.encode()})
    sources = Sources(files)
    _, module = load("a.cu", files, Settings(), strict=True)
    (kernel,) = module.kernels
    (launch,) = choose_launches(kernel, Settings())
    events = interpret(kernel, launch, Settings())
    profile = profile_of(kernel, launch, events, evaluate(kernel, launch, events), Settings())
    facts = with_texts(named_by_line(profile, sources.line), sources).facts

    def source(span: Span) -> tuple[str, int, str]:
        line = sources.line(span)
        return span.file, line, sources.index(span.file).line_text(line)

    shown = dump(events, kernel, facts, lambda span: f"a.cu:{sources.line(span)}", source)
    assert shown.endswith("\n") and all(len(line) <= COLUMNS for line in shown.splitlines())
    return [line for line in shown.splitlines() if not line.startswith("  assume")]


def test_rows_at_a_pitch() -> None:
    assert dumped(TRANSPOSE) == [
        "kernel transpose, block 32x8x1, 8 warps",
        "  symbol gridDim.x grid",
        "  symbol gridDim.y grid",
        "  symbol w parameter",
        "  symbol h parameter",
        "in a.cu",
        "    3 |     if (x < w && y < h)",
        "          if (x < w && y < h): boundary, 1 to 31 of 32 threads active; tests 1; splits at most 1",
        "            test      256 lanes: 256 undecided: (32*blockIdx.x - w + threadIdx.x < 0) && (8*blockIdx.y - h +",
        "                      threadIdx.y < 0)",
        "    4 |         out[x*h + y] = in[y*w + x];",
        "          R global in[y * w + x], 4 bytes: worst 5, best 4, ideal 4 sectors; residue; times 1",
        "            address   &in + 128*blockIdx.x + 32*blockIdx.y*w + 4*w*threadIdx.y + 4*threadIdx.x",
        "            lanes     0, 4 .. 124",
        "            residues  w mod 8: 0 -> 4; 1-7 -> 5",
        "            or lanes  0, 4 .. 124  -> 4",
        "            case      4 when w % 8 == 0",
        "          W global out[x * h + y], 4 bytes: worst 32, best 1, ideal 4 sectors; residue; times 1",
        "            address   &out + 128*blockIdx.x*h + 32*blockIdx.y + 4*h*threadIdx.x + 4*threadIdx.y",
        "            lanes     (0, 4 .. 124)*h",
        "            residues  of h modulo 32, rows that share nothing to rows that coincide",
        "            sizes     32 when h >= 8, fewer below, 4 when h == 1",
    ]


def test_executions_that_are_alike_are_counted() -> None:
    lines = dumped(REDUCE)
    loop = lines.index("    4 |     for (int d = 1; d < 64; d *= 2)")
    assert lines[loop + 1 : loop + 4] == [
        "          for (d < 64): never; tests 7; iterations 6",
        "            6 tests   64 lanes: 64 true",
        "            test      64 lanes: 64 false",
    ]
    branch = lines.index("    5 |         if (threadIdx.x % (2 * d) == 0) s[threadIdx.x] += s[threadIdx.x + d];")
    assert lines[branch + 1].startswith(
        "          if (threadIdx.x % (2 * d) == 0): always, 1 to 31 of 32 threads active;"
    )
    assert lines[branch + 2] == "            test      64 lanes: 32 true, 32 false, in 2 of 2 warps both"
    assert "            also      3 other kinds of tests" in lines
    load = next(i for i, line in enumerate(lines) if "R shared s[threadIdx.x + d]" in line)
    assert lines[load + 1 : load + 3] == [
        "            address   &s + 4*threadIdx.x + 4",
        "            lanes     0, 8 .. 120  (lanes 0, 2 .. 30)",
    ]
    assert len(lines) < 50, "six rounds of two warps are not told one by one"


def test_a_loop_of_thousands_of_rounds_is_short() -> None:
    text = "__global__ void k(float *a) { for (int i = 0; i < 1000; i++) a[i * 32 + threadIdx.x] = 0; }"
    lines = dumped(text)
    assert len(lines) < 16
    assert any("1000 tests" in line for line in lines)
    assert any("executed  1000 times in the analysis, 1 kind of requests" in line for line in lines)


def test_lanes_and_ranges_are_spelled_short() -> None:
    def vector(*entries: int) -> IntVector:
        return np.array(entries, dtype=np.int64)

    assert vector_text(vector(0, 4, 8, 12)) == "0, 4 .. 12"
    assert vector_text(vector(0, 0, 0, 64, 64)) == "0 x3, 64 x2"
    assert vector_text(vector(5)) == "5"
    assert ranges_text(vector(0, 1, 2, 5, 7, 8)) == "0-2, 5, 7-8"
    assert ranges_text(vector(1, 3, 5, 7)) == "1, 3 .. 7"


def test_vectors_are_spelled_by_threads_where_the_shape_is_known() -> None:
    shape = make_shape((16, 4, 1))
    x, y, _ = shape.thread
    assert polynomial_text(constant(4 * x - 64 * y + 8), shape) == "4*threadIdx.x - 64*threadIdx.y + 8"
    assert polynomial_text(constant(x * y), shape).startswith("[0, 0, 0,")
