"""The rows of the cost rules' table for all sizes that their assumptions allow, not for one size after another: most and
least meet, so the figures are exact.  Then the other way round: costs under an assumption against a count of sectors
over many sizes that it allows."""

from __future__ import annotations

import pytest

from analysis_core.requests.facts import Divergence
from tests.engine.warp_costs import Shape, access, exactly, facts_of, most, warp_costs

ROW: Shape = (1024, 1, 1)
LINE: Shape = (256, 1, 1)
TILE: Shape = (32, 32, 1)


def test_sums_of_vectors_of_whole_blocks() -> None:
    found = warp_costs("vector_add.cu", "sum", LINE, grid=(4, 1, 1), assume=("n % 256 == 0", "n >= 1024"))
    assert exactly(found.sectors) == [12] * 8
    assert exactly(found.splits) == [0] * 8


@pytest.mark.parametrize("h", [2, 100])
def test_columns_of_aligned_rows(h: int) -> None:
    aligned = ("w % 8 == 0", "h >= 1")
    assert most(warp_costs("add_sub.cu", "columns", ROW, trips={"h": h}, assume=aligned).sectors) == [12 * h] * 32
    kept = warp_costs("add_sub.cu", "columns_row_kept", ROW, trips={"h": h}, assume=aligned)
    assert most(kept.sectors) == [4 + 8 * h] * 32


def test_rows_that_are_wide_enough_share_no_sector() -> None:
    text = """__global__ void k(int *m, int w, int c) {
        int pair = blockIdx.x * blockDim.x + threadIdx.x;
        m[2 * pair * w + c] = 1;
    }"""
    wide = access(facts_of(text, block=ROW, assume=("w >= 8",)), "m[2 * pair * w + c]")
    assert (wide.worst, wide.best, wide.ideal, wide.exact) == (32, 32, 4, True)
    any_width = access(facts_of(text, block=ROW), "m[2 * pair * w + c]")
    assert (any_width.worst, any_width.best) == (32, 1)


@pytest.mark.parametrize("n", [320])
def test_products_of_matrices_of_whole_tiles(n: int) -> None:
    whole = ("n % 32 == 0", "n >= 32")
    tiles = n // 32
    rows = warp_costs("mat_mul.cu", "tiled", TILE, trips={"n": n}, assume=whole)
    turned = warp_costs("mat_mul.cu", "tiled_turned", TILE, trips={"n": n}, assume=whole)
    assert most(rows.sectors) == most(turned.sectors) == [4 + 8 * tiles] * 32
    assert most(rows.conflicts) == [0] * 32
    assert most(turned.conflicts) == [31 * tiles] * 32
    untiled = warp_costs("mat_mul.cu", "untiled", TILE, trips={"n": n}, assume=whole)
    assert most(untiled.sectors) == [13 * n] * 32


@pytest.mark.parametrize("kernel", ["every_other", "first_threads", "halves"])
def test_tree_sums_of_whole_blocks(kernel: str) -> None:
    known = warp_costs("reduce.cu", kernel, LINE, grid=(4, 1, 1), sizes={"n": 1024})
    found = warp_costs("reduce.cu", kernel, LINE, assume=("n % 256 == 0",))
    assert most(found.sectors) == most(known.sectors)
    assert exactly(found.conflicts) == exactly(known.conflicts)
    assert exactly(found.splits) == exactly(known.splits)  # `i < n` cuts at a multiple of 256


# --- the same against a count -----------------------------------------------------------------------------------


def sectors(elements: list[int], width: int) -> int:
    return len({(e * width + byte) // 32 for e in elements for byte in range(width)})


PITCHED = {
    # the index, and what it is for column x, row y of a block of 8 x 4 and the pitch w
    "y * w + x": lambda x, y, w: y * w + x,
    "y * 2 * w + x + 3": lambda x, y, w: y * 2 * w + x + 3,
    "x * w + y": lambda x, y, w: x * w + y,
    "(3 - y) * w + x": lambda x, y, w: (3 - y) * w + x,
}


@pytest.mark.parametrize("index", PITCHED)
@pytest.mark.parametrize("type_", [("char", 1), ("float", 4), ("double", 8)], ids=lambda t: str(t[0]))
@pytest.mark.parametrize("least", [0, 1, 7, 8, 9, 16, 24, 33, 64])
def test_rows_at_a_pitch_with_a_lower_bound(index: str, type_: tuple[str, int], least: int) -> None:
    name, width = type_
    text = f"__global__ void k({name} *p, int w) {{ int x = threadIdx.x, y = threadIdx.y; p[{index}] = 1; }}"
    (found,) = facts_of(text, block=(8, 4, 1), assume=(f"w >= {least}",)).accesses
    counts = {
        w: sectors([PITCHED[index](x, y, w) for y in range(4) for x in range(8)], width)
        for w in range(least, least + 72)
    }
    assert found.best <= min(counts.values())
    assert found.worst >= max(counts.values())
    if found.worst == found.best:
        assert set(counts.values()) == {found.worst}


@pytest.mark.parametrize("modulus", [2, 4, 8, 32])
def test_aligned_rows(modulus: int) -> None:
    text = "__global__ void k(float *p, int w) { p[threadIdx.y * w + threadIdx.x] = 1; }"
    (found,) = facts_of(text, block=(16, 16, 1), assume=(f"w % {modulus} == 0", "w >= 32")).accesses
    rows = [[y * w + x for y in (2 * warp, 2 * warp + 1) for x in range(16)] for w in range(32, 96, modulus) for warp in range(8)]  # fmt: skip
    counts = {sectors(row, 4) for row in rows}
    assert found.worst == max(counts)
    assert found.best <= min(counts)


def test_a_guard_that_no_size_meets_half_way() -> None:
    text = "__global__ void k(float *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = 1; }"
    (branch,) = facts_of(text, block=LINE, assume=("n % 32 == 0",)).branches
    assert branch.divergence is Divergence.NEVER
    (branch,) = facts_of(text, block=LINE, assume=("n % 16 == 0",)).branches
    assert (branch.divergence, branch.splits.active) == (Divergence.BOUNDARY, (16, 16))
