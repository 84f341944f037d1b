"""Sizes that programs keep in members of records."""

from __future__ import annotations

import pytest

from analysis_core.pipeline.pipeline import load
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

_KERNEL = b"""#include <cstdlib>
__global__ void turn(float *out, const float *in, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * rows] = in[i];
}
"""
_RECORDS = b"""
struct Grid { int rows, columns; void grow(); };
struct Work { Grid all, part; int steps; };
void touch(Grid *);
void change(Grid &);
"""


@pytest.mark.parametrize(
    ("body", "seen"),
    [
        ("Grid g; g.rows = 512;", 512),
        ("Grid whole, g; whole.rows = 512; whole.columns = 9; g = whole;", 512),
        ("Work w; w.part.rows = 512; Grid g = w.part; touch(&w.part);", 512),
        ("Work w; w.part.rows = 512; touch(&w.all); Grid g = w.part;", 512),
        ("Work w; w.part.rows = 512; touch(&w.part); Grid g = w.part;", None),
        ("Work w; w.part.rows = 512; w.part = w.all; Grid g = w.part;", None),
        ("Work w; Grid x; x.rows = 5; w.part = x; auto g = w.part; g.rows += 1;", None),
        ("Work w; Grid x; x.rows = 5; w.part = x; auto g = w.part;", 5),
        ("Grid g; g.rows = 512; if (argc) g.columns = 5;", 512),
        ("Grid g; g.rows = 512; if (argc) g.rows = 5;", None),
        ("Grid g; g.rows = 512; if (argc) g.rows = 512; else g.rows = 512;", 512),
        ("Grid g; g.rows = 512; while (argc) { g.columns = 5; }", 512),
        ("Grid g; g.rows = 512; while (argc) { g.rows++; }", None),
        ("Grid g; g.rows = 512; g.grow();", None),
        ("Grid g; g.rows = 512; change(g);", None),
        ("Grid g; g.rows = 512; Grid &same = g; same.rows = 4;", None),
        ('Grid g; g.rows = 512; scanf("%d", &g.columns);', 512),
        ("Grid g; Grid *kept = &g; g.rows = 512; kept->rows = 4;", None),
        ("Grid g; Grid *kept; kept = &g; g.rows = 512; kept->rows = 4;", None),
        ("Grid g; const Grid &same = g; g.rows = 512;", 512),
        ("Grid g; g.rows = 512; std::cin >> g.rows;", None),
    ],
)
def test_records_are_followed_member_by_member(body: str, seen: int | None) -> None:
    main = b"int main(int argc, char **argv) { float *p; %s turn<<<4, g.rows>>>(p, p, g.rows); }" % body.encode()
    _, module = load("k.cu", MemoryFiles({"k.cu": _KERNEL + _RECORDS + main}), Settings(), strict=True)
    (site,) = module.kernels[0].launches
    assert [one.most for one in site.arguments.ranges] == ([] if seen is None else [seen])
    assert site.block == (None if seen is None else (seen, 1, 1))


@pytest.mark.parametrize(
    ("body", "shape", "block"),
    [
        ("s.block = dim3(16, 8);", "s.block", (16, 8, 1)),
        ("s.block = dim3(16, 8); s.block.y = 4;", "s.block", (16, 4, 1)),
        ("s.block = dim3(16, 8); dim3 b(s.block);", "b", (16, 8, 1)),
        ("s.block = dim3(16, 8); dim3 b = s.block; Shape t = s; b.x = 2;", "b", (2, 8, 1)),
        ("s.block = dim3(16, 8); Shape t = s;", "t.block", (16, 8, 1)),
        ("s.block = dim3(16, 8); ask(&s);", "s.block", None),
        ("s.block = dim3(16, 8); if (argc) s.block = dim3(8, 8);", "s.block", None),
    ],
)
def test_shapes_in_records(body: str, shape: str, block: tuple[int, int, int] | None) -> None:
    head = b"struct Shape { dim3 grid, block; int n; }; void ask(Shape *);\n"
    main = f"int main(int argc, char **argv) {{ float *p; Shape s; {body} turn<<<4, {shape}>>>(p, p, 1); }}"
    _, module = load("k.cu", MemoryFiles({"k.cu": _KERNEL + head + main.encode()}), Settings(), strict=True)
    assert module.kernels[0].launches[0].block == block
