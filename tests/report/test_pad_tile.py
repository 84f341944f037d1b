"""Padded tiles: what is offered and with which title, what is refused and why; what is offered keeps the results.

The other side of every offer is the simulator: the kernel before and after the edit computes the same numbers, and pays
no more wavefronts anywhere.
"""

from __future__ import annotations

import numpy as np
import pytest

from analysis_core.pipeline.pipeline import analyse_file, load
from analysis_core.report.findings.model import FileReport, Fix
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.simulate.running import run

FRAME = """constexpr int TILE = 32;
template <typename T> __device__ T total(const T *p) {{ return p[0]; }}
{before}
__global__ void k(float *out, const float *in, int n) {{
    {declaration};
    int tx = threadIdx.x, ty = threadIdx.y;
{body}
}}
void run(float *a, float *b, int n) {{ k<<<1, dim3({block})>>>(a, b, n); }}
"""

COPY_IN = "tile[ty][tx] = in[ty * 32 + tx]; __syncthreads(); "
TURN = COPY_IN + "out[ty * 32 + tx] = tile[tx][ty];"


def text(
    body: str, declaration: str = "__shared__ float tile[32][32]", block: str = "32, 32", before: str = ""
) -> bytes:
    return FRAME.format(declaration=declaration, body=body, block=block, before=before).encode()


def analysed(data: bytes) -> FileReport:
    return analyse_file("a.cu", MemoryFiles({"a.cu": data}), Settings(), strict=True, fixes=True)


def fix_of(data: bytes) -> Fix | None:
    """The fix of the only finding about a bank conflict."""
    (finding,) = [f for f in analysed(data).findings if f.check == "WC201"]
    assert len(finding.fixes) <= 1
    return finding.fixes[0] if finding.fixes else None


def applied(data: bytes, fix: Fix) -> bytes:
    (edit,) = fix.edits
    return data[: edit.span.start] + edit.text.encode() + data[edit.span.end :]


@pytest.mark.parametrize(
    ("data", "title", "after"),
    [
        (text(TURN), "Pad `tile` to [32][33]: 32-way bank conflict -> none", "tile[32][33]"),
        (text(TURN, "__shared__ float tile[TILE][TILE]"), "Pad `tile` to [32][33]: 32-way", "tile[TILE][TILE + 1]"),
        (text(TURN, "__shared__ float tile[TILE][1 << 5]"), "Pad `tile` to [32][33]: 32-way", "[(1 << 5) + 1]"),
        (
            text(TURN, "__shared__ float tile[32] [ 32 ] , other[4]"),
            "Pad `tile` to [32][33]: 32-way",
            "tile[32] [ 33 ] , other",
        ),
        (
            text(COPY_IN + "for (int j = 0; j < 32; j++) out[ty * 32 + tx] += tile[tx][j];"),
            "Pad `tile` to [32][33]: 32-way bank conflict -> none",
            "tile[32][33]",
        ),
        (
            text(COPY_IN + "if (tx < 31) out[ty * 32 + tx] = tile[tx][ty] + tile[ty][tx + 1];"),
            "Pad `tile` to [32][33]",
            "tile[32][33]",
        ),
        (
            text("tile[ty][tx] = 2; __syncthreads(); atomicAdd(&tile[tx][ty], 1.0f); __syncthreads(); out[ty * 32 + tx] = tile[ty][tx];"),
            "Pad `tile` to [32][33]",
            "tile[32][33]",
        ),
        (
            text(TURN.replace("];", "].x;").replace("= in", ".x = in").replace("in[ty * 32 + tx].x", "in[ty * 32 + tx]"),
                 "__shared__ float2 tile[32][32]"),
            "Pad `tile` to [32][33]",
            "tile[32][33]",
        ),
        (
            text("tile[ty][tx] = 1; __syncthreads(); out[ty * 32 + tx] = tile[tx][ty];",
                 "__shared__ unsigned char tile[32][32]"),
            "Pad `tile` to [32][36]: 8-way bank conflict -> none",
            "tile[32][36]",
        ),
        (text(TURN, "__shared__ double tile[32][32]"), "Pad `tile` to [32][33]: 32 wavefronts per request -> 2", "[33]"),
        (
            text(TURN + " out[1024 + tx] = tile[tx][tx];"),
            "Pad `tile` to [32][34]: 32-way bank conflict -> 2-way",
            "tile[32][34]",
        ),
        (
            text("// tile is turned, \"tile\"\n" + TURN + " /* tile */"),
            "Pad `tile` to [32][33]",
            "tile[32][33]",
        ),
    ],
)  # fmt: skip
def test_what_is_offered(data: bytes, title: str, after: str) -> None:
    fix = fix_of(data)
    assert fix is not None and fix.title.startswith(title)
    new = applied(data, fix)
    assert after.encode() in new
    left = [f for f in analysed(new).findings if f.check == "WC201"]
    assert left == [] or "-> none" not in fix.title
    same_results(data, new)


