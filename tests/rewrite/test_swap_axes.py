"""Threads whose axes are swapped, with their launches: run before and after with blocks turned round; and what is refused, with the reason."""

from __future__ import annotations

import numpy as np
import pytest

from analysis_core.program.launch import Launch
from analysis_core.rewrite.actions.swap_axes import ACTION as SWAP_AXES
from tests.rewrite.memory import Shape, after, reason, run, sites_of, unit_of

ADD = """__global__ void k(float *c, const float *a, int w, int h) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < h && col < w) c[row * w + col] = a[row * w + col] * 2;
}
"""

PLAIN = (
    ADD
    + "void host(float *c, float *a, int w, int h) { k<<<dim3((h + 15) / 16, (w + 7) / 8), dim3(16, 8)>>>(c, a, w, h); }\n"
)

VARIABLES = (
    ADD
    + """void host(float *c, float *a, int w, int h) {
    dim3 block(16, 8);
    dim3 grid((h + block.x - 1) / block.x, (w + block.y - 1) / block.y);
    k<<<grid, block>>>(c, a, w, h); // all of it
    k<<<grid, dim3{16, 8}>>>(c, c, w, h);
}
"""
)

STATED = """//@ launch block=(8,32) grid=(h/8, w/32)
//@ assume w % 32 == 0 && h % 8 == 0
//@ assume gridDim.x >= 1
__global__ void k(int *c, const int *a, int w, int h) {
\tint at = (blockIdx.x * 8 + threadIdx.x) * w + blockIdx.y * 32 + threadIdx.y;
\t//@ assert blockIdx.y >= 0
\tc[at] = a[at] - gridDim.x;
}
"""

FLAT = """template <typename T>
__global__ void k(T *c, int w) {
    for (int turn = 0; turn < 3; turn++)
        c[(turn * 8 + threadIdx.x) * w + threadIdx.y] = turn + threadIdx.z;
}
void host(double *c, int w) { k<double><<<4, dim3(8, 16)>>>(c, w); }
"""

LINES = PLAIN.replace("\n", "\r\n")

DEVICE = """__device__ float twice(float v) { return v + v; }
""" + PLAIN.replace("a[row * w + col] * 2", "twice(a[row * w + col])")

APPLY: list[tuple[str, dict[str, int]]] = [
    (PLAIN, {"w": 37, "h": 21}),
    (VARIABLES, {"w": 37, "h": 21}),
    (STATED, {"w": 64, "h": 16}),
    (FLAT, {"w": 24}),
    (LINES, {"w": 37, "h": 21}),
    (DEVICE, {"w": 37, "h": 21}),
]


def shapes(text: str) -> list[Launch]:
    unit = unit_of(text)
    return [one for kernel, _ in unit.kernels() for one in unit.launches(kernel)]


@pytest.mark.parametrize(("text", "numbers"), APPLY)
def test_it_leaves_the_same(text: str, numbers: dict[str, int]) -> None:
    made = after(text, SWAP_AXES)
    old, new = shapes(text)[0].block, shapes(made)[0].block
    assert new == (old[1], old[0], old[2])
    grid: Shape = (
        (1, 1, 1) if text is FLAT else (numbers.get("h", 0) // old[0] + 1, numbers.get("w", 0) // old[1] + 1, 1)
    )
    if text is STATED:
        grid = (2, 2, 1)
    before, becomes = run(text, "k", old, grid, numbers), run(made, "k", new, (grid[1], grid[0], 1), numbers)
    if text is not STATED:
        for name, values in before.arrays.items():
            assert np.array_equal(values, becomes.arrays[name]), made
    assert not before.faults
    assert not becomes.faults
    assert int(becomes.warps.sectors.sum()) < int(before.warps.sectors.sum()) + (text is FLAT)
    assert made.count("\r\n") in (0, made.count("\n"))


def test_launches_are_turned() -> None:
    made = after(VARIABLES, SWAP_AXES)
    assert "k<<<dim3(grid.y, grid.x, grid.z), dim3(block.y, block.x, block.z)>>>(c, a, w, h); // all of it" in made
    assert "k<<<dim3(grid.y, grid.x, grid.z), dim3{8, 16}>>>" in made
    assert "dim3((w + 7) / 8, (h + 15) / 16), dim3(8, 16)" in after(PLAIN, SWAP_AXES)
    assert "<<<dim3(1, 4), dim3(16, 8)>>>" in after(FLAT, SWAP_AXES)


def test_annotations_are_turned() -> None:
    made = after(STATED, SWAP_AXES)
    assert "launch block=(32,8) grid=(w/32, h/8)" in made
    assert "assume gridDim.y >= 1" in made
    assert "assert blockIdx.x >= 0" in made
    assert "a[at] - gridDim.y" in made


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("    if", "    __shared__ float s[8];\n    s[threadIdx.x & 7] = s[threadIdx.y & 7];\n    if", "`s` is indexed by both axes: threads work together"),
        ("a[row * w + col] * 2", "__shfl_down_sync(~0u, a[row * w + col], 1)", "lanes of a warp work together by their places"),
        ("    if", "    dim3 place = threadIdx;\n    if", "`threadIdx` is used as a whole in line 4"),
        ("void host", "void other() { auto f = k; }\nvoid host", "`k` is also named in line 6"),
        ("dim3(16, 8)", "shape()", "not"),
        ("dim3(16, 8)", "BLOCK", "not"),
        ("    if", "#define TX threadIdx.x\n    if (TX < 100)\n    if", "directives of the preprocessor"),
        ("__global__", "__device__ int mine() { return threadIdx.x; }\n__global__", None),
        ("void host(float *c, float *a, int w, int h) { k<<<dim3((h + 15) / 16, (w + 7) / 8), dim3(16, 8)>>>(c, a, w, h); }", "", "no launch of it is in view"),
    ],
)  # fmt: skip
def test_what_is_refused(old: str, new: str, said: str | None) -> None:
    text = PLAIN.replace(old, new, 1)
    if said is None:
        text = text.replace("* 2;", "* mine();")
        said = "`mine` is called, which names the place of a thread itself"
    assert said in reason(text, SWAP_AXES)


def test_rows_are_no_site() -> None:
    turned = PLAIN.replace("int row", "int q").replace("int col", "int row").replace("int q", "int col")
    assert not sites_of(unit_of(turned), SWAP_AXES)
