"""Merge sorts, runs and histograms of CUB: they give what they should, and what a run pays lies within the bounds."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.test_block_sorts import within_bounds

THREADS, ITEMS = 64, 3
COUNT = THREADS * ITEMS
GIVEN = np.random.default_rng(11).integers(0, 20, COUNT).astype(np.int32)


def kernel(room: str, body: str, threads: int = THREADS, before: str = "") -> str:
    return (
        f"#include <cub/cub.cuh>\n{before}\n//@ launch block=({threads}) grid=(1)\n"
        f"__global__ void k(int *out, int *other, const int *in) {{ typedef cub::{room} Of; __shared__ typename Of::TempStorage room;"
        f" int items[{ITEMS}], more[{ITEMS}]; for (int i = 0; i < {ITEMS}; i++) {{ int at = threadIdx.x * {ITEMS} + i; items[i] = in[at]; more[i] = at; }}"
        f" {body} for (int i = 0; i < {ITEMS}; i++) {{ int at = threadIdx.x * {ITEMS} + i; out[at] = items[i]; other[at] = more[i]; }} }}"
    )


def results(text: str, threads: int = THREADS, given: np.ndarray = GIVEN) -> tuple[np.ndarray, np.ndarray]:
    arrays = within_bounds(
        text, threads, {"out": 0 * given, "other": 0 * given, "in": given}, "_shared[first]", "_shared[second]"
    )
    return arrays["out"], arrays["other"]


LESS = "struct Less { __device__ bool operator()(int a, int b) const { return a < b; } };"


@pytest.mark.parametrize("pairs", [False, True])
def test_merge_sorts_of_blocks(pairs: bool) -> None:
    room = f"BlockMergeSort<int, {THREADS}, {ITEMS}{', int' if pairs else ''}>"
    out, other = results(kernel(room, f"Of(room).Sort(items{', more' if pairs else ''}, Less());", before=LESS))
    order = np.argsort(GIVEN, kind="stable")
    assert np.array_equal(out, GIVEN[order])
    assert not pairs or np.array_equal(other, order)


@pytest.mark.parametrize("valid", [0, 1, 100, COUNT])
def test_merge_sorts_of_a_part(valid: int) -> None:
    out, _ = results(
        kernel(
            f"BlockMergeSort<int, {THREADS}, {ITEMS}>",
            f"Of(room).StableSort(items, Less(), {valid}, 1 << 30);",
            before=LESS,
        )
    )
    assert np.array_equal(out[:valid], np.sort(GIVEN[:valid]))


@pytest.mark.parametrize("width", [32, 8])
def test_merge_sorts_of_warps(width: int) -> None:
    room = f"WarpMergeSort<int, {ITEMS}, {width}>"
    text = kernel(room, f"Of(rooms[threadIdx.x / {width}]).Sort(items, Less());", before=LESS)
    text = text.replace("TempStorage room;", f"TempStorage rooms[{THREADS // width}];")
    out, _ = results(text)
    assert np.array_equal(out, np.sort(GIVEN.reshape(-1, width * ITEMS)).ravel())


RUNS = np.sort(GIVEN)
HEADS = np.r_[True, RUNS[1:] != RUNS[:-1]]
TAILS = np.r_[HEADS[1:], True]


@pytest.mark.parametrize(
    ("call", "heads", "tails"),
    [
        ("FlagHeads(heads, items, cub::Inequality())", HEADS, None),
        ("FlagHeads(heads, items, cub::Inequality(), items[0])", HEADS & (np.arange(COUNT) > 0), None),
        ("FlagTails(tails, items, cub::Inequality())", None, TAILS),
        ("FlagTails(tails, items, cub::Inequality(), 1000)", None, TAILS),
        ("FlagHeadsAndTails(heads, tails, items, cub::Inequality())", HEADS, TAILS),
        ("FlagHeadsAndTails(heads, -1, tails, items, cub::Inequality())", HEADS, TAILS),
        ("FlagHeadsAndTails(heads, tails, 1000, items, cub::Inequality())", HEADS, TAILS),
        ("FlagHeadsAndTails(heads, -1, tails, 1000, items, Odd())", HEADS & (np.arange(COUNT) % 2 == 1), None),
        ("FlagHeads(heads, items, [=](int a, int b) { return a != b + (in == out); })", HEADS, None),
        (
            "FlagHeads(heads, items, [](int a, int b, int at) { return a != b && at % 2; }, -1)",
            HEADS & (np.arange(COUNT) % 2 == 1),
            None,
        ),
    ],
)
def test_heads_and_tails(call: str, heads: np.ndarray | None, tails: np.ndarray | None) -> None:
    body = (
        f"int heads[{ITEMS}], tails[{ITEMS}]; Of(room).{call};"
        f" for (int i = 0; i < {ITEMS}; i++) {{ {'items[i] = heads[i];' if heads is not None else ''} {'more[i] = tails[i];' if tails is not None else ''} }}"
    )
    odd = "struct Odd { __device__ bool operator()(int a, int b, int at) const { return a != b && at % 2; } };"
    out, other = results(kernel(f"BlockDiscontinuity<int, {THREADS}>", body, before=odd), given=RUNS.astype(np.int32))
    assert heads is None or np.array_equal(out, heads)
    assert tails is None or np.array_equal(other, tails)


@pytest.mark.parametrize("algorithm", ["SORT", "ATOMIC"])
@pytest.mark.parametrize("bins", [20, 64, 150])
def test_histograms(algorithm: str, bins: int) -> None:
    room = f"BlockHistogram<unsigned char, {THREADS}, {ITEMS}, {bins}, cub::BLOCK_HISTO_{algorithm}>"
    body = (
        f"__shared__ unsigned bins[{bins}]; unsigned char bytes[{ITEMS}]; for (int i = 0; i < {ITEMS}; i++) bytes[i] = items[i];"
        f" Of(room).Histogram(bytes, bins); __syncthreads();"
        f" for (int i = 0; i < {ITEMS}; i++) items[i] = threadIdx.x * {ITEMS} + i < {bins} ? bins[threadIdx.x * {ITEMS} + i] : 0;"
    )
    out, _ = results(kernel(room, body))
    assert np.array_equal(out[:bins], np.bincount(GIVEN, minlength=bins))


def test_runs_by_their_lengths() -> None:
    body = (
        f"unsigned size; Of runs(room, more, items, size); int some[4]; unsigned at[4];"
        f" runs.RunLengthDecode(some, at, 5); for (int i = 0; i < {ITEMS}; i++) {{ items[i] = some[i]; more[i] = at[i]; }}"
    )
    lengths = (GIVEN % 5 + 1).astype(np.int32)
    out, other = results(kernel(f"BlockRunLengthDecode<int, {THREADS}, {ITEMS}, 4>", body), given=lengths)
    whole = np.repeat(np.arange(COUNT), lengths)[5:][: 4 * THREADS].reshape(THREADS, 4)
    places = np.concatenate([np.arange(n) for n in lengths])[5:][: 4 * THREADS].reshape(THREADS, 4)
    assert np.array_equal(out.reshape(THREADS, 3), whole[:, :3])
    assert np.array_equal(other.reshape(THREADS, 3), places[:, :3])
