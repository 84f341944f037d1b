"""Whole hover cards, from text to Markdown: the two transposes of the rendering standard, data, loops, headers."""

from __future__ import annotations

import pytest

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.cards import hover
from analysis_core.report.findings.model import FileReport
from analysis_core.report.hover import hover_access
from analysis_core.report.hover_branch import hover_branch
from analysis_core.report.hover_kernel import hover_kernel
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from analysis_core.text.span import Span

NAIVE = """__global__ void transpose(float *out, const float *in, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        out[x*h + y] = in[y*w + x];
}
void go(float *o, float *i, int w, int h) {
    dim3 grid((w + 31) / 32, (h + 7) / 8);
    transpose<<<grid, dim3(32, 8)>>>(o, i, w, h);
}
"""

TILED = """__global__ void transpose(float *out, const float *in, int w, int h) {
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j)*w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        out[(y + j)*h + x] = tile[threadIdx.x][threadIdx.y + j];
}
void go(float *o, float *i, int w, int h) {
    dim3 grid((w + 31) / 32, (h + 31) / 32);
    transpose<<<grid, dim3(32, 8)>>>(o, i, w, h);
}
"""

GATHER = """__global__ void spmv(float *y, const float *v, const int *col, const int *row, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
        sum += v[col[k]];
    if (i % 2)
        atomicAdd(&y[i & 7], sum);
}
void go(float *y, float *v, int *c, int *r, int n) { spmv<<<(n + 127) / 128, 128>>>(y, v, c, r, n); }
"""


def report_of(text: str) -> tuple[FileReport, Sources]:
    files = MemoryFiles({"a.cu": text.encode()})
    return analyse_file("a.cu", files, Settings(), strict=True), Sources(files)


def card(text: str, part: str, occurrence: int = 0) -> str:
    """The card under the first byte of a part of the text."""
    report, sources = report_of(text)
    offset = -1
    for _ in range(occurrence + 1):
        offset = text.index(part, offset + 1)

    def where(span: Span) -> str:
        return f"line {sources.line(span)}"

    found = hover("a.cu", report, Settings(), offset, where)
    assert found is not None
    return found.markdown


def test_the_store_of_the_naive_transpose() -> None:
    assert card(NAIVE, "out[x*h") == (
        "**Each warp touches 32 sectors where 4 would do (8x)** · store to `out`, 32 threads x 4 bytes\n"
        "```text\n"
        "lane     0        8        16       24     31\n"
        "sector   ABCDEFGH IJKLMNOP QRSTUVWX YZabcdef\n"
        "each sector: 4 of 32 bytes used; neighbours are 4*h bytes apart\n"
        "```\n"
        "32 when `h >= 8` · fewer below · 4 when `h == 1`\n"
        "Runs once per warp ·\n"
        "89% of this kernel's global traffic (256 of 288 sectors per block if w = h = 1024)\n"
        "Profiler: `l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum` up to 256 per block (ideal 32)\n"
        "\n"
        "Why: `x` is computed from threadIdx.x (line 2) and is multiplied by `h` (here)\n"
        "Why this level? WC101 warning: certain, and large\n"
        "Assumes: block (32, 8) from line 9 · the standing assumptions\n"
    )


def test_the_guard_of_the_naive_transpose() -> None:
    for place in ("if (x", "x < w &&", "y < h)"):
        assert card(NAIVE, place).startswith(
            "**Splits only at the boundary** · `if (x < w && y < h)`, 1 to 31 of 32 threads active\n"
            "\n"
            "Tested once per warp · "
        )


def test_the_column_of_the_tiled_transpose() -> None:
    assert card(TILED, "tile[threadIdx.x]") == (
        "**32-way bank conflict: each request takes 32 wavefronts where 1 would do (32x)** ·\n"
        "load from `tile`, 32 threads x 4 bytes\n"
        "```text\n"
        "lane     0        8        16       24     31\n"
        "bank     AAAAAAAA AAAAAAAA AAAAAAAA AAAAAAAA\n"
        "all 32 lanes on bank (threadIdx.y + j) % 32\n"
        "32 different words -> 32 wavefronts (ideal 1)\n"
        "```\n"
        "Runs 4 times per warp ·\n"
        "97% of this kernel's shared-memory traffic (1024 of 1056 wavefronts per block)\n"
        "Profiler: `l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum` 1,024 per block (ideal 32)\n"
        "\n"
        "Why: threadIdx.x steps over elements of 128 bytes (here)\n"
        "Why this level? WC201 warning: certain, and large\n"
        "Assumes: block (32, 8) from line 14 · the standing assumptions\n"
    )


def test_the_rows_of_the_tiled_transpose() -> None:
    load, store = card(TILED, "in[(y"), card(TILED, "out[(y")
    assert (
        "4 when `w % 8 == 0` · at most 5 otherwise\nRuns 4 times per warp ·\n50% of this kernel's global traffic"
        in load
    )
    assert "Why: `x` is computed from threadIdx.x (line 3)\n" in load
    assert "Why: `x` is computed from threadIdx.x (line 7)\n" in store, "the assignment that reaches the store"


