"""Costs by the size of a pitch: every threshold told is met by a count of sectors that shares no code with the analysis."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.requests.facts import SizeCases
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

LARGEST = 64


def sizes_of(index: str, guard: str = "", block: str = "32, 8", element: str = "float") -> SizeCases | None:
    text = (
        f"__global__ void k({element} *a, int n, int m) {{\n"
        "  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n"
        f"  {guard} a[{index}] = 0;\n"
        "}\n"
        f"void go({element} *a, int n, int m) {{ k<<<dim3(n, m), dim3({block})>>>(a, n, m); }}\n"
    )
    report = analyse_file("a.cu", MemoryFiles({"a.cu": text.encode()}), Settings(), strict=True)
    (access,) = report.kernels[0].launches[0].facts.accesses
    return access.variation.sizes


def counted(lane: Callable[[int, int, int, int], int | None], n: int, width: int) -> int:
    """The most sectors of any warp of some blocks of 32 x 8 threads; `lane` gives the element, or None if inactive."""
    worst = 0
    for block_x in range(3):
        for y in range(24):
            elements = [lane(32 * block_x + x, y, x, n) for x in range(32)]
            bytes_ = [e * width + b for e in elements if e is not None for b in range(width)]
            worst = max(worst, len({byte // 32 for byte in bytes_}))
    return worst


@pytest.mark.parametrize(
    ("index", "guard", "element", "width", "lane"),
    [
        ("x*n + y", "if (y < n)", "float", 4, lambda x, y, t, n: x * n + y if y < n else None),
        ("x*n + y", "", "float", 4, lambda x, y, t, n: x * n + y),
        ("x*n", "", "float", 4, lambda x, y, t, n: x * n),
        ("x*n", "", "double", 8, lambda x, y, t, n: x * n),
        ("x*n", "", "unsigned char", 1, lambda x, y, t, n: x * n),
        ("2*x*n + 1", "", "float", 4, lambda x, y, t, n: 2 * x * n + 1),
        ("threadIdx.x*n", "", "short", 2, lambda x, y, t, n: t * n),
    ],
)
def test_thresholds_are_those_of_a_count(
    index: str, guard: str, element: str, width: int, lane: Callable[[int, int, int, int], int | None]
) -> None:
    found = sizes_of(index, guard, element=element)
    costs = {n: counted(lane, n, width) for n in range(1, LARGEST + 1)}
    assert found is not None
    assert all(cost == found.worst for n, cost in costs.items() if n >= found.threshold)
    assert all(cost < found.worst for n, cost in costs.items() if n < found.threshold)
    assert costs[found.value] == found.least == min(costs.values())


@pytest.mark.parametrize(
    ("index", "why"),
    [
        ("y*n + x", "the row is one warp wide: its alignment decides, no size"),
        ("x*n*m", "a pitch of two symbols"),
        ("8*x", "no pitch"),
        (
            "x*n + y*m",
            "lanes are apart by one symbol, but the other decides the alignment only: told or not, never wrong",
        ),
    ],
)
def test_nothing_is_told_where_no_size_decides(index: str, why: str) -> None:
    found = sizes_of(index)
    assert found is None or (index == "x*n + y*m" and (found.symbol, found.threshold) == ("n", 8)), why


def test_rows_of_half_a_warp_are_decided_by_the_residue() -> None:
    assert sizes_of("y*n + x", block="16, 16") is None
