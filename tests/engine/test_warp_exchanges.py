"""Exchanges, shuffles and differences of CUB: they give what they should, and what a run pays lies within the bounds."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.test_block_runs import COUNT, GIVEN, ITEMS, THREADS, kernel, results
from tests.engine.test_block_sorts import within_bounds

MINUS = "struct Minus { __device__ int operator()(int a, int b) const { return 3 * a - b; } };"
LEFT = np.r_[GIVEN[0], 3 * GIVEN[1:] - GIVEN[:-1]]
RIGHT = np.r_[3 * GIVEN[:-1] - GIVEN[1:], GIVEN[-1]]


@pytest.mark.parametrize(("items", "width", "way"), [(3, 32, "SMEM"), (8, 32, "SMEM"), (3, 8, "SMEM"), (8, 8, "SHUFFLE"), (32, 32, "SHUFFLE")])  # fmt: skip
@pytest.mark.parametrize("call", ["BlockedToStriped", "StripedToBlocked", "ScatterToStriped"])
def test_exchanges_of_warps(items: int, width: int, way: str, call: str) -> None:
    if (call, way) == ("ScatterToStriped", "SHUFFLE"):
        return
    text = (
        f"#include <cub/cub.cuh>\n//@ launch block=({THREADS}) grid=(1)\n"
        f"__global__ void k(int *out, const int *in) {{ typedef cub::WarpExchange<int, {items}, {width}, cub::WARP_EXCHANGE_{way}> Of;"
        f" __shared__ typename Of::TempStorage rooms[{THREADS // width}]; int items[{items}], ranks[{items}];"
        f" for (int i = 0; i < {items}; i++) {{ items[i] = in[threadIdx.x * {items} + i]; ranks[i] = {items * width - 1} - (threadIdx.x % {width} * {items} + i); }}"
        f" Of(rooms[threadIdx.x / {width}]).{call}(items, {'ranks' if call[:2] == 'Sc' else 'items'});"
        f" for (int i = 0; i < {items}; i++) out[threadIdx.x * {items} + i] = items[i]; }}"
    )
    given = np.random.default_rng(5).integers(0, 1000, THREADS * items).astype(np.int32)
    found = within_bounds(text, THREADS, {"out": 0 * given, "in": given})["out"]
    warps = given.reshape(-1, width * items)
    striped = (warps[:, ::-1] if call[:2] == "Sc" else warps).reshape(-1, items, width).swapaxes(1, 2)
    blocked = warps.reshape(-1, width, items).swapaxes(1, 2)
    assert np.array_equal(found, (blocked if call[:3] == "Str" else striped).ravel())


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        ("Up(items, more)", np.r_[0, GIVEN[:-1]]),
        ("Down(items, more)", np.r_[GIVEN[1:], COUNT - 1]),
        ("Up(items, more, items[0])", np.r_[0, GIVEN[:-1]]),
        ("Down(items, more, items[0])", np.r_[GIVEN[1:], COUNT - 1]),
    ],
)
def test_items_of_neighbours(call: str, wanted: np.ndarray) -> None:
    _, other = results(kernel(f"BlockShuffle<int, {THREADS}>", f"Of(room).{call};"))
    assert np.array_equal(other, wanted)


@pytest.mark.parametrize(("call", "by"), [("Offset", -2), ("Offset", 70), ("Rotate", 5), ("Offset", 1)])
def test_one_item_of_another_thread(call: str, by: int) -> None:
    out, _ = results(kernel(f"BlockShuffle<int, {THREADS}>", f"Of(room).{call}(items[0], items[0], {by});"))
    first = GIVEN.reshape(THREADS, ITEMS)[:, 0]
    at = np.arange(THREADS) + by
    there = (at >= 0) & (at < THREADS) | (call == "Rotate")
    assert np.array_equal(out.reshape(THREADS, ITEMS)[:, 0], np.where(there, first[at % THREADS], first))


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        ("Left(items, more, Minus())", LEFT),
        ("Left(items, more, Minus(), 7)", np.r_[3 * GIVEN[0] - 7, LEFT[1:]]),
        ("Right(items, more, Minus())", RIGHT),
        ("Right(items, more, Minus(), 7)", np.r_[RIGHT[:-1], 3 * GIVEN[-1] - 7]),
        ("LeftPartialTile(items, more, Minus(), 100)", np.r_[LEFT[:100], GIVEN[100:]]),
        ("LeftPartialTile(items, more, Minus(), 100, 7)", np.r_[3 * GIVEN[0] - 7, LEFT[1:100], GIVEN[100:]]),
        ("LeftPartialTile(items, more, Minus(), 0, 7)", GIVEN),
        ("RightPartialTile(items, more, Minus(), 100)", np.r_[RIGHT[:99], GIVEN[99:]]),
    ],
)
def test_differences(call: str, wanted: np.ndarray) -> None:
    body = f"Of(room).Subtract{call};"
    out, other = results(kernel(f"BlockAdjacentDifference<int, {THREADS}>", body, before=MINUS))
    assert np.array_equal(out, GIVEN) and np.array_equal(other, wanted)


def test_a_room_of_its_own() -> None:
    text = kernel(f"BlockShuffle<int, {THREADS}>", "Of().Up(items, more);")
    _, other = results(text)
    assert np.array_equal(other, np.r_[0, GIVEN[:-1]])
