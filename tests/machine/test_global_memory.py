"""Sectors: the figures of the cost rules, and agreement with a byte-by-byte derivation."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis_core.machine.global_memory import (
    contention,
    distinct_addresses,
    distinct_addresses_many,
    excessive_sectors,
    ideal_sectors,
    lines,
    lines_many,
    sectors,
    sectors_many,
)

LANES = np.arange(32, dtype=np.int64)
ALL = np.ones(32, dtype=bool)


def touched(addresses: list[int], active: list[bool], width: int, size: int) -> int:
    """Every byte that an active lane moves, one after another."""
    blocks = set()
    for address, on in zip(addresses, active, strict=True):
        if on:
            for byte in range(width):
                blocks.add((address + byte) // size)
    return len(blocks)


ADDRESSES = st.one_of(
    st.lists(st.integers(0, 4096), min_size=32, max_size=32),
    st.builds(lambda base, stride: [base + stride * i for i in range(32)], st.integers(0, 600), st.integers(-70, 300)),
    st.lists(st.integers(-(2**40), 2**40), min_size=32, max_size=32),
)
MASKS = st.lists(st.booleans(), min_size=32, max_size=32)
WIDTHS = st.sampled_from([1, 2, 4, 8, 16, 3, 12, 20, 40, 100])


@given(ADDRESSES, MASKS, WIDTHS)
def test_sectors_and_lines_are_the_blocks_of_the_touched_bytes(
    addresses: list[int], active: list[bool], width: int
) -> None:
    a, m = np.array(addresses, dtype=np.int64), np.array(active)
    assert sectors(a, m, width) == touched(addresses, active, width, 32)
    assert lines(a, m, width) == touched(addresses, active, width, 128)


@given(st.lists(st.tuples(ADDRESSES, MASKS), min_size=1, max_size=5), WIDTHS)
def test_many_requests_are_each_request(requests: list[tuple[list[int], list[bool]]], width: int) -> None:
    a = np.array([addresses for addresses, _ in requests], dtype=np.int64)
    m = np.array([active for _, active in requests])
    each = [sectors(x, y, width) for x, y in zip(a, m, strict=True)]
    assert sectors_many(a, m, width).tolist() == each
    assert lines_many(a, m, width).tolist() == [lines(x, y, width) for x, y in zip(a, m, strict=True)]
    counted = [len({v for v, on in zip(addresses, active, strict=True) if on}) for addresses, active in requests]
    assert distinct_addresses_many(a, m).tolist() == counted


@pytest.mark.parametrize(("width", "ideal"), [(1, 1), (2, 2), (4, 4), (8, 8), (16, 16)])
def test_a_full_warp_of_neighbours_is_ideal(width: int, ideal: int) -> None:
    assert sectors(LANES * width, ALL, width) == ideal == ideal_sectors(32, width)


@pytest.mark.parametrize(
    ("addresses", "width", "count"),
    [
        (LANES * 0 + 64, 4, 1),  # one uniform address
        (LANES * 4 + 4, 4, 5),  # neighbours from an unaligned offset
        (LANES * 8, 4, 8),
        (LANES * 32, 4, 32),
        (4000 - 32 * LANES, 4, 32),  # A[1000 - 8*tx]
        (LANES * 12 + 4, 4, 12),  # one member of a structure of 12 bytes: every sector of 384 bytes
        (LANES * 32 + 8, 4, 32),  # one member of a structure of 32 bytes
    ],
)
def test_patterns_of_the_cost_rules(addresses: npt.NDArray[np.int64], width: int, count: int) -> None:
    assert sectors(addresses, ALL, width) == count


def test_rows_of_a_tile_at_a_pitch() -> None:
    # A 16x16 block reads A[ty*w + tx]: a warp covers two rows of 16 floats.
    rows, columns = LANES // 16, LANES % 16
    assert sectors((rows * 1024 + columns) * 4, ALL, 4) == 4
    assert sectors((rows * 1023 + columns) * 4, ALL, 4) == 5


def test_lanes_far_apart_are_ideal_alone_and_excessive_together() -> None:
    some = np.isin(LANES, [0, 8, 16, 24])
    moved = sectors(LANES * 4, some, 4)
    assert moved == 4
    assert excessive_sectors(moved, distinct_addresses(LANES * 4, some), 4) == 3
    assert excessive_sectors(sectors(LANES * 4, ALL, 4), 32, 4) == 0


def test_nobody_active_moves_nothing() -> None:
    nobody = np.zeros(32, dtype=bool)
    assert sectors(LANES * 4, nobody, 4) == lines(LANES * 4, nobody, 4) == distinct_addresses(LANES, nobody) == 0
    assert contention(LANES, nobody) == 0
    assert ideal_sectors(0, 4) == 0


def test_overlapping_elements_are_never_less_than_ideal() -> None:
    # Unaligned words one byte apart: 35 bytes, fewer sectors than 32 words side by side.
    assert excessive_sectors(sectors(LANES, ALL, 4), 32, 4) == 0


@given(st.lists(st.integers(0, 6), min_size=32, max_size=32), MASKS)
def test_contention_is_the_most_frequent_address(addresses: list[int], active: list[bool]) -> None:
    hit = [a for a, on in zip(addresses, active, strict=True) if on]
    assert contention(np.array(addresses), np.array(active)) == max((hit.count(a) for a in hit), default=0)
