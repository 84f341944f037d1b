"""Wavefronts: the figures of the cost rules, agreement with a second derivation, and the ideal against a search."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis_core.machine.shared_memory import conflicts, ideal_wavefronts, wavefronts, wavefronts_many

LANES = np.arange(32, dtype=np.int64)
ALL = np.ones(32, dtype=bool)
MASKS = st.one_of(
    st.lists(st.booleans(), min_size=32, max_size=32),
    st.sampled_from(
        [[True] * 32, [True] * 16 + [False] * 16, [i % 2 == 0 for i in range(32)], [i == 5 for i in range(32)]]
    ),
)


def group_cost(lanes: list[int], addresses: list[int], active: list[bool], width: int) -> int:
    words: dict[int, set[int]] = {bank: set() for bank in range(32)}
    for lane in lanes:
        if active[lane]:
            for byte in range(width):
                word = (addresses[lane] + byte) // 4
                words[word % 32].add(word)
    return max(len(found) for found in words.values())


def derived(addresses: list[int], active: list[bool], width: int) -> int:
    """The rule, told once more with loops and sets."""
    if width <= 4:
        return group_cost(list(range(32)), addresses, active, width)

    def same_or_off(i: int, j: int) -> bool:
        return not active[i] or not active[j] or addresses[i] == addresses[j]

    pairs = all(same_or_off(i, i ^ 1) for i in range(32)) or all(same_or_off(i, i ^ 2) for i in range(32))
    runs = {(8, False): 16, (8, True): 32, (16, False): 8, (16, True): 16}[width, pairs]
    groups = [list(range(start, start + runs)) for start in range(0, 32, runs)]
    return sum(group_cost(group, addresses, active, width) for group in groups)


def patterns(width: int) -> st.SearchStrategy[list[int]]:
    units = st.one_of(
        st.lists(st.integers(0, 80), min_size=32, max_size=32),
        st.builds(lambda b, s: [b + s * i for i in range(32)], st.integers(0, 9), st.integers(0, 40)),
        st.lists(st.integers(0, 80), min_size=16, max_size=16).map(lambda half: [half[i // 2] for i in range(32)]),
        st.lists(st.integers(0, 80), min_size=16, max_size=16).map(
            lambda half: [half[(i >> 2) * 2 + (i & 1)] for i in range(32)]
        ),
    )
    return units.map(lambda numbers: [number * width for number in numbers])


@given(st.sampled_from([1, 2, 4, 8, 16]).flatmap(lambda w: st.tuples(st.just(w), patterns(w))), MASKS)
def test_wavefronts_follow_the_rule(case: tuple[int, list[int]], active: list[bool]) -> None:
    width, addresses = case
    assert wavefronts(np.array(addresses), np.array(active), width) == derived(addresses, active, width)


@given(
    st.sampled_from([4, 8, 16]).flatmap(lambda w: st.tuples(st.just(w), st.lists(patterns(w), min_size=1, max_size=4))),
    MASKS,
)
def test_many_requests_are_each_request(case: tuple[int, list[list[int]]], active: list[bool]) -> None:
    width, requests = case
    a = np.array(requests)
    m = np.tile(np.array(active), (len(requests), 1))
    assert wavefronts_many(a, m, width).tolist() == [derived(r, active, width) for r in requests]


@given(st.sampled_from([1, 2, 4, 8, 16]).flatmap(lambda w: st.tuples(st.just(w), patterns(w))), MASKS)
def test_no_pattern_beats_the_ideal(case: tuple[int, list[int]], active: list[bool]) -> None:
    width, addresses = case
    distinct = len({a for a, on in zip(addresses, active, strict=True) if on})
    ideal = ideal_wavefronts(np.array(active), width, distinct)
    assert derived(addresses, active, width) >= ideal
    if width <= 4:
        assert ideal == (1 if any(active) else 0)


def searched(mask: list[bool], width: int, distinct: int) -> int:
    """The best of many patterns: the d addresses side by side, given to lanes in ways that could merge and at random."""
    lanes = [i for i in range(32) if mask[i]]
    draw = random.Random(distinct * 64 + width)
    orders = [
        {lane: number for number, lane in enumerate(lanes)},
        {lane: sorted({k // 2 for k in lanes}).index(lane // 2) for lane in lanes},
        {lane: sorted({(k >> 2, k & 1) for k in lanes}).index((lane >> 2, lane & 1)) for lane in lanes},
    ]
    orders += [{lane: draw.randrange(distinct) for lane in lanes} for _ in range(20)]
    best = 99
    for order in orders:
        numbers = {lane: min(number, distinct - 1) for lane, number in order.items()}
        if len(set(numbers.values())) == distinct:
            addresses = [numbers.get(i, 0) * width for i in range(32)]
            best = min(best, derived(addresses, mask, width))
    return best


SHAPES = {
    "all": [True] * 32,
    "lower half": [i < 16 for i in range(32)],
    "upper half": [i >= 16 for i in range(32)],
    "quarter": [8 <= i < 16 for i in range(32)],
    "one": [i == 7 for i in range(32)],
    "even": [i % 2 == 0 for i in range(32)],
    "every fourth": [i % 4 == 0 for i in range(32)],
    "middle": [4 <= i < 28 for i in range(32)],
}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("width", [4, 8, 16])
def test_the_ideal_is_attained(name: str, width: int) -> None:
    mask = SHAPES[name]
    for distinct in range(1, sum(mask) + 1):
        assert searched(mask, width, distinct) == ideal_wavefronts(np.array(mask), width, distinct), distinct


@pytest.mark.parametrize(
    ("mask", "ideals"),
    [
        ("all", (2, 1, 4, 2)),
        ("lower half", (1, 1, 2, 1)),
        ("quarter", (1, 1, 1, 1)),
        ("one", (1, 1, 1, 1)),
        ("even", (1, 1, 2, 2)),
    ],
)
def test_the_table_of_ideals(mask: str, ideals: tuple[int, int, int, int]) -> None:
    active = np.array(SHAPES[mask])
    lanes = int(active.sum())
    found = tuple(ideal_wavefronts(active, width, distinct) for width in (8, 16) for distinct in (lanes, 1))
    assert found == ideals


def tile(row: npt.NDArray[np.int64], column: npt.NDArray[np.int64], pitch: int) -> npt.NDArray[np.int64]:
    return (row * pitch + column) * 4


@pytest.mark.parametrize(
    ("addresses", "width", "count"),
    [
        (tile(LANES * 0 + 3, LANES, 32), 4, 1),  # tile[ty][tx]
        (tile(LANES, LANES * 0 + 3, 32), 4, 32),  # tile[tx][ty]
        (tile(LANES, LANES * 0 + 3, 33), 4, 1),  # padded
        (LANES * 8, 8, 2),  # double y[tid]
        (LANES * 8, 4, 2),  # stride 2
        (LANES * 0, 8, 1),  # uniform double
        (LANES * 16, 16, 4),  # float4 y[tid]
        (LANES * 128, 16, 32),  # 32 distinct rows on the same banks
        (LANES % 16 * 4, 4, 1),  # s[tx % 16]: pairs of lanes share a word
        (LANES // 4, 1, 1),  # bytes of one word are served together
    ],
)
def test_patterns_of_the_cost_rules(addresses: npt.NDArray[np.int64], width: int, count: int) -> None:
    assert wavefronts(addresses, ALL, width) == count


def test_anti_diagonal_of_a_17_wide_tile() -> None:
    # tile[tx][15 - tx] over 16 lanes, then the next 16: words 16*tx + 15 lie on two banks.
    x = LANES % 16
    half = LANES < 16
    assert wavefronts(tile(x, 15 - x, 17), half, 4) == 8


def test_conflicts_are_wavefronts_beyond_the_ideal() -> None:
    assert conflicts(wavefronts(LANES * 8, ALL, 8), ideal_wavefronts(ALL, 8, 32)) == 0
    assert conflicts(wavefronts(LANES * 128, ALL, 4), ideal_wavefronts(ALL, 4, 32)) == 31


def test_nobody_active_costs_nothing() -> None:
    nobody = np.zeros(32, dtype=bool)
    for width in (1, 4, 8, 16, 32):
        assert wavefronts(LANES * width, nobody, width) == ideal_wavefronts(nobody, width, 0) == 0


def test_a_uniform_shift_by_a_word_changes_nothing() -> None:
    for width in (4, 8, 16):
        for stride in (1, 2, 3, 8, 33):
            addresses = LANES * stride * width
            assert wavefronts(addresses + 64, ALL, width) == wavefronts(addresses, ALL, width)