def test_a_loop_executed_exactly() -> None:
    text = card(TILED, "for (int j")
    assert text.startswith(
        "**All threads exit together** · `for (..; j < 32; ..)`\n\nIterates 4 times per warp\n"
        "Holds 50% of this kernel's global traffic"
    )


def test_a_gather_names_what_was_loaded() -> None:
    text = card(GATHER, "v[col[k]]")
    assert text.startswith(
        "**Each warp touches up to 32 sectors where 4 would do (8x)** · load from `v`, 4 bytes\n\nRuns `T5` times per warp"
    )
    assert "`col[k]` is loaded from memory (line 6)" in text


def test_a_loop_that_data_ends() -> None:
    text = card(GATHER, "k < row[i + 1]")
    assert text.startswith(
        "**Threads may exit at different iterations** · `for (..; k < row[i + 1]; ..)`,\n1 to 31 of 32 threads active\n"
    )
    assert "Iterates `T5` times per warp" in text
    ends = "T5 = iterations of this loop, which depends on `row[i + 1]`, loaded from memory. To cap it, write"
    assert f"{ends} `//@ loop_bound 64`" in text.replace("\n", " ")


def test_a_branch_on_the_parity_of_the_thread() -> None:
    text = card(GATHER, "i % 2")
    assert text.startswith("**Splits the warp** · `if (i % 2)`, ")
    assert "Why: `i` is computed from threadIdx.x (line 2) and is taken modulo 2 (here)\n" in text


def test_atomics_tell_their_contention() -> None:
    text = card(GATHER, "y[i & 7]")
    assert "atomic on `y`, 16 threads x 4 bytes" in text
    assert "\nContention: up to 4 threads of a warp (16 of the block) update one address one after the other\n" in text


def test_chains_of_assignments_are_followed() -> None:
    text = (
        "__global__ void k(float *a, int n) {\n  int tid = threadIdx.x;\n  int row = tid * 4;\n  a[row * n] = 0;\n}\n"
    )
    assert (
        "Why: `row` is computed from `tid` (line 3), `tid` is computed from threadIdx.x (line 2) and is multiplied by 4 (line 3)"
        " and is multiplied by `n` (here)"
    ) in " ".join(card(text, "a[row").split("\n"))


@pytest.mark.parametrize("text", [NAIVE, TILED, GATHER])
def test_every_card_fits(text: str) -> None:
    report, sources = report_of(text)
    for launch in (launch for kernel in report.kernels for launch in kernel.launches):
        cards = [hover_access(a, launch, Settings(), lambda s: str(sources.line(s))) for a in launch.profile.accesses]
        cards += [
            hover_branch(b.fact, launch, Settings(), lambda s: str(sources.line(s))) for b in launch.profile.branches
        ]
        cards += [hover_kernel(k, Settings(), lambda s: str(sources.line(s))) for k in report.kernels]
        for one in cards:
            fenced = one.split("```")
            assert all(len(line) <= 100 for line in one.splitlines())
            assert all(len(line) <= 72 for block in fenced[1::2] for line in block.splitlines())


REPEATED = """__global__ void k(float *a, const float *b, int n) {
    int i = threadIdx.x * n;
    a[i] = b[i];
    a[i + 1] = 1;
    a[i + 2] = 2;
}
"""


def test_the_same_pattern_at_several_lines_is_one_row() -> None:
    report, _ = report_of(REPEATED)
    finding = next(one for one in report.findings if "`a`" in one.message)
    assert [note.message for note in finding.notes if "pattern" in note.message] == ["same pattern at lines 3, 4 and 5"]


PASSED = """__global__ void k(float *a, int w, int h) {
    int i = threadIdx.x;
    if (i < w) a[i * h] = a[i * w];
}
void go(float *a) { k<<<1, 64>>>(a, 514, 16); }
"""


def test_no_case_speaks_that_the_launches_exclude() -> None:
    report, sources = report_of(PASSED)
    card = hover_kernel(report.kernels[0], Settings(), lambda span: str(sources.line(span)))
    shown = card.replace("\n", " ")
    assert "w % 32 == 0" not in shown and "w >= 32" not in shown, (
        "514 is no multiple of 32, and says that it is no less"
    )


def test_an_if_by_which_threads_leave_a_loop_says_so() -> None:
    text = """__global__ void k(float *a, const int *p, float *b) {
    float sum = 0;
    for (int i = 0; i < 512; i++) {
        sum += a[i] * a[i + 1] * a[i + 2];
        if (p[512 * threadIdx.x + i] > 3) break;
    }
    b[threadIdx.x] = sum;
}
void run(float *a, int *p, float *b) { k<<<1, 256>>>(a, p, b); }
"""
    assert card(text, "if (p[").startswith("**Threads may exit at different iterations** · `if (")


def test_a_race_is_said_on_the_card_of_its_place() -> None:
    text = """__global__ void k(float *a, int n) {
    __shared__ float s[256];
    s[threadIdx.x] = a[threadIdx.x];
    a[threadIdx.x] = s[255 - threadIdx.x];
}
void run(float *a, int n) { k<<<1, 256>>>(a, n); }
"""
    said = card(text, "s[threadIdx.x]")
    assert said.startswith("**Data race on `s`: `s[threadIdx.x]` is written here while another thread reads")
    assert "seen in a simulated run" in said and "**No bank conflict" in said
