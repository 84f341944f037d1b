"""A body that is read again where it has changed reads as it would as a whole: after random edits of a function with all that
depends on what stands around it."""

from __future__ import annotations

import random
import re

import pytest

from analysis_core.incremental.layout import layout_of
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.store import Store
from analysis_core.syntax.edit.items import FUNCTIONS
from analysis_core.syntax.parse import parse_unit

SEQUENCES = 12  # in each batch

TEXT = """\
#define CLAMP(x, lo, hi) ((x) < (lo) ? (lo) : (x))
#define TWO a[0] = 1; a[1] = 2;
#define BEGIN if (n) {
#define END }
typedef int size;
struct Pair { int x, y; };
template <int N> __device__ int many(int k) { return N * k; }

__global__ void mixed(float *a, const int *index, int n) {
    __shared__ float tile[32][33];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    size rows = n / 4, *where;
    if (i >= n) return;
    if (i < 4) a[i] = 1; else a[i] = 2;
    if (i < 4)
        a[i] = 3;
    else if (i < 8) {
        a[i] = 4;
    } else
        a[i] = 5;
    TWO
    BEGIN a[2] = 3; END
    ;
    do { a[i] += 1; } while (a[i] < n);
    while (i < n) i += 32;
    #pragma unroll 4
    for (int k = 0; k < 8; k++)
        a[k] = CLAMP(a[k], 0.0f, 3.0f);
    Pair p = {1, 2};
    p.x = (rows) * (n) + many<3>(i);
    a[p.x] = (float)(i) - (size)p.y;
    rows * where;
    switch (n) { case 1: a[0] = 1; break; default: a[1] = 2; }
    { int j = i; a[j] = tile[j & 31][0]; }
    auto f = [=](int q) { return q * 2; };
    a[f(3)] = n > 3 && i < 5 ? 1 : 2;
    unsigned long long big = 1ull << 33;
    asm("mov.u32 %0, %1;" : "=r"(i) : "r"(n));
    __syncthreads();
    a[i] = big > 3 ? index[i] : 0;
}

void run(float *a, int *b) { mixed<<<1, 32>>>(a, b, 7); }
"""

_WORDS = (
    "rows",
    "where",
    "i",
    "n",
    "size",
    "a[i] = 1;",
    "else",
    "{",
    "}",
    ";",
    "(",
    "* p",
    "int q = 1;",
    "// x",
    "3",
    "if (n)",
    "do",
)


def changed(draw: random.Random, text: str) -> str:
    """A word less, a word more, another word, a line twice or gone."""
    lines = text.split("\n")
    first = lines.index("__global__ void mixed(float *a, const int *index, int n) {") + 1
    number = draw.randrange(first, len(lines) - 4)
    line = lines[number]
    pieces = re.findall(r"\w+|\s+|[^\w\s]", line)
    kind = draw.randrange(6)
    if kind == 0:
        lines.insert(number, line)
    elif kind == 1:
        del lines[number]
    elif kind == 2:
        lines.insert(number, "    " + draw.choice(_WORDS))
    elif pieces:
        at = draw.randrange(len(pieces))
        pieces[at : at + (kind != 3)] = [] if kind == 4 else [draw.choice(_WORDS) + " "]
        lines[number] = "".join(pieces)
    return "\n".join(lines)


@pytest.mark.parametrize("batch", range(4))
def test_bodies_read_by_statement_read_as_wholes_do(batch: int) -> None:
    settings, reread = Settings(), 0
    for seed in range(batch * SEQUENCES, (batch + 1) * SEQUENCES):
        draw, store, text = random.Random(seed), Store(long=1), TEXT
        good = None
        for _ in range(5):
            # Laid out, so that statements behind an edit stand where they stood.
            layout = layout_of("a.cu", text.encode(), 0, store)
            assert layout is not None
            files = MemoryFiles({"a.cu": layout.padded})
            mine = parse_unit("a.cu", files, settings, good, store)
            whole = parse_unit("a.cu", files, settings, good)
            assert mine.tree == whole.tree, (seed, text)
            assert mine.sound == whole.sound
            if not whole.tree.problems:
                good = layout.padded
            text = changed(draw, text if draw.random() < 0.7 else TEXT)
        reread += store.count(FUNCTIONS).hits
    assert reread > SEQUENCES