def same_results(data: bytes, new: bytes) -> None:
    """Both texts compute the same, and no access costs more wavefronts in the second."""
    outcomes = []
    for source in (data, new):
        _, module = load("a.cu", MemoryFiles({"a.cu": source}), Settings(), strict=True)
        kernel = next(k for k in module.kernels if k.name == "k")
        numbers = np.random.default_rng(5).integers(1, 1000, 2048).astype(np.float32)
        outcome = run(kernel, (32, 32), 1, {"in": numbers, "out": np.zeros(2048, np.float32), "n": 3})
        assert not outcome.faults, outcome.faults
        outcomes.append(outcome)
    np.testing.assert_array_equal(outcomes[0].arrays["out"], outcomes[1].arrays["out"])
    for old, changed in zip(outcomes[0].accesses, outcomes[1].accesses, strict=True):
        assert changed.cost.total <= old.cost.total


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (text(TURN + " float *p = tile[3]; out[0] = p[tx];"), "its address is passed on"),
        (text(TURN + " out[0] = total(tile[3]);"), "its address is passed on"),
        (text(TURN + " out[0] = total(&tile[0][0]);"), "its address is passed on"),
        (text(TURN + " out[0] = ((float *)tile)[tx];"), "its address is passed on"),
        (text(TURN + " out[0] = sizeof(tile);"), "its name also stands elsewhere"),
        (text(TURN + " out[0] = COUNT(tile);", before="#define COUNT(a) (sizeof(a) / sizeof(a[0]))"), "stands elsewhere"),
        (text(TURN.replace("tile[tx][ty]", "AT(tx, ty)"), before="#define AT(i, j) tile[i][j]"), "stands elsewhere"),
        (text(TURN + "\n#ifdef FLAT\n use(tile);\n#endif\n"), "its name also stands elsewhere"),
        (text(TURN + " out[1] = tile[0][32 * ty + tx];"), "not proved to stay in their rows"),
        (text(TURN + " out[1] = tile[ty][tx + 1];"), "not proved to stay in their rows"),
        (text(TURN + " out[1] = tile[ty][n];"), "not proved to stay in their rows"),
        (text(TURN + " out[1] = tile[1][-1];"), "not proved to stay in their rows"),
        (text(TURN + " out[1] = tile[ty][(unsigned)tx - 1];"), "not proved to stay in their rows"),
        (text(TURN + " asm(\"nop;\");"), "a part of the kernel is not analysed"),
        (text(TURN + " more[tx] = 1;", "__shared__ float tile[32][32]; extern __shared__ float more[]"), "dynamic"),
        (text(TURN, "__shared__ float tile[32][32], rest[11264]"), "more than 48 KB"),
                (text("tile[ty][4 * tx] = 1;", "__shared__ float tile[8][128]", "32, 8"), "it would gain nothing"),
        (text("tile[ty][tx] = 1; __syncthreads(); out[tx] = tile[tx][ty];", "__shared__ float tile[16][16]", "16, 16"),
         "`tile[ty][tx]` would be dearer"),
    ],
)  # fmt: skip
def test_what_is_refused_with_its_reason(data: bytes, reason: str) -> None:
    found = [f for f in analysed(data).findings if f.check == "WC201"]
    assert found and not any(f.fixes for f in found)
    notes = [note.message for f in found for note in f.notes if "padding" in note.message]
    assert notes and all(note.startswith("no padding of `tile` is offered: ") for note in notes)
    assert reason in notes[0]


def test_other_arrays_have_neither_fix_nor_remark() -> None:
    flat = text("tile[32 * tx % 1024] = in[tx];", "__shared__ float tile[1024]")
    (finding,) = [f for f in analysed(flat).findings if f.check == "WC201"]
    assert finding.fixes == () and not any("padding" in note.message for note in finding.notes)


def test_every_instantiation_has_to_gain_and_to_stay_in_its_rows() -> None:
    source = b"""
template <typename T> __global__ void k(T *out, const T *in) {
    __shared__ T tile[32][32];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void run(float *a, float *b, int *c, int *d) { k<float><<<1, dim3(32, 32)>>>(a, b); k<int><<<1, dim3(32, 8)>>>(c, d); }
"""
    (finding,) = [f for f in analysed(source).findings if f.check == "WC201"]
    assert [fix.title for fix in finding.fixes] == ["Pad `tile` to [32][33]: 32-way bank conflict -> none"]
    assert b"tile[32][33]" in applied(source, finding.fixes[0])
    wider = source.replace(b"k<int><<<1, dim3(32, 8)>>>", b"k<int><<<1, dim3(64, 8)>>>")
    (finding,) = [f for f in analysed(wider).findings if f.check == "WC201"]
    assert finding.fixes == ()


def test_an_assumed_block_is_named_in_the_title() -> None:
    data = text(TURN).replace(b"void run(float *a, float *b, int n) { k<<<1, dim3(32, 32)>>>(a, b, n); }", b"")
    fix = fix_of(data)
    assert fix is not None and fix.title.endswith("; assumes block 32x32")


def test_a_file_with_many_tiles_ends() -> None:
    kernels = b"".join(
        text(TURN)
        .replace(b" k(", b" k%d(" % i)
        .replace(b"k<<<", b"k%d<<<" % i)
        .replace(b"total", b"total%d" % i)
        .replace(b" TILE", b" TILE%d" % i)
        .replace(b"run", b"run%d" % i)
        for i in range(20)
    )
    found = [f for f in analysed(kernels).findings if f.check == "WC201"]
    assert [len(f.fixes) for f in found] == [1] * 16 + [0] * 4
    assert "too many edits were tried in this file" in found[-1].notes[-1].message
