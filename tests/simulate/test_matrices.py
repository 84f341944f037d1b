"""`ldmatrix` and `stmatrix` move 8 x 8 matrices between lanes as the PTX ISA says."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.test_block_sorts import within_bounds

TILES = np.random.default_rng(3).integers(0, 1 << 16, (2, 4, 8, 8)).astype(np.uint16)
"""Of each warp four matrices, in rows."""


def kernel(name: str, count: int, operands: str) -> str:
    outputs = ", ".join(f'"=r"(v[{i}])' for i in range(count))
    inputs = ", ".join(f'"r"(v[{i}])' for i in range(count))
    into, to = "{" + ", ".join(f"%{i}" for i in range(count)) + "}", "{" + ", ".join(f"%{i + 1}" for i in range(count)) + "}"  # fmt: skip
    move = (
        f'asm volatile("{name} {into}, [%{count}];" : {outputs} : "r"(at));'
        if name.startswith("ld")
        else f'asm volatile("{name} [%0], {to};" :: "r"(at), {inputs});'
    )
    return (
        "//@ launch block=(64) grid=(1)\n__global__ void k(unsigned *out, const unsigned *in) {"
        " __shared__ __align__(16) unsigned tile[2 * 128]; int warp = threadIdx.x / 32, lane = threadIdx.x % 32;"
        f" unsigned v[4] = {{0, 0, 0, 0}}; unsigned at = (unsigned)__cvta_generic_to_shared(&tile[warp * 128 + 4 * (lane % {8 * count})]);"
        f" {operands.replace('MOVE', move)} }}"
    )


LOADS = "for (int i = 0; i < 4; i++) tile[i * 64 + threadIdx.x] = in[i * 64 + threadIdx.x]; __syncthreads(); MOVE for (int i = 0; i < 4; i++) out[threadIdx.x * 4 + i] = v[i];"
STORES = "for (int i = 0; i < 4; i++) { v[i] = in[threadIdx.x * 4 + i]; tile[i * 64 + threadIdx.x] = 0; } __syncthreads(); MOVE __syncthreads(); for (int i = 0; i < 4; i++) out[i * 64 + threadIdx.x] = tile[i * 64 + threadIdx.x];"


def fragments(count: int, transposed: bool) -> np.ndarray:
    """What lane l of a warp has: elements (l / 4, 2 * (l % 4)) and the next one of each matrix, or with row and column exchanged."""
    found = np.zeros((2, 32, 4, 2), np.uint16)
    for lane in range(32):
        for half in range(2):
            row, column = lane // 4, 2 * (lane % 4) + half
            at = (column, row) if transposed else (row, column)
            found[:, lane, :count, half] = TILES[:, :count, at[0], at[1]]
    return found


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_loaded_matrices(count: int, transposed: bool) -> None:
    name = f"ldmatrix.sync.aligned.m8n8.x{count}{'.trans' if transposed else ''}.shared.b16"
    given = TILES.reshape(-1).view(np.uint32)
    found = within_bounds(kernel(name, count, LOADS), 64, {"out": 0 * given, "in": given})["out"]
    assert np.array_equal(found, fragments(count, transposed).reshape(-1).view(np.uint32))


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_stored_matrices(count: int, transposed: bool) -> None:
    name = f"stmatrix.sync.aligned.m8n8.x{count}{'.trans' if transposed else ''}.shared.b16"
    given = fragments(4, transposed).reshape(-1).view(np.uint32)
    found = within_bounds(kernel(name, count, STORES), 64, {"out": 0 * given, "in": given})["out"]
    wanted = TILES.copy()
    wanted[:, count:] = 0
    assert np.array_equal(found, wanted.reshape(-1).view(np.uint32))
